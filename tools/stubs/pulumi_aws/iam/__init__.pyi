# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class AWSPrincipalArgsDict(TypedDict):
    aws: pulumi.Input[Union[str, Sequence[pulumi.Input[str]]]]

class FederatedPrincipalArgsDict(TypedDict):
    federated: pulumi.Input[Union[str, Sequence[pulumi.Input[str]]]]

class GetSessionContextResult:
    arn: str
    id: str
    issuer_arn: str
    issuer_id: str
    issuer_name: str
    session_name: str

class InstanceProfile(pulumi.CustomResource):
    arn: pulumi.Output[str]
    create_date: pulumi.Output[str]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    path: pulumi.Output[Optional[str]]
    role: pulumi.Output[Optional[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    unique_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        path: pulumi.Input[Optional[str]] = ...,
        role: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class OpenIdConnectProvider(pulumi.CustomResource):
    arn: pulumi.Output[str]
    client_id_lists: pulumi.Output[Sequence[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    thumbprint_lists: pulumi.Output[Sequence[str]]
    url: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        client_id_lists: pulumi.Input[Sequence[pulumi.Input[str]]],
        url: pulumi.Input[str],
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        thumbprint_lists: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...) -> None: ...

class Policy(pulumi.CustomResource):
    arn: pulumi.Output[str]
    attachment_count: pulumi.Output[int]
    delay_after_policy_creation_in_ms: pulumi.Output[Optional[int]]
    description: pulumi.Output[Optional[str]]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    path: pulumi.Output[Optional[str]]
    policy: pulumi.Output[str]
    policy_id: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        policy: pulumi.Input[Union[str, PolicyDocumentArgsDict]],
        delay_after_policy_creation_in_ms: pulumi.Input[Optional[int]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        path: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class PolicyDocumentArgsDict(TypedDict):
    statement: pulumi.Input[Sequence[pulumi.Input[PolicyStatementArgsDict]]]
    version: pulumi.Input[Union[PolicyDocumentVersion, Literal['2012-10-17', '2008-10-17']]]
    id: NotRequired[pulumi.Input[Optional[str]]]

class PolicyDocumentVersion(str, Enum):
    POLICY_DOCUMENT_VERSION_2012_10_17 = '2012-10-17'
    POLICY_DOCUMENT_VERSION_2008_10_17 = '2008-10-17'

class PolicyStatementArgsDict(TypedDict):
    effect: pulumi.Input[Union[PolicyStatementEffect, Literal['Allow', 'Deny']]]
    action: NotRequired[pulumi.Input[Optional[Union[str, Sequence[pulumi.Input[str]]]]]]
    condition: NotRequired[pulumi.Input[Optional[Mapping[str, Any]]]]
    not_action: NotRequired[pulumi.Input[Optional[Union[str, Sequence[pulumi.Input[str]]]]]]
    not_principal: NotRequired[pulumi.Input[Optional[Union[str, AWSPrincipalArgsDict, ServicePrincipalArgsDict, FederatedPrincipalArgsDict]]]]
    not_resource: NotRequired[pulumi.Input[Optional[Union[str, Sequence[pulumi.Input[str]]]]]]
    principal: NotRequired[pulumi.Input[Optional[Union[str, AWSPrincipalArgsDict, ServicePrincipalArgsDict, FederatedPrincipalArgsDict]]]]
    resource: NotRequired[pulumi.Input[Optional[Union[str, Sequence[pulumi.Input[str]]]]]]
    sid: NotRequired[pulumi.Input[Optional[str]]]

class PolicyStatementEffect(str, Enum):
    ALLOW = 'Allow'
    DENY = 'Deny'

class Role(pulumi.CustomResource):
    arn: pulumi.Output[str]
    assume_role_policy: pulumi.Output[str]
    create_date: pulumi.Output[str]
    description: pulumi.Output[Optional[str]]
    force_detach_policies: pulumi.Output[Optional[bool]]
    inline_policies: pulumi.Output[Sequence[outputs.RoleInlinePolicy]]
    managed_policy_arns: pulumi.Output[Sequence[str]]
    max_session_duration: pulumi.Output[Optional[int]]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    path: pulumi.Output[Optional[str]]
    permissions_boundary: pulumi.Output[Optional[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    unique_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        assume_role_policy: pulumi.Input[Union[str, PolicyDocumentArgsDict]],
        description: pulumi.Input[Optional[str]] = ...,
        force_detach_policies: pulumi.Input[Optional[bool]] = ...,
        inline_policies: pulumi.Input[Optional[Sequence[pulumi.Input[RoleInlinePolicyArgsDict]]]] = ...,
        managed_policy_arns: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        max_session_duration: pulumi.Input[Optional[int]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        path: pulumi.Input[Optional[str]] = ...,
        permissions_boundary: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class RoleInlinePolicyArgsDict(TypedDict):
    name: NotRequired[pulumi.Input[Optional[str]]]
    policy: NotRequired[pulumi.Input[Optional[str]]]

class RolePolicy(pulumi.CustomResource):
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    policy: pulumi.Output[str]
    role: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        policy: pulumi.Input[Union[str, PolicyDocumentArgsDict]],
        role: pulumi.Input[str],
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...) -> None: ...

class RolePolicyAttachment(pulumi.CustomResource):
    policy_arn: pulumi.Output[str]
    role: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        policy_arn: pulumi.Input[str],
        role: pulumi.Input[str]) -> None: ...

class ServiceLinkedRole(pulumi.CustomResource):
    arn: pulumi.Output[str]
    aws_service_name: pulumi.Output[str]
    create_date: pulumi.Output[str]
    custom_suffix: pulumi.Output[Optional[str]]
    description: pulumi.Output[Optional[str]]
    name: pulumi.Output[str]
    path: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    unique_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        aws_service_name: pulumi.Input[str],
        custom_suffix: pulumi.Input[Optional[str]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class ServicePrincipalArgsDict(TypedDict):
    service: pulumi.Input[Union[str, Sequence[pulumi.Input[str]]]]

def get_session_context(arn: Optional[str] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetSessionContextResult: ...
