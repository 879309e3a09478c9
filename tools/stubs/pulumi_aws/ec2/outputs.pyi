# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi

class DefaultSecurityGroupEgress:
    from_port: int
    protocol: str
    to_port: int
    cidr_blocks: Optional[Sequence[str]]
    description: Optional[str]
    ipv6_cidr_blocks: Optional[Sequence[str]]
    prefix_list_ids: Optional[Sequence[str]]
    security_groups: Optional[Sequence[str]]
    self: Optional[bool]

class DefaultSecurityGroupIngress:
    from_port: int
    protocol: str
    to_port: int
    cidr_blocks: Optional[Sequence[str]]
    description: Optional[str]
    ipv6_cidr_blocks: Optional[Sequence[str]]
    prefix_list_ids: Optional[Sequence[str]]
    security_groups: Optional[Sequence[str]]
    self: Optional[bool]

class GetRouteTableAssociationResult:
    gateway_id: str
    main: bool
    route_table_association_id: str
    route_table_id: str
    subnet_id: str

class GetRouteTableFilterResult:
    name: str
    values: Sequence[str]

class GetRouteTableRouteResult:
    carrier_gateway_id: str
    cidr_block: str
    core_network_arn: str
    destination_prefix_list_id: str
    egress_only_gateway_id: str
    gateway_id: str
    instance_id: str
    ipv6_cidr_block: str
    local_gateway_id: str
    nat_gateway_id: str
    network_interface_id: str
    odb_network_arn: str
    transit_gateway_id: str
    vpc_endpoint_id: str
    vpc_peering_connection_id: str

class GetRouteTablesFilterResult:
    name: str
    values: Sequence[str]

class GetSubnetFilterResult:
    name: str
    values: Sequence[str]

class GetSubnetsFilterResult:
    name: str
    values: Sequence[str]

class GetVpcCidrBlockAssociationResult:
    association_id: str
    cidr_block: str
    state: str

class GetVpcFilterResult:
    name: str
    values: Sequence[str]

class GetVpcIpv6CidrBlockAssociationResult:
    association_id: str
    ip_source: str
    ipv6_address_attribute: str
    ipv6_cidr_block: str
    ipv6_pool: str
    network_border_group: str
    state: str

class LaunchTemplateBlockDeviceMapping:
    device_name: Optional[str]
    ebs: Optional[LaunchTemplateBlockDeviceMappingEbs]
    no_device: Optional[str]
    virtual_name: Optional[str]

class LaunchTemplateBlockDeviceMappingEbs:
    delete_on_termination: Optional[str]
    encrypted: Optional[str]
    iops: Optional[int]
    kms_key_id: Optional[str]
    snapshot_id: Optional[str]
    throughput: Optional[int]
    volume_initialization_rate: Optional[int]
    volume_size: Optional[int]
    volume_type: Optional[str]

class LaunchTemplateCapacityReservationSpecification:
    capacity_reservation_preference: Optional[str]
    capacity_reservation_target: Optional[LaunchTemplateCapacityReservationSpecificationCapacityReservationTarget]

class LaunchTemplateCapacityReservationSpecificationCapacityReservationTarget:
    capacity_reservation_id: Optional[str]
    capacity_reservation_resource_group_arn: Optional[str]

class LaunchTemplateCpuOptions:
    amd_sev_snp: Optional[str]
    core_count: Optional[int]
    nested_virtualization: Optional[str]
    threads_per_core: Optional[int]

class LaunchTemplateCreditSpecification:
    cpu_credits: Optional[str]

class LaunchTemplateEnclaveOptions:
    enabled: Optional[bool]

class LaunchTemplateHibernationOptions:
    configured: bool

class LaunchTemplateIamInstanceProfile:
    arn: Optional[str]
    name: Optional[str]

class LaunchTemplateInstanceMarketOptions:
    market_type: Optional[str]
    spot_options: Optional[LaunchTemplateInstanceMarketOptionsSpotOptions]

class LaunchTemplateInstanceMarketOptionsSpotOptions:
    block_duration_minutes: Optional[int]
    instance_interruption_behavior: Optional[str]
    max_price: Optional[str]
    spot_instance_type: Optional[str]
    valid_until: Optional[str]

class LaunchTemplateInstanceRequirements:
    memory_mib: LaunchTemplateInstanceRequirementsMemoryMib
    vcpu_count: LaunchTemplateInstanceRequirementsVcpuCount
    accelerator_count: Optional[LaunchTemplateInstanceRequirementsAcceleratorCount]
    accelerator_manufacturers: Optional[Sequence[str]]
    accelerator_names: Optional[Sequence[str]]
    accelerator_total_memory_mib: Optional[LaunchTemplateInstanceRequirementsAcceleratorTotalMemoryMib]
    accelerator_types: Optional[Sequence[str]]
    allowed_instance_types: Optional[Sequence[str]]
    bare_metal: Optional[str]
    baseline_ebs_bandwidth_mbps: Optional[LaunchTemplateInstanceRequirementsBaselineEbsBandwidthMbps]
    burstable_performance: Optional[str]
    cpu_manufacturers: Optional[Sequence[str]]
    excluded_instance_types: Optional[Sequence[str]]
    instance_generations: Optional[Sequence[str]]
    local_storage: Optional[str]
    local_storage_types: Optional[Sequence[str]]
    max_spot_price_as_percentage_of_optimal_on_demand_price: Optional[int]
    memory_gib_per_vcpu: Optional[LaunchTemplateInstanceRequirementsMemoryGibPerVcpu]
    network_bandwidth_gbps: Optional[LaunchTemplateInstanceRequirementsNetworkBandwidthGbps]
    network_interface_count: Optional[LaunchTemplateInstanceRequirementsNetworkInterfaceCount]
    on_demand_max_price_percentage_over_lowest_price: Optional[int]
    require_hibernate_support: Optional[bool]
    spot_max_price_percentage_over_lowest_price: Optional[int]
    total_local_storage_gb: Optional[LaunchTemplateInstanceRequirementsTotalLocalStorageGb]

class LaunchTemplateInstanceRequirementsAcceleratorCount:
    max: Optional[int]
    min: Optional[int]

class LaunchTemplateInstanceRequirementsAcceleratorTotalMemoryMib:
    max: Optional[int]
    min: Optional[int]

class LaunchTemplateInstanceRequirementsBaselineEbsBandwidthMbps:
    max: Optional[int]
    min: Optional[int]

class LaunchTemplateInstanceRequirementsMemoryGibPerVcpu:
    max: Optional[float]
    min: Optional[float]

class LaunchTemplateInstanceRequirementsMemoryMib:
    min: int
    max: Optional[int]

class LaunchTemplateInstanceRequirementsNetworkBandwidthGbps:
    max: Optional[float]
    min: Optional[float]

class LaunchTemplateInstanceRequirementsNetworkInterfaceCount:
    max: Optional[int]
    min: Optional[int]

class LaunchTemplateInstanceRequirementsTotalLocalStorageGb:
    max: Optional[float]
    min: Optional[float]

class LaunchTemplateInstanceRequirementsVcpuCount:
    min: int
    max: Optional[int]

class LaunchTemplateLicenseSpecification:
    license_configuration_arn: str

class LaunchTemplateMaintenanceOptions:
    auto_recovery: Optional[str]

class LaunchTemplateMetadataOptions:
    http_endpoint: Optional[str]
    http_protocol_ipv6: Optional[str]
    http_put_response_hop_limit: Optional[int]
    http_tokens: Optional[str]
    instance_metadata_tags: Optional[str]

class LaunchTemplateMonitoring:
    enabled: Optional[bool]

class LaunchTemplateNetworkInterface:
    associate_carrier_ip_address: Optional[str]
    associate_public_ip_address: Optional[str]
    connection_tracking_specification: Optional[LaunchTemplateNetworkInterfaceConnectionTrackingSpecification]
    delete_on_termination: Optional[str]
    description: Optional[str]
    device_index: Optional[int]
    ena_queue_count: Optional[int]
    ena_srd_specification: Optional[LaunchTemplateNetworkInterfaceEnaSrdSpecification]
    interface_type: Optional[str]
    ipv4_address_count: Optional[int]
    ipv4_addresses: Optional[Sequence[str]]
    ipv4_prefix_count: Optional[int]
    ipv4_prefixes: Optional[Sequence[str]]
    ipv6_address_count: Optional[int]
    ipv6_addresses: Optional[Sequence[str]]
    ipv6_prefix_count: Optional[int]
    ipv6_prefixes: Optional[Sequence[str]]
    network_card_index: Optional[int]
    network_interface_id: Optional[str]
    primary_ipv6: Optional[str]
    private_ip_address: Optional[str]
    security_groups: Optional[Sequence[str]]
    subnet_id: Optional[str]

class LaunchTemplateNetworkInterfaceConnectionTrackingSpecification:
    tcp_established_timeout: Optional[int]
    udp_stream_timeout: Optional[int]
    udp_timeout: Optional[int]

class LaunchTemplateNetworkInterfaceEnaSrdSpecification:
    ena_srd_enabled: Optional[bool]
    ena_srd_udp_specification: Optional[LaunchTemplateNetworkInterfaceEnaSrdSpecificationEnaSrdUdpSpecification]

class LaunchTemplateNetworkInterfaceEnaSrdSpecificationEnaSrdUdpSpecification:
    ena_srd_udp_enabled: Optional[bool]

class LaunchTemplateNetworkPerformanceOptions:
    bandwidth_weighting: Optional[str]

class LaunchTemplatePlacement:
    affinity: Optional[str]
    availability_zone: Optional[str]
    group_id: Optional[str]
    group_name: Optional[str]
    host_id: Optional[str]
    host_resource_group_arn: Optional[str]
    partition_number: Optional[int]
    spread_domain: Optional[str]
    tenancy: Optional[str]

class LaunchTemplatePrivateDnsNameOptions:
    enable_resource_name_dns_a_record: Optional[bool]
    enable_resource_name_dns_aaaa_record: Optional[bool]
    hostname_type: Optional[str]

class LaunchTemplateSecondaryInterface:
    delete_on_termination: Optional[bool]
    device_index: Optional[int]
    interface_type: Optional[str]
    network_card_index: Optional[int]
    private_ip_address_count: Optional[int]
    private_ip_addresses: Optional[Sequence[str]]
    secondary_subnet_id: Optional[str]

class LaunchTemplateTagSpecification:
    resource_type: Optional[str]
    tags: Optional[Mapping[str, str]]

class NatGatewayAvailabilityZoneAddress:
    allocation_ids: Optional[Sequence[str]]
    availability_zone: Optional[str]
    availability_zone_id: Optional[str]

class NatGatewayRegionalNatGatewayAddress:
    allocation_id: Optional[str]
    association_id: Optional[str]
    availability_zone: Optional[str]
    availability_zone_id: Optional[str]
    network_interface_id: Optional[str]
    public_ip: Optional[str]
    status: Optional[str]

class RouteTableRoute:
    carrier_gateway_id: Optional[str]
    cidr_block: Optional[str]
    core_network_arn: Optional[str]
    destination_prefix_list_id: Optional[str]
    egress_only_gateway_id: Optional[str]
    gateway_id: Optional[str]
    ipv6_cidr_block: Optional[str]
    local_gateway_id: Optional[str]
    nat_gateway_id: Optional[str]
    network_interface_id: Optional[str]
    odb_network_arn: Optional[str]
    transit_gateway_id: Optional[str]
    vpc_endpoint_id: Optional[str]
    vpc_peering_connection_id: Optional[str]

class SecurityGroupEgress:
    from_port: int
    protocol: str
    to_port: int
    cidr_blocks: Optional[Sequence[str]]
    description: Optional[str]
    ipv6_cidr_blocks: Optional[Sequence[str]]
    prefix_list_ids: Optional[Sequence[str]]
    security_groups: Optional[Sequence[str]]
    self: Optional[bool]

class SecurityGroupIngress:
    from_port: int
    protocol: str
    to_port: int
    cidr_blocks: Optional[Sequence[str]]
    description: Optional[str]
    ipv6_cidr_blocks: Optional[Sequence[str]]
    prefix_list_ids: Optional[Sequence[str]]
    security_groups: Optional[Sequence[str]]
    self: Optional[bool]

class VpcEndpointDnsEntry:
    dns_name: Optional[str]
    hosted_zone_id: Optional[str]

class VpcEndpointDnsOptions:
    dns_record_ip_type: Optional[str]
    private_dns_only_for_inbound_resolver_endpoint: Optional[bool]
    private_dns_preference: Optional[str]
    private_dns_specified_domains: Optional[Sequence[str]]

class VpcEndpointSubnetConfiguration:
    ipv4: Optional[str]
    ipv6: Optional[str]
    subnet_id: Optional[str]
