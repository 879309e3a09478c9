"""Emptiness: all nodes without pods that have to move are deleted at once (spec: disruption 1.9, 4.3; D-20, D-37, D-38)."""

from __future__ import annotations

from cutlist.api.durations import NEVER
from cutlist.disruption.candidates import UNCONSOLIDATABLE, Candidate, Skipped, consolidation_disabled
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.reasons import Reason
from cutlist.disruption.validation import still_empty


def is_empty(candidate: Candidate, cluster: ClusterState) -> Skipped | None:
    """Accept candidates of dynamic pools that have nothing to move and are Consolidatable: None for an accepted one."""
    if candidate.pool.is_static:
        return Skipped(candidate.name)
    if candidate.pool.disruption.consolidate_after == NEVER:
        return consolidation_disabled(candidate)
    if cluster.controller_memory.buffered.get(candidate.name):
        return Skipped(candidate.name, UNCONSOLIDATABLE, f'Node "{candidate.name}" has buffer pods')
    return None if candidate.empty and candidate.consolidatable else Skipped(candidate.name)


def emptiness(inputs: MethodInputs, outcome: MethodOutcome) -> None:
    """Delete, with one command, the empty candidates that the budgets allow and that are still empty after the delay."""
    budgets = inputs.remaining(Reason.EMPTY)
    # The order matters where budgets do not admit all.
    admitted = budgets.admitted(inputs.by_savings_ratio(outcome.candidates))
    outcome.constrained = len(admitted) < len(outcome.candidates)
    if admitted:
        command = Command(Reason.EMPTY, tuple(admitted))
        verdict = still_empty(command, inputs.later.cluster, inputs.later_candidates, is_empty)
        outcome.note_validation(verdict, is_empty, inputs)
        outcome.commands = [verdict.command] if verdict.command else []
