"""The differences in all environments of a repository: one row each, and their sum. An environment that fails is a row too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal

from cutlist.core.ledger import OpenInput
from cutlist.core.records import HIDDEN, After, Count, Key, TextOrNull, about, computed
from cutlist.core.wording import counted, first_of
from cutlist.core.written_problems import WrittenProblem
from cutlist.disruption.edits import Reach
from cutlist.planning.inputs import PlanInputs
from cutlist.report.columns import Figure, Figures, count, csv_table
from cutlist.report.environment_tables import NAME, REGION, environments_markdown, environments_text, remark_of
from cutlist.report.page import BAD, GOOD, WARN
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.money import Cents, ChangeRanges, MonthlyPrice, in_usd
from cutlist.verbs.diff.objects import ObjectChange
from cutlist.verbs.diff.price_words import trap_sentence
from cutlist.verbs.diff.shown_prices import ShownPrices, shown_parts
from cutlist.verbs.diff.sides import Side
from cutlist.verbs.diff.words import new_warnings

_NAMED: Final = 2
"""Warnings that a row names."""


class DifferenceState(StrEnum):
    """Whether anything differs in an environment, or that it cannot be compared."""

    SAME = "same"
    DIFFERENT = "different"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EnvironmentDifference:
    """What differs in one environment in short, or why it cannot be compared.

    `replaced` are the planned nodes of the first side that the edits replace, or may replace.
    """

    name: str
    command: Annotated[str, about("What compares it alone.")]
    answer: Annotated[Difference | None, HIDDEN] = None
    replaced: Annotated[Count, about("Planned nodes before that the edits replace, or may replace."), After("warnings")] = 0
    problems: Annotated[tuple[WrittenProblem, ...], about("Why it cannot be compared."), After("open")] = ()

    @property
    @computed(after="command")
    def state(self) -> DifferenceState:
        """Return whether anything differs."""
        if self.answer is None:
            return DifferenceState.FAILED
        return DifferenceState.SAME if self.answer.is_none else DifferenceState.DIFFERENT

    @property
    @computed(after="state")
    def region(self) -> TextOrNull:
        """Return the region of its nodes; empty if it cannot be compared."""
        return "" if self.answer is None else self.answer.comparison.after.region

    @property
    @computed(after="region")
    def month(self) -> Annotated[MonthlyPrice | None, Key("perMonth"), about("What new nodes cost a month, in USD.")]:
        """Return what all its new nodes cost before and after, or None if it cannot be compared."""
        return None if self.answer is None else self.answer.month

    @property
    @computed(after="month")
    def warnings(self) -> Annotated[tuple[str, ...], about("The warnings that only the second plan has.")]:
        """Return what the change does besides what its author may have meant, and the warnings of its plan alone."""
        if self.answer is None:
            return ()
        return (*map(trap_sentence, self.answer.traps), *new_warnings(self.answer.comparison))

    @property
    @computed(after="replaced")
    def open(self) -> Annotated[tuple[OpenInput, ...], about("What bears on its plans and is not in them.")]:
        """Return the inputs that one of its plans says it lacks."""
        return tuple(dict.fromkeys(self._open()))

    def _open(self) -> Iterable[OpenInput]:
        plans = () if self.answer is None else (self.answer.comparison.after, self.answer.comparison.before)
        return (of for plan in plans if plan.inputs is not None for of in plan.inputs.open)

    @property
    def remark(self) -> str:
        """Return why it cannot be compared, else the first new warnings and what is open; empty if there is nothing to say."""
        if self.problems:
            return "; ".join(map(str, self.problems))
        more = len(self.warnings) - _NAMED
        warnings = [*self.warnings[:_NAMED], *([f"and {counted(more, 'more new warning')}"] if more > 0 else [])]
        still_open = first_of([of.what for of in self.open], _NAMED)
        return "; ".join([*warnings, *([f"not in these plans: {still_open}"] if still_open else [])])


@dataclass(frozen=True, slots=True)
class EnvironmentDifferences:
    """The differences in all environments, and their sum over those that can be compared."""

    compared: Annotated[str, about("What was compared with what.")]
    environments: tuple[EnvironmentDifference, ...]
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="compared")
    def is_none(self) -> Annotated[bool, Key("same"), about("Whether each can be compared, and nothing differs.")]:
        """Tell whether nothing differs in any environment."""
        return all(of.state is DifferenceState.SAME for of in self.environments)

    @property
    @computed(after="is_none")
    def failed(self) -> Annotated[Count, about("How many environments cannot be compared.")]:
        """Return how many environments cannot be compared."""
        return sum(of.state is DifferenceState.FAILED for of in self.environments)

    @property
    @computed(after="failed")
    def difference(self) -> Annotated[Cents, about("How much more all cost a month, in USD; null if one is unknown.")]:
        """Return the sum of the differences, or None if one of them is unknown, or no environment can be compared."""
        return self.month.difference

    @property
    def month(self) -> MonthlyPrice:
        """Return what all environments that can be compared cost a month before and after, with the ranges of these sums."""
        months = [of.month for of in self.environments if of.month is not None]
        sides = [of.answer.comparison.sides for of in self.environments if of.answer is not None]
        before, after = ([node for plans in sides for node in plans[side].nodes] for side in (0, 1))
        return MonthlyPrice(
            _sum([month.before for month in months]),
            _sum([month.after for month in months]),
            all(month.is_known for month in months),
            ChangeRanges.of(before, after),
            next((month.currency for month in months), "USD"),
        )

    @property
    def complete(self) -> bool:
        """Tell whether each can be compared, and everything that bears on it is in its plans."""
        return not self.failed and not any(of.open for of in self.environments)

    @property
    def verdict(self) -> str:
        """Return in one line how much more the environments cost."""
        environments = counted(len(self.environments), "environment")
        failed = f"; {self.failed:,} cannot be compared" if self.failed else ""
        if self.failed == len(self.environments):
            return f"Nothing is compared in {environments}"
        if all(of.state is not DifferenceState.DIFFERENT for of in self.environments):
            return f"No change in {counted(len(self.environments) - self.failed, 'environment')}{failed}"
        changed = sum(of.state is DifferenceState.DIFFERENT for of in self.environments)
        change = f"{ShownPrices.of(self.month).difference} a month"
        price = "The same price" if self.difference == 0 else f"{change[:1].upper()}{change[1:]}"
        return f"{price}: {changed:,} of {environments} {'changes' if changed == 1 else 'change'}{failed}"


def replaced_nodes(before: Side, objects: Iterable[ObjectChange]) -> int:
    """Return how many planned nodes of a side are of a NodePool that edits replace nodes of, or may: its own or its class's."""
    if before.inputs is None:
        return 0
    reached = {(change.kind, change.name) for change in objects if change.reach is not Reach.NONE}
    pools = _reached_pools(before.inputs, reached)
    return sum(node.count for node in before.make().nodes if node.node_pool in pools)


def _reached_pools(inputs: PlanInputs, reached: AbstractSet[tuple[str, str]]) -> frozenset[str]:
    return frozenset(
        pool.name
        for pool in inputs.node_pools
        if reached & {(pool.KIND, pool.name), (pool.node_class_ref.kind, pool.node_class_ref.name)}
    )


def _sum(amounts: list[int | None]) -> int | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known and len(known) == len(amounts) else None


def _amount(shown: Mapping[str, ShownPrices], title: str, name: str, of: str) -> Figure[EnvironmentDifference]:
    return Figure(
        title,
        lambda row: getattr(shown[row.name], of) if row.name in shown else "-",
        "right",
        name=name,
        exact=lambda row: None if row.month is None else in_usd(getattr(row.month, of)),
    )


def _table(answer: EnvironmentDifferences) -> Figures[EnvironmentDifference]:
    """Return the columns, in which prices add up as they are shown."""
    compared = {of.name: of.month for of in answer.environments if of.month is not None}
    shown = dict(zip(compared, shown_parts(answer.month, list(compared.values())), strict=True))
    return (
        NAME,
        REGION,
        _amount(shown, "before", "usd_per_month_before", "before"),
        _amount(shown, "now", "usd_per_month_now", "after"),
        _amount(shown, "difference", "usd_per_month_change", "difference"),
        count("warnings", lambda row: None if row.answer is None else len(row.warnings), "new_warnings"),
        count("replaced", lambda row: None if row.answer is None else row.replaced, "replaced_nodes"),
        count("open", lambda row: None if row.answer is None else len(row.open), "open"),
    )


_REMARK: Final = remark_of("new warnings, what is open, or why it cannot be compared", "remark")


def render_environments(answer: EnvironmentDifferences, width: int = 100, colour: bool = False) -> str:
    """Return the differences as text of at most `width` columns, with colour if asked. Ends in a newline."""
    style = BAD if answer.failed else GOOD if answer.is_none else WARN
    return environments_text(
        (answer.verdict, style),
        _table(answer),
        answer.environments,
        one=("diff", "every change in one"),
        note=answer.compared.rstrip("."),
        width=width,
        colour=colour,
    )


def markdown(answer: EnvironmentDifferences) -> str:
    """Return the differences as Markdown. Ends in a newline."""
    return environments_markdown(answer.verdict, (*_table(answer), _REMARK), answer.environments)


def csv(answer: EnvironmentDifferences) -> str:
    """Return a row for each environment."""
    return csv_table((*_table(answer), _REMARK), answer.environments)
