"""The parts of an EC2NodeClass that its instance types depend on, and nothing else (spec: AWS 0.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cutlist.catalog.regions import RegionCatalog
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.providers.aws.compatibility import Compatibility
from cutlist.providers.aws.devices import DeviceTerms
from cutlist.providers.aws.expressions import KubeletExpressions
from cutlist.providers.aws.families import AmiFamily
from cutlist.providers.aws.observed import Observed, selected_group
from cutlist.providers.aws.profile import AwsSettings, NodeProfile
from cutlist.providers.aws.zones import UsableZones, usable_zones

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass
    from cutlist.api.ec2nodeclass_status import CapacityReservation


@dataclass(frozen=True, slots=True)
class SoldTerms:
    """The part of the terms that labels and offerings depend on: hundreds of classes differ in amounts alone."""

    usable: UsableZones
    family: AmiFamily
    compatibility: Compatibility
    reservations: tuple[CapacityReservation, ...]
    observed: Observed
    fails_one_by_one: bool
    devices: DeviceTerms | None


@dataclass(frozen=True, slots=True)
class ClassTerms:
    """Everything about a NodeClass that affects its types, with the controller's settings and observations of cluster and
    account.

    Classes with equal terms have equal types in a region. `reservations` are those that it may use, in order; without
    `sells_reserved`, none of them is sold. With `fails_one_by_one`, a full one stays open, and missing capacity closes only the
    one concerned. `devices` decide about those of dynamic resource allocation; None if types have none.
    """

    usable: UsableZones
    profile: NodeProfile
    compatibility: Compatibility
    reservations: tuple[CapacityReservation, ...]
    sells_reserved: bool
    observed: Observed
    expressions: KubeletExpressions | None
    fails_one_by_one: bool
    devices: DeviceTerms | None = None

    @staticmethod
    def of(
        node_class: EC2NodeClass,
        catalog: RegionCatalog,
        settings: AwsSettings,
        zones: Sequence[str] | None,
        observed: Observed,
    ) -> ClassTerms:
        """Return the terms of a NodeClass; `zones` as in `usable_zones`. Raises InputError for a zone that the region does not
        have."""
        usable = usable_zones(node_class, catalog, zones)
        return ClassTerms(
            # Subnets matter where some of them are known to have no capacity; otherwise only their zones do.
            usable=usable if observed.unavailable else replace(usable, subnets=()),
            profile=NodeProfile.of(node_class, settings),
            compatibility=Compatibility.of(node_class, selected_group(node_class, observed.placement_groups)),
            reservations=tuple(node_class.status.capacity_reservations),
            sells_reserved=settings.reserved_capacity,
            observed=observed,
            expressions=KubeletExpressions.of(node_class, settings),
            fails_one_by_one=node_class.karpenter.does(Behaviour.RESERVATIONS_FAIL_ONE_BY_ONE),
            devices=DeviceTerms.of(node_class, settings.device_gates),
        )

    @property
    def sold_as(self) -> SoldTerms:
        """Return the part that labels and offerings depend on."""
        return SoldTerms(
            self.usable,
            self.profile.family,
            self.compatibility,
            self.reservations,
            self.observed,
            self.fails_one_by_one,
            self.devices,
        )
