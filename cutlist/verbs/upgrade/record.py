"""What an upgrade of Karpenter does to a fleet, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cutlist.core.karpenter.steps import Cause
from cutlist.core.records import Count, Instant, Usd, about, form_of
from cutlist.disruption.forecast import DisruptionVerdict, NodeForecast
from cutlist.disruption.methods import Method
from cutlist.disruption.outlook import Outlook, OutlookComparison
from cutlist.disruption.restamping import Restamping
from cutlist.planning.fleet_upgrade import FleetUpgrade
from cutlist.planning.model.comparison import Comparison


@dataclass(frozen=True, slots=True)
class _Side:
    next_step: Annotated[tuple[str, ...], about("The next commands, as Karpenter logs them.")]
    method: Method | None
    error: str
    price_per_hour: Usd
    drifted: Annotated[tuple[str, ...], about("Nodes that drift and are replaced.")]
    repaired: Annotated[tuple[str, ...], about("Unhealthy nodes that are removed forcibly, where repair is not a method.")]


@dataclass(frozen=True, slots=True)
class _Candidates:
    """A method whose candidates or their order differ; null where it is not a method."""

    method: Method
    before: tuple[str, ...] | None
    after: tuple[str, ...] | None
    statements: str


@dataclass(frozen=True, slots=True)
class _Forecast:
    verdict: DisruptionVerdict
    why: str
    drifted: str


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    node_pool: str
    before: Annotated[NodeForecast, form_of(_Forecast)]
    after: Annotated[NodeForecast, form_of(_Forecast)]
    statements: str


@dataclass(frozen=True, slots=True)
class _Disruption:
    """What Karpenter does next, and what happens to each node."""

    at: Instant
    planned: Annotated[bool, about("Whether the nodes are those that the earlier version plans, since none runs.")]
    same: bool
    nodes: Count
    before: _Side
    after: _Side
    next_statements: Annotated[str, about("The statements that cause another next step, or nothing.")]
    candidates: tuple[_Candidates, ...]
    changed_nodes: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Caused:
    difference: Annotated[tuple[str, ...], about("The part of the answer, then what tells it from others of that part.")]
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class FleetRecord:
    """What the upgrade does to manifests and nodes."""

    same: bool
    comparison: Annotated[Comparison, about("The plans by the rules of both versions.")]
    hashes: tuple[Restamping, ...]
    disruption: Annotated[_Disruption | None, about("Null without nodes, and where a node class becomes not ready.")]
    causes: Annotated[tuple[_Caused, ...], about("What of the later version begins each difference, in the order of steps.")]


def fleet_record(fleet: FleetUpgrade | None) -> FleetRecord | None:
    """Return the record of a fleet, if there is one."""
    if fleet is None:
        return None
    return FleetRecord(
        same=fleet.is_same,
        comparison=fleet.comparison,
        hashes=fleet.restampings,
        disruption=None if fleet.outlook is None else _disruption(fleet, fleet.outlook),
        causes=tuple(_Caused(key, causes) for key, causes in sorted(fleet.causes.items())),
    )


def _disruption(fleet: FleetUpgrade, outlooks: OutlookComparison) -> _Disruption:
    return _Disruption(
        at=outlooks.before.forecast.now,
        planned=fleet.is_planned,
        same=outlooks.is_same,
        nodes=len(outlooks.before.forecast.nodes),
        before=_side(outlooks.before),
        after=_side(outlooks.after),
        next_statements=fleet.statements(("next",)),
        candidates=tuple(
            _Candidates(order.method, order.before, order.after, fleet.statements(("method", order.method)))
            for order in outlooks.orders
        ),
        changed_nodes=tuple(
            _Node(row.before.name, row.before.pool, row.before, row.after, statements)
            for row, statements in fleet.rows.forecasts
        ),
    )


def _side(side: Outlook) -> _Side:
    return _Side(side.next_step, side.forecast.method, side.forecast.error, side.forecast.price, side.drifted, side.repaired)
