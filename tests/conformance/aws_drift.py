"""Why a node is no longer what its EC2NodeClass asks for, as the recorded answers on drift have it (spec: api-objects 9.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutlist.core.errors import CutlistError
from cutlist.core.labels import INSTANCE_TYPE
from cutlist.disruption.drift_reason import Drift
from cutlist.providers.aws.labels import PLACEMENT_GROUP
from cutlist.providers.aws.launch.images import images_of
from cutlist.providers.aws.node_class_hash import HASH, HASH_VERSION
from cutlist.providers.aws.observed import PlacementGroup, selected_group
from cutlist.providers.instance_types import InstanceType

if TYPE_CHECKING:
    from cutlist import EC2NodeClass


class DriftUnknownError(CutlistError):
    """Karpenter cannot tell, and tries again later."""


@dataclass(frozen=True, slots=True)
class ClaimState:
    """What a NodeClaim says of its node. `image_id` is the image of its status."""

    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    image_id: str


@dataclass(frozen=True, slots=True)
class Instance:
    """The instance as EC2 has it. `reservation_id` is empty for one that runs in no capacity reservation."""

    subnet_id: str
    security_group_ids: frozenset[str]
    reservation_id: str = ""


def drift(
    node_class: EC2NodeClass,
    claim: ClaimState,
    instance: Instance,
    types: Iterable[InstanceType],
    groups: Iterable[PlacementGroup] = (),
) -> Drift | None:
    """Return the first reason to replace the node; None when it is what the class asks for. `types` are those of the class.

    Reservations are compared as given: leave `reservation_id` empty where the gate ReservedCapacity is off. Raises
    DriftUnknownError where what is needed for an answer is missing.
    """
    if _hash_differs(node_class.annotations, claim.annotations):
        return Drift.NODE_CLASS
    if _starts_from_another_image(node_class, claim, types):
        return Drift.AMI
    wanted = {group.id for group in node_class.security_groups}
    if not wanted:
        raise DriftUnknownError("no security groups are present in the status of the NodeClass")
    if wanted != instance.security_group_ids:
        return Drift.SECURITY_GROUP
    if instance.subnet_id not in {subnet.id for subnet in node_class.subnets}:
        return Drift.SUBNET
    if instance.reservation_id and instance.reservation_id not in {r.id for r in node_class.capacity_reservations}:
        return Drift.CAPACITY_RESERVATION
    group = selected_group(node_class, groups)
    if claim.labels.get(PLACEMENT_GROUP, "") != (group.group_id if group else ""):
        return Drift.PLACEMENT_GROUP
    return None


def _hash_differs(of_class: Mapping[str, str], of_claim: Mapping[str, str]) -> bool:
    """Hashes are compared only where both objects carry one of the same version."""
    if any(key not in annotations for key in (HASH, HASH_VERSION) for annotations in (of_class, of_claim)):
        return False
    return of_class[HASH_VERSION] == of_claim[HASH_VERSION] and of_class[HASH] != of_claim[HASH]


def _starts_from_another_image(node_class: EC2NodeClass, claim: ClaimState, types: Iterable[InstanceType]) -> bool:
    """Tell whether a node of this type would start from another image today: the first that fits counts."""
    if not node_class.subnets:
        raise DriftUnknownError("no subnets are present in the status of the NodeClass")
    name = claim.labels.get(INSTANCE_TYPE, "")
    machine = next((t for t in types if t.name == name), None)
    if machine is None:
        raise DriftUnknownError(f"instance type {name} of the node is none of the NodeClass")
    if not node_class.amis:
        raise DriftUnknownError("no images are present in the status of the NodeClass")
    if not claim.image_id:
        raise DriftUnknownError("the NodeClaim does not say which image its node started from")
    image = next((i for i in images_of(node_class) if machine.requirements.compatible(i.requirements)), None)
    return image is None or image.id != claim.image_id
