"""Mistakes as JSON, one entry each with its place in parts, and the effects of edits of objects on nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.api import MissingClass
from cutlist.core.errors import Layer, Problem
from cutlist.core.ledger import Inputs
from cutlist.core.notes import Note
from cutlist.core.records import CountOrNull, Counts, TextOrNull, about, json_of
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.edits import ObjectEdit, Reach
from cutlist.verbs.validate.answer import Validation

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class ProblemRecord:
    """A mistake: where it is, what is wrong, and what would be right."""

    file: TextOrNull
    document: CountOrNull
    line: CountOrNull
    path: TextOrNull
    layer: Annotated[Layer | None, about("Who refuses it.")]
    message: str
    allowed: TextOrNull
    nearest: TextOrNull


@dataclass(frozen=True, slots=True)
class _MissingClass:
    kind: str
    name: str
    node_pool: str
    file: TextOrNull
    document: CountOrNull
    line: CountOrNull
    nearest: TextOrNull


@dataclass(frozen=True, slots=True)
class _Member:
    path: str
    drifts: Reach
    which: TextOrNull


@dataclass(frozen=True, slots=True)
class _Edit:
    kind: str
    name: str
    file: TextOrNull
    document: CountOrNull
    line: CountOrNull
    drifts: Annotated[Reach, about("Which nodes of the object are replaced.")]
    members: tuple[_Member, ...]


@dataclass(frozen=True, slots=True)
class ValidationRecord:
    """What is wrong in manifests, and which nodes their edits replace."""

    version: Literal[1]
    checked: Annotated[Counts, about("How many objects of each kind were looked at.")]
    passed_over: Annotated[Counts, about("How many objects of other kinds there are: nothing was looked at in them.")]
    problems: tuple[ProblemRecord, ...]
    missing_classes: Annotated[tuple[_MissingClass, ...], about("Node classes that NodePools refer to and that are elsewhere.")]
    edits: Annotated[tuple[_Edit, ...], about("What differs from the objects as they were.")]
    drifted: tuple[DriftedNode, ...]
    notes: Annotated[tuple[Note, ...], about("What of the folders was not read.")]
    warnings: Annotated[
        tuple[Note, ...], about("Values that no known type or zone has, and classes that are not ready, now or later.")
    ]
    inputs: Annotated[Inputs | None, about("What of the files was read, passed over and left open.")]


def validate_json(validation: Validation) -> str:
    """Return all mistakes, how many objects of each kind were checked, and the effects of edits on nodes."""
    record = ValidationRecord(
        version=VERSION,
        checked=validation.kinds,
        passed_over=validation.passed_over,
        problems=tuple(problem_record(problem) for problem in validation.problems),
        missing_classes=tuple(_missing_class(missing) for missing in validation.missing_classes),
        edits=tuple(_edit(edit) for edit in validation.edits),
        drifted=validation.drifted,
        notes=validation.notes,
        warnings=validation.warnings,
        inputs=validation.inputs,
    )
    return json_of(record)


def _missing_class(missing: MissingClass) -> _MissingClass:
    place, near = missing.place, missing.problem().nearest
    return _MissingClass(missing.kind, missing.name, missing.pool, place.source, place.document, place.line, near)


def _edit(edit: ObjectEdit) -> _Edit:
    return _Edit(
        kind=edit.kind,
        name=edit.name,
        file=edit.place.source,
        document=edit.place.document,
        line=edit.place.line,
        drifts=edit.reach,
        members=tuple(_Member(member.path, member.reach, member.which) for member in edit.members),
    )


def problem_record(problem: Problem) -> ProblemRecord:
    """Return a mistake as a record."""
    place = problem.place
    return ProblemRecord(
        file=place.source,
        document=place.document,
        line=place.line,
        path=place.path,
        layer=Layer(problem.layer) if problem.layer else None,
        message=problem.message,
        allowed=problem.allowed,
        nearest=problem.nearest,
    )
