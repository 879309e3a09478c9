"""The volumes of a plan's pods: what claims ask for, and what the disks cost that they become."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from cutlist.catalog.prices import a_month
from cutlist.core.money import money_rounded, money_sum, money_times
from cutlist.core.records import Count, about, computed
from cutlist.planning.model.spelling import ExactPrice


@dataclass(frozen=True, slots=True)
class ClaimedVolume:
    """Claims that are alike: one, or one for each pod of a workload.

    `claim` is the name of the claim, of the claim template, or of the pod's volume. `gib` is the size that is provisioned, None
    if the claim does not say. `price_per_hour` is that of one; `unpriced` says why it is unknown.
    """

    workload: str
    claim: str
    count: Count
    storage_class: Annotated[str, about("Empty if the claim names none.")] = ""
    type: Annotated[str, about("What the cloud makes of it; empty where that is unknown.")] = ""
    gib: int | None = None
    iops: Annotated[int | None, about("Null for what comes with the type.")] = None
    throughput: Annotated[int | None, about("MiB a second; null for what comes with the type.")] = None
    price_per_hour: Annotated[ExactPrice, about("USD for one of them; null where unknown.")] = None
    source: Annotated[str, about("Source of the price, with its date.")] = ""
    estimated: bool = False
    unpriced: Annotated[str, about("Why the price is unknown; empty if it is known.")] = ""

    @property
    def total_per_hour(self) -> float | None:
        """Return USD an hour for all of them, or None if their price is unknown."""
        return None if self.price_per_hour is None else money_times(self.price_per_hour, self.count)


@dataclass(frozen=True, slots=True)
class VolumeTotals:
    """The sums over the volumes of a plan. `unpriced` are those without a price, which the sum leaves out."""

    volumes: Count = 0
    unpriced: Count = 0
    price_per_hour: Annotated[ExactPrice, about("USD for all volumes of known price; null if none has one.")] = None
    estimated: bool = False

    @property
    @computed(after="price_per_hour")
    def price_per_month(self) -> ExactPrice:
        """Return the price in USD for 730 hours."""
        return None if self.price_per_hour is None else money_rounded(a_month(self.price_per_hour), 2)

    @staticmethod
    def of(volumes: Iterable[ClaimedVolume]) -> VolumeTotals:
        """Return the sums of some volumes."""
        listed = list(volumes)
        priced = [v for v in listed if v.price_per_hour is not None]
        count, priced_count = (sum(v.count for v in of) for of in (listed, priced))
        price = money_rounded(money_sum(v.total_per_hour or 0.0 for v in priced), 10) if priced else None
        return VolumeTotals(count, count - priced_count, price, any(v.estimated for v in priced))
