"""The columns of mistakes in manifests, and of what their edits do to nodes."""

from __future__ import annotations

from typing import Final

from cutlist.core.errors import Problem
from cutlist.disruption.edits import MemberEdit, ObjectEdit, Reach
from cutlist.report.columns import Figure, Figures, csv_table, only_csv
from cutlist.report.edits import REACH_TEXTS, REACHED_NODES, member_text
from cutlist.report.markup import code, words
from cutlist.verbs.validate.answer import Validation

Edited = tuple[ObjectEdit, MemberEdit]
"""A member that changed, and its object."""

_PLACE: Final = 160  # columns of a place


def _right(problem: Problem) -> str:
    near = f"did you mean {problem.nearest}?" if problem.nearest else ""
    return words("; ".join(filter(None, (problem.allowed, near))))


_WHERE: Final[Figure[Problem]] = Figure(
    "where", lambda p: str(p.place), markdown=lambda p: code(str(p.place), _PLACE), page_class="w"
)
_WHAT: Final[Figure[Problem]] = Figure(
    "what is wrong",
    lambda p: p.message,
    name="message",
    markdown=lambda p: words(p.message),
    page_class=lambda _: "w bad",
)
_LAYER: Final[Figure[Problem]] = Figure(
    "refused by", lambda p: str(p.layer), name="refused_by", page=lambda p: str(p.layer) or "-"
)
_RIGHT: Final[Figure[Problem]] = Figure("what is right", _right)
MISTAKES: Final[Figures[Problem]] = (_WHERE, _WHAT, _LAYER, _RIGHT)

_CSV: Final[Figures[Problem]] = (
    only_csv("kind", lambda _: "mistake"),
    only_csv("file", lambda p: p.place.source),
    only_csv("document", lambda p: p.place.document),
    only_csv("line", lambda p: p.place.line or None),
    only_csv("path", lambda p: p.place.path),
    _WHAT,
    only_csv("allowed", lambda p: p.allowed),
    only_csv("nearest", lambda p: p.nearest),
    _LAYER,
)

EDITS: Final[Figures[Edited]] = (
    Figure("object", lambda row: f"{row[0].kind} {row[0].name}"),
    Figure(
        "effect",
        lambda row: REACH_TEXTS[row[0].reach][0],
        page_class=lambda row: "" if row[0].reach is Reach.NONE else "warn",
    ),
    Figure("member", lambda row: member_text(row[1]), page_class="w"),
    Figure("concerns", lambda row: REACHED_NODES[row[1].reach]),
)


def csv(checked: Validation) -> str:
    """Return a row for each mistake and each warning."""
    warnings = ({"kind": "warning", "message": note.text} for note in checked.warnings)
    return csv_table(_CSV, checked.problems, warnings)
