"""What a vendor asks of everyone, by item or machine and the region of a resource; the user's own price goes first."""

from __future__ import annotations

from cutlist import catalog
from cutlist.catalog import Price, service_prices
from cutlist.infrastructure.costs.charges import Resource


def service_price(vendor: str, resource: Resource, item: str) -> Price | None:
    """What an hour of an item of `aws` or `azure` costs where a resource is; None where that is not known."""
    return resource.own.get(item) or service_prices(vendor).price(item, _region(resource))


def machine_price(resource: Resource, machine: str) -> Price | None:
    """What an hour of a machine costs on demand where a resource is; None where it is not known, or not in dollars."""
    region = _region(resource)
    if region not in catalog.chosen_regions(None):
        return None
    price = catalog.load_chosen(None, region).on_demand_price(machine)
    return price if price is not None and price.currency == "USD" else None


def _region(resource: Resource) -> str:
    """As catalogues have it: to Azure `West Europe` and `westeurope` are one."""
    return resource.region.replace(" ", "").lower()
