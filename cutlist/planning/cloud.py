"""What planning asks of a cloud. All that is not here is the same for every cloud: scheduling, disruption, reports, gates."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from cutlist.api import NodeClass, NodePool
from cutlist.catalog import AnyRegion
from cutlist.core.notes import Note
from cutlist.core.requirements import Requirements
from cutlist.planning.allowed import AllowedTypes
from cutlist.planning.model import Launch, PlannedNode
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.node_repair import RepairPolicy
from cutlist.scheduling.provisioner import SchedulerOptions


@dataclass(frozen=True, slots=True)
class Predicted:
    """What a launch will most likely give: a type, an offering of it, and the zones among which nothing is decided yet.

    `is_certain` tells that the type is known; where it is not, the price is the lowest that is possible.
    """

    type: InstanceType
    offering: Offering
    zones: tuple[str, ...]
    capacity_type: str
    is_certain: bool


class Launches(Protocol):
    """The requests that the nodes of a plan lead to."""

    @property
    def all(self) -> tuple[Launch, ...]:
        """Return every request that was asked for so far, each once, by its number."""

    def number(self, node: PlannedNode) -> int | None:
        """Return the number of the node's request; None where nothing is known of one."""


class Cloud(Protocol):
    """A region of a cloud with what is known of the user's account or subscription there."""

    @property
    def catalog(self) -> AnyRegion:
        """Return what the region sells."""

    @property
    def repair_policies(self) -> tuple[RepairPolicy, ...]:
        """Return which conditions make nodes be replaced, where the feature gate NodeRepair is on."""

    def terms(self, node_class: NodeClass) -> Hashable:
        """Return what of a node class its types depend on: classes for which it is equal have equal types."""

    def types(self, node_class: NodeClass) -> tuple[InstanceType, ...]:
        """Return the instance types of a node class."""

    def predict(
        self, types: Iterable[InstanceType], wanted: Requirements, node_class: NodeClass | None, *, strict_min_values: bool
    ) -> Predicted | None:
        """Return what comes of a claim with these types; None when nothing is launched for it."""

    def launches(
        self, types: Mapping[str, Sequence[InstanceType]], classes: Mapping[str, NodeClass], options: SchedulerOptions
    ) -> Launches:
        """Return the requests of a plan's nodes. `types` and `classes` are by NodePool."""

    def assumptions(
        self, pools: Sequence[NodePool], classes: Mapping[str, NodeClass], nodes: Sequence[PlannedNode]
    ) -> list[Note]:
        """Return what was taken for granted that the cloud could tell. `classes` are by NodePool."""

    def warnings(self, nodes: Sequence[PlannedNode]) -> list[Note]:
        """Return what of a plan's nodes the cloud will not do."""

    def pool_findings(self, allowed: AllowedTypes) -> Iterator[Note]:
        """Return what is odd about a NodePool and its class in this cloud."""

    def class_findings(self, node_class: NodeClass) -> Iterator[Note]:
        """Return what is odd about a node class, whatever uses it."""
