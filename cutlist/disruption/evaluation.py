"""The inputs and the result of a disruption method (spec: disruption 4.1, 11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.disruption.budgets import Remaining, remaining
from cutlist.disruption.candidates import (
    Candidate,
    Candidates,
    DisruptionClass,
    Filter,
    Skipped,
    by_savings_ratio,
    candidates,
)
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.known_candidates import KnownCandidates
from cutlist.disruption.prospects import Prospects
from cutlist.disruption.reasons import Reason
from cutlist.disruption.simulation import Simulator
from cutlist.disruption.validation import ValidatedCommand

BLOCKED: Final = "DisruptionBlocked"
NO_CANDIDATES: Final = Candidates({}, {})


@dataclass(frozen=True, slots=True)
class MethodInputs:
    """A cluster, its generic candidates by class of disruption, and the same after the delay before validation.

    With `prospects`, consolidation neither simulates nor reports candidates that are certain to have no result. `known` has the
    candidates as they were kept from round to round.
    """

    cluster: ClusterState
    graceful: Candidates
    eventual: Candidates
    simulator: Simulator
    later: Simulator
    later_candidates: Candidates
    repairable: Candidates = NO_CANDIDATES
    prospects: Prospects | None = None
    known: KnownCandidates | None = None

    @staticmethod
    def of(cluster: ClusterState, later: ClusterState | None = None) -> MethodInputs:
        """Prepare the inputs; without `later` nothing changes during the delay."""
        now = cluster.overlaid()
        graceful, eventual = (candidates(now, of) for of in (DisruptionClass.GRACEFUL, DisruptionClass.EVENTUAL))
        repairable = candidates(now, DisruptionClass.REPAIR) if now.repairs else NO_CANDIDATES
        simulator = Simulator(now)
        if later is None:
            return MethodInputs(now, graceful, eventual, simulator, simulator, graceful, repairable)
        after = later.overlaid()
        return MethodInputs(now, graceful, eventual, simulator, Simulator(after), candidates(after), repairable)

    def of_class(self, disruption_class: DisruptionClass) -> Candidates:
        """Return the generic candidates of a class of disruption."""
        match disruption_class:
            case DisruptionClass.REPAIR:
                return self.repairable
            case DisruptionClass.EVENTUAL:
                return self.eventual
            case _:
                return self.graceful

    def accepted(self, takes: Filter, disruption_class: DisruptionClass) -> tuple[tuple[Candidate, ...], Iterable[Skipped]]:
        """Return the candidates of a class that a method accepts, and the events about others."""
        # The kept verdicts are those of the two other classes: repair passes over some of their checks.
        if self.known is not None and disruption_class is not DisruptionClass.REPAIR:
            return self.known.accepted(takes, disruption_class, self.cluster)
        judged = [(c, takes(c, self.cluster)) for c in self.of_class(disruption_class).by_name.values()]
        return tuple(c for c, skipped in judged if skipped is None), [s for _, s in judged if s is not None and s.event]

    def remaining(self, reason: Reason) -> Remaining:
        """Return how many nodes of each pool may still be disrupted for a reason."""
        return remaining(self.cluster, reason, self.graceful.counts)

    def by_savings_ratio(self, accepted: Sequence[Candidate]) -> Sequence[Candidate]:
        """Return candidates that a method accepts in the order of their savings; known ones have it."""
        return accepted if self.known is not None else by_savings_ratio(accepted)

    def are_hopeless(self, removed: Sequence[Candidate]) -> bool:
        """Tell whether it is certain, without a simulation, that consolidation does not remove these candidates together."""
        return self.prospects is not None and self.prospects.are_hopeless(removed)

    def not_known_hopeless(self, ordered: Sequence[Candidate]) -> Iterable[Candidate]:
        """Return candidates without those of which an earlier round found that consolidation does not remove them alone."""
        return ordered if self.prospects is None else self.prospects.not_known_hopeless(ordered)

    def is_hopeless(self, candidate: Candidate) -> bool:
        """Tell whether it is certain, without a simulation, that consolidation does not remove a candidate alone."""
        return self.prospects is not None and self.prospects.is_hopeless(candidate)

    def nothing_came_of(self, candidate: Candidate) -> None:
        """Record that a simulation found nothing to do with a candidate."""
        if self.prospects is not None:
            self.prospects.nothing_came_of(candidate)


@dataclass(slots=True)
class MethodOutcome:
    """The result of a method: its commands, the nodes that it skips, and in `notes` the other events, by `Kind/name`.

    `error` ends the whole loop. `constrained` says that a budget kept a candidate out; `unfinished` that the method may have
    another result when it runs again, although nothing has changed. `tried` is how many candidates single-node consolidation
    has simulated without, hopeless ones included.
    """

    candidates: tuple[Candidate, ...] = ()
    commands: list[Command] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[tuple[str, str, str]] = field(default_factory=list)
    error: str = ""
    constrained: bool = False
    unfinished: bool = False
    tried: int = 0

    def skip(self, candidate: Candidate, event: str, text: str) -> None:
        """Record that a candidate is skipped, and why."""
        self.skipped.append(Skipped(candidate.name, event, text))

    def note(self, candidate: Candidate, event: str, text: str) -> None:
        """Record an event on a candidate that is not skipped for this reason."""
        self.notes.append((f"Node/{candidate.name}", event, text))

    def note_pools(self, simulator: Simulator) -> None:
        """Record the events on NodePools that come with a simulation, each once."""
        self.notes += [event for event in simulator.pool_events if event not in self.notes]

    def note_validation(self, verdict: ValidatedCommand, takes: Filter, inputs: MethodInputs) -> None:
        """Record the events of the second look at all nodes, after the delay: which are blocked or skipped now (D-82)."""
        # Nothing changed during the delay, so a second look would report the same events twice.
        if inputs.later is inputs.simulator:
            return
        for name, text in verdict.blocked.items():
            if text and inputs.graceful.blocked.get(name) != text:
                has_node = any(node.name == name and node.has_node for node in inputs.later.cluster.nodes)
                self.notes.append((f"{'Node' if has_node else 'NodeClaim'}/{name}", BLOCKED, text))
        judged = (takes(candidate, inputs.later.cluster) for candidate in inputs.later_candidates.by_name.values())
        self.skipped += [s for s in judged if s is not None and s.event and s not in self.skipped]
