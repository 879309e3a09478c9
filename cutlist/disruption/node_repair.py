"""Nodes that have been unhealthy for too long (spec: disruption 8.3; D-35, D-77). Only with the feature gate NodeRepair.

If repair is a disruption method, `--legacy-node-repair` runs this instead (V15-57).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.labels import NODEPOOL
from cutlist.providers.node_repair import RepairAction, RepairPolicy
from cutlist.state.statenode import Condition, StateNode

SICK_PERCENT: Final = 20
RETRY_AFTER: Final = 300  # seconds until a blocked repair is checked again
BLOCKED_IN_POOL: Final = f"more than {SICK_PERCENT}% nodes are unhealthy in the nodepool"
BLOCKED_IN_CLUSTER: Final = f"more then {SICK_PERCENT}% nodes are unhealthy in the cluster"


@dataclass(frozen=True, slots=True)
class Repair:
    """The repair of unhealthy nodes: claims by name that are deleted now; nodes by name that wait, and until when.

    `blocked` are the waiting nodes whose time is up, with Karpenter's reason. Instants are in seconds since 1970.
    """

    now: tuple[str, ...] = ()
    later: Mapping[str, float] = field(default_factory=dict)
    blocked: Mapping[str, str] = field(default_factory=dict)


def repair(nodes: Sequence[StateNode], policies: Sequence[RepairPolicy], now: float) -> Repair:
    """Return which nodes Karpenter replaces now because they are unhealthy. No budget applies, but too many unhealthy nodes
    stop it."""
    due: list[str] = []
    later: dict[str, float] = {}
    blocked: dict[str, str] = {}
    for node in nodes:
        since = gives_up_at(node.conditions, policies)
        if since is None or node.claim is None or not node.has_node:
            continue
        if now < since:
            later[node.state.node] = since
        # How many others are unhealthy matters only once its own time is up.
        elif reason := _too_many_sick(node, nodes, policies):
            later[node.state.node] = now + RETRY_AFTER
            blocked[node.state.node] = reason
        else:
            due.append(node.claim.name)
    return Repair(tuple(sorted(due)), later, blocked)


def gives_up_at(conditions: Mapping[str, Condition], policies: Iterable[RepairPolicy]) -> float | None:
    """Return when a node with these conditions is replaced, by the earliest condition, or None while it is healthy."""
    sick = ((conditions[p.condition].since + p.toleration) for p in policies if _matches(conditions, p))
    return min(sick, default=None)


def allowed_sick(nodes: int) -> int:
    """Return how many of this many nodes may be unhealthy for repair to continue: a fifth, rounded up."""
    # Integers only, since 0.2 times a number is not exact.
    return -(-nodes * SICK_PERCENT // 100)


def _matches(conditions: Mapping[str, Condition], policy: RepairPolicy) -> bool:
    condition = conditions.get(policy.condition)
    if condition is None or condition.status != policy.status or policy.action != RepairAction.REPLACE:
        return False
    return re.search(policy.reason_regex, condition.reason) is not None


def _too_many_sick(node: StateNode, nodes: Sequence[StateNode], policies: Sequence[RepairPolicy]) -> str:
    """Return why a node has to wait, or an empty string if it need not.

    Enough others have to be healthy: of its pool, or of the cluster if it has no pool.
    """
    pool = node.claim.labels.get(NODEPOOL, "") if node.claim is not None else ""
    peers = [n for n in nodes if n.has_node and (not pool or n.state.own_labels.get(NODEPOOL) == pool)]
    sick = sum(any(_matches(n.conditions, p) for p in policies) for n in peers)
    if sick <= allowed_sick(len(peers)):
        return ""
    return BLOCKED_IN_POOL if pool else BLOCKED_IN_CLUSTER
