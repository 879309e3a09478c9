"""Suggestions for a fleet in words: sentences that several forms share."""

from __future__ import annotations

from cutlist.core.wording import counted
from cutlist.planning.model import HOURS_PER_MONTH
from cutlist.report.plain import per_month, percent
from cutlist.verbs.suggest.fleet import EnvironmentState, EnvironmentSuggestions, FleetSuggestions


def fleet_verdict(fleet: FleetSuggestions) -> str:
    """Return in one line what may be saved in the whole fleet."""
    prices, environments = fleet.prices, counted(fleet.answered, "environment")
    if not fleet.answered:
        return "No environment has an answer"
    now = f"${per_month(prices.now * HOURS_PER_MONTH)}"
    if prices.saving <= 0:
        return f"{now} a month in {environments}, and nothing cheaper was found"
    saving = f"${per_month(prices.saving * HOURS_PER_MONTH)}"
    return f"{saving} a month less in {environments}: {percent(prices.part_saved)} of {now}"


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
    return "; ".join(environment.edits) or "nothing changes"
