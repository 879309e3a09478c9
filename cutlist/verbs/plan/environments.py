"""The plans of all environments of a repository: one row each, and their sums. An environment that fails is a row too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal

from cutlist.catalog.ages import PriceAge
from cutlist.core.errors import Problem
from cutlist.core.ledger import OpenInput
from cutlist.core.records import HIDDEN, After, Count, TextOrNull, about, computed
from cutlist.core.written_problems import WrittenProblem
from cutlist.planning.model import Plan, Totals


class EnvironmentState(StrEnum):
    """Whether an environment has a plan."""

    PLANNED = "planned"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EnvironmentPlan:
    """The plan of one environment in short, or why it has no plan. A stack with several regions has a plan for each."""

    name: str
    command: Annotated[str, about("What plans it alone.")]
    plan: Annotated[Plan | None, HIDDEN] = None
    problems: Annotated[tuple[WrittenProblem, ...], about("Why there is no plan."), After("open")] = ()

    @property
    @computed(after="command")
    def state(self) -> EnvironmentState:
        """Return whether it has a plan."""
        return EnvironmentState.FAILED if self.plan is None else EnvironmentState.PLANNED

    @property
    @computed(after="state")
    def region(self) -> TextOrNull:
        """Return the region of its nodes; empty without a plan."""
        return "" if self.plan is None else self.plan.region

    @property
    @computed(after="region")
    def totals(self) -> Annotated[Totals | None, about("The sums of its plan; null without one.")]:
        """Return nodes, pods and money as in its plan alone, or None if it has mistakes instead."""
        return None if self.plan is None else self.plan.totals

    @property
    @computed(after="totals")
    def complete(self) -> Annotated[bool, about("Whether there is a plan, and everything that bears on it is in it.")]:
        """Tell whether there is a plan, and everything in the files that bears on it is in it."""
        return self.plan is not None and self.plan.is_complete

    @property
    @computed(after="complete")
    def warnings(self) -> Annotated[Count, about("How many warnings its plan has; 0 without one.")]:
        """Return how many warnings its plan has, as of the day from which calendars count."""
        return 0 if self.plan is None else len(self.plan.warnings)

    @property
    @computed(after="warnings")
    def open(self) -> Annotated[tuple[OpenInput, ...], about("What bears on its plan and is not in it.")]:
        """Return the inputs that its plan says it lacks; nothing without a plan, whose mistakes say more."""
        return () if self.plan is None or self.plan.inputs is None else self.plan.inputs.open


@dataclass(frozen=True, slots=True)
class EnvironmentPlans:
    """The plans of all environments in short, and the sums of those that have one."""

    environments: tuple[EnvironmentPlan, ...]
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="version")
    def planned(self) -> Count:
        """Return how many rows have a plan."""
        return len(self.plans)

    @property
    @computed(after="planned")
    def failed(self) -> Count:
        """Return how many environments have mistakes in place of a plan."""
        return len(self.environments) - len(self.plans)

    @property
    @computed(after="environments")
    def totals(self) -> Annotated[Totals, about("The sums of all plans.")]:
        """Return nodes, pods and money over the environments that have a plan; the others count nothing. Prices in several
        currencies have no sum."""
        plans = self.plans
        totals = Totals.of(
            [node for plan in plans for node in plan.nodes],
            [pods for plan in plans for pods in plan.pending],
            [node for plan in plans for node in plan.existing],
            [group for plan in plans for group in plan.node_groups],
        )
        return totals if len(self.currencies) < _SEVERAL else totals.without_price

    @property
    def currencies(self) -> tuple[str, ...]:
        """Return the currencies of all prices."""
        return tuple(sorted({plan.totals.currency or "USD" for plan in self.plans if plan.nodes}))

    @property
    def pods_on_new_nodes(self) -> int:
        """Return how many pods get one of the new nodes of all plans."""
        return sum(plan.pods_on_new_nodes for plan in self.plans)

    @property
    @computed(after="totals")
    def complete(self) -> Annotated[bool, about("Whether each has a plan, and everything that bears on it is in it.")]:
        """Tell whether every environment has a plan, and everything that bears on it is in it."""
        return all(environment.complete for environment in self.environments)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Return the plans in the order of their environments; those without one are left out."""
        return tuple(environment.plan for environment in self.environments if environment.plan is not None)

    @property
    def may_cost_more(self) -> bool:
        """Tell whether the price of some plan is a lower bound."""
        return any(plan.may_cost_more for plan in self.plans)

    @property
    def has_estimates(self) -> bool:
        """Tell whether the price of some node is an estimate."""
        return any(plan.has_estimates for plan in self.plans)

    @property
    def price_ages(self) -> tuple[PriceAge | None, ...]:
        """Return for each plan which prices are old."""
        return tuple(plan.shown_age for plan in self.plans)

    @property
    def has_pending_pods(self) -> bool:
        """Tell whether any plan leaves pods without a node."""
        return any(plan.pending for plan in self.plans)


ALL: Final = "all"
_SEVERAL: Final = 2


@dataclass(frozen=True, slots=True)
class PlanRow:
    """An environment as a row of a table, or all of them."""

    name: str
    region: str
    totals: Totals | None
    is_complete: bool
    open: int
    warnings: int = 0
    is_estimated: bool = False
    remark: str = ""
    is_failed: bool = False


def plan_rows(plans: EnvironmentPlans) -> list[PlanRow]:
    """Return the environments as rows, the last for all of them."""
    rows = [_row(environment) for environment in plans.environments]
    still_open = sum(row.open for row in rows)
    totals = plans.totals if plans.planned else None
    warned = sum(row.warnings for row in rows)
    return [*rows, PlanRow(ALL, "", totals, plans.complete, still_open, warned, plans.has_estimates)]


def _row(of: EnvironmentPlan) -> PlanRow:
    is_estimated = of.plan is not None and of.plan.has_estimates
    why = remark(of.plan, of.problems)
    return PlanRow(of.name, of.region, of.totals, of.complete, len(of.open), of.warnings, is_estimated, why, of.plan is None)


def remark(plan: Plan | None, problems: Sequence[Problem]) -> str:
    """Return why there is no plan, else what is open; empty if nothing is."""
    if plan is None:
        return "; ".join(map(str, problems))
    return "" if plan.inputs is None else plan.inputs.open_sentence
