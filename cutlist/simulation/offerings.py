"""What the cloud sells at the present instant: capacity that runs out, reservations that are in use, edited NodePools.

A launch asks for one instance of the types and zones of its NodeClaim, by one capacity type. What the cloud does not have,
Karpenter leaves out for three minutes; if nothing is left, the launch fails (spec: scheduling 10.6).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.identity import SameObject
from cutlist.core.labels import CORE, RESERVED, LabelRegistry
from cutlist.disruption.cluster_state import ClusterState, InstanceTypesByPool
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.launched import Purchase
from cutlist.scheduling.results import PlacedClaim
from cutlist.simulation.events import MINUTE, OfferingsDue
from cutlist.simulation.ledger import EVENT, CommandRecord
from cutlist.simulation.outside_events import CapacityLost
from cutlist.simulation.shortages import ANY, CapacityShortages
from cutlist.simulation.world import World
from cutlist.state.statenode import StateNode

REMEMBERED: Final = 3 * MINUTE
"""Number of milliseconds for which Karpenter leaves out what the cloud did not have."""

Purchases = Callable[[PlacedClaim], Purchase]
AttachLimits = Callable[[str, str], Mapping[str, int]]
"""Returns how many volumes a node attaches, by CSI driver, for its NodePool and instance type."""


def any_number(_node_pool: str, _instance_type: str) -> Mapping[str, int]:
    """Return no limit: nodes attach any number of volumes."""
    return {}


OfferingKey = tuple[str, str, str]
"""An instance type, a zone and a capacity type."""


@dataclass(frozen=True, slots=True)
class Edition:
    """NodePools and node classes as they are from an instant on: the cluster with their types, what NodeClaims become, and how
    many volumes their nodes attach.

    `drifted` is the cloud's reason why nodes of a NodePool that run already no longer match it, `hashes` the annotations of
    NodeClaims of a NodePool that were made before, both by the name of the NodePool.
    """

    cluster: ClusterState
    purchases: Purchases
    drifted: Mapping[str, str]
    hashes: Mapping[str, Mapping[str, str]]
    attach_limits: AttachLimits = any_number


class Offerings:
    """What the cloud sells, and what Karpenter believes that it sells.

    `unavailable` is until when Karpenter leaves offerings out, `lost` until when the cloud has none for patterns of offerings,
    in milliseconds; `taken` is how many instances of each reservation were launched since the start, less those that ended.
    """

    __slots__ = ("_editions", "_shortages", "_world", "edition", "lost", "taken", "unavailable")
    NOT_SAVED: Final = frozenset(("_editions", "_shortages"))

    def __init__(self, world: World, editions: Sequence[Edition], shortages: CapacityShortages) -> None:
        """Begin with the first edition of the NodePools."""
        self._world = world
        self._editions = editions
        self._shortages = shortages
        self.edition = 0
        self.unavailable: dict[OfferingKey, int] = {}
        self.lost: dict[OfferingKey, int] = {}
        self.taken: Counter[str] = Counter()

    def restored(self) -> None:
        """Restore the types that the cluster had."""
        self._world.cluster.use(self._present())

    @property
    def present(self) -> Edition:
        """Return the current NodePools and classes."""
        return self._editions[self.edition]

    def edit(self, number: int) -> Edition:
        """Switch to an edition of the NodePools, and return it."""
        self.edition = number
        self._refresh()
        return self.present

    def lose(self, event: CapacityLost) -> None:
        """Make the cloud run out of some offerings for a while."""
        self.lost[event.instance_type, event.zone, event.capacity_type] = event.until
        record = CommandRecord(self._world.now, EVENT, "", type(event).__name__, (), ())
        self._world.ledger.commands.append(record)

    def look(self) -> None:
        """Make Karpenter consider again the offerings that it has left out for long enough."""
        now = self._world.now
        self.unavailable = {key: until for key, until in self.unavailable.items() if until > now}
        self._refresh()

    def purchase(self, claim: PlacedClaim) -> tuple[Purchase, bool]:
        """Return what a NodeClaim is launched as, and whether the cloud has it.

        What it turns out not to have is left out for three minutes.
        """
        wanted = first = self.present.purchases(claim)
        short: set[OfferingKey] = set()
        # A launch names many types: the cloud takes the next one, as long as it is of the same capacity type.
        while self._is_short(_key(wanted)):
            short.add(_key(wanted))
            rest = _without(claim, short, first.offering.capacity_type, self._world.cluster.base.registry)
            if rest is None:
                break
            wanted = self.present.purchases(rest)
            # Another capacity type would be another request, which Karpenter makes only in a later pass.
            if wanted.offering.capacity_type != first.offering.capacity_type:
                break
        is_sold = _key(wanted) not in short and wanted.offering.capacity_type == first.offering.capacity_type
        if short:
            self.leave_out(short)
        return (wanted, True) if is_sold else (first, False)

    def launched(self, purchase: Purchase) -> None:
        """Count an instance of a reservation as used."""
        self._count(_reservations(purchase.offering, self._world.cluster.base.registry), 1)

    def ended(self, node: StateNode) -> None:
        """Count an instance of a reservation as free again."""
        label = self._world.cluster.base.registry.reservation_id
        reservation = node.state.labels.get(label or "", "") if node.capacity_type == RESERVED else ""
        self._count([reservation] if reservation else [], -1)

    def _count(self, reservations: Iterable[str], more: int) -> None:
        listed = list(reservations)
        for reservation in listed:
            self.taken[reservation] += more
        if listed:
            self._refresh()

    def _is_short(self, key: OfferingKey) -> bool:
        now = self._world.now
        instance_type, zone, capacity_type = key
        patterns = ((t, z, c) for t in (instance_type, ANY) for z in (zone, ANY) for c in (capacity_type, ANY))
        if any(self.lost.get(pattern, 0) > now for pattern in patterns):
            return True
        return self._shortages.is_short(*key, now, self._world.settings)

    def leave_out(self, short: Iterable[OfferingKey]) -> None:
        """Make Karpenter leave out offerings that the cloud does not have."""
        until = self._world.now + REMEMBERED
        # Sorted, since the order of a set differs between processes and is part of the saved state.
        self.unavailable |= dict.fromkeys(sorted(short), until)
        self._refresh()
        self._world.push(OfferingsDue(until))

    def _refresh(self) -> None:
        self._world.cluster.rebase(self._present())

    def _present(self) -> ClusterState:
        """Return the cluster of the present edition with the types as Karpenter sees them now."""
        cluster = self.present.cluster
        taken = {reservation: count for reservation, count in self.taken.items() if count}
        if not self.unavailable and not taken:
            return cluster
        lists = {SameObject(listed): listed for listed in cluster.types.values()}
        marked = {
            key: tuple(_marked(t, self.unavailable, taken, cluster.registry) for t in listed) for key, listed in lists.items()
        }
        types = {pool: marked[SameObject(listed)] for pool, listed in cluster.types.items()}
        return replace(cluster, types=InstanceTypesByPool(types))


def _marked(
    t: InstanceType, unavailable: Mapping[OfferingKey, int], taken: Mapping[str, int], registry: LabelRegistry
) -> InstanceType:
    """Return a type of which some offerings are not available, or have fewer or more instances of a reservation."""
    offerings = tuple(_offering(t.name, o, unavailable, taken, registry) for o in t.offerings)
    return t if all(o is was for o, was in zip(offerings, t.offerings, strict=True)) else replace(t, offerings=offerings)


def _offering(
    name: str, o: Offering, unavailable: Mapping[OfferingKey, int], taken: Mapping[str, int], registry: LabelRegistry
) -> Offering:
    if (name, o.zone, o.capacity_type) in unavailable:
        return o._replace(available=False)
    used = sum(taken.get(reservation, 0) for reservation in _reservations(o, registry))
    if not used:
        return o
    left = max(0, o.reservation_capacity - used)
    # Below 0 where instances ended that ran before the start: then a full reservation has units again.
    return o._replace(reservation_capacity=left, available=(o.available or used < 0) and left > 0)


def _key(purchase: Purchase) -> OfferingKey:
    return purchase.type.name, purchase.offering.zone, purchase.offering.capacity_type


def _without(claim: PlacedClaim, short: set[OfferingKey], capacity_type: str, registry: LabelRegistry) -> PlacedClaim | None:
    """Return a claim without some offerings, or None where none of the capacity type is left; the cheapest types come first."""
    unavailable, known = dict.fromkeys(short, 0), registry.well_known
    sold: list[tuple[float, str, InstanceType]] = []
    capacity_types = set()
    for t in claim.candidates.types:
        marked = _marked(t, unavailable, {}, CORE)
        usable = [o for o in marked.offerings if o.available and claim.requirements.compatible(o.requirements, known)]
        capacity_types |= {o.capacity_type for o in usable}
        if usable:
            sold.append((min(math.inf if o.price is None else o.price for o in usable), t.name, marked))
    if capacity_type not in capacity_types:
        return None
    sold.sort(key=lambda entry: entry[:2])
    prices = tuple(None if math.isinf(price) else price for price, _, _ in sold)
    return replace(claim, candidates=InstanceTypeOptions(tuple(t for _, _, t in sold), prices))


def _reservations(offering: Offering, registry: LabelRegistry) -> Iterable[str]:
    """Return the ids of the reservations that an offering is bought from."""
    if offering.capacity_type != RESERVED or not registry.reservation_id:
        return ()
    return offering.requirements.get_or_any(registry.reservation_id).values
