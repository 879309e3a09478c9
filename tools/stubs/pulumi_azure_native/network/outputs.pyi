# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class AddressSpaceResponse:
    address_prefixes: Optional[Sequence[str]]
    ipam_pool_prefix_allocations: Optional[Sequence[IpamPoolPrefixAllocationResponse]]

class ApplicationGatewayBackendAddressPoolResponse:
    backend_ip_configurations: Sequence[NetworkInterfaceIPConfigurationResponse]
    etag: str
    provisioning_state: str
    type: str
    backend_addresses: Optional[Sequence[ApplicationGatewayBackendAddressResponse]]
    id: Optional[str]
    name: Optional[str]

class ApplicationGatewayBackendAddressResponse:
    fqdn: Optional[str]
    ip_address: Optional[str]

class ApplicationGatewayIPConfigurationResponse:
    etag: str
    provisioning_state: str
    type: str
    id: Optional[str]
    name: Optional[str]
    subnet: Optional[SubResourceResponse]

class ApplicationSecurityGroupResponse:
    etag: str
    name: str
    provisioning_state: str
    resource_guid: str
    type: str
    id: Optional[str]
    location: Optional[str]
    tags: Optional[Mapping[str, str]]

class BackendAddressPoolResponse:
    backend_ip_configurations: Sequence[NetworkInterfaceIPConfigurationResponse]
    etag: str
    inbound_nat_rules: Sequence[SubResourceResponse]
    load_balancing_rules: Sequence[SubResourceResponse]
    outbound_rule: SubResourceResponse
    outbound_rules: Sequence[SubResourceResponse]
    provisioning_state: str
    type: str
    drain_period_in_seconds: Optional[int]
    id: Optional[str]
    load_balancer_backend_addresses: Optional[Sequence[LoadBalancerBackendAddressResponse]]
    location: Optional[str]
    name: Optional[str]
    sync_mode: Optional[str]
    tunnel_interfaces: Optional[Sequence[GatewayLoadBalancerTunnelInterfaceResponse]]
    virtual_network: Optional[SubResourceResponse]

class CustomDnsConfigPropertiesFormatResponse:
    fqdn: Optional[str]
    ip_addresses: Optional[Sequence[str]]

class DdosSettingsResponse:
    ddos_protection_plan: Optional[SubResourceResponse]
    protection_mode: Optional[str]

class DelegationResponse:
    actions: Sequence[str]
    etag: str
    provisioning_state: str
    id: Optional[str]
    name: Optional[str]
    service_name: Optional[str]
    type: Optional[str]

class DhcpOptionsResponse:
    dns_servers: Optional[Sequence[str]]

class ExtendedLocationResponse:
    name: Optional[str]
    type: Optional[str]

class FlowLogFormatParametersResponse:
    type: Optional[str]
    version: Optional[int]

class FlowLogResponse:
    etag: str
    name: str
    provisioning_state: str
    storage_id: str
    target_resource_guid: str
    target_resource_id: str
    type: str
    enabled: Optional[bool]
    enabled_filtering_criteria: Optional[str]
    flow_analytics_configuration: Optional[TrafficAnalyticsPropertiesResponse]
    format: Optional[FlowLogFormatParametersResponse]
    id: Optional[str]
    identity: Optional[ManagedServiceIdentityResponse]
    location: Optional[str]
    retention_policy: Optional[RetentionPolicyParametersResponse]
    tags: Optional[Mapping[str, str]]

class FrontendIPConfigurationResponse:
    etag: str
    inbound_nat_pools: Sequence[SubResourceResponse]
    inbound_nat_rules: Sequence[SubResourceResponse]
    load_balancing_rules: Sequence[SubResourceResponse]
    outbound_rules: Sequence[SubResourceResponse]
    provisioning_state: str
    type: str
    gateway_load_balancer: Optional[SubResourceResponse]
    id: Optional[str]
    name: Optional[str]
    private_ip_address: Optional[str]
    private_ip_address_version: Optional[str]
    private_ip_allocation_method: Optional[str]
    public_ip_address: Optional[PublicIPAddressResponse]
    public_ip_prefix: Optional[SubResourceResponse]
    subnet: Optional[SubnetResponse]
    zones: Optional[Sequence[str]]

class GatewayLoadBalancerTunnelInterfaceResponse:
    identifier: Optional[int]
    port: Optional[int]
    protocol: Optional[str]
    type: Optional[str]

class IPConfigurationProfileResponse:
    etag: str
    provisioning_state: str
    type: str
    id: Optional[str]
    name: Optional[str]
    subnet: Optional[SubnetResponse]

class IPConfigurationResponse:
    etag: str
    provisioning_state: str
    id: Optional[str]
    name: Optional[str]
    private_ip_address: Optional[str]
    private_ip_allocation_method: Optional[str]
    public_ip_address: Optional[PublicIPAddressResponse]
    subnet: Optional[SubnetResponse]

class InboundNatRuleResponse:
    backend_ip_configuration: NetworkInterfaceIPConfigurationResponse
    etag: str
    provisioning_state: str
    type: str
    backend_address_pool: Optional[SubResourceResponse]
    backend_port: Optional[int]
    enable_floating_ip: Optional[bool]
    enable_tcp_reset: Optional[bool]
    frontend_ip_configuration: Optional[SubResourceResponse]
    frontend_port: Optional[int]
    frontend_port_range_end: Optional[int]
    frontend_port_range_start: Optional[int]
    id: Optional[str]
    idle_timeout_in_minutes: Optional[int]
    name: Optional[str]
    protocol: Optional[str]

class IpTagResponse:
    ip_tag_type: Optional[str]
    tag: Optional[str]

class IpamPoolPrefixAllocationResponse:
    allocated_address_prefixes: Sequence[str]
    id: Optional[str]
    number_of_ip_addresses: Optional[str]

class LoadBalancerBackendAddressResponse:
    inbound_nat_rules_port_mapping: Sequence[NatRulePortMappingResponse]
    network_interface_ip_configuration: SubResourceResponse
    admin_state: Optional[str]
    ip_address: Optional[str]
    load_balancer_frontend_ip_configuration: Optional[SubResourceResponse]
    name: Optional[str]
    subnet: Optional[SubResourceResponse]
    virtual_network: Optional[SubResourceResponse]

class ManagedServiceIdentityResponse:
    principal_id: str
    tenant_id: str
    type: Optional[str]
    user_assigned_identities: Optional[Mapping[str, ManagedServiceIdentityResponseUserAssignedIdentities]]

class ManagedServiceIdentityResponseUserAssignedIdentities:
    client_id: str
    principal_id: str

class NatGatewayResponse:
    etag: str
    name: str
    provisioning_state: str
    resource_guid: str
    subnets: Sequence[SubResourceResponse]
    type: str
    id: Optional[str]
    idle_timeout_in_minutes: Optional[int]
    location: Optional[str]
    public_ip_addresses: Optional[Sequence[SubResourceResponse]]
    public_ip_prefixes: Optional[Sequence[SubResourceResponse]]
    sku: Optional[NatGatewaySkuResponse]
    tags: Optional[Mapping[str, str]]
    zones: Optional[Sequence[str]]

class NatGatewaySkuResponse:
    name: Optional[str]

class NatRulePortMappingResponse:
    backend_port: Optional[int]
    frontend_port: Optional[int]
    inbound_nat_rule_name: Optional[str]

class NetworkInterfaceDnsSettingsResponse:
    applied_dns_servers: Sequence[str]
    internal_domain_name_suffix: str
    internal_fqdn: str
    dns_servers: Optional[Sequence[str]]
    internal_dns_name_label: Optional[str]

class NetworkInterfaceIPConfigurationPrivateLinkConnectionPropertiesResponse:
    fqdns: Sequence[str]
    group_id: str
    required_member_name: str

class NetworkInterfaceIPConfigurationResponse:
    etag: str
    private_link_connection_properties: NetworkInterfaceIPConfigurationPrivateLinkConnectionPropertiesResponse
    provisioning_state: str
    application_gateway_backend_address_pools: Optional[Sequence[ApplicationGatewayBackendAddressPoolResponse]]
    application_security_groups: Optional[Sequence[ApplicationSecurityGroupResponse]]
    gateway_load_balancer: Optional[SubResourceResponse]
    id: Optional[str]
    load_balancer_backend_address_pools: Optional[Sequence[BackendAddressPoolResponse]]
    load_balancer_inbound_nat_rules: Optional[Sequence[InboundNatRuleResponse]]
    name: Optional[str]
    primary: Optional[bool]
    private_ip_address: Optional[str]
    private_ip_address_prefix_length: Optional[int]
    private_ip_address_version: Optional[str]
    private_ip_allocation_method: Optional[str]
    public_ip_address: Optional[PublicIPAddressResponse]
    subnet: Optional[SubnetResponse]
    type: Optional[str]
    virtual_network_taps: Optional[Sequence[VirtualNetworkTapResponse]]

class NetworkInterfaceResponse:
    default_outbound_connectivity_enabled: bool
    dscp_configuration: SubResourceResponse
    etag: str
    hosted_workloads: Sequence[str]
    mac_address: str
    name: str
    primary: bool
    private_endpoint: PrivateEndpointResponse
    provisioning_state: str
    resource_guid: str
    tap_configurations: Sequence[NetworkInterfaceTapConfigurationResponse]
    type: str
    virtual_machine: SubResourceResponse
    vnet_encryption_supported: bool
    auxiliary_mode: Optional[str]
    auxiliary_sku: Optional[str]
    disable_tcp_state_tracking: Optional[bool]
    dns_settings: Optional[NetworkInterfaceDnsSettingsResponse]
    enable_accelerated_networking: Optional[bool]
    enable_ip_forwarding: Optional[bool]
    extended_location: Optional[ExtendedLocationResponse]
    id: Optional[str]
    ip_configurations: Optional[Sequence[NetworkInterfaceIPConfigurationResponse]]
    location: Optional[str]
    migration_phase: Optional[str]
    network_security_group: Optional[NetworkSecurityGroupResponse]
    nic_type: Optional[str]
    private_link_service: Optional[PrivateLinkServiceResponse]
    tags: Optional[Mapping[str, str]]
    workload_type: Optional[str]

class NetworkInterfaceTapConfigurationResponse:
    etag: str
    provisioning_state: str
    type: str
    id: Optional[str]
    name: Optional[str]
    virtual_network_tap: Optional[VirtualNetworkTapResponse]

class NetworkSecurityGroupResponse:
    default_security_rules: Sequence[SecurityRuleResponse]
    etag: str
    flow_logs: Sequence[FlowLogResponse]
    name: str
    network_interfaces: Sequence[NetworkInterfaceResponse]
    provisioning_state: str
    resource_guid: str
    subnets: Sequence[SubnetResponse]
    type: str
    flush_connection: Optional[bool]
    id: Optional[str]
    location: Optional[str]
    security_rules: Optional[Sequence[SecurityRuleResponse]]
    tags: Optional[Mapping[str, str]]

class PrivateEndpointConnectionResponse:
    etag: str
    link_identifier: str
    private_endpoint: PrivateEndpointResponse
    private_endpoint_location: str
    provisioning_state: str
    type: str
    id: Optional[str]
    name: Optional[str]
    private_link_service_connection_state: Optional[PrivateLinkServiceConnectionStateResponse]

class PrivateEndpointIPConfigurationResponse:
    etag: str
    type: str
    group_id: Optional[str]
    member_name: Optional[str]
    name: Optional[str]
    private_ip_address: Optional[str]

class PrivateEndpointResponse:
    etag: str
    name: str
    network_interfaces: Sequence[NetworkInterfaceResponse]
    provisioning_state: str
    type: str
    application_security_groups: Optional[Sequence[ApplicationSecurityGroupResponse]]
    custom_dns_configs: Optional[Sequence[CustomDnsConfigPropertiesFormatResponse]]
    custom_network_interface_name: Optional[str]
    extended_location: Optional[ExtendedLocationResponse]
    id: Optional[str]
    ip_configurations: Optional[Sequence[PrivateEndpointIPConfigurationResponse]]
    location: Optional[str]
    manual_private_link_service_connections: Optional[Sequence[PrivateLinkServiceConnectionResponse]]
    private_link_service_connections: Optional[Sequence[PrivateLinkServiceConnectionResponse]]
    subnet: Optional[SubnetResponse]
    tags: Optional[Mapping[str, str]]

class PrivateLinkServiceConnectionResponse:
    etag: str
    provisioning_state: str
    type: str
    group_ids: Optional[Sequence[str]]
    id: Optional[str]
    name: Optional[str]
    private_link_service_connection_state: Optional[PrivateLinkServiceConnectionStateResponse]
    private_link_service_id: Optional[str]
    request_message: Optional[str]

class PrivateLinkServiceConnectionStateResponse:
    actions_required: Optional[str]
    description: Optional[str]
    status: Optional[str]

class PrivateLinkServiceIpConfigurationResponse:
    etag: str
    provisioning_state: str
    type: str
    id: Optional[str]
    name: Optional[str]
    primary: Optional[bool]
    private_ip_address: Optional[str]
    private_ip_address_version: Optional[str]
    private_ip_allocation_method: Optional[str]
    subnet: Optional[SubnetResponse]

class PrivateLinkServicePropertiesResponseAutoApproval:
    subscriptions: Optional[Sequence[str]]

class PrivateLinkServicePropertiesResponseVisibility:
    subscriptions: Optional[Sequence[str]]

class PrivateLinkServiceResponse:
    alias: str
    etag: str
    name: str
    network_interfaces: Sequence[NetworkInterfaceResponse]
    private_endpoint_connections: Sequence[PrivateEndpointConnectionResponse]
    provisioning_state: str
    type: str
    auto_approval: Optional[PrivateLinkServicePropertiesResponseAutoApproval]
    destination_ip_address: Optional[str]
    enable_proxy_protocol: Optional[bool]
    extended_location: Optional[ExtendedLocationResponse]
    fqdns: Optional[Sequence[str]]
    id: Optional[str]
    ip_configurations: Optional[Sequence[PrivateLinkServiceIpConfigurationResponse]]
    load_balancer_frontend_ip_configurations: Optional[Sequence[FrontendIPConfigurationResponse]]
    location: Optional[str]
    tags: Optional[Mapping[str, str]]
    visibility: Optional[PrivateLinkServicePropertiesResponseVisibility]

class PublicIPAddressDnsSettingsResponse:
    domain_name_label: Optional[str]
    domain_name_label_scope: Optional[str]
    fqdn: Optional[str]
    reverse_fqdn: Optional[str]

class PublicIPAddressResponse:
    etag: str
    ip_configuration: IPConfigurationResponse
    name: str
    provisioning_state: str
    resource_guid: str
    type: str
    ddos_settings: Optional[DdosSettingsResponse]
    delete_option: Optional[str]
    dns_settings: Optional[PublicIPAddressDnsSettingsResponse]
    extended_location: Optional[ExtendedLocationResponse]
    id: Optional[str]
    idle_timeout_in_minutes: Optional[int]
    ip_address: Optional[str]
    ip_tags: Optional[Sequence[IpTagResponse]]
    linked_public_ip_address: Optional[PublicIPAddressResponse]
    location: Optional[str]
    migration_phase: Optional[str]
    nat_gateway: Optional[NatGatewayResponse]
    public_ip_address_version: Optional[str]
    public_ip_allocation_method: Optional[str]
    public_ip_prefix: Optional[SubResourceResponse]
    service_public_ip_address: Optional[PublicIPAddressResponse]
    sku: Optional[PublicIPAddressSkuResponse]
    tags: Optional[Mapping[str, str]]
    zones: Optional[Sequence[str]]

class PublicIPAddressSkuResponse:
    name: Optional[str]
    tier: Optional[str]

class ResourceNavigationLinkResponse:
    etag: str
    id: str
    provisioning_state: str
    type: str
    link: Optional[str]
    linked_resource_type: Optional[str]
    name: Optional[str]

class RetentionPolicyParametersResponse:
    days: Optional[int]
    enabled: Optional[bool]

class RouteResponse:
    etag: str
    has_bgp_override: bool
    next_hop_type: str
    provisioning_state: str
    address_prefix: Optional[str]
    id: Optional[str]
    name: Optional[str]
    next_hop_ip_address: Optional[str]
    type: Optional[str]

class RouteTableResponse:
    etag: str
    name: str
    provisioning_state: str
    resource_guid: str
    subnets: Sequence[SubnetResponse]
    type: str
    disable_bgp_route_propagation: Optional[bool]
    id: Optional[str]
    location: Optional[str]
    routes: Optional[Sequence[RouteResponse]]
    tags: Optional[Mapping[str, str]]

class SecurityRuleResponse:
    access: str
    direction: str
    etag: str
    priority: int
    protocol: str
    provisioning_state: str
    description: Optional[str]
    destination_address_prefix: Optional[str]
    destination_address_prefixes: Optional[Sequence[str]]
    destination_application_security_groups: Optional[Sequence[ApplicationSecurityGroupResponse]]
    destination_port_range: Optional[str]
    destination_port_ranges: Optional[Sequence[str]]
    id: Optional[str]
    name: Optional[str]
    source_address_prefix: Optional[str]
    source_address_prefixes: Optional[Sequence[str]]
    source_application_security_groups: Optional[Sequence[ApplicationSecurityGroupResponse]]
    source_port_range: Optional[str]
    source_port_ranges: Optional[Sequence[str]]
    type: Optional[str]

class ServiceAssociationLinkResponse:
    etag: str
    provisioning_state: str
    type: str
    allow_delete: Optional[bool]
    id: Optional[str]
    link: Optional[str]
    linked_resource_type: Optional[str]
    locations: Optional[Sequence[str]]
    name: Optional[str]

class ServiceEndpointPolicyDefinitionResponse:
    etag: str
    provisioning_state: str
    description: Optional[str]
    id: Optional[str]
    name: Optional[str]
    service: Optional[str]
    service_resources: Optional[Sequence[str]]
    type: Optional[str]

class ServiceEndpointPolicyResponse:
    etag: str
    kind: str
    name: str
    provisioning_state: str
    resource_guid: str
    subnets: Sequence[SubnetResponse]
    type: str
    contextual_service_endpoint_policies: Optional[Sequence[str]]
    id: Optional[str]
    location: Optional[str]
    service_alias: Optional[str]
    service_endpoint_policy_definitions: Optional[Sequence[ServiceEndpointPolicyDefinitionResponse]]
    tags: Optional[Mapping[str, str]]

class ServiceEndpointPropertiesFormatResponse:
    provisioning_state: str
    locations: Optional[Sequence[str]]
    network_identifier: Optional[SubResourceResponse]
    service: Optional[str]

class SubResourceResponse:
    id: Optional[str]

class SubnetResponse:
    etag: str
    ip_configuration_profiles: Sequence[IPConfigurationProfileResponse]
    ip_configurations: Sequence[IPConfigurationResponse]
    private_endpoints: Sequence[PrivateEndpointResponse]
    provisioning_state: str
    purpose: str
    resource_navigation_links: Sequence[ResourceNavigationLinkResponse]
    service_association_links: Sequence[ServiceAssociationLinkResponse]
    address_prefix: Optional[str]
    address_prefixes: Optional[Sequence[str]]
    application_gateway_ip_configurations: Optional[Sequence[ApplicationGatewayIPConfigurationResponse]]
    default_outbound_access: Optional[bool]
    delegations: Optional[Sequence[DelegationResponse]]
    id: Optional[str]
    ip_allocations: Optional[Sequence[SubResourceResponse]]
    ipam_pool_prefix_allocations: Optional[Sequence[IpamPoolPrefixAllocationResponse]]
    name: Optional[str]
    nat_gateway: Optional[SubResourceResponse]
    network_security_group: Optional[NetworkSecurityGroupResponse]
    private_endpoint_network_policies: Optional[str]
    private_link_service_network_policies: Optional[str]
    route_table: Optional[RouteTableResponse]
    service_endpoint_policies: Optional[Sequence[ServiceEndpointPolicyResponse]]
    service_endpoints: Optional[Sequence[ServiceEndpointPropertiesFormatResponse]]
    sharing_scope: Optional[str]
    type: Optional[str]

class TrafficAnalyticsConfigurationPropertiesResponse:
    enabled: Optional[bool]
    traffic_analytics_interval: Optional[int]
    workspace_id: Optional[str]
    workspace_region: Optional[str]
    workspace_resource_id: Optional[str]

class TrafficAnalyticsPropertiesResponse:
    network_watcher_flow_analytics_configuration: Optional[TrafficAnalyticsConfigurationPropertiesResponse]

class VirtualNetworkBgpCommunitiesResponse:
    regional_community: str
    virtual_network_community: str

class VirtualNetworkEncryptionResponse:
    enabled: bool
    enforcement: Optional[str]

class VirtualNetworkPeeringVirtualNetworkResponse:
    etag: str
    provisioning_state: str
    remote_virtual_network_encryption: VirtualNetworkEncryptionResponse
    resource_guid: str
    allow_forwarded_traffic: Optional[bool]
    allow_gateway_transit: Optional[bool]
    allow_virtual_network_access: Optional[bool]
    do_not_verify_remote_gateways: Optional[bool]
    enable_only_i_pv6_peering: Optional[bool]
    id: Optional[str]
    local_address_space: Optional[AddressSpaceResponse]
    local_subnet_names: Optional[Sequence[str]]
    local_virtual_network_address_space: Optional[AddressSpaceResponse]
    name: Optional[str]
    peer_complete_vnets: Optional[bool]
    peering_state: Optional[str]
    peering_sync_level: Optional[str]
    remote_address_space: Optional[AddressSpaceResponse]
    remote_bgp_communities: Optional[VirtualNetworkBgpCommunitiesResponse]
    remote_subnet_names: Optional[Sequence[str]]
    remote_virtual_network: Optional[SubResourceResponse]
    remote_virtual_network_address_space: Optional[AddressSpaceResponse]
    type: Optional[str]
    use_remote_gateways: Optional[bool]

class VirtualNetworkTapResponse:
    etag: str
    name: str
    network_interface_tap_configurations: Sequence[NetworkInterfaceTapConfigurationResponse]
    provisioning_state: str
    resource_guid: str
    type: str
    destination_load_balancer_front_end_ip_configuration: Optional[FrontendIPConfigurationResponse]
    destination_network_interface_ip_configuration: Optional[NetworkInterfaceIPConfigurationResponse]
    destination_port: Optional[int]
    id: Optional[str]
    location: Optional[str]
    tags: Optional[Mapping[str, str]]
