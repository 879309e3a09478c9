"""Budgets from sentences: what to write into a NodePool, and the week that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_fields import Budget, Disruption
from cutlist.core.errors import Place, Problems
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.records import HIDDEN, After
from cutlist.disruption.budget_calendar import BudgetCalendar, budget_calendar
from cutlist.disruption.budget_sentences import BudgetSentence, SentenceError, read_sentence
from cutlist.disruption.budget_writing import Written, written_budgets
from cutlist.disruption.reasons import budget_reasons
from cutlist.settings.budgets import WRITE


@dataclass(frozen=True, slots=True)
class WrittenBudget:
    """A budget as a NodePool has it; null where it leaves a member out."""

    nodes: str
    reasons: tuple[str, ...] | None
    schedule: str | None
    duration: str | None


@dataclass(frozen=True, slots=True)
class WrittenBudgets:
    """The budgets that do what sentences say, with notes on the conversion to UTC, and a week of them."""

    sentences: tuple[str, ...]
    budgets: tuple[WrittenBudget, ...]
    notes: tuple[str, ...]
    week: Annotated[BudgetCalendar, HIDDEN]
    version: Annotated[Literal[1], After("")] = 1


def write_budgets(sentences: Sequence[str], start: float, karpenter: Baseline = DEFAULT) -> WrittenBudgets:
    """Return the budgets that do what sentences say together; `cutlist.disruption.budget_sentences` has their grammar.

    `start` is the begin of the shown week, in seconds since 1970; time zones have the offsets of the year from then on. Raises
    InputError with every sentence that cannot be read.

    >>> from cutlist.verbs.budgets.writing import write_budgets
    >>> written = write_budgets(["drift only Monday 1 to 5"], start=1767571200.0)
    >>> [(budget.nodes, budget.schedule, budget.duration) for budget in written.budgets]
    [('10%', None, None), ('0', '0 5 * * mon', '164h')]
    """
    problems, place = Problems(), Place.of(WRITE)
    read: list[BudgetSentence] = []
    for text in sentences:
        try:
            read.append(read_sentence(text))
        except SentenceError as error:
            problems.add(place, str(error), error.allowed, error.nearest)
    known = budget_reasons(karpenter)
    for sentence in (sentence for sentence in read if not set(sentence.reasons) <= set(known)):
        text = f"{sentence.text!r} is about repair, which Karpenter {karpenter.minor} has no budget for"
        problems.add(place, text, ", ".join(known))
    problems.raise_if_any()
    written = Written((), ())
    try:
        written = written_budgets(read, start)
    except SentenceError as error:
        problems.add(place, str(error), error.allowed)
    problems.raise_if_any()
    week = budget_calendar(_pool(written.budgets), None, start, karpenter)
    return WrittenBudgets(tuple(sentences), tuple(map(_written, written.budgets)), written.notes, week)


def _written(budget: Budget) -> WrittenBudget:
    reasons = None if budget.reasons is None else tuple(budget.reasons)
    return WrittenBudget(budget.nodes, reasons, budget.schedule, budget.duration)


def _pool(budgets: tuple[Budget, ...]) -> NodePool:
    """Return a NodePool with these budgets, whose nodes never expire."""
    return NodePool(name="any", node_class="any", disruption=Disruption(budgets=budgets), expire_after="Never")
