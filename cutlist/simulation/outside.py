"""What clouds, machines and people do to a cluster: images, edited NodePools, interruptions, nodes that become unhealthy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from cutlist.core.labels import SPOT
from cutlist.core.taints import NO_EXECUTE, NO_SCHEDULE, Taint
from cutlist.simulation.draining import INTERRUPTED, POOL_DELETED, Draining
from cutlist.simulation.events import MINUTE, InstanceStopped, Interrupted, NodeRecovered, NodeUnreachableFor
from cutlist.simulation.kubescheduler import KubeScheduler
from cutlist.simulation.ledger import EVENT, CommandRecord
from cutlist.simulation.offerings import Offerings
from cutlist.simulation.outside_events import ClusterEdited, ImageReleased, NodeSelection, NodesFailed, NodesInterrupted
from cutlist.simulation.pods import key_of, stays_with_node
from cutlist.simulation.repairs import Repairs
from cutlist.simulation.world import World
from cutlist.state.statenode import Condition, StateNode

READY: Final = "Ready"
NOT_READY: Final = "NodeNotReady"
"""Why pods are evicted from a node that Karpenter does not remove."""
NO_NODE: Final = "no node matches"
_TOLERATED: Final = 5 * MINUTE
"""For how many milliseconds pods tolerate a node that is not ready: what the admission plugin DefaultTolerationSeconds sets."""
_TAINTS: Final = {"Unknown": "node.kubernetes.io/unreachable", "False": "node.kubernetes.io/not-ready"}


class Outside:
    """Carries out what comes from outside the cluster."""

    __slots__ = ("_draining", "_offerings", "_repairs", "_scheduler", "_world")

    def __init__(
        self, world: World, offerings: Offerings, scheduler: KubeScheduler, draining: Draining, repairs: Repairs
    ) -> None:
        self._world = world
        self._offerings = offerings
        self._scheduler = scheduler
        self._draining = draining
        self._repairs = repairs

    # --- what people and vendors change

    def release_image(self, event: ImageReleased) -> None:
        """Change the image of NodePools' node classes, so that their nodes have another one (D-70)."""
        cluster = self._world.cluster
        pools = event.pools or tuple(sorted(cluster.base.pools))
        nodes = [n for n in cluster.nodes.values() if n.pool in pools and n.claim is not None]
        self._drift(nodes, event.reason)
        self._record(event, nodes)

    def edit(self, event: ClusterEdited) -> None:
        """Switch to other NodePools and node classes; NodeClaims of a deleted NodePool are deleted with it."""
        cluster = self._world.cluster
        before = cluster.base.pools
        edition = self._offerings.edit(event.edition)
        cluster.moved = cluster.now  # a changed NodePool ends what consolidation remembers (disruption 4.2)
        for node in [n for n in cluster.nodes.values() if n.claim is not None and n.pool in before]:
            if node.pool not in cluster.base.pools:
                self._draining.begin(node.name, POOL_DELETED)
                continue
            claim = node.claim
            hashes = edition.hashes.get(node.pool, {})
            # Claims made before the edit have no hash yet; they get that of their time, so that the new one differs.
            if claim is not None and not claim.annotations.keys() & hashes.keys():
                claim = replace(claim, annotations={**claim.annotations, **hashes})
            cluster.put(replace(node, claim=claim))
            if reason := edition.drifted.get(node.pool, ""):
                self._drift([node], reason)
        self._record(event, [])

    def _drift(self, nodes: Iterable[StateNode], reason: str) -> None:
        """Make Karpenter find in its next round that nodes have drifted."""
        for node in nodes:
            self._world.own_drift[node.name] = reason
            self._world.cluster.put(self._world.cluster.nodes[node.name])

    # --- interruptions

    def interrupt_all(self, event: NodesInterrupted) -> None:
        """Interrupt the chosen instances."""
        nodes = self._chosen(event.nodes)
        self._record(event, nodes)
        for node in nodes:
            self.interrupt(Interrupted(event.at, node.name))

    def interrupt(self, event: Interrupted) -> None:
        """Interrupt an instance. If it was a spot instance, its offering is left out for a while (D-78)."""
        node = self._world.cluster.nodes[event.node]
        if node.capacity_type == SPOT:
            self._offerings.leave_out([(node.instance_type, node.zone, SPOT)])
        self._draining.begin(event.node, INTERRUPTED)
        self._world.push(InstanceStopped(self._world.now + self._world.settings.interruption_notice, event.node))

    # --- unhealthy nodes

    def fail(self, event: NodesFailed) -> None:
        """Make nodes unhealthy. One that is not ready takes no pods, and loses its own after five minutes."""
        world, nodes = self._world, self._chosen(event.nodes)
        self._record(event, nodes)
        for node in nodes:
            sick = replace(node, conditions={**node.conditions, event.condition: self._condition(event.status, event.reason)})
            if event.condition == READY and event.status in _TAINTS:
                sick = _with_taints(sick, _TAINTS[event.status])
                world.push(NodeUnreachableFor(world.now + _TOLERATED, node.name, world.instant))
                for pod in node.pods:
                    world.not_ready(key_of(pod))
            world.cluster.put(sick)
            self._scheduler.forget(node.name)
            if event.lasts is not None:
                world.push(NodeRecovered(world.now + event.lasts, node.name, event.condition, world.instant))
        self._repairs.look()

    def recover(self, event: NodeRecovered) -> None:
        """Make a condition of a node healthy again, if nothing else has happened to it since."""
        world, node = self._world, self._world.cluster.nodes[event.node]
        condition = node.conditions.get(event.condition)
        # Something else has happened to the condition since, and this recovery was for the earlier state.
        if condition is None or condition.since != event.since:
            return
        well = "True" if event.condition.endswith(READY) else "False"
        node = replace(node, conditions={**node.conditions, event.condition: self._condition(well)})
        if event.condition == READY:
            node = _without_taints(node)
            for pod in node.pods:
                key = key_of(pod)
                if not pod.terminating and not pod.ended and not stays_with_node(pod) and key not in world.ready:
                    world.now_ready(key)
        world.cluster.put(node)
        self._scheduler.forget(node.name)

    def evict_from(self, event: NodeUnreachableFor) -> None:
        """Evict the pods of a node that has not been ready for five minutes, regardless of budgets."""
        node = self._world.cluster.nodes[event.node]
        condition = node.conditions.get(READY)
        if condition is not None and condition.status != "True" and condition.since == event.since:
            for pod in node.pods:
                if not pod.terminating and not pod.ended and not stays_with_node(pod):
                    self._draining.evict(pod, NOT_READY)

    # --- helpers

    def _condition(self, status: str, reason: str = "") -> Condition:
        return Condition(status, self._world.instant, reason)

    def _chosen(self, choice: NodeSelection) -> list[StateNode]:
        """Return the chosen nodes that run, by name."""
        nodes = self._world.cluster.nodes
        wanted = (choice.name, choice.pool, choice.instance_type, choice.zone, choice.capacity_type)
        matching = []
        for name in sorted(nodes):
            node = nodes[name]
            has = (name, node.pool, node.instance_type, node.zone, node.capacity_type)
            is_up = node.initialized and node.claim is not None and node.claim.deleted is None
            if is_up and all(want in ("", value) for want, value in zip(wanted, has, strict=True)):
                matching.append(node)
        return matching[: choice.count]

    def _record(
        self, event: ClusterEdited | ImageReleased | NodesFailed | NodesInterrupted, nodes: Iterable[StateNode]
    ) -> None:
        names = tuple(node.name for node in nodes)
        is_about_nodes = not isinstance(event, ClusterEdited)
        outcome = NO_NODE if is_about_nodes and not names else "executed"
        reason = f"{event.condition}={event.status}" if isinstance(event, NodesFailed) else ""
        record = CommandRecord(self._world.now, EVENT, reason, type(event).__name__, names, (), outcome=outcome)
        self._world.ledger.commands.append(record)


def _with_taints(node: StateNode, key: str) -> StateNode:
    """Return a node with the taints that the node lifecycle controller sets on one that is not ready."""
    taints = tuple(Taint(key, effect) for effect in (NO_SCHEDULE, NO_EXECUTE))
    node = _without_taints(node)
    state = replace(node.state, taints=(*node.state.taints, *taints), own_taints=(*node.state.own_taints, *taints))
    return replace(node, state=state)


def _without_taints(node: StateNode) -> StateNode:
    keys = set(_TAINTS.values())
    taints, own = (tuple(t for t in of if t.key not in keys) for of in (node.state.taints, node.state.own_taints))
    return replace(node, state=replace(node.state, taints=taints, own_taints=own))
