"""Validation of an object by everything that can refuse it: schema, rules, Karpenter's checks and Cutlist's (spec: api-objects
0.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, cast

from cutlist.api.findings import Finding, Hints, Location, Reported, SchemaViolation, Stage, path_of
from cutlist.api.messages import finding_of
from cutlist.api.model import FieldsError, Model, plain_copy, with_empty_texts, without_nulls
from cutlist.api.names import label_findings, name_findings, qualified_findings
from cutlist.api.patterns import QUANTITY
from cutlist.api.rule_table import Row, Transition, broken
from cutlist.api.scale import KIND as SCALE
from cutlist.api.scale import of_scale
from cutlist.api.schema import Schema, SchemaEdit, edited_schema
from cutlist.api.server_messages import reported
from cutlist.api.structure import ABSENT, unreadable, violations, with_defaults
from cutlist.core.errors import Layer
from cutlist.core.identity import SameObject
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour

Manifest = Mapping[str, Any]

_INDEX: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_DEFAULT_NAMESPACE: Final = "default"
_NOT_FATAL: Final = (
    "string_pattern_mismatch",
    "greater_than_equal",
    "less_than_equal",
    "string_too_short",
    "too_short",
    "duplicate",
    "extra_forbidden",
    SCALE,
)
"""Breaches after which the API server still evaluates the rules, since the values have the right type."""


def _nothing(_: Manifest, __: str) -> Iterable[Finding]:
    return ()


def _as_written(manifest: Manifest, _: str) -> Manifest:
    return manifest


def _no_provider(_: Manifest) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Since:
    """A change of a kind in releases with a behaviour. The change also depends on the feature gates that are on."""

    behaviour: Behaviour
    change: Callable[[ObjectKind, frozenset[str]], ObjectKind]


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """A kind with its fields, rules and checks. The functions take an object and the provider, which is the group of its node
    classes. `scale` is the path of the count that the kind's scale subresource reads, which has its own limits; empty without
    one. `edits` are the differences of its CRD from the model. A kind is that of the earliest supported Karpenter; `since` are
    the changes of later ones, and `under` applies them.
    """

    model: type[Model]
    hints: Hints
    rows: Callable[[str], Sequence[Row]]
    runtime: Callable[[Manifest, str], Iterable[Finding]] = _nothing
    lint: Callable[[Manifest, str], Iterable[Finding]] = _nothing
    provider: Callable[[Manifest], str] = _no_provider
    filled: Callable[[Manifest, str], Manifest] = _as_written
    scale: Location = ()
    is_namespaced: bool = False
    edits: tuple[SchemaEdit, ...] = ()
    since: tuple[Since, ...] = ()

    @property
    def schema(self) -> Schema:
        """Return the structural schema of the kind's CRD."""
        return edited_schema(self.model, self.edits)

    def under(self, karpenter: Baseline, gates: frozenset[str] = frozenset()) -> ObjectKind:
        """Return the kind in a Karpenter with these feature gates."""
        return _kind_under(SameObject(self), karpenter, gates)

    def stored(self, manifest: Manifest, provider: str | None = None) -> dict[str, Any]:
        """Return the object as the API server stores it when it is created: with defaults, without nulls and status."""
        group = self.provider(manifest) if provider is None else provider
        written = {key: value for key, value in with_empty_texts(manifest).items() if key != "status"}
        filled: dict[str, Any] = with_defaults(self.schema, self.filled(written, group))
        if isinstance(filled.get("metadata"), dict):
            filled["metadata"] = self._in_its_namespace(filled["metadata"])
        return filled

    def _in_its_namespace(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        if self.is_namespaced:
            return {"namespace": _DEFAULT_NAMESPACE, **metadata}
        return {name: member for name, member in metadata.items() if name != "namespace"}


@lru_cache
def _kind_under(kind: SameObject, karpenter: Baseline, gates: frozenset[str]) -> ObjectKind:
    """Return a kind in a Karpenter. Thousands of objects are of the same few."""
    changed = cast("ObjectKind", kind.of)
    for later in changed.since:
        if karpenter.does(later.behaviour):
            changed = later.change(changed, gates)
    return changed


def with_edit(edit: SchemaEdit) -> Callable[[ObjectKind, frozenset[str]], ObjectKind]:
    """Return the change of a kind that only edits its CRD."""
    return lambda kind, _: replace(kind, edits=(*kind.edits, edit))


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of a validation: the typed fields (None if the structure is wrong), the stored object, and all findings by
    path."""

    fields: Model | None
    stored: dict[str, Any]
    findings: list[Finding]


def validate(kind: ObjectKind, manifest: Manifest, old: Manifest | None = None, provider: str | None = None) -> Validation:
    """Return the validation of an object, or of an update of `old`. Version and kind are assumed to be correct."""
    manifest = with_empty_texts(manifest)
    group = kind.provider(manifest) if provider is None else provider
    before: Any = ABSENT if old is None else kind.stored(old, group)
    stored = kind.stored(manifest, group)
    breaches, kept = _breaches(kind, stored, before)
    fields, structure = _structure(kind, kind.filled(manifest, group), breaches, kept)
    malformed = [breach.loc for breach in breaches if breach.kind not in _NOT_FATAL]
    unfit = [breach.loc for breach in kept if breach.kind == "missing" or _is_type(breach)]
    findings = [*structure, *_metadata(stored), *broken(kind.rows(group), stored, before, (*malformed, *unfit))]
    if not malformed:
        findings += _unreported(findings, _by_controllers(kind, stored, group, kept))
    return Validation(fields, stored, findings)


def refused_changes(kind: ObjectKind, manifest: Manifest, old: Manifest) -> list[Finding]:
    """Return the findings for which an update is refused only because of the earlier state."""
    group = kind.provider(manifest)
    rows = [row for row in kind.rows(group) if isinstance(row, Transition)]
    return list(broken(rows, kind.stored(manifest, group), kind.stored(old, group)))


def _breaches(kind: ObjectKind, stored: Manifest, before: Any) -> tuple[list[SchemaViolation], list[SchemaViolation]]:
    """Return breaches of the schema, and those that an update may leave as they were. Unknown fields may not stay."""
    every = [*violations(kind.schema, stored), *of_scale(kind.scale, stored)]
    if before is ABSENT:
        return every, []
    new = list(violations(kind.schema, stored, before))
    refused = [b for b in every if b in new or b.kind == SCALE or any(line.stage == Stage.STRICT for line in reported(b))]
    return refused, [breach for breach in every if breach not in refused]


def _structure(
    kind: ObjectKind, manifest: Manifest, breaches: Sequence[SchemaViolation], kept: Sequence[SchemaViolation]
) -> tuple[Model | None, list[Finding]]:
    """Return the typed fields, and breaches of the schema. A breach of only the types is reported as Cutlist's. Unknown fields
    are findings, but the rest is still read.
    """
    unknown = [breach.loc for breach in breaches if breach.kind == "extra_forbidden"]
    plain = without_nulls(without_members(manifest, unknown) if unknown else manifest)
    try:
        fields: Model | None = kind.model.of(plain)
        typed: Sequence[SchemaViolation] = ()
    except FieldsError as error:
        fields, typed = None, error.violations
    by_place: dict[str, list[SchemaViolation]] = {}
    for breach in breaches:
        by_place.setdefault(path_of(breach.loc), []).append(breach)
    own = {path_of(violation.loc): violation for violation in reversed(typed)}
    findings = [_of_schema(kind, by_place[path], own.get(path)) for path in by_place]
    known = {*by_place, *(path_of(breach.loc) for breach in kept)}
    findings += [finding_of(violation, kind.model, kind.hints) for path, violation in own.items() if path not in known]
    return fields, sorted(findings, key=lambda finding: _natural(finding.path))


def _of_schema(kind: ObjectKind, breaches: Sequence[SchemaViolation], typed: SchemaViolation | None) -> Finding:
    lines = tuple(line for breach in breaches for line in reported(breach))
    # The types allow the values of every release, the schema those of this one.
    enumerated = next((breach for breach in breaches if breach.kind == "literal_error"), None)
    words = finding_of(enumerated or typed or breaches[0], kind.model, kind.hints)
    return words._replace(layer=Layer.SCHEMA, reported=lines)


def _metadata(stored: Manifest) -> Iterator[Finding]:
    metadata = stored.get("metadata")
    name = metadata.get("name", "") if isinstance(metadata, dict) else ""
    findings = [] if name != "" else [Finding("metadata.name", "is missing and required")]
    if isinstance(name, str):
        findings += name_findings("metadata.name", name)
    labels = metadata.get("labels") if isinstance(metadata, dict) else None
    if isinstance(labels, dict):
        findings += label_findings("metadata.labels", {k: v for k, v in labels.items() if isinstance(v, str)})
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    for key in annotations if isinstance(annotations, dict) else ():
        findings += qualified_findings(f"metadata.annotations.{key}", key.lower())
    for finding in findings:
        yield finding._replace(layer=Layer.SCHEMA, reported=(Reported(finding.path, finding.message, Stage.SCHEMA),))


def _by_controllers(kind: ObjectKind, stored: Manifest, group: str, kept: Sequence[SchemaViolation]) -> Iterator[Finding]:
    """Yield the findings of controllers and of Cutlist. An update leaves `kept` unchanged."""
    body = {key: value for key, value in stored.items() if key != "metadata"}
    unread = [breach for breach in kept if _is_type(breach) or breach.context.get("pattern") == QUANTITY]
    for breach in (*unreadable(kind.schema, body), *unread):
        words = finding_of(breach, kind.model, kind.hints)
        yield words._replace(layer=Layer.RUNTIME, reported=(Reported(words.path, words.message, Stage.TYPED),))
    if all(breach.kind in _NOT_FATAL for breach in kept):
        yield from kind.runtime(stored, group)
        yield from kind.lint(stored, group)


def _is_type(breach: SchemaViolation) -> bool:
    return breach.kind.endswith("_type")


def _unreported(known: Sequence[Finding], more: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings at places without one so far: there, below, or in the list that contains them."""
    every = [finding.path for finding in known]
    of_server = [finding.path for finding in known if finding.layer is not Layer.LINT]
    for finding in more:
        here, within = finding.path, (f"{finding.path}.", f"{finding.path}[")
        paths = every if finding.layer is Layer.LINT else of_server
        if not any(path == here or path.startswith(within) or here.startswith(f"{path}[") for path in paths):
            yield finding


def without_members(manifest: Manifest, locations: Iterable[tuple[int | str, ...]]) -> dict[str, Any]:
    """Return a copy without the members at these places."""
    rest = plain_copy(manifest)
    for *parents, last in locations:
        holder: Any = rest
        for member in parents:
            holder = holder[member]
        holder.pop(last, None)
    return rest


def _natural(path: str) -> list[tuple[int, str]]:
    return [(int(part), "") if _INDEX.fullmatch(part) else (-1, part) for part in re.split(r"[.\[\]]+", path)]
