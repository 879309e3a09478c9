# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
import pulumi_kubernetes.meta.v1
import pulumi_kubernetes.meta.v1.outputs
from . import outputs as outputs

class ConfigMap(pulumi.CustomResource):
    api_version: pulumi.Output[Literal['v1']]
    binary_data: pulumi.Output[Mapping[str, str]]
    data: pulumi.Output[Mapping[str, str]]
    immutable: pulumi.Output[bool]
    kind: pulumi.Output[Literal['ConfigMap']]
    metadata: pulumi.Output[pulumi_kubernetes.meta.v1.outputs.ObjectMeta]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        api_version: pulumi.Input[Optional[Literal['v1']]] = ...,
        binary_data: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        data: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        immutable: pulumi.Input[Optional[bool]] = ...,
        kind: pulumi.Input[Optional[Literal['ConfigMap']]] = ...,
        metadata: pulumi.Input[Optional[pulumi_kubernetes.meta.v1.ObjectMetaArgsDict]] = ...) -> None: ...

class ConfigMapPatch(pulumi.CustomResource):
    api_version: pulumi.Output[Optional[Literal['v1']]]
    binary_data: pulumi.Output[Optional[Mapping[str, str]]]
    data: pulumi.Output[Optional[Mapping[str, str]]]
    immutable: pulumi.Output[Optional[bool]]
    kind: pulumi.Output[Optional[Literal['ConfigMap']]]
    metadata: pulumi.Output[Optional[pulumi_kubernetes.meta.v1.outputs.ObjectMetaPatch]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        api_version: pulumi.Input[Optional[Literal['v1']]] = ...,
        binary_data: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        data: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        immutable: pulumi.Input[Optional[bool]] = ...,
        kind: pulumi.Input[Optional[Literal['ConfigMap']]] = ...,
        metadata: pulumi.Input[Optional[pulumi_kubernetes.meta.v1.ObjectMetaPatchArgsDict]] = ...) -> None: ...

class Namespace(pulumi.CustomResource):
    api_version: pulumi.Output[Literal['v1']]
    kind: pulumi.Output[Literal['Namespace']]
    metadata: pulumi.Output[pulumi_kubernetes.meta.v1.outputs.ObjectMeta]
    spec: pulumi.Output[outputs.NamespaceSpec]
    status: pulumi.Output[Optional[outputs.NamespaceStatus]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        api_version: pulumi.Input[Optional[Literal['v1']]] = ...,
        kind: pulumi.Input[Optional[Literal['Namespace']]] = ...,
        metadata: pulumi.Input[Optional[pulumi_kubernetes.meta.v1.ObjectMetaArgsDict]] = ...,
        spec: pulumi.Input[Optional[NamespaceSpecArgsDict]] = ...) -> None: ...

class NamespaceSpecArgsDict(TypedDict):
    finalizers: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class Secret(pulumi.CustomResource):
    api_version: pulumi.Output[Literal['v1']]
    data: pulumi.Output[Mapping[str, str]]
    immutable: pulumi.Output[bool]
    kind: pulumi.Output[Literal['Secret']]
    metadata: pulumi.Output[pulumi_kubernetes.meta.v1.outputs.ObjectMeta]
    string_data: pulumi.Output[Mapping[str, str]]
    type: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        api_version: pulumi.Input[Optional[Literal['v1']]] = ...,
        data: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        immutable: pulumi.Input[Optional[bool]] = ...,
        kind: pulumi.Input[Optional[Literal['Secret']]] = ...,
        metadata: pulumi.Input[Optional[pulumi_kubernetes.meta.v1.ObjectMetaArgsDict]] = ...,
        string_data: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        type: pulumi.Input[Optional[str]] = ...) -> None: ...
