"""The NodeClaim after its launch: what labels and amounts the node is said to have (spec: AWS 5.9, 5.10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cutlist.core.labels import AWS_GROUP, CAPACITY_TYPE, NODEPOOL, RESERVED, ZONE, ZONE_ID
from cutlist.providers.aws.capacity import EFA
from cutlist.providers.aws.labels import (
    PLACEMENT_GROUP,
    PLACEMENT_PARTITION,
    RESERVATION_ID,
    RESERVATION_INTERRUPTIBLE,
    RESERVATION_LABELS,
    RESERVATION_TYPE,
)
from cutlist.providers.aws.launch.choice import TENANCY
from cutlist.providers.aws.launch.claim import Claim, ClaimRequirements
from cutlist.providers.aws.launch.fleet import FleetRequest
from cutlist.providers.aws.launch.templates import LaunchTemplate, Override
from cutlist.providers.instance_types import InstanceType
from cutlist.providers.label_terms import flag

if TYPE_CHECKING:
    from cutlist import EC2NodeClass

ANNOTATIONS: Final = tuple(
    f"{AWS_GROUP}/{name}" for name in ("ec2nodeclass-hash", "ec2nodeclass-hash-version", "instance-profile-name")
)
"""The annotations that a launch puts on the claim."""


@dataclass(frozen=True, slots=True)
class LaunchedNode:
    """What the claim says once an instance of a pool runs. Amounts in nano-units, without those of zero."""

    instance_type: str
    zone: str
    image_id: str
    labels: Mapping[str, str]
    capacity: Mapping[str, int]
    allocatable: Mapping[str, int]


def launched_node(claim: Claim, node_class: EC2NodeClass, request: FleetRequest, pool: Override) -> LaunchedNode:
    """Return the claim after EC2 took `pool`, which is one of the request's."""
    found = next(r.type for r in request.types if r.type.name == pool.instance_type)
    template = next(t for t in request.templates if pool in t.overrides)
    shows_efa = EFA in request.requested or bool(node_class.network_interfaces)
    return LaunchedNode(
        instance_type=found.name,
        zone=pool.zone,
        image_id=pool.image_id,
        labels=_labels(claim, node_class, request, found, pool, template),
        capacity=_shown(found.capacity, found, shows_efa),
        allocatable=_shown(found.allocatable(), found, shows_efa),
    )


def _labels(
    claim: Claim,
    node_class: EC2NodeClass,
    request: FleetRequest,
    found: InstanceType,
    pool: Override,
    template: LaunchTemplate,
) -> dict[str, str]:
    labels = {key: value for key, value in found.requirements.single_values().items() if key not in RESERVATION_LABELS}
    labels[ZONE] = pool.zone
    zone_id = next((s.zone_id for s in node_class.status.subnets if s.zone == pool.zone), "")
    if zone_id:
        labels[ZONE_ID] = zone_id
    labels[CAPACITY_TYPE] = request.capacity_type
    labels[TENANCY] = request.tenancy
    labels[NODEPOOL] = request.tags[NODEPOOL]
    return labels | _of_reservation(request, template) | _of_group(claim, request)


def _of_reservation(request: FleetRequest, template: LaunchTemplate) -> dict[str, str]:
    reservation = template.reservation
    if request.capacity_type != RESERVED or reservation is None:
        return {}
    return {
        RESERVATION_ID: reservation.id,
        RESERVATION_TYPE: reservation.type,
        RESERVATION_INTERRUPTIBLE: flag(reservation.interruptible),
    }


def _of_group(claim: Claim, request: FleetRequest) -> dict[str, str]:
    """Return the group; its partition is empty unless the claim names some, of which Karpenter takes any and this the
    smallest."""
    group = request.placement_group
    if group is None:
        return {}
    if group.strategy != "partition":
        return {PLACEMENT_GROUP: group.group_id}
    named = ClaimRequirements.of(claim).requirements.get_or_any(PLACEMENT_PARTITION).values
    return {PLACEMENT_GROUP: group.group_id, PLACEMENT_PARTITION: min(named, default="")}


def _shown(amounts: Mapping[str, int], found: InstanceType, shows_efa: bool) -> dict[str, int]:
    has_efa = shows_efa and found.capacity.get(EFA, 0) > 0
    return {name: amount for name, amount in amounts.items() if amount and (name != EFA or has_efa)}
