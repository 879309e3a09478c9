"""Who causes a plan's price: NodePools, capacity types, workloads and namespaces.

A node's price is divided among its pods by their requests, half by cpu and half by memory. Unused capacity and DaemonSets are
thus paid for by those whose pods caused the node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cutlist.planning.model.nodes import PlannedNode
from cutlist.planning.model.plan import Plan
from cutlist.workloads.groups import workload_parts

_WEIGHED: Final = ("cpu", "memory")


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost in USD per hour, and the pods on new nodes that cause it.

    `price` is None where no node of it has a known price. `nodes` are those with a pod of it; `unpriced` of them have no price.
    """

    name: str
    price: float | None
    pods: int
    nodes: int
    unpriced: int


@dataclass(slots=True)
class _Sum:
    price: float = 0.0
    pods: int = 0
    nodes: int = 0
    unpriced: int = 0

    def add(self, node: PlannedNode, part: float, pods: int, *, first: bool = True) -> None:
        self.price += node.count * part * (node.price_with_disks or 0.0)
        self.pods += node.count * pods
        if first:
            self.nodes += node.count
            self.unpriced += node.count * (node.price is None)

    def cost(self, name: str) -> Cost:
        known = self.nodes > self.unpriced
        return Cost(name, round(self.price, 10) if known else None, self.pods, self.nodes, self.unpriced)


def by_node_pool(plan: Plan) -> tuple[Cost, ...]:
    """Return the price of each NodePool's nodes, most expensive first."""
    return _whole_nodes(plan, lambda node: node.node_pool)


def by_capacity_type(plan: Plan) -> tuple[Cost, ...]:
    """Return the price of the nodes of each capacity type, most expensive first."""
    return _whole_nodes(plan, lambda node: node.capacity_type)


def _whole_nodes(plan: Plan, owner: Callable[[PlannedNode], str]) -> tuple[Cost, ...]:
    sums: dict[str, _Sum] = {}
    for node in plan.nodes:
        sums.setdefault(owner(node), _Sum()).add(node, 1.0, node.pods_each)
    return _most_expensive_first(sums)


def by_workload(plan: Plan) -> tuple[Cost, ...]:
    """Return the price that each workload causes, most expensive first. Nodes without pods, of static pools, belong to no
    workload."""
    return _shared_out(plan, {})


def by_namespace(plan: Plan) -> tuple[Cost, ...]:
    """Return the price that the workloads of each namespace cause, most expensive first."""
    names = {share.workload for node in plan.nodes for share in node.pods}
    return _shared_out(plan, {name: workload_parts(name)[0] for name in names})


def _shared_out(plan: Plan, owners: Mapping[str, str]) -> tuple[Cost, ...]:
    sizes = {size.workload: size.requests for size in plan.pod_sizes}
    sums: dict[str, _Sum] = {}
    for node in plan.nodes:
        counted: set[str] = set()
        for workload, part, pods in _parts(node, sizes):
            owner = owners.get(workload, workload)
            sums.setdefault(owner, _Sum()).add(node, part, pods, first=owner not in counted)
            counted.add(owner)
    return _most_expensive_first(sums)


def _parts(node: PlannedNode, sizes: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, float, int]]:
    """Yield each workload of a node with its share of the price, 1.0 in total, and its pods there."""
    totals = {resource: sum(s.count * sizes.get(s.workload, {}).get(resource, 0) for s in node.pods) for resource in _WEIGHED}
    weighed = [resource for resource in _WEIGHED if totals[resource] > 0]
    pods = node.pods_each
    for share in node.pods:
        each = sizes.get(share.workload, {})
        by_size = [share.count * each.get(resource, 0) / totals[resource] for resource in weighed]
        yield share.workload, math.fsum(by_size) / len(by_size) if by_size else share.count / pods, share.count


def _most_expensive_first(sums: Mapping[str, _Sum]) -> tuple[Cost, ...]:
    costs: Iterable[Cost] = (total.cost(name) for name, total in sums.items())
    return tuple(sorted(costs, key=lambda c: (c.price is None, -(c.price or 0.0), c.name)))
