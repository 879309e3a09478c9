"""Claims and classes that a plan's files do not hold and that will be there: made with their pods, or part of the cluster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from cutlist.core.notes import Note
from cutlist.state.volumes import Storage
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.objects import PersistentVolumeClaim, StorageClass

_LATE: Final = "WaitForFirstConsumer"
_ANY_CLASS: Final = "(the cluster's default)"


def completed(storage: Storage, groups: Iterable[PodGroup]) -> tuple[Storage, list[Note]]:
    """The storage with what the groups' volumes need and nobody gave, taken to be usable in every zone; and notes on that.

    A class that is not given is taken to bind a volume where its first pod lands, as those of EBS do.
    """
    claims, classes = dict(storage.claims), dict(storage.classes)
    assumed_claims: set[str] = set()
    assumed_classes: set[str] = set()
    for group in groups:
        name = group.pod_name(0)
        for volume in group.pod.volumes:
            key = (group.namespace, volume.claim_of(name))
            if key not in claims:
                claims[key] = PersistentVolumeClaim(key[1], key[0], volume.storage_class or _ANY_CLASS)
                if not volume.ephemeral and not volume.per_replica:
                    assumed_claims.add("/".join(key))
            claim = claims[key]
            if claim.storage_class is None and not claim.volume:
                claims[key] = claim = replace(claim, storage_class=_ANY_CLASS)
            if claim.storage_class and not claim.volume and claim.storage_class not in classes:
                classes[claim.storage_class] = StorageClass(claim.storage_class, binding_mode=_LATE)
                assumed_classes.add(claim.storage_class)
    notes = []
    if assumed_claims:
        notes.append(Note("volume-claims", f"not in the input, taken to be usable in every zone: {_names(assumed_claims)}"))
    if assumed_classes:
        text = f"not in the input, taken to make volumes in whichever zone a pod lands: storage class {_names(assumed_classes)}"
        notes.append(Note("storage-classes", text))
    return Storage(claims, storage.volumes, classes), notes


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
