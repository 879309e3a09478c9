# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class AbsoluteMonthlyScheduleResponse:
    day_of_month: int
    interval_months: int

class AdvancedNetworkingObservabilityResponse:
    enabled: Optional[bool]

class AdvancedNetworkingResponse:
    enabled: Optional[bool]
    observability: Optional[AdvancedNetworkingObservabilityResponse]
    security: Optional[AdvancedNetworkingSecurityResponse]

class AdvancedNetworkingSecurityResponse:
    advanced_network_policies: Optional[str]
    enabled: Optional[bool]

class AgentPoolGatewayProfileResponse:
    public_ip_prefix_size: Optional[int]

class AgentPoolNetworkProfileResponse:
    allowed_host_ports: Optional[Sequence[PortRangeResponse]]
    application_security_groups: Optional[Sequence[str]]
    node_public_ip_tags: Optional[Sequence[IPTagResponse]]

class AgentPoolSecurityProfileResponse:
    enable_secure_boot: Optional[bool]
    enable_vtpm: Optional[bool]
    ssh_access: Optional[str]

class AgentPoolStatusResponse:
    provisioning_error: ErrorDetailResponse

class AgentPoolUpgradeSettingsResponse:
    drain_timeout_in_minutes: Optional[int]
    max_surge: Optional[str]
    max_unavailable: Optional[str]
    node_soak_duration_in_minutes: Optional[int]
    undrainable_node_behavior: Optional[str]

class AgentPoolWindowsProfileResponse:
    disable_outbound_nat: Optional[bool]

class AzureKeyVaultKmsResponse:
    enabled: Optional[bool]
    key_id: Optional[str]
    key_vault_network_access: Optional[str]
    key_vault_resource_id: Optional[str]

class ClusterUpgradeSettingsResponse:
    override_settings: Optional[UpgradeOverrideSettingsResponse]

class ContainerServiceLinuxProfileResponse:
    admin_username: str
    ssh: ContainerServiceSshConfigurationResponse

class ContainerServiceNetworkProfileResponse:
    advanced_networking: Optional[AdvancedNetworkingResponse]
    dns_service_ip: Optional[str]
    ip_families: Optional[Sequence[str]]
    load_balancer_profile: Optional[ManagedClusterLoadBalancerProfileResponse]
    load_balancer_sku: Optional[str]
    nat_gateway_profile: Optional[ManagedClusterNATGatewayProfileResponse]
    network_dataplane: Optional[str]
    network_mode: Optional[str]
    network_plugin: Optional[str]
    network_plugin_mode: Optional[str]
    network_policy: Optional[str]
    outbound_type: Optional[str]
    pod_cidr: Optional[str]
    pod_cidrs: Optional[Sequence[str]]
    service_cidr: Optional[str]
    service_cidrs: Optional[Sequence[str]]
    static_egress_gateway_profile: Optional[ManagedClusterStaticEgressGatewayProfileResponse]

class ContainerServiceSshConfigurationResponse:
    public_keys: Sequence[ContainerServiceSshPublicKeyResponse]

class ContainerServiceSshPublicKeyResponse:
    key_data: str

class CreationDataResponse:
    source_resource_id: Optional[str]

class CredentialResultResponse:
    name: str
    value: str

class DailyScheduleResponse:
    interval_days: int

class DateSpanResponse:
    end: str
    start: str

class DelegatedResourceResponse:
    location: Optional[str]
    referral_resource: Optional[str]
    resource_id: Optional[str]
    tenant_id: Optional[str]

class ErrorAdditionalInfoResponse:
    info: Any
    type: str

class ErrorDetailResponse:
    additional_info: Sequence[ErrorAdditionalInfoResponse]
    code: str
    details: Sequence[ErrorDetailResponse]
    message: str
    target: str

class ExtendedLocationResponse:
    name: Optional[str]
    type: Optional[str]

class GPUProfileResponse:
    driver: Optional[str]

class IPTagResponse:
    ip_tag_type: Optional[str]
    tag: Optional[str]

class IstioCertificateAuthorityResponse:
    plugin: Optional[IstioPluginCertificateAuthorityResponse]

class IstioComponentsResponse:
    egress_gateways: Optional[Sequence[IstioEgressGatewayResponse]]
    ingress_gateways: Optional[Sequence[IstioIngressGatewayResponse]]

class IstioEgressGatewayResponse:
    enabled: bool
    name: str
    gateway_configuration_name: Optional[str]
    namespace: Optional[str]

class IstioIngressGatewayResponse:
    enabled: bool
    mode: str

class IstioPluginCertificateAuthorityResponse:
    cert_chain_object_name: Optional[str]
    cert_object_name: Optional[str]
    key_object_name: Optional[str]
    key_vault_id: Optional[str]
    root_cert_object_name: Optional[str]

class IstioServiceMeshResponse:
    certificate_authority: Optional[IstioCertificateAuthorityResponse]
    components: Optional[IstioComponentsResponse]
    revisions: Optional[Sequence[str]]

class KubeletConfigResponse:
    allowed_unsafe_sysctls: Optional[Sequence[str]]
    container_log_max_files: Optional[int]
    container_log_max_size_mb: Optional[int]
    cpu_cfs_quota: Optional[bool]
    cpu_cfs_quota_period: Optional[str]
    cpu_manager_policy: Optional[str]
    fail_swap_on: Optional[bool]
    image_gc_high_threshold: Optional[int]
    image_gc_low_threshold: Optional[int]
    pod_max_pids: Optional[int]
    topology_manager_policy: Optional[str]

class LinuxOSConfigResponse:
    swap_file_size_mb: Optional[int]
    sysctls: Optional[SysctlConfigResponse]
    transparent_huge_page_defrag: Optional[str]
    transparent_huge_page_enabled: Optional[str]

class LocalDNSOverrideResponse:
    cache_duration_in_seconds: Optional[int]
    forward_destination: Optional[str]
    forward_policy: Optional[str]
    max_concurrent: Optional[int]
    protocol: Optional[str]
    query_logging: Optional[str]
    serve_stale: Optional[str]
    serve_stale_duration_in_seconds: Optional[int]

class LocalDNSProfileResponse:
    state: str
    kube_dns_overrides: Optional[Mapping[str, LocalDNSOverrideResponse]]
    mode: Optional[str]
    vnet_dns_overrides: Optional[Mapping[str, LocalDNSOverrideResponse]]

class MaintenanceWindowResponse:
    duration_hours: int
    schedule: ScheduleResponse
    start_time: str
    not_allowed_dates: Optional[Sequence[DateSpanResponse]]
    start_date: Optional[str]
    utc_offset: Optional[str]

class ManagedClusterAADProfileResponse:
    admin_group_object_ids: Optional[Sequence[str]]
    client_app_id: Optional[str]
    enable_azure_rbac: Optional[bool]
    managed: Optional[bool]
    server_app_id: Optional[str]
    server_app_secret: Optional[str]
    tenant_id: Optional[str]

class ManagedClusterAIToolchainOperatorProfileResponse:
    enabled: Optional[bool]

class ManagedClusterAPIServerAccessProfileResponse:
    authorized_ip_ranges: Optional[Sequence[str]]
    disable_run_command: Optional[bool]
    enable_private_cluster: Optional[bool]
    enable_private_cluster_public_fqdn: Optional[bool]
    enable_vnet_integration: Optional[bool]
    private_dns_zone: Optional[str]
    subnet_id: Optional[str]

class ManagedClusterAddonProfileResponse:
    enabled: bool
    identity: ManagedClusterAddonProfileResponseIdentity
    config: Optional[Mapping[str, str]]

class ManagedClusterAddonProfileResponseIdentity:
    client_id: Optional[str]
    object_id: Optional[str]
    resource_id: Optional[str]

class ManagedClusterAgentPoolProfileResponse:
    current_orchestrator_version: str
    e_tag: str
    name: str
    node_image_version: str
    provisioning_state: str
    availability_zones: Optional[Sequence[str]]
    capacity_reservation_group_id: Optional[str]
    count: Optional[int]
    creation_data: Optional[CreationDataResponse]
    enable_auto_scaling: Optional[bool]
    enable_encryption_at_host: Optional[bool]
    enable_fips: Optional[bool]
    enable_node_public_ip: Optional[bool]
    enable_ultra_ssd: Optional[bool]
    gateway_profile: Optional[AgentPoolGatewayProfileResponse]
    gpu_instance_profile: Optional[str]
    gpu_profile: Optional[GPUProfileResponse]
    host_group_id: Optional[str]
    kubelet_config: Optional[KubeletConfigResponse]
    kubelet_disk_type: Optional[str]
    linux_os_config: Optional[LinuxOSConfigResponse]
    local_dns_profile: Optional[LocalDNSProfileResponse]
    max_count: Optional[int]
    max_pods: Optional[int]
    message_of_the_day: Optional[str]
    min_count: Optional[int]
    mode: Optional[str]
    network_profile: Optional[AgentPoolNetworkProfileResponse]
    node_labels: Optional[Mapping[str, str]]
    node_public_ip_prefix_id: Optional[str]
    node_taints: Optional[Sequence[str]]
    orchestrator_version: Optional[str]
    os_disk_size_gb: Optional[int]
    os_disk_type: Optional[str]
    os_sku: Optional[str]
    os_type: Optional[str]
    pod_ip_allocation_mode: Optional[str]
    pod_subnet_id: Optional[str]
    power_state: Optional[PowerStateResponse]
    proximity_placement_group_id: Optional[str]
    scale_down_mode: Optional[str]
    scale_set_eviction_policy: Optional[str]
    scale_set_priority: Optional[str]
    security_profile: Optional[AgentPoolSecurityProfileResponse]
    spot_max_price: Optional[float]
    status: Optional[AgentPoolStatusResponse]
    tags: Optional[Mapping[str, str]]
    type: Optional[str]
    upgrade_settings: Optional[AgentPoolUpgradeSettingsResponse]
    virtual_machine_nodes_status: Optional[Sequence[VirtualMachineNodesResponse]]
    virtual_machines_profile: Optional[VirtualMachinesProfileResponse]
    vm_size: Optional[str]
    vnet_subnet_id: Optional[str]
    windows_profile: Optional[AgentPoolWindowsProfileResponse]
    workload_runtime: Optional[str]

class ManagedClusterAutoUpgradeProfileResponse:
    node_os_upgrade_channel: Optional[str]
    upgrade_channel: Optional[str]

class ManagedClusterAzureMonitorProfileKubeStateMetricsResponse:
    metric_annotations_allow_list: Optional[str]
    metric_labels_allowlist: Optional[str]

class ManagedClusterAzureMonitorProfileMetricsResponse:
    enabled: bool
    kube_state_metrics: Optional[ManagedClusterAzureMonitorProfileKubeStateMetricsResponse]

class ManagedClusterAzureMonitorProfileResponse:
    metrics: Optional[ManagedClusterAzureMonitorProfileMetricsResponse]

class ManagedClusterBootstrapProfileResponse:
    artifact_source: Optional[str]
    container_registry_id: Optional[str]

class ManagedClusterCostAnalysisResponse:
    enabled: Optional[bool]

class ManagedClusterHTTPProxyConfigResponse:
    http_proxy: Optional[str]
    https_proxy: Optional[str]
    no_proxy: Optional[Sequence[str]]
    trusted_ca: Optional[str]

class ManagedClusterIdentityResponse:
    principal_id: str
    tenant_id: str
    delegated_resources: Optional[Mapping[str, DelegatedResourceResponse]]
    type: Optional[str]
    user_assigned_identities: Optional[Mapping[str, ManagedClusterIdentityResponseUserAssignedIdentities]]

class ManagedClusterIdentityResponseUserAssignedIdentities:
    client_id: str
    principal_id: str

class ManagedClusterIngressProfileNginxResponse:
    default_ingress_controller_type: Optional[str]

class ManagedClusterIngressProfileResponse:
    web_app_routing: Optional[ManagedClusterIngressProfileWebAppRoutingResponse]

class ManagedClusterIngressProfileWebAppRoutingResponse:
    identity: UserAssignedIdentityManagedClusterResponse
    dns_zone_resource_ids: Optional[Sequence[str]]
    enabled: Optional[bool]
    nginx: Optional[ManagedClusterIngressProfileNginxResponse]

class ManagedClusterLoadBalancerProfileResponse:
    effective_outbound_ips: Sequence[ResourceReferenceResponse]
    allocated_outbound_ports: Optional[int]
    backend_pool_type: Optional[str]
    enable_multiple_standard_load_balancers: Optional[bool]
    idle_timeout_in_minutes: Optional[int]
    managed_outbound_ips: Optional[ManagedClusterLoadBalancerProfileResponseManagedOutboundIPs]
    outbound_ip_prefixes: Optional[ManagedClusterLoadBalancerProfileResponseOutboundIPPrefixes]
    outbound_ips: Optional[ManagedClusterLoadBalancerProfileResponseOutboundIPs]

class ManagedClusterLoadBalancerProfileResponseManagedOutboundIPs:
    count: Optional[int]
    count_i_pv6: Optional[int]

class ManagedClusterLoadBalancerProfileResponseOutboundIPPrefixes:
    public_ip_prefixes: Optional[Sequence[ResourceReferenceResponse]]

class ManagedClusterLoadBalancerProfileResponseOutboundIPs:
    public_ips: Optional[Sequence[ResourceReferenceResponse]]

class ManagedClusterManagedOutboundIPProfileResponse:
    count: Optional[int]

class ManagedClusterMetricsProfileResponse:
    cost_analysis: Optional[ManagedClusterCostAnalysisResponse]

class ManagedClusterNATGatewayProfileResponse:
    effective_outbound_ips: Sequence[ResourceReferenceResponse]
    idle_timeout_in_minutes: Optional[int]
    managed_outbound_ip_profile: Optional[ManagedClusterManagedOutboundIPProfileResponse]

class ManagedClusterNodeProvisioningProfileResponse:
    default_node_pools: Optional[str]
    mode: Optional[str]

class ManagedClusterNodeResourceGroupProfileResponse:
    restriction_level: Optional[str]

class ManagedClusterOIDCIssuerProfileResponse:
    issuer_url: str
    enabled: Optional[bool]

class ManagedClusterPodIdentityExceptionResponse:
    name: str
    namespace: str
    pod_labels: Mapping[str, str]

class ManagedClusterPodIdentityProfileResponse:
    allow_network_plugin_kubenet: Optional[bool]
    enabled: Optional[bool]
    user_assigned_identities: Optional[Sequence[ManagedClusterPodIdentityResponse]]
    user_assigned_identity_exceptions: Optional[Sequence[ManagedClusterPodIdentityExceptionResponse]]

class ManagedClusterPodIdentityProvisioningErrorBodyResponse:
    code: Optional[str]
    details: Optional[Sequence[ManagedClusterPodIdentityProvisioningErrorBodyResponse]]
    message: Optional[str]
    target: Optional[str]

class ManagedClusterPodIdentityProvisioningErrorResponse:
    error: Optional[ManagedClusterPodIdentityProvisioningErrorBodyResponse]

class ManagedClusterPodIdentityResponse:
    identity: UserAssignedIdentityManagedClusterResponse
    name: str
    namespace: str
    provisioning_info: ManagedClusterPodIdentityResponseProvisioningInfo
    provisioning_state: str
    binding_selector: Optional[str]

class ManagedClusterPodIdentityResponseProvisioningInfo:
    error: Optional[ManagedClusterPodIdentityProvisioningErrorResponse]

class ManagedClusterPropertiesResponseAutoScalerProfile:
    balance_similar_node_groups: Optional[str]
    daemonset_eviction_for_empty_nodes: Optional[bool]
    daemonset_eviction_for_occupied_nodes: Optional[bool]
    expander: Optional[str]
    ignore_daemonsets_utilization: Optional[bool]
    max_empty_bulk_delete: Optional[str]
    max_graceful_termination_sec: Optional[str]
    max_node_provision_time: Optional[str]
    max_total_unready_percentage: Optional[str]
    new_pod_scale_up_delay: Optional[str]
    ok_total_unready_count: Optional[str]
    scale_down_delay_after_add: Optional[str]
    scale_down_delay_after_delete: Optional[str]
    scale_down_delay_after_failure: Optional[str]
    scale_down_unneeded_time: Optional[str]
    scale_down_unready_time: Optional[str]
    scale_down_utilization_threshold: Optional[str]
    scan_interval: Optional[str]
    skip_nodes_with_local_storage: Optional[str]
    skip_nodes_with_system_pods: Optional[str]

class ManagedClusterSKUResponse:
    name: Optional[str]
    tier: Optional[str]

class ManagedClusterSecurityProfileDefenderResponse:
    log_analytics_workspace_resource_id: Optional[str]
    security_monitoring: Optional[ManagedClusterSecurityProfileDefenderSecurityMonitoringResponse]

class ManagedClusterSecurityProfileDefenderSecurityMonitoringResponse:
    enabled: Optional[bool]

class ManagedClusterSecurityProfileImageCleanerResponse:
    enabled: Optional[bool]
    interval_hours: Optional[int]

class ManagedClusterSecurityProfileResponse:
    azure_key_vault_kms: Optional[AzureKeyVaultKmsResponse]
    custom_ca_trust_certificates: Optional[Sequence[str]]
    defender: Optional[ManagedClusterSecurityProfileDefenderResponse]
    image_cleaner: Optional[ManagedClusterSecurityProfileImageCleanerResponse]
    workload_identity: Optional[ManagedClusterSecurityProfileWorkloadIdentityResponse]

class ManagedClusterSecurityProfileWorkloadIdentityResponse:
    enabled: Optional[bool]

class ManagedClusterServicePrincipalProfileResponse:
    client_id: str
    secret: Optional[str]

class ManagedClusterStaticEgressGatewayProfileResponse:
    enabled: Optional[bool]

class ManagedClusterStatusResponse:
    provisioning_error: ErrorDetailResponse

class ManagedClusterStorageProfileBlobCSIDriverResponse:
    enabled: Optional[bool]

class ManagedClusterStorageProfileDiskCSIDriverResponse:
    enabled: Optional[bool]

class ManagedClusterStorageProfileFileCSIDriverResponse:
    enabled: Optional[bool]

class ManagedClusterStorageProfileResponse:
    blob_csi_driver: Optional[ManagedClusterStorageProfileBlobCSIDriverResponse]
    disk_csi_driver: Optional[ManagedClusterStorageProfileDiskCSIDriverResponse]
    file_csi_driver: Optional[ManagedClusterStorageProfileFileCSIDriverResponse]
    snapshot_controller: Optional[ManagedClusterStorageProfileSnapshotControllerResponse]

class ManagedClusterStorageProfileSnapshotControllerResponse:
    enabled: Optional[bool]

class ManagedClusterWindowsProfileResponse:
    admin_username: str
    admin_password: Optional[str]
    enable_csi_proxy: Optional[bool]
    gmsa_profile: Optional[WindowsGmsaProfileResponse]
    license_type: Optional[str]

class ManagedClusterWorkloadAutoScalerProfileKedaResponse:
    enabled: bool

class ManagedClusterWorkloadAutoScalerProfileResponse:
    keda: Optional[ManagedClusterWorkloadAutoScalerProfileKedaResponse]
    vertical_pod_autoscaler: Optional[ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscalerResponse]

class ManagedClusterWorkloadAutoScalerProfileVerticalPodAutoscalerResponse:
    enabled: bool

class ManualScaleProfileResponse:
    count: Optional[int]
    size: Optional[str]

class PortRangeResponse:
    port_end: Optional[int]
    port_start: Optional[int]
    protocol: Optional[str]

class PowerStateResponse:
    code: Optional[str]

class PrivateLinkResourceResponse:
    private_link_service_id: str
    group_id: Optional[str]
    id: Optional[str]
    name: Optional[str]
    required_members: Optional[Sequence[str]]
    type: Optional[str]

class RelativeMonthlyScheduleResponse:
    day_of_week: str
    interval_months: int
    week_index: str

class ResourceReferenceResponse:
    id: Optional[str]

class ScaleProfileResponse:
    manual: Optional[Sequence[ManualScaleProfileResponse]]

class ScheduleResponse:
    absolute_monthly: Optional[AbsoluteMonthlyScheduleResponse]
    daily: Optional[DailyScheduleResponse]
    relative_monthly: Optional[RelativeMonthlyScheduleResponse]
    weekly: Optional[WeeklyScheduleResponse]

class ServiceMeshProfileResponse:
    mode: str
    istio: Optional[IstioServiceMeshResponse]

class SysctlConfigResponse:
    fs_aio_max_nr: Optional[int]
    fs_file_max: Optional[int]
    fs_inotify_max_user_watches: Optional[int]
    fs_nr_open: Optional[int]
    kernel_threads_max: Optional[int]
    net_core_netdev_max_backlog: Optional[int]
    net_core_optmem_max: Optional[int]
    net_core_rmem_default: Optional[int]
    net_core_rmem_max: Optional[int]
    net_core_somaxconn: Optional[int]
    net_core_wmem_default: Optional[int]
    net_core_wmem_max: Optional[int]
    net_ipv4_ip_local_port_range: Optional[str]
    net_ipv4_neigh_default_gc_thresh1: Optional[int]
    net_ipv4_neigh_default_gc_thresh2: Optional[int]
    net_ipv4_neigh_default_gc_thresh3: Optional[int]
    net_ipv4_tcp_fin_timeout: Optional[int]
    net_ipv4_tcp_keepalive_probes: Optional[int]
    net_ipv4_tcp_keepalive_time: Optional[int]
    net_ipv4_tcp_max_syn_backlog: Optional[int]
    net_ipv4_tcp_max_tw_buckets: Optional[int]
    net_ipv4_tcp_tw_reuse: Optional[bool]
    net_ipv4_tcpkeepalive_intvl: Optional[int]
    net_netfilter_nf_conntrack_buckets: Optional[int]
    net_netfilter_nf_conntrack_max: Optional[int]
    vm_max_map_count: Optional[int]
    vm_swappiness: Optional[int]
    vm_vfs_cache_pressure: Optional[int]

class SystemDataResponse:
    created_at: Optional[str]
    created_by: Optional[str]
    created_by_type: Optional[str]
    last_modified_at: Optional[str]
    last_modified_by: Optional[str]
    last_modified_by_type: Optional[str]

class TimeInWeekResponse:
    day: Optional[str]
    hour_slots: Optional[Sequence[int]]

class TimeSpanResponse:
    end: Optional[str]
    start: Optional[str]

class UpgradeOverrideSettingsResponse:
    force_upgrade: Optional[bool]
    until: Optional[str]

class UserAssignedIdentityManagedClusterResponse:
    client_id: Optional[str]
    object_id: Optional[str]
    resource_id: Optional[str]

class VirtualMachineNodesResponse:
    count: Optional[int]
    size: Optional[str]

class VirtualMachinesProfileResponse:
    scale: Optional[ScaleProfileResponse]

class WeeklyScheduleResponse:
    day_of_week: str
    interval_weeks: int

class WindowsGmsaProfileResponse:
    dns_server: Optional[str]
    enabled: Optional[bool]
    root_domain_name: Optional[str]
