# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class GetClientConfigResult:
    client_id: str
    object_id: str
    subscription_id: str
    tenant_id: str

class PermissionArgsDict(TypedDict):
    actions: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    data_actions: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    not_actions: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    not_data_actions: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class PrincipalType(str, Enum):
    USER = 'User'
    GROUP = 'Group'
    SERVICE_PRINCIPAL = 'ServicePrincipal'
    FOREIGN_GROUP = 'ForeignGroup'
    DEVICE = 'Device'
    AGENT_USER = 'AgentUser'
    AGENT_SERVICE_PRINCIPAL = 'AgentServicePrincipal'

class RoleAssignment(pulumi.CustomResource):
    azure_api_version: pulumi.Output[str]
    condition: pulumi.Output[Optional[str]]
    condition_version: pulumi.Output[Optional[str]]
    created_by: pulumi.Output[str]
    created_on: pulumi.Output[str]
    delegated_managed_identity_resource_id: pulumi.Output[Optional[str]]
    description: pulumi.Output[Optional[str]]
    name: pulumi.Output[str]
    principal_id: pulumi.Output[str]
    principal_type: pulumi.Output[Optional[str]]
    role_definition_id: pulumi.Output[str]
    scope: pulumi.Output[str]
    system_data: pulumi.Output[outputs.SystemDataResponse]
    type: pulumi.Output[str]
    updated_by: pulumi.Output[str]
    updated_on: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        principal_id: pulumi.Input[str],
        role_definition_id: pulumi.Input[str],
        scope: pulumi.Input[str],
        condition: pulumi.Input[Optional[str]] = ...,
        condition_version: pulumi.Input[Optional[str]] = ...,
        delegated_managed_identity_resource_id: pulumi.Input[Optional[str]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        principal_type: pulumi.Input[Optional[Union[str, PrincipalType]]] = ...,
        role_assignment_name: pulumi.Input[Optional[str]] = ...) -> None: ...

class RoleDefinition(pulumi.CustomResource):
    assignable_scopes: pulumi.Output[Optional[Sequence[str]]]
    azure_api_version: pulumi.Output[str]
    created_by: pulumi.Output[str]
    created_on: pulumi.Output[str]
    description: pulumi.Output[Optional[str]]
    name: pulumi.Output[str]
    permissions: pulumi.Output[Optional[Sequence[outputs.PermissionResponse]]]
    role_name: pulumi.Output[Optional[str]]
    role_type: pulumi.Output[Optional[str]]
    system_data: pulumi.Output[outputs.SystemDataResponse]
    type: pulumi.Output[str]
    updated_by: pulumi.Output[str]
    updated_on: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        scope: pulumi.Input[str],
        assignable_scopes: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        permissions: pulumi.Input[Optional[Sequence[pulumi.Input[PermissionArgsDict]]]] = ...,
        role_definition_id: pulumi.Input[Optional[str]] = ...,
        role_name: pulumi.Input[Optional[str]] = ...,
        role_type: pulumi.Input[Optional[str]] = ...) -> None: ...

def get_client_config(opts: Optional[pulumi.InvokeOptions] = ...) -> GetClientConfigResult: ...
