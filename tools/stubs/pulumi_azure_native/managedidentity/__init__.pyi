# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class FederatedIdentityCredential(pulumi.CustomResource):
    audiences: pulumi.Output[Sequence[str]]
    azure_api_version: pulumi.Output[str]
    issuer: pulumi.Output[str]
    name: pulumi.Output[str]
    subject: pulumi.Output[str]
    system_data: pulumi.Output[outputs.SystemDataResponse]
    type: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        audiences: pulumi.Input[Sequence[pulumi.Input[str]]],
        issuer: pulumi.Input[str],
        resource_group_name: pulumi.Input[str],
        resource_name_: pulumi.Input[str],
        subject: pulumi.Input[str],
        federated_identity_credential_resource_name: pulumi.Input[Optional[str]] = ...) -> None: ...

class UserAssignedIdentity(pulumi.CustomResource):
    azure_api_version: pulumi.Output[str]
    client_id: pulumi.Output[str]
    location: pulumi.Output[str]
    name: pulumi.Output[str]
    principal_id: pulumi.Output[str]
    system_data: pulumi.Output[outputs.SystemDataResponse]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tenant_id: pulumi.Output[str]
    type: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_group_name: pulumi.Input[str],
        location: pulumi.Input[Optional[str]] = ...,
        resource_name_: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...
