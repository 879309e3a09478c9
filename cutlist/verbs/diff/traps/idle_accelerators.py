"""A GPU that idles because several pods share one larger machine than each would need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.catalog.prices import a_month
from cutlist.core.labels import (
    AUTO_ACCELERATOR_COUNT,
    AUTO_GPU_COUNT,
    AWS_ACCELERATOR_COUNT,
    AWS_GPU_COUNT,
    AZURE_GPU_COUNT,
)
from cutlist.core.money import money_times
from cutlist.core.quantity import NANO, amount_text
from cutlist.core.wording import counted, monthly
from cutlist.optimization.pool_terms import with_requirement, without_requirements
from cutlist.planning.model import Plan, PlannedNode
from cutlist.providers.aws.capacity import NEURON
from cutlist.providers.instance_types import AMD_GPU, NVIDIA_GPU
from cutlist.verbs.diff.traps.trap import IDLE, Change, Trap

_GPU_LABELS: Final = {"EC2NodeClass": AWS_GPU_COUNT, "NodeClass": AUTO_GPU_COUNT, "AKSNodeClass": AZURE_GPU_COUNT}
_NEURON_LABELS: Final = {"EC2NodeClass": AWS_ACCELERATOR_COUNT, "NodeClass": AUTO_ACCELERATOR_COUNT}
_LABELS: Final[Mapping[str, Mapping[str, str]]] = {
    NVIDIA_GPU: _GPU_LABELS,
    AMD_GPU: _GPU_LABELS,
    NEURON: _NEURON_LABELS,
}
"""By resource, the label that counts it, by kind of node class."""


@dataclass(frozen=True, slots=True)
class _Shared:
    """Nodes of a NodePool on which several pods use some of an accelerator, but not all."""

    node: PlannedNode
    resource: str
    sharing: int

    @property
    def idle(self) -> int:
        """Return how much of it no pod uses on one of these nodes, in nano-units."""
        return self.node.allocatable[self.resource] - self.node.requests.get(self.resource, 0)

    @property
    def month(self) -> float | None:
        """Return what the idle part of all these nodes costs a month, by its share of the accelerators."""
        if self.node.price is None:
            return None
        share = self.idle / self.node.allocatable[self.resource]
        return a_month(money_times(self.node.price.usd_per_hour, self.node.count * share))


def idle_accelerators(change: Change) -> Iterator[Trap]:
    """Yield a trap for each NodePool and accelerator of which more idles now, on machines that several pods share."""
    before, after = change.plans
    for pool in sorted({node.node_pool for node in after.nodes}):
        for resource in _LABELS:
            shared = sorted(_shared(after, pool, resource), key=lambda s: (-s.idle * s.node.count, s.node.instance_type))
            if shared and _idle(after, pool, resource) > _idle(before, pool, resource):
                yield _trap(change, pool, resource, shared[0])


def _shared(plan: Plan, pool: str, resource: str) -> Iterator[_Shared]:
    asked = _asked(plan, resource)
    for node in plan.nodes:
        sharing = sum(share.count for share in node.pods if asked.get(share.workload))
        used, total = (amounts.get(resource, 0) for amounts in (node.requests, node.allocatable))
        if node.node_pool == pool and sharing > 1 and 0 < used < total:
            yield _Shared(node, resource, sharing)


def _asked(plan: Plan, resource: str) -> dict[str, int]:
    """Return how much of a resource one pod of each workload requests, in nano-units."""
    return {size.workload: size.requests.get(resource, 0) for size in plan.pod_sizes}


def _idle(plan: Plan, pool: str, resource: str) -> int:
    return sum(
        node.count * (node.allocatable.get(resource, 0) - node.requests.get(resource, 0))
        for node in plan.nodes
        if node.node_pool == pool and node.requests.get(resource)
    )


def _trap(change: Change, pool: str, resource: str, shared: _Shared) -> Trap:
    node, earlier = shared.node, _earlier(change.plans[0], shared)
    idle, total = (amount_text(resource, amount) for amount in (shared.idle, node.allocatable[resource]))
    each = f" on {'it' if node.count == 1 else f'each of {node.count:,}'}"
    cost = "" if shared.month is None else f", about ${monthly(shared.month)} a month"
    had = f"; before, they were on {earlier}" if earlier else ""
    text = f"{counted(shared.sharing, 'pod')} share a {node.instance_type}: {idle} of {total} {resource}{each} idles{cost}{had}"
    return Trap(IDLE, pool, text, _fix(change, pool, resource))


def _earlier(plan: Plan, shared: _Shared) -> str:
    """Return the types of the nodes on which the pods were that share one now."""
    workloads = {share.workload for share in shared.node.pods}
    types = {node.instance_type for node in plan.nodes if any(share.workload in workloads for share in node.pods)}
    return ", ".join(sorted(types - {shared.node.instance_type}))


def _fix(change: Change, pool: str, resource: str) -> str:
    """Return the requirement with which each pod gets a machine of its size, if the plan then costs less and places as many."""
    after, inputs = change.plans[1], change.inputs[1]
    kind = next((p.node_class_ref.kind for p in inputs.node_pools if p.name == pool), "")
    label = _LABELS[resource].get(kind, "")
    asked = _asked(after, resource)
    values = sorted({amount // NANO for node in after.nodes if node.node_pool == pool for amount in _of(node, asked)})
    otherwise = (
        f"in NodePool {pool}, allow types with as many {resource} as its pods ask for, or let the pods ask for all of one"
    )
    if not label:
        return otherwise
    requirement = {"key": label, "operator": "In", "values": list(map(str, values))}

    def narrowed(own: NodePool) -> NodePool:
        return with_requirement(without_requirements(own, label), requirement) if own.name == pool else own

    tried = change.tried(lambda: replace(inputs, node_pools=tuple(map(narrowed, inputs.node_pools))))
    if tried is None or tried.totals.pending > after.totals.pending:
        return otherwise
    saved = (after.totals.price_per_month or 0.0) - (tried.totals.price_per_month or 0.0)
    named = f"{label} In {', '.join(map(str, values))}"
    if saved <= 0:
        return f"{otherwise}; {named} in NodePool {pool} would leave none idle, but costs no less"
    return f"{named} in the requirements of NodePool {pool}: the plan then costs ${monthly(saved)} a month less"


def _of(node: PlannedNode, asked: Mapping[str, int]) -> Iterable[int]:
    return (amount for share in node.pods if (amount := asked.get(share.workload, 0)))
