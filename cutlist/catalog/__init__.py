"""Machines, zones and prices by region, each with its source and date. `load("us-west-2")` and `load_location("eastus")` read
the catalogue that comes with Cutlist, `load_chosen("catalog", "us-west-2")` what `cutlist catalog update` wrote."""

from __future__ import annotations

from cutlist.catalog.embedded import (
    all_machines,
    all_sizes,
    chosen_regions,
    load,
    load_chosen,
    load_location,
    locations,
    machine_names,
    regions,
)
from cutlist.catalog.machines import Gpu, InferenceAccelerator, Machine, Machines, Neuron
from cutlist.catalog.prices import HOURS_PER_MONTH, Price
from cutlist.catalog.regions import AnyRegion, LocationCatalog, RegionCatalog, Zone, is_azure
from cutlist.catalog.services import service_prices
from cutlist.catalog.sizes import Size, Sizes

__all__ = [
    "HOURS_PER_MONTH",
    "AnyRegion",
    "Gpu",
    "InferenceAccelerator",
    "LocationCatalog",
    "Machine",
    "Machines",
    "Neuron",
    "Price",
    "RegionCatalog",
    "Size",
    "Sizes",
    "Zone",
    "all_machines",
    "all_sizes",
    "chosen_regions",
    "is_azure",
    "load",
    "load_chosen",
    "load_location",
    "locations",
    "machine_names",
    "regions",
    "service_prices",
]
