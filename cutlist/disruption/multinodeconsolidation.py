"""Multi-node consolidation: several nodes are deleted, or replaced with one (spec: disruption 5.7; D-51, D-59, D-60)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.disruption import consolidation
from cutlist.disruption.balanced import scores, totals
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.command import Command
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.reasons import Reason
from cutlist.disruption.validation import still_consolidates

MOST_TOGETHER: Final = 100
"""This many candidates and one more are considered together (spec 5.7)."""


def multi_node_consolidation(inputs: MethodInputs, outcome: MethodOutcome) -> None:
    """Search for the longest prefix of the candidates that can be removed together; the command needs validation's
    confirmation."""
    admitted = inputs.remaining(Reason.UNDERUTILIZED).admitted(inputs.by_savings_ratio(outcome.candidates))
    outcome.constrained = len(admitted) < len(outcome.candidates)
    command = _largest(admitted, inputs, outcome)
    if command is not None:
        verdict = still_consolidates(command, inputs.later, inputs.later_candidates, consolidation.is_consolidatable)
        outcome.note_validation(verdict, consolidation.is_consolidatable, inputs)
        if verdict.is_simulated:
            outcome.note_pools(inputs.later)
        outcome.unfinished = verdict.command is None
        outcome.commands = [command] if verdict.command else []


def _largest(admitted: Sequence[Candidate], inputs: MethodInputs, outcome: MethodOutcome) -> Command | None:
    """Search by bisection on the last index, as Karpenter does, although the validity of prefixes is not monotone."""
    pool_totals = totals(inputs.cluster, inputs.graceful.by_name)
    approved: dict[str, str] = {}  # the last one of each pool, although another pool may have voted against it
    # From index 1 on, so prefixes have two candidates at least: single ones belong to the next method.
    largest, low, high = None, 1, min(len(admitted) - 1, MOST_TOGETHER)
    while low <= high:
        middle = (low + high) // 2
        command = _together(admitted[: middle + 1], inputs, outcome)
        if outcome.error:
            return None
        votes = scores(command, pool_totals) if command is not None else []
        approved |= consolidation.approvals(votes)
        if command is not None and all(vote.approved for vote in votes):
            largest, low = command, middle + 1
        else:
            high = middle - 1
    outcome.notes += [(about, consolidation.APPROVED, text) for about, text in approved.items()]
    return largest


def _together(prefix: Sequence[Candidate], inputs: MethodInputs, outcome: MethodOutcome) -> Command | None:
    """Return the command that removes all candidates of a prefix at once, or None without one."""
    # The search goes on as if a simulation had found nothing.
    if inputs.are_hopeless(prefix):
        return None
    outcome.note_pools(inputs.simulator)
    decision = consolidation.decide(prefix, inputs.simulator)
    if isinstance(decision, consolidation.NoChange):
        outcome.error = decision.error
        return None
    if isinstance(decision, consolidation.ConsolidationOption):
        # Karpenter announces before it filters by type, so an event may be about a command that never comes.
        consolidation.announce(decision.command(prefix), outcome)
        cut = consolidation.without_same_type(decision, prefix)
        return None if cut is None else cut.command(prefix)
    return decision
