"""Prices: what an hour costs, and where that figure comes from (spec: AWS 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

HOURS_PER_MONTH: Final = 730  # what AWS and Azure use in their own calculators


@dataclass(frozen=True, slots=True)
class Price:
    """One hour of a machine. `source` is for people, `date` (ISO, a day or a month) tells its age.

    `estimated` marks a figure that nobody published. `usd_per_hour` is in `currency`: US dollars everywhere but in China, where
    Karpenter compares yuan as plain numbers.
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
    """Return one text for the many prices of a source."""
    return f"{source}, {date}" if date else source
