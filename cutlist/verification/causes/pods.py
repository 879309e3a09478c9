"""Causes in the pods: others than planned, at other times, on other nodes; and in the amounts that nodes have for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cutlist.core.quantity import MEBI, MILLI, amount_text
from cutlist.planning.model import PlannedNode
from cutlist.verification.causes.registry import Cause, cause
from cutlist.verification.deviations import PLACING, Aspect, Deviation, amounts_that_differ
from cutlist.verification.live import LiveNode, LiveState
from cutlist.verification.matching import Slot
from cutlist.verification.situation import Situation

_BATCH: Final = 10.0  # seconds after which Karpenter ends a batch, by default
_NOTICEABLE: Final = {"cpu": 10 * MILLI, "memory": 10 * MEBI}
"""How much more or less than planned DaemonSets must request to count: a plan has the mean of unequal pods."""
_RESERVED: Final = frozenset({"memory", "ephemeral-storage", "cpu"})
"""The resources of which the machine or the kubelet reserves an amount that Karpenter only estimates."""


@cause(
    "pods-not-planned",
    "Pods that are not in the plan",
    named_when="the node has pods of a workload that has more pods than planned, or that the plan does not know",
    remedy="give `cutlist plan` all workloads and their real replicas; an autoscaler may have scaled since",
    explains=PLACING - {Aspect.MISSING},
)
def pods_not_planned(deviation: Deviation, situation: Situation) -> str:
    """Return the workloads with more pods than planned on the node."""
    node, slot = deviation.node, deviation.slot
    if node is None:
        return ""
    planned = slot.pods if slot is not None else {}
    if deviation.aspect is Aspect.UNPLANNED and not node.pods and node.state is not LiveState.READY:
        more = {w: situation.surplus(w) for w in situation.cluster.waiting if situation.surplus(w)}
        return "; ".join(
            f"{w}: {situation.planned_pods.get(w, 0):,} planned, {count:,} more {'waits' if count == 1 else 'wait'}"
            for w, count in more.items()
        )
    more = {w: situation.surplus(w) for w, count in node.pods.items() if count > planned.get(w, 0) and situation.surplus(w)}
    return "; ".join(
        f"{w}: {situation.planned_pods.get(w, 0):,} planned, {count:,} more {'is' if count == 1 else 'are'} running"
        for w, count in more.items()
    )


@cause(
    "pods-missing",
    "Planned pods that are missing",
    named_when="a workload that was planned on the node has fewer pods, running or waiting, than planned",
    remedy="check whether everything was applied, and whether an autoscaler or a quota holds replicas back",
    explains=PLACING - {Aspect.UNPLANNED},
)
def pods_missing(deviation: Deviation, situation: Situation) -> str:
    """Return the workloads with fewer pods than planned."""
    lacking = _short_of(deviation, situation.lacking)
    return "; ".join(f"{w}: {situation.planned_pods[w]:,} planned, {count:,} are missing" for w, count in lacking)


@cause(
    "pods-waiting",
    "Planned pods that still wait",
    named_when="a workload that was planned on the node has more pods waiting for a node than the plan leaves waiting",
    remedy="look at the pods' events; limits, quotas and scheduling gates keep pods waiting",
    explains=PLACING - {Aspect.UNPLANNED},
)
def pods_waiting(deviation: Deviation, situation: Situation) -> str:
    """Return the pods that wait in the cluster but not in the plan."""
    pending = {of.workload: of.count for of in situation.plan.pending}
    waiting = _short_of(deviation, lambda w: max(0, situation.cluster.waiting.get(w, 0) - pending.get(w, 0)))
    return "; ".join(f"{workload}: {count:,} wait for a node" for workload, count in waiting)


def _short_of(deviation: Deviation, count: Callable[[str], int]) -> list[tuple[str, int]]:
    """Return the workloads of which a planned node has fewer pods than planned, with their counts; those with a count of 0 are
    left out."""
    if deviation.slot is None:
        return []
    pods = deviation.node.pods if deviation.node is not None else {}
    workloads = [w for w, planned in sorted(deviation.slot.pods.items()) if pods.get(w, 0) < planned]
    return [(workload, count(workload)) for workload in workloads if count(workload)]


@cause(
    "daemonsets-differ",
    "Other DaemonSets than planned",
    named_when="the DaemonSets on the node are not those of the input, or request other amounts than the plan reserves for "
    "them",
    remedy="give `cutlist plan` the cluster's DaemonSets: `cutlist snapshot` has them",
    explains=PLACING - {Aspect.MISSING},
)
def daemonsets_differ(deviation: Deviation, situation: Situation) -> str:
    """Return the DaemonSets that differ: by name if the input is known, else by their requests."""
    node, slot = deviation.node, deviation.slot
    if node is None:
        return ""
    known = situation.declared.daemons
    if known is not None:
        others = sorted(node.daemons - known)
        return f"{', '.join(others)} on the node and not in the input" if others else ""
    if slot is None:
        return ""
    reserved = _reserved_for_daemons(slot.node, situation)
    differ = [
        f"{amount_text(name, node.daemon_requests.get(name, 0))} {name} instead of {amount_text(name, reserved[name])}"
        for name, least in _NOTICEABLE.items()
        if name in reserved and abs(node.daemon_requests.get(name, 0) - reserved[name]) >= least
    ]
    return f"DaemonSets request {', '.join(differ)}" if differ else ""


def _reserved_for_daemons(planned: PlannedNode, situation: Situation) -> dict[str, int]:
    """Return the amounts that a planned node reserves for DaemonSets, without its pods' requests; empty if the pods' sizes are
    unknown."""
    sizes = {size.workload: size.requests for size in situation.plan.pod_sizes}
    if any(share.workload not in sizes for share in planned.pods):
        return {}
    return {
        name: planned.requests.get(name, 0) - sum(share.count * sizes[share.workload].get(name, 0) for share in planned.pods)
        for name in _NOTICEABLE
    }


@cause(
    "allocatable-differs",
    "A machine with more or less room for pods than estimated",
    named_when="a machine of the planned type reports other memory, storage or cpu than the plan has, or has too little for "
    "the pods that were planned on it",
    remedy="write what machines really have into a document of kind Figures (docs/prices.md): `cutlist verify` prints it",
    explains=PLACING | {Aspect.ALLOCATABLE},
)
def allocatable_differs(deviation: Deviation, situation: Situation) -> str:
    """Return which amounts of the machine differ; for other deviations, that the planned pods do not fit the real machine."""
    slot, node = deviation.slot, deviation.node
    if deviation.aspect is Aspect.ALLOCATABLE:
        amounts = amounts_that_differ(slot, node) if slot is not None and node is not None else {}
        return _by_how_much(amounts, node.expected if node is not None else {}) if amounts.keys() <= _RESERVED else ""
    pool = node.node_pool if node is not None else ""
    planned = [slot.node] if slot is not None else [of for of in situation.plan.nodes if of.node_pool == pool]
    return next(filter(None, (_too_small(of, situation) for of in planned)), "")


def _by_how_much(amounts: Mapping[str, tuple[int, int]], expected: Mapping[str, int]) -> str:
    """Return the machine's amounts, and whether Karpenter expected the plan's, as the NodeClaim says."""
    texts = []
    for name, (planned, real) in amounts.items():
        part = f" ({(real - planned) / planned:+.1%})" if planned else ""
        texts.append(f"{name} {amount_text(name, real)} instead of {amount_text(name, planned)}{part}")
    is_karpenters = all(expected.get(name) == planned for name, (planned, _) in amounts.items())
    return f"the machine has {', '.join(texts)}{'; Karpenter expected what the plan did' if is_karpenters else ''}"


def _too_small(planned: PlannedNode, situation: Situation) -> str:
    """Return the sentence that machines of a planned type have too little for the planned pods, or an empty string if not."""
    machine = situation.smallest.get((planned.node_pool, planned.instance_type), {})
    name = next((name for name, amount in machine.items() if planned.requests.get(name, 0) > amount), "")
    if not name:
        return ""
    amount, wanted = (amount_text(name, of[name]) for of in (machine, planned.requests))
    return f"a {planned.instance_type} has {amount} {name}, and {wanted} were planned on it"


@cause(
    "pods-gone",
    "Pods that no longer run there",
    named_when="a node outside the plan has no pods: those that Karpenter launched it for have ended, or run elsewhere",
    remedy="nothing; consolidation removes an empty node, unless the NodePool's budgets or `consolidateAfter` keep it",
    explains=frozenset({Aspect.UNPLANNED}),
)
def pods_gone(deviation: Deviation, situation: Situation) -> str:
    """Return that a node has no pods, unless a static NodePool keeps it."""
    node = deviation.node
    pool = situation.cluster.pools.get(node.node_pool) if node is not None else None
    if node is None or node.pods or node.state is not LiveState.READY or (pool is not None and pool.replicas is not None):
        return ""
    return f"{node.name} has no pods but those of DaemonSets"


@cause(
    "timing",
    "Pods that arrived at different times",
    named_when="pods of the node's workloads were created more than ten seconds apart, which is longer than a batch of "
    "Karpenter lasts, so they were placed in several passes; or their NodeClaims were",
    remedy="nothing; consolidation brings nodes closer to the plan",
    explains=PLACING | {Aspect.NODE_POOL},
)
def timing(deviation: Deviation, situation: Situation) -> str:
    """Return the gaps between the creation times of the pods, else of the nodes, that were planned together."""
    slot, node = deviation.slot, deviation.node
    if slot is not None and node is not None and slot.pods == node.pods:
        return ""  # whenever pods came, this node has the planned ones
    on_node = {*(slot.pods if slot is not None else ()), *(node.pods if node is not None else ())}
    workloads = sorted(on_node if slot is not None else on_node | _planned_with(on_node, situation))
    arrivals = [situation.arrivals[workload] for workload in workloads if workload in situation.arrivals]
    apart = max(last for _, last in arrivals) - min(first for first, _ in arrivals) if arrivals else 0.0
    if apart <= _BATCH:
        return ""
    return f"pods of {', '.join(workloads)} arrived up to {apart:,.0f} s apart, in several batches"


def _planned_with(workloads: set[str], situation: Situation) -> set[str]:
    """Return the workloads that share planned nodes with these."""
    shares = ({share.workload for share in node.pods} for node in situation.plan.nodes)
    return {workload for together in shares if together & workloads for workload in together}


@cause(
    "pod-placement",
    "The kube-scheduler placed pods differently",
    named_when="all planned pods of the node's workloads run, on exactly the planned number of nodes, divided differently: "
    "Karpenter only launches nodes, and the kube-scheduler puts each pod where it fits",
    remedy="nothing",
    explains=frozenset({Aspect.PODS}),
)
def pod_placement(deviation: Deviation, situation: Situation) -> str:
    """Return that the same pods run on the same number of nodes, or an empty string if not."""
    slot, node = deviation.slot, deviation.node
    if slot is None or node is None:
        return ""
    differing = _differing(slot, node)
    if any(situation.surplus(w) or situation.lacking(w) or situation.cluster.waiting.get(w, 0) for w in differing):
        return ""
    if any(situation.pods_on_new_nodes.get(w, 0) != _planned_on_new_nodes(w, situation) for w in differing):
        return ""
    whole = [*(s.pods.keys() for s in situation.matching.missing), *(n.pods.keys() for n in situation.matching.unplanned)]
    if any(differing & pods for pods in whole):
        return ""
    return f"all pods of {', '.join(sorted(differing))} run on the planned nodes, divided differently"


def _differing(slot: Slot, node: LiveNode) -> set[str]:
    """Return the workloads of which a node has another number of pods than planned."""
    return {w for w in slot.pods.keys() | node.pods.keys() if slot.pods.get(w, 0) != node.pods.get(w, 0)}


def _planned_on_new_nodes(workload: str, situation: Situation) -> int:
    return sum(slot.pods.get(workload, 0) for slot in situation.slots)


@cause(
    "other-node",
    "A consequence of another node",
    named_when="the workloads whose pods differ also have pods on a node that is missing or unplanned, and the cause of "
    "that is known",
    remedy="see that node",
    explains=frozenset({Aspect.PODS}),
    weak=True,
)
def other_node(deviation: Deviation, situation: Situation) -> str:
    """Return the workloads on other nodes that are missing or unplanned for a known cause."""
    slot, node = deviation.slot, deviation.node
    if slot is None or node is None:
        return ""
    differing = _differing(slot, node)
    explained = sorted(differing & situation.explained_pods)
    return f"{', '.join(explained)}: other nodes of it are missing or unplanned" if explained else ""


CAUSES: Final[tuple[Cause, ...]] = (
    pods_not_planned,
    pods_missing,
    pods_waiting,
    daemonsets_differ,
    allocatable_differs,
    pods_gone,
    timing,
    pod_placement,
    other_node,
)
