"""What an account would refuse of resources that name each other: roles by whom they trust, subnets and groups by their VPC."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Any, Final

from cutlist.infrastructure.add_on_versions import offered
from tests.account.laws import Law, Resources, of_type
from tests.account.rows import values_at
from tests.account.sources import EC2_API, EKS_ADD_ONS, EKS_API, EKS_GUIDE
from tests.account.values import UNKNOWN

_CLUSTER: Final = "aws:eks/cluster:Cluster"
_ENDPOINT: Final = "aws:ec2/vpcEndpoint:VpcEndpoint"
_FARGATE: Final = "aws:eks/fargateProfile:FargateProfile"
_POD_ACTIONS: Final = frozenset({"sts:AssumeRole", "sts:TagSession"})
_ASSUME: Final = frozenset({"sts:AssumeRole"})
_USES: Final = (
    (_CLUSTER, "roleArn", "eks.amazonaws.com", _ASSUME),
    (_CLUSTER, "computeConfig.nodeRoleArn", "ec2.amazonaws.com", _ASSUME),
    ("aws:eks/nodeGroup:NodeGroup", "nodeRoleArn", "ec2.amazonaws.com", _ASSUME),
    (_FARGATE, "podExecutionRoleArn", "eks-fargate-pods.amazonaws.com", _ASSUME),
    ("aws:eks/podIdentityAssociation:PodIdentityAssociation", "roleArn", "pods.eks.amazonaws.com", _POD_ACTIONS),
    ("aws:eks/addon:Addon", "podIdentityAssociations[].roleArn", "pods.eks.amazonaws.com", _POD_ACTIONS),
)
"""Which role has to trust which service, and for which actions."""
_SUBNETS: Final = {
    _CLUSTER: ("vpcConfig.subnetIds[]", "vpcConfig.securityGroupIds[]"),
    "aws:eks/nodeGroup:NodeGroup": ("subnetIds[]",),
    _FARGATE: ("subnetIds[]",),
    _ENDPOINT: ("vpcId", "subnetIds[]", "securityGroupIds[]", "routeTableIds[]"),
    "aws:ec2/routeTableAssociation:RouteTableAssociation": ("subnetId", "routeTableId"),
    "aws:ec2/route:Route": ("routeTableId", "gatewayId"),
}
"""What has to be in one VPC."""
_IN_A_VPC: Final = {
    "aws:ec2/subnet:Subnet": "subnet",
    "aws:ec2/securityGroup:SecurityGroup": "sg",
    "aws:ec2/routeTable:RouteTable": "rtb",
    "aws:ec2/internetGateway:InternetGateway": "igw",
}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _trusts(document: str, service: str, actions: frozenset[str]) -> bool:
    """Tell whether a role can be taken on by a service, for each of these actions."""
    granted: set[str] = set()
    for statement in _listed(json.loads(document)["Statement"]):
        principal = statement.get("Principal")
        services = _listed(principal.get("Service", [])) if isinstance(principal, Mapping) else []
        if statement["Effect"] == "Allow" and service in {name.removesuffix(".cn") for name in services}:
            granted.update(_listed(statement["Action"]))
    return actions <= granted


def _trust(resources: Resources) -> Iterator[str]:
    roles: dict[str, str] = {}
    for name, inputs in of_type(resources, "aws:iam/role:Role"):
        roles |= dict.fromkeys((name, str(inputs.get("name"))), inputs.get("assumeRolePolicy"))
    for type_, path, service, actions in _USES:
        for name, inputs in of_type(resources, type_):
            auto_mode = path == "roleArn" and type_ == _CLUSTER and (inputs.get("computeConfig") or {}).get("enabled") is True
            needed = _POD_ACTIONS if auto_mode else actions
            for at, arn in values_at(inputs, path):
                trust = roles.get(str(arn).rpartition("/")[2])
                if isinstance(trust, str) and not _trusts(trust, service, needed):
                    yield f"{name}: {at}: a role that {service} may not take on by {' and '.join(sorted(needed))}"


def _vpcs(resources: Resources) -> dict[str, Any]:
    """Return the VPC of each resource in one, by id; a VPC is in itself."""
    places = {f"vpc-{name}": f"vpc-{name}" for name, _ in of_type(resources, "aws:ec2/vpc:Vpc")}
    for type_, prefix in _IN_A_VPC.items():
        places |= {f"{prefix}-{name}": inputs.get("vpcId") for name, inputs in of_type(resources, type_)}
    return places


def _one_vpc(resources: Resources) -> Iterator[str]:
    places = _vpcs(resources)
    for type_, paths in _SUBNETS.items():
        for name, inputs in of_type(resources, type_):
            ids = [str(value) for path in paths for _, value in values_at(inputs, path)]
            vpcs = {places[id_] for id_ in ids if id_ in places} - {UNKNOWN, None}
            if len(vpcs) > 1:
                yield f"{name}: {', '.join(ids)} are in {' and '.join(sorted(map(str, vpcs)))}"


def _zones_of_endpoints(resources: Resources) -> Iterator[str]:
    zones = {f"subnet-{name}": inputs.get("availabilityZone") for name, inputs in of_type(resources, "aws:ec2/subnet:Subnet")}
    for name, inputs in of_type(resources, _ENDPOINT):
        in_zones = [zones[str(id_)] for _, id_ in values_at(inputs, "subnetIds[]") if str(id_) in zones]
        if len(set(in_zones)) < len(in_zones):
            yield f"{name}: two subnets of one zone"


def _names_of_endpoints(resources: Resources) -> Iterator[str]:
    vpcs = {f"vpc-{name}": inputs for name, inputs in of_type(resources, "aws:ec2/vpc:Vpc")}
    for name, inputs in of_type(resources, _ENDPOINT):
        vpc = vpcs.get(str(inputs.get("vpcId")))
        has_names = vpc is None or (vpc.get("enableDnsHostnames") is True and vpc.get("enableDnsSupport") is not False)
        if inputs.get("privateDnsEnabled") is True and not has_names:
            yield f"{name}: private names in a VPC without DNS host names and support"


def _private_subnets(resources: Resources) -> Iterator[str]:
    public = {
        inputs["routeTableId"]
        for _, inputs in of_type(resources, "aws:ec2/route:Route")
        if str(inputs.get("gatewayId")).startswith("igw-")
    }
    tables = {
        inputs.get("subnetId"): inputs.get("routeTableId")
        for _, inputs in of_type(resources, "aws:ec2/routeTableAssociation:RouteTableAssociation")
    }
    for name, inputs in of_type(resources, _FARGATE):
        for at, id_ in values_at(inputs, "subnetIds[]"):
            if tables.get(id_) in public - {UNKNOWN, None}:
                yield f"{name}: {at}: {id_} has a route to an internet gateway"


def _service_range(resources: Resources) -> Iterator[str]:
    blocks = [ip_network(inputs["cidrBlock"]) for _, inputs in of_type(resources, "aws:ec2/vpc:Vpc") if "cidrBlock" in inputs]
    for name, inputs in of_type(resources, _CLUSTER):
        for _, value in values_at(inputs, "kubernetesNetworkConfig.serviceIpv4Cidr"):
            if any(ip_network(value).overlaps(block) for block in blocks):
                yield f"{name}: services in {value}, which overlaps the VPC"


def _entries_with_policies(resources: Resources) -> Iterator[str]:
    kinds = {
        (inputs.get("clusterName"), inputs.get("principalArn")): inputs.get("type") or "STANDARD"
        for _, inputs in of_type(resources, "aws:eks/accessEntry:AccessEntry")
    }
    for name, inputs in of_type(resources, "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"):
        principal = (inputs.get("clusterName"), inputs.get("principalArn"))
        kind = kinds.get(principal, "STANDARD")
        if UNKNOWN not in principal and kind not in ("STANDARD", "EC2"):
            yield f"{name}: a policy for an entry of the type {kind}"


def _offered_add_ons(resources: Resources) -> Iterator[str]:
    versions = {name: inputs.get("version") for name, inputs in of_type(resources, _CLUSTER)}
    versions |= {inputs["name"]: inputs.get("version") for _, inputs in of_type(resources, _CLUSTER) if "name" in inputs}
    for name, inputs in of_type(resources, "aws:eks/addon:Addon"):
        kubernetes, version = versions.get(inputs.get("clusterName")), inputs.get("addonVersion")
        known = isinstance(kubernetes, str) and isinstance(version, str)
        if known and offered(str(inputs["addonName"]), str(version), str(kubernetes)):
            yield f"{name}: {inputs['addonName']} {version} for Kubernetes {kubernetes}"


RELATIONS: Final = (
    Law("roles that the service which uses them may take on", EKS_API, _trust),
    Law("subnets, groups, route tables and gateways of one VPC", EC2_API, _one_vpc),
    Law("endpoints in one subnet of each zone", EC2_API, _zones_of_endpoints),
    Law("private names of endpoints where the VPC has DNS host names and support", EC2_API, _names_of_endpoints),
    Law("Fargate in private subnets", EKS_GUIDE, _private_subnets),
    Law("services in addresses outside of the VPC", EKS_API, _service_range),
    Law("versions of CoreDNS and kube-proxy that EKS offers for the cluster's version", EKS_ADD_ONS, _offered_add_ons),
    Law("access policies for entries of the types STANDARD and EC2", EKS_GUIDE, _entries_with_policies),
)
