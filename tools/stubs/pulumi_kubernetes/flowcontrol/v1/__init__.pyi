# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
import pulumi_kubernetes.meta.v1
import pulumi_kubernetes.meta.v1.outputs
from . import outputs as outputs

class FlowDistinguisherMethodArgsDict(TypedDict):
    type: pulumi.Input[str]

class FlowSchema(pulumi.CustomResource):
    api_version: pulumi.Output[Literal['flowcontrol.apiserver.k8s.io/v1']]
    kind: pulumi.Output[Literal['FlowSchema']]
    metadata: pulumi.Output[pulumi_kubernetes.meta.v1.outputs.ObjectMeta]
    spec: pulumi.Output[outputs.FlowSchemaSpec]
    status: pulumi.Output[Optional[outputs.FlowSchemaStatus]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        spec: pulumi.Input[FlowSchemaSpecArgsDict],
        api_version: pulumi.Input[Optional[Literal['flowcontrol.apiserver.k8s.io/v1']]] = ...,
        kind: pulumi.Input[Optional[Literal['FlowSchema']]] = ...,
        metadata: pulumi.Input[Optional[pulumi_kubernetes.meta.v1.ObjectMetaArgsDict]] = ...) -> None: ...

class FlowSchemaSpecArgsDict(TypedDict):
    priority_level_configuration: pulumi.Input[PriorityLevelConfigurationReferenceArgsDict]
    distinguisher_method: NotRequired[pulumi.Input[Optional[FlowDistinguisherMethodArgsDict]]]
    matching_precedence: NotRequired[pulumi.Input[Optional[int]]]
    rules: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[PolicyRulesWithSubjectsArgsDict]]]]]

class GroupSubjectArgsDict(TypedDict):
    name: pulumi.Input[str]

class NonResourcePolicyRuleArgsDict(TypedDict):
    non_resource_urls: pulumi.Input[Sequence[pulumi.Input[str]]]
    verbs: pulumi.Input[Sequence[pulumi.Input[str]]]

class PolicyRulesWithSubjectsArgsDict(TypedDict):
    subjects: pulumi.Input[Sequence[pulumi.Input[SubjectArgsDict]]]
    non_resource_rules: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[NonResourcePolicyRuleArgsDict]]]]]
    resource_rules: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ResourcePolicyRuleArgsDict]]]]]

class PriorityLevelConfigurationReferenceArgsDict(TypedDict):
    name: pulumi.Input[str]

class ResourcePolicyRuleArgsDict(TypedDict):
    api_groups: pulumi.Input[Sequence[pulumi.Input[str]]]
    resources: pulumi.Input[Sequence[pulumi.Input[str]]]
    verbs: pulumi.Input[Sequence[pulumi.Input[str]]]
    cluster_scope: NotRequired[pulumi.Input[Optional[bool]]]
    namespaces: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class ServiceAccountSubjectArgsDict(TypedDict):
    name: pulumi.Input[str]
    namespace: pulumi.Input[str]

class SubjectArgsDict(TypedDict):
    kind: pulumi.Input[str]
    group: NotRequired[pulumi.Input[Optional[GroupSubjectArgsDict]]]
    service_account: NotRequired[pulumi.Input[Optional[ServiceAccountSubjectArgsDict]]]
    user: NotRequired[pulumi.Input[Optional[UserSubjectArgsDict]]]

class UserSubjectArgsDict(TypedDict):
    name: pulumi.Input[str]
