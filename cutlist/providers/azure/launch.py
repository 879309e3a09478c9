"""The size and offering that the provider starts for a claim, and the claims that need ultra disks (spec: azure 3.3, 6.3).

There is no fleet request: the provider itself picks one size and one offering. If Azure refuses, the offering is blocked for a
while and the next pass over the pods picks again, so the order of choices is the order of retries.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cutlist.core.labels import AZURE
from cutlist.core.requirements import Requirements
from cutlist.providers.azure.labels import ULTRA_SSD
from cutlist.providers.instance_types import InstanceType, Offering


@dataclass(frozen=True, slots=True)
class SizeChoice:
    """A size with the offerings among which the provider picks at random: they differ only in their zone."""

    type: InstanceType
    offerings: tuple[Offering, ...]

    @property
    def offering(self) -> Offering:
        """Return one of the offerings, which differ only in their zone."""
        return self.offerings[0]

    @property
    def zones(self) -> tuple[str, ...]:
        """Return the zones among which the provider picks at random, sorted."""
        return tuple(sorted(o.zone for o in self.offerings))


def choices(types: Iterable[InstanceType], wanted: Requirements) -> tuple[SizeChoice, ...]:
    """Return the sizes for a claim in the order in which they are tried: by price, spot before on-demand, zonal before
    regional, then by name (Z-52).

    Sizes without a price come last; sizes without an open offering that the claim allows are left out.
    """
    choices_by_price = [choice for t in types if (choice := _choice(t, wanted)) is not None]
    return tuple(sorted(choices_by_price, key=lambda c: (*_order(c.offering), c.type.name)))


def _choice(t: InstanceType, wanted: Requirements) -> SizeChoice | None:
    usable = [o for o in t.offerings if o.available and wanted.compatible(o.requirements, AZURE.well_known)]
    if not usable:
        return None
    best = min(map(_order, usable))
    return SizeChoice(t, tuple(sorted((o for o in usable if _order(o) == best), key=lambda o: o.zone)))


def _order(offering: Offering) -> tuple[float, int]:
    return (math.inf if offering.price is None else offering.price, offering.rank)


def demands_ultra(wanted: Requirements) -> bool:
    """Tell whether only a machine that supports ultra disks is acceptable (spec: azure 3.3)."""
    ultra = wanted.get(ULTRA_SSD)
    return ultra is not None and ultra.has("true") and not ultra.has("false")
