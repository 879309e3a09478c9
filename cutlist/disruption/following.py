"""The nodes that follow a command although it does not list them: static NodePools make theirs again, and controllers recreate
pods that were evicted without a place.

Karpenter counts neither when it logs what a command saves (spec: disruption 4.4, 5.9). The money that people read does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cutlist.catalog.prices import is_estimate, usd
from cutlist.core.money import money_sum
from cutlist.disruption.aftermath import after_command, placed, pod_key
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Command, FollowingNodes, Replacement
from cutlist.disruption.disk_costs import deviations_of
from cutlist.disruption.simulation import Simulator
from cutlist.disruption.static_nodes import static_nodes
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode


def with_following(commands: Iterable[Command], cluster: ClusterState) -> tuple[Command, ...]:
    """Return the commands of one step with the nodes that follow each of them, in their order."""
    followed, before = [], cluster
    for number, command in enumerate(commands):
        if _may_be_followed(command):
            after = after_step(before, command, f"following-{number}")
            nodes = (*_unlisted(command, before, after), *nodes_for_evicted(before, after))
            followed.append(replace(command, followed_by=_summed(nodes, after) if nodes else None))
            before = after
        else:
            followed.append(command)
    return tuple(followed)


def after_step(cluster: ClusterState, command: Command, prefix: str) -> ClusterState:
    """Return the cluster once a command is done.

    Static NodePools have made their nodes again, and pods that were evicted without a place wait if somebody recreates them.
    """
    after = after_command(cluster, command, prefix)
    if command.reboot:
        return after
    lost = Counter(c.pool.name for c in command.candidates if c.pool.is_static) if command.simulation is None else Counter()
    nodes = sorted([*after.nodes, *static_nodes(after, lost, prefix)], key=lambda node: node.name) if lost else after.nodes
    return replace(after, nodes=nodes, displaced=(*after.displaced, *_held(command)))


def nodes_for_evicted(before: ClusterState, after: ClusterState) -> tuple[StateNode, ...]:
    """Return the nodes that pods need that ran before a command and wait after it; each as the cheapest type."""
    known = {pod_key(pod) for pod in before.displaced}
    evicted = tuple(pod for pod in after.displaced if pod_key(pod) not in known)
    if not evicted:
        return ()
    # Alone, since pods that wait anyway would get their nodes without the command.
    alone = replace(after, pending=(), buffers=(), displaced=evicted)
    simulation = Simulator(alone).without((), resting=False)
    return _new(after, placed(alone, simulation, tuple(map(Replacement.of, simulation.claims)), "evicted"))


def price_of_nodes(nodes: Iterable[StateNode], cluster: ClusterState) -> float:
    """Return what some nodes cost in USD per hour, with disks where their price is known; an unknown price counts as 0."""
    return money_sum(cluster.bill_of(node) + (usd(cluster.disk_price_of(node)) or 0.0) for node in nodes)


def _may_be_followed(command: Command) -> bool:
    """Tell whether something may follow: most commands list all that comes, and need no second look."""
    if command.reboot:
        return False
    return command.simulation is None or command.terminate_first is not None or bool(_held(command))


def _held(command: Command) -> list[RunningPod]:
    """Return the pods that hold the drain of a command until its grace period ends (D-12): no place was looked for, since they
    must not be evicted now. A pod without a controller does not come back."""
    if command.simulation is None:
        return []  # its pods wait already
    moved = {pod_key(pod) for pod in command.simulation.pods.values()}
    pods = (pod for candidate in command.candidates for pod in candidate.pods)
    return [pod for pod in pods if pod.owners and pod_key(pod) not in moved]


def _unlisted(command: Command, before: ClusterState, after: ClusterState) -> tuple[StateNode, ...]:
    """Return the new nodes whose price the command does not list: those of static NodePools, and all of a command that
    terminates first."""
    is_listed = bool(command.replacements) and all(replacement.types for replacement in command.replacements)
    return () if is_listed else _new(before, after)


def _new(before: ClusterState, after: ClusterState) -> tuple[StateNode, ...]:
    names = {node.name for node in before.nodes}
    return tuple(node for node in after.nodes if node.name not in names)


def _summed(nodes: Sequence[StateNode], cluster: ClusterState) -> FollowingNodes:
    is_estimated = any(is_estimate(cluster.paid_for(node)) for node in nodes)
    return FollowingNodes(len(nodes), round(price_of_nodes(nodes, cluster), 10), is_estimated, deviations_of(nodes, cluster))
