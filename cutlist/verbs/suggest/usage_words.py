"""What requests by measured use save and risk, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.wording import counted
from cutlist.report.estimates import Money
from cutlist.report.plain import per_month, percent
from cutlist.verbs.rightsizing import UsageSavings
from cutlist.verbs.suggest.amounts import rounded
from cutlist.verbs.suggest.edit_words import NOTHING
from cutlist.verbs.suggest.suggestions import Suggestions
from cutlist.workloads.usage.measured import MEMORY

_SHOWN: Final = 3
"""How many requests are named."""


def usage_lead(suggestions: Suggestions) -> str:
    """Return what requests by measured use save and what the NodePools save beyond that; empty without use."""
    usage = suggestions.usage
    if usage is None or usage.before.price is None or usage.after.price is None:
        return ""
    requests = usage.before.price - usage.after.price
    pools = usage.after.price - (suggestions.best.figures.price or 0.0)
    first, second = (
        f"{'save' if saved > 0 else 'cost'} {rounded(suggestions, abs(saved)).month(per_month)} a month"
        if abs(saved) >= NOTHING
        else "save nothing with today's pods"
        for saved in (requests, pools)
    )
    beyond = f"the NodePools {second} beyond that" if suggestions.best.pools else "the NodePools stay as they are"
    sentence = f"Requests by measured use {first}, and {beyond}."
    return " ".join(filter(None, (sentence, risk_sentence(usage))))


def risk_sentence(usage: UsageSavings) -> str:
    """Return how much of the measured use exceeds the new requests, and how far memory is from the most that was measured."""
    if not usage.risks:
        return ""
    below = [risk for risk in usage.risks if risk.request < risk.p99]
    of = f"of {counted(len(usage.risks), 'request')}"
    high = (
        f"{len(below) or 'none'} {of} {'are' if len(below) > 1 else 'is'} below the 99th percentile of "
        f"{'their' if len(below) > 1 else 'its'} use"
    )
    named = f" ({', '.join(f'{risk.container} {risk.resource}' for risk in below[:_SHOWN])})" if below else ""
    margins = [risk.request / risk.most - 1 for risk in usage.risks if risk.resource == MEMORY and risk.most]
    if not margins:
        return f"Risk: {high}{named}."
    margin = min(margins)
    memory = f"{percent(abs(margin))} {'above' if margin >= 0 else 'below'} the most that was measured"
    return f"Risk: {high}{named}; requests of memory are {'at least' if margin >= 0 else 'up to'} {memory}."


def usage_sentences(suggestions: Suggestions) -> list[str]:
    """Return what requests by use save, which of them matter, and which measurements have no object; nothing without use."""
    usage = suggestions.usage
    return [] if usage is None else list(_usage_sentences(usage, suggestions.money))


def _usage_sentences(usage: UsageSavings, whole: Money) -> Iterator[str]:
    before, after = (whole.part(figures.price or 0.0).month(per_month) for figures in (usage.before, usage.after))
    change = f"{before} a month as written, {after} by use"
    changes = "changes" if len(usage.changes) == 1 else "change"
    yield f"{counted(len(usage.changes), 'request')} of {counted(len(usage.workloads), 'workload')} {changes}: {change}"
    for workload in (w for w in usage.workloads if w.price):
        verb = "saves" if workload.price > 0 else "costs"
        nodes = (
            f", {counted(abs(workload.nodes), 'node')} {'fewer' if workload.nodes > 0 else 'more'}" if workload.nodes else ""
        )
        money = f"{whole.part(abs(workload.price)).month(per_month)} a month"
        yield f"{workload.workload}: changing {counted(workload.requests, 'request')} alone {verb} {money}{nodes}"
    rest = [w for w in usage.workloads if not w.price]
    if rest:
        count = sum(w.requests for w in rest)
        save = f"{'saves' if count == 1 else 'save'} nothing when changed alone: no node is cheaper or fewer"
        yield f"{counted(count, 'request')} of {counted(len(rest), 'workload')} {save}"
    if usage.not_apart:
        yield f"{counted(usage.not_apart, 'more workload')} not planned apart"
    if usage.unknown:
        yield f"measured, and not in the input: {', '.join(usage.unknown)}"
