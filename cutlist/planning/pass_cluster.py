"""The cluster of a plan between two passes: its nodes, the pods on them, and the pods that still wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from cutlist.core.labels import ZONE
from cutlist.core.quantity import merge, subtract
from cutlist.core.runs import different
from cutlist.planning.full_nodes import SoughtRoom
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.launched import requests_of
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.state.full_nodes import FullNodes
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import NO_VOLUMES, Attachment, PodVolumes
from cutlist.workloads.pods import Pod

NOTHING_ATTACHED: Final[Mapping[int, PodVolumes]] = MappingProxyType({})


class PassCluster:
    """The one cluster that the passes of all controllers change: launched nodes, and real pods that get a node.

    Each controller sees the nodes that any of them launched, and a pod that has a node waits for none of them. Virtual pods
    always wait, and take no room from others: a node has those that the last pass placed there.
    """

    __slots__ = (
        *("_bound", "_counts_full", "_full", "_full_before", "_nodes", "_placed", "_places", "_pods_on", "_sought"),
        *("_virtual_on", "_waiting", "batches"),
    )

    def __init__(self, first: SchedulerInputs, *, counts_full: bool = False) -> None:
        """Start from the inputs of a first pass, of which all controllers have the same pods and nodes.

        With `counts_full`, room alone decides about launched nodes.
        """
        self.batches: Sequence[PodBatch] = first.batches
        self._nodes = list(first.nodes)
        self._places = {node.name: place for place, node in enumerate(first.nodes)}
        self._bound = list(first.bound)
        self._waiting = [batch.count for batch in first.batches]
        self._pods_on: dict[str, dict[int, int]] = {}
        self._virtual_on: dict[str, dict[int, int]] = {}
        self._placed: Counter[int] = Counter()
        self._counts_full = counts_full
        self._full = list(first.full)
        self._full_before = len(first.full)
        self._sought: SoughtRoom | None = None

    @property
    def nodes(self) -> tuple[SchedulingNode, ...]:
        """Return the nodes, in the order in which they were added."""
        return tuple(self._nodes)

    @property
    def bound(self) -> tuple[TopologyPods, ...]:
        """Return the pods that have a node."""
        return tuple(self._bound)

    @property
    def full(self) -> tuple[FullNodes, ...]:
        """Return the full nodes, which are counted, in the order in which they were added."""
        return tuple(self._full)

    @property
    def has_changed(self) -> bool:
        """Tell whether any node was launched or got a pod."""
        return bool(self._pods_on) or len(self._full) > self._full_before

    @property
    def virtual_pods(self) -> int:
        """Return how many pods of CapacityBuffers there are."""
        return sum(batch.count for batch in self.batches if batch.virtual)

    @property
    def has_real_pods_waiting(self) -> bool:
        """Tell whether pods that are not of CapacityBuffers have no node."""
        return any(count and not batch.virtual for count, batch in zip(self._waiting, self.batches, strict=True))

    def waiting(self, batch: int) -> int:
        """Return how many pods of a batch have no node."""
        return self._waiting[batch]

    def pods_on(self, name: str) -> Mapping[int, int]:
        """Return how many pods of each batch are on a node: real ones of all passes, virtual ones of the last."""
        return {**self._pods_on.get(name, {}), **self._virtual_on.get(name, {})}

    def zone_of(self, name: str) -> str:
        """Return the zone of a node, or an empty string if it has none."""
        return self._nodes[self._places[name]].labels.get(ZONE, "")

    def real(self, pods: Mapping[int, int]) -> dict[int, int]:
        """Return how many of these pods are real, by batch."""
        return {b: count for b, count in pods.items() if not self.batches[b].virtual}

    def virtual(self, pods: Mapping[int, int]) -> dict[int, int]:
        """Return how many of these pods are virtual, by batch."""
        return {b: count for b, count in pods.items() if self.batches[b].virtual}

    def real_pods_of(self, results: Results) -> Counter[int]:
        """Return how many real pods of each batch a pass placed."""
        placed: Counter[int] = Counter()
        for pods in results.existing.values():
            placed.update(self.real(pods))
        for claim, number in different(results.claims):
            placed.update({batch: count * number for batch, count in self.real(claim.pods).items()})
        return placed

    def put_virtual(self, pods_by_node: Mapping[str, Mapping[int, int]]) -> None:
        """Put virtual pods on nodes, in place of those of the previous pass."""
        self._virtual_on = {name: virtual for name, pods in pods_by_node.items() if (virtual := self.virtual(pods))}

    def count_off(self, pods: Mapping[int, int]) -> None:
        """Remove these pods from those that wait."""
        for batch, count in pods.items():
            self._waiting[batch] = max(0, self._waiting[batch] - count)
        self._sought = None

    def is_full(self, node: SchedulingNode) -> bool:
        """Tell whether it is enough to count a launched node, because no pod that waits has room on it."""
        if not self._counts_full:
            return False
        if self._sought is None:
            self._sought = SoughtRoom(of.pod for of, left in zip(self.batches, self._waiting, strict=True) if left)
        return not self._sought.fits(node.available)

    def count(
        self, node: SchedulingNode, daemons: Iterable[Pod], pods: Mapping[int, int], node_pool: str, numbers: range
    ) -> None:
        """Add equal launched nodes that are full, with these daemons and pods on each."""
        of_pods = (TopologyPods(self.batches[batch].pod, "", pods=count) for batch, count in pods.items())
        on_each = (*(TopologyPods(daemon, "") for daemon in daemons), *of_pods)
        self._full.append(FullNodes(node, on_each, node_pool, numbers, len(self._nodes)))

    def add(
        self,
        node: SchedulingNode,
        daemons: Iterable[Pod],
        pods: Mapping[int, int],
        volumes: Mapping[int, PodVolumes] = NOTHING_ATTACHED,
    ) -> None:
        """Add a launched node that has room for no more than what these daemons and pods leave free."""
        self._places[node.name] = len(self._nodes)
        self._nodes.append(self._with_attached(node, pods, volumes))
        self._bound += [TopologyPods(daemon, node.name) for daemon in daemons]
        self._bind(node.name, pods)

    def fill(self, name: str, pods: Mapping[int, int], volumes: Mapping[int, PodVolumes] = NOTHING_ATTACHED) -> None:
        """Put pods on an existing node, with the volumes of their batches, which they attach to it."""
        if not pods:
            return
        place, batches = self._places[name], self.batches
        node = self._nodes[place]
        filled = replace(
            node,
            available=subtract(node.available, merge(*(requests_of(batches[b], count) for b, count in pods.items()))),
            ports=node.ports | {port for b in pods for port in batches[b].pod.host_ports},
        )
        self._nodes[place] = self._with_attached(filled, pods, volumes)
        self._bind(name, pods)

    def _with_attached(
        self, node: SchedulingNode, pods: Mapping[int, int], volumes: Mapping[int, PodVolumes]
    ) -> SchedulingNode:
        """Return a node with what pods attach to it; each pod of a batch has volumes that no other one has."""
        attached = node.attached.union(_attachments(pods, volumes, self._placed)) if volumes else node.attached
        self._placed.update(pods)
        return node if attached == node.attached else replace(node, attached=attached)

    def _bind(self, name: str, pods: Mapping[int, int]) -> None:
        node, on_node = self._nodes[self._places[name]], self._pods_on.setdefault(name, {})
        for batch, count in pods.items():
            on_node[batch] = on_node.get(batch, 0) + count
            self._bound.append(TopologyPods(self.batches[batch].pod, node.node or name, pods=count))


def with_pods(claim: PlacedClaim, pods: Mapping[int, int], batches: Sequence[PodBatch]) -> PlacedClaim:
    """Return a claim with other pods on its node."""
    if pods == claim.pods:
        return claim
    daemons = subtract(claim.requests, merge(*(requests_of(batches[b], count) for b, count in claim.pods.items())))
    requests = merge(daemons, *(requests_of(batches[b], count) for b, count in pods.items()))
    return replace(claim, pods=pods, requests=requests)


def _attachments(pods: Mapping[int, int], volumes: Mapping[int, PodVolumes], first: Mapping[int, int]) -> Iterator[Attachment]:
    """Yield what pods attach to their node. `first` are the numbers of the first of them among those of their batch."""
    for batch, count in pods.items():
        of_pod = volumes.get(batch, NO_VOLUMES)
        yield from of_pod.attached
        for driver, each in of_pod.own:
            pod = first.get(batch, 0)
            yield from ((driver, f"({batch}: pod {pod + n}, {volume})") for n in range(count) for volume in range(each))
