"""Why a workload gets its nodes, as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import CandidateType, PlannedNode
from cutlist.planning.model.explanation import Answer, Explanation, Explanations
from cutlist.report.estimates import Money
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import percent, short_name, shorten
from cutlist.report.price_sources import candidate_price_sources, disk_sources, price_footnote
from cutlist.report.restrictions import restriction_section
from cutlist.verbs.explain.words import part_of_nodes
from cutlist.verbs.plan.gang_words import gang_line
from cutlist.verbs.plan.node_table import node_table

_LABEL: Final = 9
_NAMED: Final = 10  # existing nodes shown by name
_CANDIDATES: Final = 5  # types shown with their price


def render_explain(answer: Explanations, width: int = 100, colour: bool = False) -> str:
    """Return the explanations as text of at most `width` columns; with colour as ANSI codes. Ends in a newline."""
    page, explanations, region = Page(width), answer.explanations, answer.region
    for explanation in explanations:
        page.blank()
        besides = f" ({explanation.controller})" if len(explanations) > 1 else ""
        page.line((explanation.workload, HEADING), f" in {region}{besides}")
        page.blank()
        _summary(page, explanation)
        if explanation.nodes:
            page.blank()
            node_table(page, explanation.nodes, region)
        page.blank()
        _answers(page, explanation.answers)
        _existing(page, explanation)
        if explanation.restrictions is not None:
            restriction_section(page, explanation.restrictions)
        page.bullets("Given up", [_given_up(g.what, g.pods) for g in explanation.given_up], WARN)
        page.bullets("Without spot", explanation.spot, WARN)
        _candidates(page, explanation.nodes)
    nodes = [node for explanation in explanations for node in explanation.nodes]
    estimated, others = candidate_price_sources(nodes)
    if estimated or others:
        page.blank()
        price_footnote(page, estimated, others, answer.price_age, disk_sources(nodes))
    return page.text(colour=colour)


def _summary(page: Page, explanation: Explanation) -> None:
    where = f"{explanation.on_new_nodes:,} on new nodes, {explanation.on_existing:,} on existing nodes"
    page.line("pods".ljust(_LABEL), (f"{explanation.pods:,}", HEADING), f": {where}")
    page.line("pending".ljust(_LABEL), (f"{explanation.waiting:,}", BAD) if explanation.waiting else ("none", GOOD))
    for pending in explanation.pending:
        page.paragraph(pending.reason, first="because".ljust(_LABEL), indent=_LABEL, style=BAD)
        if pending.remedy:
            page.paragraph(pending.remedy, first="helps".ljust(_LABEL), indent=_LABEL, style=GOOD)
    for gang in explanation.incomplete_gangs:
        line = gang_line(gang, part_of_nodes(explanation, gang.price_per_hour or 0.0))
        page.paragraph(line, first="gang".ljust(_LABEL), indent=_LABEL, style=BAD)
    if explanation.price is not None:
        share = part_of_nodes(explanation, explanation.price)
        span = f" ({share.month_span()} a month)" if share.of is not None else ""
        page.paragraph(f"{share.month_and_hour()}{span}: its share of its nodes", first="price", indent=_LABEL)
    if explanation.least is not None and explanation.gap is not None and explanation.price:
        least, gap = (part_of_nodes(explanation, of).month_and_hour() for of in (explanation.least, explanation.gap))
        page.paragraph(f"{least}, on the best types and without idle capacity", first="least", indent=_LABEL)
        part = percent(explanation.gap / explanation.price)
        page.paragraph(f"{gap}, {part} of the price", first="gap", indent=_LABEL)


def _answers(page: Page, answers: Sequence[Answer]) -> None:
    """Add the answer of each NodePool, in the order in which they are tried."""
    page.line(("NodePools in the order in which Karpenter tries them", HEADING))
    for answer in answers:
        weight = f", weight {answer.weight}" if answer.weight else ""
        pods = (f"takes {counted(answer.took, 'pod')}", GOOD) if answer.took else ("takes none", WARN)
        page.line("  ", shorten(answer.node_pool, page.width // 2), weight, ": ", pods)
        if answer.refusal:
            page.paragraph(answer.refusal, first="      ", indent=6)
        if answer.remedy:
            page.paragraph(answer.remedy, first="      helps: ", indent=13, style=GOOD)
        for step in answer.narrowing:
            page.line("      ", (f"{step.types:>5,} types {step.step}", QUIET))


def _existing(page: Page, explanation: Explanation) -> None:
    """Add the existing nodes: what they accept, and why others accept nothing."""
    if not explanation.existing and not explanation.refusing:
        return
    page.blank()
    page.line(("Existing nodes", HEADING))
    for name, pods in explanation.existing[:_NAMED]:
        page.line(f"  {short_name(name)}: {counted(pods, 'pod')}")
    if more := explanation.existing[_NAMED:]:
        page.line(f"  and {counted(len(more), 'more node')}")
    for reason, nodes in explanation.refusing[:_NAMED]:
        page.paragraph(reason, first=f"  {counted(nodes, 'node')} not: ", indent=6, style=QUIET)


def _given_up(what: str, pods: int) -> str:
    return f"{what}, by {counted(pods, 'pod')}" if pods else f"{what}, without success"


def _candidates(page: Page, nodes: Sequence[PlannedNode]) -> None:
    """Add the cheapest types that the nodes may become, so that the choice is visible; once for nodes with the same choice."""
    for text in dict.fromkeys(_choice(node) for node in nodes if len(node.candidates) > 1):
        page.blank()
        page.paragraph(text, style=QUIET)


def _choice(node: PlannedNode) -> str:
    shown = [_priced(c) for c in node.candidates[:_CANDIDATES]]
    more = len(node.candidates) - len(shown)
    text = ", ".join(shown) + (f", and {counted(more, 'other')}" if more else "")
    return f"NodePool {node.node_pool}: {counted(len(node.candidates), 'type')} for these pods, cheapest first: {text}"


def _priced(candidate: CandidateType) -> str:
    price = "" if candidate.price is None else f" {Money.of_price(candidate.price).hour()}"
    return f"{candidate.instance_type} {candidate.capacity_type}{price}{_disk(candidate)}"


def _disk(candidate: CandidateType) -> str:
    """Return the OS disk of a type and what it adds to the price, where that depends on the type."""
    if candidate.os_disk is None:
        return ""
    if candidate.os_disk.placement:
        return f" (OS disk ephemeral, {candidate.os_disk.in_short})"
    price = "of unknown price" if candidate.disk_price is None else f"+{Money.of_price(candidate.disk_price).hour()}"
    return f" ({price} for its OS disk, {candidate.os_disk.billed_as or 'a managed disk'})"
