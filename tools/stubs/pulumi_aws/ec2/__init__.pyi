# Written by `python -m tools.stubs.generate`. Do not edit.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal, NotRequired, Optional, TypedDict, Union
import pulumi
from . import outputs as outputs

class CapacityReservation(pulumi.CustomResource):
    arn: pulumi.Output[str]
    availability_zone: pulumi.Output[str]
    ebs_optimized: pulumi.Output[Optional[bool]]
    end_date: pulumi.Output[Optional[str]]
    end_date_type: pulumi.Output[Optional[str]]
    ephemeral_storage: pulumi.Output[Optional[bool]]
    instance_count: pulumi.Output[int]
    instance_match_criteria: pulumi.Output[Optional[str]]
    instance_platform: pulumi.Output[str]
    instance_type: pulumi.Output[str]
    outpost_arn: pulumi.Output[Optional[str]]
    owner_id: pulumi.Output[str]
    placement_group_arn: pulumi.Output[Optional[str]]
    region: pulumi.Output[str]
    tags: pulumi.Output[Optional[Mapping[str, str]]]
    tags_all: pulumi.Output[Mapping[str, str]]
    tenancy: pulumi.Output[Optional[str]]
    def __init__(self, resource_name: str, opts: Optional[pulumi.ResourceOptions] = ..., *,
        availability_zone: pulumi.Input[str],
        instance_count: pulumi.Input[int],
        instance_platform: pulumi.Input[Union[str, InstancePlatform]],
        instance_type: pulumi.Input[Union[str, InstanceType]],
        ebs_optimized: pulumi.Input[Optional[bool]] = ...,
        end_date: pulumi.Input[Optional[str]] = ...,
        end_date_type: pulumi.Input[Optional[str]] = ...,
        ephemeral_storage: pulumi.Input[Optional[bool]] = ...,
        instance_match_criteria: pulumi.Input[Optional[str]] = ...,
        outpost_arn: pulumi.Input[Optional[str]] = ...,
        placement_group_arn: pulumi.Input[Optional[str]] = ...,
        region: pulumi.Input[Optional[str]] = ...,
        tags: pulumi.Input[Optional[Mapping[str, pulumi.Input[str]]]] = ...,
        tenancy: pulumi.Input[Optional[Union[str, Tenancy]]] = ...) -> None: ...

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

class InstancePlatform(str, Enum):
    LINUX_UNIX = 'Linux/UNIX'
    RED_HAT_ENTERPRISE_LINUX = 'Red Hat Enterprise Linux'
    SUSE_LINUX = 'SUSE Linux'
    WINDOWS = 'Windows'
    WINDOWS_WITH_SQL_SERVER = 'Windows with SQL Server'
    WINDOWS_WITH_SQL_SERVER_ENTERPRISE = 'Windows with SQL Server Enterprise'
    WINDOWS_WITH_SQL_SERVER_STANDARD = 'Windows with SQL Server Standard'
    WINDOWS_WITH_SQL_SERVER_WEB = 'Windows with SQL Server Web'

class InstanceType(str, Enum):
    A1_2_X_LARGE = 'a1.2xlarge'
    A1_4_X_LARGE = 'a1.4xlarge'
    A1_LARGE = 'a1.large'
    A1_MEDIUM = 'a1.medium'
    A1_METAL = 'a1.metal'
    A1_X_LARGE = 'a1.xlarge'
    C1_MEDIUM = 'c1.medium'
    C1_X_LARGE = 'c1.xlarge'
    C3_2_X_LARGE = 'c3.2xlarge'
    C3_4_X_LARGE = 'c3.4xlarge'
    C3_8_X_LARGE = 'c3.8xlarge'
    C3_LARGE = 'c3.large'
    C3_X_LARGE = 'c3.xlarge'
    C4_2_X_LARGE = 'c4.2xlarge'
    C4_4_X_LARGE = 'c4.4xlarge'
    C4_8_X_LARGE = 'c4.8xlarge'
    C4_LARGE = 'c4.large'
    C4_X_LARGE = 'c4.xlarge'
    C5_12_X_LARGE = 'c5.12xlarge'
    C5_18_X_LARGE = 'c5.18xlarge'
    C5_24_X_LARGE = 'c5.24xlarge'
    C5_2_X_LARGE = 'c5.2xlarge'
    C5_4_X_LARGE = 'c5.4xlarge'
    C5_9_X_LARGE = 'c5.9xlarge'
    C5_LARGE = 'c5.large'
    C5_METAL = 'c5.metal'
    C5_X_LARGE = 'c5.xlarge'
    C5A_12_X_LARGE = 'c5a.12xlarge'
    C5A_16_X_LARGE = 'c5a.16xlarge'
    C5A_24_X_LARGE = 'c5a.24xlarge'
    C5A_2_X_LARGE = 'c5a.2xlarge'
    C5A_4_X_LARGE = 'c5a.4xlarge'
    C5A_8_X_LARGE = 'c5a.8xlarge'
    C5A_LARGE = 'c5a.large'
    C5A_X_LARGE = 'c5a.xlarge'
    C5AD_12_X_LARGE = 'c5ad.12xlarge'
    C5AD_16_X_LARGE = 'c5ad.16xlarge'
    C5AD_24_X_LARGE = 'c5ad.24xlarge'
    C5AD_2_X_LARGE = 'c5ad.2xlarge'
    C5AD_4_X_LARGE = 'c5ad.4xlarge'
    C5AD_8_X_LARGE = 'c5ad.8xlarge'
    C5AD_LARGE = 'c5ad.large'
    C5AD_X_LARGE = 'c5ad.xlarge'
    C5D_12_X_LARGE = 'c5d.12xlarge'
    C5D_18_X_LARGE = 'c5d.18xlarge'
    C5D_24_X_LARGE = 'c5d.24xlarge'
    C5D_2_X_LARGE = 'c5d.2xlarge'
    C5D_4_X_LARGE = 'c5d.4xlarge'
    C5D_9_X_LARGE = 'c5d.9xlarge'
    C5D_LARGE = 'c5d.large'
    C5D_METAL = 'c5d.metal'
    C5D_X_LARGE = 'c5d.xlarge'
    C5N_18_X_LARGE = 'c5n.18xlarge'
    C5N_2_X_LARGE = 'c5n.2xlarge'
    C5N_4_X_LARGE = 'c5n.4xlarge'
    C5N_9_X_LARGE = 'c5n.9xlarge'
    C5N_LARGE = 'c5n.large'
    C5N_METAL = 'c5n.metal'
    C5N_X_LARGE = 'c5n.xlarge'
    C6A_12_X_LARGE = 'c6a.12xlarge'
    C6A_16_X_LARGE = 'c6a.16xlarge'
    C6A_24_X_LARGE = 'c6a.24xlarge'
    C6A_2_X_LARGE = 'c6a.2xlarge'
    C6A_32_X_LARGE = 'c6a.32xlarge'
    C6A_48_X_LARGE = 'c6a.48xlarge'
    C6A_4_X_LARGE = 'c6a.4xlarge'
    C6A_8_X_LARGE = 'c6a.8xlarge'
    C6A_LARGE = 'c6a.large'
    C6A_METAL = 'c6a.metal'
    C6A_X_LARGE = 'c6a.xlarge'
    C6G_12_X_LARGE = 'c6g.12xlarge'
    C6G_16_X_LARGE = 'c6g.16xlarge'
    C6G_2_X_LARGE = 'c6g.2xlarge'
    C6G_4_X_LARGE = 'c6g.4xlarge'
    C6G_8_X_LARGE = 'c6g.8xlarge'
    C6G_LARGE = 'c6g.large'
    C6G_MEDIUM = 'c6g.medium'
    C6G_METAL = 'c6g.metal'
    C6G_X_LARGE = 'c6g.xlarge'
    C6GD_12_X_LARGE = 'c6gd.12xlarge'
    C6GD_16_X_LARGE = 'c6gd.16xlarge'
    C6GD_2_X_LARGE = 'c6gd.2xlarge'
    C6GD_4_X_LARGE = 'c6gd.4xlarge'
    C6GD_8_X_LARGE = 'c6gd.8xlarge'
    C6GD_LARGE = 'c6gd.large'
    C6GD_MEDIUM = 'c6gd.medium'
    C6GD_METAL = 'c6gd.metal'
    C6GD_X_LARGE = 'c6gd.xlarge'
    C6GN_12_X_LARGE = 'c6gn.12xlarge'
    C6GN_16_X_LARGE = 'c6gn.16xlarge'
    C6GN_2_X_LARGE = 'c6gn.2xlarge'
    C6GN_4_X_LARGE = 'c6gn.4xlarge'
    C6GN_8_X_LARGE = 'c6gn.8xlarge'
    C6GN_LARGE = 'c6gn.large'
    C6GN_MEDIUM = 'c6gn.medium'
    C6GN_X_LARGE = 'c6gn.xlarge'
    C6I_12_X_LARGE = 'c6i.12xlarge'
    C6I_16_X_LARGE = 'c6i.16xlarge'
    C6I_24_X_LARGE = 'c6i.24xlarge'
    C6I_2_X_LARGE = 'c6i.2xlarge'
    C6I_32_X_LARGE = 'c6i.32xlarge'
    C6I_4_X_LARGE = 'c6i.4xlarge'
    C6I_8_X_LARGE = 'c6i.8xlarge'
    C6I_LARGE = 'c6i.large'
    C6I_METAL = 'c6i.metal'
    C6I_X_LARGE = 'c6i.xlarge'
    C6ID_12_X_LARGE = 'c6id.12xlarge'
    C6ID_16_X_LARGE = 'c6id.16xlarge'
    C6ID_24_X_LARGE = 'c6id.24xlarge'
    C6ID_2_X_LARGE = 'c6id.2xlarge'
    C6ID_32_X_LARGE = 'c6id.32xlarge'
    C6ID_4_X_LARGE = 'c6id.4xlarge'
    C6ID_8_X_LARGE = 'c6id.8xlarge'
    C6ID_LARGE = 'c6id.large'
    C6ID_METAL = 'c6id.metal'
    C6ID_X_LARGE = 'c6id.xlarge'
    C6IN_12_X_LARGE = 'c6in.12xlarge'
    C6IN_16_X_LARGE = 'c6in.16xlarge'
    C6IN_24_X_LARGE = 'c6in.24xlarge'
    C6IN_2_X_LARGE = 'c6in.2xlarge'
    C6IN_32_X_LARGE = 'c6in.32xlarge'
    C6IN_4_X_LARGE = 'c6in.4xlarge'
    C6IN_8_X_LARGE = 'c6in.8xlarge'
    C6IN_LARGE = 'c6in.large'
    C6IN_METAL = 'c6in.metal'
    C6IN_X_LARGE = 'c6in.xlarge'
    C7A_12_X_LARGE = 'c7a.12xlarge'
    C7A_16_X_LARGE = 'c7a.16xlarge'
    C7A_24_X_LARGE = 'c7a.24xlarge'
    C7A_2_X_LARGE = 'c7a.2xlarge'
    C7A_32_X_LARGE = 'c7a.32xlarge'
    C7A_48_X_LARGE = 'c7a.48xlarge'
    C7A_4_X_LARGE = 'c7a.4xlarge'
    C7A_8_X_LARGE = 'c7a.8xlarge'
    C7A_LARGE = 'c7a.large'
    C7A_MEDIUM = 'c7a.medium'
    C7A_METAL_48XL = 'c7a.metal-48xl'
    C7A_X_LARGE = 'c7a.xlarge'
    C7G_12_X_LARGE = 'c7g.12xlarge'
    C7G_16_X_LARGE = 'c7g.16xlarge'
    C7G_2_X_LARGE = 'c7g.2xlarge'
    C7G_4_X_LARGE = 'c7g.4xlarge'
    C7G_8_X_LARGE = 'c7g.8xlarge'
    C7G_LARGE = 'c7g.large'
    C7G_MEDIUM = 'c7g.medium'
    C7G_METAL = 'c7g.metal'
    C7G_X_LARGE = 'c7g.xlarge'
    C7GD_12_X_LARGE = 'c7gd.12xlarge'
    C7GD_16_X_LARGE = 'c7gd.16xlarge'
    C7GD_2_X_LARGE = 'c7gd.2xlarge'
    C7GD_4_X_LARGE = 'c7gd.4xlarge'
    C7GD_8_X_LARGE = 'c7gd.8xlarge'
    C7GD_LARGE = 'c7gd.large'
    C7GD_MEDIUM = 'c7gd.medium'
    C7GD_METAL = 'c7gd.metal'
    C7GD_X_LARGE = 'c7gd.xlarge'
    C7GN_12_X_LARGE = 'c7gn.12xlarge'
    C7GN_16_X_LARGE = 'c7gn.16xlarge'
    C7GN_2_X_LARGE = 'c7gn.2xlarge'
    C7GN_4_X_LARGE = 'c7gn.4xlarge'
    C7GN_8_X_LARGE = 'c7gn.8xlarge'
    C7GN_LARGE = 'c7gn.large'
    C7GN_MEDIUM = 'c7gn.medium'
    C7GN_METAL = 'c7gn.metal'
    C7GN_X_LARGE = 'c7gn.xlarge'
    C7I_FLEX_12_X_LARGE = 'c7i-flex.12xlarge'
    C7I_FLEX_16_X_LARGE = 'c7i-flex.16xlarge'
    C7I_FLEX_2_X_LARGE = 'c7i-flex.2xlarge'
    C7I_FLEX_4_X_LARGE = 'c7i-flex.4xlarge'
    C7I_FLEX_8_X_LARGE = 'c7i-flex.8xlarge'
    C7I_FLEX_LARGE = 'c7i-flex.large'
    C7I_FLEX_X_LARGE = 'c7i-flex.xlarge'
    C7I_12_X_LARGE = 'c7i.12xlarge'
    C7I_16_X_LARGE = 'c7i.16xlarge'
    C7I_24_X_LARGE = 'c7i.24xlarge'
    C7I_2_X_LARGE = 'c7i.2xlarge'
    C7I_48_X_LARGE = 'c7i.48xlarge'
    C7I_4_X_LARGE = 'c7i.4xlarge'
    C7I_8_X_LARGE = 'c7i.8xlarge'
    C7I_LARGE = 'c7i.large'
    C7I_METAL_24XL = 'c7i.metal-24xl'
    C7I_METAL_48XL = 'c7i.metal-48xl'
    C7I_X_LARGE = 'c7i.xlarge'
    C8A_12_X_LARGE = 'c8a.12xlarge'
    C8A_16_X_LARGE = 'c8a.16xlarge'
    C8A_24_X_LARGE = 'c8a.24xlarge'
    C8A_2_X_LARGE = 'c8a.2xlarge'
    C8A_48_X_LARGE = 'c8a.48xlarge'
    C8A_4_X_LARGE = 'c8a.4xlarge'
    C8A_8_X_LARGE = 'c8a.8xlarge'
    C8A_LARGE = 'c8a.large'
    C8A_MEDIUM = 'c8a.medium'
    C8A_METAL_24XL = 'c8a.metal-24xl'
    C8A_METAL_48XL = 'c8a.metal-48xl'
    C8A_X_LARGE = 'c8a.xlarge'
    C8G_12_X_LARGE = 'c8g.12xlarge'
    C8G_16_X_LARGE = 'c8g.16xlarge'
    C8G_24_X_LARGE = 'c8g.24xlarge'
    C8G_2_X_LARGE = 'c8g.2xlarge'
    C8G_48_X_LARGE = 'c8g.48xlarge'
    C8G_4_X_LARGE = 'c8g.4xlarge'
    C8G_8_X_LARGE = 'c8g.8xlarge'
    C8G_LARGE = 'c8g.large'
    C8G_MEDIUM = 'c8g.medium'
    C8G_METAL_24XL = 'c8g.metal-24xl'
    C8G_METAL_48XL = 'c8g.metal-48xl'
    C8G_X_LARGE = 'c8g.xlarge'
    C8GB_12_X_LARGE = 'c8gb.12xlarge'
    C8GB_16_X_LARGE = 'c8gb.16xlarge'
    C8GB_24_X_LARGE = 'c8gb.24xlarge'
    C8GB_2_X_LARGE = 'c8gb.2xlarge'
    C8GB_48_X_LARGE = 'c8gb.48xlarge'
    C8GB_4_X_LARGE = 'c8gb.4xlarge'
    C8GB_8_X_LARGE = 'c8gb.8xlarge'
    C8GB_LARGE = 'c8gb.large'
    C8GB_MEDIUM = 'c8gb.medium'
    C8GB_METAL_24XL = 'c8gb.metal-24xl'
    C8GB_METAL_48XL = 'c8gb.metal-48xl'
    C8GB_X_LARGE = 'c8gb.xlarge'
    C8GD_12_X_LARGE = 'c8gd.12xlarge'
    C8GD_16_X_LARGE = 'c8gd.16xlarge'
    C8GD_24_X_LARGE = 'c8gd.24xlarge'
    C8GD_2_X_LARGE = 'c8gd.2xlarge'
    C8GD_48_X_LARGE = 'c8gd.48xlarge'
    C8GD_4_X_LARGE = 'c8gd.4xlarge'
    C8GD_8_X_LARGE = 'c8gd.8xlarge'
    C8GD_LARGE = 'c8gd.large'
    C8GD_MEDIUM = 'c8gd.medium'
    C8GD_METAL_24XL = 'c8gd.metal-24xl'
    C8GD_METAL_48XL = 'c8gd.metal-48xl'
    C8GD_X_LARGE = 'c8gd.xlarge'
    C8GN_12_X_LARGE = 'c8gn.12xlarge'
    C8GN_16_X_LARGE = 'c8gn.16xlarge'
    C8GN_24_X_LARGE = 'c8gn.24xlarge'
    C8GN_2_X_LARGE = 'c8gn.2xlarge'
    C8GN_48_X_LARGE = 'c8gn.48xlarge'
    C8GN_4_X_LARGE = 'c8gn.4xlarge'
    C8GN_8_X_LARGE = 'c8gn.8xlarge'
    C8GN_LARGE = 'c8gn.large'
    C8GN_MEDIUM = 'c8gn.medium'
    C8GN_METAL_24XL = 'c8gn.metal-24xl'
    C8GN_METAL_48XL = 'c8gn.metal-48xl'
    C8GN_X_LARGE = 'c8gn.xlarge'
    C8I_FLEX_12_X_LARGE = 'c8i-flex.12xlarge'
    C8I_FLEX_16_X_LARGE = 'c8i-flex.16xlarge'
    C8I_FLEX_2_X_LARGE = 'c8i-flex.2xlarge'
    C8I_FLEX_4_X_LARGE = 'c8i-flex.4xlarge'
    C8I_FLEX_8_X_LARGE = 'c8i-flex.8xlarge'
    C8I_FLEX_LARGE = 'c8i-flex.large'
    C8I_FLEX_X_LARGE = 'c8i-flex.xlarge'
    C8I_12_X_LARGE = 'c8i.12xlarge'
    C8I_16_X_LARGE = 'c8i.16xlarge'
    C8I_24_X_LARGE = 'c8i.24xlarge'
    C8I_2_X_LARGE = 'c8i.2xlarge'
    C8I_32_X_LARGE = 'c8i.32xlarge'
    C8I_48_X_LARGE = 'c8i.48xlarge'
    C8I_4_X_LARGE = 'c8i.4xlarge'
    C8I_8_X_LARGE = 'c8i.8xlarge'
    C8I_96_X_LARGE = 'c8i.96xlarge'
    C8I_LARGE = 'c8i.large'
    C8I_METAL_48XL = 'c8i.metal-48xl'
    C8I_METAL_96XL = 'c8i.metal-96xl'
    C8I_X_LARGE = 'c8i.xlarge'
    C8IB_12_X_LARGE = 'c8ib.12xlarge'
    C8IB_16_X_LARGE = 'c8ib.16xlarge'
    C8IB_24_X_LARGE = 'c8ib.24xlarge'
    C8IB_2_X_LARGE = 'c8ib.2xlarge'
    C8IB_32_X_LARGE = 'c8ib.32xlarge'
    C8IB_48_X_LARGE = 'c8ib.48xlarge'
    C8IB_4_X_LARGE = 'c8ib.4xlarge'
    C8IB_8_X_LARGE = 'c8ib.8xlarge'
    C8IB_96_X_LARGE = 'c8ib.96xlarge'
    C8IB_LARGE = 'c8ib.large'
    C8IB_METAL_48XL = 'c8ib.metal-48xl'
    C8IB_METAL_96XL = 'c8ib.metal-96xl'
    C8IB_X_LARGE = 'c8ib.xlarge'
    C8ID_12_X_LARGE = 'c8id.12xlarge'
    C8ID_16_X_LARGE = 'c8id.16xlarge'
    C8ID_24_X_LARGE = 'c8id.24xlarge'
    C8ID_2_X_LARGE = 'c8id.2xlarge'
    C8ID_32_X_LARGE = 'c8id.32xlarge'
    C8ID_48_X_LARGE = 'c8id.48xlarge'
    C8ID_4_X_LARGE = 'c8id.4xlarge'
    C8ID_8_X_LARGE = 'c8id.8xlarge'
    C8ID_96_X_LARGE = 'c8id.96xlarge'
    C8ID_LARGE = 'c8id.large'
    C8ID_METAL_48XL = 'c8id.metal-48xl'
    C8ID_METAL_96XL = 'c8id.metal-96xl'
    C8ID_X_LARGE = 'c8id.xlarge'
    C8IN_12_X_LARGE = 'c8in.12xlarge'
    C8IN_16_X_LARGE = 'c8in.16xlarge'
    C8IN_24_X_LARGE = 'c8in.24xlarge'
    C8IN_2_X_LARGE = 'c8in.2xlarge'
    C8IN_32_X_LARGE = 'c8in.32xlarge'
    C8IN_48_X_LARGE = 'c8in.48xlarge'
    C8IN_4_X_LARGE = 'c8in.4xlarge'
    C8IN_8_X_LARGE = 'c8in.8xlarge'
    C8IN_96_X_LARGE = 'c8in.96xlarge'
    C8IN_LARGE = 'c8in.large'
    C8IN_METAL_48XL = 'c8in.metal-48xl'
    C8IN_METAL_96XL = 'c8in.metal-96xl'
    C8IN_X_LARGE = 'c8in.xlarge'
    C8INE_12_X_LARGE = 'c8ine.12xlarge'
    C8INE_2_X_LARGE = 'c8ine.2xlarge'
    C8INE_4_X_LARGE = 'c8ine.4xlarge'
    C8INE_8_X_LARGE = 'c8ine.8xlarge'
    C8INE_LARGE = 'c8ine.large'
    C8INE_X_LARGE = 'c8ine.xlarge'
    C9G_12_X_LARGE = 'c9g.12xlarge'
    C9G_16_X_LARGE = 'c9g.16xlarge'
    C9G_24_X_LARGE = 'c9g.24xlarge'
    C9G_2_X_LARGE = 'c9g.2xlarge'
    C9G_48_X_LARGE = 'c9g.48xlarge'
    C9G_4_X_LARGE = 'c9g.4xlarge'
    C9G_8_X_LARGE = 'c9g.8xlarge'
    C9G_LARGE = 'c9g.large'
    C9G_MEDIUM = 'c9g.medium'
    C9G_METAL_48XL = 'c9g.metal-48xl'
    C9G_X_LARGE = 'c9g.xlarge'
    C9GD_12_X_LARGE = 'c9gd.12xlarge'
    C9GD_16_X_LARGE = 'c9gd.16xlarge'
    C9GD_24_X_LARGE = 'c9gd.24xlarge'
    C9GD_2_X_LARGE = 'c9gd.2xlarge'
    C9GD_48_X_LARGE = 'c9gd.48xlarge'
    C9GD_4_X_LARGE = 'c9gd.4xlarge'
    C9GD_8_X_LARGE = 'c9gd.8xlarge'
    C9GD_LARGE = 'c9gd.large'
    C9GD_MEDIUM = 'c9gd.medium'
    C9GD_METAL_48XL = 'c9gd.metal-48xl'
    C9GD_X_LARGE = 'c9gd.xlarge'
    CC1_4_X_LARGE = 'cc1.4xlarge'
    CC2_8_X_LARGE = 'cc2.8xlarge'
    CG1_4_X_LARGE = 'cg1.4xlarge'
    CR1_8_X_LARGE = 'cr1.8xlarge'
    D2_2_X_LARGE = 'd2.2xlarge'
    D2_4_X_LARGE = 'd2.4xlarge'
    D2_8_X_LARGE = 'd2.8xlarge'
    D2_X_LARGE = 'd2.xlarge'
    D3_2_X_LARGE = 'd3.2xlarge'
    D3_4_X_LARGE = 'd3.4xlarge'
    D3_8_X_LARGE = 'd3.8xlarge'
    D3_X_LARGE = 'd3.xlarge'
    D3EN_12_X_LARGE = 'd3en.12xlarge'
    D3EN_2_X_LARGE = 'd3en.2xlarge'
    D3EN_4_X_LARGE = 'd3en.4xlarge'
    D3EN_6_X_LARGE = 'd3en.6xlarge'
    D3EN_8_X_LARGE = 'd3en.8xlarge'
    D3EN_X_LARGE = 'd3en.xlarge'
    DL1_24_X_LARGE = 'dl1.24xlarge'
    DL2Q_24_X_LARGE = 'dl2q.24xlarge'
    F1_16_X_LARGE = 'f1.16xlarge'
    F1_2_X_LARGE = 'f1.2xlarge'
    F1_4_X_LARGE = 'f1.4xlarge'
    F2_12_X_LARGE = 'f2.12xlarge'
    F2_48_X_LARGE = 'f2.48xlarge'
    F2_6_X_LARGE = 'f2.6xlarge'
    G2_2_X_LARGE = 'g2.2xlarge'
    G2_8_X_LARGE = 'g2.8xlarge'
    G3_16_X_LARGE = 'g3.16xlarge'
    G3_4_X_LARGE = 'g3.4xlarge'
    G3_8_X_LARGE = 'g3.8xlarge'
    G3S_X_LARGE = 'g3s.xlarge'
    G4AD_16_X_LARGE = 'g4ad.16xlarge'
    G4AD_2_X_LARGE = 'g4ad.2xlarge'
    G4AD_4_X_LARGE = 'g4ad.4xlarge'
    G4AD_8_X_LARGE = 'g4ad.8xlarge'
    G4AD_X_LARGE = 'g4ad.xlarge'
    G4DN_12_X_LARGE = 'g4dn.12xlarge'
    G4DN_16_X_LARGE = 'g4dn.16xlarge'
    G4DN_2_X_LARGE = 'g4dn.2xlarge'
    G4DN_4_X_LARGE = 'g4dn.4xlarge'
    G4DN_8_X_LARGE = 'g4dn.8xlarge'
    G4DN_METAL = 'g4dn.metal'
    G4DN_X_LARGE = 'g4dn.xlarge'
    G5_12_X_LARGE = 'g5.12xlarge'
    G5_16_X_LARGE = 'g5.16xlarge'
    G5_24_X_LARGE = 'g5.24xlarge'
    G5_2_X_LARGE = 'g5.2xlarge'
    G5_48_X_LARGE = 'g5.48xlarge'
    G5_4_X_LARGE = 'g5.4xlarge'
    G5_8_X_LARGE = 'g5.8xlarge'
    G5_X_LARGE = 'g5.xlarge'
    G5G_16_X_LARGE = 'g5g.16xlarge'
    G5G_2_X_LARGE = 'g5g.2xlarge'
    G5G_4_X_LARGE = 'g5g.4xlarge'
    G5G_8_X_LARGE = 'g5g.8xlarge'
    G5G_METAL = 'g5g.metal'
    G5G_X_LARGE = 'g5g.xlarge'
    G6_12_X_LARGE = 'g6.12xlarge'
    G6_16_X_LARGE = 'g6.16xlarge'
    G6_24_X_LARGE = 'g6.24xlarge'
    G6_2_X_LARGE = 'g6.2xlarge'
    G6_48_X_LARGE = 'g6.48xlarge'
    G6_4_X_LARGE = 'g6.4xlarge'
    G6_8_X_LARGE = 'g6.8xlarge'
    G6_X_LARGE = 'g6.xlarge'
    G6E_12_X_LARGE = 'g6e.12xlarge'
    G6E_16_X_LARGE = 'g6e.16xlarge'
    G6E_24_X_LARGE = 'g6e.24xlarge'
    G6E_2_X_LARGE = 'g6e.2xlarge'
    G6E_48_X_LARGE = 'g6e.48xlarge'
    G6E_4_X_LARGE = 'g6e.4xlarge'
    G6E_8_X_LARGE = 'g6e.8xlarge'
    G6E_X_LARGE = 'g6e.xlarge'
    G6F_2_X_LARGE = 'g6f.2xlarge'
    G6F_4_X_LARGE = 'g6f.4xlarge'
    G6F_LARGE = 'g6f.large'
    G6F_X_LARGE = 'g6f.xlarge'
    G7_12_X_LARGE = 'g7.12xlarge'
    G7_24_X_LARGE = 'g7.24xlarge'
    G7_2_X_LARGE = 'g7.2xlarge'
    G7_48_X_LARGE = 'g7.48xlarge'
    G7_4_X_LARGE = 'g7.4xlarge'
    G7_8_X_LARGE = 'g7.8xlarge'
    G7E_12_X_LARGE = 'g7e.12xlarge'
    G7E_24_X_LARGE = 'g7e.24xlarge'
    G7E_2_X_LARGE = 'g7e.2xlarge'
    G7E_48_X_LARGE = 'g7e.48xlarge'
    G7E_4_X_LARGE = 'g7e.4xlarge'
    G7E_8_X_LARGE = 'g7e.8xlarge'
    GR6_4_X_LARGE = 'gr6.4xlarge'
    GR6_8_X_LARGE = 'gr6.8xlarge'
    GR6F_4_X_LARGE = 'gr6f.4xlarge'
    H1_16_X_LARGE = 'h1.16xlarge'
    H1_2_X_LARGE = 'h1.2xlarge'
    H1_4_X_LARGE = 'h1.4xlarge'
    H1_8_X_LARGE = 'h1.8xlarge'
    HI1_4_X_LARGE = 'hi1.4xlarge'
    HPC6A_48_X_LARGE = 'hpc6a.48xlarge'
    HPC6ID_32_X_LARGE = 'hpc6id.32xlarge'
    HPC7A_12_X_LARGE = 'hpc7a.12xlarge'
    HPC7A_24_X_LARGE = 'hpc7a.24xlarge'
    HPC7A_48_X_LARGE = 'hpc7a.48xlarge'
    HPC7A_96_X_LARGE = 'hpc7a.96xlarge'
    HPC7G_16_X_LARGE = 'hpc7g.16xlarge'
    HPC7G_4_X_LARGE = 'hpc7g.4xlarge'
    HPC7G_8_X_LARGE = 'hpc7g.8xlarge'
    HPC8A_96_X_LARGE = 'hpc8a.96xlarge'
    HS1_8_X_LARGE = 'hs1.8xlarge'
    I2_2_X_LARGE = 'i2.2xlarge'
    I2_4_X_LARGE = 'i2.4xlarge'
    I2_8_X_LARGE = 'i2.8xlarge'
    I2_X_LARGE = 'i2.xlarge'
    I3_16_X_LARGE = 'i3.16xlarge'
    I3_2_X_LARGE = 'i3.2xlarge'
    I3_4_X_LARGE = 'i3.4xlarge'
    I3_8_X_LARGE = 'i3.8xlarge'
    I3_LARGE = 'i3.large'
    I3_METAL = 'i3.metal'
    I3_X_LARGE = 'i3.xlarge'
    I3EN_12_X_LARGE = 'i3en.12xlarge'
    I3EN_24_X_LARGE = 'i3en.24xlarge'
    I3EN_2_X_LARGE = 'i3en.2xlarge'
    I3EN_3_X_LARGE = 'i3en.3xlarge'
    I3EN_6_X_LARGE = 'i3en.6xlarge'
    I3EN_LARGE = 'i3en.large'
    I3EN_METAL = 'i3en.metal'
    I3EN_X_LARGE = 'i3en.xlarge'
    I4G_16_X_LARGE = 'i4g.16xlarge'
    I4G_2_X_LARGE = 'i4g.2xlarge'
    I4G_4_X_LARGE = 'i4g.4xlarge'
    I4G_8_X_LARGE = 'i4g.8xlarge'
    I4G_LARGE = 'i4g.large'
    I4G_X_LARGE = 'i4g.xlarge'
    I4I_12_X_LARGE = 'i4i.12xlarge'
    I4I_16_X_LARGE = 'i4i.16xlarge'
    I4I_24_X_LARGE = 'i4i.24xlarge'
    I4I_2_X_LARGE = 'i4i.2xlarge'
    I4I_32_X_LARGE = 'i4i.32xlarge'
    I4I_4_X_LARGE = 'i4i.4xlarge'
    I4I_8_X_LARGE = 'i4i.8xlarge'
    I4I_LARGE = 'i4i.large'
    I4I_METAL = 'i4i.metal'
    I4I_X_LARGE = 'i4i.xlarge'
    I7I_12_X_LARGE = 'i7i.12xlarge'
    I7I_16_X_LARGE = 'i7i.16xlarge'
    I7I_24_X_LARGE = 'i7i.24xlarge'
    I7I_2_X_LARGE = 'i7i.2xlarge'
    I7I_48_X_LARGE = 'i7i.48xlarge'
    I7I_4_X_LARGE = 'i7i.4xlarge'
    I7I_8_X_LARGE = 'i7i.8xlarge'
    I7I_LARGE = 'i7i.large'
    I7I_METAL_24XL = 'i7i.metal-24xl'
    I7I_METAL_48XL = 'i7i.metal-48xl'
    I7I_X_LARGE = 'i7i.xlarge'
    I7IE_12_X_LARGE = 'i7ie.12xlarge'
    I7IE_18_X_LARGE = 'i7ie.18xlarge'
    I7IE_24_X_LARGE = 'i7ie.24xlarge'
    I7IE_2_X_LARGE = 'i7ie.2xlarge'
    I7IE_3_X_LARGE = 'i7ie.3xlarge'
    I7IE_48_X_LARGE = 'i7ie.48xlarge'
    I7IE_6_X_LARGE = 'i7ie.6xlarge'
    I7IE_LARGE = 'i7ie.large'
    I7IE_METAL_24XL = 'i7ie.metal-24xl'
    I7IE_METAL_48XL = 'i7ie.metal-48xl'
    I7IE_X_LARGE = 'i7ie.xlarge'
    I8G_12_X_LARGE = 'i8g.12xlarge'
    I8G_16_X_LARGE = 'i8g.16xlarge'
    I8G_24_X_LARGE = 'i8g.24xlarge'
    I8G_2_X_LARGE = 'i8g.2xlarge'
    I8G_48_X_LARGE = 'i8g.48xlarge'
    I8G_4_X_LARGE = 'i8g.4xlarge'
    I8G_8_X_LARGE = 'i8g.8xlarge'
    I8G_LARGE = 'i8g.large'
    I8G_METAL_24XL = 'i8g.metal-24xl'
    I8G_X_LARGE = 'i8g.xlarge'
    I8GE_12_X_LARGE = 'i8ge.12xlarge'
    I8GE_18_X_LARGE = 'i8ge.18xlarge'
    I8GE_24_X_LARGE = 'i8ge.24xlarge'
    I8GE_2_X_LARGE = 'i8ge.2xlarge'
    I8GE_3_X_LARGE = 'i8ge.3xlarge'
    I8GE_48_X_LARGE = 'i8ge.48xlarge'
    I8GE_6_X_LARGE = 'i8ge.6xlarge'
    I8GE_LARGE = 'i8ge.large'
    I8GE_METAL_24XL = 'i8ge.metal-24xl'
    I8GE_METAL_48XL = 'i8ge.metal-48xl'
    I8GE_X_LARGE = 'i8ge.xlarge'
    IM4GN_16_X_LARGE = 'im4gn.16xlarge'
    IM4GN_2_X_LARGE = 'im4gn.2xlarge'
    IM4GN_4_X_LARGE = 'im4gn.4xlarge'
    IM4GN_8_X_LARGE = 'im4gn.8xlarge'
    IM4GN_LARGE = 'im4gn.large'
    IM4GN_X_LARGE = 'im4gn.xlarge'
    INF1_24_X_LARGE = 'inf1.24xlarge'
    INF1_2_X_LARGE = 'inf1.2xlarge'
    INF1_6_X_LARGE = 'inf1.6xlarge'
    INF1_X_LARGE = 'inf1.xlarge'
    INF2_24_X_LARGE = 'inf2.24xlarge'
    INF2_48_X_LARGE = 'inf2.48xlarge'
    INF2_8_X_LARGE = 'inf2.8xlarge'
    INF2_X_LARGE = 'inf2.xlarge'
    IS4GEN_2_X_LARGE = 'is4gen.2xlarge'
    IS4GEN_4_X_LARGE = 'is4gen.4xlarge'
    IS4GEN_8_X_LARGE = 'is4gen.8xlarge'
    IS4GEN_LARGE = 'is4gen.large'
    IS4GEN_MEDIUM = 'is4gen.medium'
    IS4GEN_X_LARGE = 'is4gen.xlarge'
    M1_LARGE = 'm1.large'
    M1_MEDIUM = 'm1.medium'
    M1_SMALL = 'm1.small'
    M1_X_LARGE = 'm1.xlarge'
    M2_2_X_LARGE = 'm2.2xlarge'
    M2_4_X_LARGE = 'm2.4xlarge'
    M2_X_LARGE = 'm2.xlarge'
    M3_2_X_LARGE = 'm3.2xlarge'
    M3_LARGE = 'm3.large'
    M3_MEDIUM = 'm3.medium'
    M3_X_LARGE = 'm3.xlarge'
    M4_10_X_LARGE = 'm4.10xlarge'
    M4_16_X_LARGE = 'm4.16xlarge'
    M4_2_X_LARGE = 'm4.2xlarge'
    M4_4_X_LARGE = 'm4.4xlarge'
    M4_LARGE = 'm4.large'
    M4_X_LARGE = 'm4.xlarge'
    M5_12_X_LARGE = 'm5.12xlarge'
    M5_16_X_LARGE = 'm5.16xlarge'
    M5_24_X_LARGE = 'm5.24xlarge'
    M5_2_X_LARGE = 'm5.2xlarge'
    M5_4_X_LARGE = 'm5.4xlarge'
    M5_8_X_LARGE = 'm5.8xlarge'
    M5_LARGE = 'm5.large'
    M5_METAL = 'm5.metal'
    M5_X_LARGE = 'm5.xlarge'
    M5A_12_X_LARGE = 'm5a.12xlarge'
    M5A_16_X_LARGE = 'm5a.16xlarge'
    M5A_24_X_LARGE = 'm5a.24xlarge'
    M5A_2_X_LARGE = 'm5a.2xlarge'
    M5A_4_X_LARGE = 'm5a.4xlarge'
    M5A_8_X_LARGE = 'm5a.8xlarge'
    M5A_LARGE = 'm5a.large'
    M5A_X_LARGE = 'm5a.xlarge'
    M5AD_12_X_LARGE = 'm5ad.12xlarge'
    M5AD_16_X_LARGE = 'm5ad.16xlarge'
    M5AD_24_X_LARGE = 'm5ad.24xlarge'
    M5AD_2_X_LARGE = 'm5ad.2xlarge'
    M5AD_4_X_LARGE = 'm5ad.4xlarge'
    M5AD_8_X_LARGE = 'm5ad.8xlarge'
    M5AD_LARGE = 'm5ad.large'
    M5AD_X_LARGE = 'm5ad.xlarge'
    M5D_12_X_LARGE = 'm5d.12xlarge'
    M5D_16_X_LARGE = 'm5d.16xlarge'
    M5D_24_X_LARGE = 'm5d.24xlarge'
    M5D_2_X_LARGE = 'm5d.2xlarge'
    M5D_4_X_LARGE = 'm5d.4xlarge'
    M5D_8_X_LARGE = 'm5d.8xlarge'
    M5D_LARGE = 'm5d.large'
    M5D_METAL = 'm5d.metal'
    M5D_X_LARGE = 'm5d.xlarge'
    M5DN_12_X_LARGE = 'm5dn.12xlarge'
    M5DN_16_X_LARGE = 'm5dn.16xlarge'
    M5DN_24_X_LARGE = 'm5dn.24xlarge'
    M5DN_2_X_LARGE = 'm5dn.2xlarge'
    M5DN_4_X_LARGE = 'm5dn.4xlarge'
    M5DN_8_X_LARGE = 'm5dn.8xlarge'
    M5DN_LARGE = 'm5dn.large'
    M5DN_METAL = 'm5dn.metal'
    M5DN_X_LARGE = 'm5dn.xlarge'
    M5N_12_X_LARGE = 'm5n.12xlarge'
    M5N_16_X_LARGE = 'm5n.16xlarge'
    M5N_24_X_LARGE = 'm5n.24xlarge'
    M5N_2_X_LARGE = 'm5n.2xlarge'
    M5N_4_X_LARGE = 'm5n.4xlarge'
    M5N_8_X_LARGE = 'm5n.8xlarge'
    M5N_LARGE = 'm5n.large'
    M5N_METAL = 'm5n.metal'
    M5N_X_LARGE = 'm5n.xlarge'
    M5ZN_12_X_LARGE = 'm5zn.12xlarge'
    M5ZN_2_X_LARGE = 'm5zn.2xlarge'
    M5ZN_3_X_LARGE = 'm5zn.3xlarge'
    M5ZN_6_X_LARGE = 'm5zn.6xlarge'
    M5ZN_LARGE = 'm5zn.large'
    M5ZN_METAL = 'm5zn.metal'
    M5ZN_X_LARGE = 'm5zn.xlarge'
    M6A_12_X_LARGE = 'm6a.12xlarge'
    M6A_16_X_LARGE = 'm6a.16xlarge'
    M6A_24_X_LARGE = 'm6a.24xlarge'
    M6A_2_X_LARGE = 'm6a.2xlarge'
    M6A_32_X_LARGE = 'm6a.32xlarge'
    M6A_48_X_LARGE = 'm6a.48xlarge'
    M6A_4_X_LARGE = 'm6a.4xlarge'
    M6A_8_X_LARGE = 'm6a.8xlarge'
    M6A_LARGE = 'm6a.large'
    M6A_METAL = 'm6a.metal'
    M6A_X_LARGE = 'm6a.xlarge'
    M6G_12_X_LARGE = 'm6g.12xlarge'
    M6G_16_X_LARGE = 'm6g.16xlarge'
    M6G_2_X_LARGE = 'm6g.2xlarge'
    M6G_4_X_LARGE = 'm6g.4xlarge'
    M6G_8_X_LARGE = 'm6g.8xlarge'
    M6G_LARGE = 'm6g.large'
    M6G_MEDIUM = 'm6g.medium'
    M6G_METAL = 'm6g.metal'
    M6G_X_LARGE = 'm6g.xlarge'
    M6GD_12_X_LARGE = 'm6gd.12xlarge'
    M6GD_16_X_LARGE = 'm6gd.16xlarge'
    M6GD_2_X_LARGE = 'm6gd.2xlarge'
    M6GD_4_X_LARGE = 'm6gd.4xlarge'
    M6GD_8_X_LARGE = 'm6gd.8xlarge'
    M6GD_LARGE = 'm6gd.large'
    M6GD_MEDIUM = 'm6gd.medium'
    M6GD_METAL = 'm6gd.metal'
    M6GD_X_LARGE = 'm6gd.xlarge'
    M6I_12_X_LARGE = 'm6i.12xlarge'
    M6I_16_X_LARGE = 'm6i.16xlarge'
    M6I_24_X_LARGE = 'm6i.24xlarge'
    M6I_2_X_LARGE = 'm6i.2xlarge'
    M6I_32_X_LARGE = 'm6i.32xlarge'
    M6I_4_X_LARGE = 'm6i.4xlarge'
    M6I_8_X_LARGE = 'm6i.8xlarge'
    M6I_LARGE = 'm6i.large'
    M6I_METAL = 'm6i.metal'
    M6I_X_LARGE = 'm6i.xlarge'
    M6ID_12_X_LARGE = 'm6id.12xlarge'
    M6ID_16_X_LARGE = 'm6id.16xlarge'
    M6ID_24_X_LARGE = 'm6id.24xlarge'
    M6ID_2_X_LARGE = 'm6id.2xlarge'
    M6ID_32_X_LARGE = 'm6id.32xlarge'
    M6ID_4_X_LARGE = 'm6id.4xlarge'
    M6ID_8_X_LARGE = 'm6id.8xlarge'
    M6ID_LARGE = 'm6id.large'
    M6ID_METAL = 'm6id.metal'
    M6ID_X_LARGE = 'm6id.xlarge'
    M6IDN_12_X_LARGE = 'm6idn.12xlarge'
    M6IDN_16_X_LARGE = 'm6idn.16xlarge'
    M6IDN_24_X_LARGE = 'm6idn.24xlarge'
    M6IDN_2_X_LARGE = 'm6idn.2xlarge'
    M6IDN_32_X_LARGE = 'm6idn.32xlarge'
    M6IDN_4_X_LARGE = 'm6idn.4xlarge'
    M6IDN_8_X_LARGE = 'm6idn.8xlarge'
    M6IDN_LARGE = 'm6idn.large'
    M6IDN_METAL = 'm6idn.metal'
    M6IDN_X_LARGE = 'm6idn.xlarge'
    M6IN_12_X_LARGE = 'm6in.12xlarge'
    M6IN_16_X_LARGE = 'm6in.16xlarge'
    M6IN_24_X_LARGE = 'm6in.24xlarge'
    M6IN_2_X_LARGE = 'm6in.2xlarge'
    M6IN_32_X_LARGE = 'm6in.32xlarge'
    M6IN_4_X_LARGE = 'm6in.4xlarge'
    M6IN_8_X_LARGE = 'm6in.8xlarge'
    M6IN_LARGE = 'm6in.large'
    M6IN_METAL = 'm6in.metal'
    M6IN_X_LARGE = 'm6in.xlarge'
    M7A_12_X_LARGE = 'm7a.12xlarge'
    M7A_16_X_LARGE = 'm7a.16xlarge'
    M7A_24_X_LARGE = 'm7a.24xlarge'
    M7A_2_X_LARGE = 'm7a.2xlarge'
    M7A_32_X_LARGE = 'm7a.32xlarge'
    M7A_48_X_LARGE = 'm7a.48xlarge'
    M7A_4_X_LARGE = 'm7a.4xlarge'
    M7A_8_X_LARGE = 'm7a.8xlarge'
    M7A_LARGE = 'm7a.large'
    M7A_MEDIUM = 'm7a.medium'
    M7A_METAL_48XL = 'm7a.metal-48xl'
    M7A_X_LARGE = 'm7a.xlarge'
    M7G_12_X_LARGE = 'm7g.12xlarge'
    M7G_16_X_LARGE = 'm7g.16xlarge'
    M7G_2_X_LARGE = 'm7g.2xlarge'
    M7G_4_X_LARGE = 'm7g.4xlarge'
    M7G_8_X_LARGE = 'm7g.8xlarge'
    M7G_LARGE = 'm7g.large'
    M7G_MEDIUM = 'm7g.medium'
    M7G_METAL = 'm7g.metal'
    M7G_X_LARGE = 'm7g.xlarge'
    M7GD_12_X_LARGE = 'm7gd.12xlarge'
    M7GD_16_X_LARGE = 'm7gd.16xlarge'
    M7GD_2_X_LARGE = 'm7gd.2xlarge'
    M7GD_4_X_LARGE = 'm7gd.4xlarge'
    M7GD_8_X_LARGE = 'm7gd.8xlarge'
    M7GD_LARGE = 'm7gd.large'
    M7GD_MEDIUM = 'm7gd.medium'
    M7GD_METAL = 'm7gd.metal'
    M7GD_X_LARGE = 'm7gd.xlarge'
    M7I_FLEX_12_X_LARGE = 'm7i-flex.12xlarge'
    M7I_FLEX_16_X_LARGE = 'm7i-flex.16xlarge'
    M7I_FLEX_2_X_LARGE = 'm7i-flex.2xlarge'
    M7I_FLEX_4_X_LARGE = 'm7i-flex.4xlarge'
    M7I_FLEX_8_X_LARGE = 'm7i-flex.8xlarge'
    M7I_FLEX_LARGE = 'm7i-flex.large'
    M7I_FLEX_X_LARGE = 'm7i-flex.xlarge'
    M7I_12_X_LARGE = 'm7i.12xlarge'
    M7I_16_X_LARGE = 'm7i.16xlarge'
    M7I_24_X_LARGE = 'm7i.24xlarge'
    M7I_2_X_LARGE = 'm7i.2xlarge'
    M7I_48_X_LARGE = 'm7i.48xlarge'
    M7I_4_X_LARGE = 'm7i.4xlarge'
    M7I_8_X_LARGE = 'm7i.8xlarge'
    M7I_LARGE = 'm7i.large'
    M7I_METAL_24XL = 'm7i.metal-24xl'
    M7I_METAL_48XL = 'm7i.metal-48xl'
    M7I_X_LARGE = 'm7i.xlarge'
    M8A_12_X_LARGE = 'm8a.12xlarge'
    M8A_16_X_LARGE = 'm8a.16xlarge'
    M8A_24_X_LARGE = 'm8a.24xlarge'
    M8A_2_X_LARGE = 'm8a.2xlarge'
    M8A_48_X_LARGE = 'm8a.48xlarge'
    M8A_4_X_LARGE = 'm8a.4xlarge'
    M8A_8_X_LARGE = 'm8a.8xlarge'
    M8A_LARGE = 'm8a.large'
    M8A_MEDIUM = 'm8a.medium'
    M8A_METAL_24XL = 'm8a.metal-24xl'
    M8A_METAL_48XL = 'm8a.metal-48xl'
    M8A_X_LARGE = 'm8a.xlarge'
    M8AZN_12_X_LARGE = 'm8azn.12xlarge'
    M8AZN_24_X_LARGE = 'm8azn.24xlarge'
    M8AZN_3_X_LARGE = 'm8azn.3xlarge'
    M8AZN_6_X_LARGE = 'm8azn.6xlarge'
    M8AZN_LARGE = 'm8azn.large'
    M8AZN_MEDIUM = 'm8azn.medium'
    M8AZN_METAL_12XL = 'm8azn.metal-12xl'
    M8AZN_METAL_24XL = 'm8azn.metal-24xl'
    M8AZN_X_LARGE = 'm8azn.xlarge'
    M8G_12_X_LARGE = 'm8g.12xlarge'
    M8G_16_X_LARGE = 'm8g.16xlarge'
    M8G_24_X_LARGE = 'm8g.24xlarge'
    M8G_2_X_LARGE = 'm8g.2xlarge'
    M8G_48_X_LARGE = 'm8g.48xlarge'
    M8G_4_X_LARGE = 'm8g.4xlarge'
    M8G_8_X_LARGE = 'm8g.8xlarge'
    M8G_LARGE = 'm8g.large'
    M8G_MEDIUM = 'm8g.medium'
    M8G_METAL_24XL = 'm8g.metal-24xl'
    M8G_METAL_48XL = 'm8g.metal-48xl'
    M8G_X_LARGE = 'm8g.xlarge'
    M8GB_12_X_LARGE = 'm8gb.12xlarge'
    M8GB_16_X_LARGE = 'm8gb.16xlarge'
    M8GB_24_X_LARGE = 'm8gb.24xlarge'
    M8GB_2_X_LARGE = 'm8gb.2xlarge'
    M8GB_48_X_LARGE = 'm8gb.48xlarge'
    M8GB_4_X_LARGE = 'm8gb.4xlarge'
    M8GB_8_X_LARGE = 'm8gb.8xlarge'
    M8GB_LARGE = 'm8gb.large'
    M8GB_MEDIUM = 'm8gb.medium'
    M8GB_METAL_24XL = 'm8gb.metal-24xl'
    M8GB_METAL_48XL = 'm8gb.metal-48xl'
    M8GB_X_LARGE = 'm8gb.xlarge'
    M8GD_12_X_LARGE = 'm8gd.12xlarge'
    M8GD_16_X_LARGE = 'm8gd.16xlarge'
    M8GD_24_X_LARGE = 'm8gd.24xlarge'
    M8GD_2_X_LARGE = 'm8gd.2xlarge'
    M8GD_48_X_LARGE = 'm8gd.48xlarge'
    M8GD_4_X_LARGE = 'm8gd.4xlarge'
    M8GD_8_X_LARGE = 'm8gd.8xlarge'
    M8GD_LARGE = 'm8gd.large'
    M8GD_MEDIUM = 'm8gd.medium'
    M8GD_METAL_24XL = 'm8gd.metal-24xl'
    M8GD_METAL_48XL = 'm8gd.metal-48xl'
    M8GD_X_LARGE = 'm8gd.xlarge'
    M8GN_12_X_LARGE = 'm8gn.12xlarge'
    M8GN_16_X_LARGE = 'm8gn.16xlarge'
    M8GN_24_X_LARGE = 'm8gn.24xlarge'
    M8GN_2_X_LARGE = 'm8gn.2xlarge'
    M8GN_48_X_LARGE = 'm8gn.48xlarge'
    M8GN_4_X_LARGE = 'm8gn.4xlarge'
    M8GN_8_X_LARGE = 'm8gn.8xlarge'
    M8GN_LARGE = 'm8gn.large'
    M8GN_MEDIUM = 'm8gn.medium'
    M8GN_METAL_24XL = 'm8gn.metal-24xl'
    M8GN_METAL_48XL = 'm8gn.metal-48xl'
    M8GN_X_LARGE = 'm8gn.xlarge'
    M8I_FLEX_12_X_LARGE = 'm8i-flex.12xlarge'
    M8I_FLEX_16_X_LARGE = 'm8i-flex.16xlarge'
    M8I_FLEX_2_X_LARGE = 'm8i-flex.2xlarge'
    M8I_FLEX_4_X_LARGE = 'm8i-flex.4xlarge'
    M8I_FLEX_8_X_LARGE = 'm8i-flex.8xlarge'
    M8I_FLEX_LARGE = 'm8i-flex.large'
    M8I_FLEX_X_LARGE = 'm8i-flex.xlarge'
    M8I_12_X_LARGE = 'm8i.12xlarge'
    M8I_16_X_LARGE = 'm8i.16xlarge'
    M8I_24_X_LARGE = 'm8i.24xlarge'
    M8I_2_X_LARGE = 'm8i.2xlarge'
    M8I_32_X_LARGE = 'm8i.32xlarge'
    M8I_48_X_LARGE = 'm8i.48xlarge'
    M8I_4_X_LARGE = 'm8i.4xlarge'
    M8I_8_X_LARGE = 'm8i.8xlarge'
    M8I_96_X_LARGE = 'm8i.96xlarge'
    M8I_LARGE = 'm8i.large'
    M8I_METAL_48XL = 'm8i.metal-48xl'
    M8I_METAL_96XL = 'm8i.metal-96xl'
    M8I_X_LARGE = 'm8i.xlarge'
    M8IB_12_X_LARGE = 'm8ib.12xlarge'
    M8IB_16_X_LARGE = 'm8ib.16xlarge'
    M8IB_24_X_LARGE = 'm8ib.24xlarge'
    M8IB_2_X_LARGE = 'm8ib.2xlarge'
    M8IB_32_X_LARGE = 'm8ib.32xlarge'
    M8IB_48_X_LARGE = 'm8ib.48xlarge'
    M8IB_4_X_LARGE = 'm8ib.4xlarge'
    M8IB_8_X_LARGE = 'm8ib.8xlarge'
    M8IB_96_X_LARGE = 'm8ib.96xlarge'
    M8IB_LARGE = 'm8ib.large'
    M8IB_METAL_48XL = 'm8ib.metal-48xl'
    M8IB_METAL_96XL = 'm8ib.metal-96xl'
    M8IB_X_LARGE = 'm8ib.xlarge'
    M8ID_12_X_LARGE = 'm8id.12xlarge'
    M8ID_16_X_LARGE = 'm8id.16xlarge'
    M8ID_24_X_LARGE = 'm8id.24xlarge'
    M8ID_2_X_LARGE = 'm8id.2xlarge'
    M8ID_32_X_LARGE = 'm8id.32xlarge'
    M8ID_48_X_LARGE = 'm8id.48xlarge'
    M8ID_4_X_LARGE = 'm8id.4xlarge'
    M8ID_8_X_LARGE = 'm8id.8xlarge'
    M8ID_96_X_LARGE = 'm8id.96xlarge'
    M8ID_LARGE = 'm8id.large'
    M8ID_METAL_48XL = 'm8id.metal-48xl'
    M8ID_METAL_96XL = 'm8id.metal-96xl'
    M8ID_X_LARGE = 'm8id.xlarge'
    M8IDB_12_X_LARGE = 'm8idb.12xlarge'
    M8IDB_16_X_LARGE = 'm8idb.16xlarge'
    M8IDB_24_X_LARGE = 'm8idb.24xlarge'
    M8IDB_2_X_LARGE = 'm8idb.2xlarge'
    M8IDB_32_X_LARGE = 'm8idb.32xlarge'
    M8IDB_48_X_LARGE = 'm8idb.48xlarge'
    M8IDB_4_X_LARGE = 'm8idb.4xlarge'
    M8IDB_8_X_LARGE = 'm8idb.8xlarge'
    M8IDB_96_X_LARGE = 'm8idb.96xlarge'
    M8IDB_LARGE = 'm8idb.large'
    M8IDB_METAL_48XL = 'm8idb.metal-48xl'
    M8IDB_METAL_96XL = 'm8idb.metal-96xl'
    M8IDB_X_LARGE = 'm8idb.xlarge'
    M8IDN_12_X_LARGE = 'm8idn.12xlarge'
    M8IDN_16_X_LARGE = 'm8idn.16xlarge'
    M8IDN_24_X_LARGE = 'm8idn.24xlarge'
    M8IDN_2_X_LARGE = 'm8idn.2xlarge'
    M8IDN_32_X_LARGE = 'm8idn.32xlarge'
    M8IDN_48_X_LARGE = 'm8idn.48xlarge'
    M8IDN_4_X_LARGE = 'm8idn.4xlarge'
    M8IDN_8_X_LARGE = 'm8idn.8xlarge'
    M8IDN_96_X_LARGE = 'm8idn.96xlarge'
    M8IDN_LARGE = 'm8idn.large'
    M8IDN_METAL_48XL = 'm8idn.metal-48xl'
    M8IDN_METAL_96XL = 'm8idn.metal-96xl'
    M8IDN_X_LARGE = 'm8idn.xlarge'
    M8IN_12_X_LARGE = 'm8in.12xlarge'
    M8IN_16_X_LARGE = 'm8in.16xlarge'
    M8IN_24_X_LARGE = 'm8in.24xlarge'
    M8IN_2_X_LARGE = 'm8in.2xlarge'
    M8IN_32_X_LARGE = 'm8in.32xlarge'
    M8IN_48_X_LARGE = 'm8in.48xlarge'
    M8IN_4_X_LARGE = 'm8in.4xlarge'
    M8IN_8_X_LARGE = 'm8in.8xlarge'
    M8IN_96_X_LARGE = 'm8in.96xlarge'
    M8IN_LARGE = 'm8in.large'
    M8IN_METAL_48XL = 'm8in.metal-48xl'
    M8IN_METAL_96XL = 'm8in.metal-96xl'
    M8IN_X_LARGE = 'm8in.xlarge'
    M8INE_12_X_LARGE = 'm8ine.12xlarge'
    M8INE_2_X_LARGE = 'm8ine.2xlarge'
    M8INE_4_X_LARGE = 'm8ine.4xlarge'
    M8INE_8_X_LARGE = 'm8ine.8xlarge'
    M8INE_LARGE = 'm8ine.large'
    M8INE_X_LARGE = 'm8ine.xlarge'
    M9G_12_X_LARGE = 'm9g.12xlarge'
    M9G_16_X_LARGE = 'm9g.16xlarge'
    M9G_24_X_LARGE = 'm9g.24xlarge'
    M9G_2_X_LARGE = 'm9g.2xlarge'
    M9G_48_X_LARGE = 'm9g.48xlarge'
    M9G_4_X_LARGE = 'm9g.4xlarge'
    M9G_8_X_LARGE = 'm9g.8xlarge'
    M9G_LARGE = 'm9g.large'
    M9G_METAL_24XL = 'm9g.metal-24xl'
    M9G_METAL_48XL = 'm9g.metal-48xl'
    M9G_X_LARGE = 'm9g.xlarge'
    M9GD_12_X_LARGE = 'm9gd.12xlarge'
    M9GD_16_X_LARGE = 'm9gd.16xlarge'
    M9GD_24_X_LARGE = 'm9gd.24xlarge'
    M9GD_2_X_LARGE = 'm9gd.2xlarge'
    M9GD_48_X_LARGE = 'm9gd.48xlarge'
    M9GD_4_X_LARGE = 'm9gd.4xlarge'
    M9GD_8_X_LARGE = 'm9gd.8xlarge'
    M9GD_LARGE = 'm9gd.large'
    M9GD_METAL_24XL = 'm9gd.metal-24xl'
    M9GD_METAL_48XL = 'm9gd.metal-48xl'
    M9GD_X_LARGE = 'm9gd.xlarge'
    MAC_M3ULTRA_METAL = 'mac-m3ultra.metal'
    MAC_M4_METAL = 'mac-m4.metal'
    MAC_M4MAX_METAL = 'mac-m4max.metal'
    MAC_M4PRO_METAL = 'mac-m4pro.metal'
    MAC1_METAL = 'mac1.metal'
    MAC2_M1ULTRA_METAL = 'mac2-m1ultra.metal'
    MAC2_M2_METAL = 'mac2-m2.metal'
    MAC2_M2PRO_METAL = 'mac2-m2pro.metal'
    MAC2_METAL = 'mac2.metal'
    P2_16_X_LARGE = 'p2.16xlarge'
    P2_8_X_LARGE = 'p2.8xlarge'
    P2_X_LARGE = 'p2.xlarge'
    P3_16_X_LARGE = 'p3.16xlarge'
    P3_2_X_LARGE = 'p3.2xlarge'
    P3_8_X_LARGE = 'p3.8xlarge'
    P3DN_24_X_LARGE = 'p3dn.24xlarge'
    P4D_24_X_LARGE = 'p4d.24xlarge'
    P4DE_24_X_LARGE = 'p4de.24xlarge'
    P5_48_X_LARGE = 'p5.48xlarge'
    P5_4_X_LARGE = 'p5.4xlarge'
    P5E_48_X_LARGE = 'p5e.48xlarge'
    P5EN_48_X_LARGE = 'p5en.48xlarge'
    P6_B200_48_X_LARGE = 'p6-b200.48xlarge'
    P6_B300_48_X_LARGE = 'p6-b300.48xlarge'
    P6E_GB200_36_X_LARGE = 'p6e-gb200.36xlarge'
    R3_2_X_LARGE = 'r3.2xlarge'
    R3_4_X_LARGE = 'r3.4xlarge'
    R3_8_X_LARGE = 'r3.8xlarge'
    R3_LARGE = 'r3.large'
    R3_X_LARGE = 'r3.xlarge'
    R4_16_X_LARGE = 'r4.16xlarge'
    R4_2_X_LARGE = 'r4.2xlarge'
    R4_4_X_LARGE = 'r4.4xlarge'
    R4_8_X_LARGE = 'r4.8xlarge'
    R4_LARGE = 'r4.large'
    R4_X_LARGE = 'r4.xlarge'
    R5_12_X_LARGE = 'r5.12xlarge'
    R5_16_X_LARGE = 'r5.16xlarge'
    R5_24_X_LARGE = 'r5.24xlarge'
    R5_2_X_LARGE = 'r5.2xlarge'
    R5_4_X_LARGE = 'r5.4xlarge'
    R5_8_X_LARGE = 'r5.8xlarge'
    R5_LARGE = 'r5.large'
    R5_METAL = 'r5.metal'
    R5_X_LARGE = 'r5.xlarge'
    R5A_12_X_LARGE = 'r5a.12xlarge'
    R5A_16_X_LARGE = 'r5a.16xlarge'
    R5A_24_X_LARGE = 'r5a.24xlarge'
    R5A_2_X_LARGE = 'r5a.2xlarge'
    R5A_4_X_LARGE = 'r5a.4xlarge'
    R5A_8_X_LARGE = 'r5a.8xlarge'
    R5A_LARGE = 'r5a.large'
    R5A_X_LARGE = 'r5a.xlarge'
    R5AD_12_X_LARGE = 'r5ad.12xlarge'
    R5AD_16_X_LARGE = 'r5ad.16xlarge'
    R5AD_24_X_LARGE = 'r5ad.24xlarge'
    R5AD_2_X_LARGE = 'r5ad.2xlarge'
    R5AD_4_X_LARGE = 'r5ad.4xlarge'
    R5AD_8_X_LARGE = 'r5ad.8xlarge'
    R5AD_LARGE = 'r5ad.large'
    R5AD_X_LARGE = 'r5ad.xlarge'
    R5B_12_X_LARGE = 'r5b.12xlarge'
    R5B_16_X_LARGE = 'r5b.16xlarge'
    R5B_24_X_LARGE = 'r5b.24xlarge'
    R5B_2_X_LARGE = 'r5b.2xlarge'
    R5B_4_X_LARGE = 'r5b.4xlarge'
    R5B_8_X_LARGE = 'r5b.8xlarge'
    R5B_LARGE = 'r5b.large'
    R5B_METAL = 'r5b.metal'
    R5B_X_LARGE = 'r5b.xlarge'
    R5D_12_X_LARGE = 'r5d.12xlarge'
    R5D_16_X_LARGE = 'r5d.16xlarge'
    R5D_24_X_LARGE = 'r5d.24xlarge'
    R5D_2_X_LARGE = 'r5d.2xlarge'
    R5D_4_X_LARGE = 'r5d.4xlarge'
    R5D_8_X_LARGE = 'r5d.8xlarge'
    R5D_LARGE = 'r5d.large'
    R5D_METAL = 'r5d.metal'
    R5D_X_LARGE = 'r5d.xlarge'
    R5DN_12_X_LARGE = 'r5dn.12xlarge'
    R5DN_16_X_LARGE = 'r5dn.16xlarge'
    R5DN_24_X_LARGE = 'r5dn.24xlarge'
    R5DN_2_X_LARGE = 'r5dn.2xlarge'
    R5DN_4_X_LARGE = 'r5dn.4xlarge'
    R5DN_8_X_LARGE = 'r5dn.8xlarge'
    R5DN_LARGE = 'r5dn.large'
    R5DN_METAL = 'r5dn.metal'
    R5DN_X_LARGE = 'r5dn.xlarge'
    R5N_12_X_LARGE = 'r5n.12xlarge'
    R5N_16_X_LARGE = 'r5n.16xlarge'
    R5N_24_X_LARGE = 'r5n.24xlarge'
    R5N_2_X_LARGE = 'r5n.2xlarge'
    R5N_4_X_LARGE = 'r5n.4xlarge'
    R5N_8_X_LARGE = 'r5n.8xlarge'
    R5N_LARGE = 'r5n.large'
    R5N_METAL = 'r5n.metal'
    R5N_X_LARGE = 'r5n.xlarge'
    R6A_12_X_LARGE = 'r6a.12xlarge'
    R6A_16_X_LARGE = 'r6a.16xlarge'
    R6A_24_X_LARGE = 'r6a.24xlarge'
    R6A_2_X_LARGE = 'r6a.2xlarge'
    R6A_32_X_LARGE = 'r6a.32xlarge'
    R6A_48_X_LARGE = 'r6a.48xlarge'
    R6A_4_X_LARGE = 'r6a.4xlarge'
    R6A_8_X_LARGE = 'r6a.8xlarge'
    R6A_LARGE = 'r6a.large'
    R6A_METAL = 'r6a.metal'
    R6A_X_LARGE = 'r6a.xlarge'
    R6G_12_X_LARGE = 'r6g.12xlarge'
    R6G_16_X_LARGE = 'r6g.16xlarge'
    R6G_2_X_LARGE = 'r6g.2xlarge'
    R6G_4_X_LARGE = 'r6g.4xlarge'
    R6G_8_X_LARGE = 'r6g.8xlarge'
    R6G_LARGE = 'r6g.large'
    R6G_MEDIUM = 'r6g.medium'
    R6G_METAL = 'r6g.metal'
    R6G_X_LARGE = 'r6g.xlarge'
    R6GD_12_X_LARGE = 'r6gd.12xlarge'
    R6GD_16_X_LARGE = 'r6gd.16xlarge'
    R6GD_2_X_LARGE = 'r6gd.2xlarge'
    R6GD_4_X_LARGE = 'r6gd.4xlarge'
    R6GD_8_X_LARGE = 'r6gd.8xlarge'
    R6GD_LARGE = 'r6gd.large'
    R6GD_MEDIUM = 'r6gd.medium'
    R6GD_METAL = 'r6gd.metal'
    R6GD_X_LARGE = 'r6gd.xlarge'
    R6I_12_X_LARGE = 'r6i.12xlarge'
    R6I_16_X_LARGE = 'r6i.16xlarge'
    R6I_24_X_LARGE = 'r6i.24xlarge'
    R6I_2_X_LARGE = 'r6i.2xlarge'
    R6I_32_X_LARGE = 'r6i.32xlarge'
    R6I_4_X_LARGE = 'r6i.4xlarge'
    R6I_8_X_LARGE = 'r6i.8xlarge'
    R6I_LARGE = 'r6i.large'
    R6I_METAL = 'r6i.metal'
    R6I_X_LARGE = 'r6i.xlarge'
    R6ID_12_X_LARGE = 'r6id.12xlarge'
    R6ID_16_X_LARGE = 'r6id.16xlarge'
    R6ID_24_X_LARGE = 'r6id.24xlarge'
    R6ID_2_X_LARGE = 'r6id.2xlarge'
    R6ID_32_X_LARGE = 'r6id.32xlarge'
    R6ID_4_X_LARGE = 'r6id.4xlarge'
    R6ID_8_X_LARGE = 'r6id.8xlarge'
    R6ID_LARGE = 'r6id.large'
    R6ID_METAL = 'r6id.metal'
    R6ID_X_LARGE = 'r6id.xlarge'
    R6IDN_12_X_LARGE = 'r6idn.12xlarge'
    R6IDN_16_X_LARGE = 'r6idn.16xlarge'
    R6IDN_24_X_LARGE = 'r6idn.24xlarge'
    R6IDN_2_X_LARGE = 'r6idn.2xlarge'
    R6IDN_32_X_LARGE = 'r6idn.32xlarge'
    R6IDN_4_X_LARGE = 'r6idn.4xlarge'
    R6IDN_8_X_LARGE = 'r6idn.8xlarge'
    R6IDN_LARGE = 'r6idn.large'
    R6IDN_METAL = 'r6idn.metal'
    R6IDN_X_LARGE = 'r6idn.xlarge'
    R6IN_12_X_LARGE = 'r6in.12xlarge'
    R6IN_16_X_LARGE = 'r6in.16xlarge'
    R6IN_24_X_LARGE = 'r6in.24xlarge'
    R6IN_2_X_LARGE = 'r6in.2xlarge'
    R6IN_32_X_LARGE = 'r6in.32xlarge'
    R6IN_4_X_LARGE = 'r6in.4xlarge'
    R6IN_8_X_LARGE = 'r6in.8xlarge'
    R6IN_LARGE = 'r6in.large'
    R6IN_METAL = 'r6in.metal'
    R6IN_X_LARGE = 'r6in.xlarge'
    R7A_12_X_LARGE = 'r7a.12xlarge'
    R7A_16_X_LARGE = 'r7a.16xlarge'
    R7A_24_X_LARGE = 'r7a.24xlarge'
    R7A_2_X_LARGE = 'r7a.2xlarge'
    R7A_32_X_LARGE = 'r7a.32xlarge'
    R7A_48_X_LARGE = 'r7a.48xlarge'
    R7A_4_X_LARGE = 'r7a.4xlarge'
    R7A_8_X_LARGE = 'r7a.8xlarge'
    R7A_LARGE = 'r7a.large'
    R7A_MEDIUM = 'r7a.medium'
    R7A_METAL_48XL = 'r7a.metal-48xl'
    R7A_X_LARGE = 'r7a.xlarge'
    R7G_12_X_LARGE = 'r7g.12xlarge'
    R7G_16_X_LARGE = 'r7g.16xlarge'
    R7G_2_X_LARGE = 'r7g.2xlarge'
    R7G_4_X_LARGE = 'r7g.4xlarge'
    R7G_8_X_LARGE = 'r7g.8xlarge'
    R7G_LARGE = 'r7g.large'
    R7G_MEDIUM = 'r7g.medium'
    R7G_METAL = 'r7g.metal'
    R7G_X_LARGE = 'r7g.xlarge'
    R7GD_12_X_LARGE = 'r7gd.12xlarge'
    R7GD_16_X_LARGE = 'r7gd.16xlarge'
    R7GD_2_X_LARGE = 'r7gd.2xlarge'
    R7GD_4_X_LARGE = 'r7gd.4xlarge'
    R7GD_8_X_LARGE = 'r7gd.8xlarge'
    R7GD_LARGE = 'r7gd.large'
    R7GD_MEDIUM = 'r7gd.medium'
    R7GD_METAL = 'r7gd.metal'
    R7GD_X_LARGE = 'r7gd.xlarge'
    R7I_12_X_LARGE = 'r7i.12xlarge'
    R7I_16_X_LARGE = 'r7i.16xlarge'
    R7I_24_X_LARGE = 'r7i.24xlarge'
    R7I_2_X_LARGE = 'r7i.2xlarge'
    R7I_48_X_LARGE = 'r7i.48xlarge'
    R7I_4_X_LARGE = 'r7i.4xlarge'
    R7I_8_X_LARGE = 'r7i.8xlarge'
    R7I_LARGE = 'r7i.large'
    R7I_METAL_24XL = 'r7i.metal-24xl'
    R7I_METAL_48XL = 'r7i.metal-48xl'
    R7I_X_LARGE = 'r7i.xlarge'
    R7IZ_12_X_LARGE = 'r7iz.12xlarge'
    R7IZ_16_X_LARGE = 'r7iz.16xlarge'
    R7IZ_2_X_LARGE = 'r7iz.2xlarge'
    R7IZ_32_X_LARGE = 'r7iz.32xlarge'
    R7IZ_4_X_LARGE = 'r7iz.4xlarge'
    R7IZ_8_X_LARGE = 'r7iz.8xlarge'
    R7IZ_LARGE = 'r7iz.large'
    R7IZ_METAL_16XL = 'r7iz.metal-16xl'
    R7IZ_METAL_32XL = 'r7iz.metal-32xl'
    R7IZ_X_LARGE = 'r7iz.xlarge'
    R8A_12_X_LARGE = 'r8a.12xlarge'
    R8A_16_X_LARGE = 'r8a.16xlarge'
    R8A_24_X_LARGE = 'r8a.24xlarge'
    R8A_2_X_LARGE = 'r8a.2xlarge'
    R8A_48_X_LARGE = 'r8a.48xlarge'
    R8A_4_X_LARGE = 'r8a.4xlarge'
    R8A_8_X_LARGE = 'r8a.8xlarge'
    R8A_LARGE = 'r8a.large'
    R8A_MEDIUM = 'r8a.medium'
    R8A_METAL_24XL = 'r8a.metal-24xl'
    R8A_METAL_48XL = 'r8a.metal-48xl'
    R8A_X_LARGE = 'r8a.xlarge'
    R8G_12_X_LARGE = 'r8g.12xlarge'
    R8G_16_X_LARGE = 'r8g.16xlarge'
    R8G_24_X_LARGE = 'r8g.24xlarge'
    R8G_2_X_LARGE = 'r8g.2xlarge'
    R8G_48_X_LARGE = 'r8g.48xlarge'
    R8G_4_X_LARGE = 'r8g.4xlarge'
    R8G_8_X_LARGE = 'r8g.8xlarge'
    R8G_LARGE = 'r8g.large'
    R8G_MEDIUM = 'r8g.medium'
    R8G_METAL_24XL = 'r8g.metal-24xl'
    R8G_METAL_48XL = 'r8g.metal-48xl'
    R8G_X_LARGE = 'r8g.xlarge'
    R8GB_12_X_LARGE = 'r8gb.12xlarge'
    R8GB_16_X_LARGE = 'r8gb.16xlarge'
    R8GB_24_X_LARGE = 'r8gb.24xlarge'
    R8GB_2_X_LARGE = 'r8gb.2xlarge'
    R8GB_4_X_LARGE = 'r8gb.4xlarge'
    R8GB_8_X_LARGE = 'r8gb.8xlarge'
    R8GB_LARGE = 'r8gb.large'
    R8GB_MEDIUM = 'r8gb.medium'
    R8GB_METAL_24XL = 'r8gb.metal-24xl'
    R8GB_X_LARGE = 'r8gb.xlarge'
    R8GD_12_X_LARGE = 'r8gd.12xlarge'
    R8GD_16_X_LARGE = 'r8gd.16xlarge'
    R8GD_24_X_LARGE = 'r8gd.24xlarge'
    R8GD_2_X_LARGE = 'r8gd.2xlarge'
    R8GD_48_X_LARGE = 'r8gd.48xlarge'
    R8GD_4_X_LARGE = 'r8gd.4xlarge'
    R8GD_8_X_LARGE = 'r8gd.8xlarge'
    R8GD_LARGE = 'r8gd.large'
    R8GD_MEDIUM = 'r8gd.medium'
    R8GD_METAL_24XL = 'r8gd.metal-24xl'
    R8GD_METAL_48XL = 'r8gd.metal-48xl'
    R8GD_X_LARGE = 'r8gd.xlarge'
    R8GN_12_X_LARGE = 'r8gn.12xlarge'
    R8GN_16_X_LARGE = 'r8gn.16xlarge'
    R8GN_24_X_LARGE = 'r8gn.24xlarge'
    R8GN_2_X_LARGE = 'r8gn.2xlarge'
    R8GN_48_X_LARGE = 'r8gn.48xlarge'
    R8GN_4_X_LARGE = 'r8gn.4xlarge'
    R8GN_8_X_LARGE = 'r8gn.8xlarge'
    R8GN_LARGE = 'r8gn.large'
    R8GN_MEDIUM = 'r8gn.medium'
    R8GN_METAL_24XL = 'r8gn.metal-24xl'
    R8GN_METAL_48XL = 'r8gn.metal-48xl'
    R8GN_X_LARGE = 'r8gn.xlarge'
    R8I_FLEX_12_X_LARGE = 'r8i-flex.12xlarge'
    R8I_FLEX_16_X_LARGE = 'r8i-flex.16xlarge'
    R8I_FLEX_2_X_LARGE = 'r8i-flex.2xlarge'
    R8I_FLEX_4_X_LARGE = 'r8i-flex.4xlarge'
    R8I_FLEX_8_X_LARGE = 'r8i-flex.8xlarge'
    R8I_FLEX_LARGE = 'r8i-flex.large'
    R8I_FLEX_X_LARGE = 'r8i-flex.xlarge'
    R8I_12_X_LARGE = 'r8i.12xlarge'
    R8I_16_X_LARGE = 'r8i.16xlarge'
    R8I_24_X_LARGE = 'r8i.24xlarge'
    R8I_2_X_LARGE = 'r8i.2xlarge'
    R8I_32_X_LARGE = 'r8i.32xlarge'
    R8I_48_X_LARGE = 'r8i.48xlarge'
    R8I_4_X_LARGE = 'r8i.4xlarge'
    R8I_8_X_LARGE = 'r8i.8xlarge'
    R8I_96_X_LARGE = 'r8i.96xlarge'
    R8I_LARGE = 'r8i.large'
    R8I_METAL_48XL = 'r8i.metal-48xl'
    R8I_METAL_96XL = 'r8i.metal-96xl'
    R8I_X_LARGE = 'r8i.xlarge'
    R8IB_12_X_LARGE = 'r8ib.12xlarge'
    R8IB_16_X_LARGE = 'r8ib.16xlarge'
    R8IB_24_X_LARGE = 'r8ib.24xlarge'
    R8IB_2_X_LARGE = 'r8ib.2xlarge'
    R8IB_32_X_LARGE = 'r8ib.32xlarge'
    R8IB_48_X_LARGE = 'r8ib.48xlarge'
    R8IB_4_X_LARGE = 'r8ib.4xlarge'
    R8IB_8_X_LARGE = 'r8ib.8xlarge'
    R8IB_96_X_LARGE = 'r8ib.96xlarge'
    R8IB_LARGE = 'r8ib.large'
    R8IB_METAL_48XL = 'r8ib.metal-48xl'
    R8IB_METAL_96XL = 'r8ib.metal-96xl'
    R8IB_X_LARGE = 'r8ib.xlarge'
    R8ID_12_X_LARGE = 'r8id.12xlarge'
    R8ID_16_X_LARGE = 'r8id.16xlarge'
    R8ID_24_X_LARGE = 'r8id.24xlarge'
    R8ID_2_X_LARGE = 'r8id.2xlarge'
    R8ID_32_X_LARGE = 'r8id.32xlarge'
    R8ID_48_X_LARGE = 'r8id.48xlarge'
    R8ID_4_X_LARGE = 'r8id.4xlarge'
    R8ID_8_X_LARGE = 'r8id.8xlarge'
    R8ID_96_X_LARGE = 'r8id.96xlarge'
    R8ID_LARGE = 'r8id.large'
    R8ID_METAL_48XL = 'r8id.metal-48xl'
    R8ID_METAL_96XL = 'r8id.metal-96xl'
    R8ID_X_LARGE = 'r8id.xlarge'
    R8IDB_12_X_LARGE = 'r8idb.12xlarge'
    R8IDB_16_X_LARGE = 'r8idb.16xlarge'
    R8IDB_24_X_LARGE = 'r8idb.24xlarge'
    R8IDB_2_X_LARGE = 'r8idb.2xlarge'
    R8IDB_32_X_LARGE = 'r8idb.32xlarge'
    R8IDB_48_X_LARGE = 'r8idb.48xlarge'
    R8IDB_4_X_LARGE = 'r8idb.4xlarge'
    R8IDB_8_X_LARGE = 'r8idb.8xlarge'
    R8IDB_96_X_LARGE = 'r8idb.96xlarge'
    R8IDB_LARGE = 'r8idb.large'
    R8IDB_METAL_48XL = 'r8idb.metal-48xl'
    R8IDB_METAL_96XL = 'r8idb.metal-96xl'
    R8IDB_X_LARGE = 'r8idb.xlarge'
    R8IDN_12_X_LARGE = 'r8idn.12xlarge'
    R8IDN_16_X_LARGE = 'r8idn.16xlarge'
    R8IDN_24_X_LARGE = 'r8idn.24xlarge'
    R8IDN_2_X_LARGE = 'r8idn.2xlarge'
    R8IDN_32_X_LARGE = 'r8idn.32xlarge'
    R8IDN_48_X_LARGE = 'r8idn.48xlarge'
    R8IDN_4_X_LARGE = 'r8idn.4xlarge'
    R8IDN_8_X_LARGE = 'r8idn.8xlarge'
    R8IDN_96_X_LARGE = 'r8idn.96xlarge'
    R8IDN_LARGE = 'r8idn.large'
    R8IDN_METAL_48XL = 'r8idn.metal-48xl'
    R8IDN_METAL_96XL = 'r8idn.metal-96xl'
    R8IDN_X_LARGE = 'r8idn.xlarge'
    R8IN_12_X_LARGE = 'r8in.12xlarge'
    R8IN_16_X_LARGE = 'r8in.16xlarge'
    R8IN_24_X_LARGE = 'r8in.24xlarge'
    R8IN_2_X_LARGE = 'r8in.2xlarge'
    R8IN_32_X_LARGE = 'r8in.32xlarge'
    R8IN_48_X_LARGE = 'r8in.48xlarge'
    R8IN_4_X_LARGE = 'r8in.4xlarge'
    R8IN_8_X_LARGE = 'r8in.8xlarge'
    R8IN_96_X_LARGE = 'r8in.96xlarge'
    R8IN_LARGE = 'r8in.large'
    R8IN_METAL_48XL = 'r8in.metal-48xl'
    R8IN_METAL_96XL = 'r8in.metal-96xl'
    R8IN_X_LARGE = 'r8in.xlarge'
    T1_MICRO = 't1.micro'
    T2_2_X_LARGE = 't2.2xlarge'
    T2_LARGE = 't2.large'
    T2_MEDIUM = 't2.medium'
    T2_MICRO = 't2.micro'
    T2_NANO = 't2.nano'
    T2_SMALL = 't2.small'
    T2_X_LARGE = 't2.xlarge'
    T3_2_X_LARGE = 't3.2xlarge'
    T3_LARGE = 't3.large'
    T3_MEDIUM = 't3.medium'
    T3_MICRO = 't3.micro'
    T3_NANO = 't3.nano'
    T3_SMALL = 't3.small'
    T3_X_LARGE = 't3.xlarge'
    T3A_2_X_LARGE = 't3a.2xlarge'
    T3A_LARGE = 't3a.large'
    T3A_MEDIUM = 't3a.medium'
    T3A_MICRO = 't3a.micro'
    T3A_NANO = 't3a.nano'
    T3A_SMALL = 't3a.small'
    T3A_X_LARGE = 't3a.xlarge'
    T4G_2_X_LARGE = 't4g.2xlarge'
    T4G_LARGE = 't4g.large'
    T4G_MEDIUM = 't4g.medium'
    T4G_MICRO = 't4g.micro'
    T4G_NANO = 't4g.nano'
    T4G_SMALL = 't4g.small'
    T4G_X_LARGE = 't4g.xlarge'
    TRN1_2_X_LARGE = 'trn1.2xlarge'
    TRN1_32_X_LARGE = 'trn1.32xlarge'
    TRN1N_32_X_LARGE = 'trn1n.32xlarge'
    TRN2_3_X_LARGE = 'trn2.3xlarge'
    TRN2_48_X_LARGE = 'trn2.48xlarge'
    U_12TB1_112_X_LARGE = 'u-12tb1.112xlarge'
    U_12TB1_METAL = 'u-12tb1.metal'
    U_18TB1_112_X_LARGE = 'u-18tb1.112xlarge'
    U_18TB1_METAL = 'u-18tb1.metal'
    U_24TB1_112_X_LARGE = 'u-24tb1.112xlarge'
    U_24TB1_METAL = 'u-24tb1.metal'
    U_3TB1_56_X_LARGE = 'u-3tb1.56xlarge'
    U_6TB1_112_X_LARGE = 'u-6tb1.112xlarge'
    U_6TB1_56_X_LARGE = 'u-6tb1.56xlarge'
    U_6TB1_METAL = 'u-6tb1.metal'
    U_9TB1_112_X_LARGE = 'u-9tb1.112xlarge'
    U_9TB1_METAL = 'u-9tb1.metal'
    U7I_12TB_224_X_LARGE = 'u7i-12tb.224xlarge'
    U7I_6TB_112_X_LARGE = 'u7i-6tb.112xlarge'
    U7I_8TB_112_X_LARGE = 'u7i-8tb.112xlarge'
    U7IB_12TB_224_X_LARGE = 'u7ib-12tb.224xlarge'
    U7IN_16TB_224_X_LARGE = 'u7in-16tb.224xlarge'
    U7IN_24TB_224_X_LARGE = 'u7in-24tb.224xlarge'
    U7IN_32TB_224_X_LARGE = 'u7in-32tb.224xlarge'
    U7INH_32TB_480_X_LARGE = 'u7inh-32tb.480xlarge'
    VT1_24_X_LARGE = 'vt1.24xlarge'
    VT1_3_X_LARGE = 'vt1.3xlarge'
    VT1_6_X_LARGE = 'vt1.6xlarge'
    X1_16_X_LARGE = 'x1.16xlarge'
    X1_32_X_LARGE = 'x1.32xlarge'
    X1E_16_X_LARGE = 'x1e.16xlarge'
    X1E_2_X_LARGE = 'x1e.2xlarge'
    X1E_32_X_LARGE = 'x1e.32xlarge'
    X1E_4_X_LARGE = 'x1e.4xlarge'
    X1E_8_X_LARGE = 'x1e.8xlarge'
    X1E_X_LARGE = 'x1e.xlarge'
    X2GD_12_X_LARGE = 'x2gd.12xlarge'
    X2GD_16_X_LARGE = 'x2gd.16xlarge'
    X2GD_2_X_LARGE = 'x2gd.2xlarge'
    X2GD_4_X_LARGE = 'x2gd.4xlarge'
    X2GD_8_X_LARGE = 'x2gd.8xlarge'
    X2GD_LARGE = 'x2gd.large'
    X2GD_MEDIUM = 'x2gd.medium'
    X2GD_METAL = 'x2gd.metal'
    X2GD_X_LARGE = 'x2gd.xlarge'
    X2IDN_16_X_LARGE = 'x2idn.16xlarge'
    X2IDN_24_X_LARGE = 'x2idn.24xlarge'
    X2IDN_32_X_LARGE = 'x2idn.32xlarge'
    X2IDN_METAL = 'x2idn.metal'
    X2IEDN_16_X_LARGE = 'x2iedn.16xlarge'
    X2IEDN_24_X_LARGE = 'x2iedn.24xlarge'
    X2IEDN_2_X_LARGE = 'x2iedn.2xlarge'
    X2IEDN_32_X_LARGE = 'x2iedn.32xlarge'
    X2IEDN_4_X_LARGE = 'x2iedn.4xlarge'
    X2IEDN_8_X_LARGE = 'x2iedn.8xlarge'
    X2IEDN_METAL = 'x2iedn.metal'
    X2IEDN_X_LARGE = 'x2iedn.xlarge'
    X2IEZN_12_X_LARGE = 'x2iezn.12xlarge'
    X2IEZN_2_X_LARGE = 'x2iezn.2xlarge'
    X2IEZN_4_X_LARGE = 'x2iezn.4xlarge'
    X2IEZN_6_X_LARGE = 'x2iezn.6xlarge'
    X2IEZN_8_X_LARGE = 'x2iezn.8xlarge'
    X2IEZN_METAL = 'x2iezn.metal'
    X8AEDZ_12_X_LARGE = 'x8aedz.12xlarge'
    X8AEDZ_24_X_LARGE = 'x8aedz.24xlarge'
    X8AEDZ_3_X_LARGE = 'x8aedz.3xlarge'
    X8AEDZ_6_X_LARGE = 'x8aedz.6xlarge'
    X8AEDZ_LARGE = 'x8aedz.large'
    X8AEDZ_METAL_12XL = 'x8aedz.metal-12xl'
    X8AEDZ_METAL_24XL = 'x8aedz.metal-24xl'
    X8AEDZ_X_LARGE = 'x8aedz.xlarge'
    X8G_12_X_LARGE = 'x8g.12xlarge'
    X8G_16_X_LARGE = 'x8g.16xlarge'
    X8G_24_X_LARGE = 'x8g.24xlarge'
    X8G_2_X_LARGE = 'x8g.2xlarge'
    X8G_48_X_LARGE = 'x8g.48xlarge'
    X8G_4_X_LARGE = 'x8g.4xlarge'
    X8G_8_X_LARGE = 'x8g.8xlarge'
    X8G_LARGE = 'x8g.large'
    X8G_MEDIUM = 'x8g.medium'
    X8G_METAL_24XL = 'x8g.metal-24xl'
    X8G_METAL_48XL = 'x8g.metal-48xl'
    X8G_X_LARGE = 'x8g.xlarge'
    X8I_12_X_LARGE = 'x8i.12xlarge'
    X8I_16_X_LARGE = 'x8i.16xlarge'
    X8I_24_X_LARGE = 'x8i.24xlarge'
    X8I_2_X_LARGE = 'x8i.2xlarge'
    X8I_32_X_LARGE = 'x8i.32xlarge'
    X8I_48_X_LARGE = 'x8i.48xlarge'
    X8I_4_X_LARGE = 'x8i.4xlarge'
    X8I_64_X_LARGE = 'x8i.64xlarge'
    X8I_8_X_LARGE = 'x8i.8xlarge'
    X8I_96_X_LARGE = 'x8i.96xlarge'
    X8I_LARGE = 'x8i.large'
    X8I_METAL_48XL = 'x8i.metal-48xl'
    X8I_METAL_96XL = 'x8i.metal-96xl'
    X8I_X_LARGE = 'x8i.xlarge'
    Z1D_12_X_LARGE = 'z1d.12xlarge'
    Z1D_2_X_LARGE = 'z1d.2xlarge'
    Z1D_3_X_LARGE = 'z1d.3xlarge'
    Z1D_6_X_LARGE = 'z1d.6xlarge'
    Z1D_LARGE = 'z1d.large'
    Z1D_METAL = 'z1d.metal'
    Z1D_X_LARGE = 'z1d.xlarge'

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

class Tenancy(str, Enum):
    DEFAULT = 'default'
    DEDICATED = 'dedicated'

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
