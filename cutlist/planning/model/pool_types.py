"""The instance types that a NodePool allows, as a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from cutlist.core.records import HIDDEN, After, Count, Key, computed
from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.model.spelling import Amounts, ExactPrice, amount_of


@dataclass(frozen=True, slots=True)
class TypeRow:
    """An instance type that a NodePool allows, with cpu and memory as sold, and the amounts that pods may use.

    `on_demand` and `spot` are the lowest prices over the allowed zones. `price_source` and `estimated` refer to the on-demand
    price, and to the spot price too unless `spot_source` says otherwise.
    """

    name: Annotated[str, Key("instanceType")]
    cpu: Annotated[int, amount_of("cpu")]
    memory: Annotated[int, amount_of("memory")]
    allocatable: Amounts = field(hash=False)
    zones: tuple[str, ...]
    on_demand: Annotated[ExactPrice, Key("onDemandPerHour")]
    spot: Annotated[ExactPrice, Key("spotPerHour"), After("is_on_demand_estimated")]
    price_source: Annotated[str, Key("onDemandSource")]
    estimated: Annotated[bool, HIDDEN]
    spot_source: Annotated[str, HIDDEN] = ""
    spot_estimated: Annotated[bool, HIDDEN] = False

    @property
    @computed(after="spot")
    def source_of_spot(self) -> Annotated[str, Key("spotSource")]:
        """Return the source of the spot price."""
        return self.spot_source or self.price_source

    @property
    @computed(after="source_of_spot")
    def is_spot_estimated(self) -> Annotated[bool, Key("spotEstimated")]:
        """Tell whether the spot price is an estimate."""
        return self.spot is not None and (self.spot_estimated if self.spot_source else self.estimated)

    @property
    @computed(after="price_source")
    def is_on_demand_estimated(self) -> Annotated[bool, Key("onDemandEstimated")]:
        """Tell whether the on-demand price is an estimate."""
        return self.on_demand is not None and self.estimated


@dataclass(frozen=True, slots=True)
class PoolTypes(NotebookValue):
    """The instance types that a NodePool allows, cheapest first; the total counts them all, including those not listed."""

    node_pool: str
    types: Annotated[tuple[TypeRow, ...], After("total")]
    total: Count
