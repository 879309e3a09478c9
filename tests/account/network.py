"""Rows of EC2: networks, security groups, launch templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.catalog import embedded
from tests.account.checks import Check, between, block, encoded, id_of, matches, one_of, text, unlike
from tests.account.identity import ACCOUNT
from tests.account.rows import Limit, Row
from tests.account.sources import EBS, EC2_API, EC2_IDS, TAGS, USER_DATA, VPC_SUBNETS
from tests.account.tags import tags
from tests.account.values import UNKNOWN

_VPC: Final = Limit("vpcId", id_of("vpc"), EC2_IDS)
_GROUP: Final = Limit("securityGroupId", id_of("sg"), EC2_IDS)
_TABLE: Final = Limit("routeTableId", id_of("rtb"), EC2_IDS)
_SUBNET: Final = Limit("subnetId", id_of("subnet"), EC2_IDS)
_DESCRIPTION: Final = matches(
    r"[\w .:/()#,@\[\]+=&;{}!$*-]*", "letters, digits, spaces and ._-:/()#,@[]+=&;{}!$*", 255, shortest=0
)
_WAYS: Final = (
    "gatewayId",
    "natGatewayId",
    "egressOnlyGatewayId",
    "networkInterfaceId",
    "transitGatewayId",
    "vpcEndpointId",
    "vpcPeeringConnectionId",
)
_SOURCES: Final = ("cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId")


def _has_one(*members: str) -> Check:
    return Check(
        f"exactly one of {', '.join(members)}", lambda inputs: sum(inputs.get(member) is not None for member in members) == 1
    )


def _is_rule(inputs: Mapping[str, Any]) -> bool:
    ports = (inputs.get("fromPort"), inputs.get("toPort"))
    if inputs.get("ipProtocol") in ("-1", -1):
        return ports == (None, None)
    return None not in ports and ports[0] <= ports[1]


def _ends(inputs: Mapping[str, Any]) -> bool:
    return (inputs.get("endDateType") == "limited") == (inputs.get("endDate") is not None)


def _is_endpoint(inputs: Mapping[str, Any]) -> bool:
    for_interfaces = ("subnetIds", "securityGroupIds", "privateDnsEnabled")
    if inputs.get("vpcEndpointType", "Gateway") == "Gateway":
        return not any(inputs.get(member) for member in for_interfaces)
    return not inputs.get("routeTableIds")


def _gateway(inputs: Mapping[str, Any]) -> bool:
    service = str(inputs.get("serviceName"))
    return inputs.get("vpcEndpointType", "Gateway") != "Gateway" or service.rpartition(".")[2] in ("s3", "dynamodb")


def _service_region(inputs: Mapping[str, Any]) -> bool:
    service, region = inputs.get("serviceName"), inputs.get("region")
    if not isinstance(service, str) or not isinstance(region, str) or ".amazonaws." not in service:
        return True
    return service.removeprefix("cn.").split(".")[2] in (region, "vpce") or inputs.get("serviceRegion") is not None


def _zone_of_region(inputs: Mapping[str, Any]) -> bool:
    zone, region = inputs.get("availabilityZone"), inputs.get("region")
    return not isinstance(zone, str) or not isinstance(region, str) or zone.startswith(region)


def _public_nat(inputs: Mapping[str, Any]) -> bool:
    return (inputs.get("connectivityType", "public") == "public") == (inputs.get("allocationId") is not None)


_SPEEDS: Final = {"gp3": (3_000, 80_000), "io1": (100, 64_000), "io2": (100, 256_000)}
"""Fewest and most operations a second of a volume, of types that take them."""


def _speed(disk: Mapping[str, Any]) -> bool:
    kind, speed, throughput = disk.get("volumeType", "gp2"), disk.get("iops"), disk.get("throughput")
    if kind is UNKNOWN:
        return True
    if throughput not in (None, UNKNOWN) and (kind != "gp3" or not 125 <= throughput <= 2_000):
        return False
    if speed in (None, UNKNOWN):
        return speed is UNKNOWN or kind not in ("io1", "io2")
    return kind in _SPEEDS and _SPEEDS[kind][0] <= speed <= _SPEEDS[kind][1]


def _encrypted(disk: Mapping[str, Any]) -> bool:
    return disk.get("kmsKeyId") is None or str(disk.get("encrypted")).lower() != "false"


def _group_name(value: Any) -> bool:
    return _DESCRIPTION.accepts(value) and not value.startswith("sg-") and value != "default" and bool(value)


def _arn(kind: str) -> str:
    return f"arn:aws:ec2:{{region}}:{ACCOUNT}:{kind}/{{id}}"


def _rule(kind: str) -> Row:
    return Row(
        f"aws:vpc/securityGroup{kind}Rule:SecurityGroup{kind}Rule",
        (
            _GROUP,
            Limit(
                "ipProtocol", matches(r"tcp|udp|icmp|icmpv6|-1|[0-9]{1,3}", "tcp, udp, icmp, icmpv6, -1 or a number"), EC2_API
            ),
            Limit("fromPort", between(-1, 65_535), EC2_API),
            Limit("toPort", between(-1, 65_535), EC2_API),
            Limit("cidrIpv4", block(0, 32), EC2_API),
            Limit("referencedSecurityGroupId", id_of("sg", f"{ACCOUNT}/sg"), EC2_IDS),
            Limit("description", _DESCRIPTION, EC2_API),
            Limit("", _has_one(*_SOURCES), EC2_API),
            Limit("", Check("a port from and to, in this order, and none with protocol -1", _is_rule), EC2_API),
            *tags(),
        ),
        frozenset({"securityGroupId"}),
        id="sgr-{name}",
        computed={"arn": _arn("security-group-rule"), "securityGroupRuleId": "{id}"},
    )


ROWS: Final = (
    Row(
        "aws:ec2/vpc:Vpc",
        (
            Limit("cidrBlock", block(16, 28), VPC_SUBNETS),
            Limit("instanceTenancy", one_of("default", "dedicated"), EC2_API),
            *tags(),
        ),
        frozenset({"cidrBlock", "ipv4IpamPoolId", "ipv4NetmaskLength"}),
        id="vpc-{name}",
        computed={"arn": _arn("vpc"), "defaultSecurityGroupId": "sg-{name}", "mainRouteTableId": "rtb-{name}"},
    ),
    Row(
        "aws:ec2/subnet:Subnet",
        (
            _VPC,
            Limit("cidrBlock", block(16, 28), VPC_SUBNETS),
            Limit(
                "availabilityZone",
                matches(r"[a-z]{2}(-[a-z]+)+-\d[a-z]|[a-z-]+\d-[a-z0-9-]+", "a zone such as eu-west-1a"),
                EC2_API,
            ),
            Limit("", Check("a zone of the region", _zone_of_region), EC2_API),
            *tags(),
        ),
        frozenset(
            {
                *("vpcId", "cidrBlock", "availabilityZone", "availabilityZoneId", "ipv6Native", "outpostArn"),
                *("ipv4IpamPoolId", "ipv4NetmaskLength", "ipv6IpamPoolId", "ipv6NetmaskLength"),
            }
        ),
        id="subnet-{name}",
        computed={"arn": _arn("subnet")},
    ),
    Row(
        "aws:ec2/internetGateway:InternetGateway", (_VPC, *tags()), id="igw-{name}", computed={"arn": _arn("internet-gateway")}
    ),
    Row(
        "aws:ec2/routeTable:RouteTable",
        (_VPC, *tags()),
        frozenset({"vpcId"}),
        id="rtb-{name}",
        computed={"arn": _arn("route-table")},
    ),
    Row(
        "aws:ec2/route:Route",
        (
            _TABLE,
            Limit("destinationCidrBlock", block(0, 32), EC2_API),
            Limit("gatewayId", id_of("igw", "vgw"), EC2_IDS),
            Limit("natGatewayId", id_of("nat"), EC2_IDS),
            Limit("", _has_one(*_WAYS), EC2_API),
        ),
        frozenset({"routeTableId", "destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId"}),
        id="r-{name}",
    ),
    Row(
        "aws:ec2/routeTableAssociation:RouteTableAssociation",
        (_TABLE, _SUBNET, Limit("", _has_one("subnetId", "gatewayId"), EC2_API)),
        frozenset({"subnetId", "gatewayId"}),
        id="rtbassoc-{name}",
    ),
    Row(
        "aws:ec2/eip:Eip",
        (Limit("domain", one_of("vpc"), EC2_API), *tags()),
        frozenset({"address", "customerOwnedIpv4Pool", "domain", "ipamPoolId", "networkBorderGroup", "publicIpv4Pool"}),
        id="eipalloc-{name}",
        computed={"allocationId": "{id}", "arn": _arn("elastic-ip"), "publicIp": "203.0.113.1"},
    ),
    Row(
        "aws:ec2/natGateway:NatGateway",
        (
            _SUBNET,
            Limit("allocationId", id_of("eipalloc"), EC2_IDS),
            Limit("connectivityType", one_of("public", "private"), EC2_API),
            Limit("", Check("an address for a public gateway alone", _public_nat), EC2_API),
            *tags(),
        ),
        frozenset({"allocationId", "connectivityType", "privateIp", "subnetId", "vpcId"}),
        id="nat-{name}",
        computed={"networkInterfaceId": "eni-{name}", "publicIp": "203.0.113.1"},
    ),
    Row(
        "aws:ec2/securityGroup:SecurityGroup",
        (
            _VPC,
            Limit("name", Check(f"{_DESCRIPTION.says}, not default and not beginning with sg-", _group_name), EC2_API),
            Limit("description", _DESCRIPTION, EC2_API),
            *tags(),
        ),
        frozenset({"name", "namePrefix", "description", "vpcId"}),
        id="sg-{name}",
        computed={"arn": _arn("security-group"), "ownerId": ACCOUNT},
        autonamed=("name", 255),
    ),
    Row(
        "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup",
        (_VPC, *tags()),
        frozenset({"vpcId"}),
        id="sg-{name}",
        computed={"arn": _arn("security-group"), "name": "default"},
    ),
    _rule("Ingress"),
    _rule("Egress"),
    Row(
        "aws:ec2/vpcEndpoint:VpcEndpoint",
        (
            _VPC,
            Limit(
                "serviceName",
                matches(
                    r"(cn\.)?com\.amazonaws\.[a-z0-9-]+\.[a-z0-9.-]+|aws\.[a-z0-9-]+\.[a-z0-9.-]+",
                    "the name of a service, with its region",
                ),
                EC2_API,
            ),
            Limit(
                "vpcEndpointType", one_of("Gateway", "Interface", "GatewayLoadBalancer", "Resource", "ServiceNetwork"), EC2_API
            ),
            Limit("subnetIds[]", id_of("subnet"), EC2_IDS),
            Limit("securityGroupIds[]", id_of("sg"), EC2_IDS),
            Limit("routeTableIds[]", id_of("rtb"), EC2_IDS),
            Limit("", Check("a gateway to S3 or DynamoDB, interfaces to the others", _gateway), EC2_API),
            Limit("", Check("a service of the region", _service_region), EC2_API),
            Limit("", Check("route tables for a gateway; subnets and security groups for interfaces", _is_endpoint), EC2_API),
            *tags(),
        ),
        frozenset(
            {"resourceConfigurationArn", "serviceName", "serviceNetworkArn", "serviceRegion", "vpcEndpointType", "vpcId"}
        ),
        id="vpce-{name}",
        computed={"arn": _arn("vpc-endpoint"), "state": "available"},
    ),
    Row(
        "aws:ec2/capacityReservation:CapacityReservation",
        (
            Limit("instanceType", Check("an instance type of EC2's", lambda name: name in embedded.all_machines()), EC2_API),
            Limit("instanceCount", between(1, 1_000), EC2_API),
            Limit("instanceMatchCriteria", one_of("open", "targeted"), EC2_API),
            Limit("endDateType", one_of("limited", "unlimited"), EC2_API),
            Limit("", Check("an end for a limited reservation alone", _ends), EC2_API),
            Limit("endDate", matches(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "a time in UTC"), EC2_API),
            Limit("availabilityZone", matches(r"[a-z]{2,4}(-[a-z]+)+-\d+[a-z]", "a zone"), EC2_API),
            *tags(),
        ),
        frozenset({"availabilityZone", "instanceMatchCriteria", "instancePlatform", "instanceType", "tenancy"}),
        id="cr-{name}",
        computed={"arn": _arn("capacity-reservation"), "ownerId": ACCOUNT},
    ),
    Row(
        "aws:ec2/launchTemplate:LaunchTemplate",
        (
            Limit("name", matches(r"[\w()./-]+", "letters, digits and ( ) . / _ -", 128, shortest=3), EC2_API),
            Limit("metadataOptions.httpTokens", one_of("required", "optional"), EC2_API),
            Limit("metadataOptions.httpEndpoint", one_of("enabled", "disabled"), EC2_API),
            Limit("metadataOptions.httpPutResponseHopLimit", between(1, 64), EC2_API),
            Limit("metadataOptions.instanceMetadataTags", one_of("enabled", "disabled"), EC2_API),
            Limit("blockDeviceMappings[].ebs.volumeType", one_of("gp2", "gp3", "io1", "io2", "st1", "sc1", "standard"), EBS),
            Limit("blockDeviceMappings[].ebs.volumeSize", between(1, 65_536), EBS),
            Limit("blockDeviceMappings[].ebs.encrypted", one_of("true", "false"), EC2_API),
            Limit("blockDeviceMappings[].ebs", Check("iops and throughput that the type of volume has", _speed), EBS),
            Limit("blockDeviceMappings[].ebs", Check("a key for encrypted volumes alone", _encrypted), EC2_API),
            Limit("blockDeviceMappings", unlike("deviceName", "a device"), EC2_API),
            Limit("userData", encoded(16_384), USER_DATA),
            Limit("tagSpecifications", unlike("resourceType", "a type of resource"), EC2_API),
            Limit(
                "tagSpecifications[].resourceType",
                one_of("instance", "volume", "network-interface", "spot-instances-request"),
                EC2_API,
            ),
            *tags("tagSpecifications[].tags"),
            *tags(),
        ),
        frozenset({"name", "namePrefix"}),
        id="lt-{name}",
        computed={"arn": _arn("launch-template"), "latestVersion": 1, "defaultVersion": 1},
        autonamed=("name", 128),
        moves=frozenset({"latestVersion", "defaultVersion"}),
    ),
    Row(
        "aws:ec2/tag:Tag",
        (
            Limit("resourceId", matches(r"[a-z]+-[0-9A-Za-z_.-]+", "the id of a resource, not an ARN"), EC2_IDS),
            Limit("key", matches(r"(?!aws:)[\w .:/=+\-@]+", "a key that does not begin with aws:", 128), TAGS),
            Limit("value", text(256), TAGS),
        ),
        frozenset({"resourceId", "key"}),
        id="{resourceId},{key}",
    ),
)
