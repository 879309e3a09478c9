"""The amounts of a bill to the cent, such that each column adds up; those with an estimated range are rounded to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from cutlist.catalog import HOURS_PER_MONTH
from cutlist.infrastructure.costs import Bill, Charge, Component
from cutlist.report.estimates import Step
from cutlist.report.plain import per_month
from cutlist.report.shares import month_cells


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
        resources, nodes = month_cells([bill.resources_per_hour, bill.nodes_per_hour], bill.usd_per_hour)
        charged = [(component, charge) for component in bill.components for charge in component.charges]
        months = month_cells([charge.usd_per_hour for _, charge in charged], bill.resources_per_hour, resources)
        rows = (BilledCharge(component, charge, month) for (component, charge), month in zip(charged, months, strict=True))
        total = per_month(bill.usd_per_hour * HOURS_PER_MONTH)
        if bill.nodes_range is not None and nodes is not None:
            step = Step.of(bill.nodes_range.at(HOURS_PER_MONTH))
            nodes, total = (step.text(usd * HOURS_PER_MONTH) for usd in (bill.nodes_per_hour or 0.0, bill.usd_per_hour))
        return BillAmounts(tuple(rows), resources or "", nodes, total)

    def by_component(self) -> Iterator[tuple[Component, list[BilledCharge]]]:
        """Yield each component that has charges, with these."""
        for component, rows in groupby(self.charges, key=lambda row: row.component):
            yield component, list(rows)
