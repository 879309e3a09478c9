# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class AddressSpaceArgsDict(TypedDict):
    address_prefixes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    ipam_pool_prefix_allocations: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[IpamPoolPrefixAllocationArgsDict]]]]]

class ApplicationGatewayIPConfigurationArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    subnet: NotRequired[pulumi.Input[Optional[SubResourceArgsDict]]]

class ApplicationSecurityGroupArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]
    location: NotRequired[pulumi.Input[Optional[str]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class DdosSettingsArgsDict(TypedDict):
    ddos_protection_plan: NotRequired[pulumi.Input[Optional[SubResourceArgsDict]]]
    protection_mode: NotRequired[pulumi.Input[Optional[Union[str, DdosSettingsProtectionMode]]]]

class DdosSettingsProtectionMode(str, Enum):
    VIRTUAL_NETWORK_INHERITED = 'VirtualNetworkInherited'
    ENABLED = 'Enabled'
    DISABLED = 'Disabled'

class DelegationArgsDict(TypedDict):
    actions: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    etag: NotRequired[pulumi.Input[Optional[str]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    service_name: NotRequired[pulumi.Input[Optional[str]]]
    type: NotRequired[pulumi.Input[Optional[str]]]

class DeleteOptions(str, Enum):
    DELETE = 'Delete'
    DETACH = 'Detach'

class DhcpOptionsArgsDict(TypedDict):
    dns_servers: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class ExtendedLocationArgsDict(TypedDict):
    name: NotRequired[pulumi.Input[Optional[str]]]
    type: NotRequired[pulumi.Input[Optional[Union[str, ExtendedLocationTypes]]]]

class ExtendedLocationTypes(str, Enum):
    EDGE_ZONE = 'EdgeZone'

class IPAllocationMethod(str, Enum):
    STATIC = 'Static'
    DYNAMIC = 'Dynamic'

class IPVersion(str, Enum):
    I_PV4 = 'IPv4'
    I_PV6 = 'IPv6'

class IpTagArgsDict(TypedDict):
    ip_tag_type: NotRequired[pulumi.Input[Optional[str]]]
    tag: NotRequired[pulumi.Input[Optional[str]]]

class IpamPoolPrefixAllocationArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]
    number_of_ip_addresses: NotRequired[pulumi.Input[Optional[str]]]

class NatGateway(pulumi.CustomResource):
    azure_api_version: pulumi.Output[str]
    etag: pulumi.Output[str]
    idle_timeout_in_minutes: pulumi.Output[Optional[int]]
    location: pulumi.Output[Optional[str]]
    name: pulumi.Output[str]
    provisioning_state: pulumi.Output[str]
    public_ip_addresses: pulumi.Output[Optional[Sequence[outputs.SubResourceResponse]]]
    public_ip_prefixes: pulumi.Output[Optional[Sequence[outputs.SubResourceResponse]]]
    resource_guid: pulumi.Output[str]
    sku: pulumi.Output[Optional[outputs.NatGatewaySkuResponse]]
    subnets: pulumi.Output[Sequence[outputs.SubResourceResponse]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    type: pulumi.Output[str]
    zones: pulumi.Output[Optional[Sequence[str]]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_group_name: pulumi.Input[str],
        id: pulumi.Input[Optional[str]] = ...,
        idle_timeout_in_minutes: pulumi.Input[Optional[int]] = ...,
        location: pulumi.Input[Optional[str]] = ...,
        nat_gateway_name: pulumi.Input[Optional[str]] = ...,
        public_ip_addresses: pulumi.Input[Optional[Sequence[pulumi.Input[SubResourceArgsDict]]]] = ...,
        public_ip_prefixes: pulumi.Input[Optional[Sequence[pulumi.Input[SubResourceArgsDict]]]] = ...,
        sku: pulumi.Input[Optional[NatGatewaySkuArgsDict]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        zones: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...) -> None: ...

class NatGatewayArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]
    idle_timeout_in_minutes: NotRequired[pulumi.Input[Optional[int]]]
    location: NotRequired[pulumi.Input[Optional[str]]]
    public_ip_addresses: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[SubResourceArgsDict]]]]]
    public_ip_prefixes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[SubResourceArgsDict]]]]]
    sku: NotRequired[pulumi.Input[Optional[NatGatewaySkuArgsDict]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    zones: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class NatGatewaySkuArgsDict(TypedDict):
    name: NotRequired[pulumi.Input[Optional[Union[str, NatGatewaySkuName]]]]

class NatGatewaySkuName(str, Enum):
    STANDARD = 'Standard'

class NetworkSecurityGroupArgsDict(TypedDict):
    default_security_rules: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[SecurityRuleArgsDict]]]]]
    etag: NotRequired[pulumi.Input[Optional[str]]]
    flush_connection: NotRequired[pulumi.Input[Optional[bool]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    location: NotRequired[pulumi.Input[Optional[str]]]
    provisioning_state: NotRequired[pulumi.Input[Optional[str]]]
    resource_guid: NotRequired[pulumi.Input[Optional[str]]]
    security_rules: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[SecurityRuleArgsDict]]]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class PrivateEndpointVNetPolicies(str, Enum):
    DISABLED = 'Disabled'
    BASIC = 'Basic'

class PublicIPAddress(pulumi.CustomResource):
    azure_api_version: pulumi.Output[str]
    ddos_settings: pulumi.Output[Optional[outputs.DdosSettingsResponse]]
    delete_option: pulumi.Output[Optional[str]]
    dns_settings: pulumi.Output[Optional[outputs.PublicIPAddressDnsSettingsResponse]]
    etag: pulumi.Output[str]
    extended_location: pulumi.Output[Optional[outputs.ExtendedLocationResponse]]
    idle_timeout_in_minutes: pulumi.Output[Optional[int]]
    ip_address: pulumi.Output[Optional[str]]
    ip_configuration: pulumi.Output[outputs.IPConfigurationResponse]
    ip_tags: pulumi.Output[Optional[Sequence[outputs.IpTagResponse]]]
    linked_public_ip_address: pulumi.Output[Optional[outputs.PublicIPAddressResponse]]
    location: pulumi.Output[Optional[str]]
    migration_phase: pulumi.Output[Optional[str]]
    name: pulumi.Output[str]
    nat_gateway: pulumi.Output[Optional[outputs.NatGatewayResponse]]
    provisioning_state: pulumi.Output[str]
    public_ip_address_version: pulumi.Output[Optional[str]]
    public_ip_allocation_method: pulumi.Output[Optional[str]]
    public_ip_prefix: pulumi.Output[Optional[outputs.SubResourceResponse]]
    resource_guid: pulumi.Output[str]
    service_public_ip_address: pulumi.Output[Optional[outputs.PublicIPAddressResponse]]
    sku: pulumi.Output[Optional[outputs.PublicIPAddressSkuResponse]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    type: pulumi.Output[str]
    zones: pulumi.Output[Optional[Sequence[str]]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_group_name: pulumi.Input[str],
        ddos_settings: pulumi.Input[Optional[DdosSettingsArgsDict]] = ...,
        delete_option: pulumi.Input[Optional[Union[str, DeleteOptions]]] = ...,
        dns_settings: pulumi.Input[Optional[PublicIPAddressDnsSettingsArgsDict]] = ...,
        extended_location: pulumi.Input[Optional[ExtendedLocationArgsDict]] = ...,
        id: pulumi.Input[Optional[str]] = ...,
        idle_timeout_in_minutes: pulumi.Input[Optional[int]] = ...,
        ip_address: pulumi.Input[Optional[str]] = ...,
        ip_tags: pulumi.Input[Optional[Sequence[pulumi.Input[IpTagArgsDict]]]] = ...,
        linked_public_ip_address: pulumi.Input[Optional[PublicIPAddressArgsDict]] = ...,
        location: pulumi.Input[Optional[str]] = ...,
        migration_phase: pulumi.Input[Optional[Union[str, PublicIPAddressMigrationPhase]]] = ...,
        nat_gateway: pulumi.Input[Optional[NatGatewayArgsDict]] = ...,
        public_ip_address_version: pulumi.Input[Optional[Union[str, IPVersion]]] = ...,
        public_ip_allocation_method: pulumi.Input[Optional[Union[str, IPAllocationMethod]]] = ...,
        public_ip_prefix: pulumi.Input[Optional[SubResourceArgsDict]] = ...,
        public_ip_address_name: pulumi.Input[Optional[str]] = ...,
        service_public_ip_address: pulumi.Input[Optional[PublicIPAddressArgsDict]] = ...,
        sku: pulumi.Input[Optional[PublicIPAddressSkuArgsDict]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        zones: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...) -> None: ...

class PublicIPAddressArgsDict(TypedDict):
    ddos_settings: NotRequired[pulumi.Input[Optional[DdosSettingsArgsDict]]]
    delete_option: NotRequired[pulumi.Input[Optional[Union[str, DeleteOptions]]]]
    dns_settings: NotRequired[pulumi.Input[Optional[PublicIPAddressDnsSettingsArgsDict]]]
    extended_location: NotRequired[pulumi.Input[Optional[ExtendedLocationArgsDict]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    idle_timeout_in_minutes: NotRequired[pulumi.Input[Optional[int]]]
    ip_address: NotRequired[pulumi.Input[Optional[str]]]
    ip_tags: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[IpTagArgsDict]]]]]
    linked_public_ip_address: NotRequired[pulumi.Input[Optional[PublicIPAddressArgsDict]]]
    location: NotRequired[pulumi.Input[Optional[str]]]
    migration_phase: NotRequired[pulumi.Input[Optional[Union[str, PublicIPAddressMigrationPhase]]]]
    nat_gateway: NotRequired[pulumi.Input[Optional[NatGatewayArgsDict]]]
    public_ip_address_version: NotRequired[pulumi.Input[Optional[Union[str, IPVersion]]]]
    public_ip_allocation_method: NotRequired[pulumi.Input[Optional[Union[str, IPAllocationMethod]]]]
    public_ip_prefix: NotRequired[pulumi.Input[Optional[SubResourceArgsDict]]]
    service_public_ip_address: NotRequired[pulumi.Input[Optional[PublicIPAddressArgsDict]]]
    sku: NotRequired[pulumi.Input[Optional[PublicIPAddressSkuArgsDict]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]
    zones: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class PublicIPAddressDnsSettingsArgsDict(TypedDict):
    domain_name_label: NotRequired[pulumi.Input[Optional[str]]]
    domain_name_label_scope: NotRequired[pulumi.Input[Optional[Union[PublicIpAddressDnsSettingsDomainNameLabelScope, Literal['TenantReuse', 'SubscriptionReuse', 'ResourceGroupReuse', 'NoReuse']]]]]
    fqdn: NotRequired[pulumi.Input[Optional[str]]]
    reverse_fqdn: NotRequired[pulumi.Input[Optional[str]]]

class PublicIPAddressMigrationPhase(str, Enum):
    NONE = 'None'
    PREPARE = 'Prepare'
    COMMIT = 'Commit'
    ABORT = 'Abort'
    COMMITTED = 'Committed'

class PublicIPAddressSkuArgsDict(TypedDict):
    name: NotRequired[pulumi.Input[Optional[Union[str, PublicIPAddressSkuName]]]]
    tier: NotRequired[pulumi.Input[Optional[Union[str, PublicIPAddressSkuTier]]]]

class PublicIPAddressSkuName(str, Enum):
    BASIC = 'Basic'
    STANDARD = 'Standard'

class PublicIPAddressSkuTier(str, Enum):
    REGIONAL = 'Regional'
    GLOBAL_ = 'Global'

class PublicIpAddressDnsSettingsDomainNameLabelScope(str, Enum):
    TENANT_REUSE = 'TenantReuse'
    SUBSCRIPTION_REUSE = 'SubscriptionReuse'
    RESOURCE_GROUP_REUSE = 'ResourceGroupReuse'
    NO_REUSE = 'NoReuse'

class ResourceNavigationLinkArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]
    link: NotRequired[pulumi.Input[Optional[str]]]
    linked_resource_type: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]

class RouteArgsDict(TypedDict):
    next_hop_type: pulumi.Input[Union[str, RouteNextHopType]]
    address_prefix: NotRequired[pulumi.Input[Optional[str]]]
    etag: NotRequired[pulumi.Input[Optional[str]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    next_hop_ip_address: NotRequired[pulumi.Input[Optional[str]]]
    provisioning_state: NotRequired[pulumi.Input[Optional[str]]]
    type: NotRequired[pulumi.Input[Optional[str]]]

class RouteNextHopType(str, Enum):
    VIRTUAL_NETWORK_GATEWAY = 'VirtualNetworkGateway'
    VNET_LOCAL = 'VnetLocal'
    INTERNET = 'Internet'
    VIRTUAL_APPLIANCE = 'VirtualAppliance'
    NONE = 'None'

class RouteTableArgsDict(TypedDict):
    disable_bgp_route_propagation: NotRequired[pulumi.Input[Optional[bool]]]
    etag: NotRequired[pulumi.Input[Optional[str]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    location: NotRequired[pulumi.Input[Optional[str]]]
    provisioning_state: NotRequired[pulumi.Input[Optional[str]]]
    routes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[RouteArgsDict]]]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class SecurityRuleAccess(str, Enum):
    ALLOW = 'Allow'
    DENY = 'Deny'

class SecurityRuleArgsDict(TypedDict):
    access: pulumi.Input[Union[str, SecurityRuleAccess]]
    direction: pulumi.Input[Union[str, SecurityRuleDirection]]
    protocol: pulumi.Input[Union[str, SecurityRuleProtocol]]
    description: NotRequired[pulumi.Input[Optional[str]]]
    destination_address_prefix: NotRequired[pulumi.Input[Optional[str]]]
    destination_address_prefixes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    destination_application_security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ApplicationSecurityGroupArgsDict]]]]]
    destination_port_range: NotRequired[pulumi.Input[Optional[str]]]
    destination_port_ranges: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    etag: NotRequired[pulumi.Input[Optional[str]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    priority: NotRequired[pulumi.Input[Optional[int]]]
    provisioning_state: NotRequired[pulumi.Input[Optional[str]]]
    source_address_prefix: NotRequired[pulumi.Input[Optional[str]]]
    source_address_prefixes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    source_application_security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ApplicationSecurityGroupArgsDict]]]]]
    source_port_range: NotRequired[pulumi.Input[Optional[str]]]
    source_port_ranges: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    type: NotRequired[pulumi.Input[Optional[str]]]

class SecurityRuleDirection(str, Enum):
    INBOUND = 'Inbound'
    OUTBOUND = 'Outbound'

class SecurityRuleProtocol(str, Enum):
    TCP = 'Tcp'
    UDP = 'Udp'
    ICMP = 'Icmp'
    ESP = 'Esp'
    ASTERISK = '*'
    AH = 'Ah'

class ServiceAssociationLinkArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]
    link: NotRequired[pulumi.Input[Optional[str]]]
    linked_resource_type: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]

class ServiceEndpointPolicyArgsDict(TypedDict):
    contextual_service_endpoint_policies: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    etag: NotRequired[pulumi.Input[Optional[str]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    location: NotRequired[pulumi.Input[Optional[str]]]
    service_alias: NotRequired[pulumi.Input[Optional[str]]]
    service_endpoint_policy_definitions: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ServiceEndpointPolicyDefinitionArgsDict]]]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class ServiceEndpointPolicyDefinitionArgsDict(TypedDict):
    description: NotRequired[pulumi.Input[Optional[str]]]
    etag: NotRequired[pulumi.Input[Optional[str]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    service: NotRequired[pulumi.Input[Optional[str]]]
    service_resources: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    type: NotRequired[pulumi.Input[Optional[str]]]

class ServiceEndpointPropertiesFormatArgsDict(TypedDict):
    locations: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    network_identifier: NotRequired[pulumi.Input[Optional[SubResourceArgsDict]]]
    provisioning_state: NotRequired[pulumi.Input[Optional[str]]]
    service: NotRequired[pulumi.Input[Optional[str]]]

class SharingScope(str, Enum):
    TENANT = 'Tenant'
    DELEGATED_SERVICES = 'DelegatedServices'

class SubResourceArgsDict(TypedDict):
    id: NotRequired[pulumi.Input[Optional[str]]]

class Subnet(pulumi.CustomResource):
    address_prefix: pulumi.Output[Optional[str]]
    address_prefixes: pulumi.Output[Optional[Sequence[str]]]
    application_gateway_ip_configurations: pulumi.Output[Optional[Sequence[outputs.ApplicationGatewayIPConfigurationResponse]]]
    azure_api_version: pulumi.Output[str]
    default_outbound_access: pulumi.Output[Optional[bool]]
    delegations: pulumi.Output[Optional[Sequence[outputs.DelegationResponse]]]
    etag: pulumi.Output[str]
    ip_allocations: pulumi.Output[Optional[Sequence[outputs.SubResourceResponse]]]
    ip_configuration_profiles: pulumi.Output[Sequence[outputs.IPConfigurationProfileResponse]]
    ip_configurations: pulumi.Output[Sequence[outputs.IPConfigurationResponse]]
    ipam_pool_prefix_allocations: pulumi.Output[Optional[Sequence[outputs.IpamPoolPrefixAllocationResponse]]]
    name: pulumi.Output[Optional[str]]
    nat_gateway: pulumi.Output[Optional[outputs.SubResourceResponse]]
    network_security_group: pulumi.Output[Optional[outputs.NetworkSecurityGroupResponse]]
    private_endpoint_network_policies: pulumi.Output[Optional[str]]
    private_endpoints: pulumi.Output[Sequence[outputs.PrivateEndpointResponse]]
    private_link_service_network_policies: pulumi.Output[Optional[str]]
    provisioning_state: pulumi.Output[str]
    purpose: pulumi.Output[str]
    resource_navigation_links: pulumi.Output[Sequence[outputs.ResourceNavigationLinkResponse]]
    route_table: pulumi.Output[Optional[outputs.RouteTableResponse]]
    service_association_links: pulumi.Output[Sequence[outputs.ServiceAssociationLinkResponse]]
    service_endpoint_policies: pulumi.Output[Optional[Sequence[outputs.ServiceEndpointPolicyResponse]]]
    service_endpoints: pulumi.Output[Optional[Sequence[outputs.ServiceEndpointPropertiesFormatResponse]]]
    sharing_scope: pulumi.Output[Optional[str]]
    type: pulumi.Output[Optional[str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_group_name: pulumi.Input[str],
        virtual_network_name: pulumi.Input[str],
        address_prefix: pulumi.Input[Optional[str]] = ...,
        address_prefixes: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        application_gateway_ip_configurations: pulumi.Input[Optional[Sequence[pulumi.Input[ApplicationGatewayIPConfigurationArgsDict]]]] = ...,
        default_outbound_access: pulumi.Input[Optional[bool]] = ...,
        delegations: pulumi.Input[Optional[Sequence[pulumi.Input[DelegationArgsDict]]]] = ...,
        id: pulumi.Input[Optional[str]] = ...,
        ip_allocations: pulumi.Input[Optional[Sequence[pulumi.Input[SubResourceArgsDict]]]] = ...,
        ipam_pool_prefix_allocations: pulumi.Input[Optional[Sequence[pulumi.Input[IpamPoolPrefixAllocationArgsDict]]]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        nat_gateway: pulumi.Input[Optional[SubResourceArgsDict]] = ...,
        network_security_group: pulumi.Input[Optional[NetworkSecurityGroupArgsDict]] = ...,
        private_endpoint_network_policies: pulumi.Input[Optional[Union[str, VirtualNetworkPrivateEndpointNetworkPolicies]]] = ...,
        private_link_service_network_policies: pulumi.Input[Optional[Union[str, VirtualNetworkPrivateLinkServiceNetworkPolicies]]] = ...,
        route_table: pulumi.Input[Optional[RouteTableArgsDict]] = ...,
        service_endpoint_policies: pulumi.Input[Optional[Sequence[pulumi.Input[ServiceEndpointPolicyArgsDict]]]] = ...,
        service_endpoints: pulumi.Input[Optional[Sequence[pulumi.Input[ServiceEndpointPropertiesFormatArgsDict]]]] = ...,
        sharing_scope: pulumi.Input[Optional[Union[str, SharingScope]]] = ...,
        subnet_name: pulumi.Input[Optional[str]] = ...,
        type: pulumi.Input[Optional[str]] = ...) -> None: ...

class SubnetArgsDict(TypedDict):
    address_prefix: NotRequired[pulumi.Input[Optional[str]]]
    address_prefixes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    application_gateway_ip_configurations: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ApplicationGatewayIPConfigurationArgsDict]]]]]
    default_outbound_access: NotRequired[pulumi.Input[Optional[bool]]]
    delegations: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[DelegationArgsDict]]]]]
    etag: NotRequired[pulumi.Input[Optional[str]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    ip_allocations: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[SubResourceArgsDict]]]]]
    ipam_pool_prefix_allocations: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[IpamPoolPrefixAllocationArgsDict]]]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    nat_gateway: NotRequired[pulumi.Input[Optional[SubResourceArgsDict]]]
    network_security_group: NotRequired[pulumi.Input[Optional[NetworkSecurityGroupArgsDict]]]
    private_endpoint_network_policies: NotRequired[pulumi.Input[Optional[Union[str, VirtualNetworkPrivateEndpointNetworkPolicies]]]]
    private_link_service_network_policies: NotRequired[pulumi.Input[Optional[Union[str, VirtualNetworkPrivateLinkServiceNetworkPolicies]]]]
    provisioning_state: NotRequired[pulumi.Input[Optional[str]]]
    resource_navigation_links: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ResourceNavigationLinkArgsDict]]]]]
    route_table: NotRequired[pulumi.Input[Optional[RouteTableArgsDict]]]
    service_association_links: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ServiceAssociationLinkArgsDict]]]]]
    service_endpoint_policies: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ServiceEndpointPolicyArgsDict]]]]]
    service_endpoints: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[ServiceEndpointPropertiesFormatArgsDict]]]]]
    service_gateway: NotRequired[pulumi.Input[Optional[SubResourceArgsDict]]]
    sharing_scope: NotRequired[pulumi.Input[Optional[Union[str, SharingScope]]]]
    type: NotRequired[pulumi.Input[Optional[str]]]

class VirtualNetwork(pulumi.CustomResource):
    address_space: pulumi.Output[Optional[outputs.AddressSpaceResponse]]
    azure_api_version: pulumi.Output[str]
    bgp_communities: pulumi.Output[Optional[outputs.VirtualNetworkBgpCommunitiesResponse]]
    ddos_protection_plan: pulumi.Output[Optional[outputs.SubResourceResponse]]
    dhcp_options: pulumi.Output[Optional[outputs.DhcpOptionsResponse]]
    enable_ddos_protection: pulumi.Output[Optional[bool]]
    enable_vm_protection: pulumi.Output[Optional[bool]]
    encryption: pulumi.Output[Optional[outputs.VirtualNetworkEncryptionResponse]]
    etag: pulumi.Output[str]
    extended_location: pulumi.Output[Optional[outputs.ExtendedLocationResponse]]
    flow_logs: pulumi.Output[Sequence[outputs.FlowLogResponse]]
    flow_timeout_in_minutes: pulumi.Output[Optional[int]]
    ip_allocations: pulumi.Output[Optional[Sequence[outputs.SubResourceResponse]]]
    location: pulumi.Output[Optional[str]]
    name: pulumi.Output[str]
    private_endpoint_v_net_policies: pulumi.Output[Optional[str]]
    provisioning_state: pulumi.Output[str]
    resource_guid: pulumi.Output[str]
    subnets: pulumi.Output[Optional[Sequence[outputs.SubnetResponse]]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    type: pulumi.Output[str]
    virtual_network_peerings: pulumi.Output[Optional[Sequence[outputs.VirtualNetworkPeeringVirtualNetworkResponse]]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        resource_group_name: pulumi.Input[str],
        address_space: pulumi.Input[Optional[AddressSpaceArgsDict]] = ...,
        bgp_communities: pulumi.Input[Optional[VirtualNetworkBgpCommunitiesArgsDict]] = ...,
        ddos_protection_plan: pulumi.Input[Optional[SubResourceArgsDict]] = ...,
        dhcp_options: pulumi.Input[Optional[DhcpOptionsArgsDict]] = ...,
        enable_ddos_protection: pulumi.Input[Optional[bool]] = ...,
        enable_vm_protection: pulumi.Input[Optional[bool]] = ...,
        encryption: pulumi.Input[Optional[VirtualNetworkEncryptionArgsDict]] = ...,
        extended_location: pulumi.Input[Optional[ExtendedLocationArgsDict]] = ...,
        flow_timeout_in_minutes: pulumi.Input[Optional[int]] = ...,
        id: pulumi.Input[Optional[str]] = ...,
        ip_allocations: pulumi.Input[Optional[Sequence[pulumi.Input[SubResourceArgsDict]]]] = ...,
        location: pulumi.Input[Optional[str]] = ...,
        private_endpoint_v_net_policies: pulumi.Input[Optional[Union[str, PrivateEndpointVNetPolicies]]] = ...,
        subnets: pulumi.Input[Optional[Sequence[pulumi.Input[SubnetArgsDict]]]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        virtual_network_name: pulumi.Input[Optional[str]] = ...,
        virtual_network_peerings: pulumi.Input[Optional[Sequence[pulumi.Input[VirtualNetworkPeeringArgsDict]]]] = ...) -> None: ...

class VirtualNetworkBgpCommunitiesArgsDict(TypedDict):
    virtual_network_community: pulumi.Input[str]

class VirtualNetworkEncryptionArgsDict(TypedDict):
    enabled: pulumi.Input[bool]
    enforcement: NotRequired[pulumi.Input[Optional[Union[str, VirtualNetworkEncryptionEnforcement]]]]

class VirtualNetworkEncryptionEnforcement(str, Enum):
    DROP_UNENCRYPTED = 'DropUnencrypted'
    ALLOW_UNENCRYPTED = 'AllowUnencrypted'

class VirtualNetworkPeeringArgsDict(TypedDict):
    allow_forwarded_traffic: NotRequired[pulumi.Input[Optional[bool]]]
    allow_gateway_transit: NotRequired[pulumi.Input[Optional[bool]]]
    allow_virtual_network_access: NotRequired[pulumi.Input[Optional[bool]]]
    do_not_verify_remote_gateways: NotRequired[pulumi.Input[Optional[bool]]]
    enable_only_i_pv6_peering: NotRequired[pulumi.Input[Optional[bool]]]
    id: NotRequired[pulumi.Input[Optional[str]]]
    local_address_space: NotRequired[pulumi.Input[Optional[AddressSpaceArgsDict]]]
    local_subnet_names: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    local_virtual_network_address_space: NotRequired[pulumi.Input[Optional[AddressSpaceArgsDict]]]
    name: NotRequired[pulumi.Input[Optional[str]]]
    peer_complete_vnets: NotRequired[pulumi.Input[Optional[bool]]]
    peering_state: NotRequired[pulumi.Input[Optional[Union[str, VirtualNetworkPeeringState]]]]
    peering_sync_level: NotRequired[pulumi.Input[Optional[Union[str, VirtualNetworkPeeringLevel]]]]
    remote_address_space: NotRequired[pulumi.Input[Optional[AddressSpaceArgsDict]]]
    remote_bgp_communities: NotRequired[pulumi.Input[Optional[VirtualNetworkBgpCommunitiesArgsDict]]]
    remote_subnet_names: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    remote_virtual_network: NotRequired[pulumi.Input[Optional[SubResourceArgsDict]]]
    remote_virtual_network_address_space: NotRequired[pulumi.Input[Optional[AddressSpaceArgsDict]]]
    type: NotRequired[pulumi.Input[Optional[str]]]
    use_remote_gateways: NotRequired[pulumi.Input[Optional[bool]]]

class VirtualNetworkPeeringLevel(str, Enum):
    FULLY_IN_SYNC = 'FullyInSync'
    REMOTE_NOT_IN_SYNC = 'RemoteNotInSync'
    LOCAL_NOT_IN_SYNC = 'LocalNotInSync'
    LOCAL_AND_REMOTE_NOT_IN_SYNC = 'LocalAndRemoteNotInSync'

class VirtualNetworkPeeringState(str, Enum):
    INITIATED = 'Initiated'
    CONNECTED = 'Connected'
    DISCONNECTED = 'Disconnected'

class VirtualNetworkPrivateEndpointNetworkPolicies(str, Enum):
    ENABLED = 'Enabled'
    DISABLED = 'Disabled'
    NETWORK_SECURITY_GROUP_ENABLED = 'NetworkSecurityGroupEnabled'
    ROUTE_TABLE_ENABLED = 'RouteTableEnabled'

class VirtualNetworkPrivateLinkServiceNetworkPolicies(str, Enum):
    ENABLED = 'Enabled'
    DISABLED = 'Disabled'
