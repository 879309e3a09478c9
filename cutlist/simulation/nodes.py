"""Nodes of a simulated cluster, changed: cordoned, uncordoned, or with other pods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cutlist.core.quantity import merge, subtract
from cutlist.simulation.pods import DAEMON
from cutlist.state.pods import DISRUPTED, RunningPod
from cutlist.state.statenode import StateNode


def cordoned(node: StateNode) -> StateNode:
    """Return a node that is being removed: nothing is placed on it, and its Node has the taint that says so (disruption 8)."""
    state = replace(node.state, removed=True)
    if node.has_node and DISRUPTED not in state.own_taints:
        state = replace(state, taints=(*state.taints, DISRUPTED), own_taints=(*state.own_taints, DISRUPTED))
    return replace(node, state=state)


def uncordoned(node: StateNode) -> StateNode:
    """Return a node that stays after all, without the taint."""
    taints, own_taints = (tuple(t for t in of if t != DISRUPTED) for of in (node.state.taints, node.state.own_taints))
    return replace(node, state=replace(node.state, removed=False, taints=taints, own_taints=own_taints))


def with_pods(
    node: StateNode, pods: Sequence[RunningPod], added: Sequence[RunningPod] = (), removed: Sequence[RunningPod] = ()
) -> StateNode:
    """Return a node with other pods, of which some are new or no longer there."""
    available = node.state.available
    for pod in added:
        available = subtract(available, pod.pod.requests)
    for pod in removed:
        available = {r: amount + pod.pod.requests.get(r, 0) for r, amount in available.items()}
    ports = node.state.ports
    if any(p.pod.host_ports for p in (*added, *removed)):
        ports = frozenset(port for p in pods for port in p.pod.host_ports)
    # Only added: what a DaemonSet's pod requested counts on although it ends, as it does for Karpenter.
    daemons = [p.pod.requests for p in added if DAEMON in p.owners]
    requests = merge(node.state.daemon_requests, *daemons) if daemons else node.state.daemon_requests
    state = replace(node.state, available=available, ports=ports, daemon_requests=requests)
    return replace(node, state=state, pods=tuple(pods))
