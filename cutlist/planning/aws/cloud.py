"""AWS in a plan: EC2 behind self-managed Karpenter, and EKS Auto Mode."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import RegionCatalog
from cutlist.catalog.windows import Licence, licence_in
from cutlist.core.csi import EBS, EBS_OF_AUTO_MODE
from cutlist.core.identity import SameObject
from cutlist.core.labels import ON_DEMAND, RESERVED, SPOT, WINDOWS
from cutlist.core.notes import Note
from cutlist.core.requirements import Requirements
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.aws.class_findings import class_findings, image_findings, zones_without_subnet
from cutlist.planning.aws.notes import estimate_notes, order_notes, runs_windows, tie_notes, zone_notes
from cutlist.planning.aws.region import AwsRegion
from cutlist.planning.cloud import DiskPrices, Launches, OsDisks, Predicted
from cutlist.planning.figures import Figures
from cutlist.planning.model import PlannedNode
from cutlist.providers import aws, eks_auto, node_repair
from cutlist.providers.aws.attach_limits import attach_limits
from cutlist.providers.aws.claimed_disks import ebs_disk
from cutlist.providers.aws.launch.images import images_of, unseen_images
from cutlist.providers.aws.launch.prediction import Prediction, predict
from cutlist.providers.aws.volumes import volumes_price
from cutlist.providers.disks import ProvisionedDisk
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.inputs import SchedulerOptions


@dataclass(frozen=True, slots=True)
class AwsCloud(AwsRegion):
    """A region of AWS, as planning uses it."""

    @property
    def repair_policies(self) -> tuple[node_repair.RepairPolicy, ...]:
        """Return the conditions of this cloud."""
        return node_repair.AWS_REPAIR_POLICIES

    @property
    def disruption_repair_policies(self) -> tuple[node_repair.RepairPolicy, ...]:
        """Return the policies of this cloud since Karpenter 1.15."""
        return node_repair.AWS_DISRUPTION_REPAIR_POLICIES

    @property
    def rebooting_repair_policies(self) -> tuple[node_repair.RepairPolicy, ...]:
        """Return the same policies, where a reboot repairs some faults of GPUs."""
        return node_repair.AWS_REBOOTING_REPAIR_POLICIES

    def terms(self, node_class: NodeClass) -> Hashable:
        """Return zones and the shape of nodes, and for an EC2NodeClass also reservations and observations; but not name, tags
        or selectors."""
        if isinstance(node_class, AutoNodeClass):
            return self.usable_zones(node_class), eks_auto.NodeShape.of(node_class)
        return self._terms(node_class) if isinstance(node_class, EC2NodeClass) else None

    def types(self, node_class: NodeClass) -> Sequence[InstanceType]:
        """Return the instance types of a node class; none for a class of another cloud."""
        if isinstance(node_class, AutoNodeClass):
            fees = _listed_fees(SameObject(self.figures), SameObject(self.catalog))
            auto = replace(self.auto, fees={**fees, **self.auto.fees})
            return self.figures.paid(
                eks_auto.instance_types(node_class, self.catalog, auto, self.zones or None), self.catalog.region
            )
        if not isinstance(node_class, EC2NodeClass):
            return ()
        observed = self.observed(node_class)
        types = aws.instance_types(node_class, self.catalog, self.figures.settings, self.zones or None, observed)
        if runs_windows(node_class):
            licensed = _licensed_types(SameObject(types), SameObject(self.catalog))
            return self.figures.paid(licensed, self.catalog.region, WINDOWS)
        return self.figures.paid(types, self.catalog.region)

    def predict(
        self, types: Iterable[InstanceType], wanted: Requirements, node_class: NodeClass | None, options: SchedulerOptions
    ) -> Predicted | None:
        """Return the likeliest type among those that EC2 chooses from. Images of an EC2NodeClass start only some types."""
        with_images = node_class if isinstance(node_class, EC2NodeClass) else None
        strict = options.strict_min_values
        prediction = predict(types, wanted, with_images, karpenter=options.karpenter, strict_min_values=strict)
        return _predicted(prediction) if prediction.candidates else None

    def launch_terms(self, node_class: NodeClass | None) -> Hashable:
        """Return the images of an EC2NodeClass: they alone decide which of the types start."""
        if not isinstance(node_class, EC2NodeClass):
            return None
        return tuple(unseen_images(node_class) or images_of(node_class))

    def disk_prices(self, node_class: NodeClass | None) -> DiskPrices:
        """Return the price of the EBS volumes of a class, the same for all types; none for those of an unknown image."""
        price = None
        if isinstance(node_class, EC2NodeClass | AutoNodeClass):
            price = volumes_price(node_class, lambda item: self.figures.service_price(item, self.catalog))
        return lambda _instance_type: price

    def os_disks(self, node_class: NodeClass | None) -> OsDisks:  # noqa: ARG002 - a class has the same volumes for all types
        """Return None for all types."""
        return lambda _instance_type: None

    def claimed_disk(self, driver: str, parameters: Mapping[str, str], gib: float) -> ProvisionedDisk | None:
        """Return an EBS volume."""
        if driver not in (EBS, EBS_OF_AUTO_MODE):
            return None
        return ebs_disk(parameters, gib, lambda item: self.figures.service_price(item, self.catalog))

    def attach_limits(self, node_class: NodeClass | None, instance_type: str, reserved: Mapping[str, int]) -> Mapping[str, int]:
        """Return the limits of EBS, which count the node's own volumes, or those reserved, and its first interface."""
        if not isinstance(node_class, EC2NodeClass | AutoNodeClass):
            return {}
        return attach_limits(node_class, self.catalog.machines.get(instance_type), reserved.get(EBS))

    def launches(
        self, types: Mapping[str, Sequence[InstanceType]], classes: Mapping[str, NodeClass], options: SchedulerOptions
    ) -> Launches:
        """Return fleet requests of EC2NodeClasses; those of EKS in Auto Mode are not published."""
        from cutlist.planning.aws.launches import FleetLaunches  # takes 10 ms, and a plan in words has no requests

        return FleetLaunches(types, classes, self, options)

    def assumptions(
        self, pools: Sequence[NodePool], classes: Mapping[str, NodeClass], nodes: Sequence[PlannedNode]
    ) -> list[Note]:
        """Return notes on zones with subnets, memory, prices, reservations, and what EC2 alone decides."""
        notes = [*zone_notes(self, classes), *estimate_notes(self, pools, classes), *tie_notes(nodes), *order_notes(nodes)]
        if any(n.capacity_type == SPOT for n in nodes):
            text = "spot capacity cannot be known before launch: EC2 picks among the candidates, at the price shown or more"
            notes.append(Note("spot-capacity", text))
        return notes

    def warnings(self, nodes: Sequence[PlannedNode]) -> list[Note]:  # noqa: ARG002 - other clouds look at them
        """Return nothing: quotas are not modelled on AWS."""
        return []

    def pool_findings(self, allowed: AllowedTypes) -> Iterator[Note]:
        """Yield zones without a subnet, and types without an image."""
        if isinstance(allowed.node_class, EC2NodeClass | AutoNodeClass):
            yield from zones_without_subnet(allowed, self.usable_zones(allowed.node_class))
        yield from image_findings(allowed)

    def class_findings(self, node_class: NodeClass) -> Iterator[Note]:
        """Yield findings about an EC2NodeClass."""
        return class_findings(node_class) if isinstance(node_class, EC2NodeClass) else iter(())

    def _terms(self, node_class: EC2NodeClass) -> aws.ClassTerms:
        observed = self.observed(node_class)
        return aws.ClassTerms.of(node_class, self.catalog, self.figures.settings, self.zones or None, observed)


@lru_cache(maxsize=4)
def _listed_fees(figures: SameObject, catalog: SameObject) -> Mapping[str, Price]:
    """Return the management fees of EKS Auto Mode that the user or the catalogue has. A plan asks several times."""
    own, region = cast("Figures", figures.of), cast("RegionCatalog", catalog.of)
    return eks_auto.listed_fees(region.machines, lambda item: own.service_price(item, region))


@lru_cache(maxsize=8)
def _licensed_types(types: SameObject, catalog: SameObject) -> tuple[InstanceType, ...]:
    """Return types with Windows' licence on top of their prices. A plan asks for each list several times."""
    region = cast("RegionCatalog", catalog.of)
    return tuple(_licensed(t, region) for t in cast("tuple[InstanceType, ...]", types.of))


def _licensed(t: InstanceType, region: RegionCatalog) -> InstanceType:
    """Return a type with Windows' licence on top of its prices, on demand and spot; Karpenter ranks it without."""
    licence, listed = licence_in(region, t.name), region.windows.get(t.name)
    return replace(t, offerings=tuple(_with_licence(o, licence, listed) for o in t.offerings))


def _with_licence(offering: Offering, licence: Licence | None, listed: Price | None) -> Offering:
    if offering.capacity_type == ON_DEMAND and listed is not None and None not in (offering.price, offering.fee):
        licensed = listed.usd_per_hour - (offering.price or 0.0)
        return offering._replace(fee=(offering.fee or 0.0) + licensed, basis=listed)
    if licence is None or offering.fee is None:
        return offering._replace(fee=None, basis=None)
    if offering.capacity_type == RESERVED:  # paid for whether used or not, its licence too
        return offering
    basis = None if offering.basis is None else licence.added_to(offering.basis)
    return offering._replace(fee=offering.fee + licence.per_hour, basis=basis)


def _predicted(prediction: Prediction) -> Predicted:
    likeliest = prediction.candidates[0]
    # On demand EC2 takes the lowest price; for spot it prefers pools with spare capacity, which nobody can know (AWS 5.7, 5.8).
    is_certain = prediction.capacity_type != SPOT or prediction.is_determined
    return Predicted(likeliest.type, likeliest.offerings[0], likeliest.zones, prediction.capacity_type, is_certain)
