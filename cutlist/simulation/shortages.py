"""Capacity that a cloud does not have at times: how often, and in which hours.

A table has a row for each share: `instance_type,zone,capacity_type,short`. The first three may be `*`; the most specific row
counts. `short` is the fraction of all hours in which the cloud has no further instance, such as `5%`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from cutlist.core.errors import Problems
from cutlist.core.labels import ON_DEMAND, SPOT
from cutlist.simulation.demand.tables import percentage, rows_of
from cutlist.simulation.events import HOUR
from cutlist.simulation.settings import SimulationSettings

ANY: Final = "*"
_COLUMNS: Final = ("instance_type", "zone", "capacity_type", "short")
_CAPACITY_TYPES: Final = (ON_DEMAND, SPOT, ANY)


@dataclass(frozen=True, slots=True)
class CapacityShortages:
    """The fraction of all hours in which the cloud has no instance of a type in a zone by a capacity type; `*` is any. Others
    are always available."""

    shares: Mapping[tuple[str, str, str], float] = field(default_factory=dict)

    def is_short(self, instance_type: str, zone: str, capacity_type: str, at: int, settings: SimulationSettings) -> bool:
        """Tell whether there is no instance at an instant.

        The draw of an hour depends only on the seed, the hour and the offering.
        """
        share = self.of(instance_type, zone, capacity_type) if self.shares else 0.0
        cause = f"shortage/{instance_type}/{zone}/{capacity_type}/{at // HOUR}"
        # A new generator for each question: the answer does not depend on who asked before.
        return bool(share) and settings.stream(cause).random() < share

    def of(self, instance_type: str, zone: str, capacity_type: str) -> float:
        """Return the most specific share for an offering: a row with its type first, then one with its zone."""
        keys = ((t, z, c) for t in (instance_type, ANY) for z in (zone, ANY) for c in (capacity_type, ANY))
        return next((self.shares[key] for key in keys if key in self.shares), 0.0)


def read_shortages(path: str, problems: Problems) -> CapacityShortages:
    """Return the shares of a table. Mistakes are added to `problems`."""
    shares: dict[tuple[str, str, str], float] = {}
    for place, row in rows_of(path, _COLUMNS, "share", problems):
        key = row["instance_type"], row["zone"], row["capacity_type"]
        share = percentage(row["short"])
        if key[2] not in _CAPACITY_TYPES:
            problems.add(place, f"{key[2]!r} is not a capacity type", ", ".join(_CAPACITY_TYPES))
        elif share is None:
            problems.add(place, f"{row['short']!r} is not a share", "such as 5%, up to 100%")
        elif shares.setdefault(key, share) != share:
            problems.add(place, f"{' in '.join(key[:2])}, {key[2]}, has another share above")
    return CapacityShortages(shares)


def of_all(tables: list[CapacityShortages]) -> CapacityShortages:
    """Return the shares of several tables; later ones replace earlier ones."""
    return CapacityShortages({key: share for table in tables for key, share in table.shares.items()})
