"""Claims that bind once a pod that uses them has a node, which gives their volume a zone (spec: scheduling 9.1, 9.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cutlist.core.csi import AZURE_DISK, EBS, EBS_OF_AUTO_MODE
from cutlist.core.labels import ZONE, LabelRegistry
from cutlist.core.requirement import Expression, Operator
from cutlist.state.volumes import PodVolumes, Storage, csi_driver
from cutlist.workloads.objects import PersistentVolume, PersistentVolumeClaim
from cutlist.workloads.pods import Pod, Volume

_ZONAL: Final = frozenset(
    (
        "",  # a class that is not in the input is assumed to make volumes in the zone of the first pod
        EBS,
        EBS_OF_AUTO_MODE,
        AZURE_DISK,
    )
)


@dataclass(slots=True)
class LateVolumes:
    """A storage whose claims become bound as their pods get nodes."""

    before: Storage
    _claims: dict[tuple[str, str], PersistentVolumeClaim] = field(default_factory=dict)
    _volumes: dict[str, PersistentVolume] = field(default_factory=dict)

    @property
    def storage(self) -> Storage:
        """Return the storage with everything that was bound so far."""
        return self.added_to(self.before)

    def added_to(self, storage: Storage) -> Storage:
        """Return another storage with everything that was bound so far."""
        return Storage({**storage.claims, **self._claims}, {**storage.volumes, **self._volumes}, storage.classes)

    def bind(self, pod: Pod, name: str, zone: str, *, shared_only: bool = False) -> bool:
        """Bind the claims of the pod of this name, which has a node in a zone; tell whether any was unbound until then.

        With `shared_only`, claims that only this pod uses are left as they are.
        """
        bound = False
        for volume in pod.volumes:
            if not (shared_only and volume.belongs_to_pod):
                bound |= self._bind((pod.namespace, volume.claim_of(name)), volume, zone)
        return bound

    def _bind(self, key: tuple[str, str], volume: Volume, zone: str) -> bool:
        claim = self._claims.get(key) or self.before.claims.get(key)
        if claim is None:
            claim = PersistentVolumeClaim(key[1], key[0], volume.storage_class)
        storage_class = self.before.classes.get(claim.storage_class or "")
        if claim.volume or storage_class is None:
            return False
        made = provisioned_volume(claim, csi_driver(storage_class), zone)
        self._volumes[made.name] = made
        self._claims[key] = claim.bound_to(made.name)
        return True


def provisioned_volume(claim: PersistentVolumeClaim, driver: str, zone: str) -> PersistentVolume:
    """Return the volume that a driver makes for a claim: in a zone, if its volumes lie in one."""
    terms = ((Expression(ZONE, Operator.IN, (zone,)),),) if zone and driver in _ZONAL else ()
    return PersistentVolume(f"({claim.namespace}/{claim.name})", terms, driver=driver)


class VolumeUser(NamedTuple):
    """Pods of a batch that use volumes; the one of this name represents all of them."""

    batch: int
    pod: Pod
    name: str


class BatchVolumes:
    """The effect of batches' volumes on placement, from pass to pass."""

    __slots__ = ("_late", "_registry", "_users")

    def __init__(self, storage: Storage, users: Iterable[VolumeUser], registry: LabelRegistry) -> None:
        self._late = LateVolumes(storage)
        self._users: Sequence[VolumeUser] = [user for user in users if user.pod.volumes]
        self._registry = registry

    def bind(self, zones: Mapping[int, str]) -> Mapping[int, PodVolumes] | None:
        """Bind claims that several pods use, by batch and the zone in which one of its pods has a node.

        Returns the constraints from the volumes of each batch then, or None if nothing changed.
        """
        placed = sorted(((zones[u.batch], u) for u in self._users if u.batch in zones), key=lambda p: (p[0], p[1].batch))
        bound = [self._late.bind(user.pod, user.name, zone, shared_only=True) for zone, user in placed]
        return self.volumes() if True in bound else None

    def volumes(self) -> dict[int, PodVolumes]:
        """Return the constraints from the volumes of each batch, by its number."""
        storage = self._late.storage
        return {user.batch: storage.of_pods(user.pod, user.name, self._registry) for user in self._users}
