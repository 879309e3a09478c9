# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class FlowDistinguisherMethod:
    type: str

class FlowSchemaCondition:
    type: str
    last_transition_time: Optional[str]
    message: Optional[str]
    reason: Optional[str]
    status: Optional[str]

class FlowSchemaSpec:
    priority_level_configuration: PriorityLevelConfigurationReference
    distinguisher_method: Optional[FlowDistinguisherMethod]
    matching_precedence: Optional[int]
    rules: Optional[Sequence[PolicyRulesWithSubjects]]

class FlowSchemaStatus:
    conditions: Optional[Sequence[FlowSchemaCondition]]

class GroupSubject:
    name: str

class NonResourcePolicyRule:
    non_resource_urls: Sequence[str]
    verbs: Sequence[str]

class PolicyRulesWithSubjects:
    subjects: Sequence[Subject]
    non_resource_rules: Optional[Sequence[NonResourcePolicyRule]]
    resource_rules: Optional[Sequence[ResourcePolicyRule]]

class PriorityLevelConfigurationReference:
    name: str

class ResourcePolicyRule:
    api_groups: Sequence[str]
    resources: Sequence[str]
    verbs: Sequence[str]
    cluster_scope: Optional[bool]
    namespaces: Optional[Sequence[str]]

class ServiceAccountSubject:
    name: str
    namespace: str

class Subject:
    kind: str
    group: Optional[GroupSubject]
    service_account: Optional[ServiceAccountSubject]
    user: Optional[UserSubject]

class UserSubject:
    name: str
