"""The nodes that static NodePools keep, regardless of pods (spec: scheduling 3.10, api-objects 1.7; V-63, V-64).

Karpenter makes them with the feature gate StaticCapacity, apart from any pass: bare claims from the NodePool's template, for
which the cloud picks the type. For passes they are nodes like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.notes import Note
from cutlist.planning.cloud import Predictions
from cutlist.scheduling.inputs import SchedulerInputs, is_ready
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.results import PlacedClaim
from cutlist.scheduling.static_claims import bare_claim, missing_nodes, own_nodes
from cutlist.state.scheduling_node import NODES, SchedulingNode

_LEAST: Final = 1_000
"""Up to this many nodes of a NodePool are launched one by one."""
_NO_NODES: Final = "static-nodes-only"
_ANY_CLASS: Final = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": _NO_NODES}


@dataclass(frozen=True, slots=True)
class StaticClaims:
    """The claims that static NodePools make: each of those that passes may fill, and how many more there are of each, which no
    pod can reach."""

    filled: tuple[PlacedClaim, ...] = ()
    idle: tuple[tuple[PlacedClaim, int], ...] = ()


def static_claims(passes: SchedulerInputs, tables: InstanceTypeIndexes, predictions: Predictions) -> StaticClaims:
    """Return a claim for each node that static NodePools lack; none for a pool that may not launch.

    The nodes of a pool are alike, so one more than there are pods is as good as any number: the others stay empty, and are
    counted.
    """
    claims: list[PlacedClaim] = []
    idle: list[tuple[PlacedClaim, int]] = []
    most = max(_LEAST, 1 + sum(batch.count for batch in passes.batches))
    for pool in sorted(passes.pools, key=lambda pool: pool.name):
        missing = missing_nodes(pool, passes.nodes)
        if not missing:  # most pools are not static, and an index of types takes time
            continue
        table = tables.of(pool.name, passes.registry.well_known)
        claim = bare_claim(pool, passes.registry, passes.daemons, table, predictions.purchase)
        if claim is not None:
            claims += [claim] * min(missing, most)
            idle += [(claim, missing - most)] if missing > most else ()
    return StaticClaims(tuple(claims), tuple(idle))


def static_notes(pools: Sequence[NodePool], nodes: Sequence[SchedulingNode]) -> Iterator[Note]:
    """Yield which static NodePools do not have as many nodes as their replicas, and why."""
    for pool in pools:
        if pool.replicas is None or not is_ready(pool):
            continue
        staying, leaving = own_nodes(pool, nodes)
        short = pool.replicas - staying - missing_nodes(pool, nodes)
        if short > 0:
            missing = f"{short} of its {pool.replicas} replicas {'is' if short == 1 else 'are'} missing"
            while_removed = f" while {leaving} nodes are being removed" if leaving else ""
            text = f"NodePool {pool.name}: {missing}, because its limit on nodes is {pool.limits[NODES]}{while_removed}"
            yield Note("static-limit", text)
        elif short < 0:
            text = f"NodePool {pool.name} has {staying} nodes and {pool.replicas} replicas"
            yield Note("static-surplus", f"{text}: Karpenter removes {-short}, empty ones first")


def with_pods_on_static_nodes(passes: SchedulerInputs) -> SchedulerInputs:
    """Return the inputs of passes in which pods may go to existing nodes, although every NodePool is static.

    Karpenter itself places no pod then (S-31), but the kube-scheduler does. So a NodePool that may launch nothing takes part
    here.
    """
    idle = _idle(passes)
    return replace(passes, pools=(*passes.pools, idle), types={**passes.types, _NO_NODES: ()})


def only_existing_nodes(passes: SchedulerInputs) -> SchedulerInputs:
    """Return the inputs of a pass in which pods may only go to existing nodes, as those of the kube-scheduler: without any
    NodePool whose zones or taints would count."""
    return replace(passes, pools=(_idle(passes),), types={_NO_NODES: ()})


def _idle(passes: SchedulerInputs) -> NodePool:
    """Return a NodePool that may launch nothing."""
    ref = passes.pools[0].manifest()["spec"]["template"]["spec"]["nodeClassRef"] if passes.pools else _ANY_CLASS
    manifest = {"metadata": {"name": _NO_NODES}, "spec": {"template": {"spec": {"nodeClassRef": ref, "requirements": []}}}}
    return NodePool.from_manifest({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", **manifest})
