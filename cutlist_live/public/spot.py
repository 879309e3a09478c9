"""What public files say of spot: prices by zone in SkyPilot's catalogue, and savings of the Spot Advisor."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from typing import Any, Final

from cutlist.core.errors import Place, Problem
from cutlist_live.errors import RegionError
from cutlist_live.price_files import Saving
from cutlist_live.public.endpoints import PublicFiles, shown

_COLUMNS: Final = ("InstanceType", "Region", "AvailabilityZone", "SpotPrice")
_MOST: Final = 100


def zone_prices(files: PublicFiles, address: str, region: str, zones: Container[str]) -> dict[str, dict[str, float]]:
    """Return USD per hour by type and id of a zone, as SkyPilot's catalogue has them. Raises RegionError if it has none."""
    prices: dict[str, dict[str, float]] = {}
    for name, where, zone, price in files.rows(address, region, _COLUMNS):
        amount = _amount(price) if where == region and zone in zones else None
        if amount is not None:
            prices.setdefault(name, {})[zone] = amount
    if not prices:
        raise RegionError(Problem(Place(region), f"{shown(address)} has no spot price of a zone of this region"))
    return prices


def savings(files: PublicFiles, address: str, region: str) -> dict[str, Saving]:
    """Return the savings of the Spot Advisor for Linux by type. Raises RegionError if it has none."""
    content = files.json(address, region)
    of_region = _member(_member(_member(content, "spot_advisor"), region), "Linux")
    found = {name: saving for name, said in of_region.items() if (saving := _saving(said)) is not None}
    if not found:
        raise RegionError(Problem(Place(region), f"{shown(address)} has no saving for Linux in this region"))
    return found


def _member(content: Any, name: str) -> Mapping[str, Any]:
    member = content.get(name) if isinstance(content, dict) else None
    return member if isinstance(member, dict) else {}


def _saving(said: Any) -> Saving | None:
    percent, class_ = (said.get("s"), said.get("r")) if isinstance(said, dict) else (None, None)
    if isinstance(percent, bool) or not isinstance(percent, (int, float)) or not 0 < percent < _MOST:
        return None
    return Saving(percent, str(class_) if isinstance(class_, int) else "")


def _amount(text: str) -> float | None:
    try:
        amount = float(text or 0)
    except ValueError:
        return None
    return amount if 0 < amount < math.inf else None
