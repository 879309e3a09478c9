# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class ResourceGroup(pulumi.CustomResource):
    azure_api_version: pulumi.Output[str]
    location: pulumi.Output[str]
    managed_by: pulumi.Output[Optional[str]]
    name: pulumi.Output[str]
    properties: pulumi.Output[outputs.ResourceGroupPropertiesResponse]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    type: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        location: pulumi.Input[Optional[str]] = ...,
        managed_by: pulumi.Input[Optional[str]] = ...,
        resource_group_name: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...
