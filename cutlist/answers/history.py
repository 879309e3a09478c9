"""Nodes that were launched beside a plan that was made before: what came as planned, and what did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import nanos
from cutlist.logs import LaunchedNode
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.model.spelling import amount_texts


class Match(StrEnum):
    """What became of a planned node."""

    EXACTLY = "as planned"
    ANOTHER_TYPE = "another of its types"
    UNPLANNED = "not in the plan"


@dataclass(frozen=True, slots=True)
class NodeOutcome:
    """A node that came, what it was planned as (empty for none), and where what it has for pods is not what was planned.

    `differs` are resources with the planned and the real amount as texts.
    """

    node: LaunchedNode
    kept: Match
    planned_type: str = ""
    differs: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Every node that came, in its order, and how many of the planned ones did not."""

    outcomes: tuple[NodeOutcome, ...]
    missing: int


def as_planned(plan: Plan, launched: Iterable[LaunchedNode]) -> Arrivals:
    """Hold nodes that came against a plan; each planned node is taken once, those of the very type first."""
    nodes = list(launched)
    open_nodes = [node for node in plan.nodes for _ in range(node.count)]
    found: dict[int, NodeOutcome] = {}
    for kept in (Match.EXACTLY, Match.ANOTHER_TYPE):
        for number, node in enumerate(nodes):
            match = None if number in found else _match(node, open_nodes, kept)
            if match is not None:
                open_nodes.remove(match)
                found[number] = NodeOutcome(node, kept, match.instance_type, _differs(node, match))
    outcomes = tuple(found.get(number) or NodeOutcome(node, Match.UNPLANNED) for number, node in enumerate(nodes))
    return Arrivals(outcomes, len(open_nodes))


def _match(node: LaunchedNode, open_nodes: Sequence[PlannedNode], kept: Match) -> PlannedNode | None:
    return next((planned for planned in open_nodes if _may_be(planned, node) and _is(planned, node, kept)), None)


def _may_be(planned: PlannedNode, node: LaunchedNode) -> bool:
    """Whether a planned node may have become this one: its NodePool, capacity type and zone."""
    zones = {zone for candidate in planned.candidates for zone in candidate.zones} | set(planned.zones)
    return planned.node_pool == node.node_pool and node.capacity_type in planned.capacity_types and node.zone in zones


def _is(planned: PlannedNode, node: LaunchedNode, kept: Match) -> bool:
    if kept is Match.EXACTLY:
        return planned.instance_type == node.instance_type
    return any(candidate.instance_type == node.instance_type for candidate in planned.candidates)


def _differs(node: LaunchedNode, planned: PlannedNode) -> tuple[tuple[str, str, str], ...]:
    """What the node has other amounts of than was planned; only for the planned type, and what both name."""
    if node.instance_type != planned.instance_type:
        return ()
    mine, real = amount_texts(planned.allocatable), amount_texts(dict(_readable(node.allocatable)))
    return tuple((name, mine[name], real[name]) for name in sorted(mine.keys() & real.keys()) if mine[name] != real[name])


def _readable(written: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The amounts that are some, in nano-units; a log may hold anything."""
    for name, text in written.items():
        try:
            yield name, nanos(text)
        except QuantityError:
            continue
