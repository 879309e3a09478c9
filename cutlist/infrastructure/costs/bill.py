"""The bill of a program: charges by component, equal ones together, and their sum with the planned nodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Final

from cutlist.catalog.prices import HOURS_PER_MONTH
from cutlist.catalog.ranges import PriceRange
from cutlist.core.money import money_rounded, money_sum, money_times
from cutlist.core.records import HIDDEN, SPARSE, After, Count, Key, Part, Usd, about, computed, form_of
from cutlist.infrastructure.costs.charges import Charge, TenPlaces

_CENTS: Final = form_of(Usd).through(lambda amount: money_rounded(amount, 2))
_TEN_PLACES: Final = form_of(Usd).through(lambda amount: round(amount, 10))
_TenPlaces = Annotated[float, _TEN_PLACES]


@dataclass(frozen=True, slots=True)
class Component:
    """What a component's resources are billed for."""

    name: str
    type: str
    charges: tuple[Charge, ...]

    @staticmethod
    def of(name: str, type_: str, charges: Iterable[Charge]) -> Component:
        """Return a component with equal charges added up; those with a known price come first, most expensive first, then the
        others by name."""
        counts: dict[Charge, int] = {}
        for charge in charges:
            alike = replace(charge, count=1)
            counts[alike] = counts.get(alike, 0) + charge.count
        summed = (replace(charge, count=count) for charge, count in counts.items())
        return Component(name, type_, tuple(sorted(summed, key=_place)))

    @property
    def usd_per_hour(self) -> float:
        """Return the sum of the known charges in USD per hour."""
        return money_sum(c.usd_per_hour or 0 for c in self.charges)


@dataclass(frozen=True, slots=True)
class Bill:
    """What components cost, and with them the nodes of a plan.

    `nodes_complete` says that all planned nodes have a price, `nodes_estimated` that some of these prices are estimates;
    `nodes_estimated_per_hour` is the part of their price that is estimated, and `nodes_range` the range of the price that
    follows. `currency` is that of nodes: where it is not US dollars, no resource has a price.
    """

    components: tuple[Component, ...]
    nodes_per_hour: Annotated[
        TenPlaces,
        about("USD of the planned nodes; null without nodes, or when no price is known."),
        After("resources_per_hour"),
    ] = None
    nodes_complete: Annotated[bool, HIDDEN] = True
    nodes_estimated: Annotated[bool, HIDDEN] = False
    disks_per_hour: Annotated[
        TenPlaces, about("What of the nodes' price is for disks; null where unknown."), After("nodes_per_hour")
    ] = None
    nodes_estimated_per_hour: Annotated[float, HIDDEN] = 0.0
    overlay_nodes_per_hour: Annotated[
        float | None,
        _TEN_PLACES,
        about("What Karpenter takes the nodes for; only where NodeOverlays set prices."),
        SPARSE,
        After("disks_per_hour"),
    ] = None
    nodes_range: Annotated[PriceRange | None, HIDDEN] = None
    currency: Annotated[str, HIDDEN] = "USD"
    hours_per_month: Annotated[Count, After("")] = HOURS_PER_MONTH

    @property
    def charges(self) -> tuple[Charge, ...]:
        """Return the charges of all components."""
        return tuple(charge for component in self.components for charge in component.charges)

    @property
    @computed(after="components")
    def resources_per_hour(self) -> _TenPlaces:
        """Return the known price of the resources in USD per hour."""
        return money_sum(c.usd_per_hour for c in self.components)

    @property
    @computed(after="overlay_nodes_per_hour")
    def usd_per_hour(self) -> Annotated[_TenPlaces, Key("totalPerHour")]:
        """Return all known prices in USD per hour, planned nodes included."""
        return money_sum((self.resources_per_hour, self.nodes_per_hour or 0))

    @property
    @computed(after="usd_per_hour")
    def usd_per_month(
        self,
    ) -> Annotated[float, _CENTS, Key("totalPerMonth")]:
        """Return the same in USD per month."""
        return money_times(self.usd_per_hour, self.hours_per_month)

    @property
    @computed(after="estimated_part")
    def price_range(
        self,
    ) -> Annotated[
        PriceRange | None, SPARSE, about("What the sum lies between in most cases; only where nodes are estimated.")
    ]:
        """Return the range of the sum, or None if the prices of nodes have none."""
        rest = self.resources_per_hour
        return self.nodes_range and PriceRange(self.nodes_range.low + rest, self.nodes_range.high + rest)

    @property
    def has_estimated_charges(self) -> bool:
        """Tell whether the price of some resource is an estimate."""
        return any(charge.is_estimated for charge in self.charges)

    @property
    def has_estimates(self) -> bool:
        """Tell whether some price is an estimate, of resources or of planned nodes."""
        return self.has_estimated_charges or self.nodes_estimated

    @property
    @computed(after="usd_per_month")
    def estimated_part(
        self,
    ) -> Annotated[float, form_of(Part).through(lambda part: round(part, 4)), about("Which part of the sum is estimates.")]:
        """Return the fraction of all known prices that is estimated."""
        charges = money_sum(c.usd_per_hour or 0 for c in self.charges if c.is_estimated)
        return (charges + self.nodes_estimated_per_hour) / self.usd_per_hour if self.usd_per_hour else 0.0

    @property
    @computed(after="estimated_part")
    def is_complete(self) -> Annotated[bool, Key("complete"), about("Whether nothing is left out of the sum.")]:
        """Tell whether every node and every charge has a price; else the sum is a lower bound."""
        return self.nodes_complete and all(charge.is_complete for charge in self.charges)


def _place(charge: Charge) -> tuple[float, str, str, str, int, str]:
    """Return the sort key of a charge; two that differ have different keys."""
    return -(charge.usd_per_hour or 0), charge.state, charge.what, charge.note, charge.count, charge.source
