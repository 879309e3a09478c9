"""Two states of a region's catalogue compared: new types, removed types, changed zones, changed prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from cutlist.catalog.prices import Price
from cutlist.catalog.regions import AnyRegion
from cutlist.catalog.windows import windows_price
from cutlist.core.labels import LINUX, WINDOWS
from cutlist.core.records import Key, about

_KnownPrice = Annotated[Price | None, about("Null where it is not known.")]


@dataclass(frozen=True, slots=True)
class Repriced:
    """A type whose price per hour changed. For spot it is the price in the cheapest zone.

    `os` is the machine's, as nodes are labelled: a price for Windows includes the licence.
    """

    machine: Annotated[str, Key("type")]
    capacity_type: str
    old: _KnownPrice
    new: _KnownPrice
    os: Annotated[str, about("linux, or windows with the licence included.")] = LINUX

    @property
    def change(self) -> float | None:
        """Return the difference as a fraction of the old price, or None if one of them is unknown."""
        return self.new.usd_per_hour / self.old.usd_per_hour - 1 if self.old and self.new else None


@dataclass(frozen=True, slots=True)
class Rezoned:
    """A type that is sold in other zones than before; zones by id."""

    machine: Annotated[str, Key("type")]
    opened: tuple[str, ...]
    closed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes in a region: types by name, prices by size of the change, unknown ones first."""

    region: str
    new: tuple[str, ...]
    gone: tuple[str, ...]
    rezoned: Annotated[tuple[Rezoned, ...], Key("zones"), about("By id, since names differ by account.")]
    repriced: Annotated[tuple[Repriced, ...], Key("prices")]

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.rezoned or self.repriced)


def compare(old: AnyRegion, new: AnyRegion) -> Comparison:
    """Return how the catalogue of a region changed. Zones are compared by their id, since names differ between accounts."""
    before, after = set(old.machines), set(new.machines)
    both = sorted(before & after)
    repriced = [change for name in both for change in _prices(name, old, new)]
    zones = ((name, _zone_ids(old, name), _zone_ids(new, name)) for name in both)
    return Comparison(
        new.region,
        tuple(sorted(after - before)),
        tuple(sorted(before - after)),
        tuple(
            Rezoned(name, tuple(sorted(now - was)), tuple(sorted(was - now)))
            for name, was, now in zones
            if was != now and old.offerings_known and new.offerings_known
        ),
        tuple(sorted(repriced, key=_by_size)),
    )


def _prices(name: str, old: AnyRegion, new: AnyRegion) -> list[Repriced]:
    pairs = {
        "on-demand": (old.on_demand_price(name), new.on_demand_price(name)),
        "spot": (_cheapest(old, name), _cheapest(new, name)),
    }
    changes = [Repriced(name, kind, was, now) for kind, (was, now) in pairs.items()]
    if name in old.windows or name in new.windows:
        was, now = (windows_price(side, name, side.on_demand_price(name)) for side in (old, new))
        changes.append(Repriced(name, "on-demand", was, now, WINDOWS))
    return [change for change in changes if _amount(change.old) != _amount(change.new)]


def _cheapest(catalog: AnyRegion, name: str) -> Price | None:
    """Return the lowest spot price, or None if no spot prices are known, although plans then use the on-demand price."""
    prices: Mapping[str, Price] = (catalog.spot or {}).get(name, {})
    return min(prices.values(), key=lambda price: price.usd_per_hour, default=None)


def _amount(price: Price | None) -> tuple[float, str] | None:
    return (price.usd_per_hour, price.currency) if price else None


def _zone_ids(catalog: AnyRegion, name: str) -> set[str]:
    return {catalog.zone_id(zone) for zone in catalog.offered.get(name, ())}


def _by_size(change: Repriced) -> tuple[float, str, str, str]:
    share = change.change
    return (float("-inf") if share is None else -abs(share), change.machine, change.capacity_type, change.os)
