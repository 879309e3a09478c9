"""What a plan comes to in the figures that gates look at: money, nodes, zones, and the most that limits allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cutlist.planning.model.spelling import price_number


@dataclass(frozen=True, slots=True)
class PoolMeasures:
    """What a NodePool may launch: how many types of how many families, of which categories (`c`, `m`, of Azure `D`), how old.

    `zones` are those with an offering that it allows, `spot_types` the types on offer as spot.

    `most_per_hour` bounds what its limits let it spend, in USD, by `most_by`; None when nothing bounds it, or when some of its
    types have no price. A pool that is general takes pods that tolerate nothing. `missed_min_values` are label keys of which
    its types have fewer values than it asks for.

    A drain of its nodes ends after `drain_seconds`, None for never. The pods that may run on them want up to `grace_seconds` to
    end, those of the workload `grace_of`.
    """

    name: str
    types: int
    families: int
    categories: tuple[str, ...]
    oldest_generation: int | None
    zones: tuple[str, ...]
    spot_types: int
    on_demand_types: int
    unpriced_types: int
    most_per_hour: float | None
    most_by: str
    is_general: bool
    missed_min_values: tuple[str, ...] = ()
    drain_seconds: int | None = None
    grace_seconds: int = 0
    grace_of: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "types": self.types,
            "families": self.families,
            "categories": list(self.categories),
            "oldestGeneration": self.oldest_generation,
            "zones": list(self.zones),
            "spotTypes": self.spot_types,
            "onDemandTypes": self.on_demand_types,
            "unpricedTypes": self.unpriced_types,
            "mostPerHour": price_number(self.most_per_hour),
            "mostBy": self.most_by,
            "general": self.is_general,
            "missedMinValues": list(self.missed_min_values),
            "drainSeconds": self.drain_seconds,
            "graceSeconds": self.grace_seconds,
            "graceOf": self.grace_of,
        }


@dataclass(frozen=True, slots=True)
class Measures:
    """A plan in figures. `nodes` and `vcpus` count what exists and what will be launched; spot and zones what will be launched.

    `zones` has the new nodes whose zone is certain, by zone. `held` are workloads that may never be moved. `before` is the
    price per hour of an earlier plan of the same environment, None without one.
    """

    nodes: int
    vcpus: float | None
    new_nodes: int
    spot_nodes: int
    zones: Mapping[str, int] = field(hash=False)
    price_per_hour: float | None
    unpriced_nodes: int
    pending: Mapping[str, str] = field(hash=False)
    pools: tuple[PoolMeasures, ...]
    held: tuple[str, ...] = ()
    before: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, and as rules read it."""
        return {
            "nodes": self.nodes,
            "vcpus": self.vcpus,
            "newNodes": self.new_nodes,
            "spotNodes": self.spot_nodes,
            "zones": dict(sorted(self.zones.items())),
            "pricePerHour": price_number(self.price_per_hour),
            "unpricedNodes": self.unpriced_nodes,
            "pending": dict(sorted(self.pending.items())),
            "pools": {pool.name: pool.to_dict() for pool in self.pools},
            "held": list(self.held),
            "before": price_number(self.before),
        }
