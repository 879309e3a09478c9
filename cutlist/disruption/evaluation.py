"""What a disruption method is given, and what it comes to (spec: disruption 4.1, 11)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from cutlist.disruption.candidates import Candidate, Candidates, Skipped, candidates
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command
from cutlist.disruption.simulation import Simulator
from cutlist.disruption.validation import Verdict

BLOCKED: Final = "DisruptionBlocked"


@dataclass(frozen=True, slots=True)
class MethodInputs:
    """A cluster, its generic candidates by class of disruption, and the same after the delay of validation."""

    cluster: ClusterState
    graceful: Candidates
    eventual: Candidates
    simulator: Simulator
    later: Simulator
    later_candidates: Candidates

    @staticmethod
    def of(cluster: ClusterState, later: ClusterState | None = None) -> MethodInputs:
        """Prepare the inputs; without `later` nothing changes during the delay."""
        now = cluster.overlaid()
        graceful, eventual, simulator = candidates(now, eventual=False), candidates(now, eventual=True), Simulator(now)
        if later is None:
            return MethodInputs(now, graceful, eventual, simulator, simulator, graceful)
        after = later.overlaid()
        return MethodInputs(now, graceful, eventual, simulator, Simulator(after), candidates(after, eventual=False))


@dataclass(slots=True)
class Outcome:
    """What a method came to: its commands, the nodes that it skips, and in `notes` the other events, by `Kind/name`.

    `error` ends the whole loop. `constrained` says that a budget kept a candidate out; `unfinished` that the method may come
    to something else when it runs again, though nothing has changed.
    """

    candidates: tuple[Candidate, ...] = ()
    commands: list[Command] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[tuple[str, str, str]] = field(default_factory=list)
    error: str = ""
    constrained: bool = False
    unfinished: bool = False

    def skip(self, candidate: Candidate, event: str, text: str) -> None:
        """Record that a candidate is left alone, and why."""
        self.skipped.append(Skipped(candidate.name, event, text))

    def note(self, candidate: Candidate, event: str, text: str) -> None:
        """Record an event on a candidate that is not left alone for this reason."""
        self.notes.append((f"Node/{candidate.name}", event, text))

    def note_blocked(self, verdict: Verdict, before: Candidates) -> None:
        """Record what has come to block nodes during the delay of validation."""
        for name, text in verdict.blocked.items():
            if text and before.blocked.get(name) != text:
                self.notes.append((f"Node/{name}", BLOCKED, text))
