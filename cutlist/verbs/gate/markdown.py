"""A plan and its gates as one comment on a change request."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import Plan, Totals
from cutlist.policy.gates import Judgement, Report, Verdict
from cutlist.report.markup import folded, table, words
from cutlist.report.plain import hourly, per_month
from cutlist.report.price_sources import price_parts
from cutlist.verbs.gate.text import rules_on_objects, sections

MARK: Final = "<!-- cutlist gate -->"
"""Begins each comment, so that the next run finds and renews it."""
LONGEST: Final = 60_000  # characters; hosts refuse comments of more than 65,536
_OPEN: Final = ("stopping", "advisory")  # sorts of outcomes that are not folded
_CELL: Final = 2_000  # columns of a name, or of a finding with its advice, which is shown in full


def gate_markdown(report: Report, plans: Sequence[Plan] = ()) -> str:
    """Return a headline, the nodes and their price, and a table for each sort of outcome. Ends in a newline."""
    headline = "passed" if report.has_passed else f"stopped by {counted(report.counts['stopping'], 'violation')}"
    lines = [MARK, f"### Cutlist: {headline}", ""]
    for plan in plans:
        lines += _plan(plan)
    for sort, heading, listed in sections(report):
        lines += _outcomes(heading, listed, is_folded=sort not in _OPEN)
    off = f"; switched off: {', '.join(report.off)}" if report.off else ""
    lines.append(f"{rules_on_objects(report)}, environment {_cell(report.environment)}{off}.")
    return _bounded("\n".join(lines) + "\n")


def _plan(plan: Plan) -> list[str]:
    rows = []
    for pool, nodes in groupby(plan.nodes, key=lambda node: node.node_pool):
        listed = list(nodes)
        kinds = ", ".join(f"{node.count} × {node.instance_type} {node.capacity_type}" for node in listed)
        rows.append([_cell(pool), _cell(kinds), *_prices(Totals.of(listed, ()))])
    rows.append([f"**{counted(plan.totals.nodes, 'node')}**", "", *_prices(plan.totals)])
    lines = table(["NodePool", "nodes", ">$/hour", ">$/month"], rows)
    if parts := price_parts(plan.totals):
        lines += ["", f"The price: {', '.join(parts)}."]
    for pending in plan.pending:
        lines += ["", f"**{counted(pending.count, 'pod')} of {_cell(pending.workload)} pending**: {_cell(pending.reason)}"]
    return [*lines, ""]


def _prices(totals: Totals) -> tuple[str, str]:
    if totals.price_per_hour is None or totals.price_per_month is None:
        return "unknown", "unknown"
    more = ("\\*" if totals.estimated_part else "") + (" +" if totals.unpriced_nodes else "")
    return hourly(totals.price_per_hour) + more, per_month(totals.price_per_month) + more


def _outcomes(heading: str, outcomes: list[Judgement], *, is_folded: bool) -> list[str]:
    title = f"{heading} ({len(outcomes)})"
    rows = [[outcome.rule, _cell(outcome.about), _cell(_finding(outcome)), _cell(str(outcome.place))] for outcome in outcomes]
    listed = table(["rule", "object", "finding", "where"], rows)
    return folded(title, listed) if is_folded else [f"**{title}**", "", *listed, ""]


def _finding(outcome: Judgement) -> str:
    if outcome.verdict is Verdict.UNKNOWN:
        return outcome.found
    if outcome.verdict is Verdict.EXEMPT:
        return f"{outcome.found}; {outcome.note}"
    return f"{outcome.found}; allowed: {outcome.allowed}. {outcome.advice}"


def _cell(text: str) -> str:
    return words(text, _CELL)


def _bounded(text: str) -> str:
    """Return a text that hosts accept: whole lines, and a note on what is left out."""
    if len(text) <= LONGEST:
        return text
    kept = text[:LONGEST].rpartition("\n")[0]
    open_fold = "\n\n</details>" if kept.count("<details>") > kept.count("</details>") else ""
    return f"{kept}{open_fold}\n\nThe rest does not fit into a comment; see the log.\n"
