"""What Karpenter would do next, as a comment on a pull request: the next command, then folded what spares each node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from cutlist.core.wording import be, counted
from cutlist.disruption.command import Command
from cutlist.disruption.forecast import DisruptionVerdict, Forecast, NodeForecast, PoolBudget
from cutlist.disruption.methods import METHODS
from cutlist.disruption.timeline import ForcedRemoval
from cutlist.disruption.trajectory import Trajectory
from cutlist.report.columns import cells, for_rows, titles
from cutlist.report.comment_parts import weightiest
from cutlist.report.estimates import Money, disks_text
from cutlist.report.markup import MARKED, at_most, code, folded, table, words
from cutlist.report.plain import currency_sign, instant, short_name
from cutlist.report.price_sources import age_lines
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.columns import comment_budgets, comment_columns, comment_removals
from cutlist.verbs.disrupt.words import (
    ENDS,
    bill_text,
    commands_text,
    due_text,
    following_text,
    has_marks,
    replacement_text,
    saved_disks_text,
    savings_of,
    step_text,
    why_nothing,
)

_MARK: Final = "\\*"
_ACTS: Final = 4  # commands' removed nodes, launches and moves
_NODES: Final = 6
_POOLS: Final = 3
_REMOVED: Final = 3
_STEPS: Final = 4
_ODD: Final = 1
_NAMED: Final = 3  # nodes named as destinations of pods
_ORDER: Final = (
    DisruptionVerdict.NEXT,
    DisruptionVerdict.GOING,
    DisruptionVerdict.LATER,
    DisruptionVerdict.BLOCKED,
    DisruptionVerdict.STAYS,
    DisruptionVerdict.UNMANAGED,
)


def disrupt_markdown(answer: DisruptionForecast) -> str:
    """Return the forecast as Markdown of less than 60 lines. Ends in a newline."""
    forecast = answer.forecast
    lines = [
        f"### Karpenter's next step in {words(answer.region)}",
        "",
        _in_short(answer) + (MARKED if has_marks(answer) else ""),
        "",
    ]
    acts = [act for command in forecast.commands for act in _acts(command)]
    lines += [*at_most(_ACTS, acts), ""] if acts else []
    lines += [*at_most(_ODD, [f"odd: {words(oddity)}" for oddity in answer.oddities]), ""] if answer.oddities else []
    lines += _nodes(forecast)
    lines += _budgets(forecast.budgets)
    lines += _removals(answer.removals, forecast.now)
    lines += _trajectory(answer.trajectory, forecast.currency) if answer.trajectory is not None else []
    lines += age_lines(answer.price_age)
    return "\n".join(lines).rstrip() + "\n"


def _in_short(answer: DisruptionForecast) -> str:
    forecast = answer.forecast
    managed = sum(n.verdict is not DisruptionVerdict.UNMANAGED for n in forecast.nodes)
    counts = Counter(n.verdict for n in forecast.nodes)
    store = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in _ORDER if counts[verdict])
    estimated = ", partly estimated" if forecast.has_estimates else ""
    disks = disks_text(forecast.disk_price, forecast.nodes_without_disks, currency_sign(forecast.currency))
    price = bill_text(forecast, "")
    cluster = f"{counted(managed, 'node')} of Karpenter, {price}{estimated}{disks}"
    return f"**{_next(answer)}**, as of {instant(forecast.now)}. {cluster}: {store or 'none'}."


def _next(answer: DisruptionForecast) -> str:
    forecast, due = answer.forecast, words(due_text(answer.due))
    if forecast.launching:
        return f"Paused while {counted(len(forecast.launching), 'node')} {be(len(forecast.launching))} launched"
    if forecast.method is None and due:
        return due
    if forecast.method is None:
        why = words(why_nothing(forecast))
        return f"Nothing is done: {why}" if why else "Nothing is done"
    saved = savings_of(forecast, forecast.currency, _MARK).month_and_hour()
    act = f"{METHODS[forecast.method].capitalize()} {commands_text(forecast.commands)}"
    counts = f"; this counts {follows}" if (follows := following_text(forecast.commands, forecast.currency)) else ""
    return f"{act}, saves {saved}{saved_disks_text(forecast.commands)}{counts}{due and f'; {due}'}"


def _acts(command: Command) -> Iterator[str]:
    """Yield what a command removes, launches and moves, a line each."""
    for candidate in command.candidates:
        machine = candidate.node
        bought = ", ".join(code(text) for text in (machine.instance_type, machine.capacity_type, machine.zone) if text)
        price = f"{Money.of_price(candidate.paid, _MARK).hour()} per hour"
        price += f", {counted(len(candidate.pods), 'pod')} to move"
        yield f"ends {code(short_name(candidate.name))}: {bought}, {price}"
    for replacement in command.replacements:
        yield f"launches {words(replacement_text(replacement))}"
    if moved := command.moves:
        names = ", ".join(code(short_name(name)) for name in list(moved)[:_NAMED])
        more = f" and {counted(len(moved) - _NAMED, 'more node')}" if len(moved) > _NAMED else ""
        yield f"moves {counted(sum(moved.values()), 'pod')} to {names}{more}"


def _nodes(forecast: Forecast) -> list[str]:
    """Return the nodes that are disrupted first, then the others by verdict; the most expensive of each."""
    if not forecast.nodes:
        return []
    ordered = sorted(forecast.nodes, key=lambda n: _ORDER.index(n.verdict))
    columns = for_rows(comment_columns(ordered, forecast.now), ordered)
    rows = weightiest(ordered, _NODES, _urgency, lambda node: cells(columns, node), "more node")
    return folded(f"Outlook of each node ({len(forecast.nodes):,})", table(titles(columns), rows))


def _urgency(node: NodeForecast) -> float:
    return -_ORDER.index(node.verdict) * 1e6 + node.bill


def _budgets(budgets: Sequence[PoolBudget]) -> list[str]:
    if not budgets:
        return []
    columns = comment_budgets(tuple(budgets[0].remaining))
    rows = weightiest(budgets, _POOLS, lambda b: b.nodes, lambda b: cells(columns, b), "more NodePool")
    return folded("How many nodes may be disrupted now", table(titles(columns), rows))


def _removals(removals: Sequence[ForcedRemoval], now: float) -> list[str]:
    if not removals:
        return []
    columns = comment_removals(now)
    rows = [cells(columns, removal) for removal in removals[:_REMOVED]]
    if more := removals[_REMOVED:]:
        rows.append([f"and {counted(len(more), 'more node')} until {instant(more[-1].at)}"])
    return folded(f"Forced removals ({len(removals):,})", table(titles(columns), rows))


def _trajectory(trajectory: Trajectory, currency: str) -> list[str]:
    """Return the first steps and the end."""
    saved = f"saves {savings_of(trajectory, currency, _MARK).hour()} per hour"
    moves = f"{counted(sum(trajectory.evictions.values()), 'move')} of {counted(len(trajectory.evictions), 'pod')}"
    steps = at_most(_STEPS, [words(step_text(step, trajectory, currency)) for step in trajectory.steps])
    end = f"- {ENDS[trajectory.end]}; {saved} with {moves}"
    return folded(f"Until stable ({counted(len(trajectory.steps), 'step')})", [*steps, end])
