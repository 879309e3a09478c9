"""What all kinds of objects have in common: read, checked and written back the same way (spec: api-objects 0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from cutlist.api._findings import Finding, Hints
from cutlist.api._model import Condition, Model, present, without_nulls
from cutlist.api._reading import BuiltInPython, Source, fields_of, plain_copy, refuse
from cutlist.api.versions import version_findings
from cutlist.documents import Document
from cutlist.errors import Place

DISCOVERY_TAG: Final = "karpenter.sh/discovery"


class ApiObject:
    """A Kubernetes object with a source, and with what was written kept as it was. Kinds say how they take it in."""

    __slots__ = ()

    API_VERSION: ClassVar[str]
    KIND: ClassVar[str]
    source: Source
    _written: dict[str, Any]

    @classmethod
    def read(cls, document: Document) -> Self:
        """From a document. Raises InputError with everything that is wrong, each with file, line and path."""
        return cls._of(document.data, document)

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any]) -> Self:
        """From a manifest in plain Python data. Raises InputError with everything that is wrong."""
        return cls._of(manifest, BuiltInPython.of(cls.KIND, manifest))

    def manifest(self) -> dict[str, Any]:
        """The Kubernetes object as it was written, status included; no default is added."""
        return plain_copy(self._written)

    def at(self, path: str) -> Place:
        """Where a path of this object is written, such as `spec.template.spec.nodeClassRef.name`."""
        return self.source.at(path)

    @classmethod
    def _of(cls, manifest: Mapping[str, Any], source: Source) -> Self:
        refuse(version_findings(manifest), source)
        made = object.__new__(cls)
        made._fill(without_nulls(dict(manifest)), source)
        return made

    def _build(self, name: str, labels: Mapping[str, str] | None, annotations: Mapping[str, str] | None, spec: Any) -> None:
        """Take in what Python arguments say."""
        written = {
            "apiVersion": self.API_VERSION,
            "kind": self.KIND,
            "metadata": {"name": name, **present(labels=labels, annotations=annotations)},
            "spec": spec,
        }
        self._fill(written, BuiltInPython(self.KIND, name))

    def _fill(self, written: dict[str, Any], source: Source) -> None:
        raise NotImplementedError

    def _set(self, attributes: Mapping[str, Any]) -> None:
        """Values are frozen from here on."""
        for attribute, value in attributes.items():
            object.__setattr__(self, attribute, value)


class NodeClassObject(ApiObject):
    """A node class of AWS: its attributes are the members of its spec. What the controller found is in its status."""

    __slots__ = ()

    _MODEL: ClassVar[type[Model]]
    _HINTS: ClassVar[Hints]
    status: Any

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What the controller says of the class."""
        found: tuple[Condition, ...] = self.status.conditions
        return found

    def _rules(self) -> list[Finding]:
        raise NotImplementedError

    def _fill(self, written: dict[str, Any], source: Source) -> None:
        read, findings = fields_of(self._MODEL, written, self._HINTS)
        findings += name_missing(written)
        if read is not None:
            fields: Any = read
            attributes = {name: getattr(fields.spec, name) for name in type(fields.spec).model_fields}
            attributes |= {name: getattr(fields.metadata, name) for name in ("name", "labels", "annotations")}
            attributes |= {"deleting": fields.metadata.deletion_timestamp is not None, "status": fields.status}
            self._set({**attributes, "source": source, "_written": written})
            findings += self._rules()
        refuse(findings, source)


def name_missing(written: Mapping[str, Any]) -> list[Finding]:
    """A manifest without a name: the models have a default where a manifest has none."""
    metadata = written.get("metadata")
    if isinstance(metadata, dict) and metadata.get("name", "") != "":
        return []
    return [Finding("metadata.name", "is missing and required")]


def terms_or_tag(terms: Sequence[Model] | None, discovery: str | None) -> Sequence[Any] | None:
    """The terms given; without any, the one that finds what carries the discovery tag with this value."""
    if terms is not None or discovery is None:
        return terms
    return [{"tags": {DISCOVERY_TAG: discovery}}]
