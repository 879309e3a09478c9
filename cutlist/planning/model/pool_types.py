"""The instance types that a NodePool allows, as a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from cutlist.catalog.prices import HIGH, LOW, Price
from cutlist.core.records import SPARSE, After, Count, Key, about, computed
from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.model.os_disk import OsDisk
from cutlist.planning.model.prices import CURRENCY, in_parts
from cutlist.planning.model.spelling import Amounts, ExactPrice, amount_of


@dataclass(frozen=True, slots=True)
class _OnDemandPrice:
    usd_per_hour: Annotated[ExactPrice, Key("onDemandPerHour")] = None
    estimated: Annotated[bool, Key("onDemandEstimated")] = False
    low: Annotated[ExactPrice, Key("onDemandPerHourLow"), SPARSE, LOW] = None
    high: Annotated[ExactPrice, Key("onDemandPerHourHigh"), SPARSE, HIGH] = None
    foreign_currency: Annotated[str | None, Key("onDemandCurrency"), SPARSE, CURRENCY] = None


@dataclass(frozen=True, slots=True)
class _SpotPrice:
    usd_per_hour: Annotated[ExactPrice, Key("spotPerHour")] = None
    estimated: Annotated[bool, Key("spotEstimated")] = False
    low: Annotated[ExactPrice, Key("spotPerHourLow"), SPARSE, LOW] = None
    high: Annotated[ExactPrice, Key("spotPerHourHigh"), SPARSE, HIGH] = None
    foreign_currency: Annotated[str | None, Key("spotCurrency"), SPARSE, CURRENCY] = None


@dataclass(frozen=True, slots=True)
class _OsDiskPrice:
    usd_per_hour: Annotated[ExactPrice, Key("osDiskPerHour"), SPARSE] = None
    provenance: Annotated[str | None, Key("osDiskSource"), SPARSE] = None
    estimated: Annotated[bool | None, Key("osDiskEstimated"), SPARSE] = None


@dataclass(frozen=True, slots=True)
class DeviceCount:
    """How many devices of a driver each node of an instance type has, and of which product, if it has a name."""

    driver: str
    count: Count
    product: str = ""

    def __str__(self) -> str:
        return f"{self.count} {self.driver}" + (f" ({self.product})" if self.product else "")


@dataclass(frozen=True, slots=True)
class TypeRow:
    """An instance type that a NodePool allows, with cpu and memory as sold, and the amounts that pods may use.

    `on_demand` and `spot` are the lowest prices over the allowed zones, None where unknown. `os_disk` is the OS disk of a
    node where that depends on the type, and `os_disk_price` what it costs on top; Karpenter does not rank by it. `devices`
    are those that pods may claim; None without any.
    """

    name: Annotated[str, Key("instanceType")]
    cpu: Annotated[int, amount_of("cpu")]
    memory: Annotated[int, amount_of("memory")]
    allocatable: Amounts = field(hash=False)
    zones: tuple[str, ...]
    on_demand: Annotated[Price | None, in_parts(_OnDemandPrice)]
    spot: Annotated[Price | None, in_parts(_SpotPrice)]
    os_disk: Annotated[OsDisk | None, SPARSE, about("Its OS disk, only where that depends on the type.")] = None
    os_disk_price: Annotated[Price | None, in_parts(_OsDiskPrice)] = None
    devices: Annotated[tuple[DeviceCount, ...] | None, SPARSE, about("Devices that pods may claim, if there are any.")] = None

    @property
    @computed(after="on_demand.usd_per_hour")
    def source_of_on_demand(self) -> Annotated[str, Key("onDemandSource")]:
        """Return the source of the on-demand price; without one, that of the spot price."""
        price = self.on_demand or self.spot
        return price.provenance if price is not None else ""

    @property
    @computed(after="spot.usd_per_hour")
    def source_of_spot(self) -> Annotated[str, Key("spotSource")]:
        """Return the source of the spot price; without one, that of the on-demand price."""
        price = self.spot or self.on_demand
        return price.provenance if price is not None else ""


@dataclass(frozen=True, slots=True)
class PoolTypes(NotebookValue):
    """The instance types that a NodePool allows, cheapest first; the total counts them all, including those not listed."""

    node_pool: str
    types: Annotated[tuple[TypeRow, ...], After("total")]
    total: Count
