"""A region of AWS with what is known about the user's account there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cutlist.api.autonodeclass import AutoNodeClass
from cutlist.api.ec2nodeclass import EC2NodeClass
from cutlist.catalog.regions import RegionCatalog
from cutlist.planning.figures import Figures
from cutlist.providers import aws, eks_auto


@dataclass(frozen=True, slots=True)
class AwsRegion:
    """A region of AWS. `zones` are those with subnets, empty if unknown. `reports` have the memory of nodes."""

    catalog: RegionCatalog
    zones: tuple[str, ...] = ()
    figures: Figures = field(default_factory=Figures)
    auto: eks_auto.AutoSettings = field(default_factory=eks_auto.AutoSettings)
    reports: tuple[aws.MemoryReport, ...] = ()

    def usable_zones(self, node_class: EC2NodeClass | AutoNodeClass) -> aws.UsableZones:
        """Return the zones in which a class has subnets, as far as that is known."""
        return aws.usable_zones(node_class, self.catalog, self.zones or None)

    def measured(self, node_class: EC2NodeClass) -> Mapping[str, int]:
        """Return memory in nano-bytes by instance type, from reports of nodes with the class' images, or from the user's
        figures."""
        images = {ami.id for ami in node_class.status.amis} or {r.image_id for r in self.reports}
        return {**self.figures.memory, **aws.discovered_memory(self.reports, images)}

    def observed(self, node_class: EC2NodeClass) -> aws.Observed:
        """Return what is known about a class: the free instances of its reservations, the memory of its nodes."""
        counts = {r.id: r.available_instance_count for r in node_class.capacity_reservations}
        free = {i: count for i, count in counts.items() if count is not None}
        return aws.Observed(reservations_remaining=free, node_memory=self.measured(node_class))
