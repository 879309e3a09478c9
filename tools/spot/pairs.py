"""The published spot prices of the embedded catalogue, and the savings of the Spot Advisor beside them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from cutlist.catalog.format import Table, read_table
from cutlist.catalog.regions import NEWEST_SAVING
from cutlist.catalog.spot import SPOT, Traits
from cutlist.core.errors import Place

REGIONS: Final = SPOT.parent / "regions"
FOLDS: Final = 5
OBSERVED: Final = "OS"
"""The source of zones' prices in the files of regions."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A type in a region: the parts of its on-demand price that spot costs by zone, and that it costs by the Advisor.

    `zones` are empty without published prices; `advisor` is a part and None without a new saving, `earlier` is of 2025.
    """

    machine: str
    traits: Traits
    zones: tuple[float, ...]
    advisor: float | None
    earlier: float | None

    @property
    def fold(self) -> int:
        """Return the part of all pairs to which its name assigns it, whatever other pairs there are."""
        return int(hashlib.sha256(f"{self.traits.region} {self.machine}".encode()).hexdigest(), 16) % FOLDS

    @property
    def part(self) -> float:
        """Return the part of the on-demand price: the mean of published zones, else what the Advisor says."""
        return math.fsum(self.zones) / len(self.zones) if self.zones else self.advisor or 1.0


@lru_cache(maxsize=1)
def pairs() -> tuple[Pair, ...]:
    """Return the pairs with a published price or a new saving, by region and type."""
    return tuple(pair for path in sorted(REGIONS.glob("*.tsv")) for pair in _of_region(path))


def _of_region(path: Path) -> Iterator[Pair]:
    table: Table = read_table(path.read_text("utf-8"), Place(path.name))
    for row in table.rows:
        name, _, on_demand, _, listed, saving, saving_source, _, spot, spot_source = row[:10]
        if spot_source != OBSERVED and saving_source != NEWEST_SAVING:
            continue
        price = float(listed or on_demand)
        zones = tuple(float(cell.partition("=")[2]) / price for cell in spot.split("+") if cell)
        part = 1 - float(saving) / 100 if saving else None
        newest = saving_source == NEWEST_SAVING
        yield Pair(name, Traits.of(path.stem, name), zones, part if newest else None, None if newest else part)
