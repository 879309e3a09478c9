"""The label values that EC2 instance types have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Final

from cutlist.api.label_domains import mapped_key, self_managed_key
from cutlist.api.written import WrittenPool, WrittenValues
from cutlist.catalog.embedded import all_machines, load, machine_names, regions
from cutlist.catalog.machines import UNDESCRIBED_FAMILIES, UNDESCRIBED_TYPES, WHY_UNDESCRIBED, Machine
from cutlist.catalog.regions import RegionCatalog, Zone
from cutlist.core import labels
from cutlist.core.errors import Problems
from cutlist.core.labels import (
    ARCH,
    AUTO_GROUP,
    AWS_GROUP,
    CAPACITY_TYPE,
    CAPACITY_TYPES,
    INSTANCE_TYPE,
    OS,
    REGION,
    ZONE,
    ZONE_ID,
)
from cutlist.core.notes import Note
from cutlist.providers import eks_auto
from cutlist.providers.aws.labels import HARDWARE_LABELS, machine_labels, name_parts
from cutlist.providers.lint.label_values import HardwareValues, regions_of_zones

_CATEGORY: Final = f"{AWS_GROUP}/instance-category"
_GENERATION: Final = f"{AWS_GROUP}/instance-generation"
_FAMILY: Final = f"{AWS_GROUP}/instance-family"
_SIZE: Final = f"{AWS_GROUP}/instance-size"
_AUTO_FAMILY: Final = mapped_key(_FAMILY)
_AUTO_SIZE: Final = mapped_key(_SIZE)


class AwsLabelValues:
    """Labels of EC2 instance types, under self-managed Karpenter and EKS Auto Mode."""

    machine: Final = "EC2 instance type"

    def __init__(self, machines: Mapping[str, Machine], regions: Iterable[str], zones: Sequence[Zone]) -> None:
        self.in_region = _values_by_label(frozenset(machines))
        self.in_any_region = _values_by_label(machine_names().union(machines))
        self.hardware = _ValuesOfEitherGroup(lambda: {**all_machines(), **machines}.values(), machine_labels, HARDWARE_LABELS)
        self.fixed = {
            ARCH: {"amd64", "arm64"},
            OS: {"linux", "windows"},
            CAPACITY_TYPE: set(CAPACITY_TYPES),
            REGION: set(regions),
            ZONE: {z.name for z in zones},
            ZONE_ID: {z.zone_id for z in zones if z.zone_id},
        }

    @staticmethod
    def of(catalog: RegionCatalog) -> AwsLabelValues:
        """Return the labels of a region's instance types."""
        return AwsLabelValues(catalog.machines, [catalog.region], catalog.zones)

    @staticmethod
    def anywhere(zones: Iterable[str]) -> AwsLabelValues:
        """Return the labels of all instance types, with the zones of the regions to which these zone names would belong."""
        named = regions_of_zones(zones, regions())
        return AwsLabelValues(all_machines(), regions(), [zone for region in named for zone in load(region).zones])

    def never_launched(self, pool: WrittenPool) -> list[Note]:
        """Return warnings about machines that EKS Auto Mode does not launch. Self-managed Karpenter launches all, so it has
        none."""
        return _auto_mode_values(pool) if pool.node_class[0] == AUTO_GROUP else []

    def why_unknown(self, key: str, value: str) -> str:
        """Return why no known instance type has a name or family that Karpenter does list (VA15-80)."""
        undescribed = {INSTANCE_TYPE: UNDESCRIBED_TYPES, _FAMILY: UNDESCRIBED_FAMILIES, _AUTO_FAMILY: UNDESCRIBED_FAMILIES}
        return WHY_UNDESCRIBED if value in undescribed.get(key, ()) else ""

    def meant(self, key: str, value: str) -> str:  # noqa: ARG002 - the nearest value says enough
        """Return nothing: names of instance types are written in one way."""
        return ""

    def check_key(self, pool: WrittenPool, wanted: WrittenValues, problems: Problems) -> None:
        """Add a problem for Auto Mode's key under an EC2NodeClass: it counts as a custom label and restricts no instance type
        (V-110)."""
        if pool.node_class[0] == AWS_GROUP and labels.domain(wanted.key) == AUTO_GROUP:
            own = self_managed_key(wanted.key)
            if own:
                text = f"{wanted.key} belongs to EKS Auto Mode; in a pool with an EC2NodeClass it limits no instance type"
                problems.add(wanted.place, text, nearest=own)


class _ValuesOfEitherGroup(HardwareValues[Machine]):
    """Hardware whose labels may be requested by the keys of either controller."""

    __slots__ = ()

    def nearest_value(self, key: str, value: str) -> str | None:
        """Return the nearest value for the corresponding key of self-managed Karpenter."""
        return HardwareValues.nearest_value(self, key.replace(f"{AUTO_GROUP}/", f"{AWS_GROUP}/"), value)


def _auto_mode_values(pool: WrittenPool) -> list[Note]:
    """Return warnings about instance types and families that EKS Auto Mode does not launch, with the reason (V-114)."""
    notes = []
    for wanted in pool.requirements:
        for value in wanted.values if wanted.operator == "In" else ():
            name = {INSTANCE_TYPE: value, _AUTO_FAMILY: f"{value}.large", _AUTO_SIZE: f"c5.{value}"}.get(wanted.key, "")
            why = eks_auto.refusal(name) if name else ""
            if why:
                text = f"NodePool {pool.name}: EKS Auto Mode launches no {value}: {why}"
                notes.append(Note("not-in-auto-mode", text))
    return notes


@lru_cache(maxsize=16)
def _values_by_label(names: frozenset[str]) -> Mapping[str, Set[str]]:
    """Return the values of the labels that machines' names determine, by the key of each controller."""
    by_label: dict[str, set[str]] = {key: set() for key in (_CATEGORY, _GENERATION, _FAMILY, _SIZE)}
    for family in {name.partition(".")[0] for name in names}:
        for key, value in name_parts(family).items():
            by_label[key].add(value)
    by_label[INSTANCE_TYPE] = set(names)
    by_label[_SIZE] = {size for name in names if (size := name.partition(".")[2])}
    return {**by_label, **{mapped_key(key): values for key, values in by_label.items() if mapped_key(key)}}
