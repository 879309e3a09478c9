"""The bill of a program: charges by component, equal ones together, and their sum with the nodes that are planned."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from cutlist.infrastructure.costs.charges import Charge


@dataclass(frozen=True, slots=True)
class Component:
    """What a component's resources are billed for."""

    name: str
    type: str
    charges: tuple[Charge, ...]

    @staticmethod
    def of(name: str, type_: str, charges: Iterable[Charge]) -> Component:
        """Return a component with equal charges added up; those of known price come first, dearest first, then the others by
        what they are for."""
        counts: dict[Charge, int] = {}
        for charge in charges:
            alike = replace(charge, count=1)
            counts[alike] = counts.get(alike, 0) + charge.count
        summed = (replace(charge, count=count) for charge, count in counts.items())
        return Component(name, type_, tuple(sorted(summed, key=_place)))

    @property
    def usd_per_hour(self) -> float:
        """Return USD for an hour of what is known."""
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
        """Return the charges of all components."""
        return tuple(charge for component in self.components for charge in component.charges)

    @property
    def resources_per_hour(self) -> float:
        """Return USD for an hour of the resources whose price is known."""
        return math.fsum(c.usd_per_hour for c in self.components)

    @property
    def usd_per_hour(self) -> float:
        """Return USD for an hour of all that is known, planned nodes included."""
        return self.resources_per_hour + (self.nodes_per_hour or 0)

    @property
    def is_complete(self) -> bool:
        """Tell whether nothing is left out of the sum."""
        return self.nodes_complete and all(charge.is_complete for charge in self.charges)


def _place(charge: Charge) -> tuple[float, str, str, str, int, str]:
    """Return what charges are sorted by; two that differ have different places."""
    source = "" if charge.price is None else charge.price.provenance
    return -(charge.usd_per_hour or 0), charge.state, charge.what, charge.note, charge.count, source
