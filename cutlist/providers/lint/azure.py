"""The label values that VM sizes of Azure have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cutlist.api import WrittenPool
from cutlist.api.written import WrittenValues
from cutlist.catalog import LocationCatalog, all_sizes
from cutlist.catalog.size_names import size_name
from cutlist.core.errors import Problems
from cutlist.core.labels import AKS_GROUP, ARCH, AZURE, AZURE_GROUP, INSTANCE_TYPE, OS, REGION, ZONE
from cutlist.core.notes import Note
from cutlist.providers.azure import name_refusal, refusal
from cutlist.providers.azure.labels import SKU_FAMILY, SKU_NAME, SKU_SERIES, SKU_VERSION, size_labels
from cutlist.providers.lint.words import Hardware

_NAMES: Final = (INSTANCE_TYPE, SKU_NAME)
_HARDWARE: Final = frozenset(
    {
        *(f"{AZURE_GROUP}/sku-{name}" for name in ("cpu", "memory", "gpu-count", "gpu-name", "storage-ephemeralos-maxsize")),
        *(f"{AKS_GROUP}/sku-{name}" for name in ("cpu", "memory")),
    }
)


class AzureWords:
    """Labels of VM sizes under Karpenter on AKS."""

    machine: Final = "VM size"

    def __init__(self, catalog: LocationCatalog) -> None:
        self.here = _values(catalog.machines)
        self.everywhere = _values({*all_sizes(), *catalog.machines})
        self.hardware = Hardware(lambda: {**all_sizes(), **catalog.machines}.values(), size_labels, _HARDWARE)
        self.fixed = {
            **{key: set(values) for key, values in AZURE.well_known_values.items()},
            ARCH: {"amd64", "arm64"},
            OS: {"linux"},
            REGION: {catalog.region},
            ZONE: {z.name for z in catalog.zones},
        }

    def never_launched(self, pool: WrittenPool) -> list[Note]:
        """Sizes that Karpenter uses under no class."""
        found = []
        for wanted in pool.requirements:
            for value in wanted.values if wanted.key in _NAMES and wanted.operator == "In" else ():
                size = all_sizes().get(value)
                why = refusal(size) if size is not None else name_refusal(value)
                if why and size is not None:
                    found.append(Note("never-used", f"NodePool {pool.name}: Karpenter on AKS launches no {value}: {why}"))
        return found

    def check_key(self, pool: WrittenPool, wanted: WrittenValues, problems: Problems) -> None:
        """Keys that mean nothing are refused by the API server already."""


def _values(names: Iterable[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {key: set() for key in (*_NAMES, SKU_FAMILY, SKU_SERIES, SKU_VERSION)}
    for name in names:
        for key in _NAMES:
            found[key].add(name)
        parts = size_name(name)
        if parts is not None:
            found[SKU_FAMILY].add(parts.family)
            found[SKU_SERIES].add(parts.series)
            found[SKU_VERSION].add(str(parts.version or 1))
    return found
