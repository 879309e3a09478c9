"""Prices from the answers of the price list and the spot price history, by Karpenter's rules (spec: AWS 4.3)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

LINUX: Final = "Linux"
WINDOWS: Final = "Windows"
SPOT_PRODUCTS: Final = ("Linux/UNIX", "Linux/UNIX (Amazon VPC)")
_LIST_ENDPOINTS: Final = {"ap": "ap-south-1", "cn": "cn-northwest-1", "eu": "eu-central-1"}


def price_list_region(region: str) -> str:
    """Return the region whose price list service knows the prices of a region: few regions have one."""
    return _LIST_ENDPOINTS.get(region.partition("-")[0], "us-east-1")


def has_price_list(region: str) -> bool:
    """Tell whether Karpenter reads a region's price list: not for GovCloud, whose accounts cannot reach one."""
    return not region.startswith("us-gov-")


def product_filters(region: str, family: str, tenancy: str, system: str = LINUX) -> list[dict[str, str]]:
    """Return the filters of GetProducts for on-demand prices of an operating system without software.

    The list has Windows twice: with its licence, and for licences of one's own.
    """
    wanted = {
        "regionCode": region,
        "serviceCode": "AmazonEC2",
        "preInstalledSw": "NA",
        "operatingSystem": system,
        "capacitystatus": "Used",
        "marketoption": "OnDemand",
        "tenancy": tenancy,
        "productFamily": family,
        **({"licenseModel": "No License required"} if system == WINDOWS else {}),
    }
    return [{"Type": "TERM_MATCH", "Field": key, "Value": value} for key, value in wanted.items()]


def on_demand_prices(products: Iterable[str | Mapping[str, Any]], currency: str) -> dict[str, float]:
    """Return the price per hour by instance type. Zero and unreadable prices are ignored; of several, the last counts."""
    prices: dict[str, float] = {}
    for product in products:
        entry = json.loads(product) if isinstance(product, str) else product
        name = entry.get("product", {}).get("attributes", {}).get("instanceType")
        for term in entry.get("terms", {}).get("OnDemand", {}).values():
            for dimension in term.get("priceDimensions", {}).values():
                price = _price(dimension.get("pricePerUnit", {}).get(currency))
                if name and price:
                    prices[name] = price
    return prices


def spot_prices(history: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the newest price per hour by instance type and zone name."""
    prices: dict[str, dict[str, float]] = {}
    for entry in sorted(history, key=lambda e: e["Timestamp"]):
        price = _price(entry.get("SpotPrice"))
        if price and entry.get("ProductDescription") in SPOT_PRODUCTS:
            prices.setdefault(entry["InstanceType"], {})[entry["AvailabilityZone"]] = price
    return prices


def _price(text: str | None) -> float | None:
    try:
        price = float(text or 0)
    except ValueError:
        return None
    return price if 0 < price < math.inf else None
