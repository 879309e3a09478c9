"""The cluster of a simulation, changed event by event: its nodes, its pods, and what Karpenter remembers of them.

Nodes are the frozen values that disruption works on; a change replaces the value of one node.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cutlist.disruption.cluster_state import NOMINATED_FOR, ClusterState, ControllerMemory
from cutlist.disruption.conditions import Surroundings, judged, with_pod_event
from cutlist.disruption.known_candidates import KnownCandidates
from cutlist.disruption.known_drift import KnownDrift
from cutlist.disruption.prospects import Prospects
from cutlist.disruption.shared_context import SharedContext, leaving_nodes
from cutlist.disruption.simulation import Simulator
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.queue import PodBatch
from cutlist.simulation.devices import SimulatedDevices, devices_by_pool
from cutlist.simulation.disruption_budgets import PodBudgets
from cutlist.simulation.gangs import NO_GANGS, SimulatedGangs
from cutlist.simulation.nodes import with_pods
from cutlist.simulation.pods import DAEMON, batches_of, is_same_pod, key_of
from cutlist.simulation.storage import SimulatedStorage
from cutlist.state.pods import RUNNING, RunningPod
from cutlist.state.statenode import NodeClaimState, StateNode
from cutlist.workloads.pods import Pod


class SimulatedCluster:
    """The nodes and pods at the present instant. Pods are known by `namespace/name`, nodes by name.

    `changes` counts what Karpenter would notice; two looks with the same number are looks at the same cluster. `touched` are
    the names of nodes in the order in which they changed. `moved` is when Karpenter last saw a pod bound or deleted, or a node
    appear, become ready or disappear (disruption 4.2), in seconds since 1970.
    """

    __slots__ = (
        "_base",
        "_changed",
        "_in_order",
        "_known_drift",
        "_leaving",
        "_names",
        "_shared",
        "budgets",
        "buffered",
        "changes",
        "devices",
        "gangs",
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
        "storage",
        "touched",
        "workload_of",
    )
    NOT_SAVED: Final = frozenset(("_base", "_changed", "_in_order", "_known_drift", "_shared", "gangs", "known_candidates"))

    def __init__(
        self,
        base: ClusterState,
        workload_of: Mapping[str, str],
        placeable: Iterable[Pod],
        at_once: Collection[str] = (),
        gangs: SimulatedGangs = NO_GANGS,
    ) -> None:
        """Begin with a cluster. `placeable` are the pods that may ever have to be placed, those of its workloads, `at_once`
        the storage classes with immediate binding, and `gangs` those of its workloads."""
        self._base = base
        self.gangs = gangs
        self.placeable = tuple(dict.fromkeys((*placeable, *(p.pod for n in base.nodes for p in n.pods))))
        self._shared = self._new_shared()
        self._changed: set[str] = set()
        self.known_candidates = KnownCandidates(self._changed)
        self._known_drift = KnownDrift()
        self._leaving: set[str] = set()
        self.now = base.now
        self.nodes: dict[str, StateNode] = {}
        self._names: list[str] = []
        self._in_order: list[StateNode] = []
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
        self.storage = SimulatedStorage(base.storage, at_once)
        self.devices = SimulatedDevices(base.devices, devices_by_pool(base), base.registry)
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
        self._in_order = [self.nodes[name] for name in self._names]
        self._forget()

    # --- looks at the cluster

    def state(self) -> ClusterState:
        """Return the cluster as Karpenter sees it at the present instant: a NodeClaim without an instance is no node yet."""
        self.nominated = {name: at for name, at in self.nominated.items() if self.now - at < NOMINATED_FOR}
        nominated = {name: at for name, at in self.nominated.items() if name in self.nodes}
        return replace(
            self._base,
            now=self.now,
            # A copy, since the state has to stay as it is when the cluster goes on.
            nodes=[n for n in self._in_order if n.name not in self.launching] if self.launching else list(self._in_order),
            launching=tuple(sorted(self.launching)),
            pending=tuple(batches_of(self.marked)),
            evictions=self.budgets.evictions,
            storage=self.storage.storage,
            devices=self.devices.inventory,
            controller_memory=ControllerMemory(nominated=nominated, queued=frozenset(self.queued), buffered=self.buffered),
        )

    def context(self, state: ClusterState) -> SchedulingContext:
        """Return what passes over the present state share."""
        return self._shared.context(state, self._leaving)

    def simulator(self, state: ClusterState) -> Simulator:
        """Return the simulator of disruption for the present state."""
        return self._shared.simulator(state, self._leaving, self.changes)

    def prospects(self, state: ClusterState) -> Prospects:
        """Return what may come of removing nodes of the present state."""
        return self._shared.prospects(state, self._leaving)

    def leaving(self, state: ClusterState) -> Sequence[StateNode]:
        """Return the nodes of the present state that are being removed."""
        return leaving_nodes(state, self._leaving)

    @property
    def marked(self) -> Sequence[RunningPod]:
        """Return the waiting pods that are marked as unschedulable, which Karpenter looks at."""
        return self.gangs.marked(self.pending, self.pods, self.workload_of)

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
        """Add a template whose pods may have to be placed."""
        if pod not in self.placeable:
            self.placeable = (*self.placeable, pod)
            self.rebase(self._base)

    def rebase(self, base: ClusterState) -> None:
        """Switch to other NodePools, types or settings."""
        self.use(base)
        self.changes += 1

    def use(self, base: ClusterState) -> None:
        """Switch to NodePools, types and settings without a change that Karpenter would notice."""
        self._base = base
        self._forget()

    def _forget(self) -> None:
        """Drop what passes over the cluster share."""
        self._shared, self._known_drift = self._new_shared(), KnownDrift()
        self._changed = set()
        self.known_candidates = KnownCandidates(self._changed)

    def _new_shared(self) -> SharedContext:
        return SharedContext(self._base, [PodBatch(f"pod-{number}", pod) for number, pod in enumerate(self.placeable)])

    @property
    def has_leaving(self) -> bool:
        """Tell whether a node is being removed."""
        return bool(self._leaving)

    # --- nodes

    def put(self, node: StateNode) -> None:
        """Add a node, or replace the one of its name."""
        known = self.nodes.get(node.name)
        if known is None:
            place = bisect_left(self._names, node.name)
            self._names.insert(place, node.name)
            self._in_order.insert(place, node)
        # Karpenter's state counts these as changes of the cluster, but not a condition or a taint (disruption 4.2).
        if known is None or known.state.initialized != node.state.initialized or len(known.pods) != len(node.pods):
            self.moved = self.now
        self._replace(node)
        if node.state.removed:
            self._leaving.add(node.name)
        else:
            self._leaving.discard(node.name)
        self._shared.node_changed(node.name)
        self.touched.append(node.name)
        self.changes += 1

    def _replace(self, node: StateNode) -> None:
        self.nodes[node.name] = node
        self._changed.add(node.name)
        # Kept in order as it changes: sorting thousands of nodes for each look would cost more than the look.
        self._in_order[bisect_left(self._names, node.name)] = node

    def remove_node(self, name: str) -> None:
        """Remove a node, which must have no pods."""
        place = bisect_left(self._names, name)
        del self.nodes[name], self._names[place], self._in_order[place]
        self._shared.node_removed(name)
        self.devices.node_removed(name)
        self._known_drift.forget(name)
        self._changed.add(name)
        self.moved = self.now
        for memory in (self.launching, self.queued, self._leaving):
            memory.discard(name)
        self.nominated.pop(name, None)
        self.changes += 1

    def notice_move(self) -> None:
        """Make Karpenter check again what it had nothing to do about (disruption 4.2)."""
        self.moved = self.now
        self.changes += 1

    def judge(self, names: Iterable[str], own_drift: Mapping[str, str]) -> None:
        """Set the conditions of NodeClaims as Karpenter would now. `own_drift` is the cloud's reason of drift by node."""
        around = Surroundings(self._base.pools, self._base.types, self._base.registry, own_drift)
        for name in names:
            node = self.nodes[name]
            if node.claim is None:
                continue
            claim = judged(node.claim, around, self.now, node=node.state.node, known_drift=self._known_drift)
            # Not `put`: a condition does not end Karpenter's memory that it found nothing to consolidate.
            if claim is not node.claim:
                self._replace(replace(node, claim=claim))

    # --- pods

    def add_pending(self, pod: RunningPod, workload: str) -> None:
        """Add a pod without a node, and create the claims that it needs."""
        key = key_of(pod)
        if pod.pod.volumes:
            self.storage.pod_created(pod.pod, pod.name, self._zones())
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
        if pod.pod.volumes:
            self.storage.pod_bound(pod.pod, pod.name, node.zone)
        if pod.pod.resource_claims:
            self.devices.pod_bound(key, pod, node)
        self.pods[key] = pod
        self.put(replace(self._with_pods(node, (*node.pods, pod), added=pod), claim=self._noticed(node, pod)))
        return pod

    def _with_pods(
        self, node: StateNode, pods: Sequence[RunningPod], *, added: RunningPod | None = None, removed: RunningPod | None = None
    ) -> StateNode:
        """Return a node with other pods, and with the volumes that they attach."""
        changed = with_pods(node, pods, added=(added,) if added else (), removed=(removed,) if removed else ())
        if not any(p.pod.volumes for p in (added, removed) if p is not None):
            return changed
        storage, registry = self.storage, self._base.registry
        volumes = (storage.of_pod(p.pod, p.name, registry) for p in pods if p.pod.volumes and not p.ended)
        attached = frozenset(a for of_pod in volumes for a in of_pod.attached)
        return replace(changed, state=replace(changed.state, attached=attached))

    def terminate(self, key: str, until: float) -> None:
        """Terminate a pod, at an instant (seconds since 1970) at the latest."""
        pod = replace(self.pods[key], terminating=True, deletion_timestamp=until)
        self.pods[key] = pod
        node = self.nodes[pod.node]
        pods = tuple([pod if is_same_pod(p, pod) else p for p in node.pods])
        self.put(replace(node, claim=self._noticed(node, pod), pods=pods))

    def complete(self, key: str) -> None:
        """Note on its node that a pod has ended by itself: `consolidateAfter` counts from then on (D-16)."""
        pod = self.pods[key]
        node = self.nodes[pod.node]
        self.put(replace(node, claim=self._noticed(node, pod)))

    def _noticed(self, node: StateNode, pod: RunningPod) -> NodeClaimState | None:
        """Return the NodeClaim of a node after an event of a pod there; those of DaemonSets do not count (D-17)."""
        return with_pod_event(node.claim, self.now) if node.claim is not None and DAEMON not in pod.owners else node.claim

    def remove_pod(self, key: str) -> RunningPod:
        """Remove a pod, bound or not, and return it as it was."""
        pod = self.pods.pop(key)
        self.workload_of.pop(key, None)
        if key in self.pending:
            del self.pending[key]
            self.changes += 1
        elif pod.node in self.nodes:
            node = self.nodes[pod.node]
            self.put(self._with_pods(node, tuple([p for p in node.pods if not is_same_pod(p, pod)]), removed=pod))
        if pod.pod.volumes:
            self.storage.pod_ended(pod.pod, pod.name)
        if pod.pod.resource_claims:
            self.devices.pod_ended(key, pod)
        return pod

    def _zones(self) -> set[str]:
        """Return the zones of the nodes that are ready."""
        return {node.zone for node in self.nodes.values() if node.zone and node.state.initialized}
