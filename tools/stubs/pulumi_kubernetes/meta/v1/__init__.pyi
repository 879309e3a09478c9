# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class ManagedFieldsEntryArgsDict(TypedDict):
    api_version: NotRequired[pulumi.Input[Optional[str]]]
    fields_type: NotRequired[pulumi.Input[Optional[str]]]
    fields_v1: NotRequired[Any]
    manager: NotRequired[pulumi.Input[Optional[str]]]
    operation: NotRequired[pulumi.Input[Optional[str]]]
    subresource: NotRequired[pulumi.Input[Optional[str]]]
    time: NotRequired[pulumi.Input[Optional[str]]]

class ManagedFieldsEntryPatchArgsDict(TypedDict):
    api_version: NotRequired[pulumi.Input[Optional[str]]]
    fields_type: NotRequired[pulumi.Input[Optional[str]]]
    fields_v1: NotRequired[Any]
    manager: NotRequired[pulumi.Input[Optional[str]]]
    operation: NotRequired[pulumi.Input[Optional[str]]]
    subresource: NotRequired[pulumi.Input[Optional[str]]]
    time: NotRequired[pulumi.Input[Optional[str]]]

class ObjectMetaArgsDict(TypedDict):
    annotations: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    cluster_name: NotRequired[pulumi.Input[Optional[str]]]
    creation_timestamp: NotRequired[pulumi.Input[Optional[str]]]
    deletion_grace_period_seconds: NotRequired[pulumi.Input[Optional[int]]]
    deletion_timestamp: NotRequired[pulumi.Input[Optional[str]]]
    finalizers: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    generate_name: NotRequired[pulumi.Input[Optional[str]]]
    generation: NotRequired[pulumi.Input[Optional[int]]]
    labels: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    managed_fields: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ManagedFieldsEntryArgsDict]]]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    namespace: NotRequired[pulumi.Input[Optional[str]]]
    owner_references: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[OwnerReferenceArgsDict]]]]]
    resource_version: NotRequired[pulumi.Input[Optional[str]]]
    self_link: NotRequired[pulumi.Input[Optional[str]]]
    uid: NotRequired[pulumi.Input[Optional[str]]]

class ObjectMetaPatchArgsDict(TypedDict):
    annotations: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    cluster_name: NotRequired[pulumi.Input[Optional[str]]]
    creation_timestamp: NotRequired[pulumi.Input[Optional[str]]]
    deletion_grace_period_seconds: NotRequired[pulumi.Input[Optional[int]]]
    deletion_timestamp: NotRequired[pulumi.Input[Optional[str]]]
    finalizers: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    generate_name: NotRequired[pulumi.Input[Optional[str]]]
    generation: NotRequired[pulumi.Input[Optional[int]]]
    labels: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    managed_fields: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ManagedFieldsEntryPatchArgsDict]]]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    namespace: NotRequired[pulumi.Input[Optional[str]]]
    owner_references: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[OwnerReferencePatchArgsDict]]]]]
    resource_version: NotRequired[pulumi.Input[Optional[str]]]
    self_link: NotRequired[pulumi.Input[Optional[str]]]
    uid: NotRequired[pulumi.Input[Optional[str]]]

class OwnerReferenceArgsDict(TypedDict):
    api_version: pulumi.Input[str]
    kind: pulumi.Input[str]
    name: pulumi.Input[str]
    uid: pulumi.Input[str]
    block_owner_deletion: NotRequired[pulumi.Input[Optional[bool]]]
    controller: NotRequired[pulumi.Input[Optional[bool]]]

class OwnerReferencePatchArgsDict(TypedDict):
    api_version: NotRequired[pulumi.Input[Optional[str]]]
    block_owner_deletion: NotRequired[pulumi.Input[Optional[bool]]]
    controller: NotRequired[pulumi.Input[Optional[bool]]]
    kind: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    uid: NotRequired[pulumi.Input[Optional[str]]]
