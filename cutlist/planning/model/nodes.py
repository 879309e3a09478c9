"""Nodes of a plan: those that will be launched, what they may become, and existing ones that get pods."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Final

from cutlist.catalog.ranges import Deviations
from cutlist.core.money import money_sum
from cutlist.core.quantity import NANO
from cutlist.core.records import NEWER, SPARSE, After, Count, Key, More, about, computed
from cutlist.core.written_requirement import NodeRequirement
from cutlist.planning.model.extended import NodeAmounts, Use, extended_use
from cutlist.planning.model.os_disk import OsDisk
from cutlist.planning.model.prices import CandidateDiskPrice, CandidatePrice, DiskPrice, NodePrice
from cutlist.planning.model.spelling import Amounts, ExactPrice

DETERMINED: Final = "determined"
LOWEST_PRICE: Final = "lowest price"
UNKNOWN_PRICE: Final = "unknown price"
_OS_DISK: Final = "Where its OS disk is, only where that depends on the type."
_OVERLAY: Final = "The price by which Karpenter ranks the node, only where a NodeOverlay sets one. You pay the other price."


@dataclass(frozen=True, slots=True)
class CandidateType:
    """An instance type that a node may become, with the price of its cheapest available offering that the claim allows.

    `price` is what is paid, without its source, which `cutlist types` has; if a NodeOverlay sets `overlay_price`,
    Karpenter ranks by that. `capacity_type` is that offering's; `zones` are all in which the type is offered for this claim.
    `os_disk` and `disk_price` are those of a type whose OS disk depends on it, as on Azure.
    """

    instance_type: str
    price: CandidatePrice
    capacity_type: str
    zones: tuple[str, ...]
    overlay_price: Annotated[
        ExactPrice, Key("overlayPricePerHour"), After("price.foreign_currency"), SPARSE, about(_OVERLAY)
    ] = None
    os_disk: Annotated[OsDisk | None, SPARSE, about(_OS_DISK)] = None
    disk_price: CandidateDiskPrice = None

    @property
    def is_estimated(self) -> bool:
        """Tell whether the price is an estimate."""
        return self.price is not None and self.price.estimated

    @property
    def ranked_price(self) -> float | None:
        """Return the price by which Karpenter ranks it, in USD an hour, or None if it is unknown."""
        return _ranked(self)


@dataclass(frozen=True, slots=True)
class PodShare:
    """How many pods of a workload one node has: `deployment/web`, or `shop/deployment/web` outside namespace `default`."""

    workload: str
    count: Count


@dataclass(frozen=True, slots=True)
class PodSize:
    """The requests of one pod of a workload; the mean where its pods differ."""

    workload: str
    requests: Amounts = field(hash=False)


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """Nodes that are alike in everything; price and amounts are of one.

    `instance_type`, `allocatable` and `price` (of one node) are of the cheapest candidate; `certainty` says whether that type
    is certain (`determined`), the cheapest of those that EC2 may choose (`lowest price`) or without a price
    (`unknown price`). `capacity_types` are all available ones that the claim allows, `capacity_type` is the cheapest
    candidate's. `requests` include DaemonSets, `pods` do not; claimed devices are among them by their driver. `candidates` are
    cheapest first; `requirements` are the claim's. `price` is what is paid; if a NodeOverlay sets `overlay_price`, Karpenter
    ranks by that. `disk_price` is the price of the disks of one node, paid on top of `price`, None if unknown; Karpenter does
    not rank by it. `launch` is the index of the node's request among the plan's launches, None if these were not requested or
    are unknown. `zone` is the one of `zones` that the node is assumed to be in if something depends on it. `os_disk` says where
    the OS disk is, if that depends on the type.
    """

    node_pool: str
    count: Count
    instance_type: Annotated[str, about("The cheapest candidate.")]
    certainty: Annotated[str, More(enum=[DETERMINED, LOWEST_PRICE, UNKNOWN_PRICE])]
    capacity_type: str
    capacity_types: tuple[str, ...]
    zones: tuple[str, ...]
    price: NodePrice
    requests: Amounts = field(hash=False)
    allocatable: Amounts = field(hash=False)
    pods: Annotated[tuple[PodShare, ...], about("Pods on one node.")]
    candidates: Annotated[tuple[CandidateType, ...], about("What the node may become, in Karpenter's order: cheapest first.")]
    requirements: tuple[NodeRequirement, ...]
    launch: Annotated[Count | None, NEWER, about("Place in launches.")] = None
    disk_price: Annotated[DiskPrice, After("price.provenance")] = None
    overlay_price: Annotated[
        ExactPrice, Key("overlayPricePerHour"), After("price.foreign_currency"), SPARSE, about(_OVERLAY)
    ] = None
    zone: Annotated[str, NEWER, After("zones"), about("The zone that later passes assume.")] = ""
    os_disk: Annotated[OsDisk | None, After("disk_price.estimated"), SPARSE, about(_OS_DISK)] = None

    def fill(self, resource: str) -> float | None:
        """Return the fraction of the node's allocatable amount that is requested, 1.0 for all, or None if the node has none of
        it."""
        total = self.allocatable.get(resource, 0)
        return self.requests.get(resource, 0) / total if total > 0 else None

    @property
    def extended(self) -> dict[str, Use]:
        """Return how much of its accelerators and other extended resources one node's pods request."""
        return extended_use([NodeAmounts(1, self.requests, self.allocatable)])

    @property
    def pods_each(self) -> int:
        """Return how many pods each of these nodes has, DaemonSets aside."""
        return sum(share.count for share in self.pods)

    @property
    @computed(after="allocatable")
    def free_pods(self) -> Annotated[int | None, about("Pods that one node may still have; null if unknown.")]:
        """Return how many more pods one node may have: its allocatable `pods`, less its pods with those of DaemonSets. Other
        resources may run out before. None if it is unknown how many it may have.
        """
        most = self.allocatable.get("pods")
        return None if most is None else max(most - self.requests.get("pods", 0), 0) // NANO

    @property
    def alternatives(self) -> int:
        """Return how many other instance types the node may become."""
        return len({c.instance_type for c in self.candidates} - {self.instance_type})

    @property
    def is_estimated(self) -> bool:
        """Tell whether the price is an estimate."""
        return self.price is not None and self.price.estimated

    @property
    def ranked_price(self) -> float | None:
        """Return the price by which Karpenter ranks it, in USD an hour, or None if it is unknown."""
        return _ranked(self)

    @property
    def of_disks(self) -> float:
        """Return USD an hour for the disks of one node, 0 if that is unknown."""
        return 0.0 if self.disk_price is None else self.disk_price.usd_per_hour

    @property
    def estimated_price(self) -> float:
        """Return the part of its price with disks that is an estimate, in USD an hour for one node."""
        parts = [price for price in (self.price, self.disk_price) if price is not None and price.estimated]
        return money_sum(price.usd_per_hour for price in parts)

    @property
    def price_with_disks(self) -> float | None:
        """Return USD an hour for one node with its disks, as far as these are known, or None if its own price is unknown."""
        return None if self.price is None else money_sum((self.price.usd_per_hour, self.of_disks))


def _ranked(bought: CandidateType | PlannedNode) -> float | None:
    paid = None if bought.price is None else bought.price.usd_per_hour
    return paid if bought.overlay_price is None else bought.overlay_price


@dataclass(frozen=True, slots=True)
class FilledNode:
    """An existing node, and the pods that are placed on it."""

    name: str
    pods: tuple[PodShare, ...]


def fill(nodes: Iterable[PlannedNode], resource: str) -> float | None:
    """Return the fraction of a resource that pods request, over all nodes, or None if they have none of it."""
    requested = total = 0
    for node in nodes:
        amount = node.allocatable.get(resource, 0)
        if amount > 0:
            requested += node.count * node.requests.get(resource, 0)
            total += node.count * amount
    return requested / total if total else None


def deviations(nodes: Iterable[PlannedNode]) -> Deviations:
    """Return how far the prices of nodes may be from their estimates."""
    return Deviations.of((node.instance_type, node.count, node.price) for node in nodes)
