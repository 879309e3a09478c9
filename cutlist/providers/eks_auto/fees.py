"""The management fee of EKS Auto Mode: so much for each hour of an instance, on top of EC2's price (spec: api-objects 8.6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from cutlist.catalog import Price, RegionCatalog

GENERAL_SHARE: Final = 0.12  # of the on-demand price: c6g.large in Seoul, m7i.large in Tokyo
GPU_SHARE: Final = 0.078  # g6.xlarge in Tokyo
SHARES_SEEN: Final = "autumn 2026"

_GPU_FAMILY: Final = re.compile(r"g[0-9]|gr")


@dataclass(frozen=True, slots=True)
class Fee:
    """The fee for an hour of an instance type, and where the figure comes from; 0 when nothing is known."""

    per_hour: float
    source: str


def fee(machine: str, catalog: RegionCatalog, listed: Price | None = None) -> Fee:
    """The price list's fee, else the share of the on-demand price that was seen for such types, then called an estimate.

    It is the same on spot and on demand.
    """
    if listed is not None:
        return Fee(listed.usd_per_hour, f"Auto Mode fee: {listed.provenance}")
    on_demand = catalog.on_demand_price(machine)
    if on_demand is None:
        return Fee(0.0, "without the Auto Mode fee, which is unknown")
    share = GPU_SHARE if _GPU_FAMILY.match(machine) else GENERAL_SHARE
    amount = round(on_demand.usd_per_hour * share, 10)
    return Fee(amount, f"Auto Mode fee: estimate, {share * 100:g} % of the on-demand price, {SHARES_SEEN}")
