"""Prices from Azure's retail price list (spec: azure 6.2)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.catalog.managed_disks import PREMIUM, STANDARD_HDD, item_of, steps

API_VERSION: Final = "2023-01-01-preview"
MACHINES: Final = "Virtual Machines"
_SPOT: Final = " Spot"
_LEFT_OUT: Final = ((" Windows", "productName"), (" Low Priority", "meterName"))
# Besides their price these sizes have a flat one in the list, equal everywhere and about a third of the real one.
_FLAT_IN: Final = frozenset(("germanywestcentral", "japaneast", "jioindiacentral", "jioindiawest", "southindia"))
_FLAT: Final = re.compile(r"Standard_M(416|624|832).*_v3")


def price_filter(location: str) -> str:
    """Return the filter for the price list: machines by the hour in a location."""
    return (
        "priceType eq 'Consumption' and currencyCode eq 'USD' and serviceFamily eq 'Compute' "
        f"and serviceName eq 'Virtual Machines' and armRegionName eq '{location}'"
    )


@dataclass(frozen=True, slots=True)
class RetailItem:
    """An item of the catalogue's services as the retail price list has it; its unit is an hour or a month."""

    name: str
    service: str
    product: str
    meter: str

    def is_listed_as(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row of the list is this item."""
        written = (row.get("productName"), row.get("meterName"))
        return written == (self.product, self.meter) and row.get("type", "Consumption") == "Consumption"


AZURE_ITEMS: Final = (
    RetailItem("aks-standard", "Azure Kubernetes Service", "Azure Kubernetes Service", "Standard Uptime SLA"),
    RetailItem("load-balancer", "Load Balancer", "Load Balancer", "Standard Included LB Rules and Outbound Rules"),
    RetailItem("nat-gateway", "NAT Gateway", "NAT Gateway", "Standard Gateway"),
    RetailItem("public-ipv4-address", "Virtual Network", "IP Addresses", "Standard IPv4 Static Public IP"),
    *(
        RetailItem(item_of(step), "Storage", product, f"{step} LRS Disk")
        for kind, product in ((PREMIUM, "Premium SSD Managed Disks"), (STANDARD_HDD, "Standard HDD Managed Disks"))
        for step in steps(kind).values()
    ),
)


def service_filters(location: str) -> tuple[str, ...]:
    """Return the filters for the services of a location, one a product."""
    products = dict.fromkeys((item.service, item.product) for item in AZURE_ITEMS)
    return tuple(
        f"priceType eq 'Consumption' and currencyCode eq 'USD' and serviceName eq '{service}' "
        f"and productName eq '{product}' and armRegionName eq '{location}'"
        for service, product in products
    )


def service_rows(rows: Iterable[Mapping[str, Any]], location: str) -> dict[str, tuple[float, str]]:
    """Return USD of each service's item in a location, with `hour` or `month`; of a price in steps that of the first."""
    prices: dict[str, tuple[float, float, str]] = {}
    for row in rows:
        price, unit = row.get("retailPrice") or 0, str(row.get("unitOfMeasure") or "")
        per = next((name for name in ("hour", "month") if name in unit.lower()), "")
        if row.get("armRegionName") != location or not per or not 0 < price < math.inf:
            continue
        for item in AZURE_ITEMS:
            if item.is_listed_as(row):
                step = (float(row.get("tierMinimumUnits") or 0), float(price), per)
                prices[item.name] = min(prices.get(item.name, step), step)
    return {name: (usd, per) for name, (_, usd, per) in prices.items()}


def retail_prices(rows: Iterable[Mapping[str, Any]], location: str) -> tuple[dict[str, float], dict[str, float]]:
    """Return on-demand and spot prices per hour of Linux by size, in USD; of several the lowest (Z-54).

    Karpenter itself keeps any one of several, sometimes that of Windows.
    """
    on_demand: dict[str, list[float]] = {}
    spot: dict[str, list[float]] = {}
    for row in rows:
        size, price = row.get("armSkuName") or "", row.get("retailPrice") or 0
        if not size or row.get("armRegionName") != location or not 0 < price < math.inf or _is_left_out(row):
            continue
        kind = spot if (row.get("skuName") or "").endswith(_SPOT) else on_demand
        kind.setdefault(size, []).append(float(price))
    return {name: _one(name, prices, location) for name, prices in on_demand.items()}, {n: min(p) for n, p in spot.items()}


def _is_left_out(row: Mapping[str, Any]) -> bool:
    return any((row.get(field) or "").endswith(ending) for ending, field in _LEFT_OUT)


def _one(size: str, prices: list[float], location: str) -> float:
    return max(prices) if location in _FLAT_IN and _FLAT.fullmatch(size) else min(prices)
