"""The references of a NodePool's manifest, readable even if other parts of it are wrong.

Checks against other objects and against the catalogue use this, so that a pool that is refused for one mistake still has its
other mistakes reported in the same run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cutlist.core.errors import Place


@dataclass(frozen=True, slots=True)
class WrittenValues:
    """The values of one requirement: its label key, its operator, and where they are written."""

    key: str
    operator: str
    values: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class WrittenPool:
    """A NodePool's references to other things. `node_class` is group, kind and name; a value that is not text becomes empty."""

    name: str
    node_class: tuple[str, str, str]
    node_class_place: Place
    requirements: tuple[WrittenValues, ...]

    @staticmethod
    def of(manifest: Mapping[str, Any], at: Callable[[str], Place]) -> WrittenPool:
        """Return the references of a manifest that may have mistakes; `at` returns the place of a path."""
        spec = _mapping(_mapping(_mapping(manifest.get("spec")).get("template")).get("spec"))
        reference = _mapping(spec.get("nodeClassRef"))
        listed = spec.get("requirements")
        return WrittenPool(
            _text(_mapping(manifest.get("metadata")).get("name")),
            (_text(reference.get("group")), _text(reference.get("kind")), _text(reference.get("name"))),
            at("spec.template.spec.nodeClassRef.name"),
            tuple(
                _values(_mapping(r), at(f"spec.template.spec.requirements[{number}].values"))
                for number, r in enumerate(listed if isinstance(listed, list) else ())
            ),
        )


def class_reference(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the reference of a NodePool or NodeClaim to its node class as it is written, of whatever version the object is;
    empty for anything else."""
    kind, spec = manifest.get("kind"), _mapping(manifest.get("spec"))
    if kind == "NodePool":
        spec = _mapping(_mapping(spec.get("template")).get("spec"))
    return _mapping(spec.get("nodeClassRef")) if kind in ("NodePool", "NodeClaim") else {}


def class_group_of(manifest: Mapping[str, Any]) -> str:
    """Return the group of the class that a NodePool or NodeClaim refers to; empty for anything else, and without a group."""
    reference = class_reference(manifest)
    return str(reference.get("group") or reference.get("apiVersion") or "").partition("/")[0]


def _values(requirement: Mapping[str, Any], place: Place) -> WrittenValues:
    listed = requirement.get("values")
    values = tuple(v for v in listed if isinstance(v, str)) if isinstance(listed, (list, tuple)) else ()
    return WrittenValues(_text(requirement.get("key")), _text(requirement.get("operator")), values, place)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
