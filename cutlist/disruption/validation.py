"""Whether a command is still valid after the delay in which Karpenter waits for the cluster to settle (spec: disruption
4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from cutlist.disruption.budgets import remaining
from cutlist.disruption.candidates import Candidate, Candidates, Filter
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.simulation import Simulator


class Failure(StrEnum):
    """Why a command was dropped."""

    CHURN = "churn"
    BUDGET = "budget"
    SCHEDULING = "scheduling"


@dataclass(frozen=True, slots=True)
class ValidatedCommand:
    """The command that will be executed, or why nothing will be. `blocked` are nodes that are no longer candidates."""

    command: Command | None = None
    failure: Failure | None = None
    blocked: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_simulated(self) -> bool:
        """Tell whether it was looked at where the pods of the nodes would go, for a command that removes pods."""
        # The other failures come before the simulation.
        return self.failure in (None, Failure.SCHEDULING)


def still_empty(command: Command, later: ClusterState, now: Candidates, takes: Filter) -> ValidatedCommand:
    """Return the rest of a command of emptiness: the nodes that are still empty, within the budgets (D-38).

    `now` are the candidates of the cluster after the delay.
    """
    empty = _still_taken(command, later, now, takes)
    if not empty:
        return ValidatedCommand(None, Failure.CHURN, now.blocked)
    admitted = remaining(later, command.reason, now.counts).admitted(empty)
    if not admitted:
        return ValidatedCommand(None, Failure.BUDGET, now.blocked)
    names = {c.name for c in admitted}
    return ValidatedCommand(
        replace(command, candidates=tuple(c for c in command.candidates if c.name in names)), None, now.blocked
    )


def still_consolidates(command: Command, later: Simulator, now: Candidates, takes: Filter) -> ValidatedCommand:
    """Return the whole command or nothing: the same nodes, within the budgets, with the same effect (D-38, D-39)."""
    failure = _no_candidates(command, later.cluster, now, takes) or _no_place(command, later, now)
    return ValidatedCommand(None if failure else command, failure, now.blocked)


def _no_candidates(command: Command, later: ClusterState, now: Candidates, takes: Filter) -> Failure | None:
    candidates = _still_taken(command, later, now, takes)
    if len(candidates) < len(command.candidates):
        return Failure.CHURN
    admitted = remaining(later, command.reason, now.counts).admitted(candidates)
    return Failure.BUDGET if len(admitted) < len(candidates) else None


def _still_taken(command: Command, later: ClusterState, now: Candidates, takes: Filter) -> list[Candidate]:
    """Return the candidates of a command in their present state, without those that the method no longer accepts."""
    candidates = (now.by_name.get(c.name) for c in command.candidates)
    return [c for c in candidates if c is not None and takes(c, later) is None]


def _no_place(command: Command, later: Simulator, now: Candidates) -> Failure | None:
    simulation = later.without((now.by_name[c.name].node for c in command.candidates), resting=True)
    if simulation.error or simulation.stranded or len(simulation.claims) != len(command.replacements):
        return Failure.SCHEDULING
    for claim, expected in zip(simulation.claims, command.replacements, strict=True):
        # Names alone are compared, not prices: the command is executed as it was decided (spec 4.6).
        if not {t.name for t in expected.types} <= {t.name for t in claim.candidates.types}:
            return Failure.SCHEDULING
    return None
