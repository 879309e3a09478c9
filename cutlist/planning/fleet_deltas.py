"""Describe in sentences what an upgrade does to a fleet, each with the statements that cause it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cutlist.core.wording import be, counted, currency_sign, first_of, hourly
from cutlist.disruption.forecast import DisruptionVerdict, NodeForecast
from cutlist.disruption.methods import METHODS
from cutlist.disruption.outlook import NodeReplacement, OrderChange, Outlook, OutlookComparison
from cutlist.disruption.restamping import Restamping
from cutlist.infrastructure.charts.notes import Subject, When
from cutlist.infrastructure.charts.upgrade import ChartDelta
from cutlist.planning.fleet_upgrade import FleetUpgrade, Key
from cutlist.planning.model import Totals
from cutlist.planning.model.changes import Change, PendingChange
from cutlist.planning.model.changes import NodeChange as PlannedChange

_NAMED: Final = 5  # nodes or pods in a list


def fleet_deltas(fleet: FleetUpgrade, before: str) -> tuple[ChartDelta, ...]:
    """Return what changes for a fleet: its plan, drift, disruption. `before` is the earlier version."""
    return (*_planned(fleet), *_drift(fleet, before), *_disruption(fleet))


# --- the plan


def _planned(fleet: FleetUpgrade) -> Iterator[ChartDelta]:
    comparison = fleet.comparison
    before, after = comparison.before.totals, comparison.after.totals
    if comparison.is_same:
        text = f"the plan is the same: {_price_of(before)}; {_pending(before.pending)}"
        yield ChartDelta(Subject.NODES, text)
        return
    whole = f"{_price_of(before)} -> {_price_of(after)}"
    pending = (
        f"{_pending(before.pending)} -> {after.pending:,}" if before.pending != after.pending else _pending(before.pending)
    )
    yield _caused(fleet, Subject.NODES, f"in all {whole}; {pending}", [("totals",)])
    for node, statements in fleet.rows.nodes:
        yield ChartDelta(Subject.NODES, _of_nodes(node, comparison.currency), statements=statements)
    for existing, statements in fleet.rows.existing:
        text = f"on node {existing.node}, pods of {existing.workload}: {existing.before:,} -> {existing.after:,}"
        yield ChartDelta(Subject.NODES, text, statements=statements)
    for pods, statements in fleet.rows.pending:
        yield ChartDelta(Subject.NODES, _of_pods(pods), statements=statements)


def _of_nodes(change: PlannedChange, currency: str) -> str:
    sides = (_price(side.count, side.price, currency) for side in (change.before, change.after))
    text = f"NodePool {change.node_pool}, {change.instance_type} {change.capacity_type}: {' -> '.join(sides)}"
    if change.kind is not Change.CHANGED:
        return text
    types = ((len(change.new_types), "more"), (len(change.lost_types), "fewer"))
    counts = (f"{number:,} {way} instance {'type' if number == 1 else 'types'}" for number, way in types if number)
    zones = [] if change.before.zones == change.after.zones else [f"zones {_zones(change)}"]
    return ", ".join((text, *counts, *zones))


def _zones(change: PlannedChange) -> str:
    return " -> ".join(" ".join(side.zones) or "none" for side in (change.before, change.after))


def _of_pods(change: PendingChange) -> str:
    text = f"{change.workload}: {_pending(change.before.count)} -> {change.after.count:,}"
    reasons = "; ".join(change.after.reasons)
    return f"{text}: {reasons}" if reasons else text


def _pending(count: int) -> str:
    return f"{counted(count, 'pod')} pending"


def _price_of(totals: Totals) -> str:
    sign, of = currency_sign(totals.currency or "USD"), totals.price_range
    words = _price(totals.nodes, totals.price_per_hour, totals.currency or "USD")
    return words if of is None or not totals.nodes else f"{words} ({sign}{hourly(of.low)} to {sign}{hourly(of.high)})"


def _price(nodes: int, price: float | None, currency: str) -> str:
    if not nodes:
        return "no node"
    known = "an unknown price" if price is None else f"{currency_sign(currency)}{hourly(price)} an hour"
    return f"{counted(nodes, 'node')} at {known}"


# --- drift


def _drift(fleet: FleetUpgrade, before: str) -> Iterator[ChartDelta]:
    for stamps in fleet.restampings:
        yield from _stamps(stamps, before)
    outlooks = fleet.outlook
    if outlooks is None:
        return
    if outlooks.drifting:
        text = f"drifted and replaced only after the upgrade: {_names(outlooks.drifting)}"
        yield _caused(fleet, Subject.DRIFT, text, [("drift", name) for name in outlooks.drifting])
    if outlooks.spared:
        text = f"drifted only before the upgrade, and not replaced after it: {_names(outlooks.spared)}"
        yield _caused(fleet, Subject.DRIFT, text, [("drift", name) for name in outlooks.spared])
    both = [name for name in outlooks.after.drifted if name not in outlooks.drifting]
    if not outlooks.drifting:
        already = f"; drifted before it and after it: {_names(both)}" if both else ""
        yield ChartDelta(Subject.DRIFT, f"the upgrade causes no drift{already}")


def _stamps(stamps: Restamping, before: str) -> Iterator[ChartDelta]:
    """Yield what happens to hashes, and to nodes that are not replaced because of that."""
    if stamps.claims:
        counts = [f"{counted(len(stamps.restamped), 'NodeClaim')} {be(len(stamps.restamped))} stamped again and not replaced"]
        if stamps.drifted:
            counts.append(f"{len(stamps.drifted):,} drifted before, remain so and are replaced: {_names(stamps.drifted)}")
        counts += [f"{len(stamps.current):,} with {stamps.after} already"] if stamps.current else []
        counts += [f"{len(stamps.unstamped):,} without a hash"] if stamps.unstamped else []
        text = f"hash of the {stamps.kind}, {stamps.before} -> {stamps.after}: {'; '.join(counts)}"
        yield ChartDelta(Subject.DRIFT, text, statements=stamps.statements)
    if stamps.absorbed:
        text = (
            f"{_names(stamps.absorbed)}: the hash differs from that of the {stamps.kind}, for which {before} replaces the "
            "node. Wait for that: after the upgrade it is stamped again and stays as it is"
        )
        yield ChartDelta(Subject.DRIFT, text, When.FIRST, stamps.statements)


# --- disruption


def _disruption(fleet: FleetUpgrade) -> Iterator[ChartDelta]:
    outlooks = fleet.outlook
    if outlooks is None:
        return
    nodes = counted(len(outlooks.before.forecast.nodes), "node")
    whose = "the nodes that the earlier version plans" if fleet.is_planned else "the running nodes"
    if outlooks.is_same:
        text = f"the forecast for {whose} is the same: next step, order of candidates, and what happens to {nodes}"
        yield ChartDelta(Subject.DISRUPTION, text)
        return
    yield from next_deltas(fleet, outlooks)
    for group in _alike(outlooks):
        keys: list[Key] = [("node", change.before.name) for change in group]
        yield _caused(fleet, Subject.DISRUPTION, _of_group(group), keys)


def next_deltas(fleet: FleetUpgrade, outlooks: OutlookComparison) -> Iterator[ChartDelta]:
    """Yield what differs in the next step, and in the candidates of each method and their order."""
    if outlooks.has_other_step:
        steps = " -> ".join(_step(side) for side in (outlooks.before, outlooks.after))
        yield _caused(fleet, Subject.DISRUPTION, f"next step: {steps}", [("next",)])
    if outlooks.has_other_repair:
        repaired = " -> ".join(_names(side.repaired) or "none" for side in (outlooks.before, outlooks.after))
        text = f"unhealthy nodes that Karpenter removes now, regardless of budgets: {repaired}"
        yield _caused(fleet, Subject.DISRUPTION, text, [("repair",)])
    for order in outlooks.orders:
        yield _caused(fleet, Subject.DISRUPTION, _of_method(order), [("method", order.method)])


def _step(side: Outlook) -> str:
    if side.forecast.error:
        return f"stopped by an error: {side.forecast.error}"
    return "; ".join(side.next_step) or "none"


def _of_method(order: OrderChange) -> str:
    name = METHODS[order.method]
    if order.before is None:
        return f"{name} is now a disruption method, the first of all: {_candidates(order.after)}"
    if order.after is None:
        return f"{name} is no longer a disruption method; before, {_candidates(order.before)}"
    if set(order.before) == set(order.after):
        return f"order of {name}{_from_first_difference(order.before, order.after)}"
    return f"{name}: {_candidates(order.before)} -> {_candidates(order.after)}"


def _from_first_difference(before: Sequence[str], after: Sequence[str]) -> str:
    """Return both orders from the first position at which they differ."""
    place = next(number for number, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
    start = f" from place {place + 1:,} on" if place else ""
    return f"{start}: {_names(before[place:])} -> {_names(after[place:])}"


def _candidates(names: Sequence[str] | None) -> str:
    return f"{counted(len(names), 'candidate')}, {_names(names)}" if names else "no candidate"


def _alike(outlooks: OutlookComparison) -> Iterable[Sequence[NodeReplacement]]:
    """Return the nodes whose forecast changes, grouped by equal changes."""
    groups: dict[tuple[str, str], list[NodeReplacement]] = {}
    for change in outlooks.nodes:
        groups.setdefault((forecast_text(change.before), forecast_text(change.after)), []).append(change)
    return groups.values()


def _of_group(group: Sequence[NodeReplacement]) -> str:
    before, after = (forecast_text(side) for side in (group[0].before, group[0].after))
    return f"{_names([change.before.name for change in group])}: {before} -> {after}"


def forecast_text(node: NodeForecast) -> str:
    """Return what happens to a node, why, and whether it drifts."""
    parts = [str(node.verdict) if node.verdict is DisruptionVerdict.NEXT or not node.why else f"{node.verdict}, {node.why}"]
    return "; ".join([*parts, *([f"drifted by {node.drifted}"] if node.drifted else [])])


# --- words


def _caused(fleet: FleetUpgrade, subject: Subject, text: str, keys: Sequence[Key]) -> ChartDelta:
    return ChartDelta(subject, text, statements=fleet.statements(*keys))


def _names(names: Sequence[str]) -> str:
    return first_of(names, _NAMED)
