"""The five methods by which Karpenter disrupts nodes, each asked on its own (spec: disruption 4.3 to 4.6, 5.6, 5.7).

Ties, which Karpenter takes in random order, are broken by name: of nodes, of NodePools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from cutlist.disruption.balanced import Score, Totals, scores, totals, worth_trying
from cutlist.disruption.budgets import remaining
from cutlist.disruption.candidates import (
    UNCONSOLIDATABLE,
    Candidate,
    Candidates,
    Filter,
    Skipped,
    candidates,
    is_consolidatable,
    is_drifted,
    is_empty,
    is_static_and_drifted,
)
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement, dollars
from cutlist.disruption.consolidation import ConsolidationOption, NoChange, decide, stranded, without_same_type
from cutlist.disruption.reasons import Reason
from cutlist.disruption.simulation import Simulator
from cutlist.disruption.staticdrift import static_replacements
from cutlist.disruption.validation import Verdict, still_consolidates, still_empty
from cutlist.state.statenode import DRIFTED

MOST_TOGETHER: Final = 100
"""Multi-node consolidation looks at this many candidates and one more (spec 5.7)."""
BLOCKED: Final = "DisruptionBlocked"
CANDIDATE: Final = "ConsolidationCandidate"
APPROVED: Final = "ConsolidationApproved"
REJECTED: Final = "ConsolidationRejected"


class Method(StrEnum):
    """The methods in the order in which Karpenter asks them."""

    EMPTINESS = "emptiness"
    STATIC_DRIFT = "staticDrift"
    DRIFT = "drift"
    MULTI = "multi"
    SINGLE = "single"


@dataclass(slots=True)
class Outcome:
    """What a method came to. `spared` are nodes that it leaves alone, `notes` what else Karpenter tells, by `Kind/name`.

    `error` ends the whole loop. `constrained` tells that a budget kept a candidate out; `unfinished` that the method may come
    to something else when it is asked again, though nothing has changed.
    """

    candidates: tuple[Candidate, ...] = ()
    commands: list[Command] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[tuple[str, str, str]] = field(default_factory=list)
    error: str = ""
    constrained: bool = False
    unfinished: bool = False

    def spare(self, candidate: Candidate, event: str, text: str) -> None:
        """A candidate stays, and why."""
        self.skipped.append(Skipped(candidate.name, event, text))

    def note(self, candidate: Candidate, event: str, text: str) -> None:
        """Karpenter says something about a candidate that does not stay for this reason."""
        self.notes.append((f"Node/{candidate.name}", event, text))


@dataclass(frozen=True, slots=True)
class Question:
    """What a method is asked about: a world, its generic candidates, and the world as it is after the delay of validation."""

    cluster: ClusterState
    graceful: Candidates
    eventual: Candidates
    simulator: Simulator
    later: Simulator
    later_candidates: Candidates

    @staticmethod
    def of(cluster: ClusterState, later: ClusterState | None = None) -> Question:
        """Prepare the question; without `later` nothing changes while Karpenter waits."""
        now = cluster.overlaid()
        graceful, eventual, simulator = candidates(now, eventual=False), candidates(now, eventual=True), Simulator(now)
        if later is None:
            return Question(now, graceful, eventual, simulator, simulator, graceful)
        after = later.overlaid()
        return Question(now, graceful, eventual, simulator, Simulator(after), candidates(after, eventual=False))


def ask(method: Method, question: Question) -> Outcome:
    """What a method would do now, whether or not one before it would do something."""
    outcome = chosen(method, question)
    if outcome.candidates:
        _METHODS[method].work_out(question, outcome)
    return outcome


def chosen(method: Method, question: Question) -> Outcome:
    """The candidates of a method, and nothing else yet."""
    rule, outcome, found = _METHODS[method], Outcome(), []
    generic = question.eventual if rule.eventual else question.graceful
    for candidate in generic.found.values():
        skipped = rule.wanted(candidate, question.cluster)
        if skipped is None:
            found.append(candidate)
        elif skipped.event:
            outcome.skipped.append(skipped)
    outcome.candidates = tuple(found)
    return outcome


# --- emptiness and drift


def _emptiness(question: Question, outcome: Outcome) -> None:
    left = remaining(question.cluster, Reason.EMPTY)
    admitted = left.admitted(by_ratio(outcome.candidates))
    outcome.constrained = len(admitted) < len(outcome.candidates)
    if admitted:
        verdict = still_empty(Command(Reason.EMPTY, tuple(admitted)), question.later.cluster, question.later_candidates)
        _tell_blocked(outcome, verdict, question.graceful)
        outcome.commands = [verdict.command] if verdict.command else []


def _static_drift(question: Question, outcome: Outcome) -> None:
    left = remaining(question.cluster, Reason.DRIFTED)
    outcome.commands = [
        Command(Reason.DRIFTED, (candidate,), (Replacement.plain(candidate.pool, question.cluster.registry),))
        for candidate in static_replacements(outcome.candidates, left, question.cluster)
    ]


def _drift(question: Question, outcome: Outcome) -> None:
    left = remaining(question.cluster, Reason.DRIFTED)
    for candidate in sorted(outcome.candidates, key=lambda c: (bool(c.pods), _drifted_since(c), c.name)):
        if not left.allows(candidate):
            outcome.constrained = True
            continue
        simulation = question.simulator.without([candidate.node], resting=False)
        if simulation.error:
            outcome.error = simulation.error
            return
        if simulation.stranded:
            outcome.spare(candidate, BLOCKED, stranded(simulation))
            continue
        replacements = tuple(map(Replacement.of, simulation.claims))
        outcome.commands = [Command(Reason.DRIFTED, (candidate,), replacements, simulation)]
        return


def _drifted_since(candidate: Candidate) -> float:
    claim = candidate.node.claim
    return claim.conditions[DRIFTED].since if claim is not None else 0


# --- consolidation


def _multi(question: Question, outcome: Outcome) -> None:
    listed = remaining(question.cluster, Reason.UNDERUTILIZED).admitted(by_ratio(outcome.candidates))
    outcome.constrained = len(listed) < len(outcome.candidates)
    of = totals(question.cluster, question.graceful.found)
    approvals: dict[str, str] = {}  # of each pool the last one, though another pool may have been against it
    found, low, high = None, 1, min(len(listed) - 1, MOST_TOGETHER)
    while low <= high:
        middle = (low + high) // 2
        tried = _together(listed[: middle + 1], question, outcome)
        if outcome.error:
            return
        votes = scores(tried, of) if tried is not None else []
        approvals |= _told(votes)
        if tried is not None and all(vote.approved for vote in votes):
            found, low = tried, middle + 1
        else:
            high = middle - 1
    outcome.notes += [(about, APPROVED, text) for about, text in approvals.items()]
    if found is not None:
        verdict = still_consolidates(found, question.later, question.later_candidates, is_consolidatable)
        _tell_blocked(outcome, verdict, question.graceful)
        outcome.unfinished = verdict.command is None
        outcome.commands = [found] if verdict.command else []


def _together(listed: Sequence[Candidate], question: Question, outcome: Outcome) -> Command | None:
    """What ends the first so many candidates at once; None when nothing does."""
    decision = decide(listed, question.simulator)
    if isinstance(decision, NoChange):
        outcome.error = decision.error
        return None
    if isinstance(decision, ConsolidationOption):
        command = decision.command(listed)
        _announce(command, outcome, together=len(listed))
        cut = without_same_type(decision, listed)
        return None if cut is None else cut.command(listed)
    return decision


def _single(question: Question, outcome: Outcome) -> None:
    left = remaining(question.cluster, Reason.UNDERUTILIZED)
    of = totals(question.cluster, question.graceful.found)
    for candidate in in_turns(by_ratio(outcome.candidates)):
        if not left.allows(candidate):
            outcome.constrained = True
            continue
        if not worth_trying(candidate, of):
            continue
        command = _alone(candidate, question, of, outcome)
        if command is None:
            continue
        verdict = still_consolidates(command, question.later, question.later_candidates, is_consolidatable)
        _tell_blocked(outcome, verdict, question.graceful)
        if verdict.command is None:
            text = f"Consolidation rejected: {command.decision}: {command.exchange}, reason: {verdict.failure}"
            outcome.note(candidate, REJECTED, f"{text} (savings: {dollars(command.savings)})")
        outcome.unfinished = verdict.command is None
        outcome.commands = [command] if verdict.command else []
        return


def _alone(candidate: Candidate, question: Question, of: Mapping[str, Totals], outcome: Outcome) -> Command | None:
    decision = decide([candidate], question.simulator)
    if isinstance(decision, NoChange):
        if not decision.error:
            outcome.spare(candidate, UNCONSOLIDATABLE, decision.text)
        return None
    command = decision.command([candidate]) if isinstance(decision, ConsolidationOption) else decision
    if command.replacements:
        _announce(command, outcome, together=1)
    votes = scores(command, of)
    outcome.notes += [(about, APPROVED, text) for about, text in _told(votes, f"Node/{candidate.name}").items()]
    return command if all(vote.approved for vote in votes) else None


def _announce(command: Command, outcome: Outcome, *, together: int) -> None:
    for candidate in command.candidates:
        part = f"(part of {together}-node consolidation)" if together > 1 else "-> [1 replacement]"
        text = f"Consolidation candidate: {command.decision}: [{candidate.name}] {part}"
        outcome.note(candidate, CANDIDATE, f"{text} (savings: {dollars(command.savings)})")


def _told(votes: Sequence[Score], about: str = "") -> dict[str, str]:
    """The approvals among some votes by what they are told about: a node, or else the NodePool of each."""
    return {about or f"NodePool/{score.pool}": score.text for score in votes if score.approved}


# --- what the methods share


def by_ratio(found: Sequence[Candidate]) -> list[Candidate]:
    """The order of emptiness and consolidation: what saves most for its disruption first (D-22)."""
    return sorted(found, key=lambda c: (-c.savings_ratio, c.name))


def in_turns(ordered: Sequence[Candidate]) -> list[Candidate]:
    """The first candidate of each NodePool, then the second of each, and so on (spec 2.5)."""
    turns: dict[str, int] = {}
    placed = []
    for candidate in ordered:
        turn = turns[candidate.pool.name] = turns.get(candidate.pool.name, 0) + 1
        placed.append((turn, candidate.pool.name, candidate))
    return [candidate for _, _, candidate in sorted(placed, key=lambda p: p[:2])]


def _tell_blocked(outcome: Outcome, verdict: Verdict, before: Candidates) -> None:
    """What has come to block nodes while Karpenter waited."""
    for name, text in verdict.blocked.items():
        if text and before.blocked.get(name) != text:
            outcome.notes.append((f"Node/{name}", BLOCKED, text))


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a method goes about it: which class of disruption it is, whom it wants, and what it makes of them."""

    eventual: bool
    wanted: Filter
    work_out: Callable[[Question, Outcome], None]


_METHODS: Final[Mapping[Method, _Rule]] = {
    Method.EMPTINESS: _Rule(False, is_empty, _emptiness),
    Method.STATIC_DRIFT: _Rule(True, is_static_and_drifted, _static_drift),
    Method.DRIFT: _Rule(True, is_drifted, _drift),
    Method.MULTI: _Rule(False, is_consolidatable, _multi),
    Method.SINGLE: _Rule(False, is_consolidatable, _single),
}
