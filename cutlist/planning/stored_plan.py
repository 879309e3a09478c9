"""Stored plans: the file of `cutlist plan -o json` or `-o yaml`, or of `cutlist preview`, read back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.documents.files import STDIN, file_text, sources, stdin_text
from cutlist.documents.parsing import parse_values
from cutlist.planning.model import Plan

_WANTED: Final = "one plan, as `cutlist plan -o json` writes it"


def read_plan(path: str | os.PathLike[str], stdin: str | bytes | None = None) -> Plan:
    """Return the plan in a file, or in standard input if `path` is `-`; of a preview the first of its plans.

    Raises InputError, naming the file, when it contains no readable plan.
    """
    problems, name = Problems(), sources([path])
    text = stdin_text(stdin, problems) if os.fspath(path) == STDIN else file_text(path, problems)
    documents = parse_values(text, name, problems) if text and not text.isspace() else ()
    values = [value for value in documents if value is not None]
    problems.raise_if_any()
    if len(values) != 1:
        contents = f"{len(values)} documents" if values else "nothing"
        raise InputError.one(Place(name), f"holds {contents}", _WANTED)
    plans = values[0].get("plans") if isinstance(values[0], Mapping) else None
    plan: Any = plans[0] if isinstance(plans, list) and plans else values[0]
    if not isinstance(plan, Mapping) or "version" not in plan:
        raise InputError.one(Place(name), "has no plan", _WANTED)
    try:
        return Plan.from_dict(plan)
    except InputError as error:
        raise InputError([_in_file(name, problem) for problem in error.problems]) from None


def _in_file(name: str, problem: Problem) -> Problem:
    return Problem(Place(name, path=problem.place.path), problem.message, problem.allowed or _WANTED, problem.nearest)
