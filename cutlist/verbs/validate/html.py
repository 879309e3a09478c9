"""The result of a check of manifests as a page: every mistake, what edits replace, what is odd."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from cutlist.core.notes import Note
from cutlist.disruption.drifted_nodes import in_words
from cutlist.disruption.edits import Reach
from cutlist.report.edits import REACH_TEXTS, REACHED_NODES
from cutlist.report.html.rendering import render
from cutlist.verbs.validate.answer import Validation, listed_kinds


@dataclass(frozen=True, slots=True)
class _EditRow:
    """A member that changed: of which object, and which nodes it concerns."""

    object: str
    effect: str
    drifts: bool
    member: str
    reach: str


def validate_html(checked: Validation) -> str:
    """Return the result as one page."""
    missing = (absent.problem() for absent in checked.missing_classes)
    elsewhere = (Note("missing-class", f"{p.place}: {p.message}; it has to be in the cluster") for p in missing)
    drifted = groupby(checked.drifted, key=lambda node: node.node_pool)
    return render(
        "validate/page.html.j2",
        checked=checked,
        kinds=listed_kinds(checked.kinds),
        passed_over=listed_kinds(checked.passed_over),
        edits=list(_edits(checked)),
        drifted=[in_words(pool, list(nodes)) for pool, nodes in drifted],
        warnings=[*checked.warnings, *elsewhere],
    )


def _edits(checked: Validation) -> Iterator[_EditRow]:
    for edit in checked.edits:
        effect, _ = REACH_TEXTS[edit.reach]
        for member in edit.members:
            text = f"{member.path}: {member.which}" if member.which else member.path
            name = f"{edit.kind} {edit.name}"
            yield _EditRow(name, effect, edit.reach is not Reach.NONE, text, REACHED_NODES[member.reach])
