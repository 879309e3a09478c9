"""The instance types of an EC2NodeClass, from labels, capacity, overhead and offerings (spec: AWS 0.3, 1 to 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from cutlist.api.kubelet_expressions import ExpressionError
from cutlist.catalog import Machine, RegionCatalog
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.labels import CAPACITY_TYPE, RESERVED
from cutlist.core.requirement import Requirement
from cutlist.providers.aws.capacity import architecture, capacity
from cutlist.providers.aws.class_terms import ClassTerms
from cutlist.providers.aws.compatibility import Compatibility
from cutlist.providers.aws.devices import devices_of
from cutlist.providers.aws.labels import (
    NO_RESERVATION,
    PLACEMENT_GROUP,
    PLACEMENT_PARTITION,
    RESERVATION_ID,
    RESERVATION_INTERRUPTIBLE,
    RESERVATION_TYPE,
    AddedLabels,
    added_labels,
    operating_system,
    where_sold,
)
from cutlist.providers.aws.limits import as_known_to
from cutlist.providers.aws.observed import NOTHING_OBSERVED, Observed, PlacementGroup
from cutlist.providers.aws.offerings import OfferingContext, capacity_types, offerings, region_offerings
from cutlist.providers.aws.overhead import overhead
from cutlist.providers.aws.profile import AwsSettings, NodeProfile
from cutlist.providers.aws.zones import as_seen_by
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.label_terms import flag, is_in

if TYPE_CHECKING:
    from cutlist.api import CapacityReservation, EC2NodeClass

_DEFAULTS = AwsSettings()


def instance_types(
    node_class: EC2NodeClass,
    catalog: RegionCatalog,
    settings: AwsSettings = _DEFAULTS,
    zones: Sequence[str] | None = None,
    observed: Observed = NOTHING_OBSERVED,
) -> tuple[InstanceType, ...]:
    """Return every type that the region offers, as Karpenter lists it for the NodeClass; unusable ones have no open offering.

    Amounts are nano-units, prices per hour in the catalogue's currency. `zones` are the zones with subnets if the NodeClass'
    status does not have them; see `usable_zones`. Raises InputError for a zone that the region does not have.
    """
    terms = ClassTerms.of(node_class, catalog, settings, zones, observed)
    try:
        return _types_of(terms, catalog, node_class.karpenter)
    except ExpressionError as error:  # one machine without a result makes the whole list fail (VA15-36)
        raise InputError.one(node_class.at("spec.kubelet.maxPods"), str(error)) from None


# A comparison, an upgrade or a search for NodePools plans the same NodeClasses several times.
@lru_cache(maxsize=256)
def _types_of(terms: ClassTerms, catalog: RegionCatalog, karpenter: Baseline) -> tuple[InstanceType, ...]:
    """Return the types of all NodeClasses with these terms. Raises ExpressionError for a machine without a result."""
    catalog, profile, compatible = as_seen_by(catalog, terms.usable), terms.profile, terms.compatibility
    context = OfferingContext(
        region_offerings(catalog, terms.usable, NO_RESERVATION),
        terms.usable,
        compatible.group,
        terms.observed,
        terms.fails_one_by_one,
    )
    # NodeClasses add few different combinations to many machines. Each is one object, so that sets of them are cheap.
    added_labels = lru_cache(maxsize=None)(partial(_node_class_labels, profile, context))
    reservations = _by_type(terms.reservations)

    def instance_type(sold: Machine) -> InstanceType:
        machine = as_known_to(sold, karpenter)
        reserved = reservations.get(machine.name, ())
        offered = catalog.offered.get(machine.name, ())
        labels = added_labels(architecture(machine), machine.usage, offered, _of_reservations(reserved) if reserved else None)
        own = profile if terms.expressions is None else terms.expressions.profile_of(machine, profile)
        parts = _Parts(sold, machine, own, context, compatible)
        if not reserved or not terms.sells_reserved:
            return InstanceType.late(machine.name, labels.of(machine), parts, devices_of(machine.name, terms.devices))
        return InstanceType(
            name=machine.name,
            requirements=labels.of(machine),
            capacity=parts.capacity(),
            overhead=parts.overhead(),
            offerings=parts.offerings(reserved),
            dynamic_resources=devices_of(machine.name, terms.devices),
        )

    return tuple(instance_type(machine) for machine in _listed(catalog))


class _Parts(NamedTuple):
    """What the parts of a type that are computed late depend on: the machine, as it is sold and as Karpenter knows it."""

    sold: Machine
    machine: Machine
    profile: NodeProfile
    context: OfferingContext
    compatible: Compatibility

    def capacity(self) -> dict[str, int]:
        """Return all resources of the machine, in nano-units."""
        return capacity(self.machine, self.profile, self.context.observed.node_memory.get(self.machine.name))

    def overhead(self) -> dict[str, int]:
        """Return what kubelet and system reserve, in nano-units."""
        return overhead(self.machine, self.profile).total()

    def offerings(self, reserved: Sequence[CapacityReservation] = ()) -> tuple[Offering, ...]:
        """Return every way to buy the machine, including these reservations."""
        return offerings(self.sold, self.context, reserved, not self.compatible.refusal(self.machine))


def is_listed(machine: Machine) -> bool:
    """Tell whether Karpenter lists the machine: hardware virtualization and an architecture it knows (A-1)."""
    return "hvm" in machine.virtualization and bool(architecture(machine))


@lru_cache(maxsize=64)
def _listed(catalog: RegionCatalog) -> tuple[Machine, ...]:
    return tuple(machine for machine in catalog.machines.values() if is_listed(machine))


def _by_type(reservations: Iterable[CapacityReservation]) -> dict[str, tuple[CapacityReservation, ...]]:
    by_type: dict[str, tuple[CapacityReservation, ...]] = {}
    for reservation in reservations:
        by_type[reservation.instance_type] = (*by_type.get(reservation.instance_type, ()), reservation)
    return by_type


def _node_class_labels(
    profile: NodeProfile,
    context: OfferingContext,
    machine_architecture: str,
    usage: tuple[str, ...],
    offered: tuple[str, ...],
    labels_of_reserved: tuple[Requirement, ...] | None,
) -> AddedLabels:
    sold_as = capacity_types(usage) + ((RESERVED,) if labels_of_reserved else ())
    labels = (
        *operating_system(machine_architecture, profile.family),
        *where_sold(context.catalog.region, offered, context.usable),
        is_in(CAPACITY_TYPE, *sold_as),
        *(labels_of_reserved or NO_RESERVATION),
        *(_of_group(context.group) if context.group else ()),
    )
    return added_labels(labels)


def _of_reservations(reservations: Sequence[CapacityReservation]) -> tuple[Requirement, ...]:
    return (
        is_in(RESERVATION_ID, *sorted({r.id for r in reservations})),
        is_in(RESERVATION_TYPE, *sorted({r.reservation_type for r in reservations})),
        is_in(RESERVATION_INTERRUPTIBLE, *sorted({flag(r.interruptible) for r in reservations})),
    )


def _of_group(group: PlacementGroup) -> tuple[Requirement, ...]:
    partitions = (is_in(PLACEMENT_PARTITION, *group.partitions),) if group.partitions else ()
    return (is_in(PLACEMENT_GROUP, group.group_id), *partitions)
