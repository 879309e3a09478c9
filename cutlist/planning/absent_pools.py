"""Why NodePools launch nothing for pending pods, whatever these ask for: static, not ready, being deleted, or without types."""

from __future__ import annotations

from collections.abc import Mapping

from cutlist.api.nodepool import NodePool
from cutlist.core.quantity import NANO
from cutlist.core.wording import counted
from cutlist.planning.allowed import allowed_types
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pool_findings import why_none
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.scheduling.inputs import is_ready
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.state.scheduling_node import NODES


def absent_pools(inputs: PlanInputs, tables: InstanceTypeIndexes) -> Mapping[str, str]:
    """Return a sentence on each NodePool that launches nothing for any pod, by name; `tables` are indexes of their types."""
    sentences = ((pool.name, why_absent(pool, inputs, tables)) for pool in inputs.node_pools)
    return {name: sentence for name, sentence in sentences if sentence}


def why_absent(pool: NodePool, inputs: PlanInputs, tables: InstanceTypeIndexes) -> str:
    """Return why a NodePool launches nothing for any pod, or an empty string if it may launch something."""
    if pool.deleting:
        return "it is being deleted"
    if not is_ready(pool):
        return "it is not ready"
    if pool.replicas is not None:
        return f"{_static(pool, pool.replicas)}; it launches none for pending pods"
    (allowed,) = allowed_types((pool,), tables, node_classes_by_pool((pool,), inputs.node_classes))
    if not allowed.mask:
        return f"it allows no instance type that is on offer in {inputs.catalog.region}{why_none(allowed, inputs.catalog)}"
    counts = ((allowed.instance_types.distinct_values(r, allowed.mask), r.min_values or 0) for r in allowed.wanted.values())
    if inputs.options.strict_min_values and any(values < least for values, least in counts):
        return "its types have too few different values for minValues"
    return ""


def _static(pool: NodePool, replicas: int) -> str:
    """Return how many nodes a static NodePool keeps, and what keeps it from having them."""
    limit = pool.limits.get(NODES)
    if limit is not None and limit.nanos < replicas * NANO:
        most = limit.nanos // NANO
        return f"it is static, and limits.nodes: {most} lets it have only {most:,} of its {counted(replicas, 'replica')}"
    return f"it is static and keeps {counted(replicas, 'node')} (spec.replicas)"
