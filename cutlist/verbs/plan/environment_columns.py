"""The figures of all environments' plans, and the columns that each form has of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from cutlist.core.wording import counted, listed
from cutlist.planning.model import Totals
from cutlist.report.columns import Figure, Figures, count, csv_table, in_currency, only_csv
from cutlist.report.csv import Cell
from cutlist.report.environment_tables import NAME, REGION, remark_of
from cutlist.report.estimates import Money, total_month
from cutlist.verbs.plan.environments import EnvironmentPlans, PlanRow, plan_rows

_Figure = Figure[PlanRow]


def _count(title: str, value: Callable[[Totals], int], name: str) -> _Figure:
    """Return a number of things of a plan."""
    return count(title, lambda row: None if row.totals is None else value(row.totals), name)


def _month(row: PlanRow) -> str:
    if row.totals is None:
        return "-"
    price = row.totals.price_per_month
    lowest = "" if row.is_complete else "at least "
    return f"{lowest}unknown" if price is None else lowest + Money.of_totals(row.totals).month_cell()


def _month_with_currency(row: PlanRow) -> str:
    if row.totals is None or row.totals.price_per_month is None:
        return _month(row) if row.region else "-"
    return f"{Money.of_totals(row.totals).sign}{_month(row)}"


def _exact_month(row: PlanRow) -> Cell:
    return None if row.totals is None else row.totals.price_per_month


def _open(row: PlanRow) -> str:
    return "failed" if row.is_failed else f"{row.open:,}"


_NODES: Final = _count("nodes", lambda totals: totals.nodes, "nodes")
_MONTH: Final[_Figure] = Figure(
    "$/month",
    _month,
    "right",
    name="usd_per_month",
    exact=_exact_month,
    estimated=lambda row: row.is_estimated,
    page_class="n top",
)
_PENDING: Final = _count("pending", lambda totals: totals.pending, "pending_pods")
_WARNINGS: Final[_Figure] = count("warnings", lambda row: None if row.totals is None else row.warnings, "warnings")
_OPEN: Final[_Figure] = Figure("open", _open, "right", 0, "", "open", lambda row: row.open, page_class="n")
_REMARK: Final = remark_of("what is open, or why there is no plan", "open_or_reason")

SUMS: Final[Figures[PlanRow]] = (_NODES, _MONTH, _PENDING, _WARNINGS, _OPEN)
"""The figures of all environments together, as in the row of each."""
TEXT: Final[Figures[PlanRow]] = (NAME, REGION, *SUMS)
COMMENT: Final[Figures[PlanRow]] = (*TEXT, _REMARK)
PAGE: Final[Figures[PlanRow]] = COMMENT


def in_currencies(figures: Figures[PlanRow], plans: EnvironmentPlans) -> Figures[PlanRow]:
    """Return the figures with the currency of all prices in the title, or of each price beside it if there are several."""
    if len(plans.currencies) <= 1:
        return in_currency(figures, next(iter(plans.currencies), "USD"))
    is_estimated = lambda row: row.is_estimated and bool(row.region)  # noqa: E731 - the sum of all has no amount
    each = replace(_MONTH, title="a month", show=_month_with_currency, estimated=is_estimated)
    return tuple(each if figure is _MONTH else figure for figure in figures)


_STATE: Final[_Figure] = only_csv("state", lambda row: "failed" if row.is_failed else "planned")
_COMPLETE: Final[_Figure] = only_csv("complete", lambda row: "yes" if row.is_complete else "no")
_CSV: Final[Figures[PlanRow]] = (NAME, REGION, _STATE, _NODES, _MONTH, _COMPLETE, _PENDING, _WARNINGS, _OPEN, _REMARK)


def environments_csv(plans: EnvironmentPlans) -> str:
    """Return a row for each environment, and one with the sums."""
    return csv_table(_CSV, plan_rows(plans))


def verdict(plans: EnvironmentPlans) -> str:
    """Return in one line what all environments cost."""
    totals, environments = plans.totals, counted(len(plans.environments), "environment")
    if not plans.planned:
        return f"No plan for {environments}" if len(plans.environments) != 1 else "No plan for the only environment"
    lowest = "At least " if not plans.complete else "From " if plans.may_cost_more else ""
    mark = "*" if plans.has_estimates else ""
    price = totals.price_per_month
    if len(plans.currencies) > 1:
        nodes, pods = counted(totals.nodes, "node"), counted(plans.pods_on_new_nodes, "pod")
        return f"Prices in {listed(plans.currencies)}: {nodes} for {pods} in {environments}"
    cost = "unknown price" if price is None else f"{lowest}{total_month(totals, mark)}"
    nodes, pods = counted(totals.nodes, "node"), counted(plans.pods_on_new_nodes, "pod")
    return f"{cost[:1].upper()}{cost[1:]}: {nodes} for {pods} in {environments}"


def estimate_sentence(plans: EnvironmentPlans) -> str:
    """Return what the star of a price means; empty if no price has one."""
    return "* partly estimated; the plan of each environment says from what" if plans.has_estimates else ""


def state_sentence(plans: EnvironmentPlans) -> str:
    """Return how many environments have no plan; empty if all have one."""
    return f"{counted(plans.failed, 'environment')} failed" if plans.failed else ""
