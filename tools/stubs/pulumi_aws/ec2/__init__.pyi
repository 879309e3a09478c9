# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class DefaultSecurityGroup(pulumi.CustomResource):
    arn: pulumi.Output[str]
    description: pulumi.Output[str]
    egress: pulumi.Output[Sequence[outputs.DefaultSecurityGroupEgress]]
    ingress: pulumi.Output[Sequence[outputs.DefaultSecurityGroupIngress]]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    owner_id: pulumi.Output[str]
    region: pulumi.Output[str]
    revoke_rules_on_delete: pulumi.Output[Optional[bool]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    vpc_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        egress: pulumi.Input[Optional[Sequence[pulumi.Input[DefaultSecurityGroupEgressArgsDict]]]] = ...,
        ingress: pulumi.Input[Optional[Sequence[pulumi.Input[DefaultSecurityGroupIngressArgsDict]]]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        revoke_rules_on_delete: pulumi.Input[Optional[bool]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        vpc_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class DefaultSecurityGroupEgressArgsDict(TypedDict):
    from_port: pulumi.Input[int]
    protocol: pulumi.Input[str]
    to_port: pulumi.Input[int]
    cidr_blocks: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    description: NotRequired[pulumi.Input[Optional[str]]]
    ipv6_cidr_blocks: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    prefix_list_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    self: NotRequired[pulumi.Input[Optional[bool]]]

class DefaultSecurityGroupIngressArgsDict(TypedDict):
    from_port: pulumi.Input[int]
    protocol: pulumi.Input[str]
    to_port: pulumi.Input[int]
    cidr_blocks: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    description: NotRequired[pulumi.Input[Optional[str]]]
    ipv6_cidr_blocks: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    prefix_list_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    self: NotRequired[pulumi.Input[Optional[bool]]]

class Eip(pulumi.CustomResource):
    address: pulumi.Output[Optional[str]]
    allocation_id: pulumi.Output[str]
    arn: pulumi.Output[str]
    associate_with_private_ip: pulumi.Output[Optional[str]]
    association_id: pulumi.Output[str]
    carrier_ip: pulumi.Output[str]
    customer_owned_ip: pulumi.Output[str]
    customer_owned_ipv4_pool: pulumi.Output[Optional[str]]
    domain: pulumi.Output[str]
    instance: pulumi.Output[str]
    ipam_pool_id: pulumi.Output[str]
    network_border_group: pulumi.Output[str]
    network_interface: pulumi.Output[str]
    private_dns: pulumi.Output[str]
    private_ip: pulumi.Output[str]
    ptr_record: pulumi.Output[str]
    public_dns: pulumi.Output[str]
    public_ip: pulumi.Output[str]
    public_ipv4_pool: pulumi.Output[str]
    region: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        address: pulumi.Input[Optional[str]] = ...,
        associate_with_private_ip: pulumi.Input[Optional[str]] = ...,
        customer_owned_ipv4_pool: pulumi.Input[Optional[str]] = ...,
        domain: pulumi.Input[Optional[str]] = ...,
        instance: pulumi.Input[Optional[str]] = ...,
        ipam_pool_id: pulumi.Input[Optional[str]] = ...,
        network_border_group: pulumi.Input[Optional[str]] = ...,
        network_interface: pulumi.Input[Optional[str]] = ...,
        public_ipv4_pool: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class GetRouteTableFilterArgsDict(TypedDict):
    name: str
    values: Sequence[str]

class GetRouteTableResult:
    arn: str
    associations: Sequence[outputs.GetRouteTableAssociationResult]
    filters: Optional[Sequence[outputs.GetRouteTableFilterResult]]
    gateway_id: str
    id: str
    owner_id: str
    region: str
    route_table_id: str
    routes: Sequence[outputs.GetRouteTableRouteResult]
    subnet_id: str
    tags: Mapping[str, str]
    vpc_id: str

class GetRouteTablesFilterArgsDict(TypedDict):
    name: str
    values: Sequence[str]

class GetRouteTablesResult:
    filters: Optional[Sequence[outputs.GetRouteTablesFilterResult]]
    id: str
    ids: Sequence[str]
    region: str
    tags: Mapping[str, str]
    vpc_id: Optional[str]

class GetSubnetFilterArgsDict(TypedDict):
    name: str
    values: Sequence[str]

class GetSubnetResult:
    arn: str
    assign_ipv6_address_on_creation: bool
    availability_zone: str
    availability_zone_id: str
    available_ip_address_count: int
    cidr_block: str
    customer_owned_ipv4_pool: str
    default_for_az: bool
    enable_dns64: bool
    enable_lni_at_device_index: int
    enable_resource_name_dns_a_record_on_launch: bool
    enable_resource_name_dns_aaaa_record_on_launch: bool
    filters: Optional[Sequence[outputs.GetSubnetFilterResult]]
    id: str
    ipv6_cidr_block: str
    ipv6_cidr_block_association_id: str
    ipv6_native: bool
    map_customer_owned_ip_on_launch: bool
    map_public_ip_on_launch: bool
    outpost_arn: str
    owner_id: str
    private_dns_hostname_type_on_launch: str
    region: str
    state: str
    tags: Mapping[str, str]
    vpc_id: str

class GetSubnetsFilterArgsDict(TypedDict):
    name: str
    values: Sequence[str]

class GetSubnetsResult:
    filters: Optional[Sequence[outputs.GetSubnetsFilterResult]]
    id: str
    ids: Sequence[str]
    region: str
    tags: Mapping[str, str]

class GetVpcFilterArgsDict(TypedDict):
    name: str
    values: Sequence[str]

class GetVpcResult:
    arn: str
    cidr_block: str
    cidr_block_associations: Sequence[outputs.GetVpcCidrBlockAssociationResult]
    default: bool
    dhcp_options_id: str
    enable_dns_hostnames: bool
    enable_dns_support: bool
    enable_network_address_usage_metrics: bool
    filters: Optional[Sequence[outputs.GetVpcFilterResult]]
    id: str
    instance_tenancy: str
    ipv6_association_id: str
    ipv6_cidr_block: str
    ipv6_cidr_block_associations: Sequence[outputs.GetVpcIpv6CidrBlockAssociationResult]
    main_route_table_id: str
    owner_id: str
    region: str
    state: str
    tags: Mapping[str, str]

class InternetGateway(pulumi.CustomResource):
    arn: pulumi.Output[str]
    owner_id: pulumi.Output[str]
    region: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    vpc_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        vpc_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class LaunchTemplate(pulumi.CustomResource):
    arn: pulumi.Output[str]
    block_device_mappings: pulumi.Output[Optional[Sequence[outputs.LaunchTemplateBlockDeviceMapping]]]
    capacity_reservation_specification: pulumi.Output[Optional[outputs.LaunchTemplateCapacityReservationSpecification]]
    cpu_options: pulumi.Output[Optional[outputs.LaunchTemplateCpuOptions]]
    credit_specification: pulumi.Output[Optional[outputs.LaunchTemplateCreditSpecification]]
    default_version: pulumi.Output[int]
    description: pulumi.Output[Optional[str]]
    disable_api_stop: pulumi.Output[Optional[bool]]
    disable_api_termination: pulumi.Output[Optional[bool]]
    ebs_optimized: pulumi.Output[Optional[str]]
    enclave_options: pulumi.Output[Optional[outputs.LaunchTemplateEnclaveOptions]]
    hibernation_options: pulumi.Output[Optional[outputs.LaunchTemplateHibernationOptions]]
    iam_instance_profile: pulumi.Output[Optional[outputs.LaunchTemplateIamInstanceProfile]]
    image_id: pulumi.Output[Optional[str]]
    instance_initiated_shutdown_behavior: pulumi.Output[Optional[str]]
    instance_market_options: pulumi.Output[Optional[outputs.LaunchTemplateInstanceMarketOptions]]
    instance_requirements: pulumi.Output[Optional[outputs.LaunchTemplateInstanceRequirements]]
    instance_type: pulumi.Output[Optional[str]]
    kernel_id: pulumi.Output[Optional[str]]
    key_name: pulumi.Output[Optional[str]]
    latest_version: pulumi.Output[int]
    license_specifications: pulumi.Output[Optional[Sequence[outputs.LaunchTemplateLicenseSpecification]]]
    maintenance_options: pulumi.Output[Optional[outputs.LaunchTemplateMaintenanceOptions]]
    metadata_options: pulumi.Output[outputs.LaunchTemplateMetadataOptions]
    monitoring: pulumi.Output[Optional[outputs.LaunchTemplateMonitoring]]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    network_interfaces: pulumi.Output[Optional[Sequence[outputs.LaunchTemplateNetworkInterface]]]
    network_performance_options: pulumi.Output[Optional[outputs.LaunchTemplateNetworkPerformanceOptions]]
    placement: pulumi.Output[Optional[outputs.LaunchTemplatePlacement]]
    private_dns_name_options: pulumi.Output[Optional[outputs.LaunchTemplatePrivateDnsNameOptions]]
    ram_disk_id: pulumi.Output[Optional[str]]
    region: pulumi.Output[str]
    secondary_interfaces: pulumi.Output[Optional[Sequence[outputs.LaunchTemplateSecondaryInterface]]]
    security_group_names: pulumi.Output[Optional[Sequence[str]]]
    tag_specifications: pulumi.Output[Optional[Sequence[outputs.LaunchTemplateTagSpecification]]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    update_default_version: pulumi.Output[Optional[bool]]
    user_data: pulumi.Output[Optional[str]]
    vpc_security_group_ids: pulumi.Output[Optional[Sequence[str]]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        block_device_mappings: pulumi.Input[Optional[Sequence[pulumi.Input[LaunchTemplateBlockDeviceMappingArgsDict]]]] = ...,
        capacity_reservation_specification: pulumi.Input[Optional[LaunchTemplateCapacityReservationSpecificationArgsDict]] = ...,
        cpu_options: pulumi.Input[Optional[LaunchTemplateCpuOptionsArgsDict]] = ...,
        credit_specification: pulumi.Input[Optional[LaunchTemplateCreditSpecificationArgsDict]] = ...,
        default_version: pulumi.Input[Optional[int]] = ...,
        description: pulumi.Input[Optional[str]] = ...,
        disable_api_stop: pulumi.Input[Optional[bool]] = ...,
        disable_api_termination: pulumi.Input[Optional[bool]] = ...,
        ebs_optimized: pulumi.Input[Optional[str]] = ...,
        enclave_options: pulumi.Input[Optional[LaunchTemplateEnclaveOptionsArgsDict]] = ...,
        hibernation_options: pulumi.Input[Optional[LaunchTemplateHibernationOptionsArgsDict]] = ...,
        iam_instance_profile: pulumi.Input[Optional[LaunchTemplateIamInstanceProfileArgsDict]] = ...,
        image_id: pulumi.Input[Optional[str]] = ...,
        instance_initiated_shutdown_behavior: pulumi.Input[Optional[str]] = ...,
        instance_market_options: pulumi.Input[Optional[LaunchTemplateInstanceMarketOptionsArgsDict]] = ...,
        instance_requirements: pulumi.Input[Optional[LaunchTemplateInstanceRequirementsArgsDict]] = ...,
        instance_type: pulumi.Input[Optional[str]] = ...,
        kernel_id: pulumi.Input[Optional[str]] = ...,
        key_name: pulumi.Input[Optional[str]] = ...,
        license_specifications: pulumi.Input[Optional[Sequence[pulumi.Input[LaunchTemplateLicenseSpecificationArgsDict]]]] = ...,
        maintenance_options: pulumi.Input[Optional[LaunchTemplateMaintenanceOptionsArgsDict]] = ...,
        metadata_options: pulumi.Input[Optional[LaunchTemplateMetadataOptionsArgsDict]] = ...,
        monitoring: pulumi.Input[Optional[LaunchTemplateMonitoringArgsDict]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        network_interfaces: pulumi.Input[Optional[Sequence[pulumi.Input[LaunchTemplateNetworkInterfaceArgsDict]]]] = ...,
        network_performance_options: pulumi.Input[Optional[LaunchTemplateNetworkPerformanceOptionsArgsDict]] = ...,
        placement: pulumi.Input[Optional[LaunchTemplatePlacementArgsDict]] = ...,
        private_dns_name_options: pulumi.Input[Optional[LaunchTemplatePrivateDnsNameOptionsArgsDict]] = ...,
        ram_disk_id: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        secondary_interfaces: pulumi.Input[Optional[Sequence[pulumi.Input[LaunchTemplateSecondaryInterfaceArgsDict]]]] = ...,
        security_group_names: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        tag_specifications: pulumi.Input[Optional[Sequence[pulumi.Input[LaunchTemplateTagSpecificationArgsDict]]]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        update_default_version: pulumi.Input[Optional[bool]] = ...,
        user_data: pulumi.Input[Optional[str]] = ...,
        vpc_security_group_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...) -> None: ...

class LaunchTemplateBlockDeviceMappingArgsDict(TypedDict):
    device_name: NotRequired[pulumi.Input[Optional[str]]]
    ebs: NotRequired[pulumi.Input[Optional[LaunchTemplateBlockDeviceMappingEbsArgsDict]]]
    no_device: NotRequired[pulumi.Input[Optional[str]]]
    virtual_name: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateBlockDeviceMappingEbsArgsDict(TypedDict):
    delete_on_termination: NotRequired[pulumi.Input[Optional[str]]]
    encrypted: NotRequired[pulumi.Input[Optional[str]]]
    iops: NotRequired[pulumi.Input[Optional[int]]]
    kms_key_id: NotRequired[pulumi.Input[Optional[str]]]
    snapshot_id: NotRequired[pulumi.Input[Optional[str]]]
    throughput: NotRequired[pulumi.Input[Optional[int]]]
    volume_initialization_rate: NotRequired[pulumi.Input[Optional[int]]]
    volume_size: NotRequired[pulumi.Input[Optional[int]]]
    volume_type: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateCapacityReservationSpecificationArgsDict(TypedDict):
    capacity_reservation_preference: NotRequired[pulumi.Input[Optional[str]]]
    capacity_reservation_target: NotRequired[pulumi.Input[Optional[LaunchTemplateCapacityReservationSpecificationCapacityReservationTargetArgsDict]]]

class LaunchTemplateCapacityReservationSpecificationCapacityReservationTargetArgsDict(TypedDict):
    capacity_reservation_id: NotRequired[pulumi.Input[Optional[str]]]
    capacity_reservation_resource_group_arn: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateCpuOptionsArgsDict(TypedDict):
    amd_sev_snp: NotRequired[pulumi.Input[Optional[str]]]
    core_count: NotRequired[pulumi.Input[Optional[int]]]
    nested_virtualization: NotRequired[pulumi.Input[Optional[str]]]
    threads_per_core: NotRequired[pulumi.Input[Optional[int]]]

class LaunchTemplateCreditSpecificationArgsDict(TypedDict):
    cpu_credits: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateEnclaveOptionsArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class LaunchTemplateHibernationOptionsArgsDict(TypedDict):
    configured: pulumi.Input[bool]

class LaunchTemplateIamInstanceProfileArgsDict(TypedDict):
    arn: NotRequired[pulumi.Input[Optional[str]]]
    name: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateInstanceMarketOptionsArgsDict(TypedDict):
    market_type: NotRequired[pulumi.Input[Optional[str]]]
    spot_options: NotRequired[pulumi.Input[Optional[LaunchTemplateInstanceMarketOptionsSpotOptionsArgsDict]]]

class LaunchTemplateInstanceMarketOptionsSpotOptionsArgsDict(TypedDict):
    block_duration_minutes: NotRequired[pulumi.Input[Optional[int]]]
    instance_interruption_behavior: NotRequired[pulumi.Input[Optional[str]]]
    max_price: NotRequired[pulumi.Input[Optional[str]]]
    spot_instance_type: NotRequired[pulumi.Input[Optional[str]]]
    valid_until: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateInstanceRequirementsAcceleratorCountArgsDict(TypedDict):
    max: NotRequired[pulumi.Input[Optional[int]]]
    min: NotRequired[pulumi.Input[Optional[int]]]

class LaunchTemplateInstanceRequirementsAcceleratorTotalMemoryMibArgsDict(TypedDict):
    max: NotRequired[pulumi.Input[Optional[int]]]
    min: NotRequired[pulumi.Input[Optional[int]]]

class LaunchTemplateInstanceRequirementsArgsDict(TypedDict):
    memory_mib: pulumi.Input[LaunchTemplateInstanceRequirementsMemoryMibArgsDict]
    vcpu_count: pulumi.Input[LaunchTemplateInstanceRequirementsVcpuCountArgsDict]
    accelerator_count: NotRequired[pulumi.Input[Optional[LaunchTemplateInstanceRequirementsAcceleratorCountArgsDict]]]
    accelerator_manufacturers: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    accelerator_names: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    accelerator_total_memory_mib: NotRequired[pulumi.Input[Optional[LaunchTemplateInstanceRequirementsAcceleratorTotalMemoryMibArgsDict]]]
    accelerator_types: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    allowed_instance_types: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    bare_metal: NotRequired[pulumi.Input[Optional[str]]]
    baseline_ebs_bandwidth_mbps: NotRequired[pulumi.Input[Optional[LaunchTemplateInstanceRequirementsBaselineEbsBandwidthMbpsArgsDict]]]
    burstable_performance: NotRequired[pulumi.Input[Optional[str]]]
    cpu_manufacturers: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    excluded_instance_types: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    instance_generations: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    local_storage: NotRequired[pulumi.Input[Optional[str]]]
    local_storage_types: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    max_spot_price_as_percentage_of_optimal_on_demand_price: NotRequired[pulumi.Input[Optional[int]]]
    memory_gib_per_vcpu: NotRequired[pulumi.Input[Optional[LaunchTemplateInstanceRequirementsMemoryGibPerVcpuArgsDict]]]
    network_bandwidth_gbps: NotRequired[pulumi.Input[Optional[LaunchTemplateInstanceRequirementsNetworkBandwidthGbpsArgsDict]]]
    network_interface_count: NotRequired[pulumi.Input[Optional[LaunchTemplateInstanceRequirementsNetworkInterfaceCountArgsDict]]]
    on_demand_max_price_percentage_over_lowest_price: NotRequired[pulumi.Input[Optional[int]]]
    require_hibernate_support: NotRequired[pulumi.Input[Optional[bool]]]
    spot_max_price_percentage_over_lowest_price: NotRequired[pulumi.Input[Optional[int]]]
    total_local_storage_gb: NotRequired[pulumi.Input[Optional[LaunchTemplateInstanceRequirementsTotalLocalStorageGbArgsDict]]]

class LaunchTemplateInstanceRequirementsBaselineEbsBandwidthMbpsArgsDict(TypedDict):
    max: NotRequired[pulumi.Input[Optional[int]]]
    min: NotRequired[pulumi.Input[Optional[int]]]

class LaunchTemplateInstanceRequirementsMemoryGibPerVcpuArgsDict(TypedDict):
    max: NotRequired[pulumi.Input[Optional[float]]]
    min: NotRequired[pulumi.Input[Optional[float]]]

class LaunchTemplateInstanceRequirementsMemoryMibArgsDict(TypedDict):
    min: pulumi.Input[int]
    max: NotRequired[pulumi.Input[Optional[int]]]

class LaunchTemplateInstanceRequirementsNetworkBandwidthGbpsArgsDict(TypedDict):
    max: NotRequired[pulumi.Input[Optional[float]]]
    min: NotRequired[pulumi.Input[Optional[float]]]

class LaunchTemplateInstanceRequirementsNetworkInterfaceCountArgsDict(TypedDict):
    max: NotRequired[pulumi.Input[Optional[int]]]
    min: NotRequired[pulumi.Input[Optional[int]]]

class LaunchTemplateInstanceRequirementsTotalLocalStorageGbArgsDict(TypedDict):
    max: NotRequired[pulumi.Input[Optional[float]]]
    min: NotRequired[pulumi.Input[Optional[float]]]

class LaunchTemplateInstanceRequirementsVcpuCountArgsDict(TypedDict):
    min: pulumi.Input[int]
    max: NotRequired[pulumi.Input[Optional[int]]]

class LaunchTemplateLicenseSpecificationArgsDict(TypedDict):
    license_configuration_arn: pulumi.Input[str]

class LaunchTemplateMaintenanceOptionsArgsDict(TypedDict):
    auto_recovery: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateMetadataOptionsArgsDict(TypedDict):
    http_endpoint: NotRequired[pulumi.Input[Optional[str]]]
    http_protocol_ipv6: NotRequired[pulumi.Input[Optional[str]]]
    http_put_response_hop_limit: NotRequired[pulumi.Input[Optional[int]]]
    http_tokens: NotRequired[pulumi.Input[Optional[str]]]
    instance_metadata_tags: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateMonitoringArgsDict(TypedDict):
    enabled: NotRequired[pulumi.Input[Optional[bool]]]

class LaunchTemplateNetworkInterfaceArgsDict(TypedDict):
    associate_carrier_ip_address: NotRequired[pulumi.Input[Optional[str]]]
    associate_public_ip_address: NotRequired[pulumi.Input[Optional[str]]]
    connection_tracking_specification: NotRequired[pulumi.Input[Optional[LaunchTemplateNetworkInterfaceConnectionTrackingSpecificationArgsDict]]]
    delete_on_termination: NotRequired[pulumi.Input[Optional[str]]]
    description: NotRequired[pulumi.Input[Optional[str]]]
    device_index: NotRequired[pulumi.Input[Optional[int]]]
    ena_queue_count: NotRequired[pulumi.Input[Optional[int]]]
    ena_srd_specification: NotRequired[pulumi.Input[Optional[LaunchTemplateNetworkInterfaceEnaSrdSpecificationArgsDict]]]
    interface_type: NotRequired[pulumi.Input[Optional[str]]]
    ipv4_address_count: NotRequired[pulumi.Input[Optional[int]]]
    ipv4_addresses: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    ipv4_prefix_count: NotRequired[pulumi.Input[Optional[int]]]
    ipv4_prefixes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    ipv6_address_count: NotRequired[pulumi.Input[Optional[int]]]
    ipv6_addresses: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    ipv6_prefix_count: NotRequired[pulumi.Input[Optional[int]]]
    ipv6_prefixes: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    network_card_index: NotRequired[pulumi.Input[Optional[int]]]
    network_interface_id: NotRequired[pulumi.Input[Optional[str]]]
    primary_ipv6: NotRequired[pulumi.Input[Optional[str]]]
    private_ip_address: NotRequired[pulumi.Input[Optional[str]]]
    security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    subnet_id: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateNetworkInterfaceConnectionTrackingSpecificationArgsDict(TypedDict):
    tcp_established_timeout: NotRequired[pulumi.Input[Optional[int]]]
    udp_stream_timeout: NotRequired[pulumi.Input[Optional[int]]]
    udp_timeout: NotRequired[pulumi.Input[Optional[int]]]

class LaunchTemplateNetworkInterfaceEnaSrdSpecificationArgsDict(TypedDict):
    ena_srd_enabled: NotRequired[pulumi.Input[Optional[bool]]]
    ena_srd_udp_specification: NotRequired[pulumi.Input[Optional[LaunchTemplateNetworkInterfaceEnaSrdSpecificationEnaSrdUdpSpecificationArgsDict]]]

class LaunchTemplateNetworkInterfaceEnaSrdSpecificationEnaSrdUdpSpecificationArgsDict(TypedDict):
    ena_srd_udp_enabled: NotRequired[pulumi.Input[Optional[bool]]]

class LaunchTemplateNetworkPerformanceOptionsArgsDict(TypedDict):
    bandwidth_weighting: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplatePlacementArgsDict(TypedDict):
    affinity: NotRequired[pulumi.Input[Optional[str]]]
    availability_zone: NotRequired[pulumi.Input[Optional[str]]]
    group_id: NotRequired[pulumi.Input[Optional[str]]]
    group_name: NotRequired[pulumi.Input[Optional[str]]]
    host_id: NotRequired[pulumi.Input[Optional[str]]]
    host_resource_group_arn: NotRequired[pulumi.Input[Optional[str]]]
    partition_number: NotRequired[pulumi.Input[Optional[int]]]
    spread_domain: NotRequired[pulumi.Input[Optional[str]]]
    tenancy: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplatePrivateDnsNameOptionsArgsDict(TypedDict):
    enable_resource_name_dns_a_record: NotRequired[pulumi.Input[Optional[bool]]]
    enable_resource_name_dns_aaaa_record: NotRequired[pulumi.Input[Optional[bool]]]
    hostname_type: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateSecondaryInterfaceArgsDict(TypedDict):
    delete_on_termination: NotRequired[pulumi.Input[Optional[bool]]]
    device_index: NotRequired[pulumi.Input[Optional[int]]]
    interface_type: NotRequired[pulumi.Input[Optional[str]]]
    network_card_index: NotRequired[pulumi.Input[Optional[int]]]
    private_ip_address_count: NotRequired[pulumi.Input[Optional[int]]]
    private_ip_addresses: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    secondary_subnet_id: NotRequired[pulumi.Input[Optional[str]]]

class LaunchTemplateTagSpecificationArgsDict(TypedDict):
    resource_type: NotRequired[pulumi.Input[Optional[str]]]
    tags: NotRequired[pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]]]

class NatGateway(pulumi.CustomResource):
    allocation_id: pulumi.Output[Optional[str]]
    association_id: pulumi.Output[str]
    auto_provision_zones: pulumi.Output[str]
    auto_scaling_ips: pulumi.Output[str]
    availability_mode: pulumi.Output[str]
    availability_zone_addresses: pulumi.Output[Optional[Sequence[outputs.NatGatewayAvailabilityZoneAddress]]]
    connectivity_type: pulumi.Output[Optional[str]]
    network_interface_id: pulumi.Output[str]
    private_ip: pulumi.Output[str]
    public_ip: pulumi.Output[str]
    region: pulumi.Output[str]
    regional_nat_gateway_addresses: pulumi.Output[Sequence[outputs.NatGatewayRegionalNatGatewayAddress]]
    regional_nat_gateway_auto_mode: pulumi.Output[str]
    route_table_id: pulumi.Output[str]
    secondary_allocation_ids: pulumi.Output[Sequence[str]]
    secondary_private_ip_address_count: pulumi.Output[int]
    secondary_private_ip_addresses: pulumi.Output[Sequence[str]]
    subnet_id: pulumi.Output[Optional[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    vpc_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        allocation_id: pulumi.Input[Optional[str]] = ...,
        availability_mode: pulumi.Input[Optional[str]] = ...,
        availability_zone_addresses: pulumi.Input[Optional[Sequence[pulumi.Input[NatGatewayAvailabilityZoneAddressArgsDict]]]] = ...,
        connectivity_type: pulumi.Input[Optional[str]] = ...,
        private_ip: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        secondary_allocation_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        secondary_private_ip_address_count: pulumi.Input[Optional[int]] = ...,
        secondary_private_ip_addresses: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        subnet_id: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        vpc_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class NatGatewayAvailabilityZoneAddressArgsDict(TypedDict):
    allocation_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    availability_zone: NotRequired[pulumi.Input[Optional[str]]]
    availability_zone_id: NotRequired[pulumi.Input[Optional[str]]]

class Route(pulumi.CustomResource):
    carrier_gateway_id: pulumi.Output[Optional[str]]
    core_network_arn: pulumi.Output[Optional[str]]
    destination_cidr_block: pulumi.Output[Optional[str]]
    destination_ipv6_cidr_block: pulumi.Output[Optional[str]]
    destination_prefix_list_id: pulumi.Output[Optional[str]]
    egress_only_gateway_id: pulumi.Output[Optional[str]]
    gateway_id: pulumi.Output[Optional[str]]
    instance_id: pulumi.Output[str]
    instance_owner_id: pulumi.Output[str]
    local_gateway_id: pulumi.Output[Optional[str]]
    nat_gateway_id: pulumi.Output[Optional[str]]
    network_interface_id: pulumi.Output[str]
    odb_network_arn: pulumi.Output[Optional[str]]
    origin: pulumi.Output[str]
    region: pulumi.Output[str]
    route_table_id: pulumi.Output[str]
    state: pulumi.Output[str]
    transit_gateway_id: pulumi.Output[Optional[str]]
    vpc_endpoint_id: pulumi.Output[Optional[str]]
    vpc_peering_connection_id: pulumi.Output[Optional[str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        route_table_id: pulumi.Input[str],
        carrier_gateway_id: pulumi.Input[Optional[str]] = ...,
        core_network_arn: pulumi.Input[Optional[str]] = ...,
        destination_cidr_block: pulumi.Input[Optional[str]] = ...,
        destination_ipv6_cidr_block: pulumi.Input[Optional[str]] = ...,
        destination_prefix_list_id: pulumi.Input[Optional[str]] = ...,
        egress_only_gateway_id: pulumi.Input[Optional[str]] = ...,
        gateway_id: pulumi.Input[Optional[str]] = ...,
        local_gateway_id: pulumi.Input[Optional[str]] = ...,
        nat_gateway_id: pulumi.Input[Optional[str]] = ...,
        network_interface_id: pulumi.Input[Optional[str]] = ...,
        odb_network_arn: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        transit_gateway_id: pulumi.Input[Optional[str]] = ...,
        vpc_endpoint_id: pulumi.Input[Optional[str]] = ...,
        vpc_peering_connection_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class RouteTable(pulumi.CustomResource):
    arn: pulumi.Output[str]
    owner_id: pulumi.Output[str]
    propagating_vgws: pulumi.Output[Sequence[str]]
    region: pulumi.Output[str]
    routes: pulumi.Output[Sequence[outputs.RouteTableRoute]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    vpc_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        vpc_id: pulumi.Input[str],
        propagating_vgws: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        routes: pulumi.Input[Optional[Sequence[pulumi.Input[RouteTableRouteArgsDict]]]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class RouteTableAssociation(pulumi.CustomResource):
    gateway_id: pulumi.Output[Optional[str]]
    region: pulumi.Output[str]
    route_table_id: pulumi.Output[str]
    subnet_id: pulumi.Output[Optional[str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        route_table_id: pulumi.Input[str],
        gateway_id: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        subnet_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class RouteTableRouteArgsDict(TypedDict):
    carrier_gateway_id: NotRequired[pulumi.Input[Optional[str]]]
    cidr_block: NotRequired[pulumi.Input[Optional[str]]]
    core_network_arn: NotRequired[pulumi.Input[Optional[str]]]
    destination_prefix_list_id: NotRequired[pulumi.Input[Optional[str]]]
    egress_only_gateway_id: NotRequired[pulumi.Input[Optional[str]]]
    gateway_id: NotRequired[pulumi.Input[Optional[str]]]
    ipv6_cidr_block: NotRequired[pulumi.Input[Optional[str]]]
    local_gateway_id: NotRequired[pulumi.Input[Optional[str]]]
    nat_gateway_id: NotRequired[pulumi.Input[Optional[str]]]
    network_interface_id: NotRequired[pulumi.Input[Optional[str]]]
    odb_network_arn: NotRequired[pulumi.Input[Optional[str]]]
    transit_gateway_id: NotRequired[pulumi.Input[Optional[str]]]
    vpc_endpoint_id: NotRequired[pulumi.Input[Optional[str]]]
    vpc_peering_connection_id: NotRequired[pulumi.Input[Optional[str]]]

class SecurityGroup(pulumi.CustomResource):
    arn: pulumi.Output[str]
    description: pulumi.Output[str]
    egress: pulumi.Output[Sequence[outputs.SecurityGroupEgress]]
    ingress: pulumi.Output[Sequence[outputs.SecurityGroupIngress]]
    name: pulumi.Output[str]
    name_prefix: pulumi.Output[str]
    owner_id: pulumi.Output[str]
    region: pulumi.Output[str]
    revoke_rules_on_delete: pulumi.Output[Optional[bool]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    vpc_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        description: pulumi.Input[Optional[str]] = ...,
        egress: pulumi.Input[Optional[Sequence[pulumi.Input[SecurityGroupEgressArgsDict]]]] = ...,
        ingress: pulumi.Input[Optional[Sequence[pulumi.Input[SecurityGroupIngressArgsDict]]]] = ...,
        name: pulumi.Input[Optional[str]] = ...,
        name_prefix: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        revoke_rules_on_delete: pulumi.Input[Optional[bool]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        vpc_id: pulumi.Input[Optional[str]] = ...) -> None: ...

class SecurityGroupEgressArgsDict(TypedDict):
    from_port: pulumi.Input[int]
    protocol: pulumi.Input[str]
    to_port: pulumi.Input[int]
    cidr_blocks: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    description: NotRequired[pulumi.Input[Optional[str]]]
    ipv6_cidr_blocks: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    prefix_list_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    self: NotRequired[pulumi.Input[Optional[bool]]]

class SecurityGroupIngressArgsDict(TypedDict):
    from_port: pulumi.Input[int]
    protocol: pulumi.Input[str]
    to_port: pulumi.Input[int]
    cidr_blocks: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    description: NotRequired[pulumi.Input[Optional[str]]]
    ipv6_cidr_blocks: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    prefix_list_ids: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    security_groups: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]
    self: NotRequired[pulumi.Input[Optional[bool]]]

class SecurityGroupRule(pulumi.CustomResource):
    cidr_blocks: pulumi.Output[Optional[Sequence[str]]]
    description: pulumi.Output[Optional[str]]
    from_port: pulumi.Output[int]
    ipv6_cidr_blocks: pulumi.Output[Optional[Sequence[str]]]
    prefix_list_ids: pulumi.Output[Optional[Sequence[str]]]
    protocol: pulumi.Output[str]
    region: pulumi.Output[str]
    security_group_id: pulumi.Output[str]
    security_group_rule_id: pulumi.Output[str]
    self: pulumi.Output[Optional[bool]]
    source_security_group_id: pulumi.Output[str]
    to_port: pulumi.Output[int]
    type: pulumi.Output[str]

class Subnet(pulumi.CustomResource):
    arn: pulumi.Output[str]
    assign_ipv6_address_on_creation: pulumi.Output[Optional[bool]]
    availability_zone: pulumi.Output[str]
    availability_zone_id: pulumi.Output[str]
    cidr_block: pulumi.Output[str]
    customer_owned_ipv4_pool: pulumi.Output[Optional[str]]
    enable_dns64: pulumi.Output[Optional[bool]]
    enable_lni_at_device_index: pulumi.Output[Optional[int]]
    enable_resource_name_dns_a_record_on_launch: pulumi.Output[Optional[bool]]
    enable_resource_name_dns_aaaa_record_on_launch: pulumi.Output[Optional[bool]]
    ipv4_ipam_pool_id: pulumi.Output[Optional[str]]
    ipv4_netmask_length: pulumi.Output[Optional[int]]
    ipv6_cidr_block: pulumi.Output[str]
    ipv6_cidr_block_association_id: pulumi.Output[str]
    ipv6_ipam_pool_id: pulumi.Output[Optional[str]]
    ipv6_native: pulumi.Output[Optional[bool]]
    ipv6_netmask_length: pulumi.Output[Optional[int]]
    map_customer_owned_ip_on_launch: pulumi.Output[Optional[bool]]
    map_public_ip_on_launch: pulumi.Output[Optional[bool]]
    outpost_arn: pulumi.Output[Optional[str]]
    owner_id: pulumi.Output[str]
    private_dns_hostname_type_on_launch: pulumi.Output[str]
    region: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    vpc_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        vpc_id: pulumi.Input[str],
        assign_ipv6_address_on_creation: pulumi.Input[Optional[bool]] = ...,
        availability_zone: pulumi.Input[Optional[str]] = ...,
        availability_zone_id: pulumi.Input[Optional[str]] = ...,
        cidr_block: pulumi.Input[Optional[str]] = ...,
        customer_owned_ipv4_pool: pulumi.Input[Optional[str]] = ...,
        enable_dns64: pulumi.Input[Optional[bool]] = ...,
        enable_lni_at_device_index: pulumi.Input[Optional[int]] = ...,
        enable_resource_name_dns_a_record_on_launch: pulumi.Input[Optional[bool]] = ...,
        enable_resource_name_dns_aaaa_record_on_launch: pulumi.Input[Optional[bool]] = ...,
        ipv4_ipam_pool_id: pulumi.Input[Optional[str]] = ...,
        ipv4_netmask_length: pulumi.Input[Optional[int]] = ...,
        ipv6_cidr_block: pulumi.Input[Optional[str]] = ...,
        ipv6_ipam_pool_id: pulumi.Input[Optional[str]] = ...,
        ipv6_native: pulumi.Input[Optional[bool]] = ...,
        ipv6_netmask_length: pulumi.Input[Optional[int]] = ...,
        map_customer_owned_ip_on_launch: pulumi.Input[Optional[bool]] = ...,
        map_public_ip_on_launch: pulumi.Input[Optional[bool]] = ...,
        outpost_arn: pulumi.Input[Optional[str]] = ...,
        private_dns_hostname_type_on_launch: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class Tag(pulumi.CustomResource):
    key: pulumi.Output[str]
    region: pulumi.Output[str]
    resource_id: pulumi.Output[str]
    value: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        key: pulumi.Input[str],
        resource_id: pulumi.Input[str],
        value: pulumi.Input[str],
        region: pulumi.Input[Optional[str]] = ...) -> None: ...

class Vpc(pulumi.CustomResource):
    arn: pulumi.Output[str]
    assign_generated_ipv6_cidr_block: pulumi.Output[Optional[bool]]
    cidr_block: pulumi.Output[str]
    default_network_acl_id: pulumi.Output[str]
    default_route_table_id: pulumi.Output[str]
    default_security_group_id: pulumi.Output[str]
    dhcp_options_id: pulumi.Output[str]
    enable_dns_hostnames: pulumi.Output[bool]
    enable_dns_support: pulumi.Output[Optional[bool]]
    enable_network_address_usage_metrics: pulumi.Output[bool]
    instance_tenancy: pulumi.Output[Optional[str]]
    ipv4_ipam_pool_id: pulumi.Output[Optional[str]]
    ipv4_netmask_length: pulumi.Output[Optional[int]]
    ipv6_association_id: pulumi.Output[str]
    ipv6_cidr_block: pulumi.Output[str]
    ipv6_cidr_block_network_border_group: pulumi.Output[str]
    ipv6_ipam_pool_id: pulumi.Output[Optional[str]]
    ipv6_netmask_length: pulumi.Output[Optional[int]]
    main_route_table_id: pulumi.Output[str]
    owner_id: pulumi.Output[str]
    region: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        assign_generated_ipv6_cidr_block: pulumi.Input[Optional[bool]] = ...,
        cidr_block: pulumi.Input[Optional[str]] = ...,
        enable_dns_hostnames: pulumi.Input[Optional[bool]] = ...,
        enable_dns_support: pulumi.Input[Optional[bool]] = ...,
        enable_network_address_usage_metrics: pulumi.Input[Optional[bool]] = ...,
        instance_tenancy: pulumi.Input[Optional[str]] = ...,
        ipv4_ipam_pool_id: pulumi.Input[Optional[str]] = ...,
        ipv4_netmask_length: pulumi.Input[Optional[int]] = ...,
        ipv6_cidr_block: pulumi.Input[Optional[str]] = ...,
        ipv6_cidr_block_network_border_group: pulumi.Input[Optional[str]] = ...,
        ipv6_ipam_pool_id: pulumi.Input[Optional[str]] = ...,
        ipv6_netmask_length: pulumi.Input[Optional[int]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...) -> None: ...

class VpcEndpoint(pulumi.CustomResource):
    arn: pulumi.Output[str]
    auto_accept: pulumi.Output[Optional[bool]]
    cidr_blocks: pulumi.Output[Sequence[str]]
    dns_entries: pulumi.Output[Sequence[outputs.VpcEndpointDnsEntry]]
    dns_options: pulumi.Output[outputs.VpcEndpointDnsOptions]
    ip_address_type: pulumi.Output[str]
    network_interface_ids: pulumi.Output[Sequence[str]]
    owner_id: pulumi.Output[str]
    policy: pulumi.Output[str]
    prefix_list_id: pulumi.Output[str]
    private_dns_enabled: pulumi.Output[bool]
    region: pulumi.Output[str]
    requester_managed: pulumi.Output[bool]
    resource_configuration_arn: pulumi.Output[Optional[str]]
    route_table_ids: pulumi.Output[Sequence[str]]
    security_group_ids: pulumi.Output[Sequence[str]]
    service_name: pulumi.Output[Optional[str]]
    service_network_arn: pulumi.Output[Optional[str]]
    service_region: pulumi.Output[str]
    state: pulumi.Output[str]
    subnet_configurations: pulumi.Output[Sequence[outputs.VpcEndpointSubnetConfiguration]]
    subnet_ids: pulumi.Output[Sequence[str]]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    vpc_endpoint_type: pulumi.Output[Optional[str]]
    vpc_id: pulumi.Output[str]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        vpc_id: pulumi.Input[str],
        auto_accept: pulumi.Input[Optional[bool]] = ...,
        dns_options: pulumi.Input[Optional[VpcEndpointDnsOptionsArgsDict]] = ...,
        ip_address_type: pulumi.Input[Optional[str]] = ...,
        policy: pulumi.Input[Optional[str]] = ...,
        private_dns_enabled: pulumi.Input[Optional[bool]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        resource_configuration_arn: pulumi.Input[Optional[str]] = ...,
        route_table_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        security_group_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        service_name: pulumi.Input[Optional[str]] = ...,
        service_network_arn: pulumi.Input[Optional[str]] = ...,
        service_region: pulumi.Input[Optional[str]] = ...,
        subnet_configurations: pulumi.Input[Optional[Sequence[pulumi.Input[VpcEndpointSubnetConfigurationArgsDict]]]] = ...,
        subnet_ids: pulumi.Input[Optional[Sequence[pulumi.Input[str]]]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        vpc_endpoint_type: pulumi.Input[Optional[str]] = ...) -> None: ...

class VpcEndpointDnsOptionsArgsDict(TypedDict):
    dns_record_ip_type: NotRequired[pulumi.Input[Optional[str]]]
    private_dns_only_for_inbound_resolver_endpoint: NotRequired[pulumi.Input[Optional[bool]]]
    private_dns_preference: NotRequired[pulumi.Input[Optional[str]]]
    private_dns_specified_domains: NotRequired[pulumi.Input[Optional[Sequence[pulumi.Input[str]]]]]

class VpcEndpointSubnetConfigurationArgsDict(TypedDict):
    ipv4: NotRequired[pulumi.Input[Optional[str]]]
    ipv6: NotRequired[pulumi.Input[Optional[str]]]
    subnet_id: NotRequired[pulumi.Input[Optional[str]]]

def get_route_table(filters: Optional[Sequence[Union[GetRouteTableFilterArgsDict]]] = ..., gateway_id: Optional[str] = ..., region: Optional[str] = ..., route_table_id: Optional[str] = ..., subnet_id: Optional[str] = ..., tags: Optional[Mapping[str, str]] = ..., vpc_id: Optional[str] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetRouteTableResult: ...

def get_route_tables(filters: Optional[Sequence[Union[GetRouteTablesFilterArgsDict]]] = ..., region: Optional[str] = ..., tags: Optional[Mapping[str, str]] = ..., vpc_id: Optional[str] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetRouteTablesResult: ...

def get_subnet(availability_zone: Optional[str] = ..., availability_zone_id: Optional[str] = ..., cidr_block: Optional[str] = ..., default_for_az: Optional[bool] = ..., filters: Optional[Sequence[Union[GetSubnetFilterArgsDict]]] = ..., id: Optional[str] = ..., ipv6_cidr_block: Optional[str] = ..., region: Optional[str] = ..., state: Optional[str] = ..., tags: Optional[Mapping[str, str]] = ..., vpc_id: Optional[str] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetSubnetResult: ...

def get_subnets(filters: Optional[Sequence[Union[GetSubnetsFilterArgsDict]]] = ..., region: Optional[str] = ..., tags: Optional[Mapping[str, str]] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetSubnetsResult: ...

def get_vpc(cidr_block: Optional[str] = ..., default: Optional[bool] = ..., dhcp_options_id: Optional[str] = ..., filters: Optional[Sequence[Union[GetVpcFilterArgsDict]]] = ..., id: Optional[str] = ..., region: Optional[str] = ..., state: Optional[str] = ..., tags: Optional[Mapping[str, str]] = ..., opts: Optional[pulumi.InvokeOptions] = ...) -> GetVpcResult: ...
