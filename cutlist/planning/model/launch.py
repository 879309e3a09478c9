"""The launch request for a node of a plan: one fleet request, its pools, and its outcome (spec: AWS 5.2, 5.6 to 5.8)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from cutlist.core.labels import SPOT
from cutlist.core.records import Count, Key, TextOrNull, computed, converted, schema_of
from cutlist.planning.model.spelling import ExactPrice, SortedTexts, price_number


@dataclass(frozen=True, slots=True)
class Override:
    """A pool that EC2 may launch from, a type in a zone. Its priority is its price per hour, the lower the better.

    `subnet_id` is empty until a cluster has resolved the subnets.
    """

    instance_type: str
    zone: str
    subnet_id: TextOrNull
    priority: Annotated[float, converted(schema_of(float), price_number, float)]


@dataclass(frozen=True, slots=True)
class LaunchTemplate:
    """What instances of its overrides share: image, number of pods, EFA interfaces, capacity reservation.

    `image` is an id, or a name until a cluster has resolved the images; `reservation` is empty without one (A-63).
    """

    image: str
    pods: Count
    efa_interfaces: Count
    reservation: Annotated[TextOrNull, Key("capacityReservationId")]
    overrides: tuple[Override, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Instance types that a node could become but that are not requested; the code is stable, the reason is for people."""

    code: str
    reason: str
    instance_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Launch:
    """The request for one node of a NodePool; nodes that lead to the same request share it.

    `capacity_type` is the requested one, `target` EC2's word for it, `allocation_strategy` how EC2 chooses (empty where it has
    no choice). `templates` hold the pools. `refusal` says why nothing is requested; there are no templates then.
    """

    node_pool: str
    node_class: str
    capacity_type: TextOrNull = ""
    target: Annotated[TextOrNull, Key("targetCapacityType")] = ""
    allocation_strategy: TextOrNull = ""
    tenancy: TextOrNull = ""
    context: TextOrNull = ""
    tags: SortedTexts = field(default_factory=dict, hash=False)
    templates: Annotated[tuple[LaunchTemplate, ...], Key("launchTemplates")] = ()
    left_out: tuple[LeftOut, ...] = ()
    refusal: TextOrNull = ""

    @property
    def overrides(self) -> tuple[Override, ...]:
        """Return the pools of all templates, cheapest first; among equals by type and zone."""
        overrides = (override for template in self.templates for override in template.overrides)
        return tuple(sorted(overrides, key=lambda o: (o.priority, o.instance_type, o.zone)))

    @property
    def instance_types(self) -> tuple[str, ...]:
        """Return the requested types, cheapest first."""
        return tuple(dict.fromkeys(o.instance_type for o in self.overrides))

    @property
    def zones(self) -> tuple[str, ...]:
        """Return where the node may start."""
        return tuple(sorted({o.zone for o in self.overrides}))

    @property
    def is_spot(self) -> bool:
        """Tell whether EC2 considers spare capacity, which nobody outside knows, before price (spec: AWS 5.8)."""
        return self.capacity_type == SPOT

    @property
    @computed(after="tags")
    def outcome(self) -> tuple[str, ...]:
        """Return the types among which EC2 chooses while it has capacity: for spot all of the request, else the cheapest."""
        if self.is_spot:
            return self.instance_types
        lowest = self.price_range
        return tuple(dict.fromkeys(o.instance_type for o in self.overrides if lowest and o.priority == lowest[0]))

    @property
    @computed(after="outcome")
    def is_determined(self) -> bool:
        """Tell whether the type is certain: one cheapest type, or for spot a single pool (A-61)."""
        return len(self.overrides) == 1 if self.is_spot else len(self.outcome) == 1

    @property
    def price_range(self) -> tuple[float, float] | None:
        """Return the lowest and the highest price per hour of what EC2 may launch, or None if nothing is requested."""
        overrides = self.overrides
        if not overrides:
            return None
        return overrides[0].priority, overrides[-1].priority if self.is_spot else overrides[0].priority

    @property
    @computed(after="is_determined")
    def lowest(self) -> Annotated[ExactPrice, Key("lowestPricePerHour")]:
        """Return the lowest price per hour, or None if nothing is requested."""
        return self.price_range[0] if self.price_range else None

    @property
    @computed(after="lowest")
    def highest(self) -> Annotated[ExactPrice, Key("highestPricePerHour")]:
        """Return the highest price per hour of what EC2 may launch, or None if nothing is requested."""
        return self.price_range[1] if self.price_range else None
