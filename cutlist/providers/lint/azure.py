"""The label values that VM sizes of Azure have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cutlist.api.written import WrittenPool, WrittenValues
from cutlist.catalog.embedded import all_sizes, load_location, locations
from cutlist.catalog.regions import LocationCatalog, Zone
from cutlist.catalog.size_names import size_name
from cutlist.catalog.sizes import Size
from cutlist.catalog.unrecorded_sizes import why_not_planned
from cutlist.core.errors import Problems
from cutlist.core.labels import AKS_GROUP, ARCH, AZURE, AZURE_GROUP, INSTANCE_TYPE, OS, REGION, ZONE
from cutlist.core.notes import Note
from cutlist.providers.azure.exclusions import name_refusal, refusal
from cutlist.providers.azure.labels import SKU_FAMILY, SKU_NAME, SKU_SERIES, SKU_VERSION, size_labels
from cutlist.providers.lint.azure_hints import meant_on_azure
from cutlist.providers.lint.label_values import HardwareValues, regions_of_zones

_NAMES: Final = (INSTANCE_TYPE, SKU_NAME)
_HARDWARE: Final = frozenset(
    {
        *(f"{AZURE_GROUP}/sku-{name}" for name in ("cpu", "memory", "gpu-count", "gpu-name", "storage-ephemeralos-maxsize")),
        *(f"{AKS_GROUP}/sku-{name}" for name in ("cpu", "memory")),
    }
)


class AzureLabelValues:
    """Labels of VM sizes under Karpenter on AKS."""

    machine: Final = "VM size"

    def __init__(self, machines: Mapping[str, Size], locations: Iterable[str], zones: Sequence[Zone]) -> None:
        self.in_region = _values_by_label(machines)
        self.in_any_region = _values_by_label({*all_sizes(), *machines})
        self.hardware = HardwareValues(lambda: {**all_sizes(), **machines}.values(), size_labels, _HARDWARE)
        self.fixed = {
            **{key: set(values) for key, values in AZURE.well_known_values.items()},
            ARCH: {"amd64", "arm64"},
            OS: {"linux"},
            REGION: set(locations),
            ZONE: {z.name for z in zones},
        }

    @staticmethod
    def of(catalog: LocationCatalog) -> AzureLabelValues:
        """Return the labels of a location's sizes."""
        return AzureLabelValues(catalog.machines, [catalog.region], catalog.zones)

    @staticmethod
    def anywhere(zones: Iterable[str]) -> AzureLabelValues:
        """Return the labels of all sizes, with the zones of the locations to which these zone names would belong."""
        named = regions_of_zones(zones, locations())
        return AzureLabelValues(all_sizes(), locations(), [zone for name in named for zone in load_location(name).zones])

    def never_launched(self, pool: WrittenPool) -> list[Note]:
        """Return warnings about sizes that Karpenter never uses."""
        notes = []
        for wanted in pool.requirements:
            for value in wanted.values if wanted.key in _NAMES and wanted.operator == "In" else ():
                size = all_sizes().get(value)
                why = refusal(size) if size is not None else name_refusal(value)
                if why and size is not None:
                    notes.append(Note("never-used", f"NodePool {pool.name}: Karpenter on AKS launches no {value}: {why}"))
        return notes

    def why_unknown(self, key: str, value: str) -> str:
        """Return that a size has a price and no record; empty for any other value."""
        if key in _NAMES:
            (location, *others) = self.fixed[REGION]
            return why_not_planned(value, "" if others else location)
        return ""

    def meant(self, key: str, value: str) -> str:
        """Return what was meant by a value, such as the series `Ds_v5` by the family `Dsv5`."""
        return meant_on_azure(key, value)

    def check_key(self, pool: WrittenPool, wanted: WrittenValues, problems: Problems) -> None:
        """Add nothing: the API server already refuses keys without meaning."""


def _values_by_label(names: Iterable[str]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {key: set() for key in (*_NAMES, SKU_FAMILY, SKU_SERIES, SKU_VERSION)}
    for name in names:
        for key in _NAMES:
            values[key].add(name)
        parts = size_name(name)
        if parts is not None:
            values[SKU_FAMILY].add(parts.family)
            values[SKU_SERIES].add(parts.series)
            values[SKU_VERSION].add(str(parts.version or 1))
    return values
