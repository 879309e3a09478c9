"""Suggestions for a fleet in words: sentences that several forms share."""

from __future__ import annotations

from cutlist.core.wording import counted
from cutlist.report.plain import per_month, percent
from cutlist.verbs.suggest.fleet import EnvironmentState, EnvironmentSuggestions, FleetSuggestions


def fleet_verdict(fleet: FleetSuggestions) -> str:
    """Return in one line what may be saved in the whole fleet."""
    prices, environments = fleet.prices, counted(fleet.answered, "environment")
    if not fleet.answered:
        return "No environment has an answer"
    if prices is None:
        return f"{environments[:1].upper()}{environments[1:]} in several currencies, which have no sum"
    whole = prices.money
    if prices.saving <= 0:
        now = whole.month(per_month)
        return f"{now[:1].upper()}{now[1:]} a month in {environments}, and nothing cheaper was found"
    saving = whole.part(prices.saving).month(per_month)
    less = f"{saving} a month less in {environments}: {percent(prices.part_saved)} of {whole.month(per_month)}"
    span = f" ({whole.month_span()})" if prices.price_range is not None else ""
    return f"{less[:1].upper()}{less[1:]}{span}"


def state_sentence(fleet: FleetSuggestions) -> str:
    """Return how many environments have no answer; empty if all have one."""
    counts = (
        (fleet.failed, "failed"),
        (fleet.not_computed, "not computed: the work was ended before"),
    )
    return "; ".join(f"{counted(count, 'environment')} {what}" for count, what in counts if count)


def remark(environment: EnvironmentSuggestions) -> str:
    """Return the edits of an environment in one line, or why it has no answer."""
    if environment.state is EnvironmentState.FAILED:
        return "failed: " + "; ".join(map(str, environment.problems))
    if environment.answer is None:
        return "not computed"
    usage = environment.answer.usage
    by_use = [f"{counted(usage.requests, 'request')} by measured use"] if usage is not None and usage.requests else []
    return "; ".join((*by_use, *environment.edits)) or "nothing changes"
