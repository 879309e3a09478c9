"""Facts that only the cluster and the account know: free reservations, missing capacity, the memory of nodes (spec: AWS 2.2,
4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass import EC2NodeClass

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Unavailable:
    """An entry in Karpenter's cache of missing capacity: a pool, a whole capacity type, or a subnet without free addresses.

    An entry with a placement group hides only offerings of that group; one with a partition hides nothing, as in Karpenter. One
    of a reservation hides only that, since Karpenter 1.15.
    """

    capacity_type: str = ""
    instance_type: str = ""
    zone: str = ""
    placement_group: str = ""
    partition: str = ""
    subnet: str = ""
    reservation: str = ""


@dataclass(frozen=True, slots=True)
class PlacementGroup:
    """A placement group of the account; `strategy` is cluster, spread or partition."""

    group_id: str
    name: str
    strategy: str
    partition_count: int = 0

    @property
    def partitions(self) -> tuple[str, ...]:
        """Return the partitions' names; none unless the strategy is partition."""
        return tuple(str(n) for n in range(1, self.partition_count + 1)) if self.strategy == "partition" else ()


@dataclass(frozen=True, slots=True)
class Observed:
    """The state of cluster and account. By default, nothing is known about the cluster.

    `reservations_remaining`: free instances by reservation id, 0 when missing. `node_memory`: memory (nano-bytes) that nodes of
    the NodeClass' images report, by instance type; see `discovered_memory`. `shifted_zone_ids`: zones zonally shifted.
    """

    reservations_remaining: Mapping[str, int] = field(default_factory=lambda: _NOTHING, hash=False)
    unavailable: tuple[Unavailable, ...] = ()
    placement_groups: tuple[PlacementGroup, ...] = ()
    node_memory: Mapping[str, int] = field(default_factory=lambda: _NOTHING, hash=False)
    shifted_zone_ids: frozenset[str] = frozenset()


NOTHING_OBSERVED: Final = Observed()


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """The memory capacity in nano-bytes that a node reported, with its type and image."""

    instance_type: str
    memory: int
    image_id: str


def discovered_memory(reports: Iterable[MemoryReport], images: Collection[str]) -> dict[str, int]:
    """Return by instance type the smallest memory of nodes that run one of a NodeClass' current images (A-22)."""
    smallest: dict[str, int] = {}
    for report in reports:
        if report.image_id in images:
            smallest[report.instance_type] = min(report.memory, smallest.get(report.instance_type, report.memory))
    return smallest


def selected_group(node_class: EC2NodeClass, groups: Iterable[PlacementGroup]) -> PlacementGroup | None:
    """Return the account's group that the NodeClass selects, by id if it gives one, else by name."""
    selector = node_class.placement_group_selector
    if selector is None:
        return None
    if selector.id:
        return next((group for group in groups if group.group_id == selector.id), None)
    return next((group for group in groups if group.name == selector.name), None)
