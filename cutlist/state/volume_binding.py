"""Which PersistentVolume a claim can be bound to, as the cluster's volume controller decides before Karpenter considers the
pod.

For a claim that names its volume the controller compares size, class, mode and access; for other claims also the selector, and
it takes the smallest suitable volume. A volume that names the claim in `claimRef` is preferred.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import memory, nanos
from cutlist.workloads.objects import BETA_STORAGE_CLASS, PersistentVolume, PersistentVolumeClaim
from cutlist.workloads.read_pod import read_selector

Manifest = Mapping[str, Any]

_STORAGE: Final = "storage"
_GONE: Final = ("Released", "Failed")


def is_reserved_for(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """Tell whether a volume's `claimRef` names the claim."""
    reference = _part(volume.raw, "spec", "claimRef")
    owner = _part(claim.raw, "metadata").get("uid")
    if reference.get("name") != claim.name or (reference.get("namespace") or "default") != claim.namespace:
        return False
    return not (owner and reference.get("uid")) or reference["uid"] == owner


def binding_refusal(volume: PersistentVolume, claim: PersistentVolumeClaim) -> str:
    """Return why a volume that a claim names cannot be bound to it, or an empty string if it can."""
    reference, phase = _part(volume.raw, "spec", "claimRef"), _part(volume.raw, "status").get("phase")
    name = f"persistentvolume {volume.name!r}"
    if phase in _GONE:
        return f"{name} is {phase}"
    if is_reserved_for(volume, claim):
        return ""
    if reference:
        owner = f"{reference.get('namespace') or 'default'}/{reference.get('name')}"
        return f"{name} belongs to persistentvolumeclaim {owner}"
    size, wanted = _amount(volume.raw, "capacity"), _amount(claim.raw, "resources", "requests")
    if size is not None and wanted is not None and size < wanted:
        return f"{name} has {memory(size)} of {memory(wanted)}"
    if _class_of(volume) != (claim.storage_class or ""):
        return f"{name} is of storage class {_class_of(volume)!r}, not {claim.storage_class or ''!r}"
    if _mode(volume.raw) != _mode(claim.raw):
        return f"{name} is a volume for {_mode(volume.raw)}, not {_mode(claim.raw)}"
    missing = [mode for mode in _access(claim.raw) if mode not in _access(volume.raw)]
    return f"{name} does not allow {', '.join(missing)}" if missing else ""


def matching_volume(claim: PersistentVolumeClaim, volumes: Iterable[PersistentVolume]) -> PersistentVolume | None:
    """Return the volume, of those that no other claim has, that an unbound claim is bound to, or None if none fits."""
    usable = [v for v in volumes if not v.deleting and not binding_refusal(v, claim)]
    reserved = [v for v in usable if is_reserved_for(v, claim)]
    selector = read_selector(_part(claim.raw, "spec").get("selector"))
    free = [v for v in usable if selector is None or selector.matches(_part(v.raw, "metadata", "labels"))]
    return min(reserved or free, key=lambda v: (_amount(v.raw, "capacity") or 0, v.name), default=None)


def _part(manifest: Manifest, *path: str) -> Manifest:
    """Return a mapping inside a manifest, or an empty mapping if it is absent."""
    for member in path:
        inner = manifest.get(member)
        manifest = inner if isinstance(inner, Mapping) else {}
    return manifest


def _amount(manifest: Manifest, *path: str) -> int | None:
    """Return the storage in nano-bytes in a part of the spec, or None if it is missing or unreadable."""
    written = _part(manifest, "spec", *path).get(_STORAGE)
    try:
        return None if written is None else nanos(written)
    except QuantityError:
        return None


def _class_of(volume: PersistentVolume) -> str:
    annotations, spec = _part(volume.raw, "metadata", "annotations"), _part(volume.raw, "spec")
    return str(annotations.get(BETA_STORAGE_CLASS, spec.get("storageClassName")) or "")


def _mode(manifest: Manifest) -> str:
    return str(_part(manifest, "spec").get("volumeMode") or "Filesystem")


def _access(manifest: Manifest) -> list[str]:
    modes = _part(manifest, "spec").get("accessModes")
    return [str(mode) for mode in modes] if isinstance(modes, list | tuple) else []
