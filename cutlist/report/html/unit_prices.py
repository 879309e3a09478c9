"""What a vCPU and a GiB cost in each family of instance types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.catalog.prices import usd
from cutlist.core.quantity import NANO
from cutlist.planning.model import TypeRow
from cutlist.report.plain import GIB

_SIZE: Final = re.compile(r"\d+")
SHOWN: Final = 14  # families of a NodePool, the cheapest; those that are chosen come besides


@dataclass(frozen=True, slots=True)
class Measure:
    """What a price is divided by: its name, and nano-units of it in one unit."""

    unit: str
    nanos: int

    def amount(self, row: TypeRow) -> float:
        """Return how many units a type has."""
        return (row.cpu if self.unit == "vCPU" else row.memory) / self.nanos


MEASURES: Final = (Measure("vCPU", NANO), Measure("GiB", GIB))


@dataclass(frozen=True, slots=True)
class Offer:
    """A type on demand or as spot, and USD an hour for a unit of what a chart measures."""

    name: str
    is_spot: bool
    price: float


@dataclass(frozen=True, slots=True)
class Family:
    """The offers of types that differ only in size; they are one row of a chart."""

    name: str
    offers: tuple[Offer, ...]

    @property
    def lowest(self) -> float:
        """Return the lowest price of a unit."""
        return min(offer.price for offer in self.offers)


def families_of(types: Sequence[TypeRow], measure: Measure, chosen: Iterable[str]) -> list[Family]:
    """Return the cheapest families and those of the chosen types, cheapest first; none if no type has a price."""
    offers: dict[str, list[Offer]] = {}
    for row in types:
        amount = measure.amount(row)
        for price, spot in charted_prices(row) if amount > 0 else ():
            offers.setdefault(family_name(row.name), []).append(Offer(row.name, spot, price / amount))
    families = sorted((Family(name, tuple(of)) for name, of in offers.items()), key=lambda f: (f.lowest, f.name))
    taken = set(map(family_name, chosen))
    return [family for place, family in enumerate(families) if place < SHOWN or family.name in taken]


def family_name(instance_type: str) -> str:
    """Return what types of all sizes have in common: `m7g` of `m7g.large`, `Standard_Ds_v5` of `Standard_D4s_v5`."""
    family, dot, _ = instance_type.partition(".")
    return family if dot else _SIZE.sub("", instance_type, count=1)


def charted_prices(row: TypeRow) -> list[tuple[float, bool]]:
    """Return the prices that a logarithm can show, each with whether it is a spot price."""
    priced = ((usd(row.on_demand), False), (usd(row.spot), True))
    return [(price, spot) for price, spot in priced if price and row.cpu > 0]
