"""A cluster after a command of Karpenter, once everything has settled (spec: disruption 4.7, 9.1).

Pods of removed nodes start again where the simulation put them. A new node is the cheapest type among those that the cloud may
choose. Pods that could not be placed wait.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION
from cutlist.core.labels import INITIALIZED, REGISTERED
from cutlist.core.quantity import merge, subtract
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.conditions import with_pod_event
from cutlist.disruption.simulation import SimulatedPass
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.launched import launched
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim
from cutlist.state.pods import RUNNING, RunningPod
from cutlist.state.statenode import CLAIM_INITIALIZED, LAUNCHED, REBOOTING, Condition, NodeClaimState, StateNode

READY: Final = {"Ready": Condition("True")}
PodKey = tuple[str, str, str]
"""The node, the namespace and the name of a pod."""


def after_command(cluster: ClusterState, command: Command, prefix: str) -> ClusterState:
    """Return the cluster once a command is done. New nodes are named by the prefix and a number.

    Pods of a node that was removed as empty have not been simulated: they wait. A node that was rebooted is back with its pods.
    """
    if command.reboot:
        return _rebooted(cluster, command)
    ended = {c.name for c in command.candidates}
    left = replace(cluster, nodes=[n for n in cluster.nodes if n.name not in ended])
    if command.simulation is None:
        return replace(left, displaced=(*left.displaced, *(p for c in command.candidates for p in c.pods)))
    # A command that terminates first lists no replacement: its simulation has what is launched once the reservation is free.
    comes = command.replacements or tuple(map(Replacement.of, command.simulation.claims))
    return placed(left, command.simulation, comes, prefix)


def _rebooted(cluster: ClusterState, command: Command) -> ClusterState:
    """Return the cluster after a reboot that succeeded: tolerations count again, and the reboot is remembered."""
    names, memory = {c.name for c in command.candidates}, cluster.controller_memory
    ended = Condition("False", cluster.now, "RebootSucceeded")
    nodes, reboots = [], dict(memory.reboots)
    for node in cluster.nodes:
        if node.name in names and node.claim is not None:
            claim = replace(node.claim, conditions={**node.claim.conditions, REBOOTING: ended})
            reboots[claim.name] = (*reboots.get(claim.name, ()), cluster.now)
            nodes.append(replace(node, claim=claim))
        else:
            nodes.append(node)
    return replace(cluster, nodes=nodes, controller_memory=replace(memory, reboots=reboots))


def placed(cluster: ClusterState, simulation: SimulatedPass, replacements: Sequence[Replacement], prefix: str) -> ClusterState:
    """Return the cluster with the pods of a simulation where it put them, and no longer on their former nodes."""
    pods = _UnplacedPods(simulation, cluster.now)
    moved = {name: pods.take(counts, name) for name, counts in simulation.moves.items()}
    new = []
    for number, (claim, replacement) in enumerate(zip(simulation.claims, replacements, strict=True)):
        name = f"{prefix}-{number}" if len(replacements) > 1 else prefix
        new.append(launched_node(name, claim, replacement, pods.take(claim.pods, name), simulation.batches, cluster))
    memory = cluster.controller_memory
    if cluster.buffers:
        memory = replace(memory, buffered={**simulation.buffered, **_buffered(simulation, [node.name for node in new])})
    displaced = frozenset(map(pod_key, simulation.pods.values()))
    # Of thousands of nodes only a few lose a pod.
    losing = {pod.node for pod in simulation.pods.values()}
    staying = (_without(n, displaced) if any(p.node in losing for p in n.pods) else n for n in cluster.nodes)
    nodes = [_with(n, moved.get(n.name, []), cluster.now) for n in staying]
    nodes = sorted([*nodes, *new], key=lambda n: n.name)
    left = replace(cluster, pending=pods.pending(), displaced=pods.displaced())
    return replace(left, nodes=nodes, controller_memory=memory)


def _buffered(simulation: SimulatedPass, names: Sequence[str]) -> dict[str, int]:
    """Return how many virtual pods each new node holds, if any."""
    batches = simulation.batches
    counts = (sum(n for b, n in claim.pods.items() if batches[b].virtual) for claim in simulation.claims)
    return {name: count for name, count in zip(names, counts, strict=True) if count}


class _UnplacedPods:
    """The pods of a simulation that no node has accepted yet: running ones one by one, others as a number."""

    __slots__ = ("_left", "_now", "_simulation")

    def __init__(self, simulation: SimulatedPass, now: float) -> None:
        self._simulation = simulation
        self._now = now
        # A batch of a running pod has one pod, one of waiting pods has many: what is left tells which of them still wait.
        self._left = [b.count for b in simulation.batches]

    def take(self, pods: Mapping[int, int], node: str) -> list[RunningPod]:
        """Take this many pods of each batch, which run on a node from now on; virtual ones never do."""
        taken = []
        for number, count in pods.items():
            if self._simulation.batches[number].virtual:
                continue
            for _ in range(count):
                self._left[number] -= 1
                taken.append(self._started(number, self._left[number], node))
        return taken

    def pending(self) -> tuple[PodBatch, ...]:
        """Return the remaining pods that never ran."""
        numbered = enumerate(zip(self._simulation.batches, self._left, strict=True))
        waiting = ((b, left) for n, (b, left) in numbered if left and n not in self._simulation.pods)
        return tuple(replace(b, count=left) for b, left in waiting if not b.virtual)

    def displaced(self) -> tuple[RunningPod, ...]:
        """Return the remaining pods that ran."""
        return tuple(pod for n, pod in self._simulation.pods.items() if self._left[n])

    def _started(self, number: int, index: int, node: str) -> RunningPod:
        batch, known = self._simulation.batches[number], self._simulation.pods.get(number)
        if known is not None:
            return known.restarted(node, self._now)
        name = f"{batch.name}-{index}" if batch.count > 1 else batch.name
        return RunningPod(name, batch.pod, node, batch.uid, self._now, RUNNING, started=self._now)


def pod_key(pod: RunningPod) -> PodKey:
    """Return what identifies a pod in a cluster."""
    return pod.node, pod.pod.namespace, pod.name


def _without(node: StateNode, displaced: frozenset[PodKey]) -> StateNode:
    """Return a node without the pods that have been placed elsewhere."""
    staying = tuple(p for p in node.pods if pod_key(p) not in displaced)
    return node if len(staying) == len(node.pods) else replace(node, pods=staying)


def _with(node: StateNode, pods: Sequence[RunningPod], now: float) -> StateNode:
    """Return a node with more pods."""
    if not pods:
        return node
    labelled = (p.labelled_by(node.state.own_labels) for p in pods)
    requests = merge(*(p.pod.requests for p in pods))
    ports = frozenset(port for p in pods for port in p.pod.host_ports)
    available = subtract(node.state.available, requests)
    state = replace(node.state, available=available, ports=node.state.ports | ports)
    # Pods that arrive begin `consolidateAfter` again, which keeps the next command away from this node for a while.
    claim = with_pod_event(node.claim, now) if node.claim is not None else None
    return replace(node, state=state, claim=claim, pods=(*node.pods, *labelled))


def launched_node(
    name: str,
    claim: PlacedClaim,
    replacement: Replacement,
    pods: Sequence[RunningPod],
    batches: Sequence[PodBatch],
    cluster: ClusterState,
) -> StateNode:
    """Return the node of a claim with these pods, once it is ready."""
    pool = cluster.pools[claim.node_pool]
    # Without a price nothing is cheapest; only if no type has one is the claim taken as it is.
    priced = [(t, p) for t, p in zip(replacement.types, replacement.prices, strict=True) if p is not None]
    types = InstanceTypeOptions(tuple(t for t, _ in priced), tuple(p for _, p in priced))
    bought = replace(claim, requirements=replacement.requirements, candidates=types if priced else claim.candidates)
    state = launched(name, bought, pool.taints, batches, cluster.registry)
    labels = {**state.labels, REGISTERED: "true", INITIALIZED: "true"}
    state = replace(state, labels=labels, own_labels=labels)
    running = tuple(p.labelled_by(labels) for p in pods)
    return StateNode(state, _claim(name, pool, labels, cluster.now), {}, READY, running)


def _claim(name: str, pool: NodePool, labels: Mapping[str, str], now: float) -> NodeClaimState:
    hashes = {key: pool.pool_annotations[key] for key in (HASH, HASH_VERSION) if key in pool.pool_annotations}
    return NodeClaimState(
        name=name,
        labels=labels,
        annotations={**pool.annotations, **hashes},
        created=now,
        provider_id=name,
        expire_after=pool.expire_after,
        termination_grace_period=pool.termination_grace_period,
        conditions={c: Condition("True", now) for c in (LAUNCHED, CLAIM_INITIALIZED)},
        last_pod_event=now,
    )
