"""The effect of an edit on the nodes of a cluster: which are replaced, by which rule, in which order, and how long it takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import NODEPOOL
from cutlist.core.records import FLAT, After, Count, Instant, Key, TextOrNull, about, form_of
from cutlist.disruption.drift_reason import CoreDrift
from cutlist.disruption.drifted_by_cloud import drifted_by_class, drifted_by_version
from cutlist.disruption.drifted_nodes import DriftedNode, drifted_nodes, in_order
from cutlist.disruption.edits import Edited, ObjectEdit, edits
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import Rollout, joined, rollout
from cutlist.planning.controllers import split_by_controller
from cutlist.planning.inputs import PlanInputs
from cutlist.state.statenode import DRIFTED, Condition, NodeClaimState, StateNode
from cutlist.verbs.cluster_state import cluster_state_of

__all__ = ["BlastRadius", "blast_radius"]

_RECOMPUTED: Final = frozenset((CoreDrift.NODE_POOL, CoreDrift.REQUIREMENTS))
"""Reasons that follow from NodePools and claims alone; others are taken from the claims' conditions."""


@dataclass(frozen=True, slots=True)
class DeletedPool:
    """A NodePool that is removed, with its NodeClaims, which are deleted at once."""

    node_pool: str
    node_claims: tuple[str, ...]

    @staticmethod
    def all_of(deleted: Mapping[str, tuple[str, ...]]) -> list[DeletedPool]:
        """Return them by name of the NodePool."""
        return [DeletedPool(pool, claims) for pool, claims in deleted.items()]


@dataclass(frozen=True, slots=True)
class ReplacementBudget:
    """A disruption budget for drifted nodes of a NodePool: how many of them at a time, and in which window."""

    node_pool: str
    nodes: Annotated[str, about("A number, or a percentage of the NodePool's nodes.")]
    schedule: TextOrNull = ""
    duration: TextOrNull = ""


@dataclass(frozen=True, slots=True)
class BlastRadius:
    """The effect of an edit on the nodes of a cluster at an instant.

    `replaced` are the NodeClaims that drift because of it, `possible` those that may, depending on the account. `before` drift
    anyway, and `spared` are the names of claims that drifted and no longer do. `deleted` are the claims that are deleted at
    once with their NodePool, by removed NodePool. `rollout` replaces all that drift, including earlier ones; `managed` is the
    number of Karpenter's nodes. `budgets` are those for drift of the NodePools whose nodes are replaced.
    """

    now: Annotated[Instant, Key("at")]
    edits: tuple[ObjectEdit, ...]
    replaced: tuple[DriftedNode, ...]
    possible: tuple[DriftedNode, ...]
    before: tuple[DriftedNode, ...]
    spared: tuple[str, ...]
    deleted: Annotated[Mapping[str, tuple[str, ...]], form_of(tuple[DeletedPool, ...]).through(DeletedPool.all_of)]
    rollout: Annotated[Rollout, FLAT]
    managed: Annotated[Count, Key("nodes"), After("now")]
    budgets: tuple[ReplacementBudget, ...] = ()

    @property
    def changes_nothing(self) -> bool:
        """Tell whether the edit makes no node drift, possibly drift, stop drifting or be deleted."""
        return not (self.replaced or self.possible or self.spared or self.deleted)


@dataclass(frozen=True, slots=True)
class _ControllerDrift:
    """The drift under one controller, by name of the claim: certain, possible, and known from before."""

    certain: Mapping[str, DriftedNode]
    possible: Mapping[str, DriftedNode]
    known: Mapping[str, DriftedNode]
    rollout: Rollout


def blast_radius(before: PlanInputs, after: PlanInputs, now: float, others: Sequence[DriftedNode] = ()) -> BlastRadius:
    """Return what happens to the nodes of `after` when NodePools and node classes change from `before` to `after`.

    A NodePool that was removed takes all its nodes with it, regardless of budgets. `others` drift for another reason than the
    objects. Raises InputError when there are no nodes.
    """
    changed = edits(_edited(before), _edited(after))
    claims = after.cluster.claims
    parts = [replace(after, node_pools=pools) for pools in split_by_controller(after.node_pools).values()]
    drifts = [_drift_under_controller(before, part, changed, _of_pools(claims, part), now, others) for part in parts]
    certain, known = _merged(d.certain for d in drifts), _merged(d.known for d in drifts)
    possible = _merged(d.possible for d in drifts)
    return BlastRadius(
        now=now,
        edits=tuple(changed),
        replaced=tuple(in_order(node for name, node in certain.items() if name not in known)),
        possible=tuple(in_order(possible.values())),
        before=tuple(in_order(node for name, node in certain.items() if name in known)),
        spared=tuple(sorted(known.keys() - certain.keys() - possible.keys())),
        deleted=_deleted(before, after, claims),
        rollout=joined([d.rollout for d in drifts]),
        managed=len(claims),
        budgets=tuple(budgets_of_drift(after.node_pools, {w.pool for d in drifts for w in d.rollout.turns})),
    )


def budgets_of_drift(pools: Iterable[NodePool], replaced: Collection[str]) -> Iterator[ReplacementBudget]:
    """Yield the budgets that bound the replacement of drifted nodes of some NodePools."""
    for pool in (pool for pool in pools if pool.name in replaced):
        for budget in pool.disruption.budgets or ():
            if budget.reasons is None or Reason.DRIFTED in budget.reasons:
                yield ReplacementBudget(pool.name, budget.nodes, budget.schedule or "", str(budget.duration or ""))


def _drift_under_controller(
    before: PlanInputs,
    after: PlanInputs,
    changed: Sequence[ObjectEdit],
    claims: Sequence[Mapping[str, Any]],
    now: float,
    others: Sequence[DriftedNode],
) -> _ControllerDrift:
    cluster = cluster_state_of(after, now, FeatureGates(static_capacity=True))
    names = {str(claim["metadata"]["name"]) for claim in claims}
    own = [node for node in others if node.claim in names]
    by_class = drifted_by_class(after.node_pools, changed, after.node_classes, claims)
    by_cloud = sorted((*_by_version(after, after), *own, *by_class), key=lambda node: node.certain)  # certain drift comes first
    drifting = {node.claim: node for node in (*by_cloud, *drifted_nodes(after.node_pools, claims))}
    before_edit = (*_by_version(before, after), *drifted_nodes(before.node_pools, claims))
    known = _conditions(claims) | {node.claim: node for node in before_edit}
    lasting = {name: node for name, node in known.items() if node.reason not in _RECOMPUTED}
    certain = {**lasting, **{name: node for name, node in drifting.items() if node.certain}}
    drifted = replace(cluster, nodes=[_with_drifted_condition(node, certain, now) for node in cluster.nodes])
    possible = {name: node for name, node in drifting.items() if name not in certain}
    return _ControllerDrift(certain, possible, known, rollout(drifted))


def _by_version(source: PlanInputs, running: PlanInputs) -> list[DriftedNode]:
    """Return the running nodes that are older than the control plane as `source` describes it."""
    return drifted_by_version(running.node_pools, running.cluster.origins, source.figures.aks.settings.kubernetes_version)


def _of_pools(claims: Iterable[Mapping[str, Any]], inputs: PlanInputs) -> list[Mapping[str, Any]]:
    names = {pool.name for pool in inputs.node_pools}
    return [claim for claim in claims if _pool_of(claim) in names]


def _pool_of(claim: Mapping[str, Any]) -> str:
    return str((claim["metadata"].get("labels") or {}).get(NODEPOOL, ""))


def _deleted(before: PlanInputs, after: PlanInputs, claims: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return the claims of NodePools that were removed."""
    removed = sorted({pool.name for pool in before.node_pools} - {pool.name for pool in after.node_pools})
    names = {pool: tuple(sorted(str(c["metadata"]["name"]) for c in claims if _pool_of(c) == pool)) for pool in removed}
    return {pool: claims_of_pool for pool, claims_of_pool in names.items() if claims_of_pool}


def _merged(parts: Iterable[Mapping[str, DriftedNode]]) -> dict[str, DriftedNode]:
    return {name: node for part in parts for name, node in part.items()}


def _edited(inputs: PlanInputs) -> Iterable[Edited]:
    return (*inputs.node_pools, *inputs.node_classes)


def _conditions(claims: Iterable[Mapping[str, Any]]) -> dict[str, DriftedNode]:
    """Return the claims that Karpenter already reports as drifted."""
    read = map(NodeClaimState.read, claims)
    return {
        claim.name: DriftedNode(claim.name, claim.labels.get(NODEPOOL, ""), claim.conditions[DRIFTED].reason, ())
        for claim in read
        if claim.has(DRIFTED)
    }


def _with_drifted_condition(node: StateNode, drifted: Mapping[str, DriftedNode], now: float) -> StateNode:
    """Return the node with its future Drifted condition; a node that already drifts keeps the time of its condition."""
    claim = node.claim
    if claim is None:
        return node
    conditions = {name: condition for name, condition in claim.conditions.items() if name != DRIFTED}
    drift = drifted.get(claim.name)
    if drift is not None:
        since = claim.conditions[DRIFTED].since if claim.has(DRIFTED) else now
        conditions[DRIFTED] = Condition("True", since, drift.reason)
    return replace(node, claim=replace(claim, conditions=conditions))
