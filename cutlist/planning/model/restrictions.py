"""What restrictions cost, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cutlist.core.records import NEWER, Count, Key, about


@dataclass(frozen=True, slots=True)
class PricedRestriction:
    """What a restriction costs in USD/hour: the price of the plan with it, minus that of the plan without only this
    restriction. `objects` are those that have it, `field` is where in the spec of their pods, or of a NodePool."""

    what: str
    price: Annotated[float, Key("pricePerHour"), about("How much more the plan costs because of it.")]
    objects: Annotated[tuple[str, ...], NEWER, about("The workloads or the NodePool that have it.")] = ()
    field: Annotated[str, NEWER, about("Where they have it.")] = ""


@dataclass(frozen=True, slots=True)
class RestrictionPrices:
    """What restrictions cost, the most expensive first; those that cost nothing are left out, and some may not be priced."""

    priced: tuple[PricedRestriction, ...]
    unpriced: Annotated[Count, about("How many were not priced, because there were too many or time ran out.")]
