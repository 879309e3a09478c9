"""What Karpenter does to a cluster that is left alone, step by step, until it does nothing more (spec: disruption 4).

Time passes only where something waits for it. Nothing is interrupted, nothing fails to launch, nobody deploys, nothing expires.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from cutlist.api.budget_windows import next_change
from cutlist.core.labels import NODEPOOL
from cutlist.disruption.aftermath import after_command, placed
from cutlist.disruption.cluster_state import NOMINATED_FOR, ClusterState
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.conditions import Surroundings, settled_at, with_conditions
from cutlist.disruption.drift_reason import CoreDrift
from cutlist.disruption.evaluation import MethodInputs, Outcome
from cutlist.disruption.methods import Method, evaluate
from cutlist.disruption.simulation import Simulator
from cutlist.state.statenode import DRIFTED

VALIDATION: Final = 15.0
"""Seconds between a decision of emptiness or consolidation and the look that confirms it."""
LAUNCH: Final = 60.0
"""Seconds that a new node is taken to need until it is ready."""
HORIZON: Final = 7 * 24 * 3600.0
"""Seconds after which the course is broken off: a week."""


class TrajectoryEnd(StrEnum):
    """Why a course is over."""

    STABLE = "stable"
    CHURN = "churn"
    HORIZON = "horizon"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class TrajectoryStep:
    """Something that Karpenter does at an instant (seconds since 1970): commands of a method, or new nodes for pods that wait.

    Prices are those of all NodeClaims, in USD/hour, before and after. `evicted` are the pods that had to move.
    """

    at: float
    method: Method | None
    commands: tuple[Command, ...]
    launched: tuple[str, ...]
    evicted: tuple[str, ...]
    price_before: float
    price_after: float

    @property
    def savings(self) -> float:
        """What an hour costs less afterwards."""
        return self.price_before - self.price_after


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The steps from an instant to the end, and the cluster there. An endless loop comes back to where step `repeats` ended."""

    started: float
    steps: tuple[TrajectoryStep, ...]
    end: TrajectoryEnd
    cluster: ClusterState
    repeats: int | None = None

    @property
    def evictions(self) -> Mapping[str, int]:
        """How often each pod had to move, most often first."""
        return dict(Counter(pod for step in self.steps for pod in step.evicted).most_common())


@dataclass(slots=True)
class _Walk:
    cluster: ClusterState
    steps: list[TrajectoryStep] = field(default_factory=list)
    seen: dict[Hashable, int] = field(default_factory=dict)


def until_stable(cluster: ClusterState, most: int = 1000, until: float = HORIZON) -> Trajectory:
    """Let Karpenter go on until nothing changes any more, a state comes back, or so many steps or seconds have passed."""
    start, walk = cluster.now, _Walk(judged(cluster))
    walk.seen[_state(walk.cluster)] = 0
    while len(walk.steps) < most:
        constrained = _step(walk)
        if constrained is None:
            state = _state(walk.cluster)
            if walk.steps[-1].evicted and state in walk.seen:
                return Trajectory(start, tuple(walk.steps), TrajectoryEnd.CHURN, walk.cluster, walk.seen[state])
            walk.seen.setdefault(state, len(walk.steps))
            continue
        at = min(_waits(walk.cluster, constrained=constrained), default=None)
        if at is None:
            return Trajectory(start, tuple(walk.steps), TrajectoryEnd.STABLE, walk.cluster)
        if at > start + until:
            return Trajectory(start, tuple(walk.steps), TrajectoryEnd.HORIZON, walk.cluster)
        walk.cluster = judged(replace(walk.cluster, now=at))
    return Trajectory(start, tuple(walk.steps), TrajectoryEnd.STEPS, walk.cluster)


def judged(cluster: ClusterState) -> ClusterState:
    """The cluster with the conditions that Karpenter sets on NodeClaims by now; a cloud's own reason to drift stays."""
    own = {
        m.state.node: m.claim.conditions[DRIFTED].reason
        for m in cluster.nodes
        if m.claim is not None and m.claim.has(DRIFTED) and m.claim.conditions[DRIFTED].reason not in set(CoreDrift)
    }
    around = Surroundings(cluster.pools, cluster.types, cluster.registry, own)
    return replace(cluster, nodes=with_conditions(cluster.nodes, around, cluster.now))


def price(cluster: ClusterState) -> float:
    """What all NodeClaims cost an hour, in USD; those of unknown price count nothing."""
    return sum(p for m in cluster.nodes if (p := cluster.price_of(m)))


def _step(walk: _Walk) -> bool | None:
    """Do one thing. None when something was done, else whether a budget kept something from being done."""
    if (walk.cluster.pending or walk.cluster.displaced) and _provision(walk):
        return None
    inputs, constrained = MethodInputs.of(walk.cluster), False
    for method in Method:
        outcome = evaluate(method, inputs)
        constrained |= outcome.constrained
        if outcome.error:
            break
        if outcome.commands:
            _execute(walk, method, outcome)
            return None
    return constrained


def _provision(walk: _Walk) -> bool:
    """New nodes for pods that wait; whether any of them found a place."""
    before = walk.cluster
    simulation = Simulator(before).without((), resting=False)
    if not simulation.claims and not simulation.moves:
        return False
    replacements = tuple(map(Replacement.of, simulation.claims))
    after = placed(before, simulation, replacements, _prefix(walk))
    _record(walk, None, (), after, (), LAUNCH if simulation.claims else 0.0)
    return True


def _execute(walk: _Walk, method: Method, outcome: Outcome) -> None:
    cluster, evicted, wait = walk.cluster, [], 0.0
    for number, command in enumerate(outcome.commands):
        prefix = _prefix(walk) if len(outcome.commands) == 1 else f"{_prefix(walk)}-{number}"
        evicted += [f"{p.pod.namespace}/{p.name}" for c in command.candidates for p in c.pods]
        cluster = after_command(cluster, command, prefix)
        wait = max(wait, LAUNCH if command.replacements else 0.0)
        expected = [*(command.simulation.moves if command.simulation is not None else ())]
        nominated = {**cluster.controller_memory.nominated, **dict.fromkeys(expected, cluster.now)}
        cluster = replace(cluster, controller_memory=replace(cluster.controller_memory, nominated=nominated))
    delay = 0.0 if method in (Method.DRIFT, Method.STATIC_DRIFT) else VALIDATION
    _record(walk, method, tuple(outcome.commands), cluster, tuple(evicted), delay + wait)


def _record(
    walk: _Walk,
    method: Method | None,
    commands: tuple[Command, ...],
    after: ClusterState,
    evicted: tuple[str, ...],
    takes: float,
) -> None:
    before = walk.cluster
    there = {m.name for m in before.nodes}
    new = tuple(m.name for m in after.nodes if m.name not in there)
    walk.steps.append(TrajectoryStep(before.now, method, commands, new, evicted, price(before), price(after)))
    walk.cluster = judged(replace(after, now=before.now + takes))


def _prefix(walk: _Walk) -> str:
    return f"new-{len(walk.steps) + 1:03d}"


def _waits(cluster: ClusterState, *, constrained: bool) -> Iterator[float]:
    """The instants to come at which something may have changed by itself."""
    now = cluster.now
    for node in cluster.nodes:
        pool, claim = cluster.pools.get(node.pool), node.claim
        if pool is not None and claim is not None:
            at = settled_at(claim, pool)
            if at is not None and at > now:
                yield at
        yield from (ends for p in node.pods if (ends := p.held_until) is not None and ends > now)
    yield from (since + NOMINATED_FOR for since in cluster.controller_memory.nominated.values() if since + NOMINATED_FOR > now)
    if constrained:
        changes = (next_change(pool, now) for pool in cluster.pools.values())
        yield from (at for at in changes if at is not None)


def _state(cluster: ClusterState) -> Hashable:
    """What tells one state of the cluster from another, whatever new nodes are called."""
    nodes = Counter(
        (
            m.state.labels.get(NODEPOOL, ""),
            m.instance_type,
            m.zone,
            m.capacity_type,
            frozenset(f"{p.pod.namespace}/{p.name}" for p in m.pods if p.reschedulable),
        )
        for m in cluster.nodes
    )
    return frozenset(nodes.items())
