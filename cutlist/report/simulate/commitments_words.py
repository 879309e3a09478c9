"""Commitments for a simulated cluster in cells, which the views share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.answers.simulate_commitments import CommitmentChoice
from cutlist.core.wording import counted
from cutlist.simulation.commitments import MILLION

TITLES: Final = ("term", "commitment", "$/hour", "saves $", "of $", "used", "pays from")
"""The titles of the cells; `pays from` is the part of the use from which on it costs no more than on demand."""


def commitment_cells(choices: Sequence[CommitmentChoice]) -> list[tuple[str, ...]]:
    """Return the cells of each commitment."""
    return [_cells(choice) for choice in choices]


def _cells(choice: CommitmentChoice) -> tuple[str, ...]:
    of = choice.commitment
    reserved = f"{counted(of.instances or 0, 'reserved instance')} {choice.instance_type}"
    return (
        choice.term,
        reserved if choice.instance_type else "savings plan" if of.hourly else "no savings plan",
        f"{float(of.hourly) / MILLION:,.4f}",
        f"{float(of.saved) / MILLION:,.2f}",
        f"{float(of.without) / MILLION:,.2f}",
        f"{float(of.used):.0%}" if of.hourly else "-",
        "-" if of.enough_use is None or not of.hourly else f"{of.enough_use:.0%} of the use",
    )
