"""What happens to a cluster in some days, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import FLAT, After, Count, Instant, Usd, about, json_of
from cutlist.simulation.ledger import CommandRecord, NodeLife
from cutlist.simulation.result import Evictions, GroupOfNodes, HourOfCluster, RunTotals
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.commitments import CommitmentChoice

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Command:
    """Something that Karpenter did, or dropped after its validation; `savings_per_hour` is what it expected to save."""

    at: Instant
    command: Annotated[CommandRecord, FLAT]


@dataclass(frozen=True, slots=True)
class _Life:
    """A node, and what it cost. `ended` is null for one that still runs, and `cause` then empty."""

    life: Annotated[NodeLife, FLAT]
    started: Annotated[Instant, After("life.price")]
    ended: Annotated[Instant | None, about("When its instance was terminated."), After("started")]
    usd: Usd


@dataclass(frozen=True, slots=True)
class _Timeouts:
    """How many searches of a method of consolidation would have reached their timeout."""

    method: str
    count: Count


@dataclass(frozen=True, slots=True)
class SimulationRecord:
    """What happens to a cluster in some days, event by event."""

    version: Literal[1]
    region: str
    start: Instant
    end: Instant
    seed: int
    total: RunTotals
    costs: tuple[GroupOfNodes, ...]
    series: tuple[HourOfCluster, ...]
    commands: tuple[_Command, ...]
    evictions: tuple[Evictions, ...]
    nodes: tuple[_Life, ...]
    timeouts: tuple[_Timeouts, ...]
    commitments: tuple[CommitmentChoice, ...]
    notes: tuple[str, ...]


def simulate_json(simulation: ClusterSimulation) -> str:
    """Return a simulation as indented JSON that ends in a newline."""
    result, instant = simulation.result, simulation.result.settings.instant
    lives = (
        _Life(of, instant(of.started), None if of.ended is None else instant(of.ended), of.hours(result.until) * of.price)
        for of in result.lives
    )
    record = SimulationRecord(
        version=VERSION,
        region=simulation.region,
        start=result.settings.start,
        end=instant(result.until),
        seed=result.settings.seed,
        total=result.totals,
        costs=result.groups,
        series=tuple(result.series),
        commands=tuple(_Command(instant(command.at), command) for command in result.commands),
        evictions=result.moves,
        nodes=tuple(lives),
        timeouts=tuple(_Timeouts(method, count) for method, count in result.timeouts.items()),
        commitments=simulation.commitments,
        notes=simulation.notes,
    )
    return json_of(record)
