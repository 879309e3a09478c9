"""What an account would refuse of several resources together: quotas, names that are there twice, ranges that overlap.

Quotas are those that a new account has, most of which can be raised on request.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from itertools import combinations
from typing import Any, Final

from tests.account.documents import size
from tests.account.identity import INLINE_LIMIT
from tests.account.laws import Law, Resources, of_type
from tests.account.relations import RELATIONS
from tests.account.sources import (
    EC2_API,
    EKS_API,
    EKS_GUIDE,
    EKS_QUOTAS,
    EVENTS_QUOTAS,
    FEDERATION,
    IAM_QUOTAS,
    LOGS_API,
    PRIVATELINK,
    PULUMI_AWS,
    SQS_API,
    VPC_QUOTAS,
    VPC_SUBNETS,
    Source,
)
from tests.account.values import UNKNOWN


@dataclass(frozen=True, slots=True)
class Quota:
    """At most a number of resources of a type for each value of some inputs; without inputs in the whole stack.

    `resources` says what they are, after their number.
    """

    type: str
    by: tuple[str, ...]
    most: int
    source: Source
    resources: str

    @property
    def says(self) -> str:
        """The quota in words."""
        return f"{'one' if self.most == 1 else self.most} {self.resources}"


QUOTAS: Final = (
    Quota("aws:iam/rolePolicyAttachment:RolePolicyAttachment", ("role",), 10, IAM_QUOTAS, "managed policies on a role"),
    Quota("aws:iam/role:Role", ("name",), 1, IAM_QUOTAS, "role of a name, whatever the case of its letters"),
    Quota("aws:iam/instanceProfile:InstanceProfile", ("name",), 1, IAM_QUOTAS, "instance profile of a name"),
    Quota("aws:iam/policy:Policy", ("name",), 1, IAM_QUOTAS, "policy of a name"),
    Quota("aws:ec2/vpc:Vpc", (), 5, VPC_QUOTAS, "VPCs in a region"),
    Quota("aws:ec2/eip:Eip", (), 5, VPC_QUOTAS, "Elastic IP addresses in a region"),
    Quota("aws:ec2/subnet:Subnet", ("vpcId",), 200, VPC_QUOTAS, "subnets in a VPC"),
    Quota("aws:ec2/routeTable:RouteTable", ("vpcId",), 200, VPC_QUOTAS, "route tables in a VPC"),
    Quota("aws:ec2/route:Route", ("routeTableId",), 50, VPC_QUOTAS, "routes in a route table"),
    Quota("aws:ec2/route:Route", ("routeTableId", "destinationCidrBlock"), 1, EC2_API, "route to a block in a route table"),
    Quota("aws:ec2/routeTableAssociation:RouteTableAssociation", ("subnetId",), 1, EC2_API, "route table for a subnet"),
    Quota("aws:ec2/internetGateway:InternetGateway", ("vpcId",), 1, VPC_QUOTAS, "internet gateway for a VPC"),
    Quota("aws:ec2/vpcEndpoint:VpcEndpoint", ("vpcId",), 50, PRIVATELINK, "endpoints in a VPC"),
    Quota("aws:ec2/vpcEndpoint:VpcEndpoint", ("vpcId", "serviceName", "vpcEndpointType"), 1, EC2_API, "endpoint for a service"),
    Quota(
        "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
        ("securityGroupId",),
        60,
        VPC_QUOTAS,
        "rules into a group",
    ),
    Quota(
        "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
        ("securityGroupId",),
        60,
        VPC_QUOTAS,
        "rules out of a group",
    ),
    Quota("aws:ec2/securityGroup:SecurityGroup", ("vpcId", "name"), 1, EC2_API, "security group of a name in a VPC"),
    Quota("aws:ec2/tag:Tag", ("resourceId", "key"), 1, PULUMI_AWS, "resource for a tag"),
    Quota("aws:eks/addon:Addon", ("clusterName", "addonName"), 1, EKS_API, "add-on of a name in a cluster"),
    Quota("aws:eks/accessEntry:AccessEntry", ("clusterName", "principalArn"), 1, EKS_API, "access entry for a principal"),
    Quota("aws:eks/nodeGroup:NodeGroup", ("clusterName",), 30, EKS_QUOTAS, "managed node groups in a cluster"),
    Quota("aws:eks/fargateProfile:FargateProfile", ("clusterName",), 10, EKS_QUOTAS, "Fargate profiles in a cluster"),
    Quota(
        "aws:eks/podIdentityAssociation:PodIdentityAssociation",
        ("clusterName", "namespace", "serviceAccount"),
        1,
        EKS_GUIDE,
        "association for a service account",
    ),
    Quota("aws:sqs/queue:Queue", ("name",), 1, SQS_API, "queue of a name"),
    Quota("aws:sqs/queuePolicy:QueuePolicy", ("queueUrl",), 1, PULUMI_AWS, "policy for a queue"),
    Quota("aws:cloudwatch/eventRule:EventRule", ("name",), 1, EVENTS_QUOTAS, "rule of a name"),
    Quota("aws:cloudwatch/eventTarget:EventTarget", ("rule",), 5, EVENTS_QUOTAS, "targets of a rule"),
    Quota("aws:cloudwatch/logGroup:LogGroup", ("name",), 1, LOGS_API, "log group of a name"),
    Quota(
        "azure-native:managedidentity:FederatedIdentityCredential",
        ("resourceGroupName", "resourceName"),
        20,
        FEDERATION,
        "federated credentials of an identity",
    ),
)


def _inline_sizes(resources: Resources) -> Iterator[str]:
    sizes: Counter[str] = Counter()
    for _, inputs in of_type(resources, "aws:iam/rolePolicy:RolePolicy"):
        if UNKNOWN not in (inputs["role"], inputs["policy"]):
            sizes[inputs["role"]] += size(inputs["policy"])
    yield from (f"{role}: inline policies of {total} characters" for role, total in sizes.items() if total > INLINE_LIMIT)


def _subnets_inside(resources: Resources) -> Iterator[str]:
    blocks = [ip_network(inputs["cidrBlock"]) for _, inputs in of_type(resources, "aws:ec2/vpc:Vpc")]
    subnets = [(name, ip_network(inputs["cidrBlock"])) for name, inputs in of_type(resources, "aws:ec2/subnet:Subnet")]
    if len(blocks) != 1:  # which subnet is in which VPC is known after the update alone
        return
    yield from (f"{name}: {block} is outside of {blocks[0]}" for name, block in subnets if not block.subnet_of(blocks[0]))
    for (name, block), (other, next_to) in combinations(subnets, 2):
        if block.overlaps(next_to):
            yield f"{name}: {block} overlaps {next_to} of {other}"


def _zones_of_control_plane(resources: Resources) -> Iterator[str]:
    zones = {f"subnet-{name}": inputs["availabilityZone"] for name, inputs in of_type(resources, "aws:ec2/subnet:Subnet")}
    for name, inputs in of_type(resources, "aws:eks/cluster:Cluster"):
        config = inputs.get("vpcConfig")
        ids = config.get("subnetIds") if isinstance(config, Mapping) else UNKNOWN
        if isinstance(ids, list) and all(id_ in zones for id_ in ids) and len({zones[id_] for id_ in ids}) < 2:
            yield f"{name}: subnets of one zone"


def _tags_of_one_owner(resources: Resources) -> Iterator[str]:
    """A resource that has tags of its own and those of a tag resource loses the latter at the next update."""
    owned = {f"{prefix}-{name}" for type_, prefix in _TAGGED.items() for name, _ in of_type(resources, type_)}
    for name, inputs in of_type(resources, "aws:ec2/tag:Tag"):
        if inputs["resourceId"] in owned:
            yield f"{name}: a tag of {inputs['resourceId']}, which the stack makes with its tags"


_TAGGED: Final = {"aws:ec2/subnet:Subnet": "subnet", "aws:ec2/securityGroup:SecurityGroup": "sg", "aws:ec2/vpc:Vpc": "vpc"}


def _rules_once(resources: Resources) -> Iterator[str]:
    for kind in ("Ingress", "Egress"):
        rules = defaultdict(list)
        for name, inputs in of_type(resources, f"aws:vpc/securityGroup{kind}Rule:SecurityGroup{kind}Rule"):
            content = {key: value for key, value in inputs.items() if key not in ("description", "tags")}
            if UNKNOWN not in content.values():
                rules[repr(sorted(content.items()))].append(name)
        yield from (f"{', '.join(names)}: one rule" for names in rules.values() if len(names) > 1)


LAWS: Final = (
    Law(f"inline policies of a role of at most {INLINE_LIMIT:,} characters together", IAM_QUOTAS, _inline_sizes),
    Law("subnets inside of the block of their VPC, apart from each other", VPC_SUBNETS, _subnets_inside),
    Law("subnets of the control plane in two zones", EKS_GUIDE, _zones_of_control_plane),
    Law("no tag resource for what the stack makes with its tags", PULUMI_AWS, _tags_of_one_owner),
    Law("no two rules of a security group alike", EC2_API, _rules_once),
    *RELATIONS,
)


def refusals(resources: Resources) -> list[str]:
    """Return what an account would refuse of resources together, a line each."""
    of_quotas = (line for quota in QUOTAS for line in _over(quota, resources))
    of_laws = (f"{line} is not accepted: {law.says} ({law.source.name})" for law in LAWS for line in law.breaks(resources))
    return [*of_quotas, *of_laws]


def _over(quota: Quota, resources: Resources) -> Iterator[str]:
    groups: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for name, inputs in of_type(resources, quota.type):
        key = tuple(inputs.get(member) for member in quota.by)
        if UNKNOWN not in key and (not quota.by or any(value is not None for value in key)):
            groups[tuple(str(value).lower() for value in (*key, inputs.get("region")))].append(name)
    for names in groups.values():
        if len(names) > quota.most:
            yield f"{', '.join(sorted(names))}: {len(names)} is not accepted: {quota.says} ({quota.source.name})"
