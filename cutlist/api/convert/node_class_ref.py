"""How a pool or a claim names its node class: by apiVersion then, by group now (spec: api-objects 7.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.convert.changes import Change
from cutlist.api.convert.edits import Edit, Path, Rename, Set
from cutlist.core.labels import AWS_GROUP

DEFAULT: Final = (AWS_GROUP, "EC2NodeClass")


def reference(spec: Mapping[str, Any]) -> tuple[str, str, str]:
    """Group, kind and name that a v1beta1 reference means, with the defaults of Karpenter for AWS."""
    written = spec.get("nodeClassRef") or {}
    group = str(written.get("apiVersion") or DEFAULT[0]).partition("/")[0]
    return group, written.get("kind") or DEFAULT[1], written.get("name", "")


def reference_changes(spec: Mapping[str, Any], above: Path, meant: tuple[str, str, str]) -> Iterator[Change]:
    """The reference of a spec that stands at a path; `meant` is the group, kind and name that it is to have."""
    path = (*above, "nodeClassRef")
    written = spec["nodeClassRef"]
    group, kind, _ = meant
    edits: list[Edit] = []
    if "apiVersion" in written:
        edits.append(Rename((*path, "apiVersion"), "group", group))
    else:
        edits.append(Set((*path, "group"), group, before="kind" if "kind" in written else "name"))
    if not written.get("kind"):
        edits.append(Set((*path, "kind"), kind, before="name"))
    where = ".".join(path)
    guessed = not (written.get("apiVersion") and written.get("kind"))
    advice = "check that this is the class you mean: the controller filled in what was not written" if guessed else ""
    text = f"nodeClassRef names its class by group and kind: {group} and {kind}"
    text += ", of which not all was written" if guessed else ""
    yield Change("changed default" if guessed else "carried over", text, where, where, advice, edits=tuple(edits))
