"""What the recommended option gives up, and how much it rests on spot, in words."""

from __future__ import annotations

from typing import Final

from cutlist.core.wording import counted
from cutlist.optimization.evaluation import CostAndRisk
from cutlist.report.plain import percent
from cutlist.verbs.suggest.suggestions import Suggestions

_DAYS: Final = 30
_EVERY: Final = "one interruption "


def gives_up(suggestions: Suggestions) -> str:
    """Return what the recommended option gives up, and how often its spot nodes are interrupted."""
    best, now = suggestions.best.figures, suggestions.current
    if not suggestions.best.written:
        return ""
    lost = [
        f"{kept.after:,} instead of {counted(kept.before, 'instance type')} in NodePool {kept.node_pool}"
        for kept in suggestions.best.types
        if kept.after < kept.before
    ]
    for what, after, before in (
        ("node", best.lost_with_node, now.lost_with_node),
        ("zone", best.lost_with_zone, now.lost_with_zone),
    ):
        if after > before:
            lost.append(f"{after:,} instead of {counted(before, 'pod')} lost with the fullest {what}")
    sentence = f"It gives up: {'; '.join(lost)}." if lost else "It gives up nothing that is measured here."
    spot = spot_sentence(best, now)
    return f"{sentence} {spot}" if spot else sentence


def spot_sentence(figures: CostAndRisk, before: CostAndRisk) -> str:
    """Return how often spot nodes are interrupted, and how many pods at once, each beside what that is before; empty without
    spot."""
    if not figures.at_once:
        return "No node is on spot any longer." if before.at_once else ""
    at_once = f"at most {percent(figures.at_once)} of the pods go at once"
    if percent(before.at_once) != percent(figures.at_once) and before.at_once:
        at_once += f" instead of {percent(before.at_once)}"
    often, was = (_interrupted(of) for of in (figures, before))
    if often and was and was != often and None not in (figures.interruptions, before.interruptions):
        often += f" instead of {was.removeprefix(_EVERY)}"
    return f"Spot: {often}; {at_once}." if often else f"Spot: {at_once}."


def _interrupted(figures: CostAndRisk) -> str:
    """Return how often spot nodes are interrupted; empty without spot, or if none ever is."""
    if not figures.at_once or figures.interruptions == 0:
        return ""
    if figures.interruptions is None:
        return "how often it is interrupted is not known"
    days = round(_DAYS / figures.interruptions)
    return f"{_EVERY}every {days:,} days" if days > 1 else f"{figures.interruptions:.0f} interruptions a month"
