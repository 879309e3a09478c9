"""What all kinds of objects have in common: read, checked and written back the same way (spec: api-objects 0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from cutlist.api._model import Condition, Model, as_received, plain_copy, present
from cutlist.api._reading import BuiltInPython, Source, refuse
from cutlist.api.examination import Kind, examine
from cutlist.api.versions import version_findings
from cutlist.core.errors import Layer, Place
from cutlist.documents import Document

DISCOVERY_TAG: Final = "karpenter.sh/discovery"
_REFUSING: Final = frozenset((Layer.SCHEMA, Layer.RULE))


class ApiObject:
    """A Kubernetes object with a source, and with what was written kept as it was. Kinds say how they take it in."""

    __slots__ = ()

    API_VERSION: ClassVar[str]
    KIND: ClassVar[str]
    _EXAMINED_AS: ClassVar[Kind]
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

    def stored(self) -> dict[str, Any]:
        """The Kubernetes object as an API server stores it when it is created: with every default, without its status."""
        return self._EXAMINED_AS.stored(self._written)

    def at(self, path: str) -> Place:
        """Where a path of this object is written, such as `spec.template.spec.nodeClassRef.name`."""
        return self.source.at(path)

    @classmethod
    def _of(cls, manifest: Mapping[str, Any], source: Source) -> Self:
        refuse(version_findings(manifest), source)
        made = object.__new__(cls)
        made._fill(as_received(manifest), source)
        return made

    def _build(
        self,
        name: str,
        labels: Mapping[str, str] | None,
        annotations: Mapping[str, str] | None,
        spec: Any,
        namespace: str | None = None,
    ) -> None:
        """Take in what Python arguments say."""
        written = {
            "apiVersion": self.API_VERSION,
            "kind": self.KIND,
            "metadata": {"name": name, **present(namespace=namespace, labels=labels, annotations=annotations)},
            "spec": spec,
        }
        self._fill(written, BuiltInPython(self.KIND, name))

    def _fill(self, written: dict[str, Any], source: Source) -> None:
        examined = examine(self._EXAMINED_AS, written)
        refuse([f for f in examined.findings if f.layer in _REFUSING or not _is_stored(written)], source)
        self._set({**self._attributes(examined.fields), "source": source, "_written": written})

    def _attributes(self, fields: Any) -> dict[str, Any]:
        """The values of the object, from the fields of its model."""
        raise NotImplementedError

    def _set(self, attributes: Mapping[str, Any]) -> None:
        """Values are frozen from here on."""
        for attribute, value in attributes.items():
            object.__setattr__(self, attribute, value)


class SpecObject(ApiObject):
    """An object whose attributes are the members of its spec. What a controller found is in its status."""

    __slots__ = ()

    status: Any

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What the controller says of the object."""
        found: tuple[Condition, ...] = self.status.conditions
        return found

    def _attributes(self, fields: Any) -> dict[str, Any]:
        spec, metadata = fields.spec, fields.metadata
        attributes = {name: getattr(spec, name) for name in type(spec).model_fields}
        attributes |= {name: getattr(metadata, name) for name in ("name", "labels", "annotations")}
        return {**attributes, "deleting": metadata.deletion_timestamp is not None, "status": fields.status}


def _is_stored(written: Mapping[str, Any]) -> bool:
    """Whether a cluster has the object: only an API server gives a uid. It is there, whatever Karpenter makes of it."""
    metadata = written.get("metadata")
    return isinstance(metadata, Mapping) and bool(metadata.get("uid"))


def terms_or_tag(terms: Sequence[Model] | None, discovery: str | None) -> Sequence[Any] | None:
    """The terms given; without any, the one that finds what carries the discovery tag with this value."""
    if terms is not None or discovery is None:
        return terms
    return [{"tags": {DISCOVERY_TAG: discovery}}]
