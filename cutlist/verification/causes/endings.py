"""Causes in the removal of nodes after the launch: consolidation, drift, expiration, interruption, repair."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cutlist.logs import EndedClaim, endings
from cutlist.settings import diff
from cutlist.settings.cluster import FROM_PLAN
from cutlist.settings.interrupt import SPOT_ENDS
from cutlist.verification.causes.registry import Cause, cause
from cutlist.verification.deviations import LAUNCH, PLACING, Aspect, Deviation
from cutlist.verification.live import LiveNode, LiveState
from cutlist.verification.situation import REPLACED_WITHIN, Situation

_ENDED: Final = LAUNCH | PLACING | {Aspect.STATE}
_RESOLUTION: Final = 1.0  # seconds: creation times have no fractions, the log does

Ended = Callable[[Deviation, Situation], str]


def _ended_by(reasons: frozenset[str], what: str) -> Ended:
    """Return the function that looks for nodes that were removed for some reasons, and for the traces of that."""

    def evidence(deviation: Deviation, situation: Situation) -> str:
        node = deviation.node
        if node is not None and node.state is LiveState.ENDING and node.reason.lower() in reasons:
            return f"{node.name} is being removed: {node.reason}"
        ended = situation.lost.get(deviation.slot.number) if deviation.slot is not None and node is None else None
        if node is not None:
            of_reasons = (claim for claim in situation.ended if claim.reason in reasons)
            ended = next((claim for claim in of_reasons if _left_traces(claim, deviation.aspect, node)), None)
        if ended is None or ended.reason not in reasons:
            return ""
        instance_type = f" ({ended.instance_type})" if ended.instance_type else ""
        return f"{ended.claim or ended.node}{instance_type} {what}"

    return evidence


def _left_traces(ended: EndedClaim, aspect: Aspect, node: LiveNode) -> bool:
    """Tell whether the removal of a node explains how another differs: that is the removed one, its replacement, or has its
    pods.

    A replacement was created soon after, in the same NodePool, and is of a type of the command if that names any. Pods moved if
    some were created after the removal.
    """
    if aspect is Aspect.STATE:
        return node.claim == ended.claim or node.name == ended.node
    if ended.node_pool not in ("", node.node_pool):
        return False
    if aspect is Aspect.PODS:
        return any(at >= ended.at - _RESOLUTION for times in node.pods_since.values() for at in times)
    is_of_type = not ended.is_replaced or bool(ended.others) or node.instance_type in ended.replacements
    return is_of_type and -_RESOLUTION <= node.created - ended.at <= REPLACED_WITHIN


def _ending(id_: str, title: str, evidence: Ended, *, named_when: str, remedy: str, weak: bool = False) -> Cause:
    return cause(id_, title, named_when=named_when, remedy=remedy, explains=_ENDED, weak=weak)(evidence)


registration_timeout = _ended_by(endings.NOT_REGISTERED, "did not register in time and was removed")

CAUSES: Final[tuple[Cause, ...]] = (
    _ending(
        "consolidation",
        "Consolidation since then",
        _ended_by(endings.CONSOLIDATED, "was consolidated since"),
        named_when="the log has a consolidation command that ended a node of the NodePool of a planned type, launched the "
        "node as a replacement, or moved pods to it; or the NodeClaim says so itself",
        remedy=f"nothing; `cutlist disrupt {FROM_PLAN.flag}` shows in advance what comes",
    ),
    _ending(
        "drift",
        "A replacement because of drift",
        _ended_by(endings.DRIFTED, "drifted and was replaced since"),
        named_when="as for consolidation, with a drift command",
        remedy=f"nothing; `cutlist diff {diff.CLUSTER.flag}` shows in advance which nodes drift",
    ),
    _ending(
        "expiration",
        "A node that expired",
        _ended_by(endings.EXPIRED, "expired since"),
        named_when="as for consolidation, with a line about an expired NodeClaim",
        remedy="nothing; `expireAfter` of the NodePool decides",
    ),
    _ending(
        "interruption",
        "A node that was interrupted",
        _ended_by(endings.INTERRUPTED, "was interrupted since"),
        named_when="as for consolidation, with a line or an event about a message of the interruption queue",
        remedy=f"nothing; `cutlist disrupt {SPOT_ENDS.flag}` shows what the loss of spot capacity does",
    ),
    _ending(
        "node-repair",
        "A node that was unhealthy",
        _ended_by(endings.UNHEALTHY, "was unhealthy and was replaced since"),
        named_when="as for consolidation, with a line about an unhealthy node",
        remedy="look at the node's conditions",
    ),
    _ending(
        "machine-ended",
        "A machine that ended outside Karpenter",
        _ended_by(endings.VANISHED, "was removed, since the cloud no longer had its machine"),
        named_when="as for consolidation, with a line about a NodeClaim that no longer has a machine in the cloud",
        remedy="look at the machine's history in the cloud; with an interruption queue Karpenter learns of it beforehand",
    ),
    _ending(
        "deleted",
        "A node that was deleted, and the log does not say why",
        _ended_by(endings.DELETED, "was deleted, and the log does not say why"),
        named_when="as for consolidation, with a line that a node or its NodeClaim was deleted, and none that says why",
        remedy="set the log level to `debug`, where Karpenter reports expiration, machines that ended and NodeClaims that did "
        "not register; else the API server's audit log says who deleted it",
        weak=True,
    ),
)
