"""What EC2 is asked for a node of a plan: one fleet request, its pools, and what comes of it (spec: AWS 5.2, 5.6 to 5.8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cutlist.core.labels import SPOT
from cutlist.planning.model.spelling import price_number


@dataclass(frozen=True, slots=True)
class Override:
    """A pool that EC2 may launch from: a type in a zone. `priority` is its price per hour, the lower the better.

    `subnet_id` is empty as long as no cluster has looked subnets up.
    """

    instance_type: str
    zone: str
    subnet_id: str
    priority: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        found = {"instanceType": self.instance_type, "zone": self.zone, "subnetId": self.subnet_id or None}
        return {**found, "priority": price_number(self.priority)}

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> Override:
        """Back from `to_dict`."""
        return Override(raw["instanceType"], raw["zone"], raw["subnetId"] or "", float(raw["priority"]))


@dataclass(frozen=True, slots=True)
class LaunchTemplate:
    """What instances of its overrides share: image, number of pods, EFA interfaces, capacity reservation (A-63).

    `image` is an id, or a name as long as no cluster has looked images up; `reservation` is empty without one.
    """

    image: str
    pods: int
    efa_interfaces: int
    reservation: str
    overrides: tuple[Override, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "image": self.image,
            "pods": self.pods,
            "efaInterfaces": self.efa_interfaces,
            "capacityReservationId": self.reservation or None,
            "overrides": [o.to_dict() for o in self.overrides],
        }

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> LaunchTemplate:
        """Back from `to_dict`."""
        overrides = tuple(Override.from_dict(o) for o in raw["overrides"])
        return LaunchTemplate(raw["image"], raw["pods"], raw["efaInterfaces"], raw["capacityReservationId"] or "", overrides)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Instance types that a node could become and that are not asked for. `code` is stable, `reason` is for people."""

    code: str
    reason: str
    instance_types: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"code": self.code, "reason": self.reason, "instanceTypes": list(self.instance_types)}

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> LeftOut:
        """Back from `to_dict`."""
        return LeftOut(raw["code"], raw["reason"], tuple(raw["instanceTypes"]))


@dataclass(frozen=True, slots=True)
class Launch:
    """The request for one node of a NodePool; nodes that lead to the same request share it.

    `capacity_type` is the one that is asked for, `target` EC2's word for it, `allocation_strategy` how EC2 chooses (empty where
    it has no choice). `templates` hold the pools. `refusal` says why nothing is asked for; there are no templates then.
    """

    node_pool: str
    node_class: str
    capacity_type: str = ""
    target: str = ""
    allocation_strategy: str = ""
    tenancy: str = ""
    context: str = ""
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)
    templates: tuple[LaunchTemplate, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    refusal: str = ""

    @property
    def overrides(self) -> tuple[Override, ...]:
        """The pools of all templates, cheapest first; among equals by type and zone."""
        found = (o for t in self.templates for o in t.overrides)
        return tuple(sorted(found, key=lambda o: (o.priority, o.instance_type, o.zone)))

    @property
    def instance_types(self) -> tuple[str, ...]:
        """The types that are asked for, cheapest first."""
        return tuple(dict.fromkeys(o.instance_type for o in self.overrides))

    @property
    def zones(self) -> tuple[str, ...]:
        """Where the node may start."""
        return tuple(sorted({o.zone for o in self.overrides}))

    @property
    def is_spot(self) -> bool:
        """Whether EC2 weighs spare capacity, which nobody outside knows, before price (spec: AWS 5.8)."""
        return self.capacity_type == SPOT

    @property
    def outcome(self) -> tuple[str, ...]:
        """The types of which EC2 launches one while it has capacity: for spot all that are asked for, else the cheapest."""
        if self.is_spot:
            return self.instance_types
        lowest = self.price_range
        return tuple(dict.fromkeys(o.instance_type for o in self.overrides if lowest and o.priority == lowest[0]))

    @property
    def is_determined(self) -> bool:
        """Whether the type is certain: one cheapest type, or for spot a single pool (A-61)."""
        return len(self.overrides) == 1 if self.is_spot else len(self.outcome) == 1

    @property
    def price_range(self) -> tuple[float, float] | None:
        """The lowest and the highest price per hour of what EC2 may launch; None when nothing is asked for."""
        overrides = self.overrides
        if not overrides:
            return None
        return overrides[0].priority, overrides[-1].priority if self.is_spot else overrides[0].priority

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; `outcome`, `isDetermined` and the prices are in it for readers and follow from the rest."""
        lowest, highest = self.price_range or (None, None)
        return {
            "nodePool": self.node_pool,
            "nodeClass": self.node_class,
            "capacityType": self.capacity_type or None,
            "targetCapacityType": self.target or None,
            "allocationStrategy": self.allocation_strategy or None,
            "tenancy": self.tenancy or None,
            "context": self.context or None,
            "tags": dict(sorted(self.tags.items())),
            "outcome": list(self.outcome),
            "isDetermined": self.is_determined,
            "lowestPricePerHour": price_number(lowest),
            "highestPricePerHour": price_number(highest),
            "launchTemplates": [t.to_dict() for t in self.templates],
            "leftOut": [found.to_dict() for found in self.left_out],
            "refusal": self.refusal or None,
        }

    @staticmethod
    def from_dict(raw: Mapping[str, Any]) -> Launch:
        """Back from `to_dict`."""
        return Launch(
            node_pool=raw["nodePool"],
            node_class=raw["nodeClass"],
            capacity_type=raw["capacityType"] or "",
            target=raw["targetCapacityType"] or "",
            allocation_strategy=raw["allocationStrategy"] or "",
            tenancy=raw["tenancy"] or "",
            context=raw["context"] or "",
            tags=dict(raw["tags"]),
            templates=tuple(LaunchTemplate.from_dict(t) for t in raw["launchTemplates"]),
            left_out=tuple(LeftOut.from_dict(found) for found in raw["leftOut"]),
            refusal=raw["refusal"] or "",
        )
