"""What an edit does to the nodes of a cluster: which are replaced, by which rule, in which order, and how long it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.disrupt import world_of
from cutlist.disruption.drift import CoreDrift
from cutlist.disruption.drifted_by_class import drifted_by_class
from cutlist.disruption.drifted_nodes import DriftedNode, drifted_nodes
from cutlist.disruption.edits import Edit, Edited, edits
from cutlist.disruption.machines import DRIFTED, ClaimState, Condition, Machine
from cutlist.disruption.rollout import Rollout, rollout
from cutlist.disruption.world import Gates
from cutlist.labels import NODEPOOL
from cutlist.plan import PlanInputs

__all__ = ["BlastRadius", "blast_radius"]

_ASKED_ANEW: Final = frozenset((CoreDrift.NODE_POOL, CoreDrift.REQUIREMENTS))
"""Reasons that NodePools and claims tell by themselves; others are taken from the claims' conditions."""


@dataclass(frozen=True, slots=True)
class BlastRadius:
    """What becomes of the nodes of a cluster by an edit at an instant (seconds since 1970).

    `replaced` are the NodeClaims that drift by it, `possible` those that may, as only the account can tell. `before` drift
    anyhow, and `spared` are the names of claims that did and do no more. `rollout` replaces all that drift, those from before
    included; `managed` is how many nodes Karpenter has.
    """

    now: float
    edits: tuple[Edit, ...]
    replaced: tuple[DriftedNode, ...]
    possible: tuple[DriftedNode, ...]
    before: tuple[DriftedNode, ...]
    spared: tuple[str, ...]
    rollout: Rollout
    managed: int

    @property
    def changes_nothing(self) -> bool:
        """Whether no node drifts, may drift, or stops to drift by the edit."""
        return not (self.replaced or self.possible or self.spared)


def blast_radius(before: PlanInputs, after: PlanInputs, now: float) -> BlastRadius:
    """What becomes of the nodes of `after` once the NodePools and node classes of `before` are as they are there.

    Raises InputError when there are no nodes, or NodePools of two controllers, which have to be looked at apart.
    """
    world = world_of(after, now, Gates(static_capacity=True))
    claims = [claim for _, claim in after.cluster.origins if claim is not None]
    changed = edits(_edited(before), _edited(after))
    found = {one.claim: one for one in (*_by_class(after, changed, claims), *drifted_nodes(after.node_pools, claims))}
    old = _conditions(claims) | {one.claim: one for one in drifted_nodes(before.node_pools, claims)}
    lasting = {name: one for name, one in old.items() if one.reason not in _ASKED_ANEW}
    certain = {**lasting, **{name: one for name, one in found.items() if one.certain}}
    drifting = replace(world, machines=[_with_drift(m, certain, now) for m in world.machines])
    return BlastRadius(
        now=now,
        edits=tuple(changed),
        replaced=_ordered(one for name, one in certain.items() if name not in old),
        possible=_ordered(one for name, one in found.items() if name not in certain),
        before=_ordered(one for name, one in certain.items() if name in old),
        spared=tuple(sorted(old.keys() - certain.keys() - found.keys())),
        rollout=rollout(drifting),
        managed=len(claims),
    )


def _edited(inputs: PlanInputs) -> Iterable[Edited]:
    return (*inputs.node_pools, *inputs.node_classes)


def _by_class(after: PlanInputs, changed: Sequence[Edit], claims: Sequence[Mapping[str, Any]]) -> list[DriftedNode]:
    return drifted_by_class(after.node_pools, changed, after.node_classes, claims)


def _conditions(claims: Iterable[Mapping[str, Any]]) -> dict[str, DriftedNode]:
    """The claims that Karpenter has found to drift already."""
    read = map(ClaimState.read, claims)
    return {
        claim.name: DriftedNode(claim.name, claim.labels.get(NODEPOOL, ""), claim.conditions[DRIFTED].reason, ())
        for claim in read
        if claim.has(DRIFTED)
    }


def _with_drift(machine: Machine, drifted: Mapping[str, DriftedNode], now: float) -> Machine:
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


def _ordered(found: Iterable[DriftedNode]) -> tuple[DriftedNode, ...]:
    return tuple(sorted(found, key=lambda one: (one.node_pool, one.claim)))
