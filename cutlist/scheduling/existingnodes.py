"""Existing nodes while a pass puts pods on them (spec: scheduling 5.3 to 5.5, 7.10; S-49, S-50, S-57 to S-66).

The order of the nodes never changes: a set of them is an integer, the lowest bit first, and "the first node that takes this
pod" is a lowest set bit. A node's room, taints, ports and attachments only ever get worse, so such a refusal is final. Its
labels are different: a pod that excludes a value makes the key defined, after which pods that were refused before may fit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from cutlist.core.bits import bits
from cutlist.scheduling.dynamicresources.admission import DeviceAdmission
from cutlist.scheduling.dynamicresources.allocation import Allocation
from cutlist.scheduling.existingnode import ExistingNode, ExistingNodeIndex
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.topology import PodTopology, Topology
from cutlist.scheduling.topologygroup import TopologyGroup, TopologyType
from cutlist.state.volumes import NO_VOLUMES, Attachment, PodVolumes

_Kind = tuple[int, frozenset[Attachment], tuple[tuple[str, int], ...]]
"""Pods that a node refuses alike: their number, the volumes that they share, and how many each has of its own."""


class _Accepted(NamedTuple):
    """The labels of a node with one more pod, by number, and the devices of a pod that has claims."""

    requirements: int
    allocation: Allocation | None = None


class ExistingNodes:
    """The nodes of a pass in the order in which they are tried (S-50)."""

    __slots__ = (
        "_by_set",
        "_devices",
        "_joined",
        "_node_index",
        "_refused",
        "_room",
        "_settled",
        "_space",
        "_topology",
        "_touched",
        "_usable",
        "nodes",
    )

    def __init__(
        self,
        node_index: ExistingNodeIndex,
        topology: Topology,
        excluded: Collection[str] = (),
        settled: frozenset[int] = frozenset(),
        devices: DeviceAdmission | None = None,
    ) -> None:
        """Start with the nodes of an index, which is not changed, without those that are excluded.

        `settled` are the batches whose pods already run and therefore do not move to a resting node. `devices`
        are found for pods with claims.
        """
        self._node_index = node_index
        self._space = node_index.space
        self._topology = topology
        self._settled = settled
        self._devices = devices
        self._refused: dict[_Kind, int] = {}
        self._joined: dict[TopologyGroup, tuple[int, int]] = {}
        self._touched: set[int] = set()
        self._room = node_index.room.copy()
        self._by_set = dict(node_index.by_set)
        self._usable = node_index.usable_without(excluded)
        # Nodes are values, so a shallow copy keeps what this pass places out of the index, which other passes start from.
        self.nodes = node_index.nodes[:]

    def placed(self) -> dict[str, dict[int, int]]:
        """Return how many pods of each batch were put on each node; nodes without new pods are left out."""
        return {self.nodes[n].name: dict(self.nodes[n].pods) for n in sorted(self._touched)}

    def may_take(self, pod_data: PodData, batch: int, volumes: PodVolumes = NO_VOLUMES) -> bool:
        """Tell whether some node may take such a pod, topology aside."""
        return bool(self._candidates(pod_data, batch, volumes))

    def add_alike(
        self, pod_data: PodData, pod_topology: PodTopology, batch: int, wanted: int, volumes: PodVolumes = NO_VOLUMES
    ) -> int:
        """Fill node after node with pods that no rule examines one by one; return how many were placed."""
        placed = 0
        for number in bits(self._candidates(pod_data, batch, volumes)):
            if placed == wanted:
                break
            node = self.nodes[number]
            after = next(self._narrow(node, pod_data), None)
            pods = min(self._takes(node, pod_data, volumes), wanted - placed) if after is not None else 0
            if after is not None and pods:
                self._add(number, pod_data, after, pod_topology, batch, pods, volumes)
                placed += pods
            # Only a lack of room is final. Labels that do not match now may once another pod has defined one (spec 2.6).
            elif after is not None:
                self._refuse(pod_data, volumes, number)
        return placed

    def add_one(self, pod_data: PodData, pod_topology: PodTopology, batch: int, volumes: PodVolumes = NO_VOLUMES) -> bool:
        """Put one pod on the first node that accepts it; return whether there is one."""
        candidates = self._candidates(pod_data, batch, volumes)
        for group in pod_topology.obeyed:
            if not candidates:
                break
            candidates &= self._accepting(group, pod_data, pod_topology)
        for number in bits(candidates):
            node = self.nodes[number]
            if not self._takes(node, pod_data, volumes):
                self._refuse(pod_data, volumes, number)
                continue
            after = self._can_add(node, pod_data, pod_topology)
            if isinstance(after, _Accepted):
                self._add(number, pod_data, after.requirements, pod_topology, batch, 1, volumes)
                if self._devices is not None and after.allocation is not None:
                    self._devices.commit(after.allocation, node.name, batch)
                return True
            if after is not None and after.by_host and after.kind is not TopologyType.AFFINITY:
                # Counts only grow, so a host that holds too many is refused for good. One that holds none of the pods to join
                # may hold one later.
                self._refuse(pod_data, volumes, number)
        return False

    def _candidates(self, pod_data: PodData, batch: int, volumes: PodVolumes) -> int:
        """Return the nodes with room, taints and labels for a pod that have not finally refused it."""
        if not self._usable or not volumes.attachable:
            return 0
        nodes = self._usable & self._room.candidates(pod_data.requests) & self._node_index.tolerating(pod_data.pod.tolerations)
        nodes &= ~self._refused.get((pod_data.number, volumes.attached, volumes.own), 0)
        if batch in self._settled:
            nodes &= ~self._node_index.resting
        if not nodes:
            return 0
        # Many nodes have the same labels as far as pods of the pass ask for them, so each set of labels is compared once.
        agreeing = (
            mask for held, mask in self._by_set.items() if self._node_index.meet(held, pod_data.requirements) is not None
        )
        return nodes & reduce(int.__or__, agreeing, 0)

    def _accepting(self, group: TopologyGroup, pod_data: PodData, pod_topology: PodTopology) -> int:
        """Return the nodes to which a topology rule may admit a pod, judged by their domains."""
        self_selecting = group.selects(pod_data.pod)
        wanted = self._space.sets[pod_data.strict_requirements].get_or_any(group.key)
        if group.by_host:
            # A rule by hostname that keeps pods apart refuses few nodes, one by one and for good. One that joins them refuses
            # nearly all, so these are left out at once.
            joins = group.kind is TopologyType.AFFINITY and not (self_selecting and group.may_bootstrap(wanted))
            return self._populated(group) if joins else self._usable
        valid = group.valid_domains(wanted, self_selecting=self_selecting)
        nodes, without_label = 0, self._takes_without_label(group, pod_data, pod_topology)
        # The first pod of an affinity rule accepts any domain, and a node that must lack the label has none of them.
        absent = group.kind is TopologyType.AFFINITY
        for held, mask in self._by_set.items():
            r = self._space.sets[held].get(group.key)
            if without_label if r is None else r.complement or any(map(valid, r.values)) or (absent and not r.values):
                nodes |= mask
        return nodes

    def _takes_without_label(self, group: TopologyGroup, pod_data: PodData, pod_topology: PodTopology) -> bool:
        """Tell whether a node without the label may be accepted. A rule requires a domain, which such a node does not have
        (S-18).

        It may be when the pod's own negative requirement makes the label defined (spec 2.6), or when another rule for the label
        chooses other domains: together they allow none, which reads as the label's absence (spec 2.4).
        """
        sets = self._space.sets
        sources = (pod_data.requirements, *pod_data.volume_requirements)
        return any(group.key in sets[n] for n in sources) or sum(g.key == group.key for g in pod_topology.obeyed) > 1

    def _populated(self, group: TopologyGroup) -> int:
        """Return the nodes with a pod that a rule by hostname counts."""
        # Domains with pods only ever become more: an equal number means the same ones, for which the mask still holds.
        domains, mask = self._joined.get(group, (0, 0))
        if domains != group.populated:
            hosts = (host for host, count in group.domains.items() if count and isinstance(host, str))
            mask = reduce(int.__or__, (self._node_index.by_host.get(host, 0) for host in hosts), 0)
            self._joined[group] = group.populated, mask
        return mask

    def _can_add(self, node: ExistingNode, pod_data: PodData, pod_topology: PodTopology) -> _Accepted | TopologyGroup | None:
        """Return the node's labels with the pod on it, and its devices; else the topology rule that forbids it, or None."""
        blocked: TopologyGroup | None = None
        sets = self._space.sets
        for narrowed in self._narrow(node, pod_data):
            # After everything else that narrows the node, since the rules choose among the domains that are left (spec 5.5).
            chosen = self._topology.add_requirements(
                pod_data.pod, pod_topology, sets[pod_data.strict_requirements], sets[narrowed], node.hostname
            )
            if isinstance(chosen, TopologyGroup):
                blocked = chosen
                continue
            after = self._node_index.meet(narrowed, self._space.number(chosen))
            if after is None:
                continue
            if self._devices is None or not pod_data.pod.uses_dynamic_resources:
                return _Accepted(after)
            # The node's own labels decide which devices it reaches, not what the pod requires.
            allocation = self._devices.on_node(node.name, node.requirements, pod_data.pod)
            if isinstance(allocation, Allocation):
                return _Accepted(after, allocation)
            blocked = None
        return blocked

    def _narrow(self, node: ExistingNode, pod_data: PodData) -> Iterator[int]:
        """Yield the node's labels with the pod's requirements, once for each compatible alternative of its volumes."""
        # In this order: a key that only the pod's negative requirement defines is defined when the volumes' places are compared
        # (spec 5.5).
        held = self._node_index.meet(node.requirements, pod_data.requirements)
        if held is not None:
            for alternative in pod_data.volume_requirements:
                narrowed = self._node_index.meet(held, alternative)
                if narrowed is not None:
                    yield narrowed

    def _takes(self, node: ExistingNode, pod_data: PodData, volumes: PodVolumes) -> int:
        """Return how many such pods have room, labels and topology aside. Equal pods share volumes, and each has its own."""
        fitting = min(free // need for free, need in zip(node.free, pod_data.requests, strict=True) if need > 0)
        if volumes.attached or volumes.own:
            fitting = min(fitting, node.pods_with(volumes))
        if not pod_data.host_ports:
            return fitting
        # Equal pods want equal ports, so a node takes one of them at most.
        return 0 if any(a.conflicts(b) for a in pod_data.host_ports for b in node.ports) else min(fitting, 1)

    def _add(
        self, number: int, pod_data: PodData, after: int, pod_topology: PodTopology, batch: int, pods: int, volumes: PodVolumes
    ) -> None:
        node = self.nodes[number]
        self.nodes[number] = replace(
            node,
            requirements=after,
            free=tuple([free - need * pods for free, need in zip(node.free, pod_data.requests, strict=True)]),
            ports=node.ports | pod_data.host_ports,
            attached=node.attached | volumes.attached,
            own=_with_own(node.own, volumes, pods),
            pods={**node.pods, batch: node.pods.get(batch, 0) + pods},
        )
        self._touched.add(number)
        self._room.update(number, self.nodes[number].free)
        if after != node.requirements:
            self._file(number, node.requirements, after)
        self._topology.record(pod_topology, self._space.sets[after], node.taints, node.hostname, pods)

    def _refuse(self, pod_data: PodData, volumes: PodVolumes, number: int) -> None:
        key = (pod_data.number, volumes.attached, volumes.own)
        self._refused[key] = self._refused.get(key, 0) | 1 << number

    def _file(self, number: int, before: int, after: int) -> None:
        bit = 1 << number
        # Nodes are filed by their labels, and this one has just changed its file.
        self._by_set[before] ^= bit
        if not self._by_set[before]:
            del self._by_set[before]
        self._by_set[after] = self._by_set.get(after, 0) | bit


def _with_own(own: Mapping[str, int], volumes: PodVolumes, pods: int) -> Mapping[str, int]:
    """Return how many volumes pods put on a node together have of their own, with those of more pods."""
    return own if not volumes.own else {**own, **{d: own.get(d, 0) + n * pods for d, n in volumes.own}}
