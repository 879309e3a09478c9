"""Who made whom: pods and the controllers above them, so that what a listed controller stands for is not counted twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Manifest = Mapping[str, Any]
Key = tuple[str, str, str]  # namespace, kind, name


def key_of(manifest: Manifest) -> Key:
    """Namespace, kind and name of an object."""
    metadata = manifest["metadata"]
    return metadata.get("namespace") or "default", manifest["kind"], metadata.get("name") or metadata.get("generateName") or ""


def owner_reference(manifest: Manifest) -> Manifest | None:
    """What an object says of its owner: of several that of the controller; None when it has none."""
    references = manifest["metadata"].get("ownerReferences") or ()
    return next((r for r in references if r.get("controller")), references[0] if references else None)


def owner_of(manifest: Manifest) -> Key | None:
    """The controller that an object names as its owner; None when it has none."""
    reference = owner_reference(manifest)
    return (key_of(manifest)[0], reference["kind"], reference["name"]) if reference else None


@dataclass(frozen=True, slots=True)
class Owners:
    """The controllers of an input, and which of them others own."""

    above: Mapping[Key, Key | None]

    @staticmethod
    def of(controllers: Iterable[Manifest]) -> Owners:
        """From the manifests of all controllers that were given."""
        return Owners({key_of(m): owner_of(m) for m in controllers})

    def is_owned(self, key: Key) -> bool:
        """Whether a controller's own owner was given too, so that the owner speaks for it."""
        owner = self.above.get(key)
        return owner is not None and self.find(owner) is not None

    def find(self, owner: Key | None, labels: Mapping[str, str] | None = None) -> Key | None:
        """The topmost given controller at or above `owner`; None when none was given.

        A ReplicaSet or Job that was not given is looked through by its name, which starts with that of its Deployment or
        CronJob; `labels` are those of the pod, one of which holds the rest of a ReplicaSet's name.
        """
        found: Key | None = None
        at = owner if owner in self.above else self._behind(owner, labels or {})
        seen = set()
        while at is not None and at in self.above and at not in seen:
            seen.add(at)
            found, at = at, self.above[at]
        return found

    def _behind(self, owner: Key | None, labels: Mapping[str, str]) -> Key | None:
        if owner is None:
            return None
        namespace, kind, name = owner
        stem, _, rest = name.rpartition("-")
        if kind == "ReplicaSet" and rest == labels.get("pod-template-hash", rest):
            return namespace, "Deployment", stem
        if kind == "Job" and rest.isdigit():
            return namespace, "CronJob", stem
        return None
