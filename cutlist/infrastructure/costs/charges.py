"""A charge: something that a resource is billed for, with its price if known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Annotated, Any

from cutlist.catalog import embedded
from cutlist.catalog.paid import Bought, PaidPrices
from cutlist.catalog.prices import Price, is_estimate, usd
from cutlist.catalog.regions import AnyRegion
from cutlist.catalog.services import service_prices
from cutlist.core.labels import ON_DEMAND
from cutlist.core.records import HIDDEN, After, Count, Key, about, computed, form_of
from cutlist.core.records import Price as PriceInJson


def _to_ten_places(amount: float | None) -> float | None:
    return None if amount is None else round(amount, 10)


TenPlaces = Annotated[float | None, form_of(PriceInJson).through(_to_ten_places)]
"""USD; to ten decimal places in JSON, null when it is not known."""


class ChargeState(StrEnum):
    """How much of a charge is known before anything runs."""

    KNOWN = "known"
    BY_USE = "by use"
    NOT_KNOWN = "not known here"


@dataclass(frozen=True, slots=True)
class RequestedResource:
    """A resource as a program requests it: type token, inputs as they are sent, and region, "" when unknown.

    In `inputs`, a value that only an update knows may be anything except text, numbers, lists and maps. `own` are the user's
    own prices, by item; `live` are regions of a catalogue's folder, whose prices replace the embedded ones, by name. `referred`
    are the inputs of the resource that an input refers to, by the name of the input, such as those of a launch template.
    `day` is the one from which calendars count; without it, no support has ended. `paid` are the prices that the account paid
    for machines.
    """

    type: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    region: str = ""
    own: Mapping[str, Price] = field(default_factory=dict)
    live: Mapping[str, AnyRegion] = field(default_factory=dict)
    referred: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    day: date | None = None
    paid: PaidPrices | None = None

    def of(self, *path: str) -> Any:
        """Return the input at a path of keys, or None without one."""
        value: Any = self.inputs
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value


@dataclass(frozen=True, slots=True)
class Charge:
    """A number of things of one kind.

    `price` is that of one, None unless the charge is known. `note` is for people: for a known charge, possible further costs;
    otherwise what it depends on, or where to look.
    """

    what: str
    state: Annotated[ChargeState, After("count")]
    price: Annotated[Price | None, HIDDEN] = None
    count: Annotated[Count, After("what")] = 1
    note: str = ""

    @property
    @computed(after="state")
    def usd_per_hour(
        self,
    ) -> Annotated[TenPlaces, Key("pricePerHour"), about("USD for all of them; null unless the charge is known.")]:
        """Return the price of all of them in USD per hour, or None if the charge is unknown."""
        return usd(self.price, self.count)

    @property
    @computed(after="usd_per_hour")
    def source(self) -> str:
        """Return the source of the price with its date; empty if the charge is unknown."""
        return "" if self.price is None else self.price.provenance

    @property
    @computed(after="source")
    def is_estimated(self) -> Annotated[bool, Key("estimated")]:
        """Tell whether the price is an estimate."""
        return is_estimate(self.price)

    @property
    def is_complete(self) -> bool:
        """Tell whether the charge is known and nothing is added to it."""
        return self.state is ChargeState.KNOWN and not self.note


Rule = Callable[[RequestedResource], Iterable[Charge]]
"""Returns the charges of a resource of its type."""


def priced(what: str, price: Price | None, look: str, count: int = 1, note: str = "") -> Charge:
    """Return a known charge, or an unknown one with the page of the price."""
    if price is None:
        return Charge(what, ChargeState.NOT_KNOWN, count=count, note=f"see {look}")
    return Charge(what, ChargeState.KNOWN, price, count, note)


def by_use(what: str, note: str) -> Charge:
    """Return a charge that depends on what runs."""
    return Charge(what, ChargeState.BY_USE, note=note)


def used(what: str, note: str) -> Rule:
    """Return the rule for a type that is billed only by use."""
    return lambda _resource: (by_use(what, note),)


def not_known(what: str, note: str) -> Charge:
    """Return an unknown charge, with the page of the price, or why it is unknown."""
    return Charge(what, ChargeState.NOT_KNOWN, note=note)


def service_price(vendor: str, resource: RequestedResource, item: str) -> Price | None:
    """Return the price of an item of `aws` or `azure` per hour where a resource is, or None if that is unknown."""
    live = resource.live.get(_region(resource))
    known = live.service_price(item) if live is not None else service_prices(vendor).price(item, _region(resource))
    return resource.own.get(item) or known


def machine_price(resource: RequestedResource, machine: str, capacity_type: str = ON_DEMAND) -> Price | None:
    """Return what an hour of a machine costs where a resource is, on demand or as spot in the cheapest zone, or None if it is
    unknown, or not in dollars."""
    name = _region(resource)
    if name not in resource.live and name not in embedded.chosen_regions(None):
        return None
    region = resource.live.get(name) or embedded.load_chosen(None, name)
    price = region.on_demand_price(machine) if capacity_type == ON_DEMAND else _cheapest_spot(region, machine)
    if price is None or price.currency != "USD":
        return None
    return price if resource.paid is None else resource.paid.price(price, 0.0, Bought(machine, name, "", capacity_type))


def _cheapest_spot(region: AnyRegion, machine: str) -> Price | None:
    found = (region.spot_price(machine, zone.name) for zone in region.zones)
    return min((price for price in found if price is not None), key=lambda price: price.usd_per_hour, default=None)


def _region(resource: RequestedResource) -> str:
    """Return the region as catalogues write it: to Azure `West Europe` and `westeurope` are the same."""
    return resource.region.replace(" ", "").lower()
