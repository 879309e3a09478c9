"""How options were searched for, and what was found and is not offered, in words."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.settings.suggest import ALLOW, ARM64, PLANS, SECONDS, SHOW_REFUSED
from cutlist.verbs.suggest.amounts import mean_of
from cutlist.verbs.suggest.edit_words import short_edit
from cutlist.verbs.suggest.suggestions import Refusal, Suggestions
from cutlist.verbs.suggest.variants import ARM64_ALLOWED

_SHOWN: Final = 3
"""How many edits of a refused option are named."""


def search_sentence(suggestions: Suggestions) -> str:
    """Return how the options were found."""
    made = _how_far(suggestions)
    refused = len(suggestions.refused)
    stopped = f"; {counted(refused, 'cheaper option')} would break a rule ({SHOW_REFUSED.flag})" if refused else ""
    sentence = f"{made}{stopped}. Each price is that of `cutlist plan` for these NodePools"
    buffers, dropped = suggestions.options[0].buffers, f"{left_pending_sentence(suggestions)}{_arm64_sentence(suggestions)}"
    if not buffers:
        return f"{sentence}.{dropped}"
    spare = f"room for {buffers[0].percentage}% more pods of each workload"
    return f"{sentence} and CapacityBuffers: each plan, including the current one, keeps {spare}.{dropped}"


def _how_far(suggestions: Suggestions) -> str:
    """Return how many candidates were planned, and why no more."""
    planned, outlook = counted(suggestions.plans, "candidate"), suggestions.outlook
    if outlook.unplanned:
        scenarios = f"{len(outlook.scenarios):,} of {counted(len(outlook.scenarios) + outlook.unplanned, 'scenario')}"
        return f"Stopped after {scenarios} and before the search; more time may find something ({SECONDS.flag})"
    if suggestions.is_complete:
        return f"{planned} planned; nothing further was found"
    if suggestions.plans < suggestions.most_plans - suggestions.most_plans // 4:
        return f"The search was stopped after {planned} of {suggestions.most_plans:,}; more time may find more ({SECONDS.flag})"
    return f"{planned} planned; more may find more ({PLANS.flag})"


def left_pending_sentence(suggestions: Suggestions) -> str:
    """Return which cheaper choices were dropped for pods that stay pending in a scenario, after a space; empty without any."""
    left = suggestions.left_pending
    if left is None:
        return ""
    price, where = mean_of(suggestions, left.price), f"in the scenario {left.scenario!r}"
    if left.choices == 1:
        cost = f"1 choice that costs less now ({price} a month) and leaves more pods of {left.workload} pending than today"
        return f" Not offered: {cost} {where}."
    cost = f"{counted(left.choices, 'choice')} that cost less now (from {price} a month)"
    leave = "leave more pods of a workload pending than today"
    return f" Not offered: {cost} and {leave}, most often {left.workload} {where}."


def _arm64_sentence(suggestions: Suggestions) -> str:
    """Return which option looks for NodePools with arm64 too, after a space; empty unless these cost less as they are."""
    now = suggestions.current
    for other in suggestions.what_if:
        then = other.figures
        is_cheaper = then.price is not None and now.price is not None and then.price < now.price
        if other.what == ARM64_ALLOWED and is_cheaper and then.pending_pods <= now.pending_pods:
            return f" {ALLOW.flag} {ARM64} looks among NodePools with arm64, too."
    return ""


def refusal_words(suggestions: Suggestions, refused: Refusal) -> str:
    """Return what a refused option would cost, what it changes and what it breaks."""
    shown = [short_edit(edit) for edit in refused.edits[:_SHOWN]]
    more = len(refused.edits) - len(shown)
    changes = "; ".join([*shown, *([f"{counted(more, 'more edit')}"] if more else [])])
    return f"{mean_of(suggestions, refused.expected)} a month on average: {', '.join(refused.breaks)} ({changes})"
