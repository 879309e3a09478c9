"""The controller's documents for one cluster, derived from the table of permissions, and checks of their sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cutlist.core.errors import Place, Problem
from cutlist.core.karpenter.versions import Minor
from cutlist.infrastructure.iam.choices import Choices, Discovery
from cutlist.infrastructure.iam.documents import (
    INLINE_POLICIES_LIMIT,
    MANAGED_POLICY_LIMIT,
    Condition,
    Document,
    Statement,
)
from cutlist.infrastructure.iam.rows import ROWS
from cutlist.infrastructure.iam.table import Part, Row, filled
from cutlist.infrastructure.names import ClusterFacts


def controller_documents(facts: ClusterFacts, version: Minor, choices: Choices) -> dict[Part, Document]:
    """Return the controller's permissions, one document per part; a part without permissions is left out."""
    by_part: dict[Part, tuple[Statement, ...]] = {}
    for row in ROWS:
        statement = statement_of(row, facts, version, choices)
        if statement:
            by_part[row.part] = (*by_part.get(row.part, ()), statement)
    return {part: Document(statements) for part, statements in by_part.items()}


def statement_of(row: Row, facts: ClusterFacts, version: Minor, choices: Choices) -> Statement | None:
    """Return the statement of one row for a cluster, or None if its controller needs nothing from it."""
    if not row.when.applies(version, choices.features):
        return None
    granted = [action.name for action in row.actions if action.when.applies(version, choices.features)]
    reached = [reach for reach in row.reach if reach.when.applies(version, choices.features)]
    resources = tuple(arn for reach in reached for arn in reach.resources(facts, choices))
    if not granted or not resources:
        return None
    discovery = choices.discovery or Discovery("karpenter.sh/discovery", facts.cluster)
    conditions = tuple(_condition(condition, facts, discovery) for condition in row.conditions)
    return Statement(row.sid, tuple(granted), resources, conditions)


def managed_size_problems(documents: Mapping[Part, Document]) -> Iterator[Problem]:
    """Yield a problem for each document that is too long for a managed policy."""
    for part, document in documents.items():
        if document.size > MANAGED_POLICY_LIMIT:
            yield _too_long(f"the document {part} has {document.size} characters", MANAGED_POLICY_LIMIT)


def inline_size_problems(documents: Mapping[Part, Document]) -> Iterator[Problem]:
    """Yield a problem if the documents together are too long for the inline policies of one role."""
    total = sum(document.size for document in documents.values())
    if total > INLINE_POLICIES_LIMIT:
        yield _too_long(f"the documents have {total} characters as inline policies", INLINE_POLICIES_LIMIT)


def _too_long(message: str, limit: int) -> Problem:
    allowed = f"at most {limit} without whitespace: fewer ARNs or extra statements, or features that are switched off"
    return Problem(Place(path="policies"), message, allowed)


def _condition(condition: Condition, facts: ClusterFacts, discovery: Discovery) -> Condition:
    values = tuple(filled(value, facts, discovery) for value in condition.values)
    return replace(condition, key=filled(condition.key, facts, discovery), values=values)
