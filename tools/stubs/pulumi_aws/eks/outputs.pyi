# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class AccessPolicyAssociationAccessScope:
    type: str
    namespaces: Optional[Sequence[str]]

class AddonNamespaceConfig:
    namespace: Optional[str]

class AddonPodIdentityAssociation:
    role_arn: str
    service_account: str

class CapabilityConfiguration:
    argo_cd: Optional[CapabilityConfigurationArgoCd]

class CapabilityConfigurationArgoCd:
    aws_idc: CapabilityConfigurationArgoCdAwsIdc
    namespace: Optional[str]
    network_access: Optional[CapabilityConfigurationArgoCdNetworkAccess]
    rbac_role_mappings: Optional[Sequence[CapabilityConfigurationArgoCdRbacRoleMapping]]
    server_url: Optional[str]

class CapabilityConfigurationArgoCdAwsIdc:
    idc_instance_arn: str
    idc_managed_application_arn: Optional[str]
    idc_region: Optional[str]

class CapabilityConfigurationArgoCdNetworkAccess:
    vpce_ids: Optional[Sequence[str]]

class CapabilityConfigurationArgoCdRbacRoleMapping:
    identities: Sequence[CapabilityConfigurationArgoCdRbacRoleMappingIdentity]
    role: str

class CapabilityConfigurationArgoCdRbacRoleMappingIdentity:
    id: str
    type: str

class CapabilityTimeouts:
    create: Optional[str]
    delete: Optional[str]
    update: Optional[str]

class ClusterAccessConfig:
    authentication_mode: Optional[str]
    bootstrap_cluster_creator_admin_permissions: Optional[bool]

class ClusterCertificateAuthority:
    data: Optional[str]

class ClusterComputeConfig:
    enabled: Optional[bool]
    node_pools: Optional[Sequence[str]]
    node_role_arn: Optional[str]

class ClusterControlPlaneScalingConfig:
    tier: Optional[str]

class ClusterEncryptionConfig:
    provider: ClusterEncryptionConfigProvider
    resources: Sequence[str]

class ClusterEncryptionConfigProvider:
    key_arn: str

class ClusterIdentity:
    oidcs: Optional[Sequence[ClusterIdentityOidc]]

class ClusterIdentityOidc:
    issuer: Optional[str]

class ClusterKubeApiServerConfig:
    event_ttl: Optional[str]
    service_node_port_range: Optional[ClusterKubeApiServerConfigServiceNodePortRange]

class ClusterKubeApiServerConfigServiceNodePortRange:
    max_port: Optional[int]
    min_port: Optional[int]

class ClusterKubeControllerManagerConfig:
    horizontal_pod_autoscaler_controller_config: Optional[ClusterKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfig]
    pod_gc_controller_config: Optional[ClusterKubeControllerManagerConfigPodGcControllerConfig]

class ClusterKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfig:
    horizontal_pod_autoscaler_sync_period: Optional[str]

class ClusterKubeControllerManagerConfigPodGcControllerConfig:
    terminated_pod_gc_threshold: Optional[int]

class ClusterKubeSchedulerConfig:
    node_resources_fit: Optional[ClusterKubeSchedulerConfigNodeResourcesFit]

class ClusterKubeSchedulerConfigNodeResourcesFit:
    scoring_strategy: Optional[ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategy]

class ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategy:
    resources: Optional[Sequence[ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyResource]]
    type: Optional[str]

class ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyResource:
    name: Optional[str]
    weight: Optional[int]

class ClusterKubernetesNetworkConfig:
    elastic_load_balancing: Optional[ClusterKubernetesNetworkConfigElasticLoadBalancing]
    ip_family: Optional[str]
    service_ipv4_cidr: Optional[str]
    service_ipv6_cidr: Optional[str]

class ClusterKubernetesNetworkConfigElasticLoadBalancing:
    enabled: Optional[bool]

class ClusterOutpostConfig:
    control_plane_instance_type: str
    outpost_arns: Sequence[str]
    control_plane_placement: Optional[ClusterOutpostConfigControlPlanePlacement]
    etcd_instance_type: Optional[str]
    etcd_placement: Optional[ClusterOutpostConfigEtcdPlacement]

class ClusterOutpostConfigControlPlanePlacement:
    group_name: Optional[str]
    spread_level: Optional[str]

class ClusterOutpostConfigEtcdPlacement:
    spread_level: Optional[str]

class ClusterRemoteNetworkConfig:
    remote_node_networks: Optional[ClusterRemoteNetworkConfigRemoteNodeNetworks]
    remote_pod_networks: Optional[ClusterRemoteNetworkConfigRemotePodNetworks]

class ClusterRemoteNetworkConfigRemoteNodeNetworks:
    cidrs: Optional[Sequence[str]]

class ClusterRemoteNetworkConfigRemotePodNetworks:
    cidrs: Optional[Sequence[str]]

class ClusterStorageConfig:
    block_storage: Optional[ClusterStorageConfigBlockStorage]

class ClusterStorageConfigBlockStorage:
    enabled: Optional[bool]

class ClusterUpgradePolicy:
    support_type: Optional[str]

class ClusterVpcConfig:
    subnet_ids: Sequence[str]
    cluster_security_group_id: Optional[str]
    control_plane_egress_mode: Optional[str]
    endpoint_private_access: Optional[bool]
    endpoint_public_access: Optional[bool]
    public_access_cidrs: Optional[Sequence[str]]
    security_group_ids: Optional[Sequence[str]]
    vpc_id: Optional[str]

class ClusterZonalShiftConfig:
    enabled: Optional[bool]

class FargateProfileSelector:
    namespace: str
    labels: Optional[Mapping[str, str]]

class GetClusterAccessConfigResult:
    authentication_mode: str
    bootstrap_cluster_creator_admin_permissions: bool

class GetClusterCertificateAuthorityResult:
    data: str

class GetClusterComputeConfigResult:
    enabled: bool
    node_pools: Sequence[str]
    node_role_arn: str

class GetClusterControlPlaneScalingConfigResult:
    tier: str

class GetClusterIdentityOidcResult:
    issuer: str

class GetClusterIdentityResult:
    oidcs: Sequence[GetClusterIdentityOidcResult]

class GetClusterKubeApiServerConfigResult:
    event_ttl: str
    service_node_port_ranges: Sequence[GetClusterKubeApiServerConfigServiceNodePortRangeResult]

class GetClusterKubeApiServerConfigServiceNodePortRangeResult:
    max_port: int
    min_port: int

class GetClusterKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigResult:
    horizontal_pod_autoscaler_sync_period: str

class GetClusterKubeControllerManagerConfigPodGcControllerConfigResult:
    terminated_pod_gc_threshold: int

class GetClusterKubeControllerManagerConfigResult:
    horizontal_pod_autoscaler_controller_configs: Sequence[GetClusterKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigResult]
    pod_gc_controller_configs: Sequence[GetClusterKubeControllerManagerConfigPodGcControllerConfigResult]

class GetClusterKubeSchedulerConfigNodeResourcesFitResult:
    scoring_strategies: Sequence[GetClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyResult]

class GetClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyResourceResult:
    name: str
    weight: int

class GetClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyResult:
    resources: Sequence[GetClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyResourceResult]
    type: str

class GetClusterKubeSchedulerConfigResult:
    node_resources_fits: Sequence[GetClusterKubeSchedulerConfigNodeResourcesFitResult]

class GetClusterKubernetesNetworkConfigElasticLoadBalancingResult:
    enabled: bool

class GetClusterKubernetesNetworkConfigResult:
    elastic_load_balancings: Sequence[GetClusterKubernetesNetworkConfigElasticLoadBalancingResult]
    ip_family: str
    service_ipv4_cidr: str
    service_ipv6_cidr: str

class GetClusterOutpostConfigControlPlanePlacementResult:
    group_name: str
    spread_level: str

class GetClusterOutpostConfigEtcdPlacementResult:
    spread_level: str

class GetClusterOutpostConfigResult:
    control_plane_instance_type: str
    control_plane_placements: Sequence[GetClusterOutpostConfigControlPlanePlacementResult]
    etcd_instance_type: str
    etcd_placements: Sequence[GetClusterOutpostConfigEtcdPlacementResult]
    outpost_arns: Sequence[str]

class GetClusterRemoteNetworkConfigRemoteNodeNetworkResult:
    cidrs: Sequence[str]

class GetClusterRemoteNetworkConfigRemotePodNetworkResult:
    cidrs: Sequence[str]

class GetClusterRemoteNetworkConfigResult:
    remote_node_networks: Sequence[GetClusterRemoteNetworkConfigRemoteNodeNetworkResult]
    remote_pod_networks: Sequence[GetClusterRemoteNetworkConfigRemotePodNetworkResult]

class GetClusterStorageConfigBlockStorageResult:
    enabled: bool

class GetClusterStorageConfigResult:
    block_storages: Sequence[GetClusterStorageConfigBlockStorageResult]

class GetClusterUpgradePolicyResult:
    support_type: str

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigEventTtlConstraintResult:
    max: str
    min: str

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigEventTtlResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigEventTtlConstraintResult]
    default_value: str

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigResult:
    event_ttls: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigEventTtlResult]
    service_node_port_ranges: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeConstraintMaxPortResult:
    max: int
    min: int

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeConstraintMinPortResult:
    max: int
    min: int

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeConstraintResult:
    max_ports: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeConstraintMaxPortResult]
    min_ports: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeConstraintMinPortResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeDefaultValueResult:
    max_port: int
    min_port: int

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeConstraintResult]
    default_values: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigServiceNodePortRangeDefaultValueResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigHorizontalPodAutoscalerSyncPeriodConstraintResult:
    max: str
    min: str

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigHorizontalPodAutoscalerSyncPeriodResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigHorizontalPodAutoscalerSyncPeriodConstraintResult]
    default_value: str

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigResult:
    horizontal_pod_autoscaler_sync_periods: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigHorizontalPodAutoscalerSyncPeriodResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigPodGcControllerConfigResult:
    terminated_pod_gc_thresholds: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigPodGcControllerConfigTerminatedPodGcThresholdResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigPodGcControllerConfigTerminatedPodGcThresholdConstraintResult:
    max: int
    min: int

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigPodGcControllerConfigTerminatedPodGcThresholdResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigPodGcControllerConfigTerminatedPodGcThresholdConstraintResult]
    default_value: int

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigResult:
    horizontal_pod_autoscaler_controller_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigResult]
    pod_gc_controller_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigPodGcControllerConfigResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitResult:
    scoring_strategies: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceNameResult:
    allowed_values: Sequence[str]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceResult:
    names: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceNameResult]
    weights: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceWeightResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceWeightResult:
    max: int
    min: int

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResult:
    resources: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceResult]
    scoring_strategies: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintScoringStrategyResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintScoringStrategyResult:
    allowed_values: Sequence[str]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyDefaultValueResourceResult:
    name: str
    weight: int

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyDefaultValueResult:
    resources: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyDefaultValueResourceResult]
    type: str

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResult]
    default_values: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitScoringStrategyDefaultValueResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigResult:
    node_resources_fits: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigNodeResourcesFitResult]

class GetClusterVersionsClusterVersionControlPlaneComponentConfigResult:
    kube_api_server_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeApiServerConfigResult]
    kube_controller_manager_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeControllerManagerConfigResult]
    kube_scheduler_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigKubeSchedulerConfigResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigEventTtlConstraintResult:
    max: str
    min: str

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigEventTtlResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigEventTtlConstraintResult]
    default_value: str

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigResult:
    event_ttls: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigEventTtlResult]
    service_node_port_ranges: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeConstraintMaxPortResult:
    max: int
    min: int

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeConstraintMinPortResult:
    max: int
    min: int

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeConstraintResult:
    max_ports: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeConstraintMaxPortResult]
    min_ports: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeConstraintMinPortResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeDefaultValueResult:
    max_port: int
    min_port: int

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeConstraintResult]
    default_values: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigServiceNodePortRangeDefaultValueResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigHorizontalPodAutoscalerSyncPeriodConstraintResult:
    max: str
    min: str

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigHorizontalPodAutoscalerSyncPeriodResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigHorizontalPodAutoscalerSyncPeriodConstraintResult]
    default_value: str

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigResult:
    horizontal_pod_autoscaler_sync_periods: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigHorizontalPodAutoscalerSyncPeriodResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigPodGcControllerConfigResult:
    terminated_pod_gc_thresholds: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigPodGcControllerConfigTerminatedPodGcThresholdResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigPodGcControllerConfigTerminatedPodGcThresholdConstraintResult:
    max: int
    min: int

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigPodGcControllerConfigTerminatedPodGcThresholdResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigPodGcControllerConfigTerminatedPodGcThresholdConstraintResult]
    default_value: int

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigResult:
    horizontal_pod_autoscaler_controller_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigResult]
    pod_gc_controller_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigPodGcControllerConfigResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitResult:
    scoring_strategies: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceNameResult:
    allowed_values: Sequence[str]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceResult:
    names: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceNameResult]
    weights: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceWeightResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceWeightResult:
    max: int
    min: int

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResult:
    resources: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResourceResult]
    scoring_strategies: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintScoringStrategyResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintScoringStrategyResult:
    allowed_values: Sequence[str]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyDefaultValueResourceResult:
    name: str
    weight: int

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyDefaultValueResult:
    resources: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyDefaultValueResourceResult]
    type: str

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyResult:
    constraints: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyConstraintResult]
    default_values: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitScoringStrategyDefaultValueResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigResult:
    node_resources_fits: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigNodeResourcesFitResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideResult:
    kube_api_server_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeApiServerConfigResult]
    kube_controller_manager_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeControllerManagerConfigResult]
    kube_scheduler_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideKubeSchedulerConfigResult]

class GetClusterVersionsClusterVersionControlPlaneScalingTierResult:
    api_request_concurrency: int
    cluster_database_size_gb: int
    control_plane_component_config_overrides: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierControlPlaneComponentConfigOverrideResult]
    pod_scheduling_rate_per_second: int
    tier_name: str

class GetClusterVersionsClusterVersionResult:
    cluster_type: str
    cluster_version: str
    control_plane_component_configs: Sequence[GetClusterVersionsClusterVersionControlPlaneComponentConfigResult]
    control_plane_scaling_tiers: Sequence[GetClusterVersionsClusterVersionControlPlaneScalingTierResult]
    default_platform_version: str
    default_version: bool
    end_of_extended_support_date: str
    end_of_standard_support_date: str
    kubernetes_patch_version: str
    release_date: str
    version_status: str

class GetClusterVpcConfigResult:
    cluster_security_group_id: str
    control_plane_egress_mode: str
    endpoint_private_access: bool
    endpoint_public_access: bool
    public_access_cidrs: Sequence[str]
    security_group_ids: Sequence[str]
    subnet_ids: Sequence[str]
    vpc_id: str

class GetClusterZonalShiftConfigResult:
    enabled: bool

class NodeGroupLaunchTemplate:
    version: str
    id: Optional[str]
    name: Optional[str]

class NodeGroupNodeRepairConfig:
    enabled: Optional[bool]
    max_parallel_nodes_repaired_count: Optional[int]
    max_parallel_nodes_repaired_percentage: Optional[int]
    max_unhealthy_node_threshold_count: Optional[int]
    max_unhealthy_node_threshold_percentage: Optional[int]
    node_repair_config_overrides: Optional[Sequence[NodeGroupNodeRepairConfigNodeRepairConfigOverride]]

class NodeGroupNodeRepairConfigNodeRepairConfigOverride:
    min_repair_wait_time_mins: int
    node_monitoring_condition: str
    node_unhealthy_reason: str
    repair_action: str

class NodeGroupRemoteAccess:
    ec2_ssh_key: Optional[str]
    source_security_group_ids: Optional[Sequence[str]]

class NodeGroupResource:
    autoscaling_groups: Optional[Sequence[NodeGroupResourceAutoscalingGroup]]
    remote_access_security_group_id: Optional[str]

class NodeGroupResourceAutoscalingGroup:
    name: Optional[str]

class NodeGroupScalingConfig:
    desired_size: int
    max_size: int
    min_size: int

class NodeGroupTaint:
    effect: str
    key: str
    value: Optional[str]

class NodeGroupUpdateConfig:
    max_unavailable: Optional[int]
    max_unavailable_percentage: Optional[int]
    update_strategy: Optional[str]

class NodeGroupWarmPoolConfig:
    max_group_prepared_capacity: Optional[int]
    min_size: Optional[int]
    pool_state: Optional[str]
    reuse_on_scale_in: Optional[bool]
