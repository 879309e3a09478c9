"""What instances cost, as far as the catalogue that comes with Cutlist knows."""

from __future__ import annotations

from cutlist.catalog import load, regions


def hourly_prices(region: str) -> dict[str, float]:
    """On-demand prices in USD an hour by instance type; none for a region that the catalogue lacks."""
    if region not in regions():
        return {}
    priced = load(region).on_demand.items()
    return {machine: price.usd_per_hour for machine, price in priced if price.currency == "USD"}
