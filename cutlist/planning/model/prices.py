"""The JSON of prices: several members of the object that has the price, whose names differ from object to object."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final, TypeAlias

from cutlist.catalog.prices import HIGH, LOW, Price
from cutlist.core.records import NEWER, SPARSE, Key, Parts, about
from cutlist.planning.model.spelling import ExactPrice

CURRENCY: Final = about("The currency of the price, only where it is not USD.")


@dataclass(frozen=True, slots=True)
class _NodePrice:
    """A plan of an older release has no `estimated`: its prices count as published, and their source says more to people."""

    usd_per_hour: Annotated[ExactPrice, Key("pricePerHour")] = None
    provenance: Annotated[str, Key("priceSource")] = ""
    estimated: Annotated[bool, Key("priceEstimated"), NEWER] = False
    low: Annotated[ExactPrice, Key("pricePerHourLow"), SPARSE, LOW] = None
    high: Annotated[ExactPrice, Key("pricePerHourHigh"), SPARSE, HIGH] = None
    foreign_currency: Annotated[str | None, Key("priceCurrency"), SPARSE, CURRENCY] = None


@dataclass(frozen=True, slots=True)
class _CandidatePrice:
    usd_per_hour: Annotated[ExactPrice, Key("pricePerHour")] = None
    estimated: Annotated[bool, Key("priceEstimated"), NEWER] = False
    low: Annotated[ExactPrice, Key("pricePerHourLow"), SPARSE, LOW] = None
    high: Annotated[ExactPrice, Key("pricePerHourHigh"), SPARSE, HIGH] = None
    foreign_currency: Annotated[str | None, Key("priceCurrency"), SPARSE, CURRENCY] = None


@dataclass(frozen=True, slots=True)
class _DiskPrice:
    usd_per_hour: Annotated[
        ExactPrice,
        Key("diskPricePerHour"),
        NEWER,
        about("USD an hour for the disks of one node, which come on top of its price; null where unknown."),
    ] = None
    provenance: Annotated[str, Key("diskPriceSource"), NEWER] = ""
    estimated: Annotated[bool, Key("diskPriceEstimated"), NEWER] = False


@dataclass(frozen=True, slots=True)
class _CandidateDiskPrice:
    usd_per_hour: Annotated[ExactPrice, Key("diskPricePerHour"), SPARSE] = None
    estimated: Annotated[bool | None, Key("diskPriceEstimated"), SPARSE] = None


def _price(
    usd_per_hour: float | None,
    provenance: str = "",
    estimated: bool | None = False,
    low: float | None = None,
    high: float | None = None,
    foreign_currency: str | None = None,
) -> Price | None:
    if usd_per_hour is None:
        return None
    price = Price.of_provenance(usd_per_hour, provenance, estimated=bool(estimated))
    return replace(price, low=low, high=high, currency=foreign_currency or price.currency)


def in_parts(record: type) -> Parts:
    """Return the mark of a price that is written as the members of a record, whose attributes are those of `Price`."""
    unknown = record()
    return Parts(record, lambda price: unknown if price is None else price, _price)


NodePrice: TypeAlias = Annotated[Price | None, in_parts(_NodePrice)]
"""The price of a node, None if it is unknown."""
CandidatePrice: TypeAlias = Annotated[Price | None, in_parts(_CandidatePrice)]
"""The price of what a node may become: its amount and its range, and whether it is an estimate, without its source."""
DiskPrice: TypeAlias = Annotated[Price | None, in_parts(_DiskPrice)]
"""The price of a node's disks, None if it is unknown."""
CandidateDiskPrice: TypeAlias = Annotated[Price | None, in_parts(_CandidateDiskPrice)]
"""The price of the disks of what a node may become, only where it depends on the type."""
