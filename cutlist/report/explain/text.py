"""Why a workload gets its nodes, as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.planning.model import PlannedNode
from cutlist.planning.model.explanation import Answer, Explanation
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import counted, per_hour, percent, short_name, shorten
from cutlist.report.plan.node_table import node_table

_LABEL: Final = 9
_NAMED: Final = 10  # existing nodes by name
_CANDIDATES: Final = 5  # types shown with their price


def render_explain(found: Sequence[Explanation], region: str, width: int = 100, colour: bool = False) -> str:
    """The explanations as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page = Page(width)
    for one in found:
        page.blank()
        besides = f" ({one.controller})" if len(found) > 1 else ""
        page.line((one.workload, HEADING), f" in {region}{besides}")
        page.blank()
        _summary(page, one)
        if one.nodes:
            page.blank()
            node_table(page, one.nodes, region)
        page.blank()
        _answers(page, one.answers)
        _existing(page, one)
        page.bullets("Given up", [_given_up(g.what, g.pods) for g in one.given_up], WARN)
        page.bullets("Without spot", one.spot, WARN)
        _candidates(page, one.nodes)
    return page.text(colour=colour)


def _summary(page: Page, one: Explanation) -> None:
    where = f"{one.on_new_nodes:,} on new nodes, {one.on_existing:,} on nodes that are there"
    page.line("pods".ljust(_LABEL), (f"{one.pods:,}", HEADING), f": {where}")
    page.line("pending".ljust(_LABEL), (f"{one.waiting:,}", BAD) if one.waiting else ("none", GOOD))
    for pending in one.pending:
        page.paragraph(pending.reason, first="because".ljust(_LABEL), indent=_LABEL, style=BAD)
        if pending.remedy:
            page.paragraph(pending.remedy, first="helps".ljust(_LABEL), indent=_LABEL, style=GOOD)
    if one.price is not None:
        page.line("price".ljust(_LABEL), f"${per_hour(one.price)} per hour is its part of its nodes' price")
    if one.least is not None and one.gap is not None and one.price:
        text = f"${per_hour(one.least)} per hour, if its pods filled the types that suit them best to the last byte"
        page.paragraph(text, first="least".ljust(_LABEL), indent=_LABEL)
        page.line("gap".ljust(_LABEL), f"${per_hour(one.gap)} per hour, {percent(one.gap / one.price)} of the price")


def _answers(page: Page, answers: Sequence[Answer]) -> None:
    """What each NodePool said, in the order in which they are asked."""
    page.line(("NodePools in the order in which they are asked", HEADING))
    for answer in answers:
        weight = f", weight {answer.weight}" if answer.weight else ""
        took = (f"takes {counted(answer.took, 'pod')}", GOOD) if answer.took else ("takes none", WARN)
        page.line("  ", shorten(answer.node_pool, page.width // 2), weight, ": ", took)
        if answer.refusal:
            page.paragraph(answer.refusal, first="      ", indent=6)
        if answer.remedy:
            page.paragraph(answer.remedy, first="      helps: ", indent=13, style=GOOD)
        for step in answer.narrowing:
            page.line("      ", (f"{step.types:>5,} types {step.step}", QUIET))


def _existing(page: Page, one: Explanation) -> None:
    """The nodes that are there: what they take, and why others of them take nothing."""
    if not one.existing and not one.refusing:
        return
    page.blank()
    page.line(("Nodes that are there", HEADING))
    for name, pods in one.existing[:_NAMED]:
        page.line(f"  {short_name(name)}: {counted(pods, 'pod')}")
    if more := one.existing[_NAMED:]:
        page.line(f"  and {counted(len(more), 'more node')}")
    for reason, nodes in one.refusing[:_NAMED]:
        page.paragraph(reason, first=f"  {counted(nodes, 'node')} not: ", indent=6, style=QUIET)


def _given_up(what: str, pods: int) -> str:
    return f"{what}, by {counted(pods, 'pod')}" if pods else f"{what}, in vain"


def _candidates(page: Page, nodes: Sequence[PlannedNode]) -> None:
    """The cheapest types that the nodes may become, so that the choice can be seen; once for nodes with the same choice."""
    for told in dict.fromkeys(_choice(node) for node in nodes if len(node.candidates) > 1):
        page.blank()
        page.paragraph(told, style=QUIET)


def _choice(node: PlannedNode) -> str:
    shown = [_priced(c.instance_type, c.price, c.capacity_type) for c in node.candidates[:_CANDIDATES]]
    more = len(node.candidates) - len(shown)
    text = ", ".join(shown) + (f", and {counted(more, 'other')}" if more else "")
    return f"NodePool {node.node_pool}: {counted(len(node.candidates), 'type')} for these pods, cheapest first: {text}"


def _priced(name: str, price: float | None, capacity_type: str) -> str:
    return f"{name} {capacity_type}" + (f" ${per_hour(price)}" if price is not None else "")
