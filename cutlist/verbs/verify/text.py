"""What happened to a plan, as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cutlist.core.quantity import memory
from cutlist.core.wording import counted
from cutlist.report.page import BAD, GOOD, HEADING, QUIET, WARN, Page
from cutlist.report.plain import escape, short_name
from cutlist.verification.verdicts import ExplainedDeviation, NodeOutcome, NodeVerdict, Verification

_HEADINGS: Final = {
    NodeOutcome.DIFFERENT: "Different",
    NodeOutcome.MISSING: "Missing",
    NodeOutcome.UNPLANNED: "Unplanned",
    NodeOutcome.AS_PLANNED: "As planned, with other amounts for pods",
}
_NAMES: Final = 3  # of nodes that differ alike


def render_verify(answer: Verification, width: int = 100, colour: bool = False) -> str:
    """Return what differs with its causes, equal differences once, and how many nodes are as planned. Ends in a newline."""
    page = Page(width)
    for outcome, heading in _HEADINGS.items():
        groups = [group for group in answer.alike if group[0].outcome is outcome and group[0].findings]
        if groups:
            page.line((heading, HEADING))
            for group in groups:
                _group(page, group)
            page.blank()
    _causes(page, answer)
    _memory(page, answer)
    _apart(page, answer)
    running = f"; Karpenter {answer.running} runs" if answer.running else ""
    planned_for = " ".join(filter(None, (answer.region, f"with Karpenter {answer.karpenter}" if answer.karpenter else "")))
    page.paragraph(f"{answer.summary}, in {escape(planned_for)}{running}.", style=HEADING)
    if answer.unexplained:
        page.paragraph(f"{counted(len(answer.unexplained), 'difference')} without a known cause.", style=BAD)
    elif answer.findings:
        page.paragraph("Each difference has a cause.", style=GOOD)
    return page.text(colour=colour)


def _group(page: Page, group: Sequence[NodeVerdict]) -> None:
    first = group[0]
    times = f"{len(group):,} × " if len(group) > 1 else ""
    names = [short_name(verdict.node.name) for verdict in group if verdict.node is not None]
    others = f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else ""
    where = f" ({', '.join(names[:_NAMES])}{others})" if names else ""
    page.paragraph(f"{times}{first.planned_text or first.node_text}{where}", first="  ")
    for finding in first.findings:
        _finding(page, finding)


def _finding(page: Page, finding: ExplainedDeviation) -> None:
    page.paragraph(finding.deviation.text, first="    ", style="" if finding.causes else WARN)
    for named in finding.causes:
        page.paragraph(f"{named.cause.id}: {named.because}", first="      ", style=QUIET)
    if not finding.causes:
        page.paragraph("no known cause", first="      ", style=BAD)


def _causes(page: Page, answer: Verification) -> None:
    """Add what to do about each cause that is named."""
    if not answer.explaining:
        return
    page.line(("Causes", HEADING))
    for cause in answer.explaining:
        to_do = f"{cause.remedy[:1].upper()}{cause.remedy[1:]}"
        page.paragraph(f"{cause.title}. {to_do}.", first=f"  {cause.differences:>4}  {cause.id}: ", indent=8)
    page.blank()


def _memory(page: Page, answer: Verification) -> None:
    """Add the memory that machines report, in the form of a document of kind Figures."""
    if not answer.memory:
        return
    page.line(("What machines have, for a document of kind Figures", HEADING))
    page.paragraph(
        ", ".join(f"{name}: {memory(amount)}" for name, amount in answer.memory.items()), first="  memory: {", indent=4
    )
    page.lines[-1].append(("}", ""))
    page.blank()


def _apart(page: Page, answer: Verification) -> None:
    before, foreign = answer.nodes.before, answer.nodes.foreign
    texts = [f"{counted(before, 'node')} that {'was' if before == 1 else 'were'} there before"] if before else []
    texts += [f"{counted(foreign, 'node')} that Karpenter does not manage"] if foreign else []
    if texts:
        page.paragraph(f"Not compared: {', '.join(texts)}.", style=QUIET)
