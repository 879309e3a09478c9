"""The launch templates of a request, and the pools that each may launch from (spec: AWS 5.5, 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.labels import CAPACITY_TYPE, RESERVED
from cutlist.core.quantity import NANO
from cutlist.core.requirement import Requirement
from cutlist.providers.aws.capacity import EFA
from cutlist.providers.aws.expressions import NOTHING_RESERVED, Reserved
from cutlist.providers.aws.launch.claim import ClaimRequirements
from cutlist.providers.aws.launch.filters import RemainingType
from cutlist.providers.aws.offerings import Reservation
from cutlist.providers.instance_types import PODS

_NOT_RESERVED: Final = (None,)


@dataclass(frozen=True, slots=True)
class Override:
    """A pool that EC2 may launch from: a type in a zone, with the subnet and the price as its priority."""

    instance_type: str
    zone: str
    subnet_id: str
    image_id: str
    price: float


@dataclass(frozen=True, slots=True)
class LaunchTemplate:
    """The properties that instances of the overrides share: image, number of pods, EFA interfaces, capacity reservation
    (A-63)."""

    image_id: str
    pods: int
    efa_interfaces: int
    reservation: Reservation | None
    overrides: tuple[Override, ...]
    reserved: Reserved = NOTHING_RESERVED

    def to_dict(self) -> dict[str, Any]:
        """Return the template as data for people to read."""
        shared: dict[str, Any] = {"imageID": self.image_id, "pods": self.pods}
        if self.efa_interfaces:
            shared["efaInterfaces"] = self.efa_interfaces
        if self.reservation is not None:
            shared["capacityReservationID"] = self.reservation.id
        pools = [
            {"instanceType": o.instance_type, "zone": o.zone, "subnetID": o.subnet_id, "priority": o.price}
            for o in self.overrides
        ]
        return {**shared, "overrides": pools}


@dataclass(frozen=True, slots=True)
class _Group:
    """Types that share the same templates."""

    image_id: str
    pods: int
    efa_interfaces: int
    reservations: tuple[Reservation, ...]
    reserved: Reserved


def launch_templates(
    by_image: Mapping[str, Iterable[RemainingType]],
    wanted: ClaimRequirements,
    capacity_type: str,
    subnets: Mapping[str, str],
    with_efa: bool,
    reserved: Mapping[str, Reserved],
) -> tuple[LaunchTemplate, ...]:
    """Return the templates that have a pool, cheapest first.

    `subnets` are ids by zone; `with_efa` says that the claim requests EFA; `reserved` are the reserved amounts of nodes by
    type, if expressions decide them.
    """
    groups: dict[_Group, list[RemainingType]] = {}
    for image_id, types in by_image.items():
        for r in types:
            efa = r.type.capacity.get(EFA, 0) // NANO if with_efa else 0
            reservations = _reservations(r) if capacity_type == RESERVED else ()
            group = _Group(
                image_id, r.type.capacity.get(PODS, 0) // NANO, efa, reservations, reserved.get(r.type.name, NOTHING_RESERVED)
            )
            groups.setdefault(group, []).append(r)
    only = ClaimRequirements(wanted.requirements.replaced(Requirement(CAPACITY_TYPE, False, frozenset((capacity_type,)))))
    templates = [
        LaunchTemplate(
            g.image_id, g.pods, g.efa_interfaces, reservation, _overrides(types, only, subnets, g, reservation), g.reserved
        )
        for g, types in groups.items()
        for reservation in g.reservations or _NOT_RESERVED
    ]
    return tuple(sorted((t for t in templates if t.overrides), key=_order))


def _overrides(
    types: Iterable[RemainingType],
    only: ClaimRequirements,
    subnets: Mapping[str, str],
    group: _Group,
    reservation: Reservation | None,
) -> tuple[Override, ...]:
    """Return one override per type and zone: partitions of a placement group sell the same pool."""
    pools: dict[tuple[str, str], Override] = {}
    for r in types:
        for offering in only.open(r.offerings):
            if reservation is not None and Reservation.of(offering).id != reservation.id:
                continue
            if offering.zone in subnets:
                pool = Override(r.type.name, offering.zone, subnets[offering.zone], group.image_id, offering.price or 0.0)
                pools.setdefault((pool.instance_type, pool.zone), pool)
    return tuple(sorted(pools.values(), key=lambda o: (o.price, o.instance_type, o.zone)))


def _reservations(r: RemainingType) -> tuple[Reservation, ...]:
    return tuple(Reservation.of(o) for o in r.offerings if o.capacity_type == RESERVED)


def _order(t: LaunchTemplate) -> tuple[object, ...]:
    first = t.overrides[0]
    return first.price, first.instance_type, first.zone, t.image_id
