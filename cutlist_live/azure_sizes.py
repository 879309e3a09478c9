"""VM sizes, their zones and restrictions from records of Azure's SKU service (spec: azure 5.1, A.6).

A record is in the form of the service and of `az vm list-skus -o json`: everything in it is text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.catalog.size_names import size_name
from cutlist.catalog.sizes import Size
from cutlist.providers.azure.offerings import NO_ZONE

_VMS: Final = "virtualMachines"
_GIB: Final = 2**30
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sku:
    """A size in a location: the numbers of the zones that are open to the subscription, `0` for none.

    Without any entry it is not open to the subscription there.
    """

    size: Size
    zones: tuple[str, ...]


def skus(records: Iterable[Record], location: str, source: str) -> list[Sku]:
    """Return the sizes that a location has, by name.

    Records of other resources and locations, or without an architecture, are left out.
    """
    sizes = [
        Sku(size_of(r, source), _zones(r, location))
        for r in records
        if r.get("resourceType") == _VMS and _place(r, location) is not None and "CpuArchitectureType" in _capabilities(r)
    ]
    return sorted(sizes, key=lambda sku: sku.size.name)


def size_of(record: Record, source: str) -> Size:
    """Return the size that a record describes; nothing in it is derived. `source` is the code of the record's source."""
    capabilities = _capabilities(record)

    def has(capability: str) -> bool:
        return capabilities.get(capability) == "True"

    generations = tuple(g.removeprefix("V") for g in _listed(capabilities.get("HyperVGenerations", "")))
    return Size(
        name=record["name"],
        parts=size_name(record["name"]),
        family=record.get("family") or "",
        vcpus=int(capabilities["vCPUs"]),
        memory_gib=float(capabilities["MemoryGB"]),
        architecture=capabilities.get("CpuArchitectureType", ""),
        gpus=int(float(capabilities.get("GPUs", 0))),
        generations=generations,
        premium_io=has("PremiumIO"),
        accelerated_networking=has("AcceleratedNetworkingEnabled"),
        encryption_at_host=has("EncryptionAtHostSupported"),
        trusted_launch="2" in generations and not has("TrustedLaunchDisabled"),
        spot=has("LowPriorityCapable"),
        ephemeral_os_disk=has("EphemeralOSDiskSupported"),
        placements=_listed(capabilities.get("SupportedEphemeralOSDiskPlacements", "")),
        cache_gib=int(capabilities.get("CachedDiskBytes", 0)) / _GIB,
        temporary_mib=int(capabilities.get("MaxResourceVolumeMB", 0)),  # which is in MiB, despite its name
        nvme_mib=int(capabilities.get("NvmeDiskSizeInMiB", 0)),
        derived=frozenset(),
        source=source,
    )


def _capabilities(record: Record) -> dict[str, str]:
    return {c["name"]: c["value"] for c in record.get("capabilities") or ()}


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _place(record: Record, location: str) -> Record | None:
    places: Iterable[Record] = record.get("locationInfo") or ()
    return next((place for place in places if place.get("location", "").lower() == location), None)


def _zones(record: Record, location: str) -> tuple[str, ...]:
    place = _place(record, location) or {}
    restricted: set[str] = set()
    for restriction in record.get("restrictions") or ():
        if restriction.get("type") == "Location" and location in {v.lower() for v in restriction.get("values") or ()}:
            return ()
        restricted |= set((restriction.get("restrictionInfo") or {}).get("zones") or ())
    return (NO_ZONE, *sorted(set(place.get("zones") or ()) - restricted))
