# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class DiagnosticSetting(pulumi.CustomResource):
    azure_api_version: pulumi.Output[str]
    event_hub_authorization_rule_id: pulumi.Output[Optional[str]]
    event_hub_name: pulumi.Output[Optional[str]]
    log_analytics_destination_type: pulumi.Output[Optional[str]]
    logs: pulumi.Output[Optional[Sequence[outputs.DiagnosticsLogSettingsResponse]]]
    marketplace_partner_id: pulumi.Output[Optional[str]]
    metrics: pulumi.Output[Optional[Sequence[outputs.DiagnosticsMetricSettingsResponse]]]
    name: pulumi.Output[str]
    service_bus_rule_id: pulumi.Output[Optional[str]]
    storage_account_id: pulumi.Output[Optional[str]]
    system_data: pulumi.Output[outputs.SystemDataResponse]
    type: pulumi.Output[str]
    workspace_id: pulumi.Output[Optional[str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_uri: pulumi.Input[str],
        event_hub_authorization_rule_id: pulumi.Input[Optional[str]] = ...,
        event_hub_name: pulumi.Input[Optional[str]] = ...,
        log_analytics_destination_type: pulumi.Input[Optional[str]] = ...,
        logs: pulumi.Input[Optional[Sequence[pulumi.Input[DiagnosticsLogSettingsArgsDict]]]] = ...,
        marketplace_partner_id: pulumi.Input[Optional[str]] = ...,
        metrics: pulumi.Input[Optional[Sequence[pulumi.Input[DiagnosticsMetricSettingsArgsDict]]]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        service_bus_rule_id: pulumi.Input[Optional[str]] = ...,
        storage_account_id: pulumi.Input[Optional[str]] = ...,
        workspace_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class DiagnosticsLogSettingsArgsDict(TypedDict):
    enabled: pulumi.Input[bool]
    category: NotRequired[pulumi.Input[Optional[str]]]
    category_group: NotRequired[pulumi.Input[Optional[str]]]
    retention_policy: NotRequired[pulumi.Input[Optional[MicrosoftCommonRetentionPolicyArgsDict]]]

class DiagnosticsMetricSettingsArgsDict(TypedDict):
    enabled: pulumi.Input[bool]
    category: NotRequired[pulumi.Input[Optional[str]]]
    retention_policy: NotRequired[pulumi.Input[Optional[MicrosoftCommonRetentionPolicyArgsDict]]]
    time_grain: NotRequired[pulumi.Input[Optional[str]]]

class MicrosoftCommonRetentionPolicyArgsDict(TypedDict):
    days: pulumi.Input[int]
    enabled: pulumi.Input[bool]
