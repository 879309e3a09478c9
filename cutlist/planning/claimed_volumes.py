"""The volumes that the pods of a plan claim, with the disks that they become and their prices (VL-8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.quantity import NANO
from cutlist.planning.assumed_storage import ANY_CLASS
from cutlist.planning.cloud import Cloud
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.volumes import ClaimedVolume
from cutlist.state.volumes import Storage, csi_driver
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.objects import PersistentVolumeClaim, StorageClass
from cutlist.workloads.pods import Volume
from cutlist.workloads.read_pod import storage_request

_GIB: Final = 2**30 * NANO


def claimed_volumes(inputs: PlanInputs, storage: Storage) -> tuple[ClaimedVolume, ...]:
    """Return the claims of the pods that have to be placed, by workload: those of each pod times its pods, shared ones once.

    `storage` is that of the inputs with what is assumed of it.
    """
    counts: dict[ClaimedVolume, int] = {}
    for claimed in _Claims(inputs, storage, inputs.cloud).all():
        alike = replace(claimed, count=0)
        counts[alike] = counts.get(alike, 0) + claimed.count
    listed = (replace(alike, count=count) for alike, count in counts.items())
    return tuple(sorted(listed, key=lambda v: (v.workload, v.claim, v.storage_class, v.gib or 0, v.count)))


@dataclass(frozen=True, slots=True)
class _Claims:
    """The claims of some inputs."""

    inputs: PlanInputs
    storage: Storage
    cloud: Cloud

    def all(self) -> Iterator[ClaimedVolume]:
        """Yield the claims of each group of pods."""
        seen: set[tuple[str, str]] = set()
        for group in (group for group in self.inputs.workloads.groups if group.count):
            for volume in group.pod.volumes:
                key = (group.namespace, volume.claim_of(group.pod_name(0)))
                if volume.belongs_to_pod:
                    yield self._priced(group, volume, self.storage.claims.get(key), volume.storage, group.count)
                elif key not in seen:
                    seen.add(key)
                    yield self._shared(group, volume, key)

    def _shared(self, group: PodGroup, volume: Volume, key: tuple[str, str]) -> ClaimedVolume:
        claim = self.inputs.cluster.storage.claims.get(key)
        if claim is None:
            return ClaimedVolume(group.workload, volume.claim, 1, unpriced="the claim is not in the input")
        return self._priced(group, volume, self.storage.claims.get(key, claim), self._size(claim), 1)

    def _size(self, claim: PersistentVolumeClaim) -> int:
        """Return how large a claim is: as large as its volume, if it is bound to one that says so."""
        bound = self.storage.volumes.get(claim.volume)
        capacity = _spec(bound.raw).get("capacity") if bound is not None else None
        of_volume = storage_request({"resources": {"requests": capacity}}) if capacity else 0
        return of_volume or storage_request(_spec(claim.raw))

    def _priced(
        self, group: PodGroup, volume: Volume, claim: PersistentVolumeClaim | None, size: int, count: int
    ) -> ClaimedVolume:
        """Return claims of one volume of a group with what they cost."""
        name = (claim.storage_class if claim is not None else volume.storage_class) or ""
        storage_class = self.storage.classes.get(name)
        shown = "" if name == ANY_CLASS else name
        claimed = ClaimedVolume(group.workload, volume.claim, count, shown, gib=None if not size else -(-size // _GIB))
        if storage_class is None or not storage_class.provisioner:
            of = f"storage class {shown}" if shown else "the storage class"
            return replace(claimed, unpriced=f"{of} is not in the input")
        return self._with_disk(claimed, storage_class, size / _GIB)

    def _with_disk(self, claimed: ClaimedVolume, storage_class: StorageClass, gib: float) -> ClaimedVolume:
        driver = csi_driver(storage_class)
        if not gib:
            return replace(claimed, unpriced="the claim does not say how large it is")
        disk = self.cloud.claimed_disk(driver, storage_class.raw.get("parameters") or {}, gib)
        if disk is None:
            return replace(claimed, unpriced=f"volumes of {driver} are not disks of the cloud with a price by their size")
        price = disk.price
        return replace(
            claimed,
            type=disk.type,
            gib=disk.gib,
            iops=disk.iops,
            throughput=disk.throughput,
            price_per_hour=None if price is None else price.usd_per_hour,
            source="" if price is None else price.provenance,
            estimated=price is not None and price.estimated,
            unpriced=disk.unpriced,
        )


def _spec(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    return manifest.get("spec") or {}
