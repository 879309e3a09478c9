"""Sum up for views what Karpenter did: by kind, by the hour, and, if it is a lot, as lines of each day."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from markupsafe import Markup, escape

from cutlist.core.money import money_sum
from cutlist.core.wording import counted
from cutlist.report.amounts import Amounts
from cutlist.report.plain import visible
from cutlist.simulation.events import HOUR
from cutlist.simulation.ledger import CommandRecord, NodeLife
from cutlist.simulation.result import SimulationResult

MOST_ROWS: Final = 2000
"""Number of commands and of nodes that a page has rows for. Beyond that it sums them up."""
_DAY: Final = 24 * 3600  # seconds
_EXECUTED: Final = "executed"
_WHY: Final = {
    "churn": "pods came or went meanwhile",
    "budget": "the budget is used up meanwhile",
    "scheduling": "its pods no longer fit elsewhere as planned",
    "the limits of a NodePool are exceeded": "the limits of a NodePool have no room for the replacement",
}
"""Why a command was not executed, by what its outcome in JSON says after the colon."""
_ORDER: Final = ("launch", "delete", "replace")


@dataclass(frozen=True, slots=True)
class CommandKind:
    """Commands of a method with the same decision: how many were executed and how many were not, and what the executed ones
    save in USD per hour."""

    method: str
    decision: str
    executed: int
    dropped: int
    savings: float

    @property
    def text(self) -> str:
        """Return the kind in words: `single-node consolidation: delete; 12 cancelled`."""
        return f"{self.method}: {self.decision}" + (f"; {self.dropped:,} cancelled" if self.dropped else "")


@dataclass(frozen=True, slots=True)
class LikeNodes:
    """Nodes of a NodePool with the same type, capacity type and zone: how many, hours, what they cost in USD, and why most
    of them ended."""

    pool: str
    instance_type: str
    capacity_type: str
    zone: str
    count: int
    hours: float
    usd: float
    cause: str


@dataclass(frozen=True, slots=True)
class DayOfCommands:
    """The commands of a day: a line each, as text of a page."""

    title: str
    log: Markup


def command_kinds(commands: Iterable[CommandRecord]) -> list[CommandKind]:
    """Return the kinds of commands, the most frequent first."""
    executed: Counter[tuple[str, str]] = Counter()
    dropped: Counter[tuple[str, str]] = Counter()
    savings: dict[tuple[str, str], float] = {}
    for command in commands:
        kind = command.method, command.decision
        if command.outcome == _EXECUTED:
            executed[kind] += 1
            savings[kind] = savings.get(kind, 0.0) + command.savings
        else:
            dropped[kind] += 1
    kinds = (CommandKind(*kind, executed[kind], dropped[kind], savings.get(kind, 0.0)) for kind in executed | dropped)
    return sorted(kinds, key=lambda kind: (-kind.executed, -kind.dropped, kind.method, kind.decision))


def commands_by_hour(result: SimulationResult) -> Mapping[str, Sequence[float]]:
    """Return how many commands each hour has, by decision, and as `dropped` those that were not executed."""
    counts: dict[str, list[float]] = {}
    for command in result.commands:
        of = command.decision if command.decision in _ORDER else "other"
        hours = counts.setdefault(of if command.outcome == _EXECUTED else "dropped", [0.0] * len(result.series))
        hours[min(command.at // HOUR, len(hours) - 1)] += 1
    return {of: counts[of] for of in (*_ORDER, "other", "dropped") if of in counts}


def days_of_commands(result: SimulationResult) -> list[DayOfCommands]:
    """Return the commands of each day of the calendar, in their order."""
    days = []
    for day, commands in groupby(result.commands, lambda command: result.settings.instant(command.at) // _DAY):
        lines = [escape(_line(command, result)) for command in commands]
        begins = datetime.fromtimestamp(day * _DAY, UTC)
        days.append(DayOfCommands(f"{begins:%A, %Y-%m-%d}: {counted(len(lines), 'command')}", Markup("\n").join(lines)))
    return days


def _line(command: CommandRecord, result: SimulationResult) -> str:
    at = datetime.fromtimestamp(result.settings.instant(command.at), UTC)
    nodes = " ".join(filter(None, (", ".join(command.nodes), "→ " + ", ".join(command.launched) if command.launched else "")))
    counts = bool(command.savings) and command.outcome == _EXECUTED
    of = Amounts(result.totals.usd, result.totals.usd_range, result.currency)
    saved = f", saves {of.sign}{of.hour(command.savings)} per hour" if counts else ""
    why = command.outcome.partition(": ")[2]
    outcome = "" if command.outcome == _EXECUTED else f"; cancelled: {_WHY.get(why, why)}"
    return visible(f"{at:%H:%M:%S} {command.method}: {command.decision} {nodes}{saved}{outcome}")


def like_nodes(lives: Iterable[NodeLife], until: int) -> list[LikeNodes]:
    """Return the nodes in groups of equal ones, the most expensive first."""
    groups: dict[tuple[str, str, str, str], list[NodeLife]] = {}
    for life in lives:
        groups.setdefault((life.pool, life.instance_type, life.capacity_type, life.zone), []).append(life)
    return sorted(
        (_group(key, of, until) for key, of in groups.items()), key=lambda g: (-g.usd, g.pool, g.instance_type, g.zone)
    )


def _group(key: tuple[str, str, str, str], lives: Sequence[NodeLife], until: int) -> LikeNodes:
    causes = Counter(life.cause for life in lives if life.ended is not None)
    hours = math.fsum(life.hours(until) for life in lives)
    usd = money_sum(life.cost(until) for life in lives)
    return LikeNodes(*key, len(lives), hours, usd, causes.most_common(1)[0][0] if causes else "")
