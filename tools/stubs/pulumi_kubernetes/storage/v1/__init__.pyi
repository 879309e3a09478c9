# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
import pulumi_kubernetes.core.v1.outputs
import pulumi_kubernetes.meta.v1.outputs

class StorageClass(pulumi.CustomResource):
    allow_volume_expansion: pulumi.Output[bool]
    allowed_topologies: pulumi.Output[Sequence[pulumi_kubernetes.core.v1.outputs.TopologySelectorTerm]]
    api_version: pulumi.Output[Literal['storage.k8s.io/v1']]
    kind: pulumi.Output[Literal['StorageClass']]
    metadata: pulumi.Output[pulumi_kubernetes.meta.v1.outputs.ObjectMeta]
    mount_options: pulumi.Output[Sequence[str]]
    parameters: pulumi.Output[Mapping[str, str]]
    provisioner: pulumi.Output[str]
    reclaim_policy: pulumi.Output[str]
    volume_binding_mode: pulumi.Output[str]
