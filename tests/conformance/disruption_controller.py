"""Karpenter's disruption controller from loop to loop: its queue of commands, and what it remembers (spec: disruption 4.1, 4.2,
4.7; D-36, D-40 to D-43).

Nothing here waits: whoever drives the controller says what time it is and what happened to the replacements.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from cutlist.core.annotations import TERMINATION_TIMESTAMP
from cutlist.core.instants import instant, instant_text
from cutlist.core.labels import NODEPOOL
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.evaluation import MethodInputs, MethodOutcome
from cutlist.disruption.methods import Method, evaluate, methods_of, with_candidates
from cutlist.disruption.termination import deleted
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.statenode import CLAIM_INITIALIZED, LAUNCHED, REBOOTING, Condition, NodeClaimState, StateNode
from tests.conformance.reboot import BOUND
from tests.conformance.repair import go_duration, length

REMEMBERED: Final = frozenset((Method.EMPTINESS, Method.MULTI, Method.SINGLE))
MEMORY_LASTS: Final = 300.0
"""Seconds after which a method looks again, though nothing has changed."""
_PER_CANDIDATE: Final = 0.08
_SHORTEST, _LONGEST = 600.0, 3600.0


class Phase(StrEnum):
    """What has become of a replacement."""

    LAUNCHING = "launching"
    INITIALIZED = "initialized"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Running:
    """A command that is being executed since an instant, and the names of the NodeClaims that it created."""

    command: Command
    started: float
    claims: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the nodes that it ends."""
        return tuple(c.name for c in self.command.candidates)


@dataclass(slots=True)
class Controller:
    """The controller's own state. `view` lays it over the cluster as the API server has it."""

    changed: float
    running: list[Running] = field(default_factory=list)
    created: dict[str, tuple[Replacement, Phase]] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    tainted: set[str] = field(default_factory=set)
    nominated: dict[str, float] = field(default_factory=dict)
    rebooting: dict[str, NodeClaimState] = field(default_factory=dict)
    reboots: dict[str, tuple[float, ...]] = field(default_factory=dict)
    bounds: dict[str, float] = field(default_factory=dict)
    stamps_before: dict[str, str | None] = field(default_factory=dict)
    _nothing_since: dict[Method, float] = field(default_factory=dict)

    def view(self, cluster: ClusterState) -> ClusterState:
        """Return the cluster with what the controller has done to it and knows of it."""
        going = {name for r in self.running for name in r.names}
        nodes = [self._seen(m, going) for m in cluster.nodes]
        phases = {name: phase for name, (_, phase) in self.created.items()}
        nodes += [_new(n, r) for n, (r, phase) in self.created.items() if phase is Phase.INITIALIZED]
        controller_memory = cluster.controller_memory
        return replace(
            cluster,
            nodes=sorted(nodes, key=lambda m: m.name),
            launching=(*cluster.launching, *(name for name, phase in phases.items() if phase is Phase.LAUNCHING)),
            controller_memory=replace(
                controller_memory,
                nominated={**controller_memory.nominated, **self.nominated},
                queued=controller_memory.queued | going,
                reboots={
                    name: (*controller_memory.reboots.get(name, ()), *self.reboots.get(name, ()))
                    for name in (*controller_memory.reboots, *self.reboots)
                },
            ),
        )

    def notice(self, now: float) -> None:
        """Something has changed that makes Karpenter look again."""
        self.changed = now

    def outcomes(self, inputs: MethodInputs) -> dict[Method, MethodOutcome]:
        """Return each method asked on its own; one that came to nothing before stays silent until something changes."""
        return {method: self._ask(method, inputs) for method in methods_of(inputs.cluster)}

    def loop(self, cluster: ClusterState) -> MethodOutcome | None:
        """Return one loop: the first method with something to do does it. None when nothing is done."""
        self.tainted = {name for name in self.tainted if name in self.ended or any(name in r.names for r in self.running)}
        seen = self.view(cluster)
        if not seen.synced:
            return None
        inputs = MethodInputs.of(seen)
        for method in methods_of(seen):
            outcome = self._ask(method, inputs)
            if outcome.error:
                return None
            if outcome.commands:
                for command in outcome.commands:
                    self._start(command, cluster.now)
                return outcome
        return None

    def work_queue(self, now: float) -> None:
        """Look at every running command once: finish it, give it up, or go on waiting."""
        still = []
        for r in self.running:
            phases = [self.created[claim][1] for claim in r.claims]
            up = all(phase is Phase.INITIALIZED for phase in phases)
            failed = Phase.GONE in phases or now - r.started > self._patience()
            if up:
                self.ended |= dict.fromkeys(r.names, now)
            if failed:  # late success included: Karpenter deletes the nodes, and then takes back what else it did to them
                self.tainted -= set(r.names)
            if not up and not failed:
                still.append(r)
        self.running = still

    def replacements_are(self, phase: Phase, now: float) -> None:
        """All replacements have come to something; also those that were initialized before may be deleted now."""
        for name, (replacement, before) in list(self.created.items()):
            if before not in (phase, Phase.GONE):
                self.created[name] = replacement, phase
                self.notice(now)

    def _ask(self, method: Method, inputs: MethodInputs) -> MethodOutcome:
        now = inputs.cluster.now
        if now - self.changed >= MEMORY_LASTS:
            self.changed = now
        if method in REMEMBERED and self._nothing_since.get(method) == self.changed:
            return with_candidates(method, inputs)
        outcome = evaluate(method, inputs)
        nothing = bool(outcome.candidates) and not outcome.commands
        if method in REMEMBERED and nothing and not outcome.constrained and not outcome.unfinished and not outcome.error:
            self._nothing_since[method] = self.changed
        return outcome

    def deadlines(self, claims: Iterable[NodeClaimState], cluster: ClusterState) -> dict[str, str]:
        """Return the deadlines of NodeClaims that end: stamped with the bound of their drain, or there before (V15-53)."""
        node_of = {m.claim.name: m.name for m in cluster.nodes if m.claim is not None}
        stamps = {}
        for claim in claims:
            node = node_of[claim.name]
            known = claim.annotations.get(TERMINATION_TIMESTAMP) if node not in self.ended else self.stamps_before.get(node)
            times = [at for at in (instant(known), self._bound_at(node)) if at is not None]
            if claim.deleted is not None and times:
                stamps[claim.name] = instant_text(min(times))
        return stamps

    def _bound_at(self, node: str) -> float | None:
        return self.ended[node] + self.bounds[node] if node in self.ended and node in self.bounds else None

    def _hand_over(self, command: Command, now: float) -> None:
        """Request the reboot of a node, which the queue has nothing to do with (V15-55)."""
        for candidate in command.candidates:
            claim = candidate.node.claim
            assert claim is not None
            own = claim.termination_grace_period
            bound = command.bounds.get(candidate.name, None if own is None else length(own))
            annotations = {k: v for k, v in claim.annotations.items() if k != BOUND}
            annotations |= {} if bound is None else {BOUND: go_duration(bound)}
            conditions = {**claim.conditions, REBOOTING: Condition("True", now, "RebootRequested")}
            self.rebooting[claim.name] = replace(claim, annotations=annotations, conditions=conditions)
            self.reboots[claim.name] = (*self.reboots.get(claim.name, ()), now)

    def _start(self, command: Command, now: float) -> None:
        if command.reboot:
            self._hand_over(command, now)
            return
        self.bounds |= command.bounds
        for candidate in command.candidates:
            if candidate.node.claim is not None:
                self.stamps_before[candidate.name] = candidate.node.claim.annotations.get(TERMINATION_TIMESTAMP)
        names = [f"{r.node_pool}-{len(self.created) + i}" for i, r in enumerate(command.replacements)]
        for name, replacement in zip(names, command.replacements, strict=True):
            self.created[name] = replacement, Phase.LAUNCHING
            self.notice(now)
        self.tainted |= {c.name for c in command.candidates}
        self.running.append(Running(command, now, tuple(names)))
        self.nominated |= dict.fromkeys(_destinations(command), now)

    def _patience(self) -> float:
        queued = sum(len(r.names) for r in self.running)
        return min(max(queued * _PER_CANDIDATE, _SHORTEST), _LONGEST)

    def _seen(self, node: StateNode, going: Iterable[str]) -> StateNode:
        if node.claim is not None and node.claim.name in self.rebooting:
            node = replace(node, claim=self.rebooting[node.claim.name])
        if node.name not in going and node.name not in self.ended:
            return node
        claim = node.claim
        if node.name in self.ended and claim is not None:
            claim = deleted(claim, self.ended[node.name])
        return replace(node, state=replace(node.state, removed=True), claim=claim)


def _destinations(command: Command) -> list[str]:
    """Return the nodes that exist on which pods of a command are expected; virtual pods are not."""
    return list(command.simulation.moved) if command.simulation is not None else []


def _new(name: str, replacement: Replacement) -> StateNode:
    """Return a NodeClaim whose instance has started, while its Node has not joined."""
    conditions = {c: Condition("True") for c in (LAUNCHED, CLAIM_INITIALIZED)}
    labels = {NODEPOOL: replacement.node_pool}
    claim = NodeClaimState(name, labels=labels, provider_id=name, conditions=conditions)
    return StateNode(SchedulingNode(name, labels=labels, initialized=False), claim)
