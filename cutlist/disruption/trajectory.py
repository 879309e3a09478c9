"""What Karpenter does to an otherwise unchanged cluster, step by step, until it does nothing more (spec: disruption 4).

Time passes only where something waits for it. Nothing is interrupted, no launch fails, nothing is deployed, nothing expires.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Final

from cutlist.api.budget_windows import next_change
from cutlist.catalog.prices import is_estimate
from cutlist.catalog.ranges import EXACT, Deviations, PriceRange
from cutlist.core.labels import NODEPOOL
from cutlist.core.money import money_sum
from cutlist.core.records import HIDDEN, After, Count, Counts, Instant, Key, Usd, about, computed, form_of
from cutlist.disruption.aftermath import placed
from cutlist.disruption.cluster_state import NOMINATED_FOR, ClusterState
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.conditions import Surroundings, settled_at, with_conditions
from cutlist.disruption.disk_costs import deviations, deviations_of, has_estimates, price, with_disk_savings
from cutlist.disruption.drift_reason import CoreDrift
from cutlist.disruption.followed_cluster import FollowedCluster
from cutlist.disruption.following import after_step, nodes_for_evicted, price_of_nodes, with_following
from cutlist.disruption.known_drift import KnownDrift
from cutlist.disruption.methods import Method, evaluate, methods_of
from cutlist.state.statenode import DRIFTED, StateNode

VALIDATION: Final = 15.0
"""Number of seconds between a decision of emptiness or consolidation and the check that confirms it."""
LAUNCH: Final = 60.0
"""Number of seconds that a new node is assumed to need until it is ready."""
HORIZON: Final = 7 * 24 * 3600.0
"""Number of seconds after which the trajectory is cut off: a week."""
MOST_STEPS: Final = 1000
_OF_NODE_POOLS: Final = frozenset(CoreDrift)


class TrajectoryEnd(StrEnum):
    """Why a trajectory ends."""

    STABLE = "stable"
    CHURN = "churn"
    HORIZON = "horizon"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class StepDoubt:
    """How far prices may be from their estimates: of all NodeClaims before and after a step, and of the nodes that it owes."""

    before: Deviations = EXACT
    after: Deviations = EXACT
    owed: Deviations = EXACT


@dataclass(frozen=True, slots=True)
class TrajectoryStep:
    """A step of Karpenter at an instant: commands of a method, or new nodes for waiting pods.

    Prices are those of all NodeClaims, in USD/hour, before and after. `evicted` are the pods that had to move.
    `is_estimated` says that the price afterwards has an estimate in it, `is_saving_estimated` that the difference has. `takes`
    is the number of seconds until the next step may begin. `owed` is the price of nodes that the next step launches for pods
    that this one evicted; in that step it is negative, as it has been counted.
    """

    at: Instant
    method: Method | None
    commands: tuple[Command, ...]
    launched: tuple[str, ...]
    evicted: tuple[str, ...]
    price_before: Annotated[float, HIDDEN]
    price_after: Annotated[Usd, Key("pricePerHour")]
    is_estimated: Annotated[bool, Key("priceEstimated")] = False
    is_saving_estimated: Annotated[bool, HIDDEN] = False
    takes: Annotated[float, HIDDEN] = 0.0
    owed: Annotated[float, HIDDEN] = 0.0
    doubt: Annotated[StepDoubt, HIDDEN] = StepDoubt()

    @property
    def savings(self) -> float:
        """Return how much less the cluster costs afterwards, in USD per hour: once its pods have the nodes that they need."""
        return round(self.price_before - self.price_after - self.owed, 10) + 0.0

    @property
    def savings_range(self) -> PriceRange | None:
        """Return the range of these savings, None without one."""
        before, after, owed = self.doubt.before, self.doubt.after, self.doubt.owed
        counted = before.minus(after.plus(owed)) if self.owed >= 0 else before.plus(owed).minus(after)
        return counted.around(self.savings)

    @property
    def range_after(self) -> PriceRange | None:
        """Return the range of the price afterwards, None without one."""
        return self.doubt.after.around(self.price_after)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The steps from an instant to the end. Churn returns to the state after step `repeats`."""

    started: Annotated[float, HIDDEN]
    steps: Annotated[tuple[TrajectoryStep, ...], After("repeats")]
    end: TrajectoryEnd
    cluster: Annotated[
        ClusterState, form_of(Count).through(lambda cluster: len(cluster.nodes)), Key("nodes"), After("evictions")
    ]
    repeats: Annotated[Count | None, Key("repeatsFrom"), After("end")] = None

    @property
    def is_saving_estimated(self) -> bool:
        """Tell whether what all steps save has an estimate in it."""
        return any(step.is_saving_estimated for step in self.steps)

    @property
    def savings(self) -> float:
        """Return how much less the cluster costs after all steps, in USD per hour."""
        return money_sum(step.savings for step in self.steps)

    @property
    def savings_range(self) -> PriceRange | None:
        """Return the range of what all steps save, None without one."""
        if not self.steps:
            return None
        return self.steps[0].doubt.before.minus(self.steps[-1].doubt.after).around(self.savings)

    @property
    @computed(after="steps")
    def evictions(self) -> Annotated[Counts, about("How often each pod has to move.")]:
        """Return how often each pod had to move, most often first."""
        return dict(Counter(pod for step in self.steps for pod in step.evicted).most_common())


def until_stable(cluster: ClusterState, most: int = MOST_STEPS, until: float = HORIZON) -> Trajectory:
    """Run Karpenter until nothing more changes, a state recurs, or this many steps or seconds have passed."""
    start, walk = cluster.now, _Walk.of(cluster)
    states: dict[Hashable, int] = {walk.state(): 0}
    while len(walk.steps) < most:
        constrained = walk.step()
        if constrained is None:
            # New nodes have new names, so states are compared without names. Only a step that moves pods can be churn.
            state = walk.state()
            if walk.steps[-1].evicted and state in states:
                return walk.trajectory(start, TrajectoryEnd.CHURN, states[state])
            states.setdefault(state, len(walk.steps))
            continue
        at = min(_waits(walk.cluster, constrained=constrained), default=None)
        if at is None:
            return walk.trajectory(start, TrajectoryEnd.STABLE)
        if at > start + until:
            return walk.trajectory(start, TrajectoryEnd.HORIZON)
        walk.wait(at)
    return walk.trajectory(start, TrajectoryEnd.STEPS)


def judged(cluster: ClusterState, known_drift: KnownDrift | None = None) -> ClusterState:
    """Return the cluster with the conditions that Karpenter has set on NodeClaims by now; a cloud's own reason to drift
    stays. `known_drift` is kept from one instant to the next, if the caller has it."""
    # Only drift that follows from NodePools is judged here; what a cloud said about a node is not known to change.
    own = {
        n.state.node: n.claim.conditions[DRIFTED].reason
        for n in cluster.nodes
        if n.claim is not None and n.claim.has(DRIFTED) and n.claim.conditions[DRIFTED].reason not in _OF_NODE_POOLS
    }
    around = Surroundings(cluster.pools, cluster.types, cluster.registry, own)
    return replace(cluster, nodes=with_conditions(cluster.nodes, around, cluster.now, known_drift))


@dataclass(slots=True)
class _Walk:
    """The cluster in its present state, and the steps that led to it. `owed` is the price, in USD per hour, of the nodes that
    pods need which the last step evicted, `costs` what all nodes cost now.

    What steps share is kept from one to the next, so that the cost of a step is mostly that of what it changes.
    """

    cluster: ClusterState
    followed: FollowedCluster
    known_drift: KnownDrift
    costs: _Costs
    node_states: _NodeStates = field(default_factory=lambda: _NodeStates())
    steps: list[TrajectoryStep] = field(default_factory=list)
    owed: float = 0.0
    owed_doubt: Deviations = EXACT

    @staticmethod
    def of(cluster: ClusterState) -> _Walk:
        """Begin with a cluster at its instant."""
        known_drift = KnownDrift()
        begun = judged(cluster, known_drift)
        return _Walk(begun, FollowedCluster(begun), known_drift, _Costs.of(begun))

    def state(self) -> Hashable:
        """Return a value that identifies the present state."""
        return self.node_states.of(self.cluster)

    def wait(self, at: float) -> None:
        """Let time pass until an instant."""
        self.cluster = judged(replace(self.cluster, now=at), self.known_drift)

    def trajectory(self, start: float, end: TrajectoryEnd, repeats: int | None = None) -> Trajectory:
        """Return the steps so far as a trajectory that ends here."""
        return Trajectory(start, tuple(self.steps), end, self.cluster, repeats)

    def step(self) -> bool | None:
        """Take one step. Return None if something was done, else whether a budget prevented something."""
        if (self.cluster.pending or self.cluster.displaced or self.cluster.buffers) and self._provision():
            return None
        inputs, constrained = self.followed.inputs(self.cluster), False
        for method in methods_of(self.cluster):
            outcome = evaluate(method, inputs)
            constrained |= outcome.constrained
            if outcome.error:
                break
            if outcome.commands:
                self._execute(method, outcome.commands)
                return None
        return constrained

    def _provision(self) -> bool:
        """Launch nodes for waiting pods; return whether any of them was placed."""
        simulation = self.followed.simulator(self.cluster).without((), resting=False)
        if not simulation.claims and not simulation.moved:
            return False
        replacements = tuple(map(Replacement.of, simulation.claims))
        after = placed(self.cluster, simulation, replacements, self._prefix)
        self._record(None, (), after, (), LAUNCH if simulation.claims else 0.0, owed=-self.owed)
        self.owed, self.owed_doubt = 0.0, EXACT
        return True

    def _execute(self, method: Method, commands: Sequence[Command]) -> None:
        after, launch = self.cluster, 0.0
        for number, command in enumerate(commands):
            after = after_step(after, command, self._prefix if len(commands) == 1 else f"{self._prefix}-{number}")
            after = _with_nominations(after, command)
            launch = max(launch, LAUNCH if command.replacements else 0.0)
        evicted = tuple(f"{p.pod.namespace}/{p.name}" for command in commands for c in command.candidates for p in c.pods)
        # Only emptiness and consolidation wait for a second look (spec 4.6).
        delay = 0.0 if method in (Method.DRIFT, Method.STATIC_DRIFT, Method.REPAIR) else VALIDATION
        followed = with_following(with_disk_savings(commands, self.cluster), self.cluster)
        owed = nodes_for_evicted(self.cluster, after)
        self.owed, self.owed_doubt = price_of_nodes(owed, after), deviations_of(owed, after)
        self._record(method, followed, after, evicted, delay + launch, owed=self.owed)

    def _record(
        self,
        method: Method | None,
        commands: tuple[Command, ...],
        after: ClusterState,
        evicted: tuple[str, ...],
        takes: float,
        *,
        owed: float,
    ) -> None:
        before, costs, self.costs = self.cluster, self.costs, _Costs.of(after)
        names = {n.name for n in before.nodes}
        new = tuple(n.name for n in after.nodes if n.name not in names)
        prices = costs.price, self.costs.price
        estimates = self.costs.is_estimated, _has_estimate_in_difference(before, after)
        doubt = StepDoubt(costs.deviations, self.costs.deviations, self.owed_doubt)
        self.steps.append(TrajectoryStep(before.now, method, commands, new, evicted, *prices, *estimates, takes, owed, doubt))
        self.cluster = judged(replace(after, now=before.now + takes), self.known_drift)

    @property
    def _prefix(self) -> str:
        return f"new-{len(self.steps) + 1:03d}"


@dataclass(frozen=True, slots=True)
class _Costs:
    """What all NodeClaims of a cluster cost in USD per hour, and how certain that is."""

    price: float
    is_estimated: bool
    deviations: Deviations

    @staticmethod
    def of(cluster: ClusterState) -> _Costs:
        """Return what a cluster costs."""
        return _Costs(price(cluster), has_estimates(cluster), deviations(cluster))


def _has_estimate_in_difference(before: ClusterState, after: ClusterState) -> bool:
    """Tell whether the price of a node that only one of two clusters has is an estimate."""
    names_before, names_after = {n.name for n in before.nodes}, {n.name for n in after.nodes}
    removed = any(is_estimate(before.paid_for(n)) for n in before.nodes if n.name not in names_after)
    return removed or any(is_estimate(after.paid_for(n)) for n in after.nodes if n.name not in names_before)


def _with_nominations(cluster: ClusterState, command: Command) -> ClusterState:
    """Return the cluster with the nodes nominated to which the pods of a command move."""
    nodes = command.simulation.moved if command.simulation is not None else ()
    memory = cluster.controller_memory
    # A nomination that is over no longer changes anything, and each step would add some.
    lasting = {name: since for name, since in memory.nominated.items() if since + NOMINATED_FOR >= cluster.now}
    nominated = {**lasting, **dict.fromkeys(nodes, cluster.now)}
    return replace(cluster, controller_memory=replace(memory, nominated=nominated))


def _waits(cluster: ClusterState, *, constrained: bool) -> Iterator[float]:
    """Yield the future instants at which something may change on its own."""
    now = cluster.now
    for node in cluster.nodes:
        yield from (at for at in _waits_of(node, cluster) if at > now)
    yield from (at for since in cluster.controller_memory.nominated.values() if (at := since + NOMINATED_FOR) > now)
    # A change of budgets matters only if one of them kept something out.
    if constrained:
        changes = (next_change(pool, now) for pool in cluster.pools.values())
        yield from (at for at in changes if at is not None)


def _waits_of(node: StateNode, cluster: ClusterState) -> Iterator[float]:
    """Yield when `consolidateAfter` ends for a node, and when its pods may be disrupted again."""
    pool = cluster.pools.get(node.pool)
    at = settled_at(node.claim, pool) if pool is not None and node.claim is not None else None
    if at is not None:
        yield at
    yield from (ends for p in node.pods if (ends := p.held_until) is not None)


_NodeState = tuple[str, str, str, str, bool, frozenset[str]]
"""What identifies a node besides its name, with the pods on it that would have to move."""


class _NodeStates:
    """States of nodes, computed once for each object that stands for a node."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[StateNode, _NodeState]] = {}

    def of(self, cluster: ClusterState) -> Hashable:
        """Return a value that identifies a state of the cluster, regardless of the names of new nodes."""
        # Only what the last state had is kept, with its objects, so that no other object gets the identity of one.
        before, self._known = self._known, {}
        for node in cluster.nodes:
            self._known[id(node)] = before.get(id(node)) or (node, _node_state(node))
        return frozenset(Counter(state for _, state in self._known.values()).items())


def _node_state(node: StateNode) -> _NodeState:
    return (
        node.state.labels.get(NODEPOOL, ""),
        node.instance_type,
        node.zone,
        node.capacity_type,
        node.claim is not None and node.claim.has(DRIFTED),
        frozenset(f"{p.pod.namespace}/{p.name}" for p in node.pods if p.reschedulable),
    )
