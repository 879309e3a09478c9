"""The verdict of the gates as a page: what was found, then what changes, or the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cutlist.planning.model import Plan
from cutlist.policy.gates import Judgement
from cutlist.report.html.rendering import render
from cutlist.verbs.diff.html import page_values as values_of_difference
from cutlist.verbs.gate.answer import GateResult
from cutlist.verbs.gate.change import Change
from cutlist.verbs.gate.columns import OPEN, OUTCOMES
from cutlist.verbs.gate.text import rules_on_objects, sections, verdict
from cutlist.verbs.plan.html import page_values as values_of_plan

_PART_OF: Final = "Cutlist: "


class _Section(NamedTuple):
    """The outcomes of a sort, with the id and the heading of their section."""

    id: str
    heading: str
    outcomes: Sequence[Judgement]


def gate_html(result: GateResult) -> str:
    """Return the verdict and every outcome as one page, with the difference from an earlier revision, or with the plan if
    there is just one. What has to be done stands before it, and the rest below. Ends in a newline."""
    report, change = result.report, result.change
    parent, values = _parent(result.plans, change)
    judged = [_Section(sort, heading, listed) for sort, heading, listed in sections(report)]
    return render(
        "gate/page.html.j2",
        parent=parent,
        verdict=f"{_PART_OF}{verdict(report)}",
        has_passed=report.has_passed,
        missing="" if change is None else change.missing,
        to_do=[section for section in judged if section.id in OPEN],
        others=[section for section in judged if section.id not in OPEN],
        outcome_columns=OUTCOMES,
        rules=f"{rules_on_objects(report)}, profile {report.profile}, environment {report.environment}",
        off=report.off,
        **values,
    )


def _parent(plans: Sequence[Plan], change: Change | None) -> tuple[str, Mapping[str, Any]]:
    """Return the page that the verdict is put on top of, with its values."""
    if change is not None and change.difference is not None:
        return "diff/page.html.j2", values_of_difference(change.difference)
    if len(plans) == 1:
        return "plan/page.html.j2", values_of_plan(plans[0])
    return "page.html.j2", {}
