"""The verdict of the gates and a plan, or what a change makes different, as one comment on a change request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.model import Plan, Totals
from cutlist.policy.gates import Judgement, Report, Verdict
from cutlist.report.columns import in_currency, markdown_table
from cutlist.report.markup import folded
from cutlist.report.price_sources import age_lines, price_parts
from cutlist.settings.gate import RULE
from cutlist.verbs.diff.markdown import diff_lines
from cutlist.verbs.gate.change import Change
from cutlist.verbs.gate.columns import OPEN, OUTCOMES, PLANNED, PlannedRow, cell
from cutlist.verbs.gate.text import rules_on_objects, sections, verdict

_NO_NAME: Final = re.compile(r"[^A-Za-z0-9._/-]|--+")
LONGEST: Final = 60_000  # characters; hosts refuse comments of more than 65,536


def mark(name: str = "") -> str:
    """Return the first line of a comment, by which the next run finds and renews it: that of an environment by its name."""
    return f"<!-- {' '.join(('cutlist gate', *([_NO_NAME.sub('_', name)] if name else ())))} -->"


def gate_markdown(report: Report, plans: Sequence[Plan] = (), change: Change | None = None, name: str = "") -> str:
    """Return the verdict, then the nodes and their price or what changes of them, and a table for each sort of outcome.

    `name` is the environment of the project. Ends in a newline.
    """
    of = f" of {cell(name)}" if name else ""
    lines = [mark(name), f"### Cutlist{of}: {verdict(report)}", ""]
    if change is not None and change.difference is not None:
        lines += [*diff_lines(change.difference), ""]
    else:
        lines += [cell(change.missing), ""] if change is not None else []
        lines += [line for plan in plans for line in _plan(plan)]
    for sort, heading, listed in sections(report):
        lines += _outcomes(heading, listed, is_folded=sort not in OPEN)
    off = f"; switched off: {', '.join(report.off)}" if report.off else ""
    lines.append(f"{rules_on_objects(report)}, profile {report.profile}, environment {cell(report.environment)}{off}.")
    if broken := next((outcome.rule for outcome in report.outcomes if outcome.verdict is Verdict.VIOLATED), ""):
        lines.append(f"`cutlist gate {RULE.flag} {broken}` says more of a rule.")
    return _bounded("\n".join(lines) + "\n")


def _plan(plan: Plan) -> list[str]:
    rows = []
    for pool, nodes in groupby(plan.nodes, key=lambda node: node.node_pool):
        listed = list(nodes)
        kinds = ", ".join(f"{node.count} × {node.instance_type} {node.capacity_type}" for node in listed)
        rows.append(PlannedRow(cell(pool), cell(kinds), Totals.of(listed, ())))
    rows.append(PlannedRow(f"**{counted(plan.totals.nodes, 'node')}**", "", plan.totals))
    lines = markdown_table(in_currency(PLANNED, plan.totals.currency or "USD"), rows)
    if parts := price_parts(plan.totals):
        lines += ["", f"The price: {', '.join(parts)}."]
    for pending in plan.pending:
        lines += ["", f"**{counted(pending.count, 'pod')} of {cell(pending.workload)} pending**: {cell(pending.reason)}"]
    return [*lines, *age_lines(plan.shown_age), ""]


def _outcomes(heading: str, outcomes: list[Judgement], *, is_folded: bool) -> list[str]:
    title, listed = f"{heading} ({len(outcomes)})", markdown_table(OUTCOMES, outcomes)
    return folded(title, listed) if is_folded else [f"**{title}**", "", *listed, ""]


def _bounded(text: str) -> str:
    """Return a text that hosts accept: whole lines, and a note on what is left out."""
    if len(text) <= LONGEST:
        return text
    kept = text[:LONGEST].rpartition("\n")[0]
    open_fold = "\n\n</details>" if kept.count("<details>") > kept.count("</details>") else ""
    return f"{kept}{open_fold}\n\nThe rest does not fit into a comment; see the log.\n"
