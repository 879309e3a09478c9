"""What comes of nodes in the days to come, for pages: the week of their budgets and the strip of what goes by force."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from cutlist.answers.budgets import Upcoming
from cutlist.disruption.timeline import ForcedRemoval
from cutlist.report.html.timeline import Lane, strip
from cutlist.report.html.week import Week, weeks


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What a page shows of it."""

    now: float
    weeks: tuple[Week, ...]
    removals: tuple[ForcedRemoval, ...]
    strip: Markup

    @staticmethod
    def of(upcoming: Upcoming) -> Upkeep:
        """The view of what is upcoming."""
        return Upkeep(upcoming.now, weeks(upcoming.weeks), upcoming.removals, _strip(upcoming))


def _strip(upcoming: Upcoming) -> Markup:
    pools = sorted({removal.pool for removal in upcoming.removals})
    lanes = [
        Lane(pool, tuple((r.at, r.at if r.latest is None else r.latest) for r in upcoming.removals if r.pool == pool))
        for pool in pools
    ]
    return strip(lanes, upcoming.now, "Nodes that go by force")
