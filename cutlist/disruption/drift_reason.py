"""Why a NodeClaim no longer matches its NodePool (spec: disruption 7.1 to 7.3; D-67 to D-71)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND, RESERVED, LabelRegistry
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType
from cutlist.state.statenode import NodeClaimState

YOUNG: Final = 3600  # seconds; the type of a claim up to this age is not checked
_HASH_KEYS: Final = (HASH, HASH_VERSION)
_RESERVED_OR_ON_DEMAND: Final = Requirement(CAPACITY_TYPE, False, frozenset((RESERVED, ON_DEMAND)))


class CoreDrift(StrEnum):
    """The reasons that all clouds share, in the order in which they are checked."""

    NODE_POOL = "NodePoolDrifted"
    REQUIREMENTS = "RequirementsDrifted"
    INSTANCE_TYPE_NOT_FOUND = "InstanceTypeNotFound"


class Drift(StrEnum):
    """What has changed in a node's class, in the order in which Karpenter checks it."""

    NODE_CLASS = "NodeClassDrift"
    AMI = "AMIDrift"
    SECURITY_GROUP = "SecurityGroupDrift"
    SUBNET = "SubnetDrift"
    CAPACITY_RESERVATION = "CapacityReservationDrift"
    PLACEMENT_GROUP = "PlacementGroupDrift"


def drift_reason(
    claim: NodeClaimState,
    pool: NodePool,
    types: Sequence[InstanceType],
    now: float,
    *,
    registry: LabelRegistry,
    provider_reason: str = "",
) -> str:
    """Return the first reason to replace the node, or an empty string if it matches the pool.

    `types` are those of the pool, `provider_reason` is the cloud's own, which counts last. Karpenter caches for half an hour
    that a type was offered; here it is always checked.
    """
    if hash_differs(pool.pool_annotations, claim.annotations):
        return CoreDrift.NODE_POOL
    if not meets_requirements(claim.labels, pool, registry):
        return CoreDrift.REQUIREMENTS
    if now - claim.created > YOUNG and not is_on_offer(claim.labels, types, registry):
        return CoreDrift.INSTANCE_TYPE_NOT_FOUND
    return provider_reason


def hash_differs(of_pool: Mapping[str, str], of_claim: Mapping[str, str]) -> bool:
    """Tell whether both annotations carry hashes of the same version that differ."""
    if any(key not in annotations for key in _HASH_KEYS for annotations in (of_pool, of_claim)):
        return False
    return of_pool[HASH_VERSION] == of_claim[HASH_VERSION] and of_pool[HASH] != of_claim[HASH]


def meets_requirements(labels: Mapping[str, str], pool: NodePool, registry: LabelRegistry) -> bool:
    """Tell whether a claim's labels satisfy the pool's requirements; minimum numbers of values do not matter."""
    wanted = Requirements.of_expressions(pool.requirements, registry)
    return Requirements.of_labels(labels, registry).compatible(wanted)


def is_on_offer(labels: Mapping[str, str], types: Sequence[InstanceType], registry: LabelRegistry) -> bool:
    """Tell whether the cloud still lists the claim's type with an offering like the claim's, available or not.

    A reserved claim may become an on-demand one when its reservation ends, so either is accepted.
    """
    named = labels.get(INSTANCE_TYPE, "")
    listed = next((t for t in types if t.name == named), None)
    if listed is None:
        return False
    wanted = Requirements.of_labels(labels, registry)
    if labels.get(CAPACITY_TYPE) == RESERVED:
        # The reservation's own id has to go as well, since no on-demand offering has it.
        wanted = wanted.replaced(_RESERVED_OR_ON_DEMAND)
        wanted = wanted.without(registry.reservation_id) if registry.reservation_id else wanted
    return any(wanted.compatible(o.requirements, registry.well_known) for o in listed.offerings)
