# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class AccessEntry(pulumi.CustomResource):
    access_entry_arn: pulumi.Output[str]
    cluster_name: pulumi.Output[str]
    created_at: pulumi.Output[str]
    kubernetes_groups: pulumi.Output[Sequence[str]]
    modified_at: pulumi.Output[str]
    principal_arn: pulumi.Output[str]
    region: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    type: pulumi.Output[Optional[str]]
    user_name: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        cluster_name: pulumi.Input[str],
        principal_arn: pulumi.Input[str],
        kubernetes_groups: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        type: pulumi.Input[Optional[str]] = ...,
        user_name: pulumi.Input[Optional[str]] = ...) -> None: ...

class AccessPolicyAssociation(pulumi.CustomResource):
    access_scope: pulumi.Output[outputs.AccessPolicyAssociationAccessScope]
    associated_at: pulumi.Output[str]
    cluster_name: pulumi.Output[str]
    modified_at: pulumi.Output[str]
    policy_arn: pulumi.Output[str]
    principal_arn: pulumi.Output[str]
    region: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        access_scope: pulumi.Input[AccessPolicyAssociationAccessScopeArgsDict],
        cluster_name: pulumi.Input[str],
        policy_arn: pulumi.Input[str],
        principal_arn: pulumi.Input[str],
        region: pulumi.Input[Optional[str]] = ...) -> None: ...

class AccessPolicyAssociationAccessScopeArgsDict(TypedDict):
    type: pulumi.Input[str]
    namespaces: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class Addon(pulumi.CustomResource):
    addon_name: pulumi.Output[str]
    addon_version: pulumi.Output[str]
    arn: pulumi.Output[str]
    cluster_name: pulumi.Output[str]
    configuration_values: pulumi.Output[str]
    created_at: pulumi.Output[str]
    modified_at: pulumi.Output[str]
    namespace_config: pulumi.Output[outputs.AddonNamespaceConfig]
    pod_identity_associations: pulumi.Output[Optional[Sequence[outputs.AddonPodIdentityAssociation]]]
    preserve: pulumi.Output[Optional[bool]]
    region: pulumi.Output[str]
    resolve_conflicts_on_create: pulumi.Output[Optional[str]]
    resolve_conflicts_on_update: pulumi.Output[Optional[str]]
    service_account_role_arn: pulumi.Output[Optional[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        addon_name: pulumi.Input[str],
        cluster_name: pulumi.Input[str],
        addon_version: pulumi.Input[Optional[str]] = ...,
        configuration_values: pulumi.Input[Optional[str]] = ...,
        namespace_config: pulumi.Input[Optional[AddonNamespaceConfigArgsDict]] = ...,
        pod_identity_associations: pulumi.Input[Optional[Sequence[pulumi.Input[AddonPodIdentityAssociationArgsDict]]]] = ...,
        preserve: pulumi.Input[Optional[bool]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        resolve_conflicts_on_create: pulumi.Input[Optional[str]] = ...,
        resolve_conflicts_on_update: pulumi.Input[Optional[str]] = ...,
        service_account_role_arn: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class AddonNamespaceConfigArgsDict(TypedDict):
    namespace: NotRequired[pulumi.Input[Optional[str]]]

class AddonPodIdentityAssociationArgsDict(TypedDict):
    role_arn: pulumi.Input[str]
    service_account: pulumi.Input[str]

class Capability(pulumi.CustomResource):
    arn: pulumi.Output[str]
    capability_name: pulumi.Output[str]
    cluster_name: pulumi.Output[str]
    configuration: pulumi.Output[Optional[outputs.CapabilityConfiguration]]
    delete_propagation_policy: pulumi.Output[str]
    region: pulumi.Output[str]
    role_arn: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    timeouts: pulumi.Output[Optional[outputs.CapabilityTimeouts]]
    type: pulumi.Output[str]
    version: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        capability_name: pulumi.Input[str],
        cluster_name: pulumi.Input[str],
        delete_propagation_policy: pulumi.Input[str],
        role_arn: pulumi.Input[str],
        type: pulumi.Input[str],
        configuration: pulumi.Input[Optional[CapabilityConfigurationArgsDict]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        timeouts: pulumi.Input[Optional[CapabilityTimeoutsArgsDict]] = ...) -> None: ...

class CapabilityConfigurationArgoCdArgsDict(TypedDict):
    aws_idc: pulumi.Input[CapabilityConfigurationArgoCdAwsIdcArgsDict]
    namespace: NotRequired[pulumi.Input[Optional[str]]]
    network_access: NotRequired[pulumi.Input[Optional[CapabilityConfigurationArgoCdNetworkAccessArgsDict]]]
    rbac_role_mappings: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[CapabilityConfigurationArgoCdRbacRoleMappingArgsDict]]]]]
    server_url: NotRequired[pulumi.Input[Optional[str]]]

class CapabilityConfigurationArgoCdAwsIdcArgsDict(TypedDict):
    idc_instance_arn: pulumi.Input[str]
    idc_managed_application_arn: NotRequired[pulumi.Input[Optional[str]]]
    idc_region: NotRequired[pulumi.Input[Optional[str]]]

class CapabilityConfigurationArgoCdNetworkAccessArgsDict(TypedDict):
    vpce_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class CapabilityConfigurationArgoCdRbacRoleMappingArgsDict(TypedDict):
    identities: pulumi.Input[Sequence[pulumi.Input[CapabilityConfigurationArgoCdRbacRoleMappingIdentityArgsDict]]]
    role: pulumi.Input[str]

class CapabilityConfigurationArgoCdRbacRoleMappingIdentityArgsDict(TypedDict):
    id: pulumi.Input[str]
    type: pulumi.Input[str]

class CapabilityConfigurationArgsDict(TypedDict):
    argo_cd: NotRequired[pulumi.Input[Optional[CapabilityConfigurationArgoCdArgsDict]]]

class CapabilityTimeoutsArgsDict(TypedDict):
    create: NotRequired[pulumi.Input[Optional[str]]]
    delete: NotRequired[pulumi.Input[Optional[str]]]
    update: NotRequired[pulumi.Input[Optional[str]]]

class Cluster(pulumi.CustomResource):
    access_config: pulumi.Output[outputs.ClusterAccessConfig]
    arn: pulumi.Output[str]
    bootstrap_self_managed_addons: pulumi.Output[Optional[bool]]
    certificate_authority: pulumi.Output[outputs.ClusterCertificateAuthority]
    cluster_id: pulumi.Output[str]
    compute_config: pulumi.Output[outputs.ClusterComputeConfig]
    control_plane_scaling_config: pulumi.Output[outputs.ClusterControlPlaneScalingConfig]
    created_at: pulumi.Output[str]
    default_addons_to_removes: pulumi.Output[Optional[Sequence[str]]]
    deletion_protection: pulumi.Output[bool]
    enabled_cluster_log_types: pulumi.Output[Optional[Sequence[str]]]
    encryption_config: pulumi.Output[Optional[outputs.ClusterEncryptionConfig]]
    endpoint: pulumi.Output[str]
    force_update_version: pulumi.Output[Optional[bool]]
    identities: pulumi.Output[Sequence[outputs.ClusterIdentity]]
    kube_api_server_config: pulumi.Output[outputs.ClusterKubeApiServerConfig]
    kube_controller_manager_config: pulumi.Output[outputs.ClusterKubeControllerManagerConfig]
    kube_scheduler_config: pulumi.Output[outputs.ClusterKubeSchedulerConfig]
    kubernetes_network_config: pulumi.Output[outputs.ClusterKubernetesNetworkConfig]
    name: pulumi.Output[str]
    outpost_config: pulumi.Output[Optional[outputs.ClusterOutpostConfig]]
    platform_version: pulumi.Output[str]
    region: pulumi.Output[str]
    remote_network_config: pulumi.Output[Optional[outputs.ClusterRemoteNetworkConfig]]
    role_arn: pulumi.Output[str]
    status: pulumi.Output[str]
    storage_config: pulumi.Output[outputs.ClusterStorageConfig]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    upgrade_policy: pulumi.Output[outputs.ClusterUpgradePolicy]
    version: pulumi.Output[str]
    vpc_config: pulumi.Output[outputs.ClusterVpcConfig]
    zonal_shift_config: pulumi.Output[Optional[outputs.ClusterZonalShiftConfig]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        role_arn: pulumi.Input[str],
        vpc_config: pulumi.Input[ClusterVpcConfigArgsDict],
        access_config: pulumi.Input[Optional[ClusterAccessConfigArgsDict]] = ...,
        bootstrap_self_managed_addons: pulumi.Input[Optional[bool]] = ...,
        compute_config: pulumi.Input[Optional[ClusterComputeConfigArgsDict]] = ...,
        control_plane_scaling_config: pulumi.Input[Optional[ClusterControlPlaneScalingConfigArgsDict]] = ...,
        default_addons_to_removes: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        deletion_protection: pulumi.Input[Optional[bool]] = ...,
        enabled_cluster_log_types: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        encryption_config: pulumi.Input[Optional[ClusterEncryptionConfigArgsDict]] = ...,
        force_update_version: pulumi.Input[Optional[bool]] = ...,
        kube_api_server_config: pulumi.Input[Optional[ClusterKubeApiServerConfigArgsDict]] = ...,
        kube_controller_manager_config: pulumi.Input[Optional[ClusterKubeControllerManagerConfigArgsDict]] = ...,
        kube_scheduler_config: pulumi.Input[Optional[ClusterKubeSchedulerConfigArgsDict]] = ...,
        kubernetes_network_config: pulumi.Input[Optional[ClusterKubernetesNetworkConfigArgsDict]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        outpost_config: pulumi.Input[Optional[ClusterOutpostConfigArgsDict]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        remote_network_config: pulumi.Input[Optional[ClusterRemoteNetworkConfigArgsDict]] = ...,
        storage_config: pulumi.Input[Optional[ClusterStorageConfigArgsDict]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        upgrade_policy: pulumi.Input[Optional[ClusterUpgradePolicyArgsDict]] = ...,
        version: pulumi.Input[Optional[str]] = ...,
        zonal_shift_config: pulumi.Input[Optional[ClusterZonalShiftConfigArgsDict]] = ...) -> None: ...

class ClusterAccessConfigArgsDict(TypedDict):
    authentication_mode: NotRequired[pulumi.Input[Optional[str]]]
    bootstrap_cluster_creator_admin_permissions: NotRequired[pulumi.Input[Optional[bool]]]

class ClusterComputeConfigArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]
    node_pools: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    node_role_arn: NotRequired[pulumi.Input[Optional[str]]]

class ClusterControlPlaneScalingConfigArgsDict(TypedDict):
    tier: NotRequired[pulumi.Input[Optional[str]]]

class ClusterEncryptionConfigArgsDict(TypedDict):
    provider: pulumi.Input[ClusterEncryptionConfigProviderArgsDict]
    resources: pulumi.Input[Sequence[pulumi.Input[str]]]

class ClusterEncryptionConfigProviderArgsDict(TypedDict):
    key_arn: pulumi.Input[str]

class ClusterKubeApiServerConfigArgsDict(TypedDict):
    event_ttl: NotRequired[pulumi.Input[Optional[str]]]
    service_node_port_range: NotRequired[pulumi.Input[Optional[ClusterKubeApiServerConfigServiceNodePortRangeArgsDict]]]

class ClusterKubeApiServerConfigServiceNodePortRangeArgsDict(TypedDict):
    max_port: NotRequired[pulumi.Input[Optional[int]]]
    min_port: NotRequired[pulumi.Input[Optional[int]]]

class ClusterKubeControllerManagerConfigArgsDict(TypedDict):
    horizontal_pod_autoscaler_controller_config: NotRequired[pulumi.Input[Optional[ClusterKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigArgsDict]]]
    pod_gc_controller_config: NotRequired[pulumi.Input[Optional[ClusterKubeControllerManagerConfigPodGcControllerConfigArgsDict]]]

class ClusterKubeControllerManagerConfigHorizontalPodAutoscalerControllerConfigArgsDict(TypedDict):
    horizontal_pod_autoscaler_sync_period: NotRequired[pulumi.Input[Optional[str]]]

class ClusterKubeControllerManagerConfigPodGcControllerConfigArgsDict(TypedDict):
    terminated_pod_gc_threshold: NotRequired[pulumi.Input[Optional[int]]]

class ClusterKubeSchedulerConfigArgsDict(TypedDict):
    node_resources_fit: NotRequired[pulumi.Input[Optional[ClusterKubeSchedulerConfigNodeResourcesFitArgsDict]]]

class ClusterKubeSchedulerConfigNodeResourcesFitArgsDict(TypedDict):
    scoring_strategy: NotRequired[pulumi.Input[Optional[ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyArgsDict]]]

class ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyArgsDict(TypedDict):
    resources: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyResourceArgsDict]]]]]
    type: NotRequired[pulumi.Input[Optional[str]]]

class ClusterKubeSchedulerConfigNodeResourcesFitScoringStrategyResourceArgsDict(TypedDict):
    name: NotRequired[pulumi.Input[Optional[str]]]
    weight: NotRequired[pulumi.Input[Optional[int]]]

class ClusterKubernetesNetworkConfigArgsDict(TypedDict):
    elastic_load_balancing: NotRequired[pulumi.Input[Optional[ClusterKubernetesNetworkConfigElasticLoadBalancingArgsDict]]]
    ip_family: NotRequired[pulumi.Input[Optional[str]]]
    service_ipv4_cidr: NotRequired[pulumi.Input[Optional[str]]]
    service_ipv6_cidr: NotRequired[pulumi.Input[Optional[str]]]

class ClusterKubernetesNetworkConfigElasticLoadBalancingArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ClusterOutpostConfigArgsDict(TypedDict):
    control_plane_instance_type: pulumi.Input[str]
    outpost_arns: pulumi.Input[Sequence[pulumi.Input[str]]]
    control_plane_placement: NotRequired[pulumi.Input[Optional[ClusterOutpostConfigControlPlanePlacementArgsDict]]]
    etcd_instance_type: NotRequired[pulumi.Input[Optional[str]]]
    etcd_placement: NotRequired[pulumi.Input[Optional[ClusterOutpostConfigEtcdPlacementArgsDict]]]

class ClusterOutpostConfigControlPlanePlacementArgsDict(TypedDict):
    group_name: NotRequired[pulumi.Input[Optional[str]]]
    spread_level: NotRequired[pulumi.Input[Optional[str]]]

class ClusterOutpostConfigEtcdPlacementArgsDict(TypedDict):
    spread_level: NotRequired[pulumi.Input[Optional[str]]]

class ClusterRemoteNetworkConfigArgsDict(TypedDict):
    remote_node_networks: NotRequired[pulumi.Input[Optional[ClusterRemoteNetworkConfigRemoteNodeNetworksArgsDict]]]
    remote_pod_networks: NotRequired[pulumi.Input[Optional[ClusterRemoteNetworkConfigRemotePodNetworksArgsDict]]]

class ClusterRemoteNetworkConfigRemoteNodeNetworksArgsDict(TypedDict):
    cidrs: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class ClusterRemoteNetworkConfigRemotePodNetworksArgsDict(TypedDict):
    cidrs: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class ClusterStorageConfigArgsDict(TypedDict):
    block_storage: NotRequired[pulumi.Input[Optional[ClusterStorageConfigBlockStorageArgsDict]]]

class ClusterStorageConfigBlockStorageArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ClusterUpgradePolicyArgsDict(TypedDict):
    support_type: NotRequired[pulumi.Input[Optional[str]]]

class ClusterVpcConfigArgsDict(TypedDict):
    subnet_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    cluster_security_group_id: NotRequired[pulumi.Input[Optional[str]]]
    control_plane_egress_mode: NotRequired[pulumi.Input[Optional[str]]]
    endpoint_private_access: NotRequired[pulumi.Input[Optional[bool]]]
    endpoint_public_access: NotRequired[pulumi.Input[Optional[bool]]]
    public_access_cidrs: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    security_group_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    vpc_id: NotRequired[pulumi.Input[Optional[str]]]

class ClusterZonalShiftConfigArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class FargateProfile(pulumi.CustomResource):
    arn: pulumi.Output[str]
    cluster_name: pulumi.Output[str]
    fargate_profile_name: pulumi.Output[str]
    pod_execution_role_arn: pulumi.Output[str]
    region: pulumi.Output[str]
    selectors: pulumi.Output[Sequence[outputs.FargateProfileSelector]]
    status: pulumi.Output[str]
    subnet_ids: pulumi.Output[Optional[Sequence[str]]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        cluster_name: pulumi.Input[str],
        pod_execution_role_arn: pulumi.Input[str],
        selectors: pulumi.Input[Sequence[pulumi.Input[FargateProfileSelectorArgsDict]]],
        fargate_profile_name: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        subnet_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class FargateProfileSelectorArgsDict(TypedDict):
    namespace: pulumi.Input[str]
    labels: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class GetAddonVersionResult:
    addon_name: str
    id: str
    kubernetes_version: str
    most_recent: Optional[bool]
    region: str
    version: str

class GetClusterResult:
    access_configs: Sequence[outputs.GetClusterAccessConfigResult]
    arn: str
    certificate_authorities: Sequence[outputs.GetClusterCertificateAuthorityResult]
    cluster_id: str
    compute_configs: Sequence[outputs.GetClusterComputeConfigResult]
    control_plane_scaling_configs: Sequence[outputs.GetClusterControlPlaneScalingConfigResult]
    created_at: str
    deletion_protection: bool
    enabled_cluster_log_types: Sequence[str]
    endpoint: str
    id: str
    identities: Sequence[outputs.GetClusterIdentityResult]
    kube_api_server_configs: Sequence[outputs.GetClusterKubeApiServerConfigResult]
    kube_controller_manager_configs: Sequence[outputs.GetClusterKubeControllerManagerConfigResult]
    kube_scheduler_configs: Sequence[outputs.GetClusterKubeSchedulerConfigResult]
    kubernetes_network_configs: Sequence[outputs.GetClusterKubernetesNetworkConfigResult]
    name: str
    outpost_configs: Sequence[outputs.GetClusterOutpostConfigResult]
    platform_version: str
    region: str
    remote_network_configs: Sequence[outputs.GetClusterRemoteNetworkConfigResult]
    role_arn: str
    status: str
    storage_configs: Sequence[outputs.GetClusterStorageConfigResult]
    tags: Mapping[str, str]
    upgrade_policies: Sequence[outputs.GetClusterUpgradePolicyResult]
    version: str
    vpc_config: outputs.GetClusterVpcConfigResult
    zonal_shift_configs: Sequence[outputs.GetClusterZonalShiftConfigResult]

class GetClusterVersionsResult:
    cluster_type: Optional[str]
    cluster_versions: Sequence[outputs.GetClusterVersionsClusterVersionResult]
    cluster_versions_onlies: Optional[Sequence[str]]
    default_only: Optional[bool]
    include_all: Optional[bool]
    region: str
    version_status: Optional[str]

class NodeGroup(pulumi.CustomResource):
    ami_type: pulumi.Output[str]
    arn: pulumi.Output[str]
    capacity_type: pulumi.Output[str]
    cluster_name: pulumi.Output[str]
    disk_size: pulumi.Output[int]
    force_update_version: pulumi.Output[Optional[bool]]
    instance_types: pulumi.Output[Sequence[str]]
    labels: pulumi.Output[Optional[Mapping[str, str]]]
    launch_template: pulumi.Output[Optional[outputs.NodeGroupLaunchTemplate]]
    node_group_name: pulumi.Output[str]
    node_group_name_prefix: pulumi.Output[str]
    node_repair_config: pulumi.Output[outputs.NodeGroupNodeRepairConfig]
    node_role_arn: pulumi.Output[str]
    region: pulumi.Output[str]
    release_version: pulumi.Output[str]
    remote_access: pulumi.Output[Optional[outputs.NodeGroupRemoteAccess]]
    resources: pulumi.Output[Sequence[outputs.NodeGroupResource]]
    scaling_config: pulumi.Output[outputs.NodeGroupScalingConfig]
    status: pulumi.Output[str]
    subnet_ids: pulumi.Output[Sequence[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    taints: pulumi.Output[Optional[Sequence[outputs.NodeGroupTaint]]]
    update_config: pulumi.Output[outputs.NodeGroupUpdateConfig]
    version: pulumi.Output[str]
    warm_pool_config: pulumi.Output[Optional[outputs.NodeGroupWarmPoolConfig]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        cluster_name: pulumi.Input[str],
        node_role_arn: pulumi.Input[str],
        scaling_config: pulumi.Input[NodeGroupScalingConfigArgsDict],
        subnet_ids: pulumi.Input[Sequence[pulumi.Input[str]]],
        ami_type: pulumi.Input[Optional[str]] = ...,
        capacity_type: pulumi.Input[Optional[str]] = ...,
        disk_size: pulumi.Input[Optional[int]] = ...,
        force_update_version: pulumi.Input[Optional[bool]] = ...,
        instance_types: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        labels: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        launch_template: pulumi.Input[Optional[NodeGroupLaunchTemplateArgsDict]] = ...,
        node_group_name: pulumi.Input[Optional[str]] = ...,
        node_group_name_prefix: pulumi.Input[Optional[str]] = ...,
        node_repair_config: pulumi.Input[Optional[NodeGroupNodeRepairConfigArgsDict]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        release_version: pulumi.Input[Optional[str]] = ...,
        remote_access: pulumi.Input[Optional[NodeGroupRemoteAccessArgsDict]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        taints: pulumi.Input[Optional[Sequence[pulumi.Input[NodeGroupTaintArgsDict]]]] = ...,
        update_config: pulumi.Input[Optional[NodeGroupUpdateConfigArgsDict]] = ...,
        version: pulumi.Input[Optional[str]] = ...,
        warm_pool_config: pulumi.Input[Optional[NodeGroupWarmPoolConfigArgsDict]] = ...) -> None: ...

class NodeGroupLaunchTemplateArgsDict(TypedDict):
    version: pulumi.Input[str]
    id: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]

class NodeGroupNodeRepairConfigArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]
    max_parallel_nodes_repaired_count: NotRequired[pulumi.Input[Optional[int]]]
    max_parallel_nodes_repaired_percentage: NotRequired[pulumi.Input[Optional[int]]]
    max_unhealthy_node_threshold_count: NotRequired[pulumi.Input[Optional[int]]]
    max_unhealthy_node_threshold_percentage: NotRequired[pulumi.Input[Optional[int]]]
    node_repair_config_overrides: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[NodeGroupNodeRepairConfigNodeRepairConfigOverrideArgsDict]]]]]

class NodeGroupNodeRepairConfigNodeRepairConfigOverrideArgsDict(TypedDict):
    min_repair_wait_time_mins: pulumi.Input[int]
    node_monitoring_condition: pulumi.Input[str]
    node_unhealthy_reason: pulumi.Input[str]
    repair_action: pulumi.Input[str]

class NodeGroupRemoteAccessArgsDict(TypedDict):
    ec2_ssh_key: NotRequired[pulumi.Input[Optional[str]]]
    source_security_group_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class NodeGroupScalingConfigArgsDict(TypedDict):
    desired_size: pulumi.Input[int]
    max_size: pulumi.Input[int]
    min_size: pulumi.Input[int]

class NodeGroupTaintArgsDict(TypedDict):
    effect: pulumi.Input[str]
    key: pulumi.Input[str]
    value: NotRequired[pulumi.Input[Optional[str]]]

class NodeGroupUpdateConfigArgsDict(TypedDict):
    max_unavailable: NotRequired[pulumi.Input[Optional[int]]]
    max_unavailable_percentage: NotRequired[pulumi.Input[Optional[int]]]
    update_strategy: NotRequired[pulumi.Input[Optional[str]]]

class NodeGroupWarmPoolConfigArgsDict(TypedDict):
    max_group_prepared_capacity: NotRequired[pulumi.Input[Optional[int]]]
    min_size: NotRequired[pulumi.Input[Optional[int]]]
    pool_state: NotRequired[pulumi.Input[Optional[str]]]
    reuse_on_scale_in: NotRequired[pulumi.Input[Optional[bool]]]

class PodIdentityAssociation(pulumi.CustomResource):
    association_arn: pulumi.Output[str]
    association_id: pulumi.Output[str]
    cluster_name: pulumi.Output[str]
    disable_session_tags: pulumi.Output[bool]
    external_id: pulumi.Output[str]
    namespace: pulumi.Output[str]
    policy: pulumi.Output[Optional[str]]
    region: pulumi.Output[str]
    role_arn: pulumi.Output[str]
    service_account: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    target_role_arn: pulumi.Output[Optional[str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        cluster_name: pulumi.Input[str],
        namespace: pulumi.Input[str],
        role_arn: pulumi.Input[str],
        service_account: pulumi.Input[str],
        disable_session_tags: pulumi.Input[Optional[bool]] = ...,
        policy: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        target_role_arn: pulumi.Input[Optional[str]] = ...) -> None: ...

def get_addon_version(addon_name: Optional[str] = ..., kubernetes_version: Optional[str] = ..., most_recent: Optional[bool] = ..., region: Optional[str] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetAddonVersionResult: ...

def get_cluster(name: Optional[str] = ..., region: Optional[str] = ..., tags: Optional[Mapping[str, str]] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetClusterResult: ...

def get_cluster_versions(cluster_type: Optional[str] = ..., cluster_versions_onlies: Optional[Sequence[str]] = ..., default_only: Optional[bool] = ..., include_all: Optional[bool] = ..., region: Optional[str] = ..., version_status: Optional[str] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetClusterVersionsResult: ...
