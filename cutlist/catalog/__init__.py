"""Machines, zones and prices by region, each with its source and date. `load("us-west-2")` reads what comes with Cutlist,
`load_from("catalog", "us-west-2")` what `cutlist catalog update` wrote.
"""

from __future__ import annotations

from cutlist.catalog.choice import chosen_regions, load_chosen
from cutlist.catalog.embedded import all_machines, load, machine_names, regions
from cutlist.catalog.folder import load_from, regions_in
from cutlist.catalog.machines import Gpu, InferenceAccelerator, Machine, Machines, Neuron
from cutlist.catalog.prices import HOURS_PER_MONTH, Price
from cutlist.catalog.regions import RegionCatalog, Zone
from cutlist.catalog.services import ServicePrices, service_prices

__all__ = [
    "HOURS_PER_MONTH",
    "Gpu",
    "InferenceAccelerator",
    "Machine",
    "Machines",
    "Neuron",
    "Price",
    "RegionCatalog",
    "ServicePrices",
    "Zone",
    "all_machines",
    "chosen_regions",
    "load",
    "load_chosen",
    "load_from",
    "machine_names",
    "regions",
    "regions_in",
    "service_prices",
]
