"""A launch: from a NodeClaim to its fleet request, or to a refusal with its reason (spec: AWS 5.1 to 5.6, 6.1, 6.3)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cutlist.core.annotations import MIN_VALUES_RELAXED, PRICE_OVERLAID, REQUESTED_DRIVERS
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import AWS_GROUP, NODEPOOL
from cutlist.core.requirement import integer
from cutlist.infrastructure.names import EKS_CLUSTER_TAG
from cutlist.providers.aws.capacity import EFA
from cutlist.providers.aws.expressions import Reserved
from cutlist.providers.aws.labels import PLACEMENT_PARTITION
from cutlist.providers.aws.launch.choice import capacity_type, chosen_subnets, tenancy
from cutlist.providers.aws.launch.claim import Claim, ClaimRequirements, Refusal
from cutlist.providers.aws.launch.filters import FilteredTypes, RemainingType, launch_filters, removed
from cutlist.providers.aws.launch.fleet import FleetRequest
from cutlist.providers.aws.launch.images import Image, by_image, images_of, is_resolved
from cutlist.providers.aws.launch.templates import LaunchTemplate, launch_templates
from cutlist.providers.aws.observed import NOTHING_OBSERVED, Observed, PlacementGroup, selected_group
from cutlist.providers.instance_types import InstanceType

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass

NODE_CLASS: Final = f"{AWS_GROUP}/ec2nodeclass"
_KEPT_FOR_KARPENTER: Final = frozenset((NODEPOOL, EKS_CLUSTER_TAG, NODE_CLASS, "karpenter.sh/nodeclaim"))
_OWNED_BY_CLUSTER: Final = re.compile(r"kubernetes\.io/cluster/[0-9A-Za-z][A-Za-z0-9\-_]*", re.ASCII)


def refused_tags(tags: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys of tags that a launch refuses; the API server refuses a few more (A-71)."""
    return tuple(sorted(k for k in tags if k in _KEPT_FOR_KARPENTER or _OWNED_BY_CLUSTER.fullmatch(k)))


def launch_tags(node_class: EC2NodeClass, node_pool: str, cluster: str) -> dict[str, str]:
    """Return the NodeClass' tags overlaid by the tags by which Karpenter recognises its own instances."""
    return {
        **node_class.tags,
        f"kubernetes.io/cluster/{cluster}": "owned",
        NODEPOOL: node_pool,
        EKS_CLUSTER_TAG: cluster,
        NODE_CLASS: node_class.name,
    }


@dataclass(frozen=True, slots=True)
class LaunchSettings:
    """The cluster's name and network, and the controller's switches with their defaults of v1.14.

    `service_cidr` and `dns_ip` are the cluster's service network and the address of its DNS, empty when unknown.
    `strict_min_values` is the MinValuesPolicy; `reserved_capacity` the feature gate of that name.
    """

    cluster_name: str = ""
    service_cidr: str = ""
    dns_ip: str = ""
    strict_min_values: bool = True
    reserved_capacity: bool = True

    @property
    def is_ipv6(self) -> bool:
        """Tell whether pods of the cluster have IPv6 addresses, which Karpenter concludes from the address of the DNS
        service."""
        try:
            return ipaddress.ip_address(self.dns_ip).version == 6
        except ValueError:
            return False


_MAX_INT32: Final = 2**31 - 1
_EFA_DRIVER: Final = "dra.net"
_NOTHING_RESERVED: Final[Mapping[str, Reserved]] = MappingProxyType({})
_UNKNOWN: Final[Mapping[str, int]] = MappingProxyType({})


def launch(
    claim: Claim,
    node_class: EC2NodeClass,
    types: Iterable[InstanceType],
    settings: LaunchSettings,
    *,
    observed: Observed = NOTHING_OBSERVED,
    free_addresses: Mapping[str, int] = _UNKNOWN,
    zones: Sequence[str] = (),
    expected: Sequence[Image] = (),
    reserved: Mapping[str, Reserved] = _NOTHING_RESERVED,
) -> FleetRequest | Refusal:
    """Return the request that is sent for a claim, or why none is sent.

    `types` are those of the NodeClass; `free_addresses` are counts by subnet id. `zones` replace missing subnets in the
    NodeClass' status: one is then assumed in each zone. `expected` images replace those of a status that reports only subnets.
    `reserved` are the reserved amounts of nodes by type, see `reserved_by_type`.
    """
    subnets = chosen_subnets(node_class.status.subnets, free_addresses) or {zone: f"subnet in {zone}" for zone in zones}
    refusal = _unready(node_class) or _no_subnets(subnets)
    if refusal is not None:
        return refusal
    wanted = ClaimRequirements.of(claim)
    strict = settings.strict_min_values
    filtered = launch_filters(types, wanted, claim.requests, node_class.karpenter, strict_min_values=strict)
    if filtered.refusal is not None:
        return filtered.refusal
    images = tuple(expected) or images_of(node_class)
    started = by_image(filtered.remaining, images)
    no_groups = None if expected else _no_groups(node_class)
    refusal = no_groups or _not_started(started, images) or _no_network(node_class, settings)
    if refusal is not None:
        return refusal
    sold_as = capacity_type(filtered.remaining, wanted)
    requested = _requested(claim, node_class)
    templates = launch_templates(started, wanted, sold_as, subnets, with_efa=EFA in requested, reserved=reserved)
    if not templates:
        return Refusal.create("no capacity offerings are currently available given the constraints")
    group = selected_group(node_class, observed.placement_groups)
    return FleetRequest(
        capacity_type=sold_as,
        tenancy=tenancy(wanted),
        templates=templates,
        types=filtered.remaining,
        tags=launch_tags(node_class, claim.labels.get(NODEPOOL, ""), settings.cluster_name),
        requested=requested,
        by_priority=PRICE_OVERLAID in claim.annotations,
        context="" if claim.annotations.get(MIN_VALUES_RELAXED) == "true" else node_class.context or "",
        placement_group=group,
        partition=_partition(wanted, group),
        dropped=_dropped(filtered, started, templates),
    )


def _requested(claim: Claim, node_class: EC2NodeClass) -> frozenset[str]:
    """Return the resources that a claim requests, including EFA if it names the driver that provides it (VA15-91)."""
    requested = frozenset(claim.requests)
    if not node_class.karpenter.does(Behaviour.REQUESTED_DRIVERS_ASK_FOR_EFA):
        return requested
    drivers = (driver.strip() for driver in claim.annotations.get(REQUESTED_DRIVERS, "").split(","))
    return requested | {EFA} if _EFA_DRIVER in drivers else requested


def _dropped(
    filtered: FilteredTypes, started: Mapping[str, Sequence[RemainingType]], templates: Iterable[LaunchTemplate]
) -> dict[str, tuple[str, ...]]:
    """Return the types that the filters dropped, then those that start from no image, then those not sold in the requested
    capacity type."""
    with_image = [r for types in started.values() for r in types]
    asked_for = {o.instance_type for t in templates for o in t.overrides}
    by_reason = {
        **filtered.dropped,
        "image": removed(filtered.remaining, with_image),
        "capacity type": tuple(r.type.name for r in with_image if r.type.name not in asked_for),
    }
    return {what: names for what, names in by_reason.items() if names}


def _unready(node_class: EC2NodeClass) -> Refusal | None:
    """Return why the NodeClass cannot be used. A class that no cluster has resolved counts as ready."""
    ready = next((c for c in node_class.conditions if c.type == "Ready"), None)
    if ready is not None:
        if ready.status == "False":
            return Refusal.not_ready(ready.message)
        if ready.status != "True":
            return Refusal.create(f"nodeclass is in Ready=Unknown, {ready.message}", "NodeClassReadinessUnknown")
        generation = node_class.manifest().get("metadata", {}).get("generation", 0)
        if (ready.observed_generation or 0) != generation:
            return Refusal.not_ready("nodeclass status has not been reconciled against the latest spec")
    refused = refused_tags(node_class.tags)
    if refused:
        named = ", ".join(f'"{key}"' for key in refused)
        return Refusal.not_ready(f"tags failed validation requirements (tags={named})")
    return None


def _no_subnets(subnets: Mapping[str, str]) -> Refusal | None:
    if subnets:
        return None
    return Refusal.create("no subnets are present in the status of the NodeClass", "InstanceTypeResolutionFailed")


def _no_groups(node_class: EC2NodeClass) -> Refusal | None:
    """Return the refusal of a resolved class without security groups, for which nothing is launched; None for others."""
    if not is_resolved(node_class) or node_class.status.security_groups:
        return None
    return Refusal.create("no security groups are present in the status of the NodeClass")


def _not_started(started: Mapping[str, Sequence[RemainingType]], images: Sequence[Image]) -> Refusal | None:
    """Return why no image starts any remaining type."""
    if started:
        return None
    named = " ".join(dict.fromkeys(image.id for image in images))
    text = f"no instance types satisfy requirements of amis [{named}]" if images else "no amis exist given constraints"
    return Refusal.create(text)


def _no_network(node_class: EC2NodeClass, settings: LaunchSettings) -> Refusal | None:
    """Return the refusal of a resolved AL2023 class if the cluster's service network, which its nodes need, is unknown; None
    for others."""
    if not is_resolved(node_class) or node_class.resolved_ami_family != "AL2023" or settings.service_cidr:
        return None
    return Refusal.not_ready("nodes of family AL2023 need the cluster's service network, which is unknown")


def _partition(wanted: ClaimRequirements, group: PlacementGroup | None) -> int:
    """Return the requested partition: of those that the claim names, the first in text order; 0 for none.

    Excluded partitions count as named: Karpenter treats the values of NotIn like those of In.
    """
    if group is None or group.strategy != "partition":
        return 0
    smallest = min(wanted.requirements.get_or_any(PLACEMENT_PARTITION).values, default="")
    number = integer(smallest) or 0
    return number if abs(number) <= _MAX_INT32 else 0
