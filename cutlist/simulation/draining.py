"""Nodes that are being removed: their pods are evicted tier by tier, then the instance ends (spec: disruption 9).

Pods of DaemonSets end with their node. A pod that may not be evicted keeps its node until its budget allows it, its annotation
ends, or the deadline of `terminationGracePeriod` is reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.disruption.termination import deadline, deleted, with_claim
from cutlist.simulation.controllers import Controllers
from cutlist.simulation.events import SECOND, DrainDue, InstanceStopped, OrphansCollected
from cutlist.simulation.kubescheduler import KubeScheduler
from cutlist.simulation.nodes import cordoned
from cutlist.simulation.pods import key_of, stays_with_node
from cutlist.simulation.world import World
from cutlist.state.pods import RunningPod, tolerates_disruption

EXPIRED: Final = "Expired"
INTERRUPTED: Final = "Interrupted"
STOPPED: Final = "Stopped"
POOL_DELETED: Final = "NodePoolDeleted"
"""Why a node is removed forcibly."""
_SHORTEST: Final = 5 * SECOND
"""Least number of milliseconds that a drain takes (spec 9.1)."""
_RETRY: Final = 10 * SECOND
"""Longest number of milliseconds between two attempts to evict a pod (spec 9.2)."""
_COLLECTED: Final = 40 * SECOND
_COLLECTION: Final = 20 * SECOND
"""How long pods whose node no longer exists are kept at least, and how often Kubernetes looks for them, in milliseconds."""
_CRITICAL: Final = frozenset({"system-cluster-critical", "system-node-critical"})


@dataclass(slots=True)
class NodeDrain:
    """A node that is being drained: why, since when, and when it is looked at next, if that is known."""

    cause: str
    since: int
    due: int | None


class Draining:
    """Drains nodes and ends their instances."""

    __slots__ = ("_controllers", "_drains", "_scheduler", "_world")

    def __init__(self, world: World, controllers: Controllers, scheduler: KubeScheduler) -> None:
        self._world = world
        self._controllers = controllers
        self._scheduler = scheduler
        self._drains: dict[str, NodeDrain] = {}

    def begin(self, name: str, cause: str) -> None:
        """Delete the NodeClaim of a node for a cause, unless it is being deleted."""
        world, cluster = self._world, self._world.cluster
        node = cluster.nodes.get(name)
        if node is None or name in self._drains:
            return
        # A command of disruption has noticed the move already, when it tainted the node.
        if not node.state.removed:
            cluster.notice_move()
        if node.claim is not None:
            node = with_claim(node, deleted(node.claim, cluster.stamp))
        cluster.put(cordoned(node))
        # There is nothing to drain: the instance ends at once.
        if name in cluster.launching or not node.has_node:
            self._drains[name] = NodeDrain(cause, world.now, world.now)
            world.push(InstanceStopped(world.now, name))
            return
        self._drains[name] = NodeDrain(cause, world.now, world.now)
        world.push(DrainDue(world.now, name))

    def pod_gone(self, node: str) -> None:
        """Look at a node again, because a pod of it no longer exists."""
        drain = self._drains.get(node)
        if drain is not None and drain.due != self._world.now:
            self._look_at(node, self._world.now)

    def look(self, event: DrainDue) -> None:
        """Evict the pods of a node whose turn has come; end its instance when none is left to wait for."""
        drain, node = self._drains.get(event.node), self._world.cluster.nodes.get(event.node)
        if drain is None or node is None or drain.due != event.at:
            return
        drain.due = None
        now, ends = self._world.now, deadline(node.claim)
        waiting = [p for p in node.pods if not p.ended and not stays_with_node(p) and not tolerates_disruption(p)]
        if not waiting:
            # Karpenter's termination controller needs several looks even for an empty node (spec 9.1).
            over = drain.since + _SHORTEST
            if now >= over:
                self._world.push(InstanceStopped(now, node.name))
            else:
                self._look_at(node.name, over)
            return
        for pod in waiting:
            if not pod.terminating and ends is not None and self._world.instant >= ends - pod.grace:
                self.evict(pod, drain.cause, longest=max(SECOND, round((ends - self._world.instant) * SECOND)))
        # Asked again of the cluster: the loop above may have evicted some of these pods.
        tier = _first_tier([p for p in waiting if not self._world.cluster.pods[key_of(p)].terminating] or waiting)
        for pod in tier:
            if not self._world.cluster.pods[key_of(pod)].terminating and self._may_evict(pod):
                self.evict(pod, drain.cause)
        blocked = [p for p in waiting if not self._world.cluster.pods[key_of(p)].terminating]
        if blocked:
            self._look_at(node.name, self._next_look(blocked, ends))

    def stop(self, name: str, cause: str = "") -> None:
        """End an instance with all that still runs on it."""
        world, cluster = self._world, self._world.cluster
        node = cluster.nodes.get(name)
        if node is None:
            return
        drain = self._drains.pop(name, None)
        workloads = [self._kill(pod, drain.cause if drain else cause) for pod in node.pods]
        if node.state.initialized:
            world.ledger.room(0, -cluster.nodes[name].state.available.get("cpu", 0))
        cluster.remove_node(name)
        self._scheduler.forget(name)
        if any(stays_with_node(pod) for pod in node.pods):
            seen = -(-world.now // _COLLECTION) * _COLLECTION
            world.push(OrphansCollected(seen + _COLLECTED))
        if world.planned_lives.pop(name, None) is None:
            world.ledger.node_ended(name, world.now, drain.cause if drain else cause)
        # Only when all pods are no longer there: a controller that looked in between would see half a node.
        for workload in dict.fromkeys(workloads):
            self._controllers.reconcile(workload)

    def _kill(self, pod: RunningPod, cause: str) -> str:
        key = key_of(pod)
        workload = self._world.cluster.workload_of.get(key, "")
        if not stays_with_node(pod):
            if not pod.terminating:
                self._world.ledger.evicted(workload, cause)
                self._controllers.evicted(key)
            self._controllers.ended(key, workload)
            self._world.forget_pod(key)
        self._world.remove_pod(key)
        return workload

    def _may_evict(self, pod: RunningPod) -> bool:
        if pod.held(self._world.instant):
            return False
        return self._world.cluster.budgets.may_evict(pod.pod, ready=key_of(pod) in self._world.ready)

    def evict(self, pod: RunningPod, cause: str, longest: int | None = None) -> None:
        """Evict a pod for a cause, regardless of budgets; it ends within `longest` milliseconds."""
        key = key_of(pod)
        self._world.ledger.evicted(self._world.cluster.workload_of.get(key, ""), cause)
        self._world.delete_pod(key, longest)
        self._controllers.reconcile(self._controllers.evicted(key))

    def _look_at(self, name: str, at: int) -> None:
        self._drains[name].due = at
        self._world.push(DrainDue(at, name))

    def _next_look(self, blocked: Sequence[RunningPod], ends: float | None) -> int:
        """Return when something may have changed for pods that may not be evicted now."""
        world = self._world
        instants = [p.held_until for p in blocked if p.held_until is not None]
        instants += [ends - p.grace for p in blocked] if ends is not None else []
        later = [world.now + round((at - world.instant) * SECOND) for at in instants if at > world.instant]
        # Never now, which would try the same pods again at the same instant.
        return max(world.now + 1, min([world.now + _RETRY, *later]))


def _first_tier(pods: Sequence[RunningPod]) -> list[RunningPod]:
    """Return the pods that are evicted first: those that are not critical, if there are any."""
    ordinary = [p for p in pods if p.priority_class not in _CRITICAL]
    return ordinary or list(pods)
