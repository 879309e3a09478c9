"""What Karpenter does to nodes, in words that every view of a forecast uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final

from cutlist.api.budget_windows import UNLIMITED
from cutlist.catalog.ranges import Deviations
from cutlist.core.money import money_sum
from cutlist.core.wording import be, counted, first_of
from cutlist.disruption.command import Command, Replacement
from cutlist.disruption.forecast import DisruptionVerdict, Forecast, NodeForecast
from cutlist.disruption.methods import METHODS
from cutlist.disruption.timeline import ForcedRemoval, ForcedRemovalKind
from cutlist.disruption.trajectory import Trajectory, TrajectoryEnd, TrajectoryStep
from cutlist.report.estimates import Money
from cutlist.report.html import Words
from cutlist.report.plain import instant, short_name
from cutlist.verbs.disrupt.answer import DisruptionForecast

_SOON: Final = 7 * 24 * 3600.0  # an expiry within a week is reported
ENDS: Final = {
    TrajectoryEnd.STABLE: "stable: nothing more would be done",
    TrajectoryEnd.CHURN: "an endless loop: a state comes back, and so does everything after it",
    TrajectoryEnd.HORIZON: "stopped after a week",
    TrajectoryEnd.STEPS: "stopped after this many steps",
}

_PLURALS: Final = {
    ForcedRemovalKind.EXPIRES: "expire",
    ForcedRemovalKind.REPAIRED: "are repaired",
    ForcedRemovalKind.SCALED_IN: "are scaled in",
    ForcedRemovalKind.DRAIN_ENDS: "end their drain",
}
_NAMED: Final = 3
ESTIMATED: Final = "Estimated price; `cutlist nodes` and `cutlist types` name its source."


def commands_text(commands: Sequence[Command]) -> str:
    """Return how many nodes commands replace or delete."""
    if any(c.reboot for c in commands):
        return f"reboots {counted(sum(len(c.candidates) for c in commands), 'node')}"
    if any(c.terminate_first is not None for c in commands):
        return f"terminates {counted(sum(len(c.candidates) for c in commands), 'node')} before the replacement is launched"
    nodes, come = sum(len(c.candidates) for c in commands), sum(len(c.replacements) for c in commands)
    return f"replaces {counted(nodes, 'node')} by {come}" if come else f"deletes {counted(nodes, 'node')}"


def replacement_text(replacement: Replacement) -> str:
    """Return a node that is launched in place of others."""
    pods = counted(replacement.moved, "pod")
    types = replacement.list or "as its template says"
    money = _of_launch(replacement)
    price = f", from {money.hour()} per hour" if money.per_hour else ""
    return f"a node of NodePool {replacement.node_pool} for {pods}, {replacement.capacity_type}{price}: {types}"


def verdict_text(node: NodeForecast, now: float) -> str:
    """Return what happens to a node, and which rule spares it."""
    verdict = "" if node.verdict is DisruptionVerdict.NEXT else f"{node.verdict}: "
    return verdict + reason_text(node, now)


def reason_text(node: NodeForecast, now: float) -> str:
    """Return why a node has its verdict, for views that show the verdict beside it."""
    parts = ["disrupted next" if node.verdict is DisruptionVerdict.NEXT else node.why]
    parts += [f"drifted: {node.drifted}"] if node.drifted else []
    if node.expires is not None and node.expires - now < _SOON:
        parts += [f"expires {instant(node.expires)}"] if node.expires > now else []  # else the verdict says that it expired
    return "; ".join(parts)


def allowed_text(count: int) -> str:
    """Return in words how many nodes may be disrupted."""
    return "any" if count == UNLIMITED else str(count)


def cost_of(forecast: Forecast, mark: str = "*") -> Money:
    """Return what all nodes of Karpenter cost."""
    return Money(forecast.price, forecast.price_range, forecast.currency, mark if forecast.has_estimates else "")


def savings_of(of: Forecast | TrajectoryStep | Trajectory, currency: str, mark: str = "*") -> Money:
    """Return how much less all nodes cost after the next commands, after a step, or after all steps."""
    estimated = of.savings_estimated if isinstance(of, Forecast) else of.is_saving_estimated
    return Money(of.savings, of.savings_range, currency, mark if estimated else "")


def cost_after(step: TrajectoryStep, currency: str) -> Money:
    """Return what all nodes cost after a step."""
    return Money(step.price_after, step.range_after, currency, "*" if step.is_estimated else "")


def _of_launch(replacement: Replacement) -> Money:
    """Return what a node that is launched costs at least."""
    if replacement.paid is not None:
        return Money.of_price(replacement.paid, "*" if replacement.is_estimated else "")
    return Money(replacement.bill)


def bill_text(forecast: Forecast, mark: str = "*") -> str:
    """Return what the nodes cost a month and an hour, and how many more have no known price."""
    unpriced = forecast.unpriced_nodes
    if unpriced and not forecast.price:
        return "at an unknown price"
    unknown = f", and {counted(unpriced, 'node')} of unknown price" if unpriced else ""
    return f"{cost_of(forecast, mark).month_and_hour()}{unknown}"


def saved_disks_text(commands: Sequence[Command]) -> str:
    """Return a text that says whether savings lack those of disks."""
    return "; without disks" if any(command.disk_savings is None for command in commands) else ""


def following_text(commands: Sequence[Command], currency: str) -> str:
    """Return which nodes savings count although the commands do not list them; empty without any."""
    followed = [command.followed_by for command in commands if command.followed_by is not None]
    nodes = sum(following.nodes for following in followed)
    if not nodes:
        return ""
    price = money_sum(following.price for following in followed)
    of = reduce(Deviations.plus, (following.deviations for following in followed)).around(price)
    money = Money(price, of, currency, "*" if any(following.is_estimated for following in followed) else "")
    return f"{counted(nodes, 'node')} for {money.hour()} an hour that {'follows' if nodes == 1 else 'follow'}"


def removal_text(removal: ForcedRemoval, now: float) -> str:
    """Return why a node is removed forcibly, and when; for an unhealthy node that is not repaired, when Karpenter checks
    again."""
    if removal.blocked:
        return f"sick, looked at again {instant(removal.at)}"
    return f"{removal.force} {instant(removal.at)}" if removal.at > now else f"{removal.force} now"


def due_text(due: Sequence[ForcedRemoval]) -> str:
    """Return which nodes are removed now regardless of budgets, and why; empty for none."""
    parts = []
    for force in dict.fromkeys(removal.force for removal in due):
        names = [short_name(removal.node) for removal in due if removal.force is force]
        verb = str(force) if len(names) == 1 else _PLURALS[force]
        parts.append(f"{first_of(names, _NAMED)} {verb} now")
    return f"{' and '.join(parts)}, regardless of budgets" if parts else ""


def why_nothing(forecast: Forecast) -> str:
    """Return why Karpenter does nothing where it should do something: an error, or unhealthy nodes that it does not repair."""
    if forecast.error or not forecast.not_repaired:
        return forecast.error
    return f"{counted(forecast.not_repaired, 'node')} {be(forecast.not_repaired)} unhealthy and not repaired"


def latest_text(removal: ForcedRemoval) -> str:
    """Return when a node is certain to be terminated, or that its pods may keep it without a limit."""
    return "no time limit" if removal.latest is None else instant(removal.latest)


def has_marks(answer: DisruptionForecast) -> bool:
    """Tell whether views mark a price as an estimate: of a node, of a launch, or of a later step."""
    forecast, trajectory = answer.forecast, answer.trajectory
    steps = trajectory.steps if trajectory is not None else ()
    return (
        forecast.has_estimates
        or any(command.is_estimated for command in forecast.commands)
        or any(step.is_estimated or step.is_saving_estimated for step in steps)
    )


def step_text(step: TrajectoryStep, trajectory: Trajectory, currency: str) -> str:
    """Return a step of a trajectory: after how long, which nodes are removed and added, and how much that saves."""
    after = step.at - trajectory.started
    minutes, seconds = divmod(round(after), 60)
    when = f"+{minutes}m{seconds:02d}s"
    if step.method is None:
        return f"{when}  pods that wait get {counted(len(step.launched), 'new node')}"
    names = [c.name for command in step.commands for c in command.candidates]
    named = ", ".join(map(short_name, names[:3])) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    come = f" -> {', '.join(step.launched)}" if step.launched else ""
    return f"{when}  {METHODS[step.method]}: {named}{come}, saves {savings_of(step, currency).hour()} per hour"


PAGE_WORDS: Final[Mapping[str, Words]] = {
    "cost_of": cost_of,
    "cost_after": cost_after,
    "price_of": lambda price: Money.of_price(price).hour(),
    "reason_text": reason_text,
    "latest_text": latest_text,
    "removal_text": removal_text,
    "replacement_text": replacement_text,
    "step_text": step_text,
    "verdict_text": verdict_text,
}
"""The words of pages that show what happens to nodes."""
