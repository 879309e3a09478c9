"""Why a node stays, or what happens to it next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cutlist.core.labels import NODEPOOL
from cutlist.core.wording import counted, first_of
from cutlist.disruption.command import Command
from cutlist.disruption.forecast import BEING_REMOVED, DisruptionVerdict, NodeForecast
from cutlist.planning.controllers import controller_of, split_by_controller
from cutlist.planning.inputs import PlanInputs
from cutlist.report.estimates import Money
from cutlist.report.plain import instant as instant_text
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.verbs.disrupt.answer import DisruptionForecast, disrupt
from cutlist.verbs.disrupt.words import allowed_text, removal_text, replacement_text
from cutlist.verbs.subjects import Subject
from cutlist.verbs.why.node_state import state_facts
from cutlist.verbs.why.reason import Fact, Why

_NAMED: Final = 5
_VERBS: Final = ("is ", "could be ")


def why_node(inputs: PlanInputs, subject: Subject, now: float) -> Why:
    """Return why a node stays or goes, by the forecast of what Karpenter does next."""
    answer = _forecast(inputs, subject.name, now)
    node = next(n for n in answer.forecast.nodes if n.name == subject.name)
    sentence = f"{subject.name} {_fate(answer, node)}"
    return Why(inputs.catalog.region, subject.of, subject.name, sentence, facts=tuple(_facts(inputs, answer, node)))


def node_sentence(inputs: PlanInputs, name: str, now: float) -> str:
    """Return what happens to the node of a pod, or an empty string if the node is not in the input."""
    if _node(inputs, name) is None:
        return ""
    answer = _forecast(inputs, name, now)
    node = next((n for n in answer.forecast.nodes if n.name == name), None)
    return "" if node is None else f"the node {_fate(answer, node)}"


def _node(inputs: PlanInputs, name: str) -> SchedulingNode | None:
    return next((node for node in inputs.cluster.nodes if name in (node.node, node.name)), None)


def _forecast(inputs: PlanInputs, name: str, now: float) -> DisruptionForecast:
    """Return the forecast of the controller that has a node; a node of no NodePool is unmanaged for each of them."""
    node = _node(inputs, name)
    return forecast_of_pool(inputs, "" if node is None else node.labels.get(NODEPOOL, ""), now)


def forecast_of_pool(inputs: PlanInputs, pool: str, now: float) -> DisruptionForecast:
    """Return the forecast of the controller that has a NodePool."""
    parts = split_by_controller(inputs.node_pools)
    mine = next((controller_of(p) for p in inputs.node_pools if p.name == pool), next(iter(parts), ""))
    return disrupt(replace(inputs, node_pools=parts.get(mine, ())), now, allow_empty=True)


def command_on(answer: DisruptionForecast, name: str) -> Command | None:
    """Return the next command that removes a node, or None."""
    return next((c for c in answer.forecast.commands if any(candidate.name == name for candidate in c.candidates)), None)


def budget_facts(answer: DisruptionForecast, pool: str) -> Iterator[Fact]:
    """Yield how many nodes the budgets of a NodePool still allow for each reason."""
    for budget in answer.forecast.budgets:
        if budget.pool == pool:
            left = ", ".join(f"{reason} {allowed_text(allowed)}" for reason, allowed in budget.remaining.items())
            yield Fact("budget left", left)


def _fate(answer: DisruptionForecast, node: NodeForecast) -> str:
    """Return what happens to a node, for the end of a sentence."""
    now = answer.forecast.now
    removal = next((r for r in answer.removals if r.node == node.name), None)
    command = command_on(answer, node.name)
    if removal is not None and not removal.blocked and removal.at <= now:
        return f"is removed now, regardless of budgets: it {removal_text(removal, now)}"
    if command is not None:
        return f"goes next: {_done(command)}"
    if answer.error:
        return f"stays: Karpenter does nothing, because {answer.error}"
    match node.verdict:
        case DisruptionVerdict.GOING:
            return node.why if node.why.startswith(BEING_REMOVED) else f"{BEING_REMOVED}: {node.why}"
        case DisruptionVerdict.UNMANAGED:
            return f"stays: {node.why or 'it belongs to no NodePool, so Karpenter leaves it alone'}"
        case DisruptionVerdict.LATER:
            return f"stays for now: {_clause(node.why)}"
        case DisruptionVerdict.BLOCKED if _clause(node.why) != node.why:  # what happens to it once it may
            return f"stays for now: {_clause(node.why)}"
        case DisruptionVerdict.BLOCKED:
            return f"stays, because it is blocked: {node.why}"
    return f"stays: {_clause(node.why) or 'nothing disrupts it'}"


def _clause(why: str) -> str:
    """Return a reason as a clause: one that begins with a verb is about the node."""
    return f"it {why}" if why.startswith(_VERBS) else why


def _done(command: Command) -> str:
    """Return what a command does to its nodes, and why."""
    why = f" ({command.reason.lower()})"
    others = len(command.candidates) - 1
    together = f" together with {counted(others, 'other node')}" if others else ""
    match command.decision:
        case "reboot":
            return f"Karpenter reboots it{why}"
        case "replace":
            by = "; ".join(replacement_text(r) for r in command.replacements[:_NAMED])
            return f"Karpenter replaces it{together}{why} by {by}"
        case "terminate-first":
            return f"Karpenter terminates it before its replacement exists{why}"
    moved = sum(command.moves.values())
    moving = f", and {counted(moved, 'pod')} find{'s' * (moved == 1)} room elsewhere" if moved else ""
    return f"Karpenter deletes it{together}{why}{moving}"


def _facts(inputs: PlanInputs, answer: DisruptionForecast, node: NodeForecast) -> Iterator[Fact]:
    now = answer.forecast.now
    machine = " ".join(part for part in (node.instance_type, node.capacity_type, node.zone) if part)
    yield Fact("NodePool", node.pool or "none")
    if machine:
        yield Fact("machine", machine + (f", {Money.of_price(node.price).month_and_hour()}" if node.bill else ""))
    pods = [pod.name for pod in inputs.cluster.pods if pod.node == node.name and not pod.ended]
    yield Fact("pods", counted(len(pods), "pod") + (f": {first_of(pods, _NAMED)}" if pods else ""))
    yield from state_facts(inputs, node.name)
    # Only candidates have a cost, which is never below that of the node itself.
    yield Fact("would move", counted(node.pods, "pod") + (f", at a disruption cost of {node.cost:.1f}" if node.cost else ""))
    if node.drifted:
        yield Fact("drifted", node.drifted)
    removals = [removal for removal in answer.removals if removal.node == node.name]
    if node.expires is not None and not removals:
        yield Fact("expires", instant_text(node.expires) if node.expires > now else "is past its expiry")
    for removal in removals:
        ends = "" if removal.latest is None else f", terminated by {instant_text(removal.latest)}"
        yield Fact("forced removal", removal_text(removal, now) + ends)
    command = command_on(answer, node.name)
    if command is not None:
        yield Fact("command", command.text)
    yield from budget_facts(answer, node.pool)
