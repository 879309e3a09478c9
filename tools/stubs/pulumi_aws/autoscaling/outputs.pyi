# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class GroupAvailabilityZoneDistribution:
    capacity_distribution_strategy: Optional[str]

class GroupCapacityReservationSpecification:
    capacity_reservation_preference: Optional[str]
    capacity_reservation_target: Optional[GroupCapacityReservationSpecificationCapacityReservationTarget]

class GroupCapacityReservationSpecificationCapacityReservationTarget:
    capacity_reservation_ids: Optional[Sequence[str]]
    capacity_reservation_resource_group_arns: Optional[Sequence[str]]

class GroupInitialLifecycleHook:
    lifecycle_transition: str
    name: str
    default_result: Optional[str]
    heartbeat_timeout: Optional[int]
    notification_metadata: Optional[str]
    notification_target_arn: Optional[str]
    role_arn: Optional[str]

class GroupInstanceLifecyclePolicy:
    retention_triggers: Optional[GroupInstanceLifecyclePolicyRetentionTriggers]

class GroupInstanceLifecyclePolicyRetentionTriggers:
    terminate_hook_abandon: Optional[str]

class GroupInstanceMaintenancePolicy:
    max_healthy_percentage: int
    min_healthy_percentage: int

class GroupInstanceRefresh:
    strategy: str
    preferences: Optional[GroupInstanceRefreshPreferences]
    triggers: Optional[Sequence[str]]

class GroupInstanceRefreshPreferences:
    alarm_specification: Optional[GroupInstanceRefreshPreferencesAlarmSpecification]
    auto_rollback: Optional[bool]
    checkpoint_delay: Optional[str]
    checkpoint_percentages: Optional[Sequence[int]]
    instance_warmup: Optional[str]
    max_healthy_percentage: Optional[int]
    min_healthy_percentage: Optional[int]
    scale_in_protected_instances: Optional[str]
    skip_matching: Optional[bool]
    standby_instances: Optional[str]

class GroupInstanceRefreshPreferencesAlarmSpecification:
    alarms: Optional[Sequence[str]]

class GroupLaunchTemplate:
    id: Optional[str]
    name: Optional[str]
    version: Optional[str]

class GroupMixedInstancesPolicy:
    launch_template: GroupMixedInstancesPolicyLaunchTemplate
    instances_distribution: Optional[GroupMixedInstancesPolicyInstancesDistribution]

class GroupMixedInstancesPolicyInstancesDistribution:
    on_demand_allocation_strategy: Optional[str]
    on_demand_base_capacity: Optional[int]
    on_demand_percentage_above_base_capacity: Optional[int]
    spot_allocation_strategy: Optional[str]
    spot_instance_pools: Optional[int]
    spot_max_price: Optional[str]

class GroupMixedInstancesPolicyLaunchTemplate:
    launch_template_specification: GroupMixedInstancesPolicyLaunchTemplateLaunchTemplateSpecification
    overrides: Optional[Sequence[GroupMixedInstancesPolicyLaunchTemplateOverride]]

class GroupMixedInstancesPolicyLaunchTemplateLaunchTemplateSpecification:
    launch_template_id: Optional[str]
    launch_template_name: Optional[str]
    version: Optional[str]

class GroupMixedInstancesPolicyLaunchTemplateOverride:
    instance_requirements: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirements]
    instance_type: Optional[str]
    launch_template_specification: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideLaunchTemplateSpecification]
    weighted_capacity: Optional[str]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirements:
    accelerator_count: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsAcceleratorCount]
    accelerator_manufacturers: Optional[Sequence[str]]
    accelerator_names: Optional[Sequence[str]]
    accelerator_total_memory_mib: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsAcceleratorTotalMemoryMib]
    accelerator_types: Optional[Sequence[str]]
    allowed_instance_types: Optional[Sequence[str]]
    bare_metal: Optional[str]
    baseline_ebs_bandwidth_mbps: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsBaselineEbsBandwidthMbps]
    burstable_performance: Optional[str]
    cpu_manufacturers: Optional[Sequence[str]]
    excluded_instance_types: Optional[Sequence[str]]
    instance_generations: Optional[Sequence[str]]
    local_storage: Optional[str]
    local_storage_types: Optional[Sequence[str]]
    max_spot_price_as_percentage_of_optimal_on_demand_price: Optional[int]
    memory_gib_per_vcpu: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsMemoryGibPerVcpu]
    memory_mib: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsMemoryMib]
    network_bandwidth_gbps: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsNetworkBandwidthGbps]
    network_interface_count: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsNetworkInterfaceCount]
    on_demand_max_price_percentage_over_lowest_price: Optional[int]
    require_hibernate_support: Optional[bool]
    spot_max_price_percentage_over_lowest_price: Optional[int]
    total_local_storage_gb: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsTotalLocalStorageGb]
    vcpu_count: Optional[GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsVcpuCount]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsAcceleratorCount:
    max: Optional[int]
    min: Optional[int]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsAcceleratorTotalMemoryMib:
    max: Optional[int]
    min: Optional[int]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsBaselineEbsBandwidthMbps:
    max: Optional[int]
    min: Optional[int]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsMemoryGibPerVcpu:
    max: Optional[float]
    min: Optional[float]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsMemoryMib:
    max: Optional[int]
    min: Optional[int]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsNetworkBandwidthGbps:
    max: Optional[float]
    min: Optional[float]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsNetworkInterfaceCount:
    max: Optional[int]
    min: Optional[int]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsTotalLocalStorageGb:
    max: Optional[float]
    min: Optional[float]

class GroupMixedInstancesPolicyLaunchTemplateOverrideInstanceRequirementsVcpuCount:
    max: Optional[int]
    min: Optional[int]

class GroupMixedInstancesPolicyLaunchTemplateOverrideLaunchTemplateSpecification:
    launch_template_id: Optional[str]
    launch_template_name: Optional[str]
    version: Optional[str]

class GroupTag:
    key: str
    propagate_at_launch: bool
    value: str

class GroupTrafficSource:
    identifier: str
    type: Optional[str]

class GroupWarmPool:
    instance_reuse_policy: Optional[GroupWarmPoolInstanceReusePolicy]
    max_group_prepared_capacity: Optional[int]
    min_size: Optional[int]
    pool_state: Optional[str]

class GroupWarmPoolInstanceReusePolicy:
    reuse_on_scale_in: Optional[bool]
