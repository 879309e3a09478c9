"""What Karpenter would do next, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cutlist.answers.disrupt import DisruptionForecast
from cutlist.api.budget_windows import UNLIMITED
from cutlist.core.instants import instant_text
from cutlist.disruption.budget_calendar import BudgetCalendar
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.forecast import NodeForecast, PoolBudget
from cutlist.disruption.reasons import Reason
from cutlist.disruption.spot_loss import SpotLoss
from cutlist.disruption.timeline import ForcedRemoval
from cutlist.disruption.trajectory import Trajectory, TrajectoryStep, price
from cutlist.report.disrupt.words import moved_pods
from cutlist.state.statenode import StateNode

VERSION: Final = 1


def forecast_json(forecast: DisruptionForecast) -> str:
    """The forecast as indented JSON that ends in a newline. Prices are USD/hour; a budget without limit is null."""
    seen = forecast.forecast
    data = {
        "version": VERSION,
        "region": forecast.region,
        "at": instant_text(seen.now),
        "pricePerHour": seen.price,
        "paused": list(seen.launching),
        "method": seen.method,
        "commands": [_command(c) for c in seen.commands],
        "nodes": [_node(n) for n in seen.nodes],
        "budgets": [_budget(b) for b in seen.budgets],
        "removals": [_removal(r) for r in forecast.removals],
        "oddities": list(forecast.oddities),
        **({"error": seen.error} if seen.error else {}),
        **({"course": _course(forecast.trajectory)} if forecast.trajectory is not None else {}),
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def loss_json(loss: SpotLoss, region: str) -> str:
    """What a loss of spot capacity comes to, as indented JSON that ends in a newline. Prices are USD/hour."""
    data = {
        "version": VERSION,
        "region": region,
        "at": instant_text(loss.before.now),
        "zone": loss.zone or None,
        "lost": [m.name for m in loss.lost],
        "displacedPods": loss.displaced,
        "moves": {name: sum(pods.values()) for name, pods in sorted(loss.simulation.moves.items())},
        "launched": [_launched(m, loss) for m in loss.launched],
        "replacements": [_replacement(r) for r in loss.replacements],
        "pending": [{"pod": pod, "count": count, "why": why} for pod, (count, why) in sorted(loss.pending.items())],
        "pricePerHour": {"before": price(loss.before), "after": price(loss.after)},
        **({"error": loss.simulation.error} if loss.simulation.error else {}),
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _launched(machine: StateNode, loss: SpotLoss) -> dict[str, Any]:
    return {
        "name": machine.name,
        "nodePool": machine.pool,
        "instanceType": machine.instance_type,
        "capacityType": machine.capacity_type,
        "zone": machine.zone,
        "pricePerHour": loss.after.price_of(machine),
        "pods": len(machine.pods),
    }


def calendars_json(calendars: Sequence[BudgetCalendar]) -> str:
    """Weeks of budgets as indented JSON that ends in a newline; no limit is null."""
    data = {"version": VERSION, "nodePools": [_calendar(c) for c in calendars]}
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _calendar(calendar: BudgetCalendar) -> dict[str, Any]:
    spans = [{"from": instant_text(s.start), "to": instant_text(s.end), "allowed": _allowed(s.allowed)} for s in calendar.spans]
    return {"nodePool": calendar.pool, "nodes": calendar.nodes, "spans": spans, "oddities": list(calendar.oddities)}


def _allowed(counts: Mapping[Reason, int]) -> dict[str, int | None]:
    return {str(reason): None if count == UNLIMITED else count for reason, count in counts.items()}


def _command(command: Command) -> dict[str, Any]:
    return {
        "decision": command.decision,
        "reason": str(command.reason),
        "nodes": [c.name for c in command.candidates],
        "savingsPerHour": command.savings,
        "replacements": [_replacement(r) for r in command.replacements],
        "moves": dict(moved_pods(command)),
        "message": command.text,
    }


def _replacement(replacement: Replacement) -> dict[str, Any]:
    return {
        "nodePool": replacement.node_pool,
        "capacityType": replacement.capacity_type,
        "pods": sum((replacement.pods or {}).values()),
        "requirements": [e.manifest() for e in replacement.requirements.expressions()],
        "instanceTypes": [t.name for t in replacement.types],
        "pricesPerHour": list(replacement.prices),
    }


def _node(node: NodeForecast) -> dict[str, Any]:
    return {
        "name": node.name,
        "nodePool": node.pool,
        "instanceType": node.instance_type,
        "capacityType": node.capacity_type,
        "zone": node.zone,
        "pricePerHour": node.price,
        "disruptionCost": node.cost,
        "pods": node.pods,
        "verdict": str(node.verdict),
        "why": node.why,
        "drifted": node.drifted,
        "expires": instant_text(node.expires) if node.expires is not None else None,
    }


def _budget(budget: PoolBudget) -> dict[str, Any]:
    return {
        "nodePool": budget.pool,
        "nodes": budget.nodes,
        "disrupted": budget.disrupted,
        "remaining": _allowed(budget.remaining),
        "unreadableSchedules": list(budget.unreadable),
    }


def _removal(removal: ForcedRemoval) -> dict[str, Any]:
    return {
        "at": instant_text(removal.at),
        "node": removal.node,
        "nodePool": removal.pool,
        "why": str(removal.force),
        "goneBy": instant_text(removal.latest) if removal.latest is not None else None,
        "blocked": removal.blocked or None,
    }


def _course(course: Trajectory) -> dict[str, Any]:
    return {
        "end": str(course.end),
        "repeatsFrom": course.repeats,
        "steps": [_step(s) for s in course.steps],
        "evictions": dict(course.evictions),
        "nodes": len(course.cluster.nodes),
    }


def _step(step: TrajectoryStep) -> dict[str, Any]:
    return {
        "at": instant_text(step.at),
        "method": step.method,
        "commands": [_command(c) for c in step.commands],
        "launched": list(step.launched),
        "evicted": list(step.evicted),
        "pricePerHour": step.price_after,
    }
