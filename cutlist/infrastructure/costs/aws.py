"""AWS's charges for the resources of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any, Final

from cutlist.catalog.ebs import BOTTLEROCKET_ROOT, DEFAULT_TYPE, Volume
from cutlist.catalog.prices import Price, sum_of_prices
from cutlist.core.labels import SPOT
from cutlist.infrastructure.costs.charges import (
    Charge,
    RequestedResource,
    Rule,
    by_use,
    machine_price,
    not_known,
    priced,
    service_price,
    used,
)
from cutlist.infrastructure.eks_support import CALENDAR, STANDARD, end_of_standard_support, is_extended

PRICES: Final = "aws.amazon.com/pricing"
_EKS: Final = "aws.amazon.com/eks/pricing"
_EC2: Final = "aws.amazon.com/ec2/pricing"
_VPC: Final = "aws.amazon.com/vpc/pricing"
_PRIVATE_LINK: Final = "aws.amazon.com/privatelink/pricing"
_TIERS: Final = ("tier-xl", "tier-2xl", "tier-4xl", "tier-8xl")
_MANAGED: Final = {
    "ACK": ("eks-capability-ack", "ACK", "resource that it manages"),
    "ARGOCD": ("eks-capability-argocd", "Argo CD", "Application"),
    "KRO": ("eks-capability-kro", "kro", "instance of a ResourceGraphDefinition"),
}
"""What a type of capability costs: the item of its base price, its name, and what costs on top."""
_BY_TRAFFIC: Final = "and by the traffic through it"
_LINUX_DISK: Final = 20  # GiB that EKS gives a node without a launch template
_WINDOWS_DISK: Final = 50
_listed: Final = partial(service_price, "aws")


def cluster_charges(resource: RequestedResource) -> Iterable[Charge]:
    """Yield the charges of a cluster of EKS."""
    if resource.of("outpostConfig") is not None:
        yield not_known("control plane on an Outpost", f"see {_EKS}")
        return
    version = resource.of("version")
    surcharge = None if resource.of("upgradePolicy", "supportType") == STANDARD else _listed(resource, "eks-extended-support")
    extended = isinstance(version, str) and is_extended(version, resource.day)
    note = "" if extended or surcharge is None else _extended_later(version, surcharge, resource.day)
    yield priced("control plane", _listed(resource, "eks-control-plane"), _EKS, note=note)
    if extended:
        yield priced(f"extended support of Kubernetes {version}", surcharge, _EKS)
    tier = resource.of("controlPlaneScalingConfig", "tier")
    if tier in _TIERS:
        yield priced(f"control plane of {tier}", _listed(resource, f"eks-{tier}"), _EKS)
    elif tier not in (None, "standard"):
        yield not_known("provisioned control plane", f"see {_EKS}")
    if resource.of("computeConfig", "enabled") is True:
        yield by_use("Auto Mode", "a fee for each node, which is in the price of planned nodes")


def _extended_later(version: Any, surcharge: Price, day: date | None) -> str:
    """Return the note on extended support: by default EKS keeps a version after its standard support, for a surcharge."""
    end = end_of_standard_support(version, day) if isinstance(version, str) else ""
    unknown = f"once standard support of its version has ended, on a day that EKS's calendar of {CALENDAR} does not have"
    when = f"after {end}, the end of standard support" if end else unknown
    return f"{surcharge.usd_per_hour:g} USD an hour more {when}"


def node_group_charges(resource: RequestedResource) -> Iterable[Charge]:
    """Yield the charges of a managed node group."""
    types, count = resource.of("instanceTypes"), resource.of("scalingConfig", "desiredSize")
    machine = types[0] if isinstance(types, list) and types and isinstance(types[0], str) else ""
    if not machine or not isinstance(count, int):
        yield not_known("node group", "its instance type or size is not known before an update")
        return
    what = f"node group of {machine}"
    if _starts_in_reservation(resource):
        yield by_use(what, "in a capacity reservation, which is paid for whether it is used or not")
    elif resource.of("capacityType") == "SPOT":
        yield priced(f"{what}, spot", machine_price(resource, machine, SPOT), "aws.amazon.com/ec2/spot/pricing", count)
    else:
        yield priced(what, machine_price(resource, machine), _EC2, count)
    yield _disks(resource, f"disks of a node of {machine}", count)


def _starts_in_reservation(resource: RequestedResource) -> bool:
    """Tell whether the launch template of a group names the reservation of its nodes."""
    return resource.referred.get("launchTemplate", {}).get("capacityReservationSpecification") is not None


def _reservation(resource: RequestedResource) -> Iterable[Charge]:
    machine, count = resource.of("instanceType"), resource.of("instanceCount")
    if not isinstance(machine, str) or not isinstance(count, int):
        yield not_known("capacity reservation", "its instance type or size is not known before an update")
    elif (platform := resource.of("instancePlatform")) != "Linux/UNIX":
        yield not_known(f"capacity reservation of {machine}", f"for {platform or 'an unknown platform'}: see {_EC2}")
    else:
        yield priced(f"capacity reservation of {machine}", machine_price(resource, machine), _EC2, count)


def _disks(resource: RequestedResource, what: str, count: int) -> Charge:
    """Return the charge for the disks of a group's nodes: those of its launch template, else the one that EKS makes."""
    ami_type = resource.of("amiType")
    volumes = _template_volumes(resource, ami_type) if resource.of("launchTemplate") is not None else _own_volume(resource)
    if volumes is None:
        return not_known(what, "by its image or launch template, whose sizes are not known before an update")
    price = sum_of_prices((volume.price(partial(_listed, resource)), 1) for volume, _ in volumes)
    assumed = sorted({assumption for _, assumption in volumes if assumption})
    if price is not None and assumed:
        price = replace(price, source=f"{price.source}, {', '.join(assumed)}", estimated=True)
    return priced(what, price, "aws.amazon.com/ebs/pricing", count)


_Volumes = list[tuple[Volume, str]]
"""Volumes, each with the assumption about it, which may be empty."""


def _template_volumes(resource: RequestedResource, ami_type: Any) -> _Volumes | None:
    mappings = resource.referred.get("launchTemplate", {}).get("blockDeviceMappings")
    volumes: _Volumes = []
    for mapping in mappings if isinstance(mappings, list) else ():
        ebs = mapping.get("ebs") if isinstance(mapping, Mapping) else None
        if not isinstance(ebs, Mapping):
            return None
        kind, size = ebs.get("volumeType", DEFAULT_TYPE), ebs.get("volumeSize")
        assumption = ""
        if size is None and isinstance(ami_type, str) and ami_type.startswith("BOTTLEROCKET"):
            size, assumption = BOTTLEROCKET_ROOT, f"the system's volume of Bottlerocket taken as {BOTTLEROCKET_ROOT} GiB"
        if not isinstance(kind, str) or not isinstance(size, int):
            return None
        volumes.append((Volume(kind, size, _whole(ebs.get("iops")), _whole(ebs.get("throughput"))), assumption))
    return volumes or None


def _own_volume(resource: RequestedResource) -> _Volumes | None:
    """Return the volume that EKS makes for a group without a launch template. Its size is documented, its type is not."""
    ami_type, size = resource.of("amiType"), resource.of("diskSize")
    if size is None:
        size = _WINDOWS_DISK if isinstance(ami_type, str) and ami_type.startswith("WINDOWS") else _LINUX_DISK
    if not isinstance(size, int):
        return None
    return [(Volume(DEFAULT_TYPE, size), f"taken as {DEFAULT_TYPE}, for EKS publishes no type")]


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _endpoint(resource: RequestedResource) -> Iterable[Charge]:
    kind, subnets = resource.of("vpcEndpointType"), resource.of("subnetIds")
    if kind in (None, "Gateway"):
        return ()
    if kind != "Interface" or not isinstance(subnets, list):
        return (not_known("VPC endpoint", f"by its kind and zones: see {_PRIVATE_LINK}"),)
    price = _listed(resource, "interface-endpoint")
    return (priced("interface endpoint in a zone", price, _PRIVATE_LINK, len(subnets), _BY_TRAFFIC),)


def _gateway(resource: RequestedResource) -> Iterable[Charge]:
    if resource.of("availabilityMode") not in (None, "zonal"):
        return (not_known("regional NAT gateway", f"by the zones it is in: see {_VPC}"),)
    return (priced("NAT gateway", _listed(resource, "nat-gateway"), _VPC, note=_BY_TRAFFIC),)


def _address(resource: RequestedResource) -> Iterable[Charge]:
    if any(resource.of(pool) is not None for pool in ("publicIpv4Pool", "ipamPoolId", "customerOwnedIpv4Pool")):
        return (not_known("public IPv4 address", f"of a pool: see {_VPC}"),)
    return (priced("public IPv4 address", _listed(resource, "public-ipv4-address"), _VPC),)


def _key(resource: RequestedResource) -> Iterable[Charge]:
    rotated = "more with its first two rotations" if resource.of("enableKeyRotation") is True else ""
    return (priced("KMS key", _listed(resource, "kms-key"), "aws.amazon.com/kms/pricing", note=rotated),)


def _load_balancer(resource: RequestedResource) -> Iterable[Charge]:
    look = "aws.amazon.com/elasticloadbalancing/pricing"
    kind = resource.of("loadBalancerType") or "application"
    if kind not in ("application", "network"):
        return (not_known("load balancer", f"see {look}"),)
    return (priced(f"{kind} load balancer", _listed(resource, f"{kind}-load-balancer"), look, note=_BY_TRAFFIC),)


def _capability(resource: RequestedResource) -> Iterable[Charge]:
    kind = resource.of("type")
    if kind not in _MANAGED:
        return (not_known("EKS capability", f"by its type: see {_EKS}"),)
    item, what, managed = _MANAGED[kind]
    return (priced(f"EKS capability {what}", _listed(resource, item), _EKS, note=f"and by the hour for each {managed}"),)


def _alarm(resource: RequestedResource) -> Iterable[Charge]:
    return (priced("alarm", _listed(resource, "metric-alarm"), "aws.amazon.com/cloudwatch/pricing"),)


RULES: Final[Mapping[str, Rule]] = {
    "aws:cloudwatch/logGroup:LogGroup": used("log group", "by what is written and kept"),
    "aws:cloudwatch/metricAlarm:MetricAlarm": _alarm,
    "aws:ec2/capacityReservation:CapacityReservation": _reservation,
    "aws:ec2/eip:Eip": _address,
    "aws:ec2/flowLog:FlowLog": used("flow log", "by traffic"),
    "aws:ec2/natGateway:NatGateway": _gateway,
    "aws:ec2/vpcEndpoint:VpcEndpoint": _endpoint,
    "aws:eks/capability:Capability": _capability,
    "aws:eks/cluster:Cluster": cluster_charges,
    "aws:eks/fargateProfile:FargateProfile": used("Fargate profile", "by the pods that run on it"),
    "aws:eks/nodeGroup:NodeGroup": node_group_charges,
    "aws:kms/key:Key": _key,
    "aws:lb/loadBalancer:LoadBalancer": _load_balancer,
    "aws:sqs/queue:Queue": used("queue", "by requests"),
}

FREE_MODULES: Final = ("aws:iam/",)
FREE: Final = frozenset(
    {
        "aws:arczonalshift/zonalAutoshiftConfiguration:ZonalAutoshiftConfiguration",
        "aws:cloudwatch/eventRule:EventRule",
        "aws:cloudwatch/eventTarget:EventTarget",
        "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup",
        "aws:ec2/internetGateway:InternetGateway",
        "aws:ec2/launchTemplate:LaunchTemplate",
        "aws:ec2/route:Route",
        "aws:ec2/routeTable:RouteTable",
        "aws:ec2/routeTableAssociation:RouteTableAssociation",
        "aws:ec2/securityGroup:SecurityGroup",
        "aws:ec2/securityGroupRule:SecurityGroupRule",
        "aws:ec2/subnet:Subnet",
        "aws:ec2/tag:Tag",
        "aws:ec2/vpc:Vpc",
        "aws:eks/accessEntry:AccessEntry",
        "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
        "aws:eks/addon:Addon",
        "aws:eks/podIdentityAssociation:PodIdentityAssociation",
        "aws:kms/alias:Alias",
        "aws:sqs/queuePolicy:QueuePolicy",
        "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
        "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    }
)
