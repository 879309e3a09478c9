"""What suggestions save, now and on average over the scenarios, in words."""

from __future__ import annotations

from cutlist.core.wording import counted
from cutlist.report.estimates import Money
from cutlist.report.plain import per_month, percent
from cutlist.verbs.suggest.amounts import EQUAL, LEAST, mean_of, mean_of_best, month_of, part_in_words
from cutlist.verbs.suggest.suggestions import Suggestions


def verdict(suggestions: Suggestions) -> str:
    """Return in one line what may be saved."""
    best, current = suggestions.best, suggestions.before
    if not best.written:
        found = "time was over before the search" if suggestions.outlook.unplanned else "nothing cheaper was found"
        return _sentence(f"{month_of(suggestions, current)} a month, and {found}")
    saved = (current.lasting or 0.0) - (best.figures.lasting or 0.0)
    whole = current.lasting or 1.0
    if saved > LEAST * whole:
        return _verdict_now(suggestions, saved, percent(saved / whole))
    if suggestions.usage is not None and saved < -EQUAL * whole:
        both = f"{month_of(suggestions, best.figures)} instead of {month_of(suggestions, current)}"
        return _sentence(f"{mean_of(suggestions, -saved)} a month more, as measured use exceeds requests: {both}")
    return _verdict_on_average(suggestions)


def _verdict_now(suggestions: Suggestions, saved: float, part: str) -> str:
    best, current = suggestions.best.figures, suggestions.before
    instead = f"{month_of(suggestions, best)} instead of {month_of(suggestions, current)}"
    of = current.deviations.minus(best.deviations).around(saved)
    money = Money(saved, of, suggestions.currency)
    span = f" ({money.month_span()})" if of is not None else ""
    doubt = ", which is within the error of estimated prices" if of is not None and of.low <= 0 else ""
    return _sentence(f"{money.month(per_month)} a month less{span}{doubt}: {instead} ({part})")


def _verdict_on_average(suggestions: Suggestions) -> str:
    """Return what is saved on average over the scenarios by an option that saves hardly anything now."""
    best, before = suggestions.best.expected, suggestions.outlook.expected
    saved = before - best
    if saved <= EQUAL * before:
        return _sentence(f"{month_of(suggestions, suggestions.best.figures)} a month, about as much as now")
    current, then = suggestions.current, suggestions.best.figures
    of = current.deviations.minus(then.deviations).around(saved)
    doubt = ", which is within the error of estimated prices" if of is not None and of.low <= 0 else ""
    less = f"{mean_of(suggestions, saved)} a month less on average{doubt}, and about as much as now with today's pods"
    return _sentence(f"{less}: {part_saved(best, before)} over the scenarios")


def mean_sentence(suggestions: Suggestions) -> str:
    """Return what the recommended option costs on average over the scenarios, and in the most expensive of them."""
    best, outlook = suggestions.best, suggestions.outlook
    each = (best.figures, *best.elsewhere)
    number = outlook.most_expensive(each) if len(each) == len(outlook.scenarios) else None
    if number is None:
        return ""
    settled = "" if best.figures.settled is None else ", once Karpenter has settled,"
    over = f"On average over {counted(sum(of.weight > 0 for of in outlook.scenarios), 'scenario')}{settled}"
    most = outlook.scenarios[number]
    what = "at worst, as it is now," if most.is_now else f"at worst, in the scenario {most.what!r},"
    mean, before = mean_of_best(suggestions), mean_of(suggestions, outlook.expected)
    worst, then = month_of(suggestions, each[number]), month_of(suggestions, outlook.today[number])
    if not best.pools:
        by_use = "" if suggestions.usage is None else " by measured use"
        return f"{over} {mean} a month{by_use}; {what} {worst}."
    saved = part_saved(best.expected, outlook.expected)
    both = "" if suggestions.usage is None else ", both by measured use"
    return f"{over} {mean} a month instead of {before} ({saved}{both}); {what} {worst} instead of {then}."


def part_saved(then: float, before: float) -> str:
    """Return which part of a price is saved: `12%`, `less than 1%`."""
    saved = 1 - then / before if before else 0.0
    if saved > EQUAL:
        return part_in_words(saved)
    return "as much as today" if saved >= -EQUAL else f"{percent(-saved)} more"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
