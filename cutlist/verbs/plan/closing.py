"""The last lines of a long plan: what it comes to, and what to do. Its first lines have left the screen by then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import Plan
from cutlist.report.page import GOOD, HEADING, Page
from cutlist.report.pending import other_reasons, pending_groups
from cutlist.report.plain import escape, percent, shorten
from cutlist.settings.catalog import public_update_of
from cutlist.settings.plan import RESTRICTIONS
from cutlist.verbs.plan.price_lines import money_headline
from cutlist.verbs.plan.small_plans import FAR_ABOVE

LONG: Final = 30
"""How many rows the table of nodes has at most before a text ends with its sum."""
_NAME: Final = 60


def closing(page: Page, plan: Plan) -> None:
    """Add the price and the nodes again, then a line for each thing that there is to do, or that there is nothing."""
    money, what = money_headline(plan)
    page.blank()
    page.opening(money, what, HEADING)
    steps = list(_steps(plan))
    for step in steps:
        page.paragraph(step, first="  - ", indent=4)
    if not steps:
        page.paragraph("all pods have a node, and nothing is left to do", first="  - ", indent=4, style=GOOD)


def _steps(plan: Plan) -> Iterator[str]:
    """Yield what to do, the most urgent first."""
    if not plan.is_complete and plan.inputs is not None:
        yield plan.inputs.open_sentence
    yield from _pending(plan)
    if plan.warnings:
        yield f"read the {counted(len(plan.warnings), 'warning')} above"
    if (plan.above_bound or 0.0) >= FAR_ABOVE:
        why = "" if plan.restrictions is not None else f"{RESTRICTIONS.flag} says why it costs"
        most = f"{percent(plan.above_bound or 0.0)} more than these pods have to"
        first = f"{why} {most}; " if why else f"it costs {most}; "
        yield f"{first}`cutlist suggest` looks for NodePools that cost less"
    if plan.shown_age is not None:
        yield f"prices are up to {plan.shown_age.days} days old: {public_update_of(plan.shown_age.region)} reads current ones"


def _pending(plan: Plan) -> Iterator[str]:
    """Yield what would give the first of the pending pods a node, or which command says more about them."""
    groups = pending_groups(plan.pending)
    if not groups:
        return
    first, more = groups[0].first, len(groups) - 1
    name = shorten(escape(first.workload), _NAME)
    others = counted(len(groups[0].workloads) - 1, "more workload") if len(groups[0].workloads) > 1 else ""
    who = f"{counted(groups[0].pods, 'pod')} of {name}{f' and {others}' if others else ''}"
    stay = "stays pending" if groups[0].pods == 1 else "stay pending"
    what = escape(first.remedy) or f"`cutlist explain {name}` says what each NodePool lacks"
    rest = f"; {counted(sum(group.pods for group in groups[1:]), 'more pod')} for {other_reasons(more)}" if more else ""
    yield f"{who} {stay}: {what}{rest}"
