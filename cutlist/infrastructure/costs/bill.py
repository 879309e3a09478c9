"""The bill of a program: charges by component, equal ones together, and their sum with the nodes that are planned."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from cutlist.catalog import HOURS_PER_MONTH
from cutlist.infrastructure.costs.charges import Charge


@dataclass(frozen=True, slots=True)
class Component:
    """What a component's resources are billed for."""

    name: str
    type: str
    charges: tuple[Charge, ...]

    @staticmethod
    def of(name: str, type_: str, charges: Iterable[Charge]) -> Component:
        """Equal charges are added up; those of known price come first, dearest first, then the others by what they are for."""
        counts: dict[Charge, int] = {}
        for charge in charges:
            alike = replace(charge, count=1)
            counts[alike] = counts.get(alike, 0) + charge.count
        summed = (replace(charge, count=count) for charge, count in counts.items())
        return Component(name, type_, tuple(sorted(summed, key=_place)))

    @property
    def usd_per_hour(self) -> float:
        """USD for an hour of what is known."""
        return math.fsum(c.usd_per_hour or 0 for c in self.charges)


@dataclass(frozen=True, slots=True)
class Bill:
    """What components cost, and with them the nodes of a plan.

    `nodes_per_hour` is what the planned nodes cost in USD, None when there are none or no price is known of any.
    `nodes_complete` tells that all of them have a price, `nodes_estimated` that some of these are estimates.
    """

    components: tuple[Component, ...]
    nodes_per_hour: float | None = None
    nodes_complete: bool = True
    nodes_estimated: bool = False

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The charges of all components."""
        return tuple(charge for component in self.components for charge in component.charges)

    @property
    def resources_per_hour(self) -> float:
        """USD for an hour of the resources whose price is known."""
        return math.fsum(c.usd_per_hour for c in self.components)

    @property
    def usd_per_hour(self) -> float:
        """USD for an hour of all that is known, planned nodes included."""
        return self.resources_per_hour + (self.nodes_per_hour or 0)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left out of the sum."""
        return self.nodes_complete and all(charge.is_complete for charge in self.charges)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; prices to ten places of a dollar, None where they are not known."""
        return {
            "hoursPerMonth": HOURS_PER_MONTH,
            "components": [_component(component) for component in self.components],
            "resourcesPerHour": _usd(self.resources_per_hour),
            "nodesPerHour": _usd(self.nodes_per_hour),
            "totalPerHour": _usd(self.usd_per_hour),
            "totalPerMonth": round(self.usd_per_hour * HOURS_PER_MONTH, 2),
            "complete": self.is_complete,
        }


def _place(charge: Charge) -> tuple[float, str, str, str, int, str]:
    """By what charges are sorted; two that differ have different places."""
    source = "" if charge.price is None else charge.price.provenance
    return -(charge.usd_per_hour or 0), charge.state, charge.what, charge.note, charge.count, source


def _component(component: Component) -> dict[str, Any]:
    return {"name": component.name, "type": component.type, "charges": [_charge(charge) for charge in component.charges]}


def _charge(charge: Charge) -> dict[str, Any]:
    price = charge.price
    return {
        "what": charge.what,
        "count": charge.count,
        "state": charge.state.value,
        "pricePerHour": _usd(charge.usd_per_hour),
        "source": "" if price is None else price.provenance,
        "note": charge.note,
    }


def _usd(amount: float | None) -> float | None:
    return None if amount is None else round(amount, 10)
