"""A requirement of a node in JSON, as a NodeClaim writes it."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

from cutlist.core.records import SPARSE, Count, Form, form_of
from cutlist.core.requirement import Expression
from cutlist.core.shapes import Report


class _Requirement(NamedTuple):
    key: str
    operator: str
    values: Annotated[tuple[str, ...] | None, SPARSE]
    min_values: Annotated[Count | None, SPARSE]


_REQUIREMENT: Final = form_of(_Requirement)


def _written(expression: Expression) -> _Requirement:
    return _Requirement(expression.key, expression.operator, expression.values or None, expression.min_values)


def _read(raw: Any, path: str, report: Report) -> Expression | None:
    record = _REQUIREMENT(raw, path, report)
    return record and Expression(record.key, record.operator, record.values or (), record.min_values)


NodeRequirement = Annotated[Expression, Form(_read, _REQUIREMENT.schema, write=_REQUIREMENT.through(_written).write)]
"""A requirement of a node; empty members are left out."""
