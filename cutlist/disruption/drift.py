"""Drift: nodes with the condition Drifted are replaced one after the other (spec: disruption 4.4, 7.5; D-25, D-37, D-72)."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.disruption.candidates import Candidate, Skipped
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement, TerminateFirst
from cutlist.disruption.consolidation import stranded
from cutlist.disruption.evaluation import BLOCKED, MethodInputs, MethodOutcome
from cutlist.disruption.reasons import Reason
from cutlist.disruption.terminate_first import placement
from cutlist.state.statenode import DRIFTED


def is_drifted(candidate: Candidate, _: ClusterState) -> Skipped | None:
    """Accept candidates of dynamic pools with the condition Drifted: None for an accepted one."""
    return None if not candidate.pool.is_static and candidate.drifted else Skipped(candidate.name)


def drift(inputs: MethodInputs, outcome: MethodOutcome) -> None:
    """Replace the first candidate that the budgets allow and whose pods can all be placed; prices are not compared."""
    budgets = inputs.remaining(Reason.DRIFTED)
    for candidate in empty_then_longest_drifted(outcome.candidates):
        if not budgets.allows(candidate):
            outcome.constrained = True
            continue
        command = replaced(candidate, inputs, outcome, Reason.DRIFTED)
        if outcome.error:
            return
        if command is not None:
            outcome.commands = [command]
            return


def empty_then_longest_drifted(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates in the order of drift: those without pods to move first, then by the instant since when they drift."""
    return sorted(candidates, key=lambda c: (bool(c.pods), _drifted_since(c), c.name))


def replaced(
    candidate: Candidate, inputs: MethodInputs, outcome: MethodOutcome, reason: Reason, *, blocked_too: bool = False
) -> Command | None:
    """Return the command that replaces a candidate, or terminates it first; None, with the reason recorded, if some of its pods
    would have no place. The events of the simulation are recorded too."""
    outcome.note_pools(inputs.simulator)
    place = placement(candidate, inputs.simulator, reason, blocked_too=blocked_too)
    simulation = place.simulation
    if simulation.error:
        outcome.error = simulation.error
        return None
    # Before stranded pods: with the reservation freed all of them have a place.
    if place.terminates_first:
        why = TerminateFirst.NO_RESERVED_CAPACITY
        return Command(reason, (candidate,), simulation=simulation, terminate_first=why)
    if simulation.stranded:
        outcome.skip(candidate, BLOCKED, stranded(simulation))
        return None
    return Command(reason, (candidate,), tuple(map(Replacement.of, simulation.claims)), simulation)


def _drifted_since(candidate: Candidate) -> float:
    claim = candidate.node.claim
    return claim.conditions[DRIFTED].since if claim is not None else 0
