"""The changes between two catalogues, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from cutlist.catalog import Price
from cutlist.catalog.comparison import Comparison, Repriced
from cutlist.core.records import SPARSE, about, json_of
from cutlist.planning.model.prices import HIGH, LOW


@dataclass(frozen=True, slots=True)
class _Zones:
    type: str
    opened: tuple[str, ...]
    closed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Price:
    per_hour: float
    currency: str
    source: str
    date: str
    estimated: bool
    low: Annotated[float | None, SPARSE, LOW]
    high: Annotated[float | None, SPARSE, HIGH]


_KnownPrice = Annotated[_Price | None, about("Null where it is not known.")]


@dataclass(frozen=True, slots=True)
class _PriceChange:
    type: str
    capacity_type: str
    old: _KnownPrice
    new: _KnownPrice
    os: Annotated[str, about("linux, or windows with the licence included.")]


@dataclass(frozen=True, slots=True)
class _Region:
    region: str
    new: tuple[str, ...]
    gone: tuple[str, ...]
    zones: Annotated[tuple[_Zones, ...], about("By id, since names differ by account.")]
    prices: tuple[_PriceChange, ...]


CatalogDiffRecord: TypeAlias = Annotated[
    tuple[_Region, ...], about("What is different between two catalogues, region by region.")
]


def catalog_json(comparisons: Sequence[Comparison]) -> str:
    """Return the comparisons as JSON: prices per hour, null where unknown."""
    return json_of(tuple(_region(comparison) for comparison in comparisons), CatalogDiffRecord)


def _region(comparison: Comparison) -> _Region:
    return _Region(
        region=comparison.region,
        new=comparison.new,
        gone=comparison.gone,
        zones=tuple(_Zones(zones.machine, zones.opened, zones.closed) for zones in comparison.rezoned),
        prices=tuple(_price_change(change) for change in comparison.repriced),
    )


def _price_change(change: Repriced) -> _PriceChange:
    return _PriceChange(change.machine, change.capacity_type, _price(change.old), _price(change.new), change.os)


def _price(price: Price | None) -> _Price | None:
    if price is None:
        return None
    return _Price(price.usd_per_hour, price.currency, price.source, price.date, price.estimated, price.low, price.high)
