"""What a claim becomes once it is launched: one of the outcomes that Karpenter leaves to the cloud.

Without a better prediction, it is the cheapest type in the first zone that sells it at that price.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cutlist.core.identity import SameObject
from cutlist.core.labels import HOSTNAME, INITIALIZED, REGISTERED, RESERVED, LabelRegistry
from cutlist.core.quantity import merge, subtract
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class Purchase:
    """The instance that is launched for a claim: its type, and the offering that it is bought by."""

    type: InstanceType
    offering: Offering


def cheapest_purchase(claim: PlacedClaim, registry: LabelRegistry) -> Purchase:
    """Return the cheapest type of a claim, bought by its cheapest offering."""
    cheapest = claim.candidates.types[0]
    return Purchase(cheapest, cheapest_offering(cheapest, claim.requirements, registry))


def launched(
    name: str,
    claim: PlacedClaim,
    taints: tuple[Taint, ...],
    batches: Sequence[PodBatch],
    registry: LabelRegistry,
    purchase: Purchase | None = None,
) -> SchedulingNode:
    """Return the node that a claim becomes, initialized and with its pods on it; its daemons do not run yet.

    Without a purchase it is the cheapest. Virtual pods take no room: they never run.
    """
    bought = purchase or cheapest_purchase(claim, registry)
    labels = labels_of_launched(name, claim.requirements, bought, registry)
    real = {b: count for b, count in claim.pods.items() if not batches[b].virtual}
    pods = merge(*(requests_of(batches[b], count) for b, count in real.items()))
    return SchedulingNode(
        name=name,
        node=name,
        labels=labels,
        taints=taints,
        own_labels=labels,
        own_taints=taints,
        capacity=bought.type.capacity,
        available=subtract(bought.type.allocatable(bought.offering), pods),
        ports=frozenset(port for b in real for port in batches[b].pod.host_ports),
    )


def labels_of_launched(name: str, claimed: Requirements, bought: Purchase, registry: LabelRegistry) -> dict[str, str]:
    """Return the labels of an initialized node: of custom labels that a claim leaves open it has one value (S-122)."""
    # Well-known labels come from the machine and the offering; any other label gets the value that the claim's set yields.
    custom = {key: value for key, r in claimed.items() if key not in registry.well_known and (value := r.any_value())}
    labels = {**bought.type.requirements.single_values(), **custom, **claimed.single_values()}
    # Later entries win: the offering knows the zone and the capacity type better than the claim.
    return {**labels, **bought.offering.requirements.single_values(), HOSTNAME: name, REGISTERED: "true", INITIALIZED: "true"}


def with_daemons(node: SchedulingNode, daemons: Sequence[Pod]) -> SchedulingNode:
    """Return a node once these daemons run on it."""
    if not daemons:
        return node
    requests = merge(*(d.requests for d in daemons))
    return replace(
        node,
        available=subtract(node.available, requests),
        daemon_requests=merge(node.daemon_requests, requests),
        ports=node.ports | {port for d in daemons for port in d.host_ports},
    )


def cheapest_offering(t: InstanceType, wanted: Requirements, registry: LabelRegistry) -> Offering:
    """Return the cheapest available offering of a type under requirements; among equals the first by rank, then by zone."""
    usable = [o for o in t.offerings if o.available and wanted.compatible(o.requirements, registry.well_known)]
    unknown = float("inf")
    return min(usable, key=lambda o: (unknown if o.price is None else o.price, o.rank, o.zone))


def requests_of(batch: PodBatch, count: int) -> dict[str, int]:
    """Return the requests of a number of pods of a batch, in nano-units."""
    return {r: amount * count for r, amount in batch.pod.requests.items()}


def without_reserved(
    types: Mapping[str, Sequence[InstanceType]], purchases: Iterable[tuple[Purchase, int]], registry: LabelRegistry
) -> Mapping[str, Sequence[InstanceType]]:
    """Return the types of each NodePool without the reservations that purchases used, each made so many times; shared lists
    stay shared."""
    used: Counter[str] = Counter()
    for purchase, count in purchases:
        if purchase.offering.capacity_type == RESERVED:
            used.update(dict.fromkeys(_reservations(purchase.offering, registry), count))
    if not used:
        return types
    # By identity: pools that shared a list go on sharing its index.
    lists = {SameObject(listed): listed for listed in types.values()}
    changed = {
        key: tuple(replace(t, offerings=tuple(_with_less(o, used, registry) for o in t.offerings)) for t in listed)
        for key, listed in lists.items()
    }
    return {name: changed[SameObject(listed)] for name, listed in types.items()}


def _with_less(offering: Offering, used: Mapping[str, int], registry: LabelRegistry) -> Offering:
    taken = sum(used.get(reservation, 0) for reservation in _reservations(offering, registry))
    if not taken:
        return offering
    left = max(0, offering.reservation_capacity - taken)
    return offering._replace(reservation_capacity=left, available=offering.available and left > 0)


def _reservations(offering: Offering, registry: LabelRegistry) -> Iterable[str]:
    """Return the ids of the reservations that an offering is bought from."""
    return offering.requirements.get_or_any(registry.reservation_id).values if registry.reservation_id else ()
