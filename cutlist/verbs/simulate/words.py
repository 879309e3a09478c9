"""What the views of a simulation share: its length, how long pods waited, commitments in cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.report.plain import hour_column, span
from cutlist.simulation.commitments import in_usd
from cutlist.simulation.events import DAY
from cutlist.simulation.result import RunTotals, SimulationResult
from cutlist.verbs.simulate.commitments import CommitmentChoice

TITLES: Final = ("term", "commitment", "$/hour", "saves $", "of $", "used", "pays from", "source")
"""The titles of the cells; `pays from` is the part of the use from which on it costs no more than on demand."""


def length(result: SimulationResult) -> str:
    """Return how long a run is: `7 days`."""
    return days_text(result.until / DAY)


def days_text(days: float) -> str:
    """Return a number of days in three digits: `1 day`, `0.5 days`."""
    number = f"{days:,.3g}"
    return f"{number} {'day' if number == '1' else 'days'}"


def waits(totals: RunTotals) -> list[tuple[str, str]]:
    """Return how long fractions of the pods that got a node waited for it at most; empty without pods."""
    parts = ("half", "90%", "99%", "all")
    return [] if totals.pending_seconds is None else list(zip(parts, map(span, totals.pending_seconds.values()), strict=True))


def without_node(totals: RunTotals) -> str:
    """Return what happened to pods that got no node, or an empty text if all did."""
    numbers = [f"{totals.pending:,} still waiting"] if totals.pending else []
    numbers += [f"{totals.never_ran:,} deleted before"] if totals.never_ran else []
    return f"{', '.join(numbers)}; the longest wait is {span(totals.unplaced_seconds)}" if numbers else ""


def commitment_cells(choices: Sequence[CommitmentChoice]) -> list[tuple[str, ...]]:
    """Return the cells of each commitment."""
    hour = hourly_column(choices)
    return [
        (
            choice.term,
            commitment_name(choice),
            hour(in_usd(choice.commitment.hourly)),
            f"{in_usd(choice.commitment.saved):,.2f}",
            f"{in_usd(choice.commitment.without):,.2f}",
            *risk_cells(choice),
        )
        for choice in choices
    ]


def hourly_column(choices: Iterable[CommitmentChoice]) -> Callable[[float], str]:
    """Return how the hourly amounts of commitments are written in a column."""
    return hour_column(in_usd(choice.commitment.hourly) for choice in choices)


def commitment_name(choice: CommitmentChoice) -> str:
    """Return what a commitment is: `savings plan`, or `3 reserved instances m7g.large`."""
    of = choice.commitment
    if choice.instance_type:
        system = " with Windows" if choice.os else ""
        return f"{counted(of.instances or 0, 'reserved instance')} {choice.instance_type}{system}"
    return "savings plan" if of.hourly else "no savings plan"


def risk_cells(choice: CommitmentChoice) -> tuple[str, str, str]:
    """Return how much of a commitment is used, from which fraction of use it pays off, and where its rates are from."""
    of = choice.commitment
    return (
        f"{float(of.used):.0%}" if of.hourly else "-",
        "-" if of.enough_use is None or not of.hourly else f"{of.enough_use:.0%} of the use",
        ", ".join(choice.sources) or "-",
    )
