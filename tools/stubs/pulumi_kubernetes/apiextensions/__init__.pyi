# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
import pulumi_kubernetes.meta.v1

class CustomResource(pulumi.CustomResource):
    def __init__(self, resource_name: str, api_version: str, kind: str, spec: Optional[pulumi.Input[Any]] = ..., metadata: Optional[pulumi.Input[pulumi_kubernetes.meta.v1.ObjectMetaArgsDict]] = ..., opts: Optional[pulumi.ResourceOptions] = ...) -> None: ...
