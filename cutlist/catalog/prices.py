"""Prices: the cost per hour, and the source of the figure (spec: AWS 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

HOURS_PER_MONTH: Final = 730  # the number that AWS and Azure use in their own calculators


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a machine per hour. `source` is for people, `date` (ISO, a day or a month) gives its age.

    `estimated` marks a figure that nobody published. `usd_per_hour` is in `currency`: US dollars everywhere except in China,
    where Karpenter compares yuan as plain numbers.
    """

    usd_per_hour: float
    source: str
    date: str = ""
    estimated: bool = False
    currency: str = "USD"

    @property
    def provenance(self) -> str:
        """Return source and date in one phrase."""
        return _phrase(self.source, self.date)


@lru_cache(maxsize=256)
def _phrase(source: str, date: str) -> str:
    """Return the one text that the many prices of a source share."""
    return f"{source}, {date}" if date else source
