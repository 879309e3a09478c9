"""The fleet request: one instance, at once, from one of its pools (spec: AWS 5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.core.labels import ON_DEMAND, RESERVED, SPOT
from cutlist.providers.aws.launch.filters import RemainingType
from cutlist.providers.aws.launch.templates import LaunchTemplate, Override
from cutlist.providers.aws.observed import PlacementGroup
from cutlist.providers.aws.offerings import CAPACITY_BLOCK, Reservation

TAGGED: Final = ("fleet", "instance", "volume")
_INTERRUPTIBLE: Final = "interruptible-capacity-reservation"


@dataclass(frozen=True, slots=True)
class FleetRequest:
    """A fleet request to EC2. `templates` contain the pools; `types` are those of the request with their offerings, cheapest
    first. `dropped` are the names of the other types by the step that dropped them, as in a Prediction.

    `by_priority` says that a NodeOverlay set prices, which EC2 then uses instead of its own. `requested` are the resources that
    the claim requests. `partition` is that of the placement group, 0 for any.
    """

    capacity_type: str
    tenancy: str
    templates: tuple[LaunchTemplate, ...]
    types: tuple[RemainingType, ...]
    tags: Mapping[str, str]
    requested: frozenset[str]
    by_priority: bool = False
    context: str = ""
    placement_group: PlacementGroup | None = None
    partition: int = 0
    dropped: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def overrides(self) -> tuple[Override, ...]:
        """Return the pools of all templates, cheapest first; among equals by type and zone."""
        pools = (o for t in self.templates for o in t.overrides)
        return tuple(sorted(pools, key=lambda o: (o.price, o.instance_type, o.zone)))

    @property
    def reservation(self) -> Reservation | None:
        """Return a reservation of a reserved launch; all reservations of a request are of one kind (A-56)."""
        if self.capacity_type != RESERVED:
            return None
        return next((t.reservation for t in self.templates if t.reservation is not None), None)

    @property
    def default_target(self) -> str:
        """Return how instances are bought, in EC2's words."""
        reservation = self.reservation
        if reservation is None:
            return self.capacity_type
        if reservation.type == CAPACITY_BLOCK:
            return CAPACITY_BLOCK
        return "reserved-capacity" if reservation.interruptible else ON_DEMAND

    @property
    def on_demand_allocation(self) -> str:
        """Return how EC2 chooses among on-demand pools and plain reservations, or an empty string if it does not have to
        (A-57)."""
        if self.default_target != ON_DEMAND:
            return ""
        return "prioritized" if self.by_priority else "lowest-price"

    @property
    def spot_allocation(self) -> str:
        """Return how EC2 chooses among spot pools, or an empty string for other launches (A-57)."""
        if self.capacity_type != SPOT:
            return ""
        return "capacity-optimized-prioritized" if self.by_priority else "price-capacity-optimized"

    @property
    def reservation_types(self) -> tuple[str, ...]:
        """Return the kinds of reservation that EC2 may use, if the request has to name them."""
        return (_INTERRUPTIBLE,) if self.default_target == "reserved-capacity" else ()

    def to_dict(self) -> dict[str, Any]:
        """Return the request as data for people to read, without members that do not apply."""
        fields = {
            "type": "instant",
            "defaultTargetCapacityType": self.default_target,
            "totalTargetCapacity": 1,
            "onDemandAllocationStrategy": self.on_demand_allocation,
            "spotAllocationStrategy": self.spot_allocation,
            "reservationTypes": list(self.reservation_types),
            "context": self.context,
            "tags": dict(sorted(self.tags.items())),
            "taggedResources": list(TAGGED),
            "launchTemplateConfigs": [template.to_dict() for template in self.templates],
        }
        return {key: value for key, value in fields.items() if value not in ("", [])}
