"""EBS volumes and their cost: size, and performance beyond the free baseline."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cutlist.catalog.prices import Price, PriceOf, sum_of_prices

DEFAULT_TYPE: Final = "gp2"  # EC2's default for mappings that name none
BOTTLEROCKET_ROOT: Final = 4  # GiB of the system's volume in Karpenter
_GP3: Final = "gp3"
_FREE_IOPS: Final = 3000
_FREE_THROUGHPUT: Final = 125
_IO2_TIERS: Final = (("ebs-io2-iops", 0), ("ebs-io2-iops-32000", 32_000), ("ebs-io2-iops-64000", 64_000), ("", math.inf))


@dataclass(frozen=True, slots=True)
class Volume:
    """An EBS volume; size in GiB, throughput in MiB/s. None is the default of the volume's type."""

    type: str
    gib: int
    iops: int | None = None
    throughput: int | None = None

    def price(self, price_of: PriceOf) -> Price | None:
        """Return its price per hour, or None if a figure is unknown."""
        return sum_of_prices((price_of(item), units) for item, units in self._units())

    def _units(self) -> Iterator[tuple[str, float]]:
        """Yield the billed items with their amounts."""
        item = f"ebs-{self.type}"
        yield item, self.gib
        if self.type == _GP3:
            if (more := (self.iops or 0) - _FREE_IOPS) > 0:
                yield "ebs-gp3-iops", more
            if (more := (self.throughput or 0) - _FREE_THROUGHPUT) > 0:
                yield "ebs-gp3-throughput", more
        elif self.type == "io1":
            yield "ebs-io1-iops", self.iops or 0
        elif self.type == "io2":
            for (tier, low), (_, high) in pairwise(_IO2_TIERS):
                if (in_tier := min(self.iops or 0, high) - low) > 0:
                    yield tier, in_tier
