"""NodeClaims, nodes and pods to disrupt, with little written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cutlist.core.instants import instant
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, NODEPOOL, ZONE
from cutlist.state.pods import RunningPod
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.statenode import CLAIM_INITIALIZED, LAUNCHED, Condition, NodeClaimState, StateNode
from cutlist.workloads.pods import Pod

NOON = instant("2026-01-05T12:00:00Z") or 0
MINUTE, HOUR, DAY = 60, 3600, 86400
UP = {LAUNCHED: Condition("True"), CLAIM_INITIALIZED: Condition("True")}
LABELS = {NODEPOOL: "default", INSTANCE_TYPE: "two", ZONE: "zone-a", CAPACITY_TYPE: "on-demand"}


def claim(name: str = "a", *, labels: Mapping[str, str] | None = None, **fields: Any) -> NodeClaimState:
    """Return a claim of NodePool `default` that came up a day before noon."""
    values = {
        "provider_id": f"aws:///zone-a/i-{name}",
        "created": NOON - DAY,
        "conditions": UP,
        "labels": {**LABELS, **(labels or {})},
        **fields,
    }
    return NodeClaimState(name=name, **values)


def state_node(
    name: str = "a", *, of: NodeClaimState | None = None, pods: Iterable[RunningPod] = (), **fields: Any
) -> StateNode:
    """Return a Node with its claim."""
    own = claim(name) if of is None else of
    state = SchedulingNode(name=name, node=name, labels=own.labels, own_labels=own.labels)
    return StateNode(state=state, claim=own, pods=tuple(pods), **fields)


def running(name: str = "p", *owners: str, pod: Pod | None = None, **fields: Any) -> RunningPod:
    """Return a pod that runs since six in the morning."""
    values = {"phase": "Running", "node": "a", "started": NOON - 6 * HOUR, **fields}
    return RunningPod(name=name, pod=pod or Pod(), owners=frozenset(owners), **values)
