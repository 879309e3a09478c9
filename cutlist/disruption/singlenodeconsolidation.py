"""Single-node consolidation: one node is deleted or replaced with a cheaper one (spec: disruption 2.5, 5.6; D-40)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cutlist.disruption import consolidation
from cutlist.disruption.balanced import PoolTotals, scores, totals, worth_trying
from cutlist.disruption.candidates import UNCONSOLIDATABLE, Candidate
from cutlist.disruption.command import Command, dollars
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.reasons import Reason
from cutlist.disruption.validation import still_consolidates

REJECTED: Final = "ConsolidationRejected"


def single_node_consolidation(inputs: MethodInputs, outcome: MethodOutcome) -> None:
    """Disrupt the first candidate that can be removed; when validation fails, no other one is tried."""
    budgets = inputs.remaining(Reason.UNDERUTILIZED)
    pool_totals = totals(inputs.cluster, inputs.graceful.by_name)
    ordered = interleaved(inputs.by_savings_ratio(outcome.candidates))
    # Budgets are not used up while the list is walked: at most one of these candidates is disrupted.
    admitted = [c for c in ordered if budgets.allows(c)] if budgets.exclude_some else ordered
    tried = [c for c in admitted if worth_trying(c, pool_totals)] if pool_totals else admitted
    outcome.constrained, outcome.tried = len(admitted) < len(ordered), len(tried)
    for candidate in inputs.not_known_hopeless(tried):
        command = None if inputs.is_hopeless(candidate) else _alone(candidate, inputs, pool_totals, outcome)
        if command is not None:
            outcome.constrained = not all(map(budgets.allows, _until(candidate, ordered)))
            outcome.tried = len(_until(candidate, tried))
            _validate(command, candidate, inputs, outcome)
            return


def _until(candidate: Candidate, listed: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates of a list up to one of them, which is included."""
    return listed[: next(number for number, other in enumerate(listed, 1) if other is candidate)]


def _alone(
    candidate: Candidate, inputs: MethodInputs, pool_totals: Mapping[str, PoolTotals], outcome: MethodOutcome
) -> Command | None:
    """Return the command that removes a candidate, or None without one, or if a Balanced pool does not approve."""
    outcome.note_pools(inputs.simulator)
    decision = consolidation.decide([candidate], inputs.simulator)
    if isinstance(decision, consolidation.NoChange):
        # An error says nothing about the candidate, so it is tried again in the next round.
        if not decision.error:
            inputs.nothing_came_of(candidate)
            outcome.skip(candidate, UNCONSOLIDATABLE, decision.text)
        return None
    command = decision.command([candidate]) if isinstance(decision, consolidation.ConsolidationOption) else decision
    if command.replacements:
        consolidation.announce(command, outcome)
    votes = scores(command, pool_totals)
    outcome.notes += [
        (about, consolidation.APPROVED, text)
        for about, text in consolidation.approvals(votes, f"Node/{candidate.name}").items()
    ]
    return command if all(vote.approved for vote in votes) else None


def _validate(command: Command, candidate: Candidate, inputs: MethodInputs, outcome: MethodOutcome) -> None:
    verdict = still_consolidates(command, inputs.later, inputs.later_candidates, consolidation.is_consolidatable)
    outcome.note_validation(verdict, consolidation.is_consolidatable, inputs)
    if verdict.is_simulated:
        outcome.note_pools(inputs.later)
    if verdict.command is None:
        text = f"Consolidation rejected: {command.decision}: {command.exchange}, reason: {verdict.failure}"
        outcome.note(candidate, REJECTED, f"{text} (savings: {dollars(command.savings)})")
    outcome.unfinished = verdict.command is None
    outcome.commands = [command] if verdict.command else []


def interleaved(ordered: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the first candidate of each NodePool, then the second of each, and so on (spec 2.5)."""
    if len({candidate.pool.name for candidate in ordered}) < 2:
        return ordered
    counts: dict[str, int] = {}
    turns = []
    for candidate in ordered:
        pool = candidate.pool.name
        # Karpenter's order of pools is arbitrary; here it is that of their names (spec 2.5).
        turn = counts[pool] = counts.get(pool, 0) + 1
        turns.append((turn, pool, candidate))
    return [candidate for _, _, candidate in sorted(turns, key=lambda t: t[:2])]
