"""Causes in changes: of the declared objects, and of Karpenter itself."""

from __future__ import annotations

from typing import Final

from cutlist.core.karpenter.baselines import baseline_of
from cutlist.planning.model import PlannedNode
from cutlist.settings.planning import KARPENTER
from cutlist.verification.causes.registry import Cause, cause
from cutlist.verification.deviations import LAUNCH, PLACING, Aspect, Deviation
from cutlist.verification.live import LiveNode
from cutlist.verification.situation import Situation

_SETTLED: Final = LAUNCH | PLACING
_DISRUPTION: Final = "spec.disruption"
_POOL, _OVERLAY = "NodePool", "NodeOverlay"


@cause(
    "nodepool-edited",
    "A NodePool that is not as declared",
    named_when="a field of the NodePool that decides about nodes is not as declared, or only one side has the NodePool; or "
    "the NodeClaim has another hash than its NodePool has now",
    remedy="apply the declared manifests, or declare what the cluster has; `cutlist diff` shows what either replaces",
    explains=_SETTLED,
)
def nodepool_edited(deviation: Deviation, situation: Situation) -> str:
    """Return the edits of a node's NodePools: the planned one and the current one."""
    if edits := _edits(deviation, situation, _POOL):
        return edits
    node = deviation.node
    pool = situation.cluster.pools.get(node.node_pool) if node is not None else None
    if node is None or pool is None or not node.pool_hash or not pool.hash or node.pool_hash == pool.hash:
        return ""
    advice = "" if situation.declared.has_manifests else "; -f with the declared manifests shows which fields"
    return f"NodePool {node.node_pool} changed after {node.claim} was created: their hashes differ{advice}"


@cause(
    "nodeclass-edited",
    "A node class that is not as declared",
    named_when="a field of the NodePool's node class is not as declared, or only one side has the node class",
    remedy="apply the declared manifests, or declare what the cluster has; `cutlist diff` shows what either replaces",
    explains=_SETTLED | {Aspect.ALLOCATABLE, Aspect.STATE},
)
def nodeclass_edited(deviation: Deviation, situation: Situation) -> str:
    """Return the edits of the node classes."""
    return _edits(deviation, situation, "")


def _edits(deviation: Deviation, situation: Situation, kind: str) -> str:
    """Return the edits of objects of a kind, by default node classes, that concern the NodePools of a deviation."""
    planned = deviation.slot.node if deviation.slot is not None else None
    sides: list[PlannedNode | LiveNode] = [side for side in (planned, deviation.node) if side is not None]
    pools, types = {side.node_pool for side in sides}, {side.instance_type for side in sides}
    whole = deviation.aspect in (Aspect.MISSING, Aspect.UNPLANNED)
    edits = [
        f"{edit.kind} {edit.name}: {edit.what}"
        for edit in situation.declared.edits
        if edit.node_pools & pools
        and (not edit.instance_types or edit.instance_types & types)
        and (edit.kind == kind if kind else edit.kind not in (_POOL, _OVERLAY))
        and (whole or not edit.path.startswith(_DISRUPTION))
    ]
    return "; ".join(edits)


@cause(
    "nodeoverlay-edited",
    "A NodeOverlay that is not as declared",
    named_when="a field of a NodeOverlay for the planned or the launched type is not as declared, or only one side has the "
    "NodeOverlay; only if the cluster has NodeOverlays",
    remedy="apply the declared manifests, or declare what the cluster has, and plan again: prices and resources of types "
    "follow from it",
    explains=_SETTLED | {Aspect.ALLOCATABLE},
)
def nodeoverlay_edited(deviation: Deviation, situation: Situation) -> str:
    """Return the edits of the NodeOverlays for a node's types: the planned ones and the current one."""
    return _edits(deviation, situation, _OVERLAY)


@cause(
    "other-karpenter",
    "Another version of Karpenter, or other feature gates",
    named_when="the log names another minor version than the plan's, or the controller's feature gates are not as the plan "
    "took them; only where nothing else is a cause",
    remedy=f"plan with the version and gates that run (`{KARPENTER.flag}`), or upgrade Karpenter: `cutlist upgrade`",
    explains=_SETTLED,
    weak=True,
)
def other_karpenter(_deviation: Deviation, situation: Situation) -> str:
    """Return how the running version and gates differ from the plan's."""
    running, planned = situation.log.version, situation.plan.karpenter
    texts = list(situation.declared.gates)
    if running and planned and _minor(running) != _minor(planned):
        texts.insert(0, f"Karpenter {running} runs, but the plan is for {planned}")
    return "; ".join(texts)


def _minor(version: str) -> str:
    baseline = baseline_of(version)
    return str(baseline.minor) if baseline is not None else ".".join(version.split(".")[:2])


CAUSES: Final[tuple[Cause, ...]] = (nodepool_edited, nodeclass_edited, nodeoverlay_edited, other_karpenter)
