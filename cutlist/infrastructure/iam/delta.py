"""The difference between the permissions of two sets of documents, for upgrades and for documents from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cutlist.core.karpenter.versions import Minor
from cutlist.infrastructure.iam.choices import Choices
from cutlist.infrastructure.iam.controller import controller_documents
from cutlist.infrastructure.iam.documents import Condition, Document, Effect
from cutlist.infrastructure.names import ClusterFacts


@dataclass(frozen=True, slots=True, order=True)
class Permission:
    """One action on one resource, under the conditions of a statement."""

    sid: str
    action: str
    resource: str
    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return f"{self.action} on {self.resource} ({self.sid})"


@dataclass(frozen=True, slots=True)
class PermissionDelta:
    """Permissions that are added and removed, in order."""

    added: tuple[Permission, ...]
    removed: tuple[Permission, ...]


def upgrade_delta(facts: ClusterFacts, choices: Choices, before: Minor, after: Minor) -> PermissionDelta:
    """Return the permissions that the documents of one controller version grant and those of another do not (spec:
    aws-infrastructure 3.4, 7.7)."""
    old = permissions(controller_documents(facts, before, choices).values())
    new = permissions(controller_documents(facts, after, choices).values())
    return PermissionDelta(tuple(sorted(new - old)), tuple(sorted(old - new)))


def permissions(documents: Iterable[Document]) -> frozenset[Permission]:
    """Return all permissions in the statements that allow."""
    return frozenset(_permissions(documents))


def _permissions(documents: Iterable[Document]) -> Iterator[Permission]:
    for document in documents:
        for statement in document:
            if statement.effect is Effect.ALLOW:
                for action in statement.actions:
                    for resource in statement.resources:
                        yield Permission(statement.sid, action, resource, statement.conditions)
