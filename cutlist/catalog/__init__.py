"""Machines, zones and prices by region, each with its source and date. `load("us-west-2")` reads what comes with Cutlist."""

from __future__ import annotations

from cutlist.catalog.embedded import load, machine_names, regions
from cutlist.catalog.machines import Gpu, InferenceAccelerator, Machine, Machines, Neuron
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import RegionCatalog, Zone

__all__ = [
    "Gpu",
    "InferenceAccelerator",
    "Machine",
    "Machines",
    "Neuron",
    "Price",
    "RegionCatalog",
    "Zone",
    "load",
    "machine_names",
    "regions",
]
