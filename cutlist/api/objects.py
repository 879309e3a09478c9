"""The common part of all kinds of objects: how they are read, checked and written back (spec: api-objects 0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol, Self

from cutlist.api.arguments import check_arguments
from cutlist.api.fields import Field
from cutlist.api.findings import Finding
from cutlist.api.late_values import has_late, late_problems, with_stand_ins
from cutlist.api.model import Condition, Model, Texts, as_received, plain_copy, present
from cutlist.api.validation import ObjectKind, validate
from cutlist.api.versions import version_findings
from cutlist.core.errors import InputError, Layer, Place, Problem
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.documents.document import Document

DISCOVERY_TAG: Final = "karpenter.sh/discovery"
_REFUSING: Final = frozenset((Layer.SCHEMA, Layer.RULE))


class Source(Protocol):
    """The origin of an object, which knows where each path of it is written."""

    def at(self, path: str) -> Place:
        """Return the file and line in which the object has a path."""
        ...


@dataclass(frozen=True, slots=True)
class BuiltInPython:
    """The origin of an object that is not from a file: its kind and name take the file's place."""

    kind: str
    name: str

    @staticmethod
    def of(kind: str, manifest: Mapping[str, Any]) -> BuiltInPython:
        """Return the source of a manifest in plain data."""
        metadata = manifest.get("metadata")
        name = metadata.get("name") if isinstance(metadata, Mapping) else None
        return BuiltInPython(kind, name if isinstance(name, str) and not has_late(name) else "")

    def at(self, path: str) -> Place:
        """Return the path behind the object's kind and name."""
        return Place(f"{self.kind}/{self.name}" if self.name else self.kind, path=path)


class ApiObject:
    """A Kubernetes object with its source and its manifest as written. Each kind defines how it reads one."""

    __slots__ = ()

    API_VERSION: ClassVar[str]
    KIND: ClassVar[str]
    _VALIDATED_AS: ClassVar[ObjectKind]
    _source: Source
    _written: dict[str, Any]
    _karpenter: Baseline

    @property
    def source(self) -> Source:
        """Return where the object comes from: a document, or Python."""
        return self._source

    @classmethod
    def read(cls, document: Document, karpenter: Baseline = DEFAULT, gates: frozenset[str] = frozenset()) -> Self:
        """Return the object in a document, checked as this Karpenter does with these feature gates.

        Raises InputError with every mistake, each with file, line and path.
        """
        return cls._of(document.data, document, karpenter, gates)

    @classmethod
    def from_manifest(
        cls, manifest: Mapping[str, Any], karpenter: Baseline = DEFAULT, gates: frozenset[str] = frozenset()
    ) -> Self:
        """Return the object of a manifest in plain Python data. Raises InputError with every mistake."""
        return cls._of(manifest, BuiltInPython.of(cls.KIND, manifest), karpenter, gates)

    def under(self, karpenter: Baseline, gates: frozenset[str] = frozenset()) -> Self:
        """Return the object as another Karpenter with these feature gates reads it. Raises InputError with every mistake."""
        return self._of(self._written, self._source, karpenter, gates)

    def not_ready_under(self, karpenter: Baseline, gates: frozenset[str] = frozenset()) -> tuple[Problem, ...]:
        """Return why another Karpenter, with these feature gates, accepts the object but does not make it ready."""
        findings = validate(self._VALIDATED_AS.under(karpenter, gates), with_stand_ins(self._written)).findings
        return tuple(f.problem(self.at(f.path)) for f in findings if f.layer is Layer.RUNTIME)

    @property
    def karpenter(self) -> Baseline:
        """Return the Karpenter for which the object was read."""
        return self._karpenter

    def manifest(self) -> dict[str, Any]:
        """Return the Kubernetes object as it was written, status included; no default is added."""
        return plain_copy(self._written)

    def stored(self) -> dict[str, Any]:
        """Return the Kubernetes object as an API server stores it on creation: with every default, without its status."""
        return self._VALIDATED_AS.under(self._karpenter).stored(with_stand_ins(self._written))

    def at(self, path: str) -> Place:
        """Return where a path of this object is written, such as `spec.template.spec.nodeClassRef.name`."""
        return self.source.at(path)

    @classmethod
    def _of(cls, manifest: Mapping[str, Any], source: Source, karpenter: Baseline, gates: frozenset[str]) -> Self:
        refuse(version_findings(manifest), source)
        instance = object.__new__(cls)
        instance._fill(as_received(manifest), source, karpenter, gates)
        return instance

    def _build(
        self,
        name: str,
        labels: Mapping[str, str] | None,
        annotations: Mapping[str, str] | None,
        spec: Any,
        namespace: str | None = None,
    ) -> None:
        """Set the values that Python arguments give."""
        written = {
            "apiVersion": self.API_VERSION,
            "kind": self.KIND,
            "metadata": {"name": name, **present(namespace=namespace, labels=labels, annotations=annotations)},
            "spec": spec,
        }
        self._fill(written, BuiltInPython.of(self.KIND, written))

    def _fill(
        self,
        written: dict[str, Any],
        source: Source,
        karpenter: Baseline = DEFAULT,
        gates: frozenset[str] = frozenset(),
    ) -> None:
        checked = written
        if has_late(written):
            if problems := late_problems(written, source.at):
                raise InputError(problems)
            checked = with_stand_ins(written)
        validation = validate(self._VALIDATED_AS.under(karpenter, gates), checked)
        refuse([f for f in validation.findings if f.layer in _REFUSING or not is_stored(written)], source)
        self._set({**self._attributes(validation.fields), "_source": source, "_written": written, "_karpenter": karpenter})

    def _attributes(self, fields: Any) -> dict[str, Any]:
        """Return the values of the object, from the fields of its model."""
        raise NotImplementedError

    def _set(self, attributes: Mapping[str, Any]) -> None:
        """Set the values, which are frozen from then on."""
        for attribute, value in attributes.items():
            object.__setattr__(self, attribute, value)


class SpecObject(ApiObject):
    """An object whose attributes are the members of its spec. A controller's reports are in its status."""

    __slots__ = ()

    status: Any

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Return the conditions that the controller reports."""
        conditions: tuple[Condition, ...] = self.status.conditions
        return conditions

    def _attributes(self, fields: Any) -> dict[str, Any]:
        spec, metadata = fields.spec, fields.metadata
        attributes = {name: getattr(spec, name) for name in type(spec).model_fields}
        attributes |= {name: getattr(metadata, name) for name in ("name", "labels", "annotations")}
        return {**attributes, "deleting": metadata.deletion_timestamp is not None, "status": fields.status}


class NodeClassObject(SpecObject, Model):
    """A node class: a model whose fields are its name, its labels and the fields of its spec.

    Each field is declared once, in the model of the spec, where type checkers find the keyword arguments too. Arguments that
    abbreviate fields are named in `_SHORTHANDS`, and `_spelled_out` replaces them by the fields. The fields in `_FIRST` are
    written before the others, which have the order of the spec.
    """

    _SPEC: ClassVar[type[Model]]
    _SHORTHANDS: ClassVar[tuple[str, ...]] = ()
    _FIRST: ClassVar[tuple[str, ...]] = ()

    name: str
    labels: Texts = Field(default_factory=dict)
    annotations: Texts = Field(default_factory=dict)
    deleting: bool = Field(default=False, init=False)

    @property
    def has_late_values(self) -> bool:
        """Tell whether a program knows some of its values only later. The attributes have texts in their places."""
        return has_late(self._written)

    def __init__(self, **arguments: Any) -> None:
        known = ("name", "labels", "annotations", *self._SPEC.model_fields, *self._SHORTHANDS)
        check_arguments(self.KIND, arguments, known, ("name",))
        spelled = self._spelled_out(arguments)
        spec = present(**{name: spelled.get(name) for name in (*self._FIRST, *self._SPEC.model_fields)})
        self._build(arguments["name"], arguments.get("labels"), arguments.get("annotations"), spec)

    @classmethod
    def _spelled_out(cls, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments with shorthands replaced by the fields that they abbreviate."""
        return arguments


def is_stored(written: Mapping[str, Any]) -> bool:
    """Tell whether a cluster has the object: only an API server assigns a uid. Such an object exists, even if Karpenter refuses
    it."""
    metadata = written.get("metadata")
    return isinstance(metadata, Mapping) and bool(metadata.get("uid"))


def terms_or_tag(terms: Sequence[Model] | None, discovery: str | None) -> Sequence[Any] | None:
    """Return the given terms; without any, a single term that selects by the discovery tag with this value."""
    if terms is not None or discovery is None:
        return terms
    return [{"tags": {DISCOVERY_TAG: discovery}}]


def discovered(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with the shorthand `discovery` replaced by terms for subnets and security groups."""
    names = ("subnet_selector_terms", "security_group_selector_terms")
    return {name: terms_or_tag(arguments.get(name), arguments.get("discovery")) for name in names}


def refuse(findings: Iterable[Finding], source: Source) -> None:
    """Raise InputError with the findings, if there are any."""
    problems = [finding.problem(source.at(finding.path)) for finding in findings if finding.message]
    if problems:
        raise InputError(problems)
