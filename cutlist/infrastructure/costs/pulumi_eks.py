"""AWS's charges for the clusters and node groups of pulumi_eks, whose components make their resources where only an engine sees
them. What the inputs leave out is its default (pulumi-eks 4: two nodes of t3.medium with 20 GiB)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.infrastructure.costs import aws
from cutlist.infrastructure.costs.charges import Charge, RequestedResource, Rule, by_use, not_known

_TYPE: Final = "t3.medium"
_NODES: Final = 2
_GIB: Final = 20
_GENERAL: Final = "us-east-1"
"""A region with the price of a control plane that most have."""
_OF_GROUP: Final = ("instanceType", "desiredCapacity", "nodeRootVolumeSize", "nodeRootVolumeType")


def _cluster(resource: RequestedResource) -> Iterable[Charge]:
    auto_mode = resource.of("autoMode", "enabled") is True
    inputs = {**resource.inputs, "computeConfig": {"enabled": auto_mode}}
    for charge in aws.cluster_charges(replace(resource, inputs=inputs, region=resource.region or _GENERAL)):
        note = "" if resource.region else "outside China and GovCloud, as no region is named"
        yield replace(charge, note="; ".join(filter(None, (charge.note, note))))
    if resource.of("enabledClusterLogTypes"):
        yield by_use("log group", "by what is written and kept")
    fargate = resource.of("fargate")
    if fargate is True or isinstance(fargate, Mapping):
        yield by_use("Fargate profile", "by the pods that run on it")
    skips = resource.of("skipDefaultNodeGroup")
    if skips is True or (skips is None and (auto_mode or fargate)):
        return
    options = resource.of("nodeGroupOptions")
    own = {key: resource.inputs[key] for key in _OF_GROUP if key in resource.inputs}
    yield from _group(replace(resource, inputs={**own, **options} if isinstance(options, Mapping) else own))


def _group(resource: RequestedResource) -> Iterable[Charge]:
    """Return the charges of a group that pulumi_eks makes of an Auto Scaling group."""
    kind, count = resource.of("instanceType") or _TYPE, resource.of("desiredCapacity")
    inputs: dict[str, Any] = {
        "instanceTypes": [kind],
        "scalingConfig": {"desiredSize": _NODES if count is None else count},
        "diskSize": resource.of("nodeRootVolumeSize") or _GIB,
        "capacityType": "SPOT" if resource.of("spotPrice") else "ON_DEMAND",
    }
    return aws.node_group_charges(replace(resource, inputs=inputs))


def _managed_group(resource: RequestedResource) -> Iterable[Charge]:
    scaling = resource.of("scalingConfig")
    if scaling is not None and not isinstance(scaling, Mapping):
        return (not_known("node group", "its size is not known before an update"),)
    size = {"desiredSize": _NODES, **(scaling or {})}
    inputs = {
        "diskSize": _GIB,
        **resource.inputs,
        "instanceTypes": resource.of("instanceTypes") or [_TYPE],
        "scalingConfig": size,
    }
    return aws.node_group_charges(replace(resource, inputs=inputs))


RULES: Final[Mapping[str, Rule]] = {
    "eks:index:Cluster": _cluster,
    "eks:index:ManagedNodeGroup": _managed_group,
    "eks:index:NodeGroup": _group,
    "eks:index:NodeGroupV2": _group,
}
FREE: Final = frozenset({"eks:index:Addon", "eks:index:ClusterCreationRoleProvider", "eks:index:NodeGroupSecurityGroup"})
