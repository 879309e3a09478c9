# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class AbsoluteMonthlyScheduleArgsDict(TypedDict):
    day_of_month: pulumi.Input[int]
    interval_months: pulumi.Input[int]

class AdvancedNetworkPolicies(str, Enum):
    L7 = 'L7'
    FQDN = 'FQDN'
    NONE = 'None'

class AdvancedNetworkingArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]
    observability: NotRequired[pulumi.Input[Optional[AdvancedNetworkingObservabilityArgsDict]]]
    security: NotRequired[pulumi.Input[Optional[AdvancedNetworkingSecurityArgsDict]]]

class AdvancedNetworkingObservabilityArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class AdvancedNetworkingSecurityArgsDict(TypedDict):
    advanced_network_policies: NotRequired[pulumi.Input[Optional[Union[str, AdvancedNetworkPolicies]]]]
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class AgentPoolGatewayProfileArgsDict(TypedDict):
    public_ip_prefix_size: NotRequired[pulumi.Input[Optional[int]]]

class AgentPoolMode(str, Enum):
    SYSTEM = 'System'
    USER = 'User'
    GATEWAY = 'Gateway'

class AgentPoolNetworkProfileArgsDict(TypedDict):
    allowed_host_ports: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[PortRangeArgsDict]]]]]
    application_security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    node_public_ip_tags: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[IPTagArgsDict]]]]]

class AgentPoolSSHAccess(str, Enum):
    LOCAL_USER = 'LocalUser'
    DISABLED = 'Disabled'

class AgentPoolSecurityProfileArgsDict(TypedDict):
    enable_secure_boot: NotRequired[pulumi.Input[Optional[bool]]]
    enable_vtpm: NotRequired[pulumi.Input[Optional[bool]]]
    ssh_access: NotRequired[pulumi.Input[Optional[Union[str, AgentPoolSSHAccess]]]]

class AgentPoolType(str, Enum):
    VIRTUAL_MACHINE_SCALE_SETS = 'VirtualMachineScaleSets'
    AVAILABILITY_SET = 'AvailabilitySet'
    VIRTUAL_MACHINES = 'VirtualMachines'

class AgentPoolUpgradeSettingsArgsDict(TypedDict):
    drain_timeout_in_minutes: NotRequired[pulumi.Input[Optional[int]]]
    max_surge: NotRequired[pulumi.Input[Optional[str]]]
    max_unavailable: NotRequired[pulumi.Input[Optional[str]]]
    node_soak_duration_in_minutes: NotRequired[pulumi.Input[Optional[int]]]
    undrainable_node_behavior: NotRequired[pulumi.Input[Optional[Union[str, UndrainableNodeBehavior]]]]

class AgentPoolWindowsProfileArgsDict(TypedDict):
    disable_outbound_nat: NotRequired[pulumi.Input[Optional[bool]]]

class ArtifactSource(str, Enum):
    CACHE = 'Cache'
    DIRECT = 'Direct'

class AzureKeyVaultKmsArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]
    key_id: NotRequired[pulumi.Input[Optional[str]]]
    key_vault_network_access: NotRequired[pulumi.Input[Optional[Union[str, KeyVaultNetworkAccessTypes]]]]
    key_vault_resource_id: NotRequired[pulumi.Input[Optional[str]]]

class BackendPoolType(str, Enum):
    NODE_IP_CONFIGURATION = 'NodeIPConfiguration'
    NODE_IP = 'NodeIP'

class ClusterUpgradeSettingsArgsDict(TypedDict):
    override_settings: NotRequired[pulumi.Input[Optional[UpgradeOverrideSettingsArgsDict]]]

class Code(str, Enum):
    RUNNING = 'Running'
    STOPPED = 'Stopped'

class ContainerServiceLinuxProfileArgsDict(TypedDict):
    admin_username: pulumi.Input[str]
    ssh: pulumi.Input[ContainerServiceSshConfigurationArgsDict]

class ContainerServiceNetworkProfileArgsDict(TypedDict):
    advanced_networking: NotRequired[pulumi.Input[Optional[AdvancedNetworkingArgsDict]]]
    dns_service_ip: NotRequired[pulumi.Input[Optional[str]]]
    ip_families: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[Union[str, IpFamily]]]]]]
    load_balancer_profile: NotRequired[pulumi.Input[Optional[ManagedClusterLoadBalancerProfileArgsDict]]]
    load_balancer_sku: NotRequired[pulumi.Input[Optional[Union[str, LoadBalancerSku]]]]
    nat_gateway_profile: NotRequired[pulumi.Input[Optional[ManagedClusterNATGatewayProfileArgsDict]]]
    network_dataplane: NotRequired[pulumi.Input[Optional[Union[str, NetworkDataplane]]]]
    network_mode: NotRequired[pulumi.Input[Optional[Union[str, NetworkMode]]]]
    network_plugin: NotRequired[pulumi.Input[Optional[Union[str, NetworkPlugin]]]]
    network_plugin_mode: NotRequired[pulumi.Input[Optional[Union[str, NetworkPluginMode]]]]
    network_policy: NotRequired[pulumi.Input[Optional[Union[str, NetworkPolicy]]]]
    outbound_type: NotRequired[pulumi.Input[Optional[Union[str, OutboundType]]]]
    pod_cidr: NotRequired[pulumi.Input[Optional[str]]]
    pod_cidrs: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    service_cidr: NotRequired[pulumi.Input[Optional[str]]]
    service_cidrs: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    static_egress_gateway_profile: NotRequired[pulumi.Input[Optional[ManagedClusterStaticEgressGatewayProfileArgsDict]]]

class ContainerServiceSshConfigurationArgsDict(TypedDict):
    public_keys: pulumi.Input[Sequence[pulumi.Input[ContainerServiceSshPublicKeyArgsDict]]]

class ContainerServiceSshPublicKeyArgsDict(TypedDict):
    key_data: pulumi.Input[str]

class CreationDataArgsDict(TypedDict):
    source_resource_id: NotRequired[pulumi.Input[Optional[str]]]

class DailyScheduleArgsDict(TypedDict):
    interval_days: pulumi.Input[int]

class DateSpanArgsDict(TypedDict):
    end: pulumi.Input[str]
    start: pulumi.Input[str]

class DelegatedResourceArgsDict(TypedDict):
    location: NotRequired[pulumi.Input[Optional[str]]]
    referral_resource: NotRequired[pulumi.Input[Optional[str]]]
    resource_id: NotRequired[pulumi.Input[Optional[str]]]
    tenant_id: NotRequired[pulumi.Input[Optional[str]]]

class Expander(str, Enum):
    LEAST_WASTE = 'least-waste'
    MOST_PODS = 'most-pods'
    PRIORITY = 'priority'
    RANDOM = 'random'

class ExtendedLocationArgsDict(TypedDict):
    name: NotRequired[pulumi.Input[Optional[str]]]
    type: NotRequired[pulumi.Input[Optional[Union[str, ExtendedLocationTypes]]]]

class ExtendedLocationTypes(str, Enum):
    EDGE_ZONE = 'EdgeZone'

class GPUDriver(str, Enum):
    INSTALL = 'Install'
    NONE = 'None'

class GPUInstanceProfile(str, Enum):
    MIG1G = 'MIG1g'
    MIG2G = 'MIG2g'
    MIG3G = 'MIG3g'
    MIG4G = 'MIG4g'
    MIG7G = 'MIG7g'

class GPUProfileArgsDict(TypedDict):
    driver: NotRequired[pulumi.Input[Optional[Union[str, GPUDriver]]]]

class IPTagArgsDict(TypedDict):
    ip_tag_type: NotRequired[pulumi.Input[Optional[str]]]
    tag: NotRequired[pulumi.Input[Optional[str]]]

class IpFamily(str, Enum):
    I_PV4 = 'IPv4'
    I_PV6 = 'IPv6'

class IstioCertificateAuthorityArgsDict(TypedDict):
    plugin: NotRequired[pulumi.Input[Optional[IstioPluginCertificateAuthorityArgsDict]]]

class IstioComponentsArgsDict(TypedDict):
    egress_gateways: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[IstioEgressGatewayArgsDict]]]]]
    ingress_gateways: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[IstioIngressGatewayArgsDict]]]]]

class IstioEgressGatewayArgsDict(TypedDict):
    enabled: pulumi.Input[bool]
    name: pulumi.Input[str]
    gateway_configuration_name: NotRequired[pulumi.Input[Optional[str]]]
    namespace: NotRequired[pulumi.Input[Optional[str]]]

class IstioIngressGatewayArgsDict(TypedDict):
    enabled: pulumi.Input[bool]
    mode: pulumi.Input[Union[str, IstioIngressGatewayMode]]

class IstioIngressGatewayMode(str, Enum):
    EXTERNAL = 'External'
    INTERNAL = 'Internal'

class IstioPluginCertificateAuthorityArgsDict(TypedDict):
    cert_chain_object_name: NotRequired[pulumi.Input[Optional[str]]]
    cert_object_name: NotRequired[pulumi.Input[Optional[str]]]
    key_object_name: NotRequired[pulumi.Input[Optional[str]]]
    key_vault_id: NotRequired[pulumi.Input[Optional[str]]]
    root_cert_object_name: NotRequired[pulumi.Input[Optional[str]]]

class IstioServiceMeshArgsDict(TypedDict):
    certificate_authority: NotRequired[pulumi.Input[Optional[IstioCertificateAuthorityArgsDict]]]
    components: NotRequired[pulumi.Input[Optional[IstioComponentsArgsDict]]]
    revisions: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class KeyVaultNetworkAccessTypes(str, Enum):
    PUBLIC = 'Public'
    PRIVATE = 'Private'

class KubeletConfigArgsDict(TypedDict):
    allowed_unsafe_sysctls: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    container_log_max_files: NotRequired[pulumi.Input[Optional[int]]]
    container_log_max_size_mb: NotRequired[pulumi.Input[Optional[int]]]
    cpu_cfs_quota: NotRequired[pulumi.Input[Optional[bool]]]
    cpu_cfs_quota_period: NotRequired[pulumi.Input[Optional[str]]]
    cpu_manager_policy: NotRequired[pulumi.Input[Optional[str]]]
    fail_swap_on: NotRequired[pulumi.Input[Optional[bool]]]
    image_gc_high_threshold: NotRequired[pulumi.Input[Optional[int]]]
    image_gc_low_threshold: NotRequired[pulumi.Input[Optional[int]]]
    pod_max_pids: NotRequired[pulumi.Input[Optional[int]]]
    topology_manager_policy: NotRequired[pulumi.Input[Optional[str]]]

class KubeletDiskType(str, Enum):
    OS = 'OS'
    TEMPORARY = 'Temporary'

class KubernetesSupportPlan(str, Enum):
    KUBERNETES_OFFICIAL = 'KubernetesOfficial'
    AKS_LONG_TERM_SUPPORT = 'AKSLongTermSupport'

class LicenseType(str, Enum):
    NONE = 'None'
    WINDOWS_SERVER = 'Windows_Server'

class LinuxOSConfigArgsDict(TypedDict):
    swap_file_size_mb: NotRequired[pulumi.Input[Optional[int]]]
    sysctls: NotRequired[pulumi.Input[Optional[SysctlConfigArgsDict]]]
    transparent_huge_page_defrag: NotRequired[pulumi.Input[Optional[str]]]
    transparent_huge_page_enabled: NotRequired[pulumi.Input[Optional[str]]]

class ListManagedClusterUserCredentialsResult:
    kubeconfigs: Sequence[outputs.CredentialResultResponse]

class LoadBalancerSku(str, Enum):
    STANDARD = 'standard'
    BASIC = 'basic'

class LocalDNSForwardDestination(str, Enum):
    CLUSTER_CORE_DNS = 'ClusterCoreDNS'
    VNET_DNS = 'VnetDNS'

class LocalDNSForwardPolicy(str, Enum):
    SEQUENTIAL = 'Sequential'
    ROUND_ROBIN = 'RoundRobin'
    RANDOM = 'Random'

class LocalDNSMode(str, Enum):
    PREFERRED = 'Preferred'
    REQUIRED = 'Required'
    DISABLED = 'Disabled'

class LocalDNSOverrideArgsDict(TypedDict):
    cache_duration_in_seconds: NotRequired[pulumi.Input[Optional[int]]]
    forward_destination: NotRequired[pulumi.Input[Optional[Union[str, LocalDNSForwardDestination]]]]
    forward_policy: NotRequired[pulumi.Input[Optional[Union[str, LocalDNSForwardPolicy]]]]
    max_concurrent: NotRequired[pulumi.Input[Optional[int]]]
    protocol: NotRequired[pulumi.Input[Optional[Union[str, LocalDNSProtocol]]]]
    query_logging: NotRequired[pulumi.Input[Optional[Union[str, LocalDNSQueryLogging]]]]
    serve_stale: NotRequired[pulumi.Input[Optional[Union[str, LocalDNSServeStale]]]]
    serve_stale_duration_in_seconds: NotRequired[pulumi.Input[Optional[int]]]

class LocalDNSProfileArgsDict(TypedDict):
    kube_dns_overrides: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[LocalDNSOverrideArgsDict]]]]]
    mode: NotRequired[pulumi.Input[Optional[Union[str, LocalDNSMode]]]]
    vnet_dns_overrides: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[LocalDNSOverrideArgsDict]]]]]

class LocalDNSProtocol(str, Enum):
    PREFER_UDP = 'PreferUDP'
    FORCE_TCP = 'ForceTCP'

class LocalDNSQueryLogging(str, Enum):
    ERROR = 'Error'
    LOG = 'Log'

class LocalDNSServeStale(str, Enum):
    VERIFY = 'Verify'
    IMMEDIATE = 'Immediate'
    DISABLE = 'Disable'

class MaintenanceConfiguration(pulumi.CustomResource):
    azure_api_version: pulumi.Output[str]
    maintenance_window: pulumi.Output[Optional[outputs.MaintenanceWindowResponse]]
    name: pulumi.Output[str]
    not_allowed_time: pulumi.Output[Optional[Sequence[outputs.TimeSpanResponse]]]
    system_data: pulumi.Output[outputs.SystemDataResponse]
    time_in_week: pulumi.Output[Optional[Sequence[outputs.TimeInWeekResponse]]]
    type: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_group_name: pulumi.Input[str],
        resource_name_: pulumi.Input[str],
        config_name: pulumi.Input[Optional[str]] = ...,
        maintenance_window: pulumi.Input[Optional[MaintenanceWindowArgsDict]] = ...,
        not_allowed_time: pulumi.Input[Optional[Sequence[pulumi.Input[TimeSpanArgsDict]]]] = ...,
        time_in_week: pulumi.Input[Optional[Sequence[pulumi.Input[TimeInWeekArgsDict]]]] = ...) -> None: ...

class MaintenanceWindowArgsDict(TypedDict):
    duration_hours: pulumi.Input[int]
    schedule: pulumi.Input[ScheduleArgsDict]
    start_time: pulumi.Input[str]
    not_allowed_dates: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[DateSpanArgsDict]]]]]
    start_date: NotRequired[pulumi.Input[Optional[str]]]
    utc_offset: NotRequired[pulumi.Input[Optional[str]]]

class ManagedCluster(pulumi.CustomResource):
    aad_profile: pulumi.Output[Optional[outputs.ManagedClusterAADProfileResponse]]
    addon_profiles: pulumi.Output[Optional[Mapping[str, outputs.ManagedClusterAddonProfileResponse]]]
    agent_pool_profiles: pulumi.Output[Optional[Sequence[outputs.ManagedClusterAgentPoolProfileResponse]]]
    ai_toolchain_operator_profile: pulumi.Output[Optional[outputs.ManagedClusterAIToolchainOperatorProfileResponse]]
    api_server_access_profile: pulumi.Output[Optional[outputs.ManagedClusterAPIServerAccessProfileResponse]]
    auto_scaler_profile: pulumi.Output[Optional[outputs.ManagedClusterPropertiesResponseAutoScalerProfile]]
    auto_upgrade_profile: pulumi.Output[Optional[outputs.ManagedClusterAutoUpgradeProfileResponse]]
    azure_api_version: pulumi.Output[str]
    azure_monitor_profile: pulumi.Output[Optional[outputs.ManagedClusterAzureMonitorProfileResponse]]
    azure_portal_fqdn: pulumi.Output[str]
    bootstrap_profile: pulumi.Output[Optional[outputs.ManagedClusterBootstrapProfileResponse]]
    current_kubernetes_version: pulumi.Output[str]
    disable_local_accounts: pulumi.Output[Optional[bool]]
    disk_encryption_set_id: pulumi.Output[Optional[str]]
    dns_prefix: pulumi.Output[Optional[str]]
    e_tag: pulumi.Output[str]
    enable_rbac: pulumi.Output[Optional[bool]]
    extended_location: pulumi.Output[Optional[outputs.ExtendedLocationResponse]]
    fqdn: pulumi.Output[str]
    fqdn_subdomain: pulumi.Output[Optional[str]]
    http_proxy_config: pulumi.Output[Optional[outputs.ManagedClusterHTTPProxyConfigResponse]]
    identity: pulumi.Output[Optional[outputs.ManagedClusterIdentityResponse]]
    identity_profile: pulumi.Output[Optional[Mapping[str, outputs.UserAssignedIdentityManagedClusterResponse]]]
    ingress_profile: pulumi.Output[Optional[outputs.ManagedClusterIngressProfileResponse]]
    kind: pulumi.Output[Optional[str]]
    kubernetes_version: pulumi.Output[Optional[str]]
    linux_profile: pulumi.Output[Optional[outputs.ContainerServiceLinuxProfileResponse]]
    location: pulumi.Output[str]
    max_agent_pools: pulumi.Output[int]
    metrics_profile: pulumi.Output[Optional[outputs.ManagedClusterMetricsProfileResponse]]
    name: pulumi.Output[str]
    network_profile: pulumi.Output[Optional[outputs.ContainerServiceNetworkProfileResponse]]
    node_provisioning_profile: pulumi.Output[Optional[outputs.ManagedClusterNodeProvisioningProfileResponse]]
    node_resource_group: pulumi.Output[Optional[str]]
    node_resource_group_profile: pulumi.Output[Optional[outputs.ManagedClusterNodeResourceGroupProfileResponse]]
    oidc_issuer_profile: pulumi.Output[Optional[outputs.ManagedClusterOIDCIssuerProfileResponse]]
    pod_identity_profile: pulumi.Output[Optional[outputs.ManagedClusterPodIdentityProfileResponse]]
    power_state: pulumi.Output[outputs.PowerStateResponse]
    private_fqdn: pulumi.Output[str]
    private_link_resources: pulumi.Output[Optional[Sequence[outputs.PrivateLinkResourceResponse]]]
    provisioning_state: pulumi.Output[str]
    public_network_access: pulumi.Output[Optional[str]]
    resource_uid: pulumi.Output[str]
    security_profile: pulumi.Output[Optional[outputs.ManagedClusterSecurityProfileResponse]]
    service_mesh_profile: pulumi.Output[Optional[outputs.ServiceMeshProfileResponse]]
    service_principal_profile: pulumi.Output[Optional[outputs.ManagedClusterServicePrincipalProfileResponse]]
    sku: pulumi.Output[Optional[outputs.ManagedClusterSKUResponse]]
    status: pulumi.Output[Optional[outputs.ManagedClusterStatusResponse]]
    storage_profile: pulumi.Output[Optional[outputs.ManagedClusterStorageProfileResponse]]
    support_plan: pulumi.Output[Optional[str]]
    system_data: pulumi.Output[outputs.SystemDataResponse]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    type: pulumi.Output[str]
    upgrade_settings: pulumi.Output[Optional[outputs.ClusterUpgradeSettingsResponse]]
    windows_profile: pulumi.Output[Optional[outputs.ManagedClusterWindowsProfileResponse]]
    workload_auto_scaler_profile: pulumi.Output[Optional[outputs.ManagedClusterWorkloadAutoScalerProfileResponse]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_group_name: pulumi.Input[str],
        aad_profile: pulumi.Input[Optional[ManagedClusterAADProfileArgsDict]] = ...,
        addon_profiles: pulumi.Input[Optional[Mapping[str, pulumi.Input[ManagedClusterAddonProfileArgsDict]]]] = ...,
        agent_pool_profiles: pulumi.Input[Optional[Sequence[pulumi.Input[ManagedClusterAgentPoolProfileArgsDict]]]] = ...,
        ai_toolchain_operator_profile: pulumi.Input[Optional[ManagedClusterAIToolchainOperatorProfileArgsDict]] = ...,
        api_server_access_profile: pulumi.Input[Optional[ManagedClusterAPIServerAccessProfileArgsDict]] = ...,
        auto_scaler_profile: pulumi.Input[Optional[ManagedClusterPropertiesAutoScalerProfileArgsDict]] = ...,
        auto_upgrade_profile: pulumi.Input[Optional[ManagedClusterAutoUpgradeProfileArgsDict]] = ...,
        azure_monitor_profile: pulumi.Input[Optional[ManagedClusterAzureMonitorProfileArgsDict]] = ...,
        bootstrap_profile: pulumi.Input[Optional[ManagedClusterBootstrapProfileArgsDict]] = ...,
        disable_local_accounts: pulumi.Input[Optional[bool]] = ...,
        disk_encryption_set_id: pulumi.Input[Optional[str]] = ...,
        dns_prefix: pulumi.Input[Optional[str]] = ...,
        enable_rbac: pulumi.Input[Optional[bool]] = ...,
        extended_location: pulumi.Input[Optional[ExtendedLocationArgsDict]] = ...,
        fqdn_subdomain: pulumi.Input[Optional[str]] = ...,
        http_proxy_config: pulumi.Input[Optional[ManagedClusterHTTPProxyConfigArgsDict]] = ...,
        identity: pulumi.Input[Optional[ManagedClusterIdentityArgsDict]] = ...,
        identity_profile: pulumi.Input[Optional[Mapping[str, pulumi.Input[UserAssignedIdentityArgsDict]]]] = ...,
        ingress_profile: pulumi.Input[Optional[ManagedClusterIngressProfileArgsDict]] = ...,
        kind: pulumi.Input[Optional[str]] = ...,
        kubernetes_version: pulumi.Input[Optional[str]] = ...,
        linux_profile: pulumi.Input[Optional[ContainerServiceLinuxProfileArgsDict]] = ...,
        location: pulumi.Input[Optional[str]] = ...,
        metrics_profile: pulumi.Input[Optional[ManagedClusterMetricsProfileArgsDict]] = ...,
        network_profile: pulumi.Input[Optional[ContainerServiceNetworkProfileArgsDict]] = ...,
        node_provisioning_profile: pulumi.Input[Optional[ManagedClusterNodeProvisioningProfileArgsDict]] = ...,
        node_resource_group: pulumi.Input[Optional[str]] = ...,
        node_resource_group_profile: pulumi.Input[Optional[ManagedClusterNodeResourceGroupProfileArgsDict]] = ...,
        oidc_issuer_profile: pulumi.Input[Optional[ManagedClusterOIDCIssuerProfileArgsDict]] = ...,
        pod_identity_profile: pulumi.Input[Optional[ManagedClusterPodIdentityProfileArgsDict]] = ...,
        private_link_resources: pulumi.Input[Optional[Sequence[pulumi.Input[PrivateLinkResourceArgsDict]]]] = ...,
        public_network_access: pulumi.Input[Optional[Union[str, PublicNetworkAccess]]] = ...,
        resource_name_: pulumi.Input[Optional[str]] = ...,
        security_profile: pulumi.Input[Optional[ManagedClusterSecurityProfileArgsDict]] = ...,
        service_mesh_profile: pulumi.Input[Optional[ServiceMeshProfileArgsDict]] = ...,
        service_principal_profile: pulumi.Input[Optional[ManagedClusterServicePrincipalProfileArgsDict]] = ...,
        sku: pulumi.Input[Optional[ManagedClusterSKUArgsDict]] = ...,
        storage_profile: pulumi.Input[Optional[ManagedClusterStorageProfileArgsDict]] = ...,
        support_plan: pulumi.Input[Optional[Union[str, KubernetesSupportPlan]]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        upgrade_settings: pulumi.Input[Optional[ClusterUpgradeSettingsArgsDict]] = ...,
        windows_profile: pulumi.Input[Optional[ManagedClusterWindowsProfileArgsDict]] = ...,
        workload_auto_scaler_profile: pulumi.Input[Optional[ManagedClusterWorkloadAutoScalerProfileArgsDict]] = ...) -> None: ...

class ManagedClusterAADProfileArgsDict(TypedDict):
    admin_group_object_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    client_app_id: NotRequired[pulumi.Input[Optional[str]]]
    enable_azure_rbac: NotRequired[pulumi.Input[Optional[bool]]]
    managed: NotRequired[pulumi.Input[Optional[bool]]]
    server_app_id: NotRequired[pulumi.Input[Optional[str]]]
    server_app_secret: NotRequired[pulumi.Input[Optional[str]]]
    tenant_id: NotRequired[pulumi.Input[Optional[str]]]

class ManagedClusterAIToolchainOperatorProfileArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterAPIServerAccessProfileArgsDict(TypedDict):
    authorized_ip_ranges: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    disable_run_command: NotRequired[pulumi.Input[Optional[bool]]]
    enable_private_cluster: NotRequired[pulumi.Input[Optional[bool]]]
    enable_private_cluster_public_fqdn: NotRequired[pulumi.Input[Optional[bool]]]
    enable_vnet_integration: NotRequired[pulumi.Input[Optional[bool]]]
    private_dns_zone: NotRequired[pulumi.Input[Optional[str]]]
    subnet_id: NotRequired[pulumi.Input[Optional[str]]]

class ManagedClusterAddonProfileArgsDict(TypedDict):
    enabled: pulumi.Input[bool]
    config: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class ManagedClusterAgentPoolProfileArgsDict(TypedDict):
    name: pulumi.Input[str]
    availability_zones: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    capacity_reservation_group_id: NotRequired[pulumi.Input[Optional[str]]]
    count: NotRequired[pulumi.Input[Optional[int]]]
    creation_data: NotRequired[pulumi.Input[Optional[CreationDataArgsDict]]]
    enable_auto_scaling: NotRequired[pulumi.Input[Optional[bool]]]
    enable_encryption_at_host: NotRequired[pulumi.Input[Optional[bool]]]
    enable_fips: NotRequired[pulumi.Input[Optional[bool]]]
    enable_node_public_ip: NotRequired[pulumi.Input[Optional[bool]]]
    enable_ultra_ssd: NotRequired[pulumi.Input[Optional[bool]]]
    gateway_profile: NotRequired[pulumi.Input[Optional[AgentPoolGatewayProfileArgsDict]]]
    gpu_instance_profile: NotRequired[pulumi.Input[Optional[Union[str, GPUInstanceProfile]]]]
    gpu_profile: NotRequired[pulumi.Input[Optional[GPUProfileArgsDict]]]
    host_group_id: NotRequired[pulumi.Input[Optional[str]]]
    kubelet_config: NotRequired[pulumi.Input[Optional[KubeletConfigArgsDict]]]
    kubelet_disk_type: NotRequired[pulumi.Input[Optional[Union[str, KubeletDiskType]]]]
    linux_os_config: NotRequired[pulumi.Input[Optional[LinuxOSConfigArgsDict]]]
    local_dns_profile: NotRequired[pulumi.Input[Optional[LocalDNSProfileArgsDict]]]
    max_count: NotRequired[pulumi.Input[Optional[int]]]
    max_pods: NotRequired[pulumi.Input[Optional[int]]]
    message_of_the_day: NotRequired[pulumi.Input[Optional[str]]]
    min_count: NotRequired[pulumi.Input[Optional[int]]]
    mode: NotRequired[pulumi.Input[Optional[Union[str, AgentPoolMode]]]]
    network_profile: NotRequired[pulumi.Input[Optional[AgentPoolNetworkProfileArgsDict]]]
    node_labels: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    node_public_ip_prefix_id: NotRequired[pulumi.Input[Optional[str]]]
    node_taints: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    orchestrator_version: NotRequired[pulumi.Input[Optional[str]]]
    os_disk_size_gb: NotRequired[pulumi.Input[Optional[int]]]
    os_disk_type: NotRequired[pulumi.Input[Optional[Union[str, OSDiskType]]]]
    os_sku: NotRequired[pulumi.Input[Optional[Union[str, OSSKU]]]]
    os_type: NotRequired[pulumi.Input[Optional[Union[str, OSType]]]]
    pod_ip_allocation_mode: NotRequired[pulumi.Input[Optional[Union[str, PodIPAllocationMode]]]]
    pod_subnet_id: NotRequired[pulumi.Input[Optional[str]]]
    power_state: NotRequired[pulumi.Input[Optional[PowerStateArgsDict]]]
    proximity_placement_group_id: NotRequired[pulumi.Input[Optional[str]]]
    scale_down_mode: NotRequired[pulumi.Input[Optional[Union[str, ScaleDownMode]]]]
    scale_set_eviction_policy: NotRequired[pulumi.Input[Optional[Union[str, ScaleSetEvictionPolicy]]]]
    scale_set_priority: NotRequired[pulumi.Input[Optional[Union[str, ScaleSetPriority]]]]
    security_profile: NotRequired[pulumi.Input[Optional[AgentPoolSecurityProfileArgsDict]]]
    spot_max_price: NotRequired[pulumi.Input[Optional[float]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    type: NotRequired[pulumi.Input[Optional[Union[str, AgentPoolType]]]]
    upgrade_settings: NotRequired[pulumi.Input[Optional[AgentPoolUpgradeSettingsArgsDict]]]
    virtual_machine_nodes_status: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[VirtualMachineNodesArgsDict]]]]]
    virtual_machines_profile: NotRequired[pulumi.Input[Optional[VirtualMachinesProfileArgsDict]]]
    vm_size: NotRequired[pulumi.Input[Optional[str]]]
    vnet_subnet_id: NotRequired[pulumi.Input[Optional[str]]]
    windows_profile: NotRequired[pulumi.Input[Optional[AgentPoolWindowsProfileArgsDict]]]
    workload_runtime: NotRequired[pulumi.Input[Optional[Union[str, WorkloadRuntime]]]]

class ManagedClusterArgs:
    def __init__(self, *,
        resource_group_name: pulumi.Input[str],
        aad_profile: pulumi.Input[Optional[ManagedClusterAADProfileArgsDict]] = ...,
        addon_profiles: pulumi.Input[Optional[Mapping[str, pulumi.Input[ManagedClusterAddonProfileArgsDict]]]] = ...,
        agent_pool_profiles: pulumi.Input[Optional[Sequence[pulumi.Input[ManagedClusterAgentPoolProfileArgsDict]]]] = ...,
        ai_toolchain_operator_profile: pulumi.Input[Optional[ManagedClusterAIToolchainOperatorProfileArgsDict]] = ...,
        api_server_access_profile: pulumi.Input[Optional[ManagedClusterAPIServerAccessProfileArgsDict]] = ...,
        auto_scaler_profile: pulumi.Input[Optional[ManagedClusterPropertiesAutoScalerProfileArgsDict]] = ...,
        auto_upgrade_profile: pulumi.Input[Optional[ManagedClusterAutoUpgradeProfileArgsDict]] = ...,
        azure_monitor_profile: pulumi.Input[Optional[ManagedClusterAzureMonitorProfileArgsDict]] = ...,
        bootstrap_profile: pulumi.Input[Optional[ManagedClusterBootstrapProfileArgsDict]] = ...,
        disable_local_accounts: pulumi.Input[Optional[bool]] = ...,
        disk_encryption_set_id: pulumi.Input[Optional[str]] = ...,
        dns_prefix: pulumi.Input[Optional[str]] = ...,
        enable_rbac: pulumi.Input[Optional[bool]] = ...,
        extended_location: pulumi.Input[Optional[ExtendedLocationArgsDict]] = ...,
        fqdn_subdomain: pulumi.Input[Optional[str]] = ...,
        http_proxy_config: pulumi.Input[Optional[ManagedClusterHTTPProxyConfigArgsDict]] = ...,
        identity: pulumi.Input[Optional[ManagedClusterIdentityArgsDict]] = ...,
        identity_profile: pulumi.Input[Optional[Mapping[str, pulumi.Input[UserAssignedIdentityArgsDict]]]] = ...,
        ingress_profile: pulumi.Input[Optional[ManagedClusterIngressProfileArgsDict]] = ...,
        kind: pulumi.Input[Optional[str]] = ...,
        kubernetes_version: pulumi.Input[Optional[str]] = ...,
        linux_profile: pulumi.Input[Optional[ContainerServiceLinuxProfileArgsDict]] = ...,
        location: pulumi.Input[Optional[str]] = ...,
        metrics_profile: pulumi.Input[Optional[ManagedClusterMetricsProfileArgsDict]] = ...,
        network_profile: pulumi.Input[Optional[ContainerServiceNetworkProfileArgsDict]] = ...,
        node_provisioning_profile: pulumi.Input[Optional[ManagedClusterNodeProvisioningProfileArgsDict]] = ...,
        node_resource_group: pulumi.Input[Optional[str]] = ...,
        node_resource_group_profile: pulumi.Input[Optional[ManagedClusterNodeResourceGroupProfileArgsDict]] = ...,
        oidc_issuer_profile: pulumi.Input[Optional[ManagedClusterOIDCIssuerProfileArgsDict]] = ...,
        pod_identity_profile: pulumi.Input[Optional[ManagedClusterPodIdentityProfileArgsDict]] = ...,
        private_link_resources: pulumi.Input[Optional[Sequence[pulumi.Input[PrivateLinkResourceArgsDict]]]] = ...,
        public_network_access: pulumi.Input[Optional[Union[str, PublicNetworkAccess]]] = ...,
        resource_name: pulumi.Input[Optional[str]] = ...,
        security_profile: pulumi.Input[Optional[ManagedClusterSecurityProfileArgsDict]] = ...,
        service_mesh_profile: pulumi.Input[Optional[ServiceMeshProfileArgsDict]] = ...,
        service_principal_profile: pulumi.Input[Optional[ManagedClusterServicePrincipalProfileArgsDict]] = ...,
        sku: pulumi.Input[Optional[ManagedClusterSKUArgsDict]] = ...,
        storage_profile: pulumi.Input[Optional[ManagedClusterStorageProfileArgsDict]] = ...,
        support_plan: pulumi.Input[Optional[Union[str, KubernetesSupportPlan]]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        upgrade_settings: pulumi.Input[Optional[ClusterUpgradeSettingsArgsDict]] = ...,
        windows_profile: pulumi.Input[Optional[ManagedClusterWindowsProfileArgsDict]] = ...,
        workload_auto_scaler_profile: pulumi.Input[Optional[ManagedClusterWorkloadAutoScalerProfileArgsDict]] = ...) -> None: ...

class ManagedClusterAutoUpgradeProfileArgsDict(TypedDict):
    node_os_upgrade_channel: NotRequired[pulumi.Input[Optional[Union[str, NodeOSUpgradeChannel]]]]
    upgrade_channel: NotRequired[pulumi.Input[Optional[Union[str, UpgradeChannel]]]]

class ManagedClusterAzureMonitorProfileArgsDict(TypedDict):
    metrics: NotRequired[pulumi.Input[Optional[ManagedClusterAzureMonitorProfileMetricsArgsDict]]]

class ManagedClusterAzureMonitorProfileKubeStateMetricsArgsDict(TypedDict):
    metric_annotations_allow_list: NotRequired[pulumi.Input[Optional[str]]]
    metric_labels_allowlist: NotRequired[pulumi.Input[Optional[str]]]

class ManagedClusterAzureMonitorProfileMetricsArgsDict(TypedDict):
    enabled: pulumi.Input[bool]
    kube_state_metrics: NotRequired[pulumi.Input[Optional[ManagedClusterAzureMonitorProfileKubeStateMetricsArgsDict]]]

class ManagedClusterBootstrapProfileArgsDict(TypedDict):
    artifact_source: NotRequired[pulumi.Input[Optional[Union[str, ArtifactSource]]]]
    container_registry_id: NotRequired[pulumi.Input[Optional[str]]]

class ManagedClusterCostAnalysisArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterHTTPProxyConfigArgsDict(TypedDict):
    http_proxy: NotRequired[pulumi.Input[Optional[str]]]
    https_proxy: NotRequired[pulumi.Input[Optional[str]]]
    no_proxy: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    trusted_ca: NotRequired[pulumi.Input[Optional[str]]]

class ManagedClusterIdentityArgsDict(TypedDict):
    delegated_resources: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[DelegatedResourceArgsDict]]]]]
    type: NotRequired[pulumi.Input[Optional[Union[ResourceIdentityType, Literal['SystemAssigned', 'UserAssigned', 'None']]]]]
    user_assigned_identities: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class ManagedClusterIngressProfileArgsDict(TypedDict):
    web_app_routing: NotRequired[pulumi.Input[Optional[ManagedClusterIngressProfileWebAppRoutingArgsDict]]]

class ManagedClusterIngressProfileNginxArgsDict(TypedDict):
    default_ingress_controller_type: NotRequired[pulumi.Input[Optional[Union[str, NginxIngressControllerType]]]]

class ManagedClusterIngressProfileWebAppRoutingArgsDict(TypedDict):
    dns_zone_resource_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    enabled: NotRequired[pulumi.Input[Optional[bool]]]
    nginx: NotRequired[pulumi.Input[Optional[ManagedClusterIngressProfileNginxArgsDict]]]

class ManagedClusterLoadBalancerProfileArgsDict(TypedDict):
    allocated_outbound_ports: NotRequired[pulumi.Input[Optional[int]]]
    backend_pool_type: NotRequired[pulumi.Input[Optional[Union[str, BackendPoolType]]]]
    enable_multiple_standard_load_balancers: NotRequired[pulumi.Input[Optional[bool]]]
    idle_timeout_in_minutes: NotRequired[pulumi.Input[Optional[int]]]
    managed_outbound_ips: NotRequired[pulumi.Input[Optional[ManagedClusterLoadBalancerProfileManagedOutboundIPsArgsDict]]]
    outbound_ip_prefixes: NotRequired[pulumi.Input[Optional[ManagedClusterLoadBalancerProfileOutboundIPPrefixesArgsDict]]]
    outbound_ips: NotRequired[pulumi.Input[Optional[ManagedClusterLoadBalancerProfileOutboundIPsArgsDict]]]

class ManagedClusterLoadBalancerProfileManagedOutboundIPsArgsDict(TypedDict):
    count: NotRequired[pulumi.Input[Optional[int]]]
    count_i_pv6: NotRequired[pulumi.Input[Optional[int]]]

class ManagedClusterLoadBalancerProfileOutboundIPPrefixesArgsDict(TypedDict):
    public_ip_prefixes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ResourceReferenceArgsDict]]]]]

class ManagedClusterLoadBalancerProfileOutboundIPsArgsDict(TypedDict):
    public_ips: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ResourceReferenceArgsDict]]]]]

class ManagedClusterManagedOutboundIPProfileArgsDict(TypedDict):
    count: NotRequired[pulumi.Input[Optional[int]]]

class ManagedClusterMetricsProfileArgsDict(TypedDict):
    cost_analysis: NotRequired[pulumi.Input[Optional[ManagedClusterCostAnalysisArgsDict]]]

class ManagedClusterNATGatewayProfileArgsDict(TypedDict):
    idle_timeout_in_minutes: NotRequired[pulumi.Input[Optional[int]]]
    managed_outbound_ip_profile: NotRequired[pulumi.Input[Optional[ManagedClusterManagedOutboundIPProfileArgsDict]]]

class ManagedClusterNodeProvisioningProfileArgsDict(TypedDict):
    default_node_pools: NotRequired[pulumi.Input[Optional[Union[str, NodeProvisioningDefaultNodePools]]]]
    mode: NotRequired[pulumi.Input[Optional[Union[str, NodeProvisioningMode]]]]

class ManagedClusterNodeResourceGroupProfileArgsDict(TypedDict):
    restriction_level: NotRequired[pulumi.Input[Optional[Union[str, RestrictionLevel]]]]

class ManagedClusterOIDCIssuerProfileArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterPodIdentityArgsDict(TypedDict):
    identity: pulumi.Input[UserAssignedIdentityArgsDict]
    name: pulumi.Input[str]
    namespace: pulumi.Input[str]
    binding_selector: NotRequired[pulumi.Input[Optional[str]]]

class ManagedClusterPodIdentityExceptionArgsDict(TypedDict):
    name: pulumi.Input[str]
    namespace: pulumi.Input[str]
    pod_labels: pulumi.Input[Mapping[str, pulumi.Input[str]]]

class ManagedClusterPodIdentityProfileArgsDict(TypedDict):
    allow_network_plugin_kubenet: NotRequired[pulumi.Input[Optional[bool]]]
    enabled: NotRequired[pulumi.Input[Optional[bool]]]
    user_assigned_identities: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ManagedClusterPodIdentityArgsDict]]]]]
    user_assigned_identity_exceptions: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ManagedClusterPodIdentityExceptionArgsDict]]]]]

class ManagedClusterPropertiesAutoScalerProfileArgsDict(TypedDict):
    balance_similar_node_groups: NotRequired[pulumi.Input[Optional[str]]]
    daemonset_eviction_for_empty_nodes: NotRequired[pulumi.Input[Optional[bool]]]
    daemonset_eviction_for_occupied_nodes: NotRequired[pulumi.Input[Optional[bool]]]
    expander: NotRequired[pulumi.Input[Optional[Union[str, Expander]]]]
    ignore_daemonsets_utilization: NotRequired[pulumi.Input[Optional[bool]]]
    max_empty_bulk_delete: NotRequired[pulumi.Input[Optional[str]]]
    max_graceful_termination_sec: NotRequired[pulumi.Input[Optional[str]]]
    max_node_provision_time: NotRequired[pulumi.Input[Optional[str]]]
    max_total_unready_percentage: NotRequired[pulumi.Input[Optional[str]]]
    new_pod_scale_up_delay: NotRequired[pulumi.Input[Optional[str]]]
    ok_total_unready_count: NotRequired[pulumi.Input[Optional[str]]]
    scale_down_delay_after_add: NotRequired[pulumi.Input[Optional[str]]]
    scale_down_delay_after_delete: NotRequired[pulumi.Input[Optional[str]]]
    scale_down_delay_after_failure: NotRequired[pulumi.Input[Optional[str]]]
    scale_down_unneeded_time: NotRequired[pulumi.Input[Optional[str]]]
    scale_down_unready_time: NotRequired[pulumi.Input[Optional[str]]]
    scale_down_utilization_threshold: NotRequired[pulumi.Input[Optional[str]]]
    scan_interval: NotRequired[pulumi.Input[Optional[str]]]
    skip_nodes_with_local_storage: NotRequired[pulumi.Input[Optional[str]]]
    skip_nodes_with_system_pods: NotRequired[pulumi.Input[Optional[str]]]

class ManagedClusterSKUArgsDict(TypedDict):
    name: NotRequired[pulumi.Input[Optional[Union[str, ManagedClusterSKUName]]]]
    tier: NotRequired[pulumi.Input[Optional[Union[str, ManagedClusterSKUTier]]]]

class ManagedClusterSKUName(str, Enum):
    BASE = 'Base'
    AUTOMATIC = 'Automatic'

class ManagedClusterSKUTier(str, Enum):
    PREMIUM = 'Premium'
    STANDARD = 'Standard'
    FREE = 'Free'

class ManagedClusterSecurityProfileArgsDict(TypedDict):
    azure_key_vault_kms: NotRequired[pulumi.Input[Optional[AzureKeyVaultKmsArgsDict]]]
    custom_ca_trust_certificates: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    defender: NotRequired[pulumi.Input[Optional[ManagedClusterSecurityProfileDefenderArgsDict]]]
    image_cleaner: NotRequired[pulumi.Input[Optional[ManagedClusterSecurityProfileImageCleanerArgsDict]]]
    workload_identity: NotRequired[pulumi.Input[Optional[ManagedClusterSecurityProfileWorkloadIdentityArgsDict]]]

class ManagedClusterSecurityProfileDefenderArgsDict(TypedDict):
    log_analytics_workspace_resource_id: NotRequired[pulumi.Input[Optional[str]]]
    security_monitoring: NotRequired[pulumi.Input[Optional[ManagedClusterSecurityProfileDefenderSecurityMonitoringArgsDict]]]

class ManagedClusterSecurityProfileDefenderSecurityMonitoringArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterSecurityProfileImageCleanerArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]
    interval_hours: NotRequired[pulumi.Input[Optional[int]]]

class ManagedClusterSecurityProfileWorkloadIdentityArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterServicePrincipalProfileArgsDict(TypedDict):
    client_id: pulumi.Input[str]
    secret: NotRequired[pulumi.Input[Optional[str]]]

class ManagedClusterStaticEgressGatewayProfileArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterStorageProfileArgsDict(TypedDict):
    blob_csi_driver: NotRequired[pulumi.Input[Optional[ManagedClusterStorageProfileBlobCSIDriverArgsDict]]]
    disk_csi_driver: NotRequired[pulumi.Input[Optional[ManagedClusterStorageProfileDiskCSIDriverArgsDict]]]
    file_csi_driver: NotRequired[pulumi.Input[Optional[ManagedClusterStorageProfileFileCSIDriverArgsDict]]]
    snapshot_controller: NotRequired[pulumi.Input[Optional[ManagedClusterStorageProfileSnapshotControllerArgsDict]]]

class ManagedClusterStorageProfileBlobCSIDriverArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterStorageProfileDiskCSIDriverArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterStorageProfileFileCSIDriverArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterStorageProfileSnapshotControllerArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class ManagedClusterWindowsProfileArgsDict(TypedDict):
    admin_username: pulumi.Input[str]
    admin_password: NotRequired[pulumi.Input[Optional[str]]]
    enable_csi_proxy: NotRequired[pulumi.Input[Optional[bool]]]
    gmsa_profile: NotRequired[pulumi.Input[Optional[WindowsGmsaProfileArgsDict]]]
    license_type: NotRequired[pulumi.Input[Optional[Union[str, LicenseType]]]]

class ManagedClusterWorkloadAutoScalerProfileArgsDict(TypedDict):
    keda: NotRequired[pulumi.Input[Optional[ManagedClusterWorkloadAutoScalerProfileKedaArgsDict]]]
    vertical_pod_autoscaler: NotRequired[pulumi.Input[Optional[ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscalerArgsDict]]]

class ManagedClusterWorkloadAutoScalerProfileKedaArgsDict(TypedDict):
    enabled: pulumi.Input[bool]

class ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscalerArgsDict(TypedDict):
    enabled: pulumi.Input[bool]

class ManualScaleProfileArgsDict(TypedDict):
    count: NotRequired[pulumi.Input[Optional[int]]]
    size: NotRequired[pulumi.Input[Optional[str]]]

class NetworkDataplane(str, Enum):
    AZURE = 'azure'
    CILIUM = 'cilium'

class NetworkMode(str, Enum):
    TRANSPARENT = 'transparent'
    BRIDGE = 'bridge'

class NetworkPlugin(str, Enum):
    AZURE = 'azure'
    KUBENET = 'kubenet'
    NONE = 'none'

class NetworkPluginMode(str, Enum):
    OVERLAY = 'overlay'

class NetworkPolicy(str, Enum):
    NONE = 'none'
    CALICO = 'calico'
    AZURE = 'azure'
    CILIUM = 'cilium'

class NginxIngressControllerType(str, Enum):
    ANNOTATION_CONTROLLED = 'AnnotationControlled'
    EXTERNAL = 'External'
    INTERNAL = 'Internal'
    NONE = 'None'

class NodeOSUpgradeChannel(str, Enum):
    NONE = 'None'
    UNMANAGED = 'Unmanaged'
    NODE_IMAGE = 'NodeImage'
    SECURITY_PATCH = 'SecurityPatch'

class NodeProvisioningDefaultNodePools(str, Enum):
    NONE = 'None'
    AUTO = 'Auto'

class NodeProvisioningMode(str, Enum):
    MANUAL = 'Manual'
    AUTO = 'Auto'

class OSDiskType(str, Enum):
    MANAGED = 'Managed'
    EPHEMERAL = 'Ephemeral'

class OSSKU(str, Enum):
    UBUNTU = 'Ubuntu'
    AZURE_LINUX = 'AzureLinux'
    AZURE_LINUX3 = 'AzureLinux3'
    CBL_MARINER = 'CBLMariner'
    WINDOWS2019 = 'Windows2019'
    WINDOWS2022 = 'Windows2022'
    UBUNTU2204 = 'Ubuntu2204'

class OSType(str, Enum):
    LINUX = 'Linux'
    WINDOWS = 'Windows'

class OutboundType(str, Enum):
    LOAD_BALANCER = 'loadBalancer'
    USER_DEFINED_ROUTING = 'userDefinedRouting'
    MANAGED_NAT_GATEWAY = 'managedNATGateway'
    USER_ASSIGNED_NAT_GATEWAY = 'userAssignedNATGateway'
    NONE = 'none'

class PodIPAllocationMode(str, Enum):
    DYNAMIC_INDIVIDUAL = 'DynamicIndividual'
    STATIC_BLOCK = 'StaticBlock'

class PortRangeArgsDict(TypedDict):
    port_end: NotRequired[pulumi.Input[Optional[int]]]
    port_start: NotRequired[pulumi.Input[Optional[int]]]
    protocol: NotRequired[pulumi.Input[Optional[Union[str, Protocol]]]]

class PowerStateArgsDict(TypedDict):
    code: NotRequired[pulumi.Input[Optional[Union[str, Code]]]]

class PrivateLinkResourceArgsDict(TypedDict):
    group_id: NotRequired[pulumi.Input[Optional[str]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    required_members: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    type: NotRequired[pulumi.Input[Optional[str]]]

class Protocol(str, Enum):
    TCP = 'TCP'
    UDP = 'UDP'

class PublicNetworkAccess(str, Enum):
    ENABLED = 'Enabled'
    DISABLED = 'Disabled'

class RelativeMonthlyScheduleArgsDict(TypedDict):
    day_of_week: pulumi.Input[Union[str, WeekDay]]
    interval_months: pulumi.Input[int]
    week_index: pulumi.Input[Union[str, Type]]

class ResourceIdentityType(str, Enum):
    SYSTEM_ASSIGNED = 'SystemAssigned'
    USER_ASSIGNED = 'UserAssigned'
    NONE = 'None'

class ResourceReferenceArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]

class RestrictionLevel(str, Enum):
    UNRESTRICTED = 'Unrestricted'
    READ_ONLY = 'ReadOnly'

class ScaleDownMode(str, Enum):
    DELETE = 'Delete'
    DEALLOCATE = 'Deallocate'

class ScaleProfileArgsDict(TypedDict):
    manual: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ManualScaleProfileArgsDict]]]]]

class ScaleSetEvictionPolicy(str, Enum):
    DELETE = 'Delete'
    DEALLOCATE = 'Deallocate'

class ScaleSetPriority(str, Enum):
    SPOT = 'Spot'
    REGULAR = 'Regular'

class ScheduleArgsDict(TypedDict):
    absolute_monthly: NotRequired[pulumi.Input[Optional[AbsoluteMonthlyScheduleArgsDict]]]
    daily: NotRequired[pulumi.Input[Optional[DailyScheduleArgsDict]]]
    relative_monthly: NotRequired[pulumi.Input[Optional[RelativeMonthlyScheduleArgsDict]]]
    weekly: NotRequired[pulumi.Input[Optional[WeeklyScheduleArgsDict]]]

class ServiceMeshMode(str, Enum):
    ISTIO = 'Istio'
    DISABLED = 'Disabled'

class ServiceMeshProfileArgsDict(TypedDict):
    mode: pulumi.Input[Union[str, ServiceMeshMode]]
    istio: NotRequired[pulumi.Input[Optional[IstioServiceMeshArgsDict]]]

class SysctlConfigArgsDict(TypedDict):
    fs_aio_max_nr: NotRequired[pulumi.Input[Optional[int]]]
    fs_file_max: NotRequired[pulumi.Input[Optional[int]]]
    fs_inotify_max_user_watches: NotRequired[pulumi.Input[Optional[int]]]
    fs_nr_open: NotRequired[pulumi.Input[Optional[int]]]
    kernel_threads_max: NotRequired[pulumi.Input[Optional[int]]]
    net_core_netdev_max_backlog: NotRequired[pulumi.Input[Optional[int]]]
    net_core_optmem_max: NotRequired[pulumi.Input[Optional[int]]]
    net_core_rmem_default: NotRequired[pulumi.Input[Optional[int]]]
    net_core_rmem_max: NotRequired[pulumi.Input[Optional[int]]]
    net_core_somaxconn: NotRequired[pulumi.Input[Optional[int]]]
    net_core_wmem_default: NotRequired[pulumi.Input[Optional[int]]]
    net_core_wmem_max: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_ip_local_port_range: NotRequired[pulumi.Input[Optional[str]]]
    net_ipv4_neigh_default_gc_thresh1: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_neigh_default_gc_thresh2: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_neigh_default_gc_thresh3: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_tcp_fin_timeout: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_tcp_keepalive_probes: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_tcp_keepalive_time: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_tcp_max_syn_backlog: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_tcp_max_tw_buckets: NotRequired[pulumi.Input[Optional[int]]]
    net_ipv4_tcp_tw_reuse: NotRequired[pulumi.Input[Optional[bool]]]
    net_ipv4_tcpkeepalive_intvl: NotRequired[pulumi.Input[Optional[int]]]
    net_netfilter_nf_conntrack_buckets: NotRequired[pulumi.Input[Optional[int]]]
    net_netfilter_nf_conntrack_max: NotRequired[pulumi.Input[Optional[int]]]
    vm_max_map_count: NotRequired[pulumi.Input[Optional[int]]]
    vm_swappiness: NotRequired[pulumi.Input[Optional[int]]]
    vm_vfs_cache_pressure: NotRequired[pulumi.Input[Optional[int]]]

class TimeInWeekArgsDict(TypedDict):
    day: NotRequired[pulumi.Input[Optional[Union[str, WeekDay]]]]
    hour_slots: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[int]]]]]

class TimeSpanArgsDict(TypedDict):
    end: NotRequired[pulumi.Input[Optional[str]]]
    start: NotRequired[pulumi.Input[Optional[str]]]

class Type(str, Enum):
    FIRST = 'First'
    SECOND = 'Second'
    THIRD = 'Third'
    FOURTH = 'Fourth'
    LAST = 'Last'

class UndrainableNodeBehavior(str, Enum):
    CORDON = 'Cordon'
    SCHEDULE = 'Schedule'

class UpgradeChannel(str, Enum):
    RAPID = 'rapid'
    STABLE = 'stable'
    PATCH = 'patch'
    NODE_IMAGE = 'node-image'
    NONE = 'none'

class UpgradeOverrideSettingsArgsDict(TypedDict):
    force_upgrade: NotRequired[pulumi.Input[Optional[bool]]]
    until: NotRequired[pulumi.Input[Optional[str]]]

class UserAssignedIdentityArgsDict(TypedDict):
    client_id: NotRequired[pulumi.Input[Optional[str]]]
    object_id: NotRequired[pulumi.Input[Optional[str]]]
    resource_id: NotRequired[pulumi.Input[Optional[str]]]

class VirtualMachineNodesArgsDict(TypedDict):
    count: NotRequired[pulumi.Input[Optional[int]]]
    size: NotRequired[pulumi.Input[Optional[str]]]

class VirtualMachinesProfileArgsDict(TypedDict):
    scale: NotRequired[pulumi.Input[Optional[ScaleProfileArgsDict]]]

class WeekDay(str, Enum):
    SUNDAY = 'Sunday'
    MONDAY = 'Monday'
    TUESDAY = 'Tuesday'
    WEDNESDAY = 'Wednesday'
    THURSDAY = 'Thursday'
    FRIDAY = 'Friday'
    SATURDAY = 'Saturday'

class WeeklyScheduleArgsDict(TypedDict):
    day_of_week: pulumi.Input[Union[str, WeekDay]]
    interval_weeks: pulumi.Input[int]

class WindowsGmsaProfileArgsDict(TypedDict):
    dns_server: NotRequired[pulumi.Input[Optional[str]]]
    enabled: NotRequired[pulumi.Input[Optional[bool]]]
    root_domain_name: NotRequired[pulumi.Input[Optional[str]]]

class WorkloadRuntime(str, Enum):
    OCI_CONTAINER = 'OCIContainer'
    WASM_WASI = 'WasmWasi'
    KATA_VM_ISOLATION = 'KataVmIsolation'

def list_managed_cluster_user_credentials_output(format: pulumi.Input[Optional[Optional[str]]] = ..., resource_group_name: pulumi.Input[Optional[str]] = ..., resource_name: pulumi.Input[Optional[str]] = ..., server_fqdn: pulumi.Input[Optional[Optional[str]]] = ..., opts: Optional[Union[pulumi.InvokeOptions, pulumi.InvokeOutputOptions]] = ...) -> pulumi.Output[ListManagedClusterUserCredentialsResult]: ...
