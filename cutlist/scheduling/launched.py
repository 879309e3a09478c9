"""What a claim becomes once it is launched: one of the outcomes that Karpenter leaves to the cloud.

It is the cheapest type in the first zone that sells it at that price.
"""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.labels import HOSTNAME, LabelRegistry
from cutlist.core.quantity import merge, subtract
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim
from cutlist.state.scheduling_node import SchedulingNode


def launched(
    name: str, claim: PlacedClaim, taints: tuple[Taint, ...], batches: Sequence[PodBatch], registry: LabelRegistry
) -> SchedulingNode:
    """Return the node that a claim becomes, with its pods on it. The pass reserves room for daemons, as on any node."""
    cheapest = claim.candidates.types[0]
    offering = cheapest_offering(cheapest, claim.requirements, registry)
    labels = {**cheapest.requirements.single_values(), **claim.requirements.single_values()}
    labels |= {**offering.requirements.single_values(), HOSTNAME: name}
    pods = merge(*(requests_of(batches[b], count) for b, count in claim.pods.items()))
    return SchedulingNode(
        name=name,
        node=name,
        labels=labels,
        taints=taints,
        own_labels=labels,
        own_taints=taints,
        capacity=cheapest.capacity,
        available=subtract(cheapest.allocatable(offering), pods),
        ports=frozenset(port for b in claim.pods for port in batches[b].pod.host_ports),
    )


def cheapest_offering(t: InstanceType, wanted: Requirements, registry: LabelRegistry) -> Offering:
    """Return the cheapest available offering of a type under requirements; among equals the first by rank, then by zone."""
    usable = [o for o in t.offerings if o.available and wanted.compatible(o.requirements, registry.well_known)]
    unknown = float("inf")
    return min(usable, key=lambda o: (unknown if o.price is None else o.price, o.rank, o.zone))


def requests_of(batch: PodBatch, count: int) -> dict[str, int]:
    """Return the requests of a number of pods of a batch, in nano-units."""
    return {r: amount * count for r, amount in batch.pod.requests.items()}
