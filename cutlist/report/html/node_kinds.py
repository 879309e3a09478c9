"""Nodes by NodePool, type and capacity, as tables of pages sum them up before they list each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from cutlist.core.money import money_sum


@dataclass(frozen=True, slots=True)
class NodeKind:
    """Nodes of a NodePool with the same type and capacity, or one node.

    `price` is that of all in USD per hour, of those whose price is known; None if it is known of none. Fills are means.
    """

    node_pool: str
    instance_type: str
    capacity_type: str
    zones: tuple[str, ...]
    pods: int
    price: float | None
    mark: str = ""
    cpu: float | None = None
    memory: float | None = None
    nodes: int = 1


def node_kinds(nodes: Iterable[NodeKind]) -> tuple[NodeKind, ...]:
    """Return the kinds of these nodes, the most expensive first; none where no two nodes are alike."""
    groups: dict[tuple[str, str, str], list[NodeKind]] = {}
    for node in nodes:
        groups.setdefault((node.node_pool, node.instance_type, node.capacity_type), []).append(node)
    if all(len(group) == 1 for group in groups.values()):
        return ()
    return tuple(sorted(map(_together, groups.values()), key=_by_price))


def _together(nodes: Sequence[NodeKind]) -> NodeKind:
    prices = [node.price for node in nodes if node.price is not None]
    return NodeKind(
        nodes[0].node_pool,
        nodes[0].instance_type,
        nodes[0].capacity_type,
        tuple(sorted({zone for node in nodes for zone in node.zones})),
        sum(node.pods for node in nodes),
        money_sum(prices) if prices else None,
        max(node.mark for node in nodes),
        _mean([node.cpu for node in nodes]),
        _mean([node.memory for node in nodes]),
        len(nodes),
    )


def _mean(fills: Sequence[float | None]) -> float | None:
    known = [fill for fill in fills if fill is not None]
    return fmean(known) if known else None


def _by_price(kind: NodeKind) -> tuple[float, str, str, str]:
    return (-(kind.price or 0.0), kind.node_pool, kind.instance_type, kind.capacity_type)
