"""The two parts of a run: the start-up, until the cluster first settles, and the rest, which says what a month costs.

A run begins with the nodes of a plan, which Karpenter consolidates at once. That happens one time, so it must not count in what
a month costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from cutlist.catalog.prices import HOURS_PER_MONTH, a_month
from cutlist.core.money import money_of
from cutlist.core.records import Count, Key, Price, Usd, about
from cutlist.disruption.methods import METHODS
from cutlist.simulation.events import HOUR, MINUTE, SECOND
from cutlist.simulation.ledger import CommandRecord, NodeLife

CALM: Final = 30 * MINUTE
"""How long Karpenter has to leave the nodes alone for a cluster to count as settled, in milliseconds."""
SECONDS_PER_MONTH: Final = HOURS_PER_MONTH * 3600
_DISRUPTIONS: Final = frozenset(METHODS.values())
_EXECUTED: Final = "executed"


@dataclass(frozen=True, slots=True)
class RunPhases:
    """A run until the cluster first settles, and what the rest costs. The cluster settles with the first half hour in which
    Karpenter disrupts no node; `commands` are those before. Without any, there is no start-up."""

    seconds: Annotated[float, Key("startUpSeconds")]
    usd: Annotated[Usd, Key("startUpUsd"), about("USD for all nodes in the start-up.")]
    commands: Annotated[Count, Key("startUpCommands")]
    settles: Annotated[bool, about("Whether the run has a rest after the start-up.")]
    usd_per_hour: Annotated[Price, about("USD for an hour of the rest on average; null without a rest.")]

    @staticmethod
    def of(commands: Sequence[CommandRecord], lives: Sequence[NodeLife], until: int) -> RunPhases:
        """Return the phases of a run that ends at an instant, in milliseconds since its start."""
        before = _start_up(command for command in commands if command.method in _DISRUPTIONS and command.outcome == _EXECUTED)
        end = _end(before, lives, until)
        settles = end < until and (not before or until - before[-1].at > CALM)
        rest = usd_between(lives, end, until) / ((until - end) / HOUR) if settles else None
        length = end if settles else until
        return RunPhases(length / SECOND, usd_between(lives, 0, length), len(before), settles, rest)

    @property
    def usd_per_month(self) -> float | None:
        """Return what a month of the rest costs, in USD for 730 hours, or None without a rest."""
        return None if self.usd_per_hour is None else a_month(self.usd_per_hour)

    @property
    def usd_per_month_or_of_all(self) -> float:
        """Return the same, or for a run that never settles what a month of all of it costs."""
        month = self.usd_per_month
        return self.usd / self.seconds * SECONDS_PER_MONTH if month is None and self.seconds else month or 0.0


def _start_up(commands: Iterable[CommandRecord]) -> list[CommandRecord]:
    """Return the first commands, up to the first gap between two that is long enough."""
    before: list[CommandRecord] = []
    for command in commands:
        if command.at - (before[-1].at if before else 0) > CALM:
            break
        before.append(command)
    return before


def _end(commands: Sequence[CommandRecord], lives: Iterable[NodeLife], until: int) -> int:
    """Return when the last node of some commands has ended; those that still run at the end of the run do not count."""
    nodes = {name for command in commands for name in command.nodes}
    ends = (life.ended for life in lives if life.name in nodes and life.ended is not None and life.ended <= until)
    return max((*ends, *(command.at for command in commands)), default=0)


def usd_between(lives: Iterable[NodeLife], start: int, end: int) -> float:
    """Return what nodes cost from one instant to another, in milliseconds since the start of the run."""
    return money_of((_overlap(life, start, end) / HOUR, life.price) for life in lives)


def _overlap(life: NodeLife, start: int, end: int) -> int:
    ended = end if life.ended is None else min(life.ended, end)
    return max(0, ended - max(life.started, start))
