# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class ZonalAutoshiftConfiguration(pulumi.CustomResource):
    allowed_windows: pulumi.Output[Optional[Sequence[str]]]
    blocked_dates: pulumi.Output[Optional[Sequence[str]]]
    blocked_windows: pulumi.Output[Optional[Sequence[str]]]
    blocking_alarms: pulumi.Output[Optional[Sequence[outputs.ZonalAutoshiftConfigurationBlockingAlarm]]]
    outcome_alarms: pulumi.Output[Optional[Sequence[outputs.ZonalAutoshiftConfigurationOutcomeAlarm]]]
    region: pulumi.Output[str]
    resource_arn: pulumi.Output[str]
    zonal_autoshift_status: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_arn: pulumi.Input[str],
        zonal_autoshift_status: pulumi.Input[str],
        allowed_windows: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        blocked_dates: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        blocked_windows: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        blocking_alarms: pulumi.Input[Optional[Sequence[pulumi.Input[ZonalAutoshiftConfigurationBlockingAlarmArgsDict]]]] = ...,
        outcome_alarms: pulumi.Input[Optional[Sequence[pulumi.Input[ZonalAutoshiftConfigurationOutcomeAlarmArgsDict]]]] = ...,
        region: pulumi.Input[Optional[str]] = ...) -> None: ...

class ZonalAutoshiftConfigurationBlockingAlarmArgsDict(TypedDict):
    alarm_identifier: pulumi.Input[str]
    type: pulumi.Input[str]

class ZonalAutoshiftConfigurationOutcomeAlarmArgsDict(TypedDict):
    alarm_identifier: pulumi.Input[str]
    type: pulumi.Input[str]
