"""The interface of a cloud to planning. Everything else is the same for every cloud: scheduling, disruption, reports, gates."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass
from cutlist.catalog.prices import Price
from cutlist.catalog.regions import AnyRegion
from cutlist.core.identity import OncePerObject, SameObject, SameObjects
from cutlist.core.labels import NODEPOOL, LabelRegistry
from cutlist.core.notes import Note
from cutlist.core.requirements import Requirements
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.model import Launch, PlannedNode
from cutlist.planning.model.os_disk import OsDisk
from cutlist.providers.disks import ProvisionedDisk
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.node_repair import RepairPolicy
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.scheduling.launched import Purchase, cheapest_purchase
from cutlist.scheduling.results import PlacedClaim

AttachLimits = Callable[[str, str], Mapping[str, int]]
"""Returns how many volumes of pods a NodePool's node of an instance type attaches, by CSI driver; nothing that is not known."""

DiskPrices = Callable[[str], Price | None]
"""Returns the price of an hour of a node's disks by its instance type, or None if it is unknown."""
OsDisks = Callable[[str], OsDisk | None]
"""Returns where a node's OS disk is by its instance type, or None where that does not depend on the type."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """The most likely result of a launch: a type, an offering of it, and the zones among which it may be.

    `is_certain` says that the type is known; otherwise the price is the lowest possible.
    """

    type: InstanceType
    offering: Offering
    zones: tuple[str, ...]
    capacity_type: str
    is_certain: bool


class Launches(Protocol):
    """The requests for the nodes of a plan."""

    @property
    def all(self) -> tuple[Launch, ...]:
        """Return every request numbered so far, each once, in order."""

    def number(self, node: PlannedNode) -> int | None:
        """Return the number of the node's request, or None if none is known."""


class Cloud(Protocol):
    """A region of a cloud with what is known about the user's account or subscription there."""

    @property
    def catalog(self) -> AnyRegion:
        """Return what the region sells."""

    @property
    def repair_policies(self) -> tuple[RepairPolicy, ...]:
        """Return the conditions for which nodes are replaced when the feature gate NodeRepair is on."""

    @property
    def disruption_repair_policies(self) -> tuple[RepairPolicy, ...]:
        """Return the repair policies for a Karpenter with repair as a disruption method; empty if they are not known."""

    @property
    def rebooting_repair_policies(self) -> tuple[RepairPolicy, ...]:
        """Return the same policies with the feature gate RebootForRepair; empty if the provider has no such gate."""

    def terms(self, node_class: NodeClass) -> Hashable:
        """Return the part of a node class that its types depend on: classes with equal terms have equal types."""

    def types(self, node_class: NodeClass) -> Sequence[InstanceType]:
        """Return the instance types that Karpenter makes from a node class, before a NodePool restricts them."""

    def predict(
        self, types: Iterable[InstanceType], wanted: Requirements, node_class: NodeClass | None, options: SchedulerOptions
    ) -> Predicted | None:
        """Return the expected launch of a claim with these types, or None if nothing is launched for it."""

    def launch_terms(self, node_class: NodeClass | None) -> Hashable:
        """Return the part of a node class that predictions depend on, besides the types."""

    def disk_prices(self, node_class: NodeClass | None) -> DiskPrices:
        """Return a function from instance type to the price of a node's disks in USD per hour. The price is 0 for disks that
        cost nothing, and None if it is unknown. Karpenter does not rank types by it.
        """

    def os_disks(self, node_class: NodeClass | None) -> OsDisks:
        """Return a function from instance type to its OS disk: None where it is the same for all types, or unknown."""

    def claimed_disk(self, driver: str, parameters: Mapping[str, str], gib: float) -> ProvisionedDisk | None:
        """Return the disk that a CSI driver makes for a claim of some GiB of a StorageClass with these parameters, with its
        price; None for a driver whose volumes are not disks of this cloud."""

    def attach_limits(self, node_class: NodeClass | None, instance_type: str, reserved: Mapping[str, int]) -> Mapping[str, int]:
        """Return how many volumes a node attaches, by CSI driver, as its CSINode will say. `reserved` are the places that a
        driver keeps free where its installation says so. Karpenter knows these numbers only of nodes that run.
        """

    def launches(
        self, types: Mapping[str, Sequence[InstanceType]], classes: Mapping[str, NodeClass], options: SchedulerOptions
    ) -> Launches:
        """Return the requests of a plan's nodes. `types` and `classes` are by NodePool."""

    def assumptions(
        self, pools: Sequence[NodePool], classes: Mapping[str, NodeClass], nodes: Sequence[PlannedNode]
    ) -> list[Note]:
        """Return notes on assumptions that the cloud itself could replace by facts. `classes` are by NodePool."""

    def warnings(self, nodes: Sequence[PlannedNode]) -> list[Note]:
        """Return warnings about nodes of a plan that the cloud will not launch."""

    def pool_findings(self, allowed: AllowedTypes) -> Iterator[Note]:
        """Yield findings about a NodePool and its class in this cloud."""

    def class_findings(self, node_class: NodeClass) -> Iterator[Note]:
        """Yield findings about a node class that do not depend on its NodePools."""


_Known = dict[tuple[SameObjects, Requirements], Predicted | None]


def machines_of(types: Iterable[InstanceType]) -> SameObjects:
    """Return a key that types share with those of node classes that differ in amounts alone."""
    return SameObjects(part for t in types for part in t.made_of)


class KeptPredictions:
    """The expected launches of several plans whose inputs differ in little, so that many of their claims are the same.

    Types are the same objects in all these plans as long as what they depend on is equal.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        """Know none yet."""
        self._known: list[tuple[Cloud, SchedulerOptions, Hashable, _Known]] = []

    def of(self, cloud: Cloud, options: SchedulerOptions, node_class: NodeClass | None) -> _Known:
        """Return what is known, and may be added to, for claims of a node class in a cloud, and of those that launch alike."""
        terms = cloud.launch_terms(node_class)
        for of_cloud, with_options, with_terms, known in self._known:
            if with_terms == terms and with_options == options and of_cloud == cloud:
                return known
        self._known.append((cloud, options, terms, {}))
        return self._known[-1][-1]


class Predictions:
    """The expected launches of claims in a cloud; claims with the same types and requirements share the prediction."""

    __slots__ = (
        "_by_claim",
        "_by_pool",
        "_classes",
        "_cloud",
        "_disks",
        "_kept",
        "_machines",
        "_options",
        "_os_disks",
        "_registry",
        "attach_limits",
    )

    def __init__(
        self,
        cloud: Cloud,
        classes: Mapping[str, NodeClass],
        registry: LabelRegistry,
        options: SchedulerOptions,
        attach_limits: AttachLimits,
        kept: KeptPredictions | None = None,
    ) -> None:
        """Predict with the node classes of NodePools, given by the pools' names. `attach_limits` are those of their nodes, and
        `kept` are shared with other plans."""
        self.attach_limits = attach_limits
        self._cloud = cloud
        self._classes = classes
        self._registry = registry
        self._options = options
        self._by_claim: dict[tuple[str, SameObject, Requirements], Predicted | None] = {}
        self._kept = KeptPredictions() if kept is None else kept
        self._machines = OncePerObject(machines_of)
        self._by_pool: dict[str, _Known] = {}
        self._disks: dict[str, DiskPrices] = {}
        self._os_disks: dict[str, OsDisks] = {}

    def of(self, claim: PlacedClaim) -> Predicted | None:
        """Return what a claim is most likely launched as, or None if nothing is launched for it."""
        key = (claim.node_pool, SameObject(claim.candidates), claim.requirements)
        if key not in self._by_claim:
            self._by_claim[key] = self._of_types(claim)
        return self._by_claim[key]

    def _of_types(self, claim: PlacedClaim) -> Predicted | None:
        """Return what is launched from the types of a claim; other passes have the same types in other lists."""
        node_class = self._classes.get(claim.node_pool)
        if claim.node_pool not in self._by_pool:
            self._by_pool[claim.node_pool] = self._kept.of(self._cloud, self._options, node_class)
        wanted = self.of_machines(claim.requirements)
        types = claim.candidates.types
        known, key = self._by_pool[claim.node_pool], (self._machines(types), wanted)
        if key not in known:
            known[key] = self._cloud.predict(types, wanted, node_class, self._options)
        found = known[key]
        # What is launched is the same for classes that sell alike; its amounts are those of the claim's own class.
        return None if found is None else replace(found, type=next(t for t in types if t.name == found.type.name))

    def node_class(self, node_pool: str) -> NodeClass | None:
        """Return the node class of a NodePool, None for one that is not known."""
        return self._classes.get(node_pool)

    def of_machines(self, wanted: Requirements) -> Requirements:
        """Return requirements without those that no machine is chosen by: on the NodePool, and on labels that it makes up."""
        known = self._registry.well_known
        of_pool = (key for key, r in wanted.items() if (key == NODEPOOL or key not in known) and r.min_values is None)
        return wanted.without(*of_pool)

    def disk_price(self, node_pool: str, instance_type: str) -> Price | None:
        """Return the price of an hour of the disks of a NodePool's node of a type, or None if it is unknown."""
        if node_pool not in self._disks:
            self._disks[node_pool] = self._cloud.disk_prices(self._classes.get(node_pool))
        return self._disks[node_pool](instance_type)

    def os_disk(self, node_pool: str, instance_type: str) -> OsDisk | None:
        """Return the OS disk of a NodePool's node of a type, or None if it does not depend on the type."""
        if node_pool not in self._os_disks:
            self._os_disks[node_pool] = self._cloud.os_disks(self._classes.get(node_pool))
        return self._os_disks[node_pool](instance_type)

    def purchase(self, claim: PlacedClaim) -> Purchase:
        """Return what a claim is assumed to be launched as: the prediction, else its cheapest type."""
        predicted = self.of(claim)
        return Purchase(predicted.type, predicted.offering) if predicted else cheapest_purchase(claim, self._registry)
