# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class EventRule(pulumi.CustomResource):
    arn: pulumi.Output[str]
    description: pulumi.Output[Optional[str]]
    event_bus_name: pulumi.Output[Optional[str]]
    event_pattern: pulumi.Output[Optional[str]]
    force_destroy: pulumi.Output[Optional[bool]]
    is_enabled: pulumi.Output[Optional[bool]]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    region: pulumi.Output[str]
    role_arn: pulumi.Output[Optional[str]]
    schedule_expression: pulumi.Output[Optional[str]]
    state: pulumi.Output[Optional[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        description: pulumi.Input[Optional[str]] = ...,
        event_bus_name: pulumi.Input[Optional[str]] = ...,
        event_pattern: pulumi.Input[Optional[str]] = ...,
        force_destroy: pulumi.Input[Optional[bool]] = ...,
        is_enabled: pulumi.Input[Optional[bool]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        role_arn: pulumi.Input[Optional[str]] = ...,
        schedule_expression: pulumi.Input[Optional[str]] = ...,
        state: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class EventTarget(pulumi.CustomResource):
    appsync_target: pulumi.Output[Optional[outputs.EventTargetAppsyncTarget]]
    arn: pulumi.Output[str]
    batch_target: pulumi.Output[Optional[outputs.EventTargetBatchTarget]]
    dead_letter_config: pulumi.Output[Optional[outputs.EventTargetDeadLetterConfig]]
    ecs_target: pulumi.Output[Optional[outputs.EventTargetEcsTarget]]
    event_bus_name: pulumi.Output[Optional[str]]
    force_destroy: pulumi.Output[Optional[bool]]
    http_target: pulumi.Output[Optional[outputs.EventTargetHttpTarget]]
    input: pulumi.Output[Optional[str]]
    input_path: pulumi.Output[Optional[str]]
    input_transformer: pulumi.Output[Optional[outputs.EventTargetInputTransformer]]
    kinesis_target: pulumi.Output[Optional[outputs.EventTargetKinesisTarget]]
    redshift_target: pulumi.Output[Optional[outputs.EventTargetRedshiftTarget]]
    region: pulumi.Output[str]
    retry_policy: pulumi.Output[Optional[outputs.EventTargetRetryPolicy]]
    role_arn: pulumi.Output[Optional[str]]
    rule: pulumi.Output[str]
    run_command_targets: pulumi.Output[Optional[Sequence[outputs.EventTargetRunCommandTarget]]]
    sagemaker_pipeline_target: pulumi.Output[Optional[outputs.EventTargetSagemakerPipelineTarget]]
    sqs_target: pulumi.Output[Optional[outputs.EventTargetSqsTarget]]
    target_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        arn: pulumi.Input[str],
        rule: pulumi.Input[str],
        appsync_target: pulumi.Input[Optional[EventTargetAppsyncTargetArgsDict]] = ...,
        batch_target: pulumi.Input[Optional[EventTargetBatchTargetArgsDict]] = ...,
        dead_letter_config: pulumi.Input[Optional[EventTargetDeadLetterConfigArgsDict]] = ...,
        ecs_target: pulumi.Input[Optional[EventTargetEcsTargetArgsDict]] = ...,
        event_bus_name: pulumi.Input[Optional[str]] = ...,
        force_destroy: pulumi.Input[Optional[bool]] = ...,
        http_target: pulumi.Input[Optional[EventTargetHttpTargetArgsDict]] = ...,
        input: pulumi.Input[Optional[str]] = ...,
        input_path: pulumi.Input[Optional[str]] = ...,
        input_transformer: pulumi.Input[Optional[EventTargetInputTransformerArgsDict]] = ...,
        kinesis_target: pulumi.Input[Optional[EventTargetKinesisTargetArgsDict]] = ...,
        redshift_target: pulumi.Input[Optional[EventTargetRedshiftTargetArgsDict]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        retry_policy: pulumi.Input[Optional[EventTargetRetryPolicyArgsDict]] = ...,
        role_arn: pulumi.Input[Optional[str]] = ...,
        run_command_targets: pulumi.Input[Optional[Sequence[pulumi.Input[EventTargetRunCommandTargetArgsDict]]]] = ...,
        sagemaker_pipeline_target: pulumi.Input[Optional[EventTargetSagemakerPipelineTargetArgsDict]] = ...,
        sqs_target: pulumi.Input[Optional[EventTargetSqsTargetArgsDict]] = ...,
        target_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class EventTargetAppsyncTargetArgsDict(TypedDict):
    graphql_operation: NotRequired[pulumi.Input[Optional[str]]]

class EventTargetBatchTargetArgsDict(TypedDict):
    job_definition: pulumi.Input[str]
    job_name: pulumi.Input[str]
    array_size: NotRequired[pulumi.Input[Optional[int]]]
    job_attempts: NotRequired[pulumi.Input[Optional[int]]]

class EventTargetDeadLetterConfigArgsDict(TypedDict):
    arn: NotRequired[pulumi.Input[Optional[str]]]

class EventTargetEcsTargetArgsDict(TypedDict):
    task_definition_arn: pulumi.Input[str]
    capacity_provider_strategies: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[EventTargetEcsTargetCapacityProviderStrategyArgsDict]]]]]
    enable_ecs_managed_tags: NotRequired[pulumi.Input[Optional[bool]]]
    enable_execute_command: NotRequired[pulumi.Input[Optional[bool]]]
    group: NotRequired[pulumi.Input[Optional[str]]]
    launch_type: NotRequired[pulumi.Input[Optional[str]]]
    network_configuration: NotRequired[pulumi.Input[Optional[EventTargetEcsTargetNetworkConfigurationArgsDict]]]
    ordered_placement_strategies: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[EventTargetEcsTargetOrderedPlacementStrategyArgsDict]]]]]
    placement_constraints: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[EventTargetEcsTargetPlacementConstraintArgsDict]]]]]
    platform_version: NotRequired[pulumi.Input[Optional[str]]]
    propagate_tags: NotRequired[pulumi.Input[Optional[str]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    task_count: NotRequired[pulumi.Input[Optional[int]]]

class EventTargetEcsTargetCapacityProviderStrategyArgsDict(TypedDict):
    capacity_provider: pulumi.Input[str]
    base: NotRequired[pulumi.Input[Optional[int]]]
    weight: NotRequired[pulumi.Input[Optional[int]]]

class EventTargetEcsTargetNetworkConfigurationArgsDict(TypedDict):
    subnets: pulumi.Input[Sequence[pulumi.Input[str]]]
    assign_public_ip: NotRequired[pulumi.Input[Optional[bool]]]
    security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class EventTargetEcsTargetOrderedPlacementStrategyArgsDict(TypedDict):
    type: pulumi.Input[str]
    field: NotRequired[pulumi.Input[Optional[str]]]

class EventTargetEcsTargetPlacementConstraintArgsDict(TypedDict):
    type: pulumi.Input[str]
    expression: NotRequired[pulumi.Input[Optional[str]]]

class EventTargetHttpTargetArgsDict(TypedDict):
    header_parameters: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    path_parameter_values: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    query_string_parameters: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class EventTargetInputTransformerArgsDict(TypedDict):
    input_template: pulumi.Input[str]
    input_paths: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class EventTargetKinesisTargetArgsDict(TypedDict):
    partition_key_path: NotRequired[pulumi.Input[Optional[str]]]

class EventTargetRedshiftTargetArgsDict(TypedDict):
    database: pulumi.Input[str]
    db_user: NotRequired[pulumi.Input[Optional[str]]]
    secrets_manager_arn: NotRequired[pulumi.Input[Optional[str]]]
    sql: NotRequired[pulumi.Input[Optional[str]]]
    statement_name: NotRequired[pulumi.Input[Optional[str]]]
    with_event: NotRequired[pulumi.Input[Optional[bool]]]

class EventTargetRetryPolicyArgsDict(TypedDict):
    maximum_event_age_in_seconds: NotRequired[pulumi.Input[Optional[int]]]
    maximum_retry_attempts: NotRequired[pulumi.Input[Optional[int]]]

class EventTargetRunCommandTargetArgsDict(TypedDict):
    key: pulumi.Input[str]
    values: pulumi.Input[Sequence[pulumi.Input[str]]]

class EventTargetSagemakerPipelineTargetArgsDict(TypedDict):
    pipeline_parameter_lists: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[EventTargetSagemakerPipelineTargetPipelineParameterListArgsDict]]]]]

class EventTargetSagemakerPipelineTargetPipelineParameterListArgsDict(TypedDict):
    name: pulumi.Input[str]
    value: pulumi.Input[str]

class EventTargetSqsTargetArgsDict(TypedDict):
    message_group_id: NotRequired[pulumi.Input[Optional[str]]]

class LogGroup(pulumi.CustomResource):
    arn: pulumi.Output[str]
    deletion_protection_enabled: pulumi.Output[bool]
    kms_key_id: pulumi.Output[Optional[str]]
    log_group_class: pulumi.Output[str]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    region: pulumi.Output[str]
    retention_in_days: pulumi.Output[Optional[int]]
    skip_destroy: pulumi.Output[Optional[bool]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        deletion_protection_enabled: pulumi.Input[Optional[bool]] = ...,
        kms_key_id: pulumi.Input[Optional[str]] = ...,
        log_group_class: pulumi.Input[Optional[str]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        retention_in_days: pulumi.Input[Optional[int]] = ...,
        skip_destroy: pulumi.Input[Optional[bool]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class MetricAlarm(pulumi.CustomResource):
    actions_enabled: pulumi.Output[Optional[bool]]
    alarm_actions: pulumi.Output[Optional[Sequence[str]]]
    alarm_description: pulumi.Output[Optional[str]]
    arn: pulumi.Output[str]
    comparison_operator: pulumi.Output[Optional[str]]
    datapoints_to_alarm: pulumi.Output[Optional[int]]
    dimensions: pulumi.Output[Optional[Mapping[str, str]]]
    evaluate_low_sample_count_percentiles: pulumi.Output[str]
    evaluation_criteria: pulumi.Output[Optional[outputs.MetricAlarmEvaluationCriteria]]
    evaluation_interval: pulumi.Output[Optional[int]]
    evaluation_periods: pulumi.Output[Optional[int]]
    evaluation_window: pulumi.Output[Optional[outputs.MetricAlarmEvaluationWindow]]
    extended_statistic: pulumi.Output[Optional[str]]
    insufficient_data_actions: pulumi.Output[Optional[Sequence[str]]]
    metric_name: pulumi.Output[Optional[str]]
    metric_queries: pulumi.Output[Optional[Sequence[outputs.MetricAlarmMetricQuery]]]
    name: pulumi.Output[str]
    namespace: pulumi.Output[Optional[str]]
    ok_actions: pulumi.Output[Optional[Sequence[str]]]
    period: pulumi.Output[Optional[int]]
    region: pulumi.Output[str]
    statistic: pulumi.Output[Optional[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    threshold: pulumi.Output[Optional[float]]
    threshold_metric_id: pulumi.Output[Optional[str]]
    treat_missing_data: pulumi.Output[Optional[str]]
    unit: pulumi.Output[Optional[str]]
    warm_up_configuration: pulumi.Output[Optional[outputs.MetricAlarmWarmUpConfiguration]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        actions_enabled: pulumi.Input[Optional[bool]] = ...,
        alarm_actions: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        alarm_description: pulumi.Input[Optional[str]] = ...,
        comparison_operator: pulumi.Input[Optional[str]] = ...,
        datapoints_to_alarm: pulumi.Input[Optional[int]] = ...,
        dimensions: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        evaluate_low_sample_count_percentiles: pulumi.Input[Optional[str]] = ...,
        evaluation_criteria: pulumi.Input[Optional[MetricAlarmEvaluationCriteriaArgsDict]] = ...,
        evaluation_interval: pulumi.Input[Optional[int]] = ...,
        evaluation_periods: pulumi.Input[Optional[int]] = ...,
        evaluation_window: pulumi.Input[Optional[MetricAlarmEvaluationWindowArgsDict]] = ...,
        extended_statistic: pulumi.Input[Optional[str]] = ...,
        insufficient_data_actions: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        metric_name: pulumi.Input[Optional[str]] = ...,
        metric_queries: pulumi.Input[Optional[Sequence[pulumi.Input[MetricAlarmMetricQueryArgsDict]]]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        namespace: pulumi.Input[Optional[str]] = ...,
        ok_actions: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        period: pulumi.Input[Optional[int]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        statistic: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        threshold: pulumi.Input[Optional[float]] = ...,
        threshold_metric_id: pulumi.Input[Optional[str]] = ...,
        treat_missing_data: pulumi.Input[Optional[str]] = ...,
        unit: pulumi.Input[Optional[str]] = ...,
        warm_up_configuration: pulumi.Input[Optional[MetricAlarmWarmUpConfigurationArgsDict]] = ...) -> None: ...

class MetricAlarmEvaluationCriteriaArgsDict(TypedDict):
    promql_criteria: pulumi.Input[MetricAlarmEvaluationCriteriaPromqlCriteriaArgsDict]

class MetricAlarmEvaluationCriteriaPromqlCriteriaArgsDict(TypedDict):
    query: pulumi.Input[str]
    pending_period: NotRequired[pulumi.Input[Optional[int]]]
    recovery_period: NotRequired[pulumi.Input[Optional[int]]]

class MetricAlarmEvaluationWindowArgsDict(TypedDict):
    wall_clock_window: pulumi.Input[MetricAlarmEvaluationWindowWallClockWindowArgsDict]

class MetricAlarmEvaluationWindowWallClockWindowArgsDict(TypedDict):
    timezone: NotRequired[pulumi.Input[Optional[str]]]

class MetricAlarmMetricQueryArgsDict(TypedDict):
    id: pulumi.Input[str]
    account_id: NotRequired[pulumi.Input[Optional[str]]]
    expression: NotRequired[pulumi.Input[Optional[str]]]
    label: NotRequired[pulumi.Input[Optional[str]]]
    metric: NotRequired[pulumi.Input[Optional[MetricAlarmMetricQueryMetricArgsDict]]]
    period: NotRequired[pulumi.Input[Optional[int]]]
    return_data: NotRequired[pulumi.Input[Optional[bool]]]

class MetricAlarmMetricQueryMetricArgsDict(TypedDict):
    metric_name: pulumi.Input[str]
    period: pulumi.Input[int]
    stat: pulumi.Input[str]
    dimensions: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    namespace: NotRequired[pulumi.Input[Optional[str]]]
    unit: NotRequired[pulumi.Input[Optional[str]]]

class MetricAlarmWarmUpConfigurationArgsDict(TypedDict):
    warm_up_period_duration_in_minutes: pulumi.Input[int]
    only_start_evaluating_after_warm_up_period_ends: NotRequired[pulumi.Input[Optional[bool]]]
