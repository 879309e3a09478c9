"""What Karpenter would do next, as text for a terminal: the next command first, then why every other node stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import be, counted, first_of
from cutlist.disruption.command import Command
from cutlist.disruption.forecast import DisruptionVerdict, Forecast, PoolBudget
from cutlist.disruption.methods import METHODS
from cutlist.disruption.reasons import budget_reasons
from cutlist.disruption.timeline import ForcedRemoval
from cutlist.disruption.trajectory import Trajectory, TrajectoryEnd
from cutlist.report.columns import add_table, laid_out
from cutlist.report.estimates import Money, disks_text
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Group, Page, Row
from cutlist.report.plain import currency_sign, escape, instant, shorten
from cutlist.report.price_sources import age_footnote
from cutlist.verbs.disrupt import words
from cutlist.verbs.disrupt.answer import DisruptionForecast
from cutlist.verbs.disrupt.columns import budget_columns, removal_columns, text_layouts

_LABEL: Final = 9
_NAMED: Final = 10  # nodes, pods or steps of one kind that are shown by name
_END_STYLES: Final = {
    TrajectoryEnd.STABLE: GOOD,
    TrajectoryEnd.CHURN: BAD,
    TrajectoryEnd.HORIZON: WARN,
    TrajectoryEnd.STEPS: WARN,
}


def render_disrupt(answer: DisruptionForecast, width: int = 100, colour: bool = False) -> str:
    """Return the forecast as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page, forecast = Page(width), answer.forecast
    page.line(("Karpenter's next step in ", HEADING), (answer.region, HEADING), f", as of {instant(forecast.now)}")
    page.blank()
    _summary(page, answer)
    for command in forecast.commands:
        page.blank()
        _command(page, command)
    page.blank()
    _nodes(page, forecast)
    page.blank()
    _budgets(page, forecast.budgets)
    for oddity in answer.oddities:
        page.blank()
        page.paragraph(oddity, first="odd".ljust(_LABEL), indent=_LABEL, style=WARN)
    if answer.removals:
        page.blank()
        _removals(page, answer.removals, forecast.now)
    if answer.trajectory is not None:
        page.blank()
        _trajectory(page, answer.trajectory, forecast.currency)
    if words.has_marks(answer):
        page.blank()
        page.paragraph(words.ESTIMATED, first="* ", indent=2, style=QUIET)
    if answer.price_age is not None:
        page.blank()
        age_footnote(page, answer.price_age)
    return page.text(colour=colour)


def _summary(page: Page, answer: DisruptionForecast) -> None:
    forecast, due = answer.forecast, words.due_text(answer.due)
    managed = sum(n.verdict is not DisruptionVerdict.UNMANAGED for n in forecast.nodes)
    others = len(forecast.nodes) - managed
    besides = f", and {counted(others, 'other')}" if others else ""
    price = words.bill_text(forecast)
    price += disks_text(forecast.disk_price, forecast.nodes_without_disks, currency_sign(forecast.currency))
    page.paragraph(f"{managed:,} of Karpenter{besides}, {price}", first="nodes", indent=_LABEL)
    if forecast.launching:
        names, verb = first_of(forecast.launching, _NAMED), be(len(forecast.launching))
        page.paragraph(f"paused: {names} {verb} being launched", first="next", indent=_LABEL, style=WARN)
    elif forecast.method is None and due:
        page.paragraph(due, first="next", indent=_LABEL, style=WARN)
    elif forecast.method is None:
        why = words.why_nothing(forecast)
        page.line("next".ljust(_LABEL), ("nothing", WARN if why else GOOD), f": {why}" if why else "")
    else:
        page.line("next".ljust(_LABEL), (METHODS[forecast.method], HEADING), f" {words.commands_text(forecast.commands)}")
        saved = words.savings_of(forecast, forecast.currency)
        text = saved.month_and_hour() + (f" ({saved.month_span()} a month)" if saved.of is not None else "")
        style = GOOD if forecast.savings > 0 else WARN
        page.line("saves".ljust(_LABEL), (text, style), words.saved_disks_text(forecast.commands))
        if follows := words.following_text(forecast.commands, forecast.currency):
            page.paragraph(f"this counts {follows}", first="", indent=_LABEL)
        if due:
            page.paragraph(due, first="besides", indent=_LABEL, style=WARN)


def _command(page: Page, command: Command) -> None:
    for candidate in command.candidates[:_NAMED]:
        machine = candidate.node
        price = f"{Money.of_price(candidate.paid).hour()} per hour"
        bought = f"{machine.instance_type} {machine.capacity_type} in {machine.zone}, {price}"
        page.paragraph(
            f"{candidate.name}: {bought}, {counted(len(candidate.pods), 'pod')} to move", first="  ends     ", indent=11
        )
    if more := command.candidates[_NAMED:]:
        page.line(f"  and {counted(len(more), 'more node')}")
    for replacement in command.replacements:
        page.paragraph(words.replacement_text(replacement), first="  launches ", indent=11)
    if moved := command.moves:
        names = ", ".join(escape(n) for n in list(moved)[:_NAMED])
        page.paragraph(f"{counted(sum(moved.values()), 'pod')} to {names}", first="  moves    ", indent=11)


def _nodes(page: Page, forecast: Forecast) -> None:
    """Add every node with its forecast, grouped by NodePool."""
    columns, cells = laid_out(text_layouts(forecast.nodes), forecast.nodes, page.width)
    by_pool: dict[str, list[Row]] = {}
    for node, shown in zip(forecast.nodes, cells, strict=True):
        by_pool.setdefault(node.pool, []).append(Row(shown, words=words.verdict_text(node, forecast.now)))
    groups = [
        Group(f"NodePool {pool}" if pool else "Other nodes", tuple(rows))
        for pool, rows in sorted(by_pool.items(), key=lambda item: (not item[0], item[0]))
    ]
    page.table(columns, groups)


def _budgets(page: Page, budgets: Sequence[PoolBudget]) -> None:
    reasons = tuple(budgets[0].remaining) if budgets else budget_reasons()
    add_table(page, [budget_columns(reasons)], budgets, _unreadable)


def _unreadable(budget: PoolBudget) -> str:
    schedules = ", ".join(budget.unreadable)
    return f"Karpenter cannot read the schedule {schedules}, and disrupts nothing" if schedules else ""


def _removals(page: Page, removals: Sequence[ForcedRemoval], now: float) -> None:
    """Add the forced removals, the earliest first; those beyond the limit are counted, with the last instant."""
    add_table(page, [removal_columns(now)], removals[:_NAMED], lambda removal: removal.blocked)
    if more := removals[_NAMED:]:
        page.line(f"and {counted(len(more), 'more node')} until {instant(more[-1].at)}")


def _trajectory(page: Page, trajectory: Trajectory, currency: str) -> None:
    page.line(("Until stable", HEADING))
    for number, step in enumerate(trajectory.steps, 1):
        page.paragraph(words.step_text(step, trajectory, currency), first=f"  {number:>3}  ", indent=7)
    style = _END_STYLES[trajectory.end]
    page.line("  end  ", (words.ENDS[trajectory.end], style))
    if trajectory.repeats is not None:
        page.line("       ", (f"the steps from {trajectory.repeats + 1} to {len(trajectory.steps)} repeat themselves", style))
    saved, moves = words.savings_of(trajectory, currency), sum(trajectory.evictions.values())
    pods = counted(len(trajectory.evictions), "pod")
    page.line(f"       saves {saved.hour()} per hour with {counted(moves, 'move')} of {pods}")
    often = [(pod, times) for pod, times in trajectory.evictions.items() if times > 1][:_NAMED]
    if often:
        named = ", ".join(f"{shorten(escape(pod), 40)} ({times}x)" for pod, times in often)
        page.paragraph(named, first="       moved more than once: ", indent=9)
