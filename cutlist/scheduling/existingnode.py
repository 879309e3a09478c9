"""Nodes of a cluster, indexed by what scheduling needs to know about them (spec: scheduling 5.3 to 5.5; S-5, S-50, S-57 to
S-65)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Final

from cutlist.core.quantity import subtract
from cutlist.core.taints import HostPort, Taint, Toleration, untolerated
from cutlist.scheduling.headroom import HeadroomIndex, with_gap, without_gap
from cutlist.scheduling.node_terms import DaemonReserve, NodeTerms, labels_of
from cutlist.scheduling.poddata import Amounts
from cutlist.scheduling.requirement_space import EMPTY, RequirementSpace
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import Attachment, PodVolumes

_UNBOUNDED: Final = 1 << 60
"""More pods than any node has."""


@dataclass(frozen=True, slots=True, eq=False)
class ExistingNode:
    """A node with its free resources. `requirements` is the number of its labels, as far as the pass needs them.

    `attached` are volumes by name; `own` are those of pods that were put on it together, as numbers by CSI driver.
    """

    name: str
    hostname: str
    taints: tuple[Taint, ...]
    requirements: int
    free: Amounts
    ports: frozenset[HostPort]
    attached: frozenset[Attachment]
    attach_limits: Mapping[str, int]
    pods: Mapping[int, int] = field(default_factory=dict)
    own: Mapping[str, int] = field(default_factory=dict)

    def may_attach(self, volumes: frozenset[Attachment]) -> bool:
        """Tell whether no driver exceeds its limit with these volumes, or exceeds it already (S-64, S-65)."""
        return all(left >= 0 for left in self._attachable(volumes).values())

    def pods_with(self, volumes: PodVolumes) -> int:
        """Return how many pods with such volumes it may attach, other room aside (S-64, S-65)."""
        left = self._attachable(volumes.attached)
        if any(room < 0 for room in left.values()):
            return 0
        return min((left[driver] // count for driver, count in volumes.own if driver in left), default=_UNBOUNDED)

    def _attachable(self, volumes: frozenset[Attachment]) -> dict[str, int]:
        """Return how many volumes may still be attached once these are, by the drivers that have a limit."""
        if not self.attach_limits:
            return {}
        counts = dict(self.own)
        for driver, _ in self.attached | volumes:
            counts[driver] = counts.get(driver, 0) + 1
        return {driver: limit - counts.get(driver, 0) for driver, limit in self.attach_limits.items()}


def counted_limits(node: SchedulingNode) -> Mapping[str, int]:
    """Return the limits that the CSINode of a node has as numbers."""
    return {driver: count for driver, count in node.attach_limits.items() if count is not None}


class ExistingNodeIndex:
    """Nodes in the order in which they are tried (S-50). Several passes can start from the same index."""

    __slots__ = (
        "_by_host",
        "_by_taints",
        "_limits_of",
        "_met",
        "_numbers",
        "_order",
        "_reserve",
        "_terms",
        "_tolerated",
        "_usable",
        "by_set",
        "names",
        "nodes",
        "resting",
        "room",
        "space",
    )

    def __init__(
        self,
        nodes: Iterable[SchedulingNode],
        terms: NodeTerms,
        space: RequirementSpace,
        limits_of: Callable[[SchedulingNode], Mapping[str, int]] = counted_limits,
    ) -> None:
        """Index nodes; `limits_of` says how many volumes of which CSI drivers a node may attach."""
        self.space = space
        self._limits_of = limits_of
        self._met: dict[tuple[int, int], int | None] = {}
        self._tolerated: dict[tuple[Toleration, ...], int] = {}
        self._by_taints: dict[tuple[Taint, ...], int] = {}
        self._terms = terms
        self._reserve = DaemonReserve(terms, space)
        self._order: list[tuple[bool, str]] = []
        self._usable = 0
        self.room = HeadroomIndex(terms.requests, len(terms.resources))
        self.by_set: dict[int, int] = {}
        self._by_host: dict[str, int] = {}
        self._numbers: Mapping[str, int] = {}
        self.resting = 0
        self.nodes: list[ExistingNode] = []
        self.names: list[str] = []
        self.add(nodes)

    @property
    def by_host(self) -> Mapping[str, int]:
        """Return the nodes of each hostname."""
        if not self._by_host:
            for number, node in enumerate(self.nodes):
                self._by_host[node.hostname] = self._by_host.get(node.hostname, 0) | 1 << number
        return self._by_host

    @property
    def numbers(self) -> Mapping[str, int]:
        """Return the number of each node by its name. It stays as it is; when nodes come or go, there is another one."""
        if not self._numbers:
            self._numbers = dict(zip(self.names, range(len(self.names)), strict=True))
        return self._numbers

    def add(self, nodes: Iterable[SchedulingNode]) -> None:
        """Add nodes, each in its place; passes that started before do not see them."""
        for node in sorted((n for n in nodes if n.in_pass), key=_place_of):
            self._insert(node)

    def replace(self, node: SchedulingNode) -> None:
        """Replace the node of the same name; only its pods may differ."""
        number = bisect_left(self._order, _place_of(node))
        existing, usable = self._existing(node, self.nodes[number].requirements)
        self.nodes[number] = existing
        self.room.update(number, existing.free)
        self._usable = self._usable & ~(1 << number) | usable << number

    def remove(self, node: SchedulingNode) -> None:
        """Remove a node; passes that started before still have it."""
        number = bisect_left(self._order, _place_of(node))
        del self._order[number]
        del self.nodes[number], self.names[number]
        self.room.remove(number)
        self._usable, self.resting = without_gap(self._usable, number), without_gap(self.resting, number)
        self.by_set = {labels: left for labels, mask in self.by_set.items() if (left := without_gap(mask, number))}
        masks = ((taints, without_gap(mask, number)) for taints, mask in self._by_taints.items())
        self._by_taints = {taints: mask for taints, mask in masks if mask}
        self._tolerated = {}
        self._by_host = {}
        self._numbers = {}

    def rest(self, node: SchedulingNode) -> None:
        """Set whether a node accepts pods that run elsewhere."""
        bit = 1 << bisect_left(self._order, _place_of(node))
        self.resting = self.resting | bit if node.resting else self.resting & ~bit

    def usable_without(self, excluded: Collection[str]) -> int:
        """Return the nodes that pods may be put on, except some by name."""
        return self._usable & ~self.mask_of(excluded) if excluded else self._usable

    def mask_of(self, names: Iterable[str]) -> int:
        """Return the nodes of these names, as far as there are such nodes."""
        mask = 0
        # A name alone does not say in which half of the order its node is.
        for place in ((starting, name) for name in names for starting in (False, True)):
            number = bisect_left(self._order, place)
            if number < len(self._order) and self._order[number] == place:
                mask |= 1 << number
        return mask

    @property
    def initialized(self) -> int:
        """Return how many nodes are initialized: they come first."""
        return bisect_left(self._order, (True, ""))

    def takers(self, requests: Amounts, tolerations: tuple[Toleration, ...], requirements: int) -> int:
        """Return the nodes with room, taints and labels for a pod."""
        nodes = self._usable & self.room.candidates(requests) & self.tolerating(tolerations)
        agreeing = (mask for held, mask in self.by_set.items() if self.meet(held, requirements) is not None)
        return nodes & reduce(int.__or__, agreeing, 0)

    def meet(self, held: int, incoming: int) -> int | None:
        """Return a node's set combined with an incoming one; labels that a node leaves undefined stay unknown (S-18)."""
        if incoming == EMPTY:
            return held
        pair = (held, incoming)
        if pair not in self._met:
            sets = self.space.sets
            self._met[pair] = self.space.join(held, incoming) if sets[held].compatible(sets[incoming]) else None
        return self._met[pair]

    def tolerating(self, tolerations: tuple[Toleration, ...]) -> int:
        """Return the nodes whose taints are tolerated."""
        cached = self._tolerated.get(tolerations)
        if cached is None:
            masks = (mask for taints, mask in self._by_taints.items() if not untolerated(taints, tolerations))
            cached = self._tolerated[tolerations] = reduce(int.__or__, masks, 0)
        return cached

    def _insert(self, node: SchedulingNode) -> None:
        place = _place_of(node)
        # Nodes that are initialized come first, then those that are starting, each by name (S-50).
        number = bisect_right(self._order, place)
        self._order.insert(number, place)
        if number < len(self.nodes):
            self._make_room(number)
        labels = self.space.number(labels_of(node, self._terms))
        existing, usable = self._existing(node, labels)
        self.nodes.insert(number, existing)
        self.names.insert(number, existing.name)
        self.room.insert(number, existing.free)
        bit = 1 << number
        self.by_set[labels] = self.by_set.get(labels, 0) | bit
        self._by_taints[node.taints] = self._by_taints.get(node.taints, 0) | bit
        self._usable |= usable << number
        if node.resting:
            self.resting |= bit
        self._tolerated = {}
        self._by_host = {}
        self._numbers = {}

    def _existing(self, node: SchedulingNode, labels: int) -> tuple[ExistingNode, bool]:
        """Return a node with its free resources, and whether it takes pods at all."""
        left = subtract(node.available, self._reserve.on(node, labels))
        existing = ExistingNode(
            name=node.name,
            hostname=node.hostname,
            taints=node.taints,
            requirements=labels,
            free=tuple(left.get(r, 0) for r in self._terms.resources),
            ports=node.ports,
            attached=node.attached,
            attach_limits=self._limits_of(node),
        )
        # A node that is over-committed in any resource refuses every pod, even one that does not request that resource (S-5,
        # S-64).
        return existing, all(amount >= 0 for amount in left.values()) and existing.may_attach(frozenset())

    def _make_room(self, number: int) -> None:
        self._usable, self.resting = with_gap(self._usable, number), with_gap(self.resting, number)
        self.by_set = {labels: with_gap(mask, number) for labels, mask in self.by_set.items()}
        self._by_taints = {taints: with_gap(mask, number) for taints, mask in self._by_taints.items()}


def _place_of(node: SchedulingNode) -> tuple[bool, str]:
    return not node.initialized, node.name
