"""Machines that might replace nodes, as far as their price and their room go (spec: disruption 5.2)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from cutlist.core.labels import CAPACITY_TYPE, SPOT, ZONE
from cutlist.core.quantity import subtract
from cutlist.disruption.cluster_state import ClusterState
from cutlist.scheduling.inputs import takes_part
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements

_UNBOUNDED: Final = 1 << 60
"""More pods than any machine holds."""


@dataclass(frozen=True, slots=True)
class Machines:
    """What can be bought, cheapest first: the lowest price of each type, and what it has for pods, in nano-units.

    Types that hold no more than a cheaper one are left out. An empty room stands for an unknown one.
    """

    prices: Sequence[float]
    capacities: Sequence[Mapping[str, int]]
    _most: dict[tuple[tuple[str, int], ...], Sequence[int]] = field(default_factory=dict)

    @staticmethod
    def of(cluster: ClusterState, overheads: Mapping[str, Mapping[str, int]], *, spot: bool) -> Machines:
        """Return the types of all NodePools that take part, with or without their spot offerings.

        `overheads` are what DaemonSets request at least on a node of each pool.
        """
        sold: dict[tuple[str, str], tuple[float, Mapping[str, int]]] = {}
        for pool in (p for p in cluster.pools.values() if takes_part(p)):
            wanted = fresh_requirements(pool, cluster.registry)
            kinds, zones = wanted.get_or_any(CAPACITY_TYPE), wanted.get_or_any(ZONE)
            # Looser than admission on purpose: this is a bound, so a type too many only makes it weaker.
            for t in (t for t in cluster.types.get(pool.name, ()) if wanted.intersects(t.requirements)):
                usable = (o for o in t.offerings if o.available and kinds.has(o.capacity_type) and zones.has(o.zone))
                offered = (o.price for o in usable if spot or o.capacity_type != SPOT)
                price = min((price for price in offered if price is not None), default=None)
                if price is not None:
                    # Where offerings of a type have different room, it depends on the purchase; unknown room counts as enough.
                    overridden = any(o.capacity_override or o.overhead_override for o in t.offerings)
                    sold[pool.name, t.name] = (
                        price,
                        {} if overridden else subtract(t.allocatable(), overheads.get(pool.name, {})),
                    )
        best: list[tuple[float, Mapping[str, int]]] = []
        # Cheapest first, so only cheaper ones have to be compared.
        for price, room in sorted(sold.values(), key=lambda s: s[0]):
            if not any(_covers(cheaper, room) for _, cheaper in best):
                best.append((price, room))
        return Machines([price for price, _ in best], [room for _, room in best])

    def may_hold(self, requests: Mapping[str, int], below: float) -> bool:
        """Tell whether a machine that is cheaper than a price might hold these requests."""
        for capacity in self.capacities[: bisect_left(self.prices, below)]:
            if not capacity or all(amount <= capacity.get(r, 0) for r, amount in requests.items() if amount > 0):
                return True
        return False

    def most_pods(self, requests: Mapping[str, int], below: float) -> int:
        """Return how many pods with these requests a machine that is cheaper than a price holds at most."""
        key = tuple(requests.items())
        most = self._most.get(key)
        if most is None:
            rooms = (_pods_in(capacity, requests) for capacity in self.capacities)
            # The best among the first n types, so that any price is answered by one look.
            most = self._most[key] = list(accumulate(rooms, max, initial=0))
        return most[bisect_left(self.prices, below)]


def _pods_in(capacity: Mapping[str, int], requests: Mapping[str, int]) -> int:
    return min(capacity.get(r, 0) // need for r, need in requests.items()) if capacity else _UNBOUNDED


def _covers(room: Mapping[str, int], other: Mapping[str, int]) -> bool:
    """Tell whether a room holds everything that another one holds."""
    return not room or (bool(other) and all(room.get(r, 0) >= amount for r, amount in other.items()))
