"""The instance types of an EC2NodeClass, from labels, capacity, overhead and offerings (spec: AWS 0.3, 1 to 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from cutlist.api.kubelet_expressions import ExpressionError
from cutlist.catalog.machines import Machine
from cutlist.catalog.regions import RegionCatalog
from cutlist.core.errors import InputError
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.labels import CAPACITY_TYPE, RESERVED
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.aws.amounts import ClassAmounts, MachineColumns
from cutlist.providers.aws.capacity import architecture, capacity
from cutlist.providers.aws.class_terms import ClassTerms, SoldTerms
from cutlist.providers.aws.compatibility import Compatibility
from cutlist.providers.aws.devices import devices_of
from cutlist.providers.aws.families import AmiFamily
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
from cutlist.providers.type_list import SoldTypeList, TypeList

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass
    from cutlist.api.ec2nodeclass_status import CapacityReservation

_DEFAULTS = AwsSettings()


def instance_types(
    node_class: EC2NodeClass,
    catalog: RegionCatalog,
    settings: AwsSettings = _DEFAULTS,
    zones: Sequence[str] | None = None,
    observed: Observed = NOTHING_OBSERVED,
) -> Sequence[InstanceType]:
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
@lru_cache(maxsize=1024)
def _types_of(terms: ClassTerms, catalog: RegionCatalog, karpenter: Baseline) -> Sequence[InstanceType]:
    """Return the types of all NodeClasses with these terms. Raises ExpressionError for a machine without a result."""
    sold, profile, expressions = _sold_types(terms.sold_as, catalog, karpenter), terms.profile, terms.expressions
    differs = expressions is not None and expressions.differ_by_machine

    def instance_type(number: int) -> InstanceType:
        machine = sold.machines[number]
        own = expressions.profile_of(machine, profile) if differs and expressions is not None else profile
        parts = _Parts(sold.machines_as_sold[number], machine, own, sold.context, terms.compatibility)
        reserved = sold.reservations.get(machine.name, ())
        devices = devices_of(machine.name, terms.devices)
        if not reserved or not terms.sells_reserved:
            return InstanceType.late(machine.name, sold.types.labels[number], parts, devices)
        return InstanceType(
            name=machine.name,
            requirements=sold.types.labels[number],
            capacity=parts.capacity(),
            overhead=parts.overhead(),
            offerings=parts.offerings(reserved),
            dynamic_resources=devices,
        )

    if differs or (sold.reservations and terms.sells_reserved):
        return tuple(map(instance_type, range(len(sold.machines))))
    return TypeList(sold.types, ClassAmounts(sold.columns, profile), instance_type)


class _SoldTypes(NamedTuple):
    """What NodeClasses share whose types differ in amounts alone: the machines, as they are sold and as Karpenter knows them,
    their labels and offerings, and the columns of their figures."""

    machines_as_sold: tuple[Machine, ...]
    machines: tuple[Machine, ...]
    context: OfferingContext
    reservations: Mapping[str, tuple[CapacityReservation, ...]]
    types: SoldTypeList
    columns: MachineColumns


@lru_cache(maxsize=64)
def _sold_types(terms: SoldTerms, catalog: RegionCatalog, karpenter: Baseline) -> _SoldTypes:
    catalog, compatible = as_seen_by(catalog, terms.usable), terms.compatibility
    context = OfferingContext(
        region_offerings(catalog, terms.usable, NO_RESERVATION),
        terms.usable,
        compatible.group,
        terms.observed,
        terms.fails_one_by_one,
    )
    # NodeClasses add few different combinations to many machines. Each is one object, so that sets of them are cheap.
    added_labels = lru_cache(maxsize=None)(partial(_node_class_labels, terms.family, context))
    reservations = _by_type(terms.reservations)

    def labels(machine: Machine) -> Requirements:
        reserved = reservations.get(machine.name, ())
        offered = catalog.offered.get(machine.name, ())
        of_reserved = _of_reservations(reserved) if reserved else None
        return added_labels(architecture(machine), machine.usage, offered, of_reserved).of(machine)

    as_sold = _listed(catalog)
    machines = tuple(as_known_to(machine, karpenter) for machine in as_sold)

    def every_offering() -> tuple[tuple[Offering, ...], ...]:
        known = zip(as_sold, machines, strict=True)
        return tuple(offerings(sold, context, (), not compatible.refusal(machine)) for sold, machine in known)

    listed = SoldTypeList(tuple(m.name for m in machines), tuple(map(labels, machines)), every_offering)
    return _SoldTypes(as_sold, machines, context, reservations, listed, MachineColumns(machines, terms.observed.node_memory))


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
    family: AmiFamily,
    context: OfferingContext,
    machine_architecture: str,
    usage: tuple[str, ...],
    offered: tuple[str, ...],
    labels_of_reserved: tuple[Requirement, ...] | None,
) -> AddedLabels:
    sold_as = capacity_types(usage) + ((RESERVED,) if labels_of_reserved else ())
    labels = (
        *operating_system(machine_architecture, family),
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
