"""The price per hour of Windows on top of a machine with Linux: from the price list, else by the rule that such lists follow.

EC2 sells Windows at 0.046 USD per vCPU and hour, as the EC2 User Guide says of `RunInstances:0002` (Optimize CPUs). The price
list of 2026-02-17 has that difference between Windows and Linux in all 2,670 pairs of the families below, in 13 regions. Pairs
of equal prices are for licences that the user brings, and are not evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from cutlist.catalog.machines import Machine
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import AnyRegion

SOURCE: Final = "EC2 User Guide, EC2 price list of 2026-02-17"
PER_VCPU: Final = 0.046
_PER_VCPU_OF_FLEX: Final = 0.0437
_FAMILIES: Final = frozenset(
    name
    for line in (
        "c5 c5a c5ad c5d c5n c6a c6i c6id c6in c7a c7i c8a c8i c8id d3 d3en g3 g3s g4ad g4dn g5 g6 g6e g6f g7e gr6 gr6f h1",
        "hpc6a hpc7a i3 i3en i4i i7i i7ie m4 m5 m5a m5ad m5d m5dn m5n m5zn m6a m6i m6id m6idn m6in m7a m7i m8a m8azn m8i m8id",
        "p2 p3 p3dn r4 r5 r5a r5ad r5b r5d r5dn r5n r6a r6i r6id r6idn r6in r7a r7i r7iz r8a r8i r8id u-12tb1 u-18tb1 u-24tb1",
        "u-3tb1 u-6tb1 u-9tb1 u7i-12tb u7i-6tb u7i-8tb u7in-16tb u7in-32tb x1 x1e x2idn x2iedn x2iezn x8aedz x8i z1d",
    )
    for name in line.split()
)
_FLEX: Final = frozenset(("c7i-flex", "c8i-flex", "m7i-flex", "m8i-flex", "r8i-flex"))
_FULL_PRICE: Final = frozenset(f"{family}.{size}" for family in ("c7i-flex", "m7i-flex") for size in ("12xlarge", "16xlarge"))
_BY_NODE: Final[Mapping[str, float]] = MappingProxyType(
    {
        "i3.metal": 2.944,  # 64 of its 72 vCPUs
        "t3a.nano": 0.0046,
        **{
            f"{family}.{size}": usd
            for family in ("t3", "t3a")
            for size, usd in (
                ("micro", 0.0092),
                ("small", 0.0184),
                ("medium", 0.0184),
                ("large", 0.0276),
                ("xlarge", 0.0736),
                ("2xlarge", 0.1472),
            )
        },
    }
)


def windows_licence(machine: Machine) -> float | None:
    """Return the USD per hour that Windows adds to a machine's price, or None for families without a known rule."""
    family = machine.name.partition(".")[0]
    if machine.name in _BY_NODE:
        return _BY_NODE[machine.name]
    if family in _FAMILIES or machine.name in _FULL_PRICE:
        return round(PER_VCPU * machine.vcpus, 6)
    return round(_PER_VCPU_OF_FLEX * machine.vcpus, 6) if family in _FLEX else None


@dataclass(frozen=True, slots=True)
class Licence:
    """The amount per hour that Windows adds to the price of a machine, in the region's currency, and its source."""

    per_hour: float
    source: str

    def added_to(self, linux: Price) -> Price:
        """Return the price for Windows, an estimate, from that for Linux."""
        source = f"estimate: {linux.provenance.removeprefix('estimate: ')}, plus the licence of Windows by {self.source}"
        return linux.plus(self.per_hour, source, estimated=True, is_exact=True)


def licence_in(region: AnyRegion, name: str) -> Licence | None:
    """Return the licence of a machine: the difference of two list prices of the region, else by the rule; None if unknown."""
    listed, linux = region.windows.get(name), region.on_demand_price(name)
    if listed is not None and linux is not None and not linux.estimated and listed.usd_per_hour >= linux.usd_per_hour:
        return Licence(round(listed.usd_per_hour - linux.usd_per_hour, 10), f"the {listed.provenance}")
    machine = region.machines.get(name) if region.currency == "USD" else None
    usd = windows_licence(machine) if isinstance(machine, Machine) else None
    return None if usd is None else Licence(usd, f"its rule ({SOURCE})")


def windows_price(region: AnyRegion, name: str, linux: Price | None) -> Price | None:
    """Return the price of a machine with Windows if it costs `linux` with Linux, or None if unknown. On demand, it is the list
    price if there is one, else an estimate; for spot, it is an estimate.
    """
    listed = region.windows.get(name)
    if listed is not None and linux is not None and linux == region.on_demand_price(name):
        return listed
    licence = licence_in(region, name)
    if linux is None or licence is None:
        return None
    return licence.added_to(linux)
