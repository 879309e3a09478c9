"""Causes in the cluster's other nodes, and in nodes that are not ready yet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.settings.verify import SINCE
from cutlist.verification.causes.endings import registration_timeout
from cutlist.verification.causes.launching import UNDER_WAY
from cutlist.verification.causes.registry import Cause, cause
from cutlist.verification.deviations import PLACING, Aspect, Deviation
from cutlist.verification.live import LiveNode, LiveState
from cutlist.verification.situation import Situation

_UNREADY: Final = frozenset({LiveState.NOT_LAUNCHED, LiveState.NOT_REGISTERED, LiveState.NOT_INITIALIZED})


@cause(
    "existing-node",
    "Pods on an existing node",
    named_when="planned pods run on a node of Karpenter that existed before the plan: one that the plan or the declared "
    f"objects name, or that was created before `{SINCE.flag}`",
    remedy="give `cutlist plan` a snapshot of the cluster, so that it fills existing nodes first",
    explains=PLACING - {Aspect.UNPLANNED},
)
def existing_node(deviation: Deviation, situation: Situation) -> str:
    """Return which planned pods run on earlier nodes, beyond those that the plan places there."""
    return _elsewhere(deviation, situation.before, situation, "which was there before")


@cause(
    "not-karpenter",
    "Pods on a node that Karpenter does not manage",
    named_when="planned pods run on a node without a NodeClaim, such as one of a node group",
    remedy="give `cutlist plan` a snapshot of the cluster, or keep the pods off that node by taints",
    explains=PLACING - {Aspect.UNPLANNED},
)
def not_karpenter(deviation: Deviation, situation: Situation) -> str:
    """Return which planned pods run on nodes that Karpenter does not manage."""
    return _elsewhere(deviation, situation.foreign, situation, "which Karpenter does not manage")


def _elsewhere(deviation: Deviation, nodes: Iterable[LiveNode], situation: Situation, which: str) -> str:
    """Return which of the pods that a planned node lacks run on some other nodes, beyond those that the plan places there."""
    slot = deviation.slot
    if slot is None:
        return ""
    on_node = deviation.node.pods if deviation.node is not None else {}
    texts = []
    for workload in sorted(workload for workload, count in slot.pods.items() if count > on_node.get(workload, 0)):
        counts = {node.name: situation.pods_since_plan(node).get(workload, 0) for node in nodes}
        having = [name for name, count in counts.items() if count]
        if sum(counts.values()) > situation.placed_on_existing.get(workload, 0):
            others = f" and {len(having) - 1:,} more" if len(having) > 1 else ""
            texts.append(f"{sum(counts.values()):,} of {workload} on {having[0]}{others}, {which}")
    return "; ".join(texts)


@cause(
    "static-capacity",
    "A NodePool of static capacity",
    named_when="the NodePool of the cluster has replicas, but the plan has another number of its nodes",
    remedy="declare the same replicas; scaling the NodePool changes them",
    explains=frozenset({Aspect.MISSING, Aspect.UNPLANNED}),
)
def static_capacity(deviation: Deviation, situation: Situation) -> str:
    """Return by how many a static NodePool's replicas differ from its planned nodes."""
    pool = deviation.slot.node.node_pool if deviation.slot is not None else ""
    pool = pool or (deviation.node.node_pool if deviation.node is not None else "")
    replicas = situation.cluster.pools[pool].replicas if pool in situation.cluster.pools else None
    planned = sum(node.count for node in situation.plan.nodes if node.node_pool == pool)
    if replicas is None or replicas == planned:
        return ""
    return f"NodePool {pool} has {replicas:,} replicas, and {planned:,} of its nodes are planned"


@cause(
    "not-joined",
    "A node that has not joined the cluster",
    named_when="a NodeClaim is not launched yet and nothing says that it failed, or it has a machine whose Node is not "
    "registered or not initialized; or the log says that one was removed for it",
    remedy="wait a few minutes; then look at the machine's own log: user data, network, the node role's access entry; "
    "`cutlist userdata` shows what it boots with",
    explains=frozenset({Aspect.STATE, Aspect.PODS, Aspect.MISSING}),
)
def not_joined(deviation: Deviation, situation: Situation) -> str:
    """Return which NodeClaim has no registered or no initialized Node."""
    node = deviation.node
    if node is None:
        return registration_timeout(deviation, situation)
    if node.state not in _UNREADY or (node.state is LiveState.NOT_LAUNCHED and node.reason not in UNDER_WAY):
        return ""
    reason = f" ({node.reason})" if node.reason else ""
    since = max(0.0, situation.cluster.now - node.created)
    return f"{node.claim} is {node.state}{reason}, {since:,.0f} s after it was created"


CAUSES: Final[tuple[Cause, ...]] = (existing_node, not_karpenter, static_capacity, not_joined)
