"""What the page of all environments' plans says first: what they cost together, which of them cost most, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cutlist.core.labels import SPOT
from cutlist.core.money import money_sum
from cutlist.core.wording import be, counted, first_of, listed
from cutlist.report.estimates import Money
from cutlist.report.html.first import MOST_CAUSES, UNPRICED, Driver, Sum, known_range
from cutlist.report.plain import percent
from cutlist.verbs.plan.environments import EnvironmentPlan, EnvironmentPlans

_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class EnvironmentsFirst:
    """The first screen of all environments: its title, sums, the environments that cost most, what is wrong, and risks."""

    title: str
    sums: tuple[Sum, ...]
    drivers: tuple[Driver, ...]
    to_do: tuple[str, ...]
    risks: tuple[str, ...]

    @staticmethod
    def of(plans: EnvironmentPlans) -> EnvironmentsFirst:
        """Return the first screen of the plans of all environments."""
        return EnvironmentsFirst(
            _title(plans), tuple(_sums(plans)), tuple(_drivers(plans)), tuple(_to_do(plans)), tuple(_risks(plans))
        )


def _title(plans: EnvironmentPlans) -> str:
    environments = counted(len(plans.environments), "environment")
    if not plans.planned:
        return f"No plan for {environments}"
    return f"{counted(plans.totals.nodes, 'node')} for {counted(plans.pods_on_new_nodes, 'pod')} in {environments}"


def _sums(plans: EnvironmentPlans) -> Iterator[Sum]:
    totals = plans.totals
    if not totals.nodes:
        return
    if len(plans.currencies) > 1:
        yield Sum("A month", "no sum", (f"prices are in {listed(plans.currencies)}",))
        return
    if totals.price_per_hour is None:
        yield UNPRICED
        return
    money = Money.of_totals(totals, "*" if plans.has_estimates else "")
    lowest = "At least " if not plans.complete else "From " if plans.may_cost_more else ""
    small = [known_range(money.month_span())]
    small += [f"without {counted(plans.failed, 'environment')} that failed"] if plans.failed else []
    small += [f"without {counted(totals.unpriced_nodes, 'node')} of unknown price"] if totals.unpriced_nodes else []
    yield Sum("A month", f"{lowest}{money.month()}", tuple(filter(None, small)))


def _drivers(plans: EnvironmentPlans) -> Iterator[Driver]:
    """Yield the environments that cost most, where there are several with a price in one currency."""
    whole = plans.totals.price_per_hour
    priced = [(price, of) for of in plans.environments if of.totals and (price := of.totals.price_per_hour)]
    if len(priced) < 2 or not whole:
        return
    for price, of in sorted(priced, key=lambda row: -row[0])[:MOST_CAUSES]:
        if of.totals is not None:
            amount = Money.of_totals(of.totals).month()
            yield Driver(amount, f"is {_spoken(of)}: {counted(of.totals.nodes, 'node')} in {of.region}", price / whole)


def _to_do(plans: EnvironmentPlans) -> Iterator[str]:
    failed = [_spoken(of) for of in plans.environments if of.plan is None]
    if failed:
        yield f"No plan for {first_of(failed, _NAMED)}: the table says why."
    waiting = [of for of in plans.environments if of.totals and of.totals.pending]
    if waiting:
        pods = sum(of.totals.pending for of in waiting if of.totals)
        where = first_of(list(map(_spoken, waiting)), _NAMED)
        yield f"{counted(pods, 'pod')} {'gets' if pods == 1 else 'get'} no node, in {where}; `{waiting[0].command}` says why."
    lacking = [of for of in plans.environments if of.open]
    if lacking:
        count = sum(len(of.open) for of in lacking)
        where = first_of(list(map(_spoken, lacking)), _NAMED)
        yield f"{counted(count, 'input')} {be(count)} not in the plans, in {where}: the table says which."


def _risks(plans: EnvironmentPlans) -> Iterator[str]:
    whole = plans.totals.price_per_hour
    spot = [node for plan in plans.plans for node in plan.nodes if node.capacity_type == SPOT]
    if spot:
        nodes = sum(node.count for node in spot)
        part = money_sum(node.count * (node.price_with_disks or 0.0) for node in spot)
        of_price = f", {percent(part / whole)} of the price" if whole and len(plans.currencies) < 2 else ""
        yield f"{counted(nodes, 'node')} {be(nodes)} spot{of_price}: the cloud may take {'it' if nodes == 1 else 'them'} back."
    warned = [of for of in plans.environments if of.warnings]
    if warned:
        count = sum(of.warnings for of in warned)
        yield f"{counted(count, 'warning')}, the most in {_spoken(max(warned, key=lambda of: of.warnings))}."


def _spoken(of: EnvironmentPlan) -> str:
    """Return the name of an environment within a sentence; that of the folder itself is a dot."""
    return "the folder itself" if of.name == "." else of.name
