"""Suggested NodePools in words: sentences that several forms share."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.report.estimates import Money
from cutlist.report.plain import per_month, percent
from cutlist.settings.suggest import PLANS, SECONDS
from cutlist.verbs.rightsizing import UsageSavings
from cutlist.verbs.suggest.answer import Suggestions

LIMITS: Final = "The limits fit the current replicas: with more of them, nodes and price differ."
"""What holds of an option that sets limits."""


def verdict(suggestions: Suggestions) -> str:
    """Return in one line what may be saved."""
    best, current = suggestions.options[suggestions.recommended].figures, suggestions.current
    saved = (current.price or 0.0) - (best.price or 0.0)
    if saved <= 0:
        now = _monthly(current)
        return f"{now[:1].upper()}{now[1:]} a month, and nothing cheaper was found"
    part, instead = percent(saved / (current.price or 1.0)), f"{_monthly(best)} instead of {_monthly(current)}"
    of = current.deviations.minus(best.deviations).around(saved)
    if of is None:
        return f"${per_month(saved * HOURS_PER_MONTH)} a month less: {instead} ({part})"
    doubt = ", which is within the error of estimated prices" if of.low <= 0 else ""
    money = Money(saved, of)
    less = f"{money.month()} a month less ({money.month_span()}){doubt}: {instead} ({part})"
    return f"{less[:1].upper()}{less[1:]}"


def bound_sentence(suggestions: Suggestions) -> str:
    """Return the bound, and how far the prices are above it."""
    best = suggestions.options[suggestions.recommended].figures
    kind = "" if suggestions.bound_kind == "linear" else f" ({suggestions.bound_kind} bound)"
    current = suggestions.current
    least = Money(current.price or 0.0, current.price_range).part(suggestions.bound).month()
    bound = f"No packing on nodes that are allowed costs less than {least} a month{kind}"
    now, then = (suggestions.above_bound(figures) for figures in (suggestions.current, best))
    return f"{bound}." if now is None else f"{bound}: the plan is {percent(now)} above that now, and {percent(then)} then."


def search_sentence(suggestions: Suggestions) -> str:
    """Return how the options were found."""
    ended = (
        "nothing further was found" if suggestions.is_complete else f"more plans may find more ({PLANS.flag}, {SECONDS.flag})"
    )
    sentence = f"{counted(suggestions.plans, 'plan')} made; {ended}. Each price is that of `cutlist plan` for these NodePools"
    buffers = suggestions.options[0].buffers
    if not buffers:
        return f"{sentence}."
    spare = f"room for {buffers[0].percentage}% more pods of each workload"
    return f"{sentence} and CapacityBuffers: each plan, including the current one, keeps {spare}."


def _monthly(figures: CostAndRisk) -> str:
    return Money(figures.price or 0.0, figures.price_range).month(per_month)


def usage_sentences(usage: UsageSavings) -> list[str]:
    """Return what requests by use save, which of them matter, and which measurements have no object."""
    before, after = ((f.price or 0.0) * HOURS_PER_MONTH for f in (usage.before, usage.after))
    change = f"${per_month(before)} a month as written, ${per_month(after)} by use"
    sentences = [f"{counted(len(usage.changes), 'request')} of {counted(len(usage.workloads), 'workload')} change: {change}"]
    mattering = [w for w in usage.workloads if w.price]
    for workload in mattering:
        verb = "saves" if workload.price > 0 else "costs"
        nodes = (
            f", {counted(abs(workload.nodes), 'node')} {'fewer' if workload.nodes > 0 else 'more'}" if workload.nodes else ""
        )
        money = f"${per_month(abs(workload.price) * HOURS_PER_MONTH)} a month"
        sentences.append(f"{workload.workload}: changing {counted(workload.requests, 'request')} alone {verb} {money}{nodes}")
    rest = [w for w in usage.workloads if not w.price]
    if rest:
        requests = counted(sum(w.requests for w in rest), "request")
        sentences.append(
            f"{requests} of {counted(len(rest), 'workload')} save nothing when changed alone: no node is cheaper or fewer"
        )
    if usage.not_apart:
        sentences.append(f"{counted(usage.not_apart, 'more workload')} not planned apart")
    if usage.unknown:
        sentences.append(f"measured, and not in the input: {', '.join(usage.unknown)}")
    return sentences
