"""The steps of a seed scenario: the files that each applies and what its expected.json says of the outcome."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cutlist.catalog.prices import Price
from cutlist.catalog.regions import RegionCatalog
from cutlist.core.quantity import amounts
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from tests.recorded import SCENARIOS


class Seed:
    """A folder of the seeds, its region and the zones that its cluster has subnets in."""

    def __init__(self, folder: str, region: str, zones: str) -> None:
        self.folder = SCENARIOS / folder
        self.region = region
        self.zones = [region + letter for letter in zones]

    def step(self, name: str) -> dict[str, Any]:
        """Return what expected.json says of a step."""
        steps = json.loads((self.folder / "expected.json").read_text())["steps"]
        return next(s for s in steps if s["step"] == name)

    def inputs(self, files: Iterable[str]) -> PlanInputs:
        """Return the inputs of a plan, from files of the seed."""
        return read_inputs([self.folder / file for file in files], region=self.region, zones=self.zones)

    def inputs_of(self, name: str) -> PlanInputs:
        """Return the inputs of a plan, from the files that a step applies."""
        return self.inputs(self.step(name)["inputs"])


def with_prices(inputs: PlanInputs, file: Path) -> PlanInputs:
    """Return the inputs with the catalogue's machines, zones and prices as a seed's price file has them; spot is 0.4 of
    on-demand."""
    catalog = inputs.catalog
    rows = list(csv.DictReader(file.open()))
    prices = {row["type"]: float(row["usd_per_hour_on_demand"]) for row in rows}
    offered = {row["type"]: tuple(catalog.region + letter for letter in row["zones"].split()) for row in rows}
    laid_over = replace(
        catalog,
        machines=MappingProxyType({name: catalog.machines[name] for name in prices}),
        offered=offered,
        on_demand={name: Price(price, file.name) for name, price in prices.items()},
        spot={name: dict.fromkeys(offered[name], Price(price * 0.4, "0.4 of on-demand")) for name, price in prices.items()},
    )
    return replace(inputs, catalog=laid_over)


def sold_out(catalog: RegionCatalog, machine: str) -> RegionCatalog:
    """Return the catalogue where a machine cannot be bought in any zone."""
    return replace(catalog, offered={**catalog.offered, machine: ()})


def named(expected: Mapping[str, str], found: Mapping[str, int]) -> dict[str, int]:
    """Of the amounts found, those that a seed states."""
    return {resource: found.get(resource, 0) for resource in amounts(expected)}
