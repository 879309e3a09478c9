"""Nodes that exist already, while a pass puts pods on them (spec: scheduling 5.3 to 5.5, 7.10; S-49, S-50, S-57 to S-66).

The order of the nodes never changes: a set of them is an integer, lowest bit first in line, and "the first node that takes
this pod" is a lowest set bit. A node's room, taints, ports and attachments only ever get worse, so such a refusal is remembered
for good. Its labels are different: a pod that asks for the absence of a value makes the key defined, and so lets pods on that
were refused before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import reduce

from cutlist.scheduling.admission import PodData
from cutlist.scheduling.existingnode import ExistingNode, ExistingNodeIndex
from cutlist.scheduling.instancetypes import bits
from cutlist.scheduling.topology import PodTopology, Topology
from cutlist.scheduling.topologygroup import TopologyGroup, TopologyType
from cutlist.state.volumes import NO_VOLUMES, Attachment, PodVolumes


class ExistingNodes:
    """The nodes of a pass in the order in which they are tried (S-50)."""

    __slots__ = (
        "_by_set",
        "_joined",
        "_refused",
        "_room",
        "_settled",
        "_space",
        "_stock",
        "_topology",
        "_touched",
        "_usable",
        "nodes",
    )

    def __init__(
        self, stock: ExistingNodeIndex, topology: Topology, gone: Collection[str] = (), settled: frozenset[int] = frozenset()
    ) -> None:
        """The nodes of a stock, which stays as it is, without those that are gone.

        `settled` are the batches whose pods run and so do not go to a node that is resting.
        """
        self._stock = stock
        self._space = stock.space
        self._topology = topology
        self._settled = settled
        self._refused: dict[tuple[int, frozenset[Attachment]], int] = {}
        self._joined: dict[TopologyGroup, tuple[int, int]] = {}
        self._touched: set[int] = set()
        self._room = stock.room.copy()
        self._by_set = dict(stock.by_set)
        self._usable = stock.usable_without(gone)
        self.nodes = stock.nodes[:]

    def placed(self) -> dict[str, dict[int, int]]:
        """Which pods were put on which node, as numbers of pods by batch; nodes without new pods are left out."""
        return {self.nodes[n].name: dict(self.nodes[n].pods) for n in sorted(self._touched)}

    def place_alike(self, shape: PodData, bonds: PodTopology, batch: int, wanted: int, volumes: PodVolumes = NO_VOLUMES) -> int:
        """Fill node after node with pods that no rule looks at one by one; how many found a place."""
        placed = 0
        for number in bits(self._candidates(shape, batch, volumes)):
            if placed == wanted:
                break
            node = self.nodes[number]
            after = next(self._narrow(node, shape), None)
            pods = min(self._takes(node, shape, volumes), wanted - placed) if after is not None else 0
            if after is not None and pods:
                self._put(number, shape, after, bonds, batch, pods, volumes)
                placed += pods
            elif after is not None:
                self._refuse(shape, volumes, number)
        return placed

    def place_one(self, shape: PodData, bonds: PodTopology, batch: int, volumes: PodVolumes = NO_VOLUMES) -> bool:
        """Put one pod on the first node that takes it; whether there is one."""
        candidates = self._candidates(shape, batch, volumes)
        for group in bonds.obeyed:
            if not candidates:
                break
            candidates &= self._accepting(group, shape, bonds)
        for number in bits(candidates):
            node = self.nodes[number]
            if not self._takes(node, shape, volumes):
                self._refuse(shape, volumes, number)
                continue
            after = self._choose(node, shape, bonds)
            if isinstance(after, int):
                self._put(number, shape, after, bonds, batch, 1, volumes)
                return True
            if after is not None and after.by_host and after.kind is not TopologyType.AFFINITY:
                self._refuse(shape, volumes, number)  # what stands on a node is never taken back
        return False

    def _candidates(self, shape: PodData, batch: int, volumes: PodVolumes) -> int:
        """Nodes that have the room, the taints and the labels for a pod, and have not refused it for good."""
        if not self._usable or not volumes.attachable:
            return 0
        found = self._usable & self._room.candidates(shape.needs) & self._stock.tolerating(shape.pod.tolerations)
        found &= ~self._refused.get((shape.number, volumes.attached), 0)
        if batch in self._settled:
            found &= ~self._stock.resting
        if not found:
            return 0
        agreeing = (mask for held, mask in self._by_set.items() if self._stock.meet(held, shape.full) is not None)
        return found & reduce(int.__or__, agreeing, 0)

    def _accepting(self, group: TopologyGroup, shape: PodData, bonds: PodTopology) -> int:
        """The nodes that a topology rule may let a pod onto, judged by the domains they stand for."""
        itself = group.selects(shape.pod)
        wanted = self._space.sets[shape.strict].get_or_any(group.key)
        if group.by_host:
            joins = group.kind is TopologyType.AFFINITY and not (itself and group.may_bootstrap(wanted))
            return self._populated(group) if joins else self._usable
        valid = group.valid_domains(wanted, counts_itself=itself)
        found, homeless = 0, self._takes_homeless(group, shape, bonds)
        # The first pod of an affinity rule takes any domain, and a node that must not have the label agrees with none of them.
        absent = group.kind is TopologyType.AFFINITY
        for held, mask in self._by_set.items():
            r = self._space.sets[held].get(group.key)
            if homeless if r is None else r.complement or any(map(valid, r.values)) or (absent and not r.values):
                found |= mask
        return found

    def _takes_homeless(self, group: TopologyGroup, shape: PodData, bonds: PodTopology) -> bool:
        """Whether a node without the label may do. A rule asks for a domain, which such a node does not have (S-18).

        It does when the pod itself makes the label defined by what it must not be (spec 2.6), or when another rule for the
        label chooses other domains: together they choose none, which is the absence that they find (spec 2.4).
        """
        sets = self._space.sets
        told = (shape.full, *shape.volumes)
        return any(group.key in sets[n] for n in told) or sum(g.key == group.key for g in bonds.obeyed) > 1

    def _populated(self, group: TopologyGroup) -> int:
        """The nodes that hold a pod which a rule by hostname counts."""
        domains, mask = self._joined.get(group, (0, 0))
        if domains != group.populated:
            hosts = (host for host, count in group.counts.items() if count and isinstance(host, str))
            mask = reduce(int.__or__, (self._stock.by_host.get(host, 0) for host in hosts), 0)
            self._joined[group] = group.populated, mask
        return mask

    def _choose(self, node: ExistingNode, shape: PodData, bonds: PodTopology) -> int | TopologyGroup | None:
        """The node's labels with the pod on it; else the topology rule that forbids it, or None when something else does."""
        blocked: TopologyGroup | None = None
        sets = self._space.sets
        for narrowed in self._narrow(node, shape):
            chosen = self._topology.choose(shape.pod, bonds, sets[shape.strict], sets[narrowed], node.hostname)
            if isinstance(chosen, TopologyGroup):
                blocked = chosen
                continue
            after = self._stock.meet(narrowed, self._space.number(chosen))
            if after is not None:
                return after
        return blocked

    def _narrow(self, node: ExistingNode, shape: PodData) -> Iterator[int]:
        """The node's labels with the pod's requirements, once for each alternative of its volumes that agrees."""
        held = self._stock.meet(node.requirements, shape.full)
        if held is not None:
            for alternative in shape.volumes:
                narrowed = self._stock.meet(held, alternative)
                if narrowed is not None:
                    yield narrowed

    def _takes(self, node: ExistingNode, shape: PodData, volumes: PodVolumes) -> int:
        """How many pods of this kind there is room for, labels and topology aside. Alike pods attach the same volumes."""
        if volumes.attached and not node.may_attach(volumes.attached):
            return 0
        fitting = min(free // need for free, need in zip(node.free, shape.needs, strict=True) if need > 0)
        if not shape.ports:
            return fitting
        return 0 if any(a.conflicts(b) for a in shape.ports for b in node.ports) else min(fitting, 1)

    def _put(
        self, number: int, shape: PodData, after: int, bonds: PodTopology, batch: int, pods: int, volumes: PodVolumes
    ) -> None:
        node = self.nodes[number]
        self.nodes[number] = replace(
            node,
            requirements=after,
            free=tuple([free - need * pods for free, need in zip(node.free, shape.needs, strict=True)]),
            ports=node.ports | shape.ports,
            attached=node.attached | volumes.attached,
            pods={**node.pods, batch: node.pods.get(batch, 0) + pods},
        )
        self._touched.add(number)
        self._room.update(number, self.nodes[number].free)
        if after != node.requirements:
            self._file(number, node.requirements, after)
        self._topology.record(bonds, self._space.sets[after], node.taints, node.hostname, pods)

    def _refuse(self, shape: PodData, volumes: PodVolumes, number: int) -> None:
        key = (shape.number, volumes.attached)
        self._refused[key] = self._refused.get(key, 0) | 1 << number

    def _file(self, number: int, before: int, after: int) -> None:
        bit = 1 << number
        self._by_set[before] ^= bit
        if not self._by_set[before]:
            del self._by_set[before]
        self._by_set[after] = self._by_set.get(after, 0) | bit
