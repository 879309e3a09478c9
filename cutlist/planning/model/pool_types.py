"""The instance types that a NodePool allows, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cutlist.planning.model.notebook import NotebookValue
from cutlist.planning.model.spelling import amount_text_exact, amount_texts, price_number


@dataclass(frozen=True, slots=True)
class TypeRow:
    """An instance type that a NodePool allows: cpu and memory as sold, `allocatable` what pods may use, all in nano-units.

    `on_demand` and `spot` are the lowest prices over the allowed zones. `price_source` and `estimated` speak of the on-demand
    price, and of the spot price too unless `spot_source` says otherwise.
    """

    name: str
    cpu: int
    memory: int
    allocatable: Mapping[str, int] = field(hash=False)
    zones: tuple[str, ...]
    on_demand: float | None
    spot: float | None
    price_source: str
    estimated: bool
    spot_source: str = ""
    spot_estimated: bool = False

    @property
    def is_spot_estimated(self) -> bool:
        """Whether the spot price is an estimate."""
        return self.spot is not None and (self.spot_estimated if self.spot_source else self.estimated)

    @property
    def is_on_demand_estimated(self) -> bool:
        """Whether the on-demand price is an estimate."""
        return self.on_demand is not None and self.estimated

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "instanceType": self.name,
            "cpu": amount_text_exact("cpu", self.cpu),
            "memory": amount_text_exact("memory", self.memory),
            "allocatable": amount_texts(self.allocatable),
            "zones": list(self.zones),
            "onDemandPerHour": price_number(self.on_demand),
            "onDemandSource": self.price_source,
            "onDemandEstimated": self.is_on_demand_estimated,
            "spotPerHour": price_number(self.spot),
            "spotSource": self.spot_source or self.price_source,
            "spotEstimated": self.is_spot_estimated,
        }


@dataclass(frozen=True, slots=True)
class PoolTypes(NotebookValue):
    """The instance types that a NodePool allows, cheapest first; `total` counts them all, also those not in `types`."""

    node_pool: str
    types: tuple[TypeRow, ...]
    total: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"nodePool": self.node_pool, "total": self.total, "types": [t.to_dict() for t in self.types]}
