"""The amounts of a bill, such that each column adds up as it is shown: to the cent, or no more exactly than its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from cutlist.catalog.prices import a_month
from cutlist.infrastructure.costs import Bill, Charge, Component
from cutlist.report.estimates import Money
from cutlist.report.plain import per_month
from cutlist.report.shares import month_cells, sum_of_cells


@dataclass(frozen=True, slots=True)
class BilledCharge:
    """A charge of a component, and what it costs a month: None unless its price is known."""

    component: Component
    charge: Charge
    month: str | None


@dataclass(frozen=True, slots=True)
class BillAmounts:
    """What each charge costs a month, the resources together, the nodes of the plan if their price is known, and everything."""

    charges: tuple[BilledCharge, ...]
    resources: str
    nodes: str | None
    total: str

    @staticmethod
    def of(bill: Bill) -> BillAmounts:
        """Return the amounts of a bill. The charges add up to the resources, and these with the nodes to the total."""
        if bill.nodes_range is None or bill.nodes_per_hour is None:
            resources, nodes = month_cells([bill.resources_per_hour, bill.nodes_per_hour], bill.usd_per_hour)
            total = per_month(a_month(bill.usd_per_hour))
        else:
            resources = per_month(a_month(bill.resources_per_hour))
            nodes = Money(bill.nodes_per_hour, bill.nodes_range).month_cell()
            total = sum_of_cells(resources, nodes)
        charged = [(component, charge) for component in bill.components for charge in component.charges]
        months = month_cells([charge.usd_per_hour for _, charge in charged], bill.resources_per_hour, resources)
        rows = (BilledCharge(component, charge, month) for (component, charge), month in zip(charged, months, strict=True))
        return BillAmounts(tuple(rows), resources or "", nodes, total)

    def by_component(self) -> Iterator[tuple[Component, list[BilledCharge]]]:
        """Yield each component that has charges, with these."""
        for component, rows in groupby(self.charges, key=lambda row: row.component):
            yield component, list(rows)
