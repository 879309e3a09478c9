"""What the views of a simulation share: its length, how long pods waited, commitments in cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.answers.simulate_commitments import CommitmentChoice
from cutlist.core.wording import counted
from cutlist.report.plain import span
from cutlist.simulation.commitments import MILLION
from cutlist.simulation.events import DAY
from cutlist.simulation.result import SimulationResult, Totals

TITLES: Final = ("term", "commitment", "$/hour", "saves $", "of $", "used", "pays from", "source")
"""The titles of the cells; `pays from` is the part of the use from which on it costs no more than on demand."""


def length(result: SimulationResult) -> str:
    """Return how long a run is: `7 days`."""
    return days_text(result.until / DAY)


def days_text(days: float) -> str:
    """Return a number of days in three digits: `1 day`, `0.5 days`."""
    number = f"{days:,.3g}"
    return f"{number} {'day' if number == '1' else 'days'}"


def waits(totals: Totals) -> list[tuple[str, str]]:
    """Return how long parts of the pods that got a node waited for it at most; nothing without pods."""
    parts = ("half", "90 %", "99 %", "all")
    return [] if totals.pending_seconds is None else list(zip(parts, map(span, totals.pending_seconds.values()), strict=True))


def without_node(totals: Totals) -> str:
    """Return what happened to pods that got no node, or an empty text where all did."""
    numbers = [f"{totals.pending:,} still waiting"] if totals.pending else []
    numbers += [f"{totals.never_ran:,} deleted before"] if totals.never_ran else []
    return f"{', '.join(numbers)}; the longest wait is {span(totals.unplaced_seconds)}" if numbers else ""


def commitment_cells(choices: Sequence[CommitmentChoice]) -> list[tuple[str, ...]]:
    """Return the cells of each commitment."""
    return [_cells(choice) for choice in choices]


def _cells(choice: CommitmentChoice) -> tuple[str, ...]:
    of = choice.commitment
    reserved = f"{counted(of.instances or 0, 'reserved instance')} {choice.instance_type}{' with Windows' if choice.os else ''}"
    return (
        choice.term,
        reserved if choice.instance_type else "savings plan" if of.hourly else "no savings plan",
        f"{float(of.hourly) / MILLION:,.4f}",
        f"{float(of.saved) / MILLION:,.2f}",
        f"{float(of.without) / MILLION:,.2f}",
        f"{float(of.used):.0%}" if of.hourly else "-",
        "-" if of.enough_use is None or not of.hourly else f"{of.enough_use:.0%} of the use",
        ", ".join(choice.sources) or "-",
    )
