"""The bill of a program: charges by component, equal ones together, and their sum with the planned nodes."""

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
        return math.fsum(c.usd_per_hour or 0 for c in self.charges)


@dataclass(frozen=True, slots=True)
class Bill:
    """What components and the nodes of a plan cost.

    `nodes_per_hour` is what the planned nodes cost in USD, None without nodes or without known prices. `nodes_complete`
    says that all of them have a price, `nodes_estimated` that some of these prices are estimates. `disks_per_hour` is the part
    of it for disks, None when unknown, `nodes_estimated_per_hour` the part that is estimated. `overlay_nodes_per_hour` is the
    nodes' price in Karpenter's view if NodeOverlays set prices, else None.
    """

    components: tuple[Component, ...]
    nodes_per_hour: float | None = None
    nodes_complete: bool = True
    nodes_estimated: bool = False
    disks_per_hour: float | None = None
    nodes_estimated_per_hour: float = 0.0
    overlay_nodes_per_hour: float | None = None

    @property
    def charges(self) -> tuple[Charge, ...]:
        """Return the charges of all components."""
        return tuple(charge for component in self.components for charge in component.charges)

    @property
    def resources_per_hour(self) -> float:
        """Return the known price of the resources in USD per hour."""
        return math.fsum(c.usd_per_hour for c in self.components)

    @property
    def usd_per_hour(self) -> float:
        """Return all known prices in USD per hour, planned nodes included."""
        return self.resources_per_hour + (self.nodes_per_hour or 0)

    @property
    def has_estimated_charges(self) -> bool:
        """Tell whether the price of some resource is an estimate."""
        return any(charge.price is not None and charge.price.estimated for charge in self.charges)

    @property
    def has_estimates(self) -> bool:
        """Tell whether some price is an estimate, of resources or of planned nodes."""
        return self.has_estimated_charges or self.nodes_estimated

    @property
    def estimated_part(self) -> float:
        """Return the fraction of all known prices that is estimated."""
        charges = math.fsum(c.usd_per_hour or 0 for c in self.charges if c.price is not None and c.price.estimated)
        return (charges + self.nodes_estimated_per_hour) / self.usd_per_hour if self.usd_per_hour else 0.0

    @property
    def is_complete(self) -> bool:
        """Tell whether nothing is left out of the sum."""
        return self.nodes_complete and all(charge.is_complete for charge in self.charges)


def _place(charge: Charge) -> tuple[float, str, str, str, int, str]:
    """Return the sort key of a charge; two that differ have different keys."""
    source = "" if charge.price is None else charge.price.provenance
    return -(charge.usd_per_hour or 0), charge.state, charge.what, charge.note, charge.count, source
