"""Prices from Azure's retail price list (spec: azure 6.2)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

API_VERSION: Final = "2023-01-01-preview"
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
