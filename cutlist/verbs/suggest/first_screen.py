"""What the page of suggestions says first: what is saved, by which edits, and what is given up for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cutlist.core.wording import counted
from cutlist.report.estimates import Money
from cutlist.report.html.deltas import Delta
from cutlist.report.html.first import Sum
from cutlist.report.plain import per_month, percent
from cutlist.verbs.suggest.amounts import EQUAL, LEAST, mean_of, mean_of_best, month_of
from cutlist.verbs.suggest.opening import running_sentence
from cutlist.verbs.suggest.risk_words import gives_up
from cutlist.verbs.suggest.suggestions import Suggestions
from cutlist.verbs.suggest.usage_words import usage_lead


@dataclass(frozen=True, slots=True)
class SuggestFirst:
    """The first screen of suggestions: its title, sums, and sentences on what is given up."""

    title: str
    sums: tuple[Sum, ...]
    sentences: tuple[str, ...]

    @staticmethod
    def of(suggestions: Suggestions) -> SuggestFirst:
        """Return the first screen of suggestions."""
        sentences = (running_sentence(suggestions), usage_lead(suggestions), gives_up(suggestions))
        return SuggestFirst(_title(suggestions), tuple(_sums(suggestions)), tuple(filter(None, sentences)))


def _saved(suggestions: Suggestions) -> float:
    return (suggestions.before.lasting or 0.0) - (suggestions.best.figures.lasting or 0.0)


def _title(suggestions: Suggestions) -> str:
    """Return what may be saved, as a part of the price: the amounts stand below."""
    best, whole = suggestions.best, suggestions.before.lasting or 1.0
    if not best.written:
        return "Time was over before the search" if suggestions.outlook.unplanned else "Nothing cheaper was found"
    saved, edits = _saved(suggestions), f"with {counted(best.edit_count, 'edit')}" if best.edit_count else "by measured use"
    if saved > LEAST * whole:
        return f"{percent(saved / whole)} less a month {edits}"
    if saved < -EQUAL * whole:
        return f"{percent(-saved / whole)} more a month, as measured use exceeds requests"
    mean, before = best.expected, suggestions.outlook.expected
    if before and mean < before * (1 - EQUAL):
        return f"{percent(1 - mean / before)} less a month on average {edits}, about as much as now with today's pods"
    return f"About as much as now, {edits}"


def _sums(suggestions: Suggestions) -> Iterator[Sum]:
    best, current = suggestions.best, suggestions.before
    if not best.written:
        yield Sum("A month with today's pods", month_of(suggestions, current))
        yield Sum("A month on average", mean_of(suggestions, suggestions.outlook.expected), (_over(suggestions),))
    else:
        then, now = month_of(suggestions, best.figures), month_of(suggestions, current)
        if then == now:
            yield Sum("A month with today's pods", then, ("about as much as now",))
        else:
            yield Sum("A month with today's pods, then", then, (), _difference(suggestions))
            yield Sum("Now", now)
        average = f"{_over(suggestions)}; now {mean_of(suggestions, suggestions.outlook.expected)}"
        yield Sum("A month on average, then", mean_of_best(suggestions), (average,))
    lost, was = best.figures.lost_with_node, suggestions.current.lost_with_node
    pods = f"{was:,}" if lost == was else f"{was:,} → {lost:,}"
    yield Sum("Pods lost with the fullest node", pods, (), None, "warn" if lost > was else "")


def _over(suggestions: Suggestions) -> str:
    return f"over {counted(sum(of.weight > 0 for of in suggestions.outlook.scenarios), 'scenario')}"


def _difference(suggestions: Suggestions) -> Delta | None:
    saved = _saved(suggestions)
    if abs(saved) <= EQUAL * (suggestions.before.lasting or 1.0):
        return None
    best, current = suggestions.best.figures, suggestions.before
    of = current.deviations.minus(best.deviations).around(saved)
    money = Money(abs(saved), of if saved > 0 else None, suggestions.currency)
    ends = f" ({money.month_span()})" if money.of is not None else ""
    doubt = ", which is within the error of estimated prices" if of is not None and of.low <= 0 else ""
    return Delta(f"{money.month(per_month)} a month {'less' if saved > 0 else 'more'}{ends}{doubt}", saved < 0, saved > 0)
