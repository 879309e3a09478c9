"""The storage of a simulated cluster: claims that controllers create with pods, and the volumes that claims are bound to.

Claims of StatefulSets and of ephemeral volumes are created with their pods (C-37, C-39). A volume of a class that waits for
the first consumer lies in the zone of its pod's node, one of a class with immediate binding where the provisioner makes it
(C-40).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from cutlist.core.labels import ZONE_KEYS, LabelRegistry
from cutlist.core.quantity import NANO
from cutlist.planning.assumed_storage import ANY_CLASS, default_class
from cutlist.planning.late_volumes import provisioned_volume
from cutlist.state.volume_binding import is_reserved_for, matching_volume
from cutlist.state.volumes import PodVolumes, Storage, csi_driver
from cutlist.workloads.objects import (
    NO_PROVISIONER,
    WAIT_FOR_FIRST_CONSUMER,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
)
from cutlist.workloads.pods import Pod, Volume

_FNV_OFFSET: Final = 0x811C9DC5
_FNV_PRIME: Final = 0x01000193
_UINT32: Final = 1 << 32

ClaimKey = tuple[str, str]
"""The namespace and the name of a claim."""


class SimulatedStorage:
    """The claims, volumes and classes of a cluster at the present instant.

    `at_once` are the classes whose claims are bound as soon as they exist. In `before` they bind late, as plans assume where no
    node says in which zones volumes can be made. `claims` and `volumes` change in place; `storage` is a copy for who looks.
    """

    __slots__ = ("_at_once", "_classes", "_copy", "_free", "claims", "volumes")
    NOT_SAVED: Final = frozenset(("_at_once", "_copy", "_free"))

    def __init__(self, before: Storage, at_once: Collection[str] = ()) -> None:
        """Begin with the storage of a cluster."""
        self._at_once = at_once
        self._classes = dict(before.classes)
        self._copy: Storage | None = before
        self.claims: dict[ClaimKey, PersistentVolumeClaim] = dict(before.claims)
        self.volumes: dict[str, PersistentVolume] = dict(before.volumes)
        self._free = self._without_claims()

    def restored(self) -> None:
        """Find again what depends on the claims."""
        self._copy = None
        self._free = self._without_claims()

    def _without_claims(self) -> dict[str, PersistentVolume]:
        taken = {claim.volume for claim in self.claims.values()}
        return {name: volume for name, volume in self.volumes.items() if name not in taken}

    @property
    def storage(self) -> Storage:
        """Return the present storage, as a value that stays as it is."""
        if self._copy is None:
            self._copy = Storage(dict(self.claims), dict(self.volumes), dict(self._classes))
        return self._copy

    def of_pod(self, pod: Pod, name: str, registry: LabelRegistry) -> PodVolumes:
        """Return the effect of the volumes that the pod of this name has now."""
        return Storage(self.claims, self.volumes, self._classes).of_pod(pod, name, registry)

    def is_shared_and_unbound(self, pod: Pod) -> bool:
        """Tell whether a pod uses a claim that others may use too, and that has no volume yet."""
        own = (self.claims.get((pod.namespace, v.claim)) for v in pod.volumes if not v.belongs_to_pod)
        return any(claim is not None and not claim.volume for claim in own)

    def pod_created(self, pod: Pod, name: str, zones: Collection[str]) -> None:
        """Create the claims that a new pod needs and that do not exist. `zones` are those of the cluster's nodes."""
        for volume in pod.volumes:
            key = (pod.namespace, volume.claim_of(name))
            if volume.belongs_to_pod and key not in self.claims:
                self._create(key, volume, zones)

    def pod_bound(self, pod: Pod, name: str, zone: str) -> None:
        """Bind the claims of a pod, which has a node in a zone, that have no volume yet."""
        for volume in pod.volumes:
            claim = self.claims.get((pod.namespace, volume.claim_of(name)))
            if claim is not None and not claim.volume:
                self._provision(claim, zone)

    def pod_ended(self, pod: Pod, name: str) -> None:
        """Delete the claims of a pod's ephemeral volumes, which end with it (C-39)."""
        self._delete((pod.namespace, v.claim_of(name)) for v in pod.volumes if v.ephemeral)

    def scaled_down(self, pod: Pod, name: str) -> None:
        """Delete the claims of a pod that is no longer wanted, as its StatefulSet's retention policy says (C-38)."""
        self._delete((pod.namespace, v.claim_of(name)) for v in pod.volumes if v.per_replica)

    def _create(self, key: ClaimKey, volume: Volume, zones: Collection[str]) -> None:
        self._copy = None
        storage_class = self._class_of(volume)
        spec = {"resources": {"requests": {"storage": str(volume.storage // NANO)}}} if volume.storage else {}
        name = storage_class.name if storage_class is not None else ""
        claim = PersistentVolumeClaim(key[1], key[0], name, raw=_manifest(key, spec))
        self.claims[key] = claim
        at_once = storage_class is None or storage_class.name in self._at_once
        match = matching_volume(claim, self._free.values()) if self._free else None
        if match is not None and (at_once or is_reserved_for(match, claim)):
            self._bind(claim, match)
        elif at_once and storage_class is not None and storage_class.provisioner != NO_PROVISIONER:
            allowed = sorted(_allowed_zones(storage_class) or zones)
            # Without a node the provisioner waits for one, and no node is launched for the pod: as plans do, such a volume
            # is assumed to be made where its pod can run.
            if allowed:
                self._provision(claim, allowed[provisioner_offset(claim.name) % len(allowed)])

    def _class_of(self, volume: Volume) -> StorageClass | None:
        """Return the class of a new claim, one that binds late if the input does not have it, or None for no class."""
        name = volume.storage_class
        if name is None:
            is_any = ANY_CLASS in self._classes or not self._classes
            name = ANY_CLASS if is_any else default_class(self._classes.values())
        if not name:
            return None
        return self._classes.setdefault(name, StorageClass(name, binding_mode=WAIT_FOR_FIRST_CONSUMER))

    def _provision(self, claim: PersistentVolumeClaim, zone: str) -> None:
        """Bind a claim to a new volume in a zone."""
        storage_class = self._classes.get(claim.storage_class or "")
        if storage_class is not None:
            self._bind(claim, provisioned_volume(claim, csi_driver(storage_class), zone))

    def _bind(self, claim: PersistentVolumeClaim, volume: PersistentVolume) -> None:
        self._copy = None
        self._free.pop(volume.name, None)
        self.volumes[volume.name] = volume
        self.claims[claim.namespace, claim.name] = claim.bound_to(volume.name)

    def _delete(self, keys: Iterable[ClaimKey]) -> None:
        """Delete claims with their volumes: one that waits for somebody to reclaim it can be used by no other claim either."""
        for key in keys:
            claim = self.claims.pop(key, None)
            if claim is not None:
                self._copy = None
                self.volumes.pop(claim.volume, None)


def provisioner_offset(claim: str) -> int:
    """Return the number that decides, by its remainder, in which of the sorted zones a volume is made at once (C-40).

    Claims of a StatefulSet differ by their ordinals, so they take the zones in turn.
    """
    base, _, ordinal = claim.rpartition("-")
    if not base or not ordinal.isdecimal() or int(ordinal) >= _UINT32:
        return _fnv(claim)
    return (_fnv(base.rpartition("-")[2]) + int(ordinal)) % _UINT32


def _fnv(text: str) -> int:
    """Return the 32-bit FNV-1 hash of a text."""
    value = _FNV_OFFSET
    for byte in text.encode():
        value = (value * _FNV_PRIME) % _UINT32 ^ byte
    return value


def _allowed_zones(storage_class: StorageClass) -> set[str]:
    """Return the zones in which a class makes volumes; empty if it makes them anywhere. Other labels name no zone."""
    terms = (e for term in storage_class.topologies for e in term if e.key in ZONE_KEYS)
    return {value for e in terms for value in e.values}


def _manifest(key: ClaimKey, spec: Mapping[str, object]) -> dict[str, object]:
    return {"metadata": {"name": key[1], "namespace": key[0]}, "spec": dict(spec)}
