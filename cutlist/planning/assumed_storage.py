"""Claims that are not bound yet, in the state that the cluster's own controllers will give them.

Karpenter ignores pods whose claims have no volume (spec: scheduling 9.4). In a cluster a claim of a class with immediate
binding, and one that names its volume or matches one, is bound before its pods are considered; in manifests it never is bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.core.labels import ZONE
from cutlist.core.notes import Note
from cutlist.core.requirement import Expression, Operator
from cutlist.state.pods import RunningPod
from cutlist.state.volume_binding import binding_refusal, is_reserved_for, matching_volume
from cutlist.state.volumes import Storage
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.objects import (
    IMMEDIATE,
    NO_PROVISIONER,
    WAIT_FOR_FIRST_CONSUMER,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
)
from cutlist.workloads.pods import Volume

_LOST: Final = "Lost"
ANY_CLASS: Final = "(the cluster's default)"
"""The name of the class that a claim is assumed to have where the input does not say which is the default."""


def with_assumed_storage(
    storage: Storage, groups: Iterable[PodGroup], built_in: Mapping[str, StorageClass]
) -> tuple[Storage, list[Note]]:
    """Return the storage with the missing objects that the groups' volumes need and with their claims bound, and notes on that.

    A missing claim, volume or class is assumed to be usable in every zone, unless the class is one of those that the cluster
    has from the start, `built_in`. A claim that nothing can bind stays as it is: one without a class if the given classes have
    no default, or one whose volume belongs to another claim.
    """
    assumed = _AssumedStorage(storage, dict(storage.claims), dict(storage.classes), dict(storage.volumes), built_in)
    for group in groups:
        for volume in group.pod.volumes:
            assumed.take(group, volume)
    return Storage(assumed.claims, assumed.volumes, assumed.classes), list(assumed.notes())


def with_volumes_where_pods_run(storage: Storage, pods: Iterable[RunningPod], zones: Mapping[str, str]) -> Storage:
    """Return the storage with a volume for each claim of a running pod that is not given: in the zone of its node.

    A snapshot without claims has left them out: pods that run have their volumes. `zones` are by node name.
    """
    claims, volumes = dict(storage.claims), dict(storage.volumes)
    for pod in pods:
        for used in pod.pod.volumes if pod.node and not pod.ended else ():
            key = (pod.pod.namespace, used.claim_of(pod.name))
            if key[1] and key not in claims:
                name, zone = f"(of {'/'.join(key)})", zones.get(pod.node, "")
                terms = ((Expression(ZONE, Operator.IN, (zone,)),),) if zone else ()
                volumes[name] = PersistentVolume(name, terms)
                claims[key] = PersistentVolumeClaim(key[1], key[0]).bound_to(name)
    return Storage(claims, volumes, storage.classes)


@dataclass(slots=True)
class _AssumedStorage:
    """The storage of the input, and the assumptions about it, by name.

    `missing_claims` and `missing_classes` are not in the input, nor are `missing_volumes`, by the claims that name them.
    `built_in_classes` are not in the input because a cluster has them from the start. `bound` are claims with the volume that
    they are assumed to be bound to, `provisioned` those that are assumed to get a volume of their class.
    """

    storage: Storage
    claims: dict[tuple[str, str], PersistentVolumeClaim]
    classes: dict[str, StorageClass]
    volumes: dict[str, PersistentVolume]
    built_in: Mapping[str, StorageClass]
    missing_claims: set[str] = field(default_factory=set)
    missing_classes: set[str] = field(default_factory=set)
    built_in_classes: set[str] = field(default_factory=set)
    missing_volumes: dict[str, str] = field(default_factory=dict)
    bound: dict[str, str] = field(default_factory=dict)
    provisioned: dict[str, str] = field(default_factory=dict)

    def take(self, group: PodGroup, volume: Volume) -> None:
        """Add what a volume of a group's pods needs."""
        key = (group.namespace, volume.claim_of(group.pod_name(0)))
        claim = self.claims.get(key)
        if claim is None:
            claim = PersistentVolumeClaim(key[1], key[0], volume.storage_class)
            if not volume.ephemeral and not volume.per_replica:
                claim = replace(claim, storage_class=ANY_CLASS)
                self.missing_claims.add("/".join(key))
        self.claims[key] = self._bound(self._with_class(self._with_volume(claim)))

    def notes(self) -> Iterator[Note]:
        if self.missing_claims:
            yield Note("volume-claims", f"not in the input, assumed usable in every zone: {_names(self.missing_claims)}")
        if self.missing_classes:
            text = "not in the input, assumed to make volumes in the zone where a pod lands: storage class"
            yield Note("storage-classes", f"{text} {_names(self.missing_classes)}")
        if self.built_in_classes:
            text = "not in the input, taken as the one that the cluster has from the start: storage class"
            yield Note("built-in-classes", f"{text} {_names(self.built_in_classes)}")
        if self.missing_volumes:
            pairs = _names(f"{volume} of {claim}" for claim, volume in self.missing_volumes.items())
            yield Note("volumes", f"not in the input, assumed usable in every zone: persistent volume {pairs}")
        if self.bound:
            pairs = _names(f"{claim} to {volume}" for claim, volume in self.bound.items())
            yield Note("volumes-bound", f"not bound in the input, assumed bound to the volume that fits: {pairs}")
        if self.provisioned:
            pairs = _names(f"{claim} ({name})" for claim, name in self.provisioned.items())
            text = "not bound in the input, assumed to get a volume of their class at once, in a zone where their pods can run"
            yield Note("volumes-provisioned", f"{text}: {pairs}")

    def _with_volume(self, claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
        """Return a claim whose volume is not given bound to one that can be used everywhere."""
        if not claim.volume or claim.volume in self.storage.volumes or claim.deleting or claim.phase == _LOST:
            return claim
        self.volumes[claim.volume] = PersistentVolume(claim.volume)
        self.missing_volumes[f"{claim.namespace}/{claim.name}"] = claim.volume
        return claim.bound_to(claim.volume)

    def _with_class(self, claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
        """Return a claim with its class: the default class if it names none, or any class if none is given at all."""
        if claim.volume or claim.storage_class is not None:
            return claim
        if not self.storage.classes:
            return replace(claim, storage_class=ANY_CLASS)
        return replace(claim, storage_class=default_class(self.storage.classes.values()))

    def _bound(self, claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
        """Return a claim in its future bound state; unchanged if it is bound already, binds late, or cannot be bound."""
        if claim.deleting or claim.phase == _LOST or claim.bind_completed:
            return claim
        name = f"{claim.namespace}/{claim.name}"
        if claim.volume:
            volume = self.storage.volumes.get(claim.volume)
            is_free = volume is not None and not volume.deleting and volume.name not in self.bound.values()
            return self._to(volume, claim) if volume and is_free and not binding_refusal(volume, claim) else claim
        storage_class = self._class_of(claim)
        match = matching_volume(claim, self._free())
        if match is not None and (_binds_at_once(storage_class) or is_reserved_for(match, claim)):
            return self._to(match, claim)
        if storage_class is not None and _binds_at_once(storage_class) and storage_class.provisioner != NO_PROVISIONER:
            self.provisioned[name] = storage_class.name
            self.classes[storage_class.name] = replace(storage_class, binding_mode=WAIT_FOR_FIRST_CONSUMER)
        return claim

    def _class_of(self, claim: PersistentVolumeClaim) -> StorageClass | None:
        """Return the class of a claim, one that binds late if it is not in the input, or None for a claim without a class."""
        if not claim.storage_class:
            return None
        storage_class = self.storage.classes.get(claim.storage_class)
        if storage_class is None:
            known = self.built_in.get(claim.storage_class)
            storage_class = known or StorageClass(claim.storage_class, binding_mode=WAIT_FOR_FIRST_CONSUMER)
            self.classes[claim.storage_class] = storage_class
            (self.built_in_classes if known else self.missing_classes).add(claim.storage_class)
        return storage_class

    def _to(self, volume: PersistentVolume, claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
        self.bound[f"{claim.namespace}/{claim.name}"] = volume.name
        return claim.bound_to(volume.name)

    def _free(self) -> list[PersistentVolume]:
        """Return the volumes that no claim has or names."""
        taken = {claim.volume for claim in self.claims.values()}
        return [volume for volume in self.storage.volumes.values() if volume.name not in taken]


def _binds_at_once(storage_class: StorageClass | None) -> bool:
    """Tell whether claims of a class are bound before a pod uses them, as are claims without a class."""
    return storage_class is None or storage_class.binding_mode == IMMEDIATE


def default_class(classes: Iterable[StorageClass]) -> str | None:
    """Return the default class: the newest of several, the first by name among equally new ones, or None without any."""
    defaults = sorted((c for c in classes if c.default), key=lambda c: c.name)
    newest = max(defaults, key=lambda c: str(c.raw["metadata"].get("creationTimestamp") or ""), default=None)
    return None if newest is None else newest.name


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
