"""The label values that a cloud's machines have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from cutlist.api.written import WrittenPool, WrittenValues
from cutlist.core.errors import Problems, nearest
from cutlist.core.notes import Note
from cutlist.core.requirement import Requirement

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class HardwareValues(Generic[M]):
    """The values of labels that machines' names do not determine; computed only for requested keys."""

    machines: Callable[[], Iterable[M]]
    labels_of: Callable[[M], Iterable[Requirement]]
    keys: frozenset[str]
    _by_key: dict[str, frozenset[str]] = field(default_factory=dict, init=False)

    def nearest_value(self, key: str, value: str) -> str | None:
        """Return the nearest known value, empty if none is close, or None for a value that some machine has, and for other
        labels."""
        known = self._known(key) if key in self.keys else frozenset()
        if not known or value in known:
            return None
        if value.isdigit():
            return min((v for v in known if v.isdigit()), key=lambda v: (abs(int(v) - int(value)), int(v)), default="")
        return nearest(value, sorted(known))

    def _known(self, key: str) -> frozenset[str]:
        if key not in self._by_key:
            labels = (r for m in self.machines() for r in self.labels_of(m) if r.key == key)
            self._by_key[key] = frozenset(value for r in labels for value in r.values)
        return self._by_key[key]


def regions_of_zones(zones: Iterable[str], regions: Sequence[str]) -> list[str]:
    """Return the regions to which zones of these names would belong, each once, in order."""
    named = (max((region for region in regions if zone.startswith(region)), key=len, default="") for zone in zones)
    return sorted({region for region in named if region})


class LabelValues(Protocol):
    """What is known about the labels of a cloud's machines. `machine` is the cloud's word for an instance type."""

    @property
    def machine(self) -> str:
        """Return the cloud's word for an instance type."""

    @property
    def fixed(self) -> Mapping[str, Set[str]]:
        """Return all values of the keys that have few values."""

    @property
    def in_any_region(self) -> Mapping[str, Set[str]]:
        """Return the values that some machine has in any region, for keys that machines' names determine."""

    @property
    def in_region(self) -> Mapping[str, Set[str]]:
        """Return the values of `in_any_region` that the region's machines have."""

    @property
    def hardware(self) -> HardwareValues[Any]:
        """Return the values of all other labels of machines."""

    def never_launched(self, pool: WrittenPool) -> list[Note]:
        """Return warnings about machines that a NodePool names and that the provider never launches, with the reason."""

    def why_unknown(self, key: str, value: str) -> str:
        """Return why no known machine has a value that exists in the cloud, or an empty string if that is unknown."""

    def meant(self, key: str, value: str) -> str:
        """Return what was meant by a value that no machine has, in another form or under another key; empty if that is open."""

    def check_key(self, pool: WrittenPool, wanted: WrittenValues, problems: Problems) -> None:
        """Add a problem for a key without effect on this NodePool that was meant to have one."""
