"""What an edit does to the nodes of a cluster: which are replaced, by which rule, in which order, and how long it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.answers.cluster_state import cluster_state_of
from cutlist.core.labels import NODEPOOL
from cutlist.disruption.cluster_state import FeatureGates
from cutlist.disruption.drift_reason import CoreDrift
from cutlist.disruption.drifted_by_cloud import drifted_by_class, drifted_by_version
from cutlist.disruption.drifted_nodes import DriftedNode, drifted_nodes, in_order
from cutlist.disruption.edits import Edit, Edited, edits
from cutlist.disruption.rollout import Rollout, joined, rollout
from cutlist.planning.controllers import apart
from cutlist.planning.inputs import PlanInputs
from cutlist.state.statenode import DRIFTED, Condition, NodeClaimState, StateNode

__all__ = ["BlastRadius", "blast_radius"]

_ASKED_ANEW: Final = frozenset((CoreDrift.NODE_POOL, CoreDrift.REQUIREMENTS))
"""Reasons that NodePools and claims tell by themselves; others are taken from the claims' conditions."""


@dataclass(frozen=True, slots=True)
class BlastRadius:
    """What becomes of the nodes of a cluster by an edit at an instant (seconds since 1970).

    `replaced` are the NodeClaims that drift by it, `possible` those that may, as only the account can tell. `before` drift
    anyhow, and `spared` are the names of claims that did and do no more. `deleted` are, by NodePool that is gone, the claims
    that go with it at once. `rollout` replaces all that drift, those from before included; `managed` is how many nodes
    Karpenter has.
    """

    now: float
    edits: tuple[Edit, ...]
    replaced: tuple[DriftedNode, ...]
    possible: tuple[DriftedNode, ...]
    before: tuple[DriftedNode, ...]
    spared: tuple[str, ...]
    deleted: Mapping[str, tuple[str, ...]]
    rollout: Rollout
    managed: int

    @property
    def changes_nothing(self) -> bool:
        """Whether no node drifts, may drift, stops to drift or is deleted by the edit."""
        return not (self.replaced or self.possible or self.spared or self.deleted)


@dataclass(frozen=True, slots=True)
class _Found:
    """What drifts under one controller, by name of the claim: certain, possible, and what was known to drift before."""

    certain: Mapping[str, DriftedNode]
    possible: Mapping[str, DriftedNode]
    old: Mapping[str, DriftedNode]
    rollout: Rollout


def blast_radius(before: PlanInputs, after: PlanInputs, now: float) -> BlastRadius:
    """What becomes of the nodes of `after` once the NodePools and node classes of `before` are as they are there.

    A NodePool that is not there any more takes all its nodes with it, whatever budgets say. Raises InputError when there are no
    nodes.
    """
    changed = edits(_edited(before), _edited(after))
    claims = after.cluster.claims
    parts = [replace(after, node_pools=pools) for pools in apart(after.node_pools).values()]
    found = [_found(before, part, changed, _of_pools(claims, part), now) for part in parts]
    certain, old = _together(f.certain for f in found), _together(f.old for f in found)
    possible = _together(f.possible for f in found)
    return BlastRadius(
        now=now,
        edits=tuple(changed),
        replaced=tuple(in_order(one for name, one in certain.items() if name not in old)),
        possible=tuple(in_order(possible.values())),
        before=tuple(in_order(one for name, one in certain.items() if name in old)),
        spared=tuple(sorted(old.keys() - certain.keys() - possible.keys())),
        deleted=_deleted(before, after, claims),
        rollout=joined([f.rollout for f in found]),
        managed=len(claims),
    )


def _found(
    before: PlanInputs, after: PlanInputs, changed: Sequence[Edit], claims: Sequence[Mapping[str, Any]], now: float
) -> _Found:
    cluster = cluster_state_of(after, now, FeatureGates(static_capacity=True))
    by_class = drifted_by_class(after.node_pools, changed, after.node_classes, claims)
    by_cloud = sorted((*_by_version(after, after), *by_class), key=lambda one: one.certain)  # what is certain goes first
    found = {one.claim: one for one in (*by_cloud, *drifted_nodes(after.node_pools, claims))}
    known = (*_by_version(before, after), *drifted_nodes(before.node_pools, claims))
    old = _conditions(claims) | {one.claim: one for one in known}
    lasting = {name: one for name, one in old.items() if one.reason not in _ASKED_ANEW}
    certain = {**lasting, **{name: one for name, one in found.items() if one.certain}}
    drifting = replace(cluster, nodes=[_with_drift(m, certain, now) for m in cluster.nodes])
    possible = {name: one for name, one in found.items() if name not in certain}
    return _Found(certain, possible, old, rollout(drifting))


def _by_version(told: PlanInputs, there: PlanInputs) -> list[DriftedNode]:
    """The nodes that are older than the control plane as one side tells of it."""
    return drifted_by_version(there.node_pools, there.cluster.origins, told.figures.aks.settings.kubernetes_version)


def _of_pools(claims: Iterable[Mapping[str, Any]], inputs: PlanInputs) -> list[Mapping[str, Any]]:
    names = {pool.name for pool in inputs.node_pools}
    return [claim for claim in claims if _pool_of(claim) in names]


def _pool_of(claim: Mapping[str, Any]) -> str:
    return str((claim["metadata"].get("labels") or {}).get(NODEPOOL, ""))


def _deleted(before: PlanInputs, after: PlanInputs, claims: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """The claims of NodePools that were there and are not any more."""
    gone = sorted({pool.name for pool in before.node_pools} - {pool.name for pool in after.node_pools})
    known = list(claims)
    found = {pool: tuple(sorted(str(c["metadata"]["name"]) for c in known if _pool_of(c) == pool)) for pool in gone}
    return {pool: names for pool, names in found.items() if names}


def _together(parts: Iterable[Mapping[str, DriftedNode]]) -> dict[str, DriftedNode]:
    return {name: one for part in parts for name, one in part.items()}


def _edited(inputs: PlanInputs) -> Iterable[Edited]:
    return (*inputs.node_pools, *inputs.node_classes)


def _conditions(claims: Iterable[Mapping[str, Any]]) -> dict[str, DriftedNode]:
    """The claims that Karpenter has found to drift already."""
    read = map(NodeClaimState.read, claims)
    return {
        claim.name: DriftedNode(claim.name, claim.labels.get(NODEPOOL, ""), claim.conditions[DRIFTED].reason, ())
        for claim in read
        if claim.has(DRIFTED)
    }


def _with_drift(machine: StateNode, drifted: Mapping[str, DriftedNode], now: float) -> StateNode:
    """The machine with the condition Drifted as it is going to be; one that drifts already keeps the time since when."""
    claim = machine.claim
    if claim is None:
        return machine
    rest = {name: condition for name, condition in claim.conditions.items() if name != DRIFTED}
    one = drifted.get(claim.name)
    if one is not None:
        since = claim.conditions[DRIFTED].since if claim.has(DRIFTED) else now
        rest[DRIFTED] = Condition("True", since, one.reason)
    return replace(machine, claim=replace(claim, conditions=rest))
