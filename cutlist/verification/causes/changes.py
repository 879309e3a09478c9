"""Causes in what was changed: the declared objects, Karpenter itself, and what Karpenter did to nodes afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cutlist.core.karpenter.baselines import baseline_of
from cutlist.logs import EndedClaim
from cutlist.logs.endings import CONSOLIDATED, DRIFTED, EXPIRED, INTERRUPTED, NOT_REGISTERED, UNHEALTHY
from cutlist.verification.causes.registry import Cause, cause
from cutlist.verification.deviations import LAUNCH, PLACING, Aspect, Deviation
from cutlist.verification.live import LiveState
from cutlist.verification.situation import Situation

_SETTLED: Final = LAUNCH | PLACING
_ENDED: Final = PLACING | {Aspect.STATE}
_REPLACED_WITHIN: Final = 900.0  # seconds within which a replacement of a command is launched
_DISRUPTION: Final = "spec.disruption"


@cause(
    "nodepool-edited",
    "A NodePool that is not as declared",
    named_when="a field of the NodePool that decides about nodes is not as declared, or only one side has the NodePool; or "
    "the NodeClaim has another hash than its NodePool has now",
    remedy="apply what is declared, or declare what is there; `cutlist diff` shows what either replaces",
    explains=_SETTLED,
)
def nodepool_edited(deviation: Deviation, situation: Situation) -> str:
    """Look for edits of the NodePools of a node, as it was planned and as it is."""
    if edits := _edits(deviation, situation, "NodePool"):
        return edits
    node = deviation.node
    pool = situation.cluster.pools.get(node.node_pool) if node is not None else None
    if node is None or pool is None or not node.pool_hash or not pool.hash or node.pool_hash == pool.hash:
        return ""
    return f"NodePool {node.node_pool} changed after {node.claim} was created: their hashes differ"


@cause(
    "nodeclass-edited",
    "A node class that is not as declared",
    named_when="a field of the NodePool's node class is not as declared, or only one side has the node class",
    remedy="apply what is declared, or declare what is there; `cutlist diff` shows what either replaces",
    explains=_SETTLED | {Aspect.ALLOCATABLE, Aspect.STATE},
)
def nodeclass_edited(deviation: Deviation, situation: Situation) -> str:
    """Look for edits of the node classes."""
    return _edits(deviation, situation, "")


def _edits(deviation: Deviation, situation: Situation, kind: str) -> str:
    """Return the edits of the NodePools of a deviation; of their node classes where `kind` is empty."""
    pools = {deviation.slot.node.node_pool} if deviation.slot is not None else set()
    pools |= {deviation.node.node_pool} if deviation.node is not None else set()
    whole = deviation.aspect in (Aspect.MISSING, Aspect.UNPLANNED)
    edits = [
        f"{edit.kind} {edit.name}: {edit.what}"
        for edit in situation.declared.edits
        if edit.node_pools & pools
        and (edit.kind == "NodePool") == (kind == "NodePool")
        and (whole or not edit.path.startswith(_DISRUPTION))
    ]
    return "; ".join(edits)


@cause(
    "other-karpenter",
    "Another Karpenter, or other feature gates",
    named_when="the log names another minor version than the plan's, or the controller's feature gates are not as the plan "
    "took them; only where nothing else is a cause",
    remedy="plan with `--karpenter` and the gates that run, or bring Karpenter up: `cutlist upgrade`",
    explains=_SETTLED,
    weak=True,
)
def other_karpenter(_deviation: Deviation, situation: Situation) -> str:
    """Compare the running version and gates with the plan's."""
    running, planned = situation.log.version, situation.plan.karpenter
    texts = list(situation.declared.gates)
    if running and planned and _minor(running) != _minor(planned):
        texts.insert(0, f"Karpenter {running} runs, planned was {planned}")
    return "; ".join(texts)


def _minor(version: str) -> str:
    baseline = baseline_of(version)
    return str(baseline.minor) if baseline is not None else ".".join(version.split(".")[:2])


Ended = Callable[[Deviation, Situation], str]


def _ended_by(reasons: frozenset[str], what: str) -> Ended:
    """Return what looks for nodes that were ended for some reasons, and for the traces that this leaves."""

    def evidence(deviation: Deviation, situation: Situation) -> str:
        node = deviation.node
        if node is not None and node.state is LiveState.ENDING and node.reason.lower() in reasons:
            return f"{node.name} is being removed: {node.reason}"
        ended = next((e for e in situation.log.ended if e.reason in reasons and _concerns(e, deviation, situation)), None)
        if ended is None:
            return ""
        name = ended.claim or ended.node
        instance_type = f" ({ended.instance_type})" if ended.instance_type else ""
        return f"{name}{instance_type} {what}"

    return evidence


def _concerns(ended: EndedClaim, deviation: Deviation, situation: Situation) -> bool:
    """Tell whether the end of a node explains a deviation.

    A planned node is missing if one of its NodePool was ended that is of a type that it may have. A node replaces another
    if it was created soon after and is of a type of the replacement, where one is named. Pods moved if some on the node were
    created after the end.
    """
    slot, node = deviation.slot, deviation.node
    if deviation.aspect is Aspect.STATE:
        return node is not None and (ended.claim == node.claim or ended.node == node.name)
    pool = slot.node.node_pool if slot is not None else node.node_pool if node is not None else ""
    if (ended.node_pool and ended.node_pool != pool) or ended.at < _beginning(situation):
        return False
    if deviation.aspect is Aspect.MISSING:
        types = {c.instance_type for c in slot.node.candidates} if slot is not None else set()
        return not ended.instance_type or not types or ended.instance_type in types
    if node is None:
        return False
    is_replacement = not ended.is_replaced or bool(ended.others) or node.instance_type in ended.replacements
    if deviation.aspect is not Aspect.PODS:
        return is_replacement and 0 <= node.created - ended.at <= _REPLACED_WITHIN
    return any(at >= ended.at for at in node.pods_since)


def _beginning(situation: Situation) -> float:
    """Return the instant before which nothing that happened concerns the plan: what was ended earlier was not planned."""
    if situation.since is not None:
        return situation.since
    created = [node.created for node in situation.compared if node.created]
    return min(created, default=0.0) - _REPLACED_WITHIN


consolidation = cause(
    "consolidation",
    "Consolidation since then",
    named_when="the log has a command of consolidation that ended a node of the NodePool of a planned type, launched the "
    "node as a replacement, or moved pods to it; or the NodeClaim says so itself",
    remedy="nothing; `cutlist disrupt --from-plan` shows beforehand what comes",
    explains=_ENDED,
)(_ended_by(CONSOLIDATED, "was consolidated since"))

drift = cause(
    "drift",
    "A replacement because of drift",
    named_when="the same, with a command of drift",
    remedy="nothing; `cutlist diff --nodes` shows beforehand which nodes drift",
    explains=_ENDED,
)(_ended_by(DRIFTED, "drifted and was replaced since"))

expiration = cause(
    "expiration",
    "A node that expired",
    named_when="the same, with a line about an expired NodeClaim",
    remedy="nothing; `expireAfter` of the NodePool decides",
    explains=_ENDED,
)(_ended_by(EXPIRED, "expired since"))

interruption = cause(
    "interruption",
    "A node that was interrupted",
    named_when="the same, with a line or an event about a message of the interruption queue",
    remedy="nothing; `cutlist interrupt` shows what the loss of spot capacity does",
    explains=_ENDED,
)(_ended_by(INTERRUPTED, "was interrupted since"))

node_repair = cause(
    "node-repair",
    "A node that was unhealthy",
    named_when="the same, with a line about an unhealthy node",
    remedy="look at the node's conditions",
    explains=_ENDED,
)(_ended_by(UNHEALTHY, "was unhealthy and was replaced since"))

registration_timeout = _ended_by(NOT_REGISTERED, "did not register in time and was removed")

CAUSES: Final[tuple[Cause, ...]] = (
    nodepool_edited,
    nodeclass_edited,
    consolidation,
    drift,
    expiration,
    interruption,
    node_repair,
    other_karpenter,
)
