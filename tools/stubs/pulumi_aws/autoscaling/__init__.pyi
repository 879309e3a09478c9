# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class Group(pulumi.CustomResource):
    arn: pulumi.Output[str]
    availability_zone_distribution: pulumi.Output[outputs.GroupAvailabilityZoneDistribution]
    availability_zones: pulumi.Output[Sequence[str]]
    capacity_rebalance: pulumi.Output[Optional[bool]]
    capacity_reservation_specification: pulumi.Output[outputs.GroupCapacityReservationSpecification]
    context: pulumi.Output[Optional[str]]
    default_cooldown: pulumi.Output[int]
    default_instance_warmup: pulumi.Output[Optional[int]]
    desired_capacity: pulumi.Output[int]
    desired_capacity_type: pulumi.Output[Optional[str]]
    enabled_metrics: pulumi.Output[Optional[Sequence[Union[Metric, Literal['GroupMinSize', 'GroupMaxSize', 'GroupDesiredCapacity', 'GroupInServiceInstances', 'GroupInServiceCapacity', 'GroupPendingInstances', 'GroupPendingCapacity', 'GroupStandbyInstances', 'GroupStandbyCapacity', 'GroupTerminatingInstances', 'GroupTerminatingCapacity', 'GroupTotalInstances', 'GroupTotalCapacity', 'WarmPoolDesiredCapacity', 'WarmPoolWarmedCapacity', 'WarmPoolPendingCapacity', 'WarmPoolTerminatingCapacity', 'WarmPoolTotalCapacity', 'GroupAndWarmPoolDesiredCapacity', 'GroupAndWarmPoolTotalCapacity']]]]]
    force_delete: pulumi.Output[Optional[bool]]
    force_delete_warm_pool: pulumi.Output[Optional[bool]]
    health_check_grace_period: pulumi.Output[Optional[int]]
    health_check_type: pulumi.Output[str]
    ignore_failed_scaling_activities: pulumi.Output[Optional[bool]]
    initial_lifecycle_hooks: pulumi.Output[Optional[Sequence[outputs.GroupInitialLifecycleHook]]]
    instance_lifecycle_policy: pulumi.Output[outputs.GroupInstanceLifecyclePolicy]
    instance_maintenance_policy: pulumi.Output[Optional[outputs.GroupInstanceMaintenancePolicy]]
    instance_refresh: pulumi.Output[Optional[outputs.GroupInstanceRefresh]]
    launch_configuration: pulumi.Output[Optional[str]]
    launch_template: pulumi.Output[outputs.GroupLaunchTemplate]
    load_balancers: pulumi.Output[Sequence[str]]
    max_instance_lifetime: pulumi.Output[Optional[int]]
    max_size: pulumi.Output[int]
    metrics_granularity: pulumi.Output[Optional[str]]
    min_elb_capacity: pulumi.Output[Optional[int]]
    min_size: pulumi.Output[int]
    mixed_instances_policy: pulumi.Output[outputs.GroupMixedInstancesPolicy]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    placement_group: pulumi.Output[Optional[str]]
    predicted_capacity: pulumi.Output[int]
    protect_from_scale_in: pulumi.Output[Optional[bool]]
    region: pulumi.Output[str]
    service_linked_role_arn: pulumi.Output[str]
    suspended_processes: pulumi.Output[Optional[Sequence[str]]]
    tags: pulumi.Output[Optional[Sequence[outputs.GroupTag]]]
    target_group_arns: pulumi.Output[Sequence[str]]
    termination_policies: pulumi.Output[Optional[Sequence[str]]]
    traffic_sources: pulumi.Output[Sequence[outputs.GroupTrafficSource]]
    vpc_zone_identifiers: pulumi.Output[Sequence[str]]
    wait_for_capacity_timeout: pulumi.Output[Optional[str]]
    wait_for_elb_capacity: pulumi.Output[Optional[int]]
    warm_pool: pulumi.Output[Optional[outputs.GroupWarmPool]]
    warm_pool_size: pulumi.Output[int]

class Metric(str, Enum):
    GROUP_MIN_SIZE = 'GroupMinSize'
    GROUP_MAX_SIZE = 'GroupMaxSize'
    GROUP_DESIRED_CAPACITY = 'GroupDesiredCapacity'
    GROUP_IN_SERVICE_INSTANCES = 'GroupInServiceInstances'
    GROUP_IN_SERVICE_CAPACITY = 'GroupInServiceCapacity'
    GROUP_PENDING_INSTANCES = 'GroupPendingInstances'
    GROUP_PENDING_CAPACITY = 'GroupPendingCapacity'
    GROUP_STANDBY_INSTANCES = 'GroupStandbyInstances'
    GROUP_STANDBY_CAPACITY = 'GroupStandbyCapacity'
    GROUP_TERMINATING_INSTANCES = 'GroupTerminatingInstances'
    GROUP_TERMINATING_CAPACITY = 'GroupTerminatingCapacity'
    GROUP_TOTAL_INSTANCES = 'GroupTotalInstances'
    GROUP_TOTAL_CAPACITY = 'GroupTotalCapacity'
    WARM_POOL_DESIRED_CAPACITY = 'WarmPoolDesiredCapacity'
    WARM_POOL_WARMED_CAPACITY = 'WarmPoolWarmedCapacity'
    WARM_POOL_PENDING_CAPACITY = 'WarmPoolPendingCapacity'
    WARM_POOL_TERMINATING_CAPACITY = 'WarmPoolTerminatingCapacity'
    WARM_POOL_TOTAL_CAPACITY = 'WarmPoolTotalCapacity'
    GROUP_AND_WARM_POOL_DESIRED_CAPACITY = 'GroupAndWarmPoolDesiredCapacity'
    GROUP_AND_WARM_POOL_TOTAL_CAPACITY = 'GroupAndWarmPoolTotalCapacity'
