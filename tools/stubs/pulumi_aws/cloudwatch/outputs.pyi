# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class EventTargetAppsyncTarget:
    graphql_operation: Optional[str]

class EventTargetBatchTarget:
    job_definition: str
    job_name: str
    array_size: Optional[int]
    job_attempts: Optional[int]

class EventTargetDeadLetterConfig:
    arn: Optional[str]

class EventTargetEcsTarget:
    task_definition_arn: str
    capacity_provider_strategies: Optional[Sequence[EventTargetEcsTargetCapacityProviderStrategy]]
    enable_ecs_managed_tags: Optional[bool]
    enable_execute_command: Optional[bool]
    group: Optional[str]
    launch_type: Optional[str]
    network_configuration: Optional[EventTargetEcsTargetNetworkConfiguration]
    ordered_placement_strategies: Optional[Sequence[EventTargetEcsTargetOrderedPlacementStrategy]]
    placement_constraints: Optional[Sequence[EventTargetEcsTargetPlacementConstraint]]
    platform_version: Optional[str]
    propagate_tags: Optional[str]
    tags: Optional[Mapping[str, str]]
    task_count: Optional[int]

class EventTargetEcsTargetCapacityProviderStrategy:
    capacity_provider: str
    base: Optional[int]
    weight: Optional[int]

class EventTargetEcsTargetNetworkConfiguration:
    subnets: Sequence[str]
    assign_public_ip: Optional[bool]
    security_groups: Optional[Sequence[str]]

class EventTargetEcsTargetOrderedPlacementStrategy:
    type: str
    field: Optional[str]

class EventTargetEcsTargetPlacementConstraint:
    type: str
    expression: Optional[str]

class EventTargetHttpTarget:
    header_parameters: Optional[Mapping[str, str]]
    path_parameter_values: Optional[Sequence[str]]
    query_string_parameters: Optional[Mapping[str, str]]

class EventTargetInputTransformer:
    input_template: str
    input_paths: Optional[Mapping[str, str]]

class EventTargetKinesisTarget:
    partition_key_path: Optional[str]

class EventTargetRedshiftTarget:
    database: str
    db_user: Optional[str]
    secrets_manager_arn: Optional[str]
    sql: Optional[str]
    statement_name: Optional[str]
    with_event: Optional[bool]

class EventTargetRetryPolicy:
    maximum_event_age_in_seconds: Optional[int]
    maximum_retry_attempts: Optional[int]

class EventTargetRunCommandTarget:
    key: str
    values: Sequence[str]

class EventTargetSagemakerPipelineTarget:
    pipeline_parameter_lists: Optional[Sequence[EventTargetSagemakerPipelineTargetPipelineParameterList]]

class EventTargetSagemakerPipelineTargetPipelineParameterList:
    name: str
    value: str

class EventTargetSqsTarget:
    message_group_id: Optional[str]

class MetricAlarmEvaluationCriteria:
    promql_criteria: MetricAlarmEvaluationCriteriaPromqlCriteria

class MetricAlarmEvaluationCriteriaPromqlCriteria:
    query: str
    pending_period: Optional[int]
    recovery_period: Optional[int]

class MetricAlarmEvaluationWindow:
    wall_clock_window: MetricAlarmEvaluationWindowWallClockWindow

class MetricAlarmEvaluationWindowWallClockWindow:
    timezone: Optional[str]

class MetricAlarmMetricQuery:
    id: str
    account_id: Optional[str]
    expression: Optional[str]
    label: Optional[str]
    metric: Optional[MetricAlarmMetricQueryMetric]
    period: Optional[int]
    return_data: Optional[bool]

class MetricAlarmMetricQueryMetric:
    metric_name: str
    period: int
    stat: str
    dimensions: Optional[Mapping[str, str]]
    namespace: Optional[str]
    unit: Optional[str]

class MetricAlarmWarmUpConfiguration:
    warm_up_period_duration_in_minutes: int
    only_start_evaluating_after_warm_up_period_ends: Optional[bool]
