"""The differences between two sides, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from cutlist.core.records import FLAT, Count, Instant, TextOrNull, about, json_of
from cutlist.disruption.drifted_nodes import DriftedNode
from cutlist.disruption.edits import ObjectEdit, Reach
from cutlist.disruption.reasons import Reason
from cutlist.disruption.rollout import Turn
from cutlist.planning.model.changes import Change
from cutlist.planning.model.comparison import Comparison
from cutlist.verbs.diff.answer import Difference
from cutlist.verbs.diff.nodes import BlastRadius
from cutlist.verbs.diff.objects import ChangedField, ObjectChange
from cutlist.verbs.diff.words import field_value


@dataclass(frozen=True, slots=True)
class DriftedRecord:
    """A NodeClaim that drifts, and why."""

    node_claim: str
    node_pool: str
    reason: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Member:
    path: str
    nodes: Reach
    which: TextOrNull


@dataclass(frozen=True, slots=True)
class _Edit:
    kind: str
    name: str
    nodes: Reach
    members: tuple[_Member, ...]


@dataclass(frozen=True, slots=True)
class _Deleted:
    node_pool: str
    node_claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Turn:
    node: str
    node_claim: str
    node_pool: str
    drifted: str
    budget: Reason
    expires: Annotated[bool, about("Whether its age ends it before its turn.")]
    starts: Instant | None
    gone_at_the_earliest: Instant | None
    gone_by: Instant | None
    why: TextOrNull


@dataclass(frozen=True, slots=True)
class _Drift:
    at: Instant
    nodes: Count
    edits: tuple[_Edit, ...]
    replaced: tuple[DriftedRecord, ...]
    possible: tuple[DriftedRecord, ...]
    before: tuple[DriftedRecord, ...]
    spared: tuple[str, ...]
    deleted: tuple[_Deleted, ...]
    order: Annotated[tuple[_Turn, ...], about("The earliest possible instants.")]
    done_at_the_earliest: Instant | None


@dataclass(frozen=True, slots=True)
class _Field:
    path: str
    before: Annotated[str | None, about("A text as it is, all else as JSON; null where it is not there.")]
    after: Annotated[str | None, about("As `before`.")]
    nodes: Reach
    rule: Annotated[TextOrNull, about("The reason with which Karpenter replaces nodes.")]
    which: TextOrNull


@dataclass(frozen=True, slots=True)
class _Object:
    kind: str
    namespace: TextOrNull
    name: str
    change: Change
    nodes: Annotated[Reach, about("Which of its nodes are replaced.")]
    fields: tuple[_Field, ...]


@dataclass(frozen=True, slots=True)
class _Scope:
    workloads: bool
    node_pools: bool


@dataclass(frozen=True, slots=True)
class _Scopes:
    old: _Scope
    new: _Scope


@dataclass(frozen=True, slots=True)
class DifferenceRecord:
    """What is different between two sides, and which nodes are replaced by it."""

    old: str
    new: str
    comparison: Annotated[Comparison, FLAT]
    same: bool
    scope: Annotated[_Scopes, about("What each side has: without it plans cannot be compared.")]
    objects: Annotated[tuple[_Object, ...] | None, about("Every field that changes; null where a side is a plan in a file.")]
    drift: Annotated[_Drift | None, about("Null without nodes of a cluster.")]


def diff_json(difference: Difference) -> str:
    """Return the difference as indented JSON that ends in a newline. Prices are USD/hour, instants in UTC."""
    record = DifferenceRecord(
        old=difference.before,
        new=difference.after,
        comparison=difference.comparison,
        same=difference.is_none,
        scope=_Scopes(*(_Scope(scope.workloads, scope.node_pools) for scope in difference.scopes)),
        objects=None if difference.objects is None else tuple(map(_object, difference.objects)),
        drift=None if difference.blast is None else _drift(difference.blast),
    )
    return json_of(record)


def drifted_records(nodes: Iterable[DriftedNode]) -> tuple[DriftedRecord, ...]:
    """Return NodeClaims that drift, each with the reason."""
    return tuple(DriftedRecord(node.claim, node.node_pool, str(node.reason), node.members) for node in nodes)


def _drift(blast: BlastRadius) -> _Drift:
    return _Drift(
        at=blast.now,
        nodes=blast.managed,
        edits=tuple(_edit(edit) for edit in blast.edits),
        replaced=drifted_records(blast.replaced),
        possible=drifted_records(blast.possible),
        before=drifted_records(blast.before),
        spared=blast.spared,
        deleted=tuple(_Deleted(pool, tuple(claims)) for pool, claims in blast.deleted.items()),
        order=tuple(_turn(turn) for turn in blast.rollout.turns),
        done_at_the_earliest=blast.rollout.done,
    )


def _edit(edit: ObjectEdit) -> _Edit:
    members = tuple(_Member(member.path, member.reach, member.which) for member in edit.members)
    return _Edit(edit.kind, edit.name, edit.reach, members)


def _object(change: ObjectChange) -> _Object:
    return _Object(
        kind=change.kind,
        namespace=change.namespace,
        name=change.name,
        change=change.change,
        nodes=change.reach,
        fields=tuple(map(_field, change.fields)),
    )


def _field(field: ChangedField) -> _Field:
    before, after = (None if value is None else field_value(value) for value in (field.before, field.after))
    return _Field(field.path, before, after, field.reach, field.rule, field.which)


def _turn(turn: Turn) -> _Turn:
    return _Turn(
        node=turn.node,
        node_claim=turn.claim,
        node_pool=turn.pool,
        drifted=turn.drift,
        budget=turn.reason,
        expires=turn.expires,
        starts=turn.starts,
        gone_at_the_earliest=turn.ends,
        gone_by=turn.latest,
        why=turn.why,
    )
