"""Stored plans: the file of `cutlist plan -o json` or `-o yaml`, read back."""

from __future__ import annotations

import os

from cutlist.core.errors import InputError, Place, Problem, Problems
from cutlist.documents import collect_texts, parse_values
from cutlist.planning.model import Plan

_WANTED = "one plan, as `cutlist plan -o json` writes it"


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Return the plan in a file. Raises InputError, naming the file, when it contains no readable plan."""
    problems = Problems()
    texts = list(collect_texts([path], problems))
    values = [value for text in texts for value in parse_values(text.text, text.source, problems)]
    problems.raise_if_any()
    name = os.fspath(path)
    if len(values) != 1:
        raise InputError.one(Place(name), f"{len(values)} documents are in the file", _WANTED)
    try:
        return Plan.from_dict(values[0])
    except InputError as error:
        raise InputError([_in_file(name, problem) for problem in error.problems]) from None


def _in_file(name: str, problem: Problem) -> Problem:
    return Problem(Place(name, path=problem.place.path), problem.message, problem.allowed or _WANTED, problem.nearest)
