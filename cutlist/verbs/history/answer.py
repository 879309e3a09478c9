"""Report what Karpenter did, by its log or events, and what happened to the nodes of an earlier plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cutlist.core.errors import Place, Problems, QuantityError
from cutlist.core.quantity import nanos
from cutlist.logs import FailedLaunch, LaunchedNode, Story, failed_launches, launched_nodes, read_records, stories_of
from cutlist.planning.model import Plan, PlannedNode
from cutlist.planning.model.spelling import amount_texts


class Match(StrEnum):
    """What happened to a planned node."""

    EXACTLY = "as planned"
    ANOTHER_TYPE = "another of its types"
    UNPLANNED = "not in the plan"


@dataclass(frozen=True, slots=True)
class NodeOutcome:
    """A launched node, what it was planned as (empty for none), and how its resources for pods differ from the plan.

    `differs` are resources with the planned and the real amount as texts.
    """

    node: LaunchedNode
    kept: Match
    planned_type: str = ""
    differs: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Every launched node, in order, and how many of the planned ones were not launched."""

    outcomes: tuple[NodeOutcome, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class History:
    """The commands of Karpenter with their results, and how many lines of the log come from other programs. `arrivals` compares
    the launched nodes with a plan; None without one. `failed` are the failed launches. `doubles` are names of NodeClaims or
    nodes whose events describe the same disruptions as other events, but it is not known which ones.
    """

    stories: tuple[Story, ...]
    others: int
    arrivals: Arrivals | None = None
    failed: tuple[FailedLaunch, ...] = ()
    doubles: tuple[str, ...] = ()


def history(log: str, plan: Plan | None = None, *, source: str = "log", allow_empty: bool = False) -> History:
    """Return what Karpenter did, by its log (JSON, one object per line) or its events as `kubectl get events -o json` has them.

    If a plan is given, the launched nodes are compared with it. Lines of other programs are counted and skipped. Raises
    InputError, which names the log `source`, when it has no line of Karpenter and no event, unless that is allowed.

    >>> from cutlist import history
    >>> line = '{"level": "INFO", "time": "2026-01-05T12:00:00.000Z", "message": "created nodeclaim"}'
    >>> history(line).stories
    ()
    """
    read, problems = read_records(log), Problems(allow_empty=allow_empty)
    if not read.records:
        others = f", only {read.others:,} of other programs" if read.others else ""
        text = f"contains no line of Karpenter's log and no event{others}"
        problems.add_absence(Place(source), text, "the controller's log, or events as `kubectl get events -o json`")
    problems.raise_if_any()
    arrivals = None if plan is None else arrivals_of(plan, launched_nodes(read.records))
    stories = stories_of(read.records, read.doubles)
    return History(stories, read.others, arrivals, failed_launches(read.records), tuple(sorted(read.doubles)))


def arrivals_of(plan: Plan, launched: Iterable[LaunchedNode]) -> Arrivals:
    """Return what happened to the nodes of a plan; each planned node is matched once, those of the same type first."""
    nodes = list(launched)
    open_nodes = [node for node in plan.nodes for _ in range(node.count)]
    outcomes: dict[int, NodeOutcome] = {}
    for kept in (Match.EXACTLY, Match.ANOTHER_TYPE):
        for number, node in enumerate(nodes):
            match = None if number in outcomes else _match(node, open_nodes, kept)
            if match is not None:
                open_nodes.remove(match)
                outcomes[number] = NodeOutcome(node, kept, match.instance_type, _differs(node, match))
    others = (NodeOutcome(node, Match.UNPLANNED) for node in nodes)
    return Arrivals(tuple(outcomes.get(number, other) for number, other in enumerate(others)), len(open_nodes))


def _match(node: LaunchedNode, open_nodes: Sequence[PlannedNode], kept: Match) -> PlannedNode | None:
    return next((planned for planned in open_nodes if _may_be(planned, node) and _is(planned, node, kept)), None)


def _may_be(planned: PlannedNode, node: LaunchedNode) -> bool:
    """Tell whether a planned node may have become this one, by NodePool, capacity type and zone."""
    zones = {zone for candidate in planned.candidates for zone in candidate.zones} | set(planned.zones)
    return planned.node_pool == node.node_pool and node.capacity_type in planned.capacity_types and node.zone in zones


def _is(planned: PlannedNode, node: LaunchedNode, kept: Match) -> bool:
    if kept is Match.EXACTLY:
        return planned.instance_type == node.instance_type
    return any(candidate.instance_type == node.instance_type for candidate in planned.candidates)


def _differs(node: LaunchedNode, planned: PlannedNode) -> tuple[tuple[str, str, str], ...]:
    """Return the amounts in which the node differs from the plan; only for the planned type, and for resources that both
    have."""
    if node.instance_type != planned.instance_type:
        return ()
    mine, real = amount_texts(planned.allocatable), amount_texts(dict(_readable(node.allocatable)))
    return tuple((name, mine[name], real[name]) for name in sorted(mine.keys() & real.keys()) if mine[name] != real[name])


def _readable(written: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the texts that are amounts, in nano-units; a log may contain anything."""
    for name, text in written.items():
        try:
            yield name, nanos(text)
        except QuantityError:
            continue
