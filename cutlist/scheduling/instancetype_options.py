"""The types that a NodeClaim lists, cheapest first and cut where Karpenter cuts (spec: scheduling 10.2; S-119, S-120)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.core.go_sort import sort_by_key
from cutlist.core.identity import SameObject
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate

MAX_TYPES: Final = 600  # a NodeClaim lists at most this many types (spec 10.2)
_UNKNOWN: Final = float("inf")  # types without a price come last


@dataclass(frozen=True, slots=True)
class InstanceTypeOptions:
    """The types a claim may become, cheapest first, each with its price (None where no price is known)."""

    types: tuple[InstanceType, ...]
    prices: tuple[float | None, ...]


class InstanceTypeOptionsCache:
    """Builds the lists; claims with equal types share one where their requirements allow the same prices."""

    def __init__(self) -> None:
        self._lists: dict[tuple[InstanceTypeIndex, SameObject, int], InstanceTypeOptions] = {}
        self._orders: dict[tuple[InstanceTypeIndex, SameObject], list[int]] = {}

    def of(self, template: NodeClaimTemplate, wanted: Requirements, mask: int) -> InstanceTypeOptions:
        """Return the list for a claim of a template with these types and requirements."""
        prices = template.instance_types.prices(wanted)  # the same object for all requirements that allow the same offerings
        key = (template.instance_types, SameObject(prices), mask)
        if key not in self._lists:
            order = self._order(template.instance_types, prices)
            # Ordering all types once and then filtering is cheaper than sorting each claim's own.
            kept = _cut([i for i in order if mask >> i & 1], prices)
            self._lists[key] = InstanceTypeOptions(
                tuple(template.instance_types.types[i] for i in kept), tuple(prices.get(i) for i in kept)
            )
        return self._lists[key]

    def _order(self, instance_types: InstanceTypeIndex, prices: Mapping[int, float]) -> list[int]:
        """Return all types, cheapest first, equal prices by name: Karpenter leaves their order open (spec 12, N4)."""
        key = (instance_types, SameObject(prices))
        if key not in self._orders:
            self._orders[key] = sorted(instance_types.by_name, key=lambda i: prices.get(i, _UNKNOWN))
        return self._orders[key]


def _cut(ordered: list[int], prices: Mapping[int, float]) -> list[int]:
    """Return the types that a NodeClaim may list. Where the cut goes through a tie, Karpenter's own sort decides (S-120)."""
    if len(ordered) <= MAX_TYPES or prices.get(ordered[MAX_TYPES - 1]) != prices.get(ordered[MAX_TYPES]):
        return ordered[:MAX_TYPES]
    listed = sorted(ordered)  # the order in which the sort gets them; it compares prices alone
    # Which of the equal ones stay depends on the exact swaps of Go's unstable sort, which is replayed on integers.
    ranks = {price: rank for rank, price in enumerate(sorted({prices.get(i, _UNKNOWN) for i in listed}))}
    places = sort_by_key([ranks[prices.get(i, _UNKNOWN)] for i in listed])
    stay = {listed[place] for place in places[:MAX_TYPES]}
    # Back in the stable order: only membership follows Karpenter here.
    return [i for i in ordered if i in stay]
