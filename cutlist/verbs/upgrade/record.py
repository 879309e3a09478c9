"""What an upgrade of Karpenter changes, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.karpenter.steps import Cause
from cutlist.core.records import Count, Instant, Usd, about, json_of
from cutlist.disruption.forecast import DisruptionVerdict, NodeForecast
from cutlist.disruption.methods import Method
from cutlist.disruption.outlook import Outlook, OutlookComparison
from cutlist.disruption.restamping import Restamping
from cutlist.infrastructure.charts.notes import Subject, When
from cutlist.planning.fleet_upgrade import FleetUpgrade
from cutlist.planning.model.comparison import Comparison
from cutlist.verbs.upgrade.answer import Upgrade

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Change:
    subject: Subject
    text: str
    first: Annotated[bool, about("Whether something has to be done before the upgrade.")]
    statements: Annotated[str, about("The statements of docs/spec that describe or cause the change, or nothing.")]
    when: Annotated[When, about("When something is to be done about it: before, with or after the upgrade, or nothing.")]


@dataclass(frozen=True, slots=True)
class _Stamps:
    """NodeClaims whose hash of a kind gets another version."""

    kind: str
    before: str
    after: str
    restamped: Annotated[tuple[str, ...], about("Get the new version and hash; not replaced for that.")]
    drifted: Annotated[tuple[str, ...], about("Get the version alone: they drifted before, and are replaced.")]
    absorbed: Annotated[tuple[str, ...], about("Differ from their class, and are no longer replaced.")]
    unstamped: Annotated[tuple[str, ...], about("Without a hash.")]
    current: Annotated[tuple[str, ...], about("With the new version already.")]
    statements: str


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
    before: _Forecast
    after: _Forecast
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
class _Fleet:
    """What the upgrade does to manifests and nodes."""

    same: bool
    comparison: Annotated[Comparison, about("The plans by the rules of both versions.")]
    hashes: tuple[_Stamps, ...]
    disruption: Annotated[_Disruption | None, about("Null without nodes, and where a node class becomes not ready.")]
    causes: Annotated[tuple[_Caused, ...], about("What of the later version begins each difference, in the order of steps.")]


@dataclass(frozen=True, slots=True)
class UpgradeRecord:
    """What an upgrade of Karpenter changes."""

    version: Literal[1]
    from_: str
    to: str
    changes: tuple[_Change, ...]
    stops: Annotated[tuple[str, ...], about("Versions that come in between.")]
    obstacles: Annotated[tuple[str, ...], about("Why the upgrade must not be made like this.")]
    notes: Annotated[
        tuple[str, ...], about("Which release a version that is not known by itself counts as, and what is left out.")
    ]
    fleet: Annotated[_Fleet | None, about("Null without manifests.")]


def upgrade_json(upgrade: Upgrade) -> str:
    """Return what an upgrade changes and does to a fleet as indented JSON that ends in a newline."""
    record = UpgradeRecord(
        version=VERSION,
        from_=str(upgrade.before),
        to=str(upgrade.after),
        changes=tuple(
            _Change(subject, delta.text, delta.when is When.FIRST, delta.statements, delta.when)
            for subject in Subject
            for delta in upgrade.of(subject)
        ),
        stops=tuple(str(stop) for stop in upgrade.stops),
        obstacles=tuple(upgrade.obstacles),
        notes=upgrade.notes,
        fleet=None if upgrade.fleet is None else _fleet(upgrade.fleet),
    )
    return json_of(record)


def _fleet(fleet: FleetUpgrade) -> _Fleet:
    return _Fleet(
        same=fleet.is_same,
        comparison=fleet.comparison,
        hashes=tuple(map(_stamps, fleet.restampings)),
        disruption=None if fleet.outlook is None else _disruption(fleet, fleet.outlook),
        causes=tuple(_Caused(key, causes) for key, causes in sorted(fleet.causes.items())),
    )


def _stamps(stamps: Restamping) -> _Stamps:
    return _Stamps(
        stamps.kind,
        stamps.before,
        stamps.after,
        stamps.restamped,
        stamps.drifted,
        stamps.absorbed,
        stamps.unstamped,
        stamps.current,
        stamps.statements,
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
            _Node(row.before.name, row.before.pool, _forecast(row.before), _forecast(row.after), statements)
            for row, statements in fleet.rows.forecasts
        ),
    )


def _side(side: Outlook) -> _Side:
    return _Side(side.next_step, side.forecast.method, side.forecast.error, side.forecast.price, side.drifted, side.repaired)


def _forecast(node: NodeForecast) -> _Forecast:
    return _Forecast(node.verdict, node.why, node.drifted)
