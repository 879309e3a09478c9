"""What a plan is made from."""

from __future__ import annotations

from dataclasses import dataclass, field

from cutlist.api import NodeClass, NodePool
from cutlist.catalog import AnyRegion, is_azure
from cutlist.core.notes import Note
from cutlist.planning.aws.cloud import AwsCloud
from cutlist.planning.azure.cloud import AzureCloud
from cutlist.planning.cloud import Cloud
from cutlist.planning.figures import Figures, memory_reports
from cutlist.providers.eks_auto import AutoSettings
from cutlist.scheduling.capacitybuffers import CapacityBuffer
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.scheduling.provisioner import SchedulerOptions
from cutlist.state.cluster import Cluster
from cutlist.workloads import Workloads


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """Everything that a plan depends on. `zones` are those with subnets, where the node classes' status does not say.

    `cluster` is what exists: nodes, the pods on them, volumes. `figures` are what the user knows better. `overlays` and
    `buffers` count as if Karpenter's gates for them were open. `warnings` are what was found odd while reading.
    """

    catalog: AnyRegion
    node_pools: tuple[NodePool, ...]
    node_classes: tuple[NodeClass, ...]
    workloads: Workloads = field(default_factory=Workloads)
    cluster: Cluster = field(default_factory=Cluster)
    zones: tuple[str, ...] = ()
    figures: Figures = field(default_factory=Figures)
    options: SchedulerOptions = field(default_factory=SchedulerOptions)
    warnings: tuple[Note, ...] = ()
    auto: AutoSettings = field(default_factory=AutoSettings)
    overlays: tuple[NodeOverlay, ...] = ()
    buffers: tuple[CapacityBuffer, ...] = ()

    @property
    def cloud(self) -> Cloud:
        """The cloud of the region, with all that is known of it."""
        if is_azure(self.catalog):
            return AzureCloud(self.catalog, self.zones, self.figures)
        return AwsCloud(self.catalog, self.zones, self.figures, self.auto, memory_reports(self.cluster))
