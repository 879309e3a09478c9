"""The notes that Karpenter's conversion left on objects for its own way back (spec: api-objects 7.1, 7.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.convert.changes import ConversionChange
from cutlist.api.convert.edits import Path, Remove
from cutlist.core.labels import AWS_GROUP

KUBELET: Final = "compatibility.karpenter.sh/v1beta1-kubelet-conversion"
"""The former kubelet of a pool or a claim, as JSON."""

NODE_CLASS_REF: Final = "compatibility.karpenter.sh/v1beta1-nodeclass-reference"
"""The former reference of a pool or a claim, as JSON."""

UBUNTU: Final = f"compatibility.{AWS_GROUP}/v1beta1-ubuntu"
"""The replacement of Ubuntu in a class, as a list with commas."""

ALIAS_VERSION: Final = f"compatibility.{AWS_GROUP}/v1-alias-version"
"""The former version of a v1 class's alias."""

PLACEHOLDER: Final = "ami-placeholder"
"""The image in a class of Ubuntu that had no terms."""

STORED_VERSION: Final = "karpenter.sh/stored-version-migrated"
"""Records that an object was stored again as v1."""

NOTES: Final = (KUBELET, NODE_CLASS_REF, UBUNTU, ALIAS_VERSION, STORED_VERSION)
_ABOVE: Final[Path] = ("metadata", "annotations")


def annotations_of(manifest: Mapping[str, Any]) -> Mapping[str, str]:
    """Return an object's annotations, or an empty mapping if it has none."""
    written: Mapping[str, str] = manifest["metadata"].get("annotations") or {}
    return written


def without_notes(manifest: Mapping[str, Any]) -> Iterator[ConversionChange]:
    """Yield the removal of the notes from an object that the user keeps."""
    written = annotations_of(manifest)
    keys = [key for key in NOTES if key in written]
    text = "is left out: with it Karpenter's own conversion remembered something"
    if keys and len(keys) == len(written):
        many = f"the annotation{'s' if len(keys) > 1 else ''} {' and '.join(keys)}"
        yield ConversionChange("lost", f"{many} {text}", ".".join(_ABOVE), edits=(Remove(_ABOVE),))
        return
    for key in keys:
        yield ConversionChange(
            "lost", f"the annotation {key} {text}", f"metadata.annotations.{key}", edits=(Remove((*_ABOVE, key)),)
        )
