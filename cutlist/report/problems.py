"""Mistakes as JSON: one entry each, with its place taken apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from cutlist.errors import Problem


def problems_json(problems: Sequence[Problem], checked: Mapping[str, int]) -> str:
    """All mistakes, and how many objects of each kind were looked at."""
    return json.dumps({"checked": dict(checked), "problems": [_row(p) for p in problems]}, indent=2) + "\n"


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
