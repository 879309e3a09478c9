"""What the page of a preview says first: the total with its parts, what causes it, and what the estimate leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from cutlist.core.wording import counted, listed
from cutlist.infrastructure.costs import Bill, ChargeState
from cutlist.planning.model import Plan
from cutlist.report.html.first import MOST_CAUSES, Driver, Part, Sum, known_range
from cutlist.report.plain import currency_sign
from cutlist.report.price_sources import estimated_share
from cutlist.report.shares import shares
from cutlist.verbs.plan.first_screen import drivers_of
from cutlist.verbs.preview.amounts import BillAmounts, BilledCharge
from cutlist.verbs.preview.text import LEFT_OUT, parts_of, span_of, total_of

_NAMED: Final = 4


@dataclass(frozen=True, slots=True)
class PreviewFirst:
    """The first screen of a preview: its title, the sum with its parts, the charges and workloads that cost most, and what the
    sum leaves out."""

    title: str
    sums: tuple[Sum, ...]
    parts: tuple[Part, ...]
    drivers: tuple[Driver, ...]
    left_out: tuple[str, ...]

    @staticmethod
    def of(stack: str, resources: int, bill: Bill, plans: Sequence[Plan], open_look_ups: int) -> PreviewFirst:
        """Return the first screen of a stack's preview; `open_look_ups` are the look-ups without an answer."""
        parts = tuple(_parts(bill))
        return PreviewFirst(
            f"Stack {stack}: {counted(resources, 'resource')}",
            tuple(_sums(bill)),
            parts,
            tuple(islice(_drivers(bill, plans, {part.amount for part in parts}), MOST_CAUSES)),
            tuple(_left_out(bill, plans, open_look_ups)),
        )


def _sums(bill: Bill) -> Iterator[Sum]:
    if not bill.charges and bill.nodes_per_hour is None:
        yield Sum("A month", "nothing has a price")
        return
    amount = total_of(bill)
    at_least = "" if bill.is_complete else "At least "
    small = (known_range(span_of(bill)), estimated_share(bill.estimated_part))
    yield Sum("A month", f"{at_least}{amount}", tuple(filter(None, small)))


def _parts(bill: Bill) -> Iterator[Part]:
    """Yield what resources and nodes cost, where there are both."""
    of_resources, of_nodes = parts_of(bill)
    if not bill.charges or of_nodes is None:
        return
    part = shares([bill.resources_per_hour, bill.nodes_per_hour], bill.usd_per_hour)
    yield Part("resources of the program", of_resources, part[0], "", "memory")
    yield Part("nodes that its workloads get", of_nodes, part[1], "", "cpu")


def _drivers(bill: Bill, plans: Sequence[Plan], taken: set[str]) -> Iterator[Driver]:
    """Yield the charges, NodePools and workloads that cost most."""
    whole = bill.usd_per_hour or 1.0
    sign = currency_sign(bill.currency)
    charges = [
        Driver(f"{sign}{of.month}{'*' * of.charge.is_estimated}", _of_charge(of), of.charge.usd_per_hour / whole)
        for of in BillAmounts.of(bill).charges
        if of.month is not None and of.charge.usd_per_hour
    ]
    of_nodes = [
        Driver(driver.amount, driver.what, share, driver.where)
        for plan in plans
        for driver in islice(drivers_of(plan), MOST_CAUSES)
        if (share := (driver.share or 0.0) * (plan.totals.price_per_hour or 0.0) / whole)
    ]
    shown = set(taken)
    for driver in sorted((*charges, *of_nodes), key=lambda of: -(of.share or 0.0)):
        if driver.amount not in shown:
            shown.add(driver.amount)
            yield driver


def _of_charge(of: BilledCharge) -> str:
    count = f"{of.charge.count:,} × " if of.charge.count > 1 else ""
    return f"is {count}{of.charge.what}, of {of.component.name}"


def _left_out(bill: Bill, plans: Sequence[Plan], open_look_ups: int) -> Iterator[str]:
    """Yield what the sum does not have, in sentences."""
    for state, words in ((ChargeState.BY_USE, "paid by use"), (ChargeState.NOT_KNOWN, "of a price that is not known here")):
        names = list(dict.fromkeys(charge.what for charge in bill.charges if charge.state is state))
        if names:
            more = [f"{len(names) - _NAMED:,} more"] if len(names) > _NAMED else []
            yield f"{counted(len(names), 'resource')} {words}: {listed([*names[:_NAMED], *more])}."
    unpriced = sum(plan.totals.unpriced_nodes for plan in plans)
    if unpriced:
        yield f"{counted(unpriced, 'node')} of unknown price."
    waiting = sum(plan.totals.pending for plan in plans)
    if waiting:
        yield f"Whatever {counted(waiting, 'pod')} without a node would need."
    if open_look_ups:
        yield f"What {counted(open_look_ups, 'look-up')} without an answer would bring."
    yield LEFT_OUT.removeprefix("Not included: ").capitalize()
