"""List prices of a region of AWS, from the API or from files. It needs no SDK of a cloud."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, Protocol

from cutlist.catalog.services import AUTO_FEE
from cutlist_live.price_files import LivePrices
from cutlist_live.prices import LINUX, WINDOWS, on_demand_prices, product_filters
from cutlist_live.service_items import AUTO_FEES, AWS_ITEMS, auto_fees, item_prices, questions
from cutlist_live.store import ServiceRow

TITLE: Final = "AWS API"
METAL_FAMILY: Final = "Compute Instance (bare metal)"
_DEDICATED: Final = ", dedicated tenancy (what Karpenter asks for metal types)"
_LICENSED: Final = ", Windows with its licence"
Ask = Callable[[Callable[[], list[Any]]], list[Any]]
"""Returns what a call returns; what it cannot read is noted and left out."""


class MachineList(Protocol):
    """A price list of machines."""

    def products(self, region: str, filters: Sequence[Mapping[str, str]]) -> list[Any]:
        """Return the products that match, as GetProducts answers. Raises AccountError or RegionError."""
        ...


class PriceAnswers(MachineList, Protocol):
    """A price list of AWS, from any source."""

    def service_products(self, region: str, service: str, narrow: tuple[str, str]) -> list[Any]:
        """Return the products of a service that match, as GetProducts answers. Raises AccountError or RegionError."""
        ...


def currency_of(region: str) -> str:
    """Return the currency of a region's price list."""
    return "CNY" if region.startswith("cn-") else "USD"


def price_list(answers: MachineList, region: str, ask: Ask, system: str = LINUX) -> tuple[list[Any], list[Any]]:
    """Return the products of machines in a region's price list with an operating system: of shared tenancy, and metal ones of
    dedicated tenancy."""
    shared = product_filters(region, "Compute Instance", "Shared", system)
    metal = product_filters(region, METAL_FAMILY, "Dedicated", system)
    return ask(lambda: answers.products(region, shared)), ask(lambda: answers.products(region, metal))


def list_prices(answers: PriceAnswers, region: str, now: datetime, ask: Ask) -> LivePrices:
    """Return today's list prices of a region: of machines with Linux and with Windows, of services and disks."""
    date = now.date().isoformat()
    currency = currency_of(region)
    shared, metal = price_list(answers, region, ask)
    windows = price_list(answers, region, ask, WINDOWS)
    services: dict[str, float] = {}
    for (service, narrow), items in questions().items() if currency == "USD" else ():
        services |= item_prices(ask(partial(answers.service_products, region, service, narrow)), items)
    prices = _sourced(shared, "", currency) | _sourced(metal, _DEDICATED, currency)
    of_windows = _sourced(windows[0], _LICENSED, currency) | _sourced(windows[1], f"{_LICENSED}{_DEDICATED}", currency)
    fees: dict[str, float] = {}
    if currency == "USD":
        fees = auto_fees(ask(partial(answers.service_products, region, *AUTO_FEES)))
    listed = [item for item in AWS_ITEMS if item.name in services]
    rows = [ServiceRow(i.name, region, services[i.name], i.per, f"{TITLE}: price list {i.service}") for i in listed]
    rows += [
        ServiceRow(f"{AUTO_FEE}{name}", region, usd, "hour", f"{TITLE}: price list {AUTO_FEES[0]}")
        for name, usd in sorted(fees.items())
    ]
    missing = tuple(item.name for item in AWS_ITEMS if item not in listed)
    return LivePrices(region, date, prices, {}, rows, missing, of_windows)


def _sourced(products: Iterable[Any], kind: str, currency: str) -> dict[str, tuple[float, str]]:
    return {name: (usd, f"{TITLE}: price list{kind}") for name, usd in on_demand_prices(products, currency).items()}
