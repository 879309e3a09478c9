"""Nodes that exist already, while a pass puts pods on them (spec: scheduling 5.3 to 5.5, 7.10; S-49, S-50, S-57 to S-66).

The order of the nodes never changes: a set of them is an integer, lowest bit first in line, and "the first node that takes
this pod" is a lowest set bit. A node's room, taints, ports and attachments only ever get worse, so such a refusal is remembered
for good. Its labels are different: a pod that asks for the absence of a value makes the key defined, and so lets pods on that
were refused before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce

from cutlist.resources import subtract
from cutlist.scheduling.claims import Amounts, Shape
from cutlist.scheduling.node_terms import Reserve, Terms, labels_of
from cutlist.scheduling.roominess import Roominess
from cutlist.scheduling.sets import EMPTY, RequirementSpace
from cutlist.scheduling.state_nodes import StateNode
from cutlist.scheduling.topology import Bonds, Topology
from cutlist.scheduling.topology_group import Group, Kind
from cutlist.scheduling.types import bits
from cutlist.scheduling.volumes import NO_VOLUMES, Attachment, PodVolumes
from cutlist.taints import HostPort, Taint, Toleration, untolerated


@dataclass(slots=True, eq=False)
class ExistingNode:
    """A node with what is left of it. `requirements` is the number of its labels, as far as the pass asks for them."""

    name: str
    hostname: str
    taints: tuple[Taint, ...]
    requirements: int
    free: Amounts
    ports: frozenset[HostPort]
    attached: frozenset[Attachment]
    attach_limits: Mapping[str, int]
    pods: dict[int, int] = field(default_factory=dict)

    def may_attach(self, volumes: frozenset[Attachment]) -> bool:
        """Whether no driver goes over its limit with these volumes, nor is over it already (S-64, S-65)."""
        if not self.attach_limits:
            return True
        counts: dict[str, int] = {}
        for driver, _ in self.attached | volumes:
            counts[driver] = counts.get(driver, 0) + 1
        return all(counts.get(driver, 0) <= limit for driver, limit in self.attach_limits.items())


class ExistingNodes:
    """The nodes of a pass in the order in which they are tried (S-50)."""

    __slots__ = (
        "_by_host",
        "_by_set",
        "_by_taints",
        "_joined",
        "_met",
        "_refused",
        "_resting",
        "_room",
        "_settled",
        "_space",
        "_tolerated",
        "_topology",
        "_usable",
        "nodes",
    )

    def __init__(
        self,
        nodes: Iterable[StateNode],
        terms: Terms,
        space: RequirementSpace,
        topology: Topology,
        settled: frozenset[int] = frozenset(),
    ) -> None:
        """`settled` are the batches whose pods run and so do not go to a node that is resting."""
        self._settled = settled
        self._resting = 0
        self._space = space
        self._topology = topology
        self._met: dict[tuple[int, int], int | None] = {}
        self._tolerated: dict[tuple[Toleration, ...], int] = {}
        self._refused: dict[tuple[int, frozenset[Attachment]], int] = {}
        self._room = Roominess(terms.needs, len(terms.resources))
        self._by_set: dict[int, int] = {}
        self._by_taints: dict[tuple[Taint, ...], int] = {}
        self._by_host: dict[str, int] = {}
        self._joined: dict[Group, tuple[int, int]] = {}
        self._usable = 0
        self.nodes: list[ExistingNode] = []
        reserve = Reserve(terms, space)
        for node in sorted((n for n in nodes if n.in_pass), key=lambda n: (not n.initialized, n.name)):
            self._add(node, terms, reserve)

    def placed(self) -> dict[str, dict[int, int]]:
        """Which pods were put on which node, as numbers of pods by batch; nodes without new pods are left out."""
        return {n.name: dict(n.pods) for n in self.nodes if n.pods}

    def place_alike(self, shape: Shape, bonds: Bonds, batch: int, wanted: int, volumes: PodVolumes = NO_VOLUMES) -> int:
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

    def place_one(self, shape: Shape, bonds: Bonds, batch: int, volumes: PodVolumes = NO_VOLUMES) -> bool:
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
            if after is not None and after.by_host and after.kind is not Kind.AFFINITY:
                self._refuse(shape, volumes, number)  # what stands on a node is never taken back
        return False

    def _candidates(self, shape: Shape, batch: int, volumes: PodVolumes) -> int:
        """Nodes that have the room, the taints and the labels for a pod, and have not refused it for good."""
        if not self._usable or not volumes.attachable:
            return 0
        found = self._usable & self._room.candidates(shape.needs) & self._tolerating(shape.pod.tolerations)
        found &= ~self._refused.get((shape.number, volumes.attached), 0)
        if batch in self._settled:
            found &= ~self._resting
        if not found:
            return 0
        return found & reduce(
            lambda mask, held: mask | self._by_set[held] if self._meet(held, shape.full) is not None else mask, self._by_set, 0
        )

    def _accepting(self, group: Group, shape: Shape, bonds: Bonds) -> int:
        """The nodes that a topology rule may let a pod onto, judged by the domains they stand for."""
        itself = group.selects(shape.pod)
        wanted = self._space.sets[shape.strict].get_or_any(group.key)
        if group.by_host:
            joins = group.kind is Kind.AFFINITY and not (itself and group.may_bootstrap(wanted))
            return self._populated(group) if joins else self._usable
        valid = group.valid_domains(wanted, counts_itself=itself)
        found, homeless = 0, self._takes_homeless(group, shape, bonds)
        for held, mask in self._by_set.items():
            r = self._space.sets[held].get(group.key)
            if homeless if r is None else r.complement or any(map(valid, r.values)):
                found |= mask
        return found

    def _takes_homeless(self, group: Group, shape: Shape, bonds: Bonds) -> bool:
        """Whether a node without the label may do. A rule asks for a domain, which such a node does not have (S-18).

        It does when the pod itself makes the label defined by what it must not be (spec 2.6), or when another rule for the
        label chooses other domains: together they choose none, which is the absence that they find (spec 2.4).
        """
        sets = self._space.sets
        told = (shape.full, *shape.volumes)
        return any(group.key in sets[n] for n in told) or sum(g.key == group.key for g in bonds.obeyed) > 1

    def _populated(self, group: Group) -> int:
        """The nodes that hold a pod which a rule by hostname counts."""
        domains, mask = self._joined.get(group, (0, 0))
        if domains != group.populated:
            there = (self._by_host.get(host, 0) for host, count in group.counts.items() if count and isinstance(host, str))
            mask = reduce(int.__or__, there, 0)
            self._joined[group] = group.populated, mask
        return mask

    def _choose(self, node: ExistingNode, shape: Shape, bonds: Bonds) -> int | Group | None:
        """The node's labels with the pod on it; else the topology rule that forbids it, or None when something else does."""
        blocked: Group | None = None
        sets = self._space.sets
        for narrowed in self._narrow(node, shape):
            chosen = self._topology.choose(shape.pod, bonds, sets[shape.strict], sets[narrowed], node.hostname)
            if isinstance(chosen, Group):
                blocked = chosen
                continue
            after = self._meet(narrowed, self._space.number(chosen))
            if after is not None:
                return after
        return blocked

    def _narrow(self, node: ExistingNode, shape: Shape) -> Iterator[int]:
        """The node's labels with the pod's requirements, once for each alternative of its volumes that agrees."""
        held = self._meet(node.requirements, shape.full)
        if held is not None:
            for alternative in shape.volumes:
                narrowed = self._meet(held, alternative)
                if narrowed is not None:
                    yield narrowed

    def _meet(self, held: int, incoming: int) -> int | None:
        """The combination of a node's set and an incoming one; what a node leaves undefined stays unknown (S-18)."""
        if incoming == EMPTY:
            return held
        pair = (held, incoming)
        if pair not in self._met:
            sets = self._space.sets
            self._met[pair] = self._space.join(held, incoming) if sets[held].compatible(sets[incoming]) else None
        return self._met[pair]

    def _takes(self, node: ExistingNode, shape: Shape, volumes: PodVolumes) -> int:
        """How many pods of this kind there is room for, labels and topology aside. Alike pods attach the same volumes."""
        if volumes.attached and not node.may_attach(volumes.attached):
            return 0
        fitting = min(free // need for free, need in zip(node.free, shape.needs, strict=True) if need > 0)
        if not shape.ports:
            return fitting
        return 0 if any(a.conflicts(b) for a in shape.ports for b in node.ports) else min(fitting, 1)

    def _put(self, number: int, shape: Shape, after: int, bonds: Bonds, batch: int, pods: int, volumes: PodVolumes) -> None:
        node = self.nodes[number]
        node.free = tuple([free - need * pods for free, need in zip(node.free, shape.needs, strict=True)])
        node.ports |= shape.ports
        node.attached |= volumes.attached
        node.pods[batch] = node.pods.get(batch, 0) + pods
        self._room.update(number, node.free)
        if after != node.requirements:
            self._file(number, node.requirements, after)
            node.requirements = after
        self._topology.record(bonds, self._space.sets[after], node.taints, node.hostname, pods)

    def _refuse(self, shape: Shape, volumes: PodVolumes, number: int) -> None:
        key = (shape.number, volumes.attached)
        self._refused[key] = self._refused.get(key, 0) | 1 << number

    def _tolerating(self, tolerations: tuple[Toleration, ...]) -> int:
        found = self._tolerated.get(tolerations)
        if found is None:
            ways = (mask for taints, mask in self._by_taints.items() if not untolerated(taints, tolerations))
            found = self._tolerated[tolerations] = reduce(int.__or__, ways, 0)
        return found

    def _add(self, node: StateNode, terms: Terms, reserve: Reserve) -> None:
        bit = 1 << len(self.nodes)
        labels = self._space.number(labels_of(node, terms))
        left = subtract(node.available, reserve.on(node, labels))
        made = ExistingNode(
            name=node.name,
            hostname=node.hostname,
            taints=node.taints,
            requirements=labels,
            free=tuple(left.get(r, 0) for r in terms.resources),
            ports=node.ports,
            attached=node.attached,
            attach_limits=node.attach_limits,
        )
        self.nodes.append(made)
        self._room.add(made.free)
        self._by_set[labels] = self._by_set.get(labels, 0) | bit
        self._by_taints[node.taints] = self._by_taints.get(node.taints, 0) | bit
        self._by_host[node.hostname] = self._by_host.get(node.hostname, 0) | bit
        # Of a node that is over-committed in anything no pod asks whether it needs just that (S-5, S-64).
        if all(amount >= 0 for amount in left.values()) and made.may_attach(frozenset()):
            self._usable |= bit
        if node.resting:
            self._resting |= bit

    def _file(self, number: int, before: int, after: int) -> None:
        bit = 1 << number
        self._by_set[before] ^= bit
        if not self._by_set[before]:
            del self._by_set[before]
        self._by_set[after] = self._by_set.get(after, 0) | bit
