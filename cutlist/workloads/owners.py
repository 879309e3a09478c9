"""Owners: pods and the controllers above them, so that the pods of a listed controller are not counted twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.workloads.pods import Pod
from cutlist.workloads.read_pod import read_pod

Manifest = Mapping[str, Any]
_OWN_REPLICA_SETS = ("Deployment", "Rollout")  # the kinds that name a ReplicaSet after themselves
_HASH_LABELS: Final = {"pod-template-hash": "Deployment", "rollouts-pod-template-hash": "Rollout"}
HASH_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
"""The letters with which Kubernetes ends names that it makes: no vowels, and no digits that look like some."""
TEMPLATE_HASH: Final = f"[{HASH_LETTERS}]{{6,10}}"
"""How Kubernetes writes the hash of a pod template, for `re.ASCII`."""
_HASH: Final = re.compile(TEMPLATE_HASH, re.ASCII)
Key = tuple[str, str, str]  # namespace, kind, name


def key_of(manifest: Manifest) -> Key:
    """Return namespace, kind and name of an object."""
    metadata = manifest["metadata"]
    return metadata.get("namespace") or "default", manifest["kind"], metadata.get("name") or metadata.get("generateName") or ""


def owner_reference(manifest: Manifest) -> Manifest | None:
    """Return an object's owner reference: the controller's if there are several; None without one."""
    references = manifest["metadata"].get("ownerReferences") or ()
    return next((r for r in references if r.get("controller")), references[0] if references else None)


def owner_of(manifest: Manifest) -> Key | None:
    """Return the controller that an object names as its owner; None when it names none."""
    reference = owner_reference(manifest)
    return (key_of(manifest)[0], reference["kind"], reference["name"]) if reference else None


def above_replica_set(owner: Key | None, labels: Mapping[str, str]) -> Key | None:
    """Return the Deployment or Rollout that a pod's ReplicaSet belongs to, by the hash at the end of its name, or None.

    `labels` are the pod's. One of them usually has the hash and tells which of the two kinds it is; without labels the hash is
    recognized by its letters.
    """
    if owner is None or owner[1] != "ReplicaSet":
        return None
    namespace, _, name = owner
    stem, _, rest = name.rpartition("-")
    for label, kind in _HASH_LABELS.items():
        if label in labels:
            return (namespace, kind, stem) if stem and labels[label] == rest else None
    return (namespace, "Deployment", stem) if stem and _HASH.fullmatch(rest) else None


@dataclass(frozen=True, slots=True)
class Owners:
    """The controllers of an input, and which of them are owned by others."""

    above: Mapping[Key, Key | None]

    @staticmethod
    def of(controllers: Iterable[Manifest]) -> Owners:
        """Return the owners among the manifests of all given controllers."""
        return Owners({key_of(m): owner_of(m) for m in controllers})

    def is_owned(self, key: Key) -> bool:
        """Tell whether a controller's owner was given too, which then counts for it."""
        owner = self.above.get(key)
        return owner is not None and self.find(owner) is not None

    def find(self, owner: Key | None, labels: Mapping[str, str] | None = None) -> Key | None:
        """Return the topmost given controller at or above `owner`; None when none was given.

        For a ReplicaSet or Job that was not given, the owner follows from its name, which starts with that of its Deployment or
        CronJob; `labels` are those of the pod, one of which holds the rest of a ReplicaSet's name.
        """
        topmost: Key | None = None
        at = owner if owner in self.above else self._behind(owner, labels or {})
        visited = set()
        while at is not None and at in self.above and at not in visited:
            visited.add(at)
            topmost, at = at, self.above[at]
        return topmost

    def _behind(self, owner: Key | None, labels: Mapping[str, str]) -> Key | None:
        if owner is None:
            return None
        namespace, kind, name = owner
        stem, _, rest = name.rpartition("-")
        if kind == "ReplicaSet" and rest == labels.get("pod-template-hash", rest):
            return next((k for kind in _OWN_REPLICA_SETS if (k := (namespace, kind, stem)) in self.above), None)
        if kind == "Job" and rest.isdigit():
            return namespace, "CronJob", stem
        return None


def daemon_pod(daemon_set: Manifest, template: Pod, pods: Iterable[Manifest]) -> Pod:
    """Return the newest of some pods that belongs to the DaemonSet, else the pod of its template (spec 3.6; S-40).

    A required node affinity of the template replaces that of the running pod, which is pinned to its node.
    """
    mine = [pod for pod in pods if _is_of(pod, daemon_set)]
    if not mine:
        return template
    newest = read_pod(max(mine, key=_created))
    if template.required is None:
        return newest
    return replace(newest, required=template.required, uses_match_fields=template.uses_match_fields)


def _is_of(pod: Manifest, daemon_set: Manifest) -> bool:
    """Tell whether this DaemonSet created a pod, and not an earlier one of the same name; uids distinguish them if both are
    known."""
    uids = {(owner_reference(pod) or {}).get("uid"), daemon_set["metadata"].get("uid")} - {None, ""}
    return owner_of(pod) == key_of(daemon_set) and len(uids) < 2


def _created(manifest: Manifest) -> str:
    return str(manifest["metadata"].get("creationTimestamp") or "")
