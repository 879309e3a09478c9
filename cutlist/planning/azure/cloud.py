"""Azure in a plan: VM sizes behind Karpenter on AKS. All differences from AWS are here (spec: azure 7)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cutlist.api.aksnodeclass import AKSNodeClass
from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import LocationCatalog
from cutlist.catalog.size_data_disks import data_disks
from cutlist.core.csi import AZURE_DISK
from cutlist.core.notes import Note
from cutlist.core.requirements import Requirements
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.azure.findings import image_findings, quota_findings, quota_warnings
from cutlist.planning.azure.notes import azure_notes
from cutlist.planning.azure.os_disks import os_disk
from cutlist.planning.cloud import DiskPrices, OsDisks, Predicted
from cutlist.planning.figures import Figures
from cutlist.planning.model import Launch, PlannedNode
from cutlist.planning.model.os_disk import OsDisk
from cutlist.providers.azure.claimed_disks import managed_disk
from cutlist.providers.azure.launch import choices
from cutlist.providers.azure.observed import Observed
from cutlist.providers.azure.os_disk import os_disk_price
from cutlist.providers.azure.profile import NodeProfile
from cutlist.providers.azure.provider import instance_types
from cutlist.providers.azure.settings import AzureSettings
from cutlist.providers.disks import ProvisionedDisk
from cutlist.providers.instance_types import InstanceType
from cutlist.providers.node_repair import AZURE_REPAIR_POLICIES, RepairPolicy
from cutlist.scheduling.inputs import SchedulerOptions


@dataclass(frozen=True, slots=True)
class AzureCloud:
    """A location of Azure. Only `zones` are considered; empty means all."""

    catalog: LocationCatalog
    zones: tuple[str, ...] = ()
    figures: Figures = field(default_factory=Figures)

    @property
    def settings(self) -> AzureSettings:
        """Return the known settings of the cluster."""
        return self.figures.aks.settings

    @property
    def observed(self) -> Observed:
        """Return the known facts about the subscription."""
        return self.figures.aks.observed

    @property
    def repair_policies(self) -> tuple[RepairPolicy, ...]:
        """Return the conditions of this cloud."""
        return AZURE_REPAIR_POLICIES

    @property
    def disruption_repair_policies(self) -> tuple[RepairPolicy, ...]:
        """Return nothing: no public release of this provider has them. None of its four policies has a reason, and from 1.15 on
        exactly one may lack it (V15-43): with the gate NodeRepair and without `--legacy-node-repair`, Karpenter would not start
        with them.
        """
        return ()

    @property
    def rebooting_repair_policies(self) -> tuple[RepairPolicy, ...]:
        """Return nothing: only the AWS provider has the gate."""
        return ()

    def terms(self, node_class: NodeClass) -> Hashable:
        """Return the shape of its nodes; everything else is the same for all classes."""
        return NodeProfile.of(node_class, self.settings) if isinstance(node_class, AKSNodeClass) else None

    def types(self, node_class: NodeClass) -> Sequence[InstanceType]:
        """Return the instance types of an AKSNodeClass, without sizes that the subscription may not use."""
        if not isinstance(node_class, AKSNodeClass):
            return ()
        types = instance_types(node_class, self._open(), self.settings, self.zones, self.observed)
        return self.figures.paid(types, self.catalog.region)

    def predict(
        self,
        types: Iterable[InstanceType],
        wanted: Requirements,
        node_class: NodeClass | None,  # noqa: ARG002 - no image holds a size back before it is started
        options: SchedulerOptions,  # noqa: ARG002 - the types of a claim are not looked at again
    ) -> Predicted | None:
        """Return the size that Karpenter itself picks: the cheapest, so it is certain except for its zone."""
        choice = next(iter(choices(types, wanted)), None)
        if choice is None:
            return None
        return Predicted(choice.type, choice.offering, choice.zones, choice.offering.capacity_type, is_certain=True)

    def launch_terms(self, node_class: NodeClass | None) -> Hashable:
        """Return the class itself."""
        return node_class

    def disk_prices(self, node_class: NodeClass | None) -> DiskPrices:
        """Return a function from size to the price of the OS disk: 0 where the disk is ephemeral."""

        def price(instance_type: str) -> Price | None:
            size = self.catalog.machines.get(instance_type)
            if not isinstance(node_class, AKSNodeClass) or size is None:
                return None
            return os_disk_price(node_class, size, lambda item: self.figures.service_price(item, self.catalog))

        return price

    def os_disks(self, node_class: NodeClass | None) -> OsDisks:
        """Return where the OS disk of each size is."""

        def disk(instance_type: str) -> OsDisk | None:
            size = self.catalog.machines.get(instance_type)
            if not isinstance(node_class, AKSNodeClass) or size is None:
                return None
            return os_disk(node_class, size)

        return disk

    def claimed_disk(self, driver: str, parameters: Mapping[str, str], gib: float) -> ProvisionedDisk | None:
        """Return a managed disk."""
        if driver != AZURE_DISK:
            return None
        return managed_disk(parameters, gib, lambda item: self.figures.service_price(item, self.catalog))

    def attach_limits(
        self,
        node_class: NodeClass | None,  # noqa: ARG002 - the OS disk does not count
        instance_type: str,
        reserved: Mapping[str, int],
    ) -> Mapping[str, int]:
        """Return the data disks that a size takes, less those reserved."""
        return {AZURE_DISK: data_disks(instance_type) - reserved.get(AZURE_DISK, 0)}

    def launches(
        self,
        types: Mapping[str, Sequence[InstanceType]],  # noqa: ARG002 - there is no request
        classes: Mapping[str, NodeClass],  # noqa: ARG002
        options: SchedulerOptions,  # noqa: ARG002
    ) -> NoLaunches:
        """Return nothing: a machine is requested only by its size."""
        return NoLaunches()

    def assumptions(
        self, pools: Sequence[NodePool], classes: Mapping[str, NodeClass], nodes: Sequence[PlannedNode]
    ) -> list[Note]:
        """Return notes on memory, quotas, spot, and the facts about nodes' sizes that follow from their names."""
        return azure_notes(self.catalog, self.figures, classes, nodes) if pools else []

    def warnings(self, nodes: Sequence[PlannedNode]) -> list[Note]:
        """Return the quotas that the nodes exceed."""
        return quota_warnings(self.catalog, self.observed, nodes)

    def pool_findings(self, allowed: AllowedTypes) -> Iterator[Note]:
        """Yield sizes that no image starts, and quotas that leave few sizes or none."""
        yield from image_findings(allowed, self.catalog, self.settings)
        yield from quota_findings(allowed, self.catalog, self.observed)

    def class_findings(self, node_class: NodeClass) -> Iterator[Note]:  # noqa: ARG002 - the class' own rules say all there is
        """Yield nothing so far."""
        return iter(())

    def _open(self) -> LocationCatalog:
        restricted = self.figures.aks.restricted
        if not restricted:
            return self.catalog
        machines = {name: size for name, size in self.catalog.machines.items() if name not in restricted}
        return replace(self.catalog, machines=machines)


@dataclass(frozen=True, slots=True)
class NoLaunches:
    """The launches of a cloud whose requests name only the machine."""

    all: tuple[Launch, ...] = ()

    def number(self, node: PlannedNode) -> int | None:  # noqa: ARG002 - the same for each
        """Return None: where requests do not differ, no node refers to one of them."""
        return None
