"""Mistakes as JSON, one entry each with its place taken apart, and what edits of objects do to nodes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from cutlist.core.errors import Problem
from cutlist.report.diff.json import drifted_rows

if TYPE_CHECKING:
    from cutlist.answers.validate import Validation
    from cutlist.disruption.edits import Edit

VERSION: Final = 1


def problems_json(checked: Validation) -> str:
    """All mistakes, how many objects of each kind were looked at, and what edits do to nodes."""
    data = {
        "version": VERSION,
        "checked": dict(checked.kinds),
        "problems": [_row(p) for p in checked.problems],
        "edits": [_edit(e) for e in checked.edits],
        "drifted": drifted_rows(checked.drifted),
    }
    return json.dumps(data, indent=2) + "\n"


def _edit(edit: Edit) -> dict[str, Any]:
    """`drifts` is all, some, unknown or none: the nodes of the object that an edit has replaced."""
    members = [{"path": m.path, "drifts": str(m.reach), "which": m.which or None} for m in edit.members]
    place = {"file": edit.place.source or None, "document": edit.place.document or None, "line": edit.place.line or None}
    return {"kind": edit.kind, "name": edit.name, **place, "drifts": str(edit.reach), "members": members}


def _row(problem: Problem) -> dict[str, Any]:
    """Members that say nothing are null; `layer` is schema, rule, runtime or lint."""
    place = problem.place
    return {
        "file": place.source or None,
        "document": place.document or None,
        "line": place.line or None,
        "path": place.path or None,
        "layer": str(problem.layer) or None,
        "message": problem.message,
        "allowed": problem.allowed or None,
        "nearest": problem.nearest or None,
    }
