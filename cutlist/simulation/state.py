"""The cluster of a simulation, changed event by event: its nodes, its pods, and what passes over it share.

Nodes are the frozen values that disruption works on; a change replaces the value of one node. Passes share a context that takes
up the nodes that have changed since, so a pass costs what changed and not what there is.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from cutlist.core.values import dataclass
from cutlist.disruption.cluster_state import NOMINATED_FOR, ClusterState, ControllerMemory
from cutlist.disruption.conditions import Surroundings, judged, settled_at, with_pod_event
from cutlist.disruption.known_candidates import KnownCandidates
from cutlist.disruption.prospects import KnownPods, Machines, Prospects
from cutlist.disruption.simulation import Simulator, bound_pods
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.reservationmanager import ReservedOfferingMode
from cutlist.simulation.disruption_budgets import PodBudgets
from cutlist.simulation.nodes import with_pods
from cutlist.simulation.pods import DAEMON, batches_of, is_same_pod, key_of
from cutlist.state.pods import RUNNING, RunningPod, TopologyPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class _TakenUp:
    """A node as the context has it, and the pods that topology counts there."""

    state: SchedulingNode
    bound: tuple[TopologyPods, ...]


class SimulatedCluster:
    """The nodes and pods at the present instant. Pods are known by `namespace/name`, nodes by name.

    `changes` counts what Karpenter would notice; two looks with the same number are looks at the same cluster. `touched` are
    the names of nodes in the order in which they changed. `moved` is when Karpenter last saw a pod bound or gone, or a node
    appear, get ready or disappear (disruption 4.2), in seconds since 1970.
    """

    __slots__ = (
        "_base",
        "_context",
        "_known_pods",
        "_leaving",
        "_machines",
        "_names",
        "_resting",
        "_stale",
        "_taken_up",
        "budgets",
        "buffered",
        "changes",
        "known_candidates",
        "launching",
        "moved",
        "nodes",
        "nominated",
        "now",
        "pending",
        "placeable",
        "pods",
        "queued",
        "touched",
        "workload_of",
    )
    NOT_SAVED: Final = frozenset(
        ("_base", "_context", "_known_pods", "_machines", "_resting", "_stale", "_taken_up", "known_candidates")
    )

    def __init__(self, base: ClusterState, workload_of: Mapping[str, str], placeable: Iterable[Pod]) -> None:
        """Begin with a cluster. `placeable` are the pods that may ever have to be placed, those of its workloads."""
        self._base = base
        self.placeable = tuple(dict.fromkeys((*placeable, *(p.pod for n in base.nodes for p in n.pods))))
        self._context: SchedulingContext | None = None
        self._taken_up: dict[str, _TakenUp] = {}
        self._stale: set[str] = set()
        self._known_pods = KnownPods(self.placeable)
        self.known_candidates = KnownCandidates()
        self._machines: Mapping[bool, Machines] | None = None
        self._leaving: set[str] = set()
        self._resting: dict[str, float] = {}
        self.now = base.now
        self.nodes: dict[str, StateNode] = {}
        self._names: list[str] = []
        self.pods: dict[str, RunningPod] = {}
        self.pending: dict[str, None] = {}
        self.launching: set[str] = set()
        self.nominated: dict[str, float] = {}
        self.queued: set[str] = set()
        self.buffered: Mapping[str, int] = base.controller_memory.buffered
        self.workload_of = dict(workload_of)
        self.changes = 0
        self.moved = base.now
        self.touched: list[str] = []
        self.budgets = PodBudgets(base.evictions)
        for node in base.nodes:
            self.put(node)
            for pod in node.pods:
                self.pods[key_of(pod)] = pod

    @property
    def stamp(self) -> float:
        """Return the present instant as objects have it: the API server keeps whole seconds."""
        return float(math.floor(self.now))

    def restored(self) -> None:
        """Begin without what passes share: it is made again by the next one."""
        self._forget()

    # --- looks at the cluster

    def state(self) -> ClusterState:
        """Return the cluster as Karpenter sees it at the present instant: a NodeClaim without an instance is no node yet."""
        nominated = {name: at for name, at in self.nominated.items() if self.now - at < NOMINATED_FOR and name in self.nodes}
        return replace(
            self._base,
            now=self.now,
            nodes=[self.nodes[name] for name in self._names if name not in self.launching],
            launching=tuple(sorted(self.launching)),
            pending=tuple(batches_of(self.pods[key] for key in self.pending)),
            evictions=self.budgets.evictions,
            controller_memory=ControllerMemory(nominated=nominated, queued=frozenset(self.queued), buffered=self.buffered),
        )

    def context(self, state: ClusterState) -> SchedulingContext:
        """Return what passes over the present state share."""
        if self._context is None:
            self._taken_up = {n.name: _taken_up(n, state) for n in state.nodes}
            self._context = SchedulingContext(self._context_inputs(state))
        else:
            self._take_up(state)
        self._stale = set()
        return self._context

    def simulator(self, state: ClusterState) -> Simulator:
        """Return the simulator of disruption for the present state."""
        return Simulator(state, self.context(state))

    def prospects(self, state: ClusterState) -> Prospects:
        """Return what may come of removing nodes of the present state."""
        if self._machines is None:
            overheads = self.context(state).least_overheads
            self._machines = {spot: Machines.of(self._base, overheads, spot=spot) for spot in (False, True)}
        return Prospects(state, self.context(state), self._known_pods, self._machines)

    def _take_up(self, state: ClusterState) -> None:
        assert self._context is not None  # noqa: S101 - made by the caller
        changed = self._stale | self._leaving
        changed |= {name for name, until in self._resting.items() if until <= self.now}
        before = {name: self._taken_up.pop(name) for name in sorted(changed) if name in self._taken_up}
        present = sorted(name for name in changed if name in self.nodes and name not in self.launching)
        after = {name: _taken_up(self.nodes[name], state) for name in present}
        self._taken_up |= after
        ended = Counter(pods for taken in before.values() for pods in taken.bound)
        bound = Counter(pods for taken in after.values() for pods in taken.bound)
        moved_labels = {n for n in before if n in after and before[n].state.own_labels != after[n].state.own_labels}
        if not moved_labels:
            ended, bound = ended - bound, bound - ended
        self._context.change(
            [taken.state for taken in before.values()],
            [taken.state for taken in after.values()],
            list(ended.elements()),
            list(bound.elements()),
        )
        self._resting = {name: until for name, until in self._resting.items() if until > self.now}
        for name in after:
            self._note_rest(name)

    def _note_rest(self, name: str) -> None:
        node, pool = self.nodes[name], self._base.pools.get(self.nodes[name].pool)
        until = settled_at(node.claim, pool) if node.claim is not None and pool is not None else None
        if until is not None and until > self.now:
            self._resting[name] = until

    def _context_inputs(self, state: ClusterState) -> SchedulerInputs:
        for name in self._taken_up:
            self._note_rest(name)
        return SchedulerInputs(
            pools=tuple(state.pools.values()),
            types=state.types,
            batches=[PodBatch(f"pod-{number}", pod) for number, pod in enumerate(self.placeable)],
            daemons=state.daemons,
            registry=state.registry,
            options=replace(state.options, reserved_mode=ReservedOfferingMode.FALLBACK),
            namespaces=state.namespaces,
            nodes=[taken.state for taken in self._taken_up.values()],
            bound=[pods for taken in self._taken_up.values() for pods in taken.bound],
            overlays=state.overlays,
            selectors=state.selectors,
        )

    @property
    def base(self) -> ClusterState:
        """Return what does not change by itself: NodePools, types, daemons, settings."""
        return self._base

    def keep_buffered(self, buffered: Mapping[str, int]) -> None:
        """Remember which nodes hold how many virtual pods of CapacityBuffers: others may be empty from now on."""
        if buffered != self.buffered:
            self.buffered = buffered
            self.changes += 1

    def admit(self, pod: Pod) -> None:
        """Let pods of another template come that may have to be placed."""
        if pod not in self.placeable:
            self.placeable = (*self.placeable, pod)
            self.rebase(self._base)

    def rebase(self, base: ClusterState) -> None:
        """Take over other NodePools, types or settings."""
        self.use(base)
        self.changes += 1

    def use(self, base: ClusterState) -> None:
        """Take over NodePools, types and settings without a change that Karpenter would notice."""
        self._base = base
        self._forget()

    def _forget(self) -> None:
        """Drop what passes over the cluster share."""
        self._context, self._machines = None, None
        self._known_pods, self.known_candidates = KnownPods(self.placeable), KnownCandidates()

    @property
    def has_leaving(self) -> bool:
        """Tell whether a node is being removed."""
        return bool(self._leaving)

    # --- nodes

    def put(self, node: StateNode) -> None:
        """Add a node, or replace the one of its name."""
        known = self.nodes.get(node.name)
        if known is None:
            insort(self._names, node.name)
        if known is None or known.state.initialized != node.state.initialized or len(known.pods) != len(node.pods):
            self.moved = self.now
        self.nodes[node.name] = node
        if node.state.removed:
            self._leaving.add(node.name)
        else:
            self._leaving.discard(node.name)
        self._stale.add(node.name)
        self.touched.append(node.name)
        self.changes += 1

    def remove_node(self, name: str) -> None:
        """Remove a node, which has no pods any more."""
        del self.nodes[name]
        del self._names[bisect_left(self._names, name)]
        self._stale.add(name)
        self.moved = self.now
        for memory in (self.launching, self.queued, self._leaving):
            memory.discard(name)
        for times in (self.nominated, self._resting):
            times.pop(name, None)
        self.changes += 1

    def notice_move(self) -> None:
        """Let Karpenter look again at what it found nothing to do about (disruption 4.2)."""
        self.moved = self.now
        self.changes += 1

    def judge(self, names: Iterable[str], own_drift: Mapping[str, str]) -> None:
        """Set the conditions of NodeClaims as Karpenter would now. `own_drift` is the cloud's reason of drift by node."""
        around = Surroundings(self._base.pools, self._base.types, self._base.registry, own_drift)
        for name in names:
            node = self.nodes[name]
            claim = judged(node.claim, around, self.now, node=node.state.node) if node.claim is not None else None
            if claim is not node.claim:
                self.nodes[name] = replace(node, claim=claim)

    # --- pods

    def add_pending(self, pod: RunningPod, workload: str) -> None:
        """Add a pod without a node."""
        key = key_of(pod)
        self.pods[key] = pod
        self.pending[key] = None
        self.workload_of[key] = workload
        self.changes += 1

    def bind(self, key: str, name: str) -> RunningPod:
        """Put a pending pod on a node, and return it as it runs there."""
        del self.pending[key]
        node = self.nodes[name]
        pod = self.pods[key].labelled_by(node.state.own_labels)
        pod = replace(pod, node=name, phase=RUNNING, started=self.stamp)
        self.pods[key] = pod
        claim = with_pod_event(node.claim, self.now) if node.claim is not None and DAEMON not in pod.owners else node.claim
        self.put(replace(with_pods(node, (*node.pods, pod), added=(pod,)), claim=claim))
        return pod

    def terminate(self, key: str, until: float) -> None:
        """Let a pod end, at an instant (seconds since 1970) at the latest."""
        pod = replace(self.pods[key], terminating=True, deletion_timestamp=until)
        self.pods[key] = pod
        node = self.nodes[pod.node]
        claim = with_pod_event(node.claim, self.now) if node.claim is not None and DAEMON not in pod.owners else node.claim
        pods = tuple([pod if is_same_pod(p, pod) else p for p in node.pods])
        self.put(replace(node, claim=claim, pods=pods))

    def remove_pod(self, key: str) -> RunningPod:
        """Remove a pod, bound or not, and return it as it was."""
        pod = self.pods.pop(key)
        self.workload_of.pop(key, None)
        if key in self.pending:
            del self.pending[key]
            self.changes += 1
        elif pod.node in self.nodes:
            node = self.nodes[pod.node]
            self.put(with_pods(node, tuple([p for p in node.pods if not is_same_pod(p, pod)]), removed=(pod,)))
        return pod


def _taken_up(node: StateNode, state: ClusterState) -> _TakenUp:
    is_resting = state.is_settling(node)
    taken = node.state if node.state.resting is is_resting else replace(node.state, resting=is_resting)
    return _TakenUp(taken, tuple(bound_pods(node, state)))
