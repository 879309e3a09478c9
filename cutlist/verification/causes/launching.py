"""Causes in the launch of a node: missing capacity, the cloud's choice, equal prices, changed prices."""

from __future__ import annotations

from collections import Counter
from typing import Final

from cutlist.core.wording import hourly_apart
from cutlist.planning.model import CandidateType, PlannedNode
from cutlist.verification.causes.registry import Cause, cause
from cutlist.verification.deviations import LAUNCH, Aspect, Deviation
from cutlist.verification.live import LiveNode, LiveState
from cutlist.verification.matching import Slot
from cutlist.verification.situation import Situation

_NO_CAPACITY: Final = (
    "insufficient capacity",
    "InsufficientCapacity",
    "InsufficientInstanceCapacity",
    "MaxSpotInstanceCountExceeded",
    "VcpuLimitExceeded",
    "UnfulfillableCapacity",
    "Unsupported:",
    "InsufficientFreeAddressesInSubnet",
    "MaxFleetCountExceeded",
    "ReservationCapacityExceeded",
    "SpotMaxPriceTooLow",
    "requested instance types were unavailable",
    "SkuNotAvailable",
    "AllocationFailed",
    "ConstrainedAllocationRequest",
    "ConstrainedZonalAllocationRequest",
    "QuotaExceeded",
    "quota limit",
    "Cores quota",
)
"""Phrases of the clouds' messages and Karpenter's reasons for missing capacity or an exceeded quota, in any letter case (spec:
AWS 4.5, 5.6)."""
UNDER_WAY: Final = frozenset({"", "AwaitingReconciliation"})
"""Reasons of the condition Launched while a NodeClaim's launch has not ended."""
_MARGIN: Final = 60.0  # seconds after a claim's creation in which its launch is reported
_SAME: Final = 1e-9


@cause(
    "capacity-error",
    "No capacity, so another offering was launched",
    named_when="the log has a launch of the NodePool that failed for lack of capacity, or an offering of the planned node "
    "that was left out for it, before the node was created; or the NodeClaim's condition Launched says so",
    remedy="allow more instance types, zones or capacity types, or reserve capacity",
    explains=LAUNCH | {Aspect.MISSING, Aspect.STATE},
)
def capacity_error(deviation: Deviation, situation: Situation) -> str:
    """Return which offering of the planned node had no capacity, or which launch of its NodePool failed because of that."""
    slot, node = deviation.slot, deviation.node
    if node is not None and node.state is LiveState.NOT_LAUNCHED and _is_for_want_of_capacity(node.reason):
        return f"NodeClaim {node.claim} is not launched: {node.reason}"
    if slot is None or deviation.aspect is Aspect.STATE:
        return ""
    until = node.created + _MARGIN if node is not None else float("inf")
    for offering in situation.log.unavailable:
        if offering.at <= until and _was_planned(slot.node, offering.instance_type, offering.zone, offering.capacity_type):
            what = " ".join((offering.instance_type, offering.capacity_type, offering.zone))
            return f"{what} had no capacity ({offering.reason})" if offering.reason else f"{what} had no capacity"
    return _failed_launch(slot, situation, until, is_for_want_of_capacity=True)


def _failed_launch(slot: Slot, situation: Situation, until: float, *, is_for_want_of_capacity: bool) -> str:
    """Return as a sentence the first failed launch of a planned node's NodePool, for want of capacity or for other reasons."""
    for failed in situation.log.failed:
        is_of_pool = failed.node_pool == slot.node.node_pool and failed.at <= until
        if is_of_pool and failed.message and _is_for_want_of_capacity(failed.message) is is_for_want_of_capacity:
            return f"the launch of {failed.claim or 'a node'} failed: {failed.message}"
    return ""


def _is_for_want_of_capacity(message: str) -> bool:
    return any(text.lower() in message.lower() for text in _NO_CAPACITY)


def _was_planned(planned: PlannedNode, instance_type: str, zone: str, capacity_type: str) -> bool:
    """Tell whether an offering is one that a planned node would have had."""
    return (
        capacity_type == planned.capacity_type
        and instance_type == planned.instance_type
        and (not planned.zones or zone in planned.zones)
    )


@cause(
    "launch-failure",
    "A launch that failed for another reason than capacity",
    named_when="the log has a failed launch of the NodePool whose message names no lack of capacity, or a NodeClaim of it is "
    "not launched and its condition says why",
    remedy="read the message: permissions, the node class, quotas of the account; `cutlist nodes` explains unready node "
    "classes",
    explains=frozenset({Aspect.MISSING, Aspect.STATE}),
)
def launch_failure(deviation: Deviation, situation: Situation) -> str:
    """Return which launch failed, other than for want of capacity."""
    node, slot = deviation.node, deviation.slot
    if node is not None and node.state is LiveState.NOT_LAUNCHED and node.reason not in UNDER_WAY:
        return "" if _is_for_want_of_capacity(node.reason) else f"NodeClaim {node.claim} is not launched: {node.reason}"
    if slot is None or deviation.aspect is not Aspect.MISSING:
        return ""
    return _failed_launch(slot, situation, float("inf"), is_for_want_of_capacity=False)


@cause(
    "cloud-choice",
    "EC2 chose another of the candidates",
    named_when="the node is on AWS, and its type is one of those that the plan lists for it, at a higher price than the "
    "planned one; a plan names the cheapest, EC2 weighs capacity as well",
    remedy="nothing; narrow the NodePool's requirements where another type matters",
    explains=frozenset({Aspect.INSTANCE_TYPE}),
)
def cloud_choice(deviation: Deviation, _situation: Situation) -> str:
    """Return that the launched type is one of the planned candidates."""
    slot, node = deviation.slot, deviation.node
    if slot is None or node is None or not node.is_of_aws:
        return ""
    chosen, planned = _candidate(slot, node.instance_type), _candidate(slot, slot.node.instance_type)
    if chosen is None or _is_tie(chosen, planned) or (node.types and node.instance_type not in node.types):
        return ""
    number = len({candidate.instance_type for candidate in slot.node.candidates})
    return f"{node.instance_type} is one of the {number:,} types that EC2 may choose from"


@cause(
    "tie",
    "Karpenter's rules rank both alike",
    named_when="the type costs as much as the planned one, or the pods of the same workloads are spread over other zones in "
    "the same numbers; Karpenter chooses among equals at random",
    remedy="nothing; a plan shows one of several equal outcomes",
    explains=frozenset({Aspect.INSTANCE_TYPE, Aspect.ZONE}),
)
def tie(deviation: Deviation, situation: Situation) -> str:
    """Return what is equal: the prices, or the spread over zones of other names."""
    slot, node = deviation.slot, deviation.node
    if slot is None or node is None:
        return ""
    if deviation.aspect is Aspect.ZONE:
        return _same_spread(slot, node, situation)
    chosen, planned = _candidate(slot, node.instance_type), _candidate(slot, slot.node.instance_type)
    if chosen is None or not _is_tie(chosen, planned):
        return ""
    return f"{node.instance_type} costs as much as {slot.node.instance_type}"


def _candidate(slot: Slot, instance_type: str) -> CandidateType | None:
    return next((c for c in slot.node.candidates if c.instance_type == instance_type), None)


def _is_tie(candidate: CandidateType, other: CandidateType | None) -> bool:
    price, other_price = candidate.ranked_price, other.ranked_price if other is not None else None
    return price is not None and other_price is not None and abs(price - other_price) <= _SAME


def _same_spread(slot: Slot, node: LiveNode, situation: Situation) -> str:
    """Return the sentence that each workload of a node is spread over zones as planned, or an empty string if not."""
    allowed = {zone for planned, _ in situation.matching.pairs for zone in _zones(planned.node)}
    if node.zone not in allowed or not all(_is_spread_alike(workload, allowed, situation) for workload in slot.pods):
        return ""
    workloads = ", ".join(sorted(slot.pods)) or "the nodes"
    return f"{workloads}: the same numbers of pods in each zone, with zones swapped"


def _zones(planned: PlannedNode) -> set[str]:
    return {*planned.zones, *(zone for candidate in planned.candidates for zone in candidate.zones)}


def _is_spread_alike(workload: str, allowed: set[str], situation: Situation) -> bool:
    """Tell whether a workload's numbers of pods by zone are as planned, whichever of the allowed zones have them. A node that
    has not joined yet counts with its planned pods: in its zone, or in any if that is not known yet.
    """
    planned: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    anywhere = 0
    for slot, node in situation.matching.pairs:
        planned[slot.node.zone or next(iter(slot.node.zones), "")] += slot.pods.get(workload, 0)
        pods = node.pods if node.pods or node.state is LiveState.READY else slot.pods
        if node.zone:
            spread[node.zone] += pods.get(workload, 0)
        else:
            anywhere += pods.get(workload, 0)
    if spread.total() + anywhere != planned.total() or not {zone for zone, count in spread.items() if count} <= allowed:
        return False
    most, counts = (sorted((+by_zone).values(), reverse=True) for by_zone in (planned, spread))
    return len(counts) <= len(most) and all(count <= limit for count, limit in zip(counts, most, strict=False))


@cause(
    "price-changed",
    "A price that changed since the plan",
    named_when="by the prices of today's catalogue, the launched offering is at most as expensive as the planned one, "
    "which was cheaper in the plan",
    remedy="plan again with today's prices: `cutlist catalog update` reads them from your account",
    explains=frozenset({Aspect.INSTANCE_TYPE}),
)
def price_changed(deviation: Deviation, situation: Situation) -> str:
    """Return which of today's prices make the launched offering no more expensive than the planned one."""
    slot, node = deviation.slot, deviation.node
    if slot is None or node is None:
        return ""
    planned, before = slot.node, slot.node.price
    chosen = _candidate(slot, node.instance_type)
    now = situation.price_now(node.instance_type, node.capacity_type, node.zone)
    zone = planned.zone or next(iter(planned.zones), "")
    of_planned = situation.price_now(planned.instance_type, planned.capacity_type, zone)
    if before is None or chosen is None or chosen.price is None or now is None or of_planned is None:
        return ""
    if chosen.price.usd_per_hour <= before.usd_per_hour + _SAME or now > of_planned + _SAME:
        return ""
    then, others, today, chosen_today = hourly_apart(before.usd_per_hour, chosen.price.usd_per_hour, of_planned, now)
    was = f"{planned.instance_type} ${then} and {node.instance_type} ${others} per hour"
    return f"planned with {was}; now they are ${today} and ${chosen_today}"


CAUSES: Final[tuple[Cause, ...]] = (capacity_error, launch_failure, cloud_choice, tie, price_changed)
