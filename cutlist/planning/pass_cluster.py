"""The cluster of a plan between two passes: what was launched, where pods are, and what still waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cutlist.core.identity import SameObject
from cutlist.core.labels import HOSTNAME, RESERVED, ZONE, LabelRegistry
from cutlist.core.quantity import merge, subtract
from cutlist.core.requirements import Requirements
from cutlist.planning.late_volumes import BatchVolumes
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.scheduling.instancetype_options import InstanceTypeOptions
from cutlist.scheduling.launched import Purchase, launched, requests_of, with_daemons
from cutlist.scheduling.node_terms import ExpectedDaemons
from cutlist.scheduling.nodeclaimtemplate import DaemonPods
from cutlist.scheduling.provisioner import SchedulerInputs
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import Pod

Purchases = Callable[[PlacedClaim], Purchase]


@dataclass(frozen=True, slots=True)
class Placements:
    """What a pass placed: real pods by batch, and how many nodes it opened."""

    pods: Mapping[int, int]
    nodes: int

    @property
    def changed(self) -> bool:
        """Tell whether the pass changed the cluster."""
        return bool(self.pods or self.nodes)


@dataclass(frozen=True, slots=True)
class _Launched:
    """A node of a claim without a name, and the daemons that run on it."""

    node: SchedulingNode
    daemons: Sequence[Pod]


class PassCluster:
    """The cluster as one controller's passes change it: launched nodes, and which pods are on which node.

    Virtual pods are on nodes only as of the last pass. The clusters of `others` are the same cluster with NodePools of other
    controllers: each sees the nodes that any of them launched, and a pod that was bound waits in none.
    """

    def __init__(self, first: SchedulerInputs, purchases: Purchases, late: BatchVolumes | None) -> None:
        self._first = first
        self._late = late
        self._volumes = first.volumes
        self._purchase = purchases
        self._taints = {p.name: p.taints for p in first.pools}
        self._daemons = ExpectedDaemons(DaemonPods(first.daemons, first.registry).pods, first.registry)
        self._nodes = list(first.nodes)
        self._places = {n.name: place for place, n in enumerate(first.nodes)}
        self._bound = list(first.bound)
        self._types = first.types
        self._left = {i: b.count for i, b in enumerate(first.batches)}
        self._claims: list[PlacedClaim] = []
        self._options: dict[Hashable, InstanceTypeOptions] = {}
        self._shared: dict[SameObject, InstanceTypeOptions] = {}
        self._existing: dict[str, dict[int, int]] = {}
        self._virtual: dict[str, dict[int, int]] = {}
        self._relaxed: dict[int, Counter[Pod]] = {}
        self._ignored: Mapping[int, str] | None = None
        self._launched: dict[Hashable, _Launched] = {}
        self.others: tuple[PassCluster, ...] = ()
        self.virtual_pods = sum(b.count for b in first.batches if b.virtual)

    @property
    def has_waiting(self) -> bool:
        """Tell whether a pass has anything to place: pods without a node, or virtual ones."""
        return any(self._left.values())

    def launch(self, claims: Sequence[PlacedClaim]) -> None:
        """Launch nodes without pods."""
        purchases = [self._launch(_name(len(self._claims), claim), claim) for claim in claims]
        self._types = _without_reserved(self._types, purchases, self._first.registry)

    def placed_by(self, last: Results) -> Placements:
        """Return what a pass placed, and count its pods off those that wait."""
        pods: Counter[int] = Counter()
        for placed in (*last.existing.values(), *(claim.pods for claim in last.claims)):
            for batch, count in placed.items():
                if not self._first.batches[batch].virtual:
                    pods[batch] += count
        for cluster in (self, *self.others):
            cluster._count_off(pods)
        return Placements(pods, len(last.claims))

    @property
    def batches(self) -> Sequence[PodBatch]:
        """Return the batches of the first pass."""
        return self._first.batches

    @property
    def has_changed(self) -> bool:
        """Tell whether any node was launched or got a pod."""
        return bool(self._claims or self._existing)

    def ignore(self, ignored: Mapping[int, str]) -> None:
        """Leave out from now on the pods that the first pass ignored."""
        self._ignored = ignored
        self._left.update(dict.fromkeys(ignored, 0))

    def waiting(self, batch: int) -> int:
        """Return how many pods of a batch wait."""
        return self._left[batch]

    def _count_off(self, pods: Mapping[int, int]) -> None:
        for batch, count in pods.items():
            self._left[batch] = max(0, self._left[batch] - count)

    def take(self, last: Results) -> None:
        """Launch the nodes of a pass, and put its pods where it placed them."""
        claims = self._with_shared_options(last.claims)
        names = [_name(len(self._claims) + n, claim) for n, claim in enumerate(claims)]
        on_nodes = {**last.existing, **{name: claim.pods for name, claim in zip(names, claims, strict=True)}}
        self._virtual = {name: part for name, pods in on_nodes.items() if (part := self._part(pods, virtual=True))}
        for name, placed in last.existing.items():
            for cluster in (self, *self.others):
                cluster._fill(name, self._part(placed, virtual=False))
        purchases = [self._launch(name, claim) for name, claim in zip(names, claims, strict=True)]
        self._types = _without_reserved(self._types, purchases, self._first.registry)
        for batch, forms in last.relaxed.items():
            if self._first.batches[batch].virtual:
                self._relaxed[batch] = Counter(forms)
            else:
                self._relaxed.setdefault(batch, Counter()).update(forms)
        for cluster in (self, *self.others):
            cluster._bind_volumes(on_nodes)

    def inputs(self) -> SchedulerInputs:
        """Return the inputs of the next pass."""
        batches = [replace(b, count=self._left[i]) for i, b in enumerate(self._first.batches)]
        return replace(
            self._first,
            batches=batches,
            nodes=tuple(self._nodes),
            bound=tuple(self._bound),
            types=self._types,
            volumes=self._volumes,
        )

    def result(self, last: Results) -> Results:
        """Return one result over all passes, of which this is the last; what stays pending is what it said."""
        if not self.has_changed:
            return last
        batches = self._first.batches
        claims = tuple(with_pods(c, self._all_on(_name(n, c)), batches) for n, c in enumerate(self._claims))
        own_names = {_name(n, c) for n, c in enumerate(self._claims)}
        names = [n.name for n in self._first.nodes if n.name not in own_names]
        existing = {name: pods for name in names if (pods := self._all_on(name))}
        relaxed = {batch: Counter(forms) for batch, forms in self._relaxed.items()}
        return replace(last, claims=claims, existing=existing, ignored=self._ignored or {}, relaxed=relaxed)

    def _with_shared_options(self, claims: Iterable[PlacedClaim]) -> list[PlacedClaim]:
        """Return claims that share equal lists of types with those of earlier passes."""
        for candidates in (claim.candidates for claim in claims):
            if SameObject(candidates) not in self._shared:
                key = (tuple(map(SameObject, candidates.types)), candidates.prices)
                self._shared[SameObject(candidates)] = self._options.setdefault(key, candidates)
        return [replace(claim, candidates=self._shared[SameObject(claim.candidates)]) for claim in claims]

    def _launch(self, name: str, claim: PlacedClaim) -> Purchase:
        purchase = self._purchase(claim)
        alike = self._alike(claim, purchase)
        labels = {**alike.node.labels, HOSTNAME: name}
        # Karpenter looks again while they start, and tries nodes that run first (S-50).
        node = replace(alike.node, name=name, node=name, labels=labels, own_labels=labels, initialized=False)
        self._claims.append(claim)
        for cluster in (self, *self.others):
            cluster._adopt(node, alike.daemons, self._part(claim.pods, virtual=False))
        return purchase

    def _adopt(self, node: SchedulingNode, daemons: Sequence[Pod], pods: Mapping[int, int]) -> None:
        self._places[node.name] = len(self._nodes)
        self._nodes.append(node)
        self._bound += [TopologyPods(d, node.name) for d in daemons]
        self._bind(node.name, pods)

    def _alike(self, claim: PlacedClaim, purchase: Purchase) -> _Launched:
        """Return the node of a claim and its daemons; those of claims that are alike differ in the name alone."""
        key = (claim.node_pool, claim.requirements, SameObject(claim.candidates), tuple(claim.pods.items()))
        cached = self._launched.get(key)
        if cached is None:
            registry = self._first.registry
            node = launched("", claim, self._taints[claim.node_pool], self._first.batches, registry, purchase)
            daemons = self._daemons.on(Requirements.of_labels(node.labels, registry), node.taints)
            cached = self._launched[key] = _Launched(with_daemons(node, daemons), daemons)
        return cached

    def _fill(self, name: str, pods: Mapping[int, int]) -> None:
        if not pods:
            return
        place, batches = self._places[name], self._first.batches
        node = self._nodes[place]
        volumes = (self._volumes[b].attached for b in pods if b in self._volumes)
        self._nodes[place] = replace(
            node,
            available=subtract(node.available, merge(*(requests_of(batches[b], count) for b, count in pods.items()))),
            ports=node.ports | {port for b in pods for port in batches[b].pod.host_ports},
            attached=node.attached.union(*volumes),
        )
        self._bind(name, pods)

    def _bind(self, name: str, pods: Mapping[int, int]) -> None:
        node, on_node = self._nodes[self._places[name]], self._existing.setdefault(name, {})
        for batch, count in pods.items():
            on_node[batch] = on_node.get(batch, 0) + count
            self._bound.append(TopologyPods(self._first.batches[batch].pod, node.node or name, pods=count))

    def _bind_volumes(self, on_nodes: Mapping[str, Mapping[int, int]]) -> None:
        """Bind claims of pods that were placed; one that pods of several zones share in the first of these."""
        if self._late is None or not self._volumes:
            return
        zones: dict[int, str] = {}
        for name, pods in on_nodes.items():
            zone = self._nodes[self._places[name]].labels.get(ZONE, "")
            zones.update((b, min(zone, zones.get(b, zone))) for b in self._part(pods, virtual=False) if b in self._volumes)
        self._volumes = self._late.bind(zones) or self._volumes

    def _part(self, pods: Mapping[int, int], *, virtual: bool) -> dict[int, int]:
        return {b: count for b, count in pods.items() if self._first.batches[b].virtual is virtual}

    def _all_on(self, name: str) -> dict[int, int]:
        real, virtual = self._existing.get(name, {}), self._virtual.get(name, {})
        return {**real, **virtual}


def with_pods(claim: PlacedClaim, pods: Mapping[int, int], batches: Sequence[PodBatch]) -> PlacedClaim:
    """Return a claim with other pods on its node."""
    if pods == claim.pods:
        return claim
    daemons = subtract(claim.requests, merge(*(requests_of(batches[b], count) for b, count in claim.pods.items())))
    requests = merge(daemons, *(requests_of(batches[b], count) for b, count in pods.items()))
    return replace(claim, pods=pods, requests=requests)


def _name(number: int, claim: PlacedClaim) -> str:
    """Return a name that no node of a cluster has; numbers of equal length keep the order of the claims."""
    return f"({claim.node_pool} {number:09d})"


def _without_reserved(
    types: Mapping[str, Sequence[InstanceType]], purchases: Iterable[Purchase], registry: LabelRegistry
) -> Mapping[str, Sequence[InstanceType]]:
    """Return the types without the reservations that claims have used; shared lists stay shared."""
    used: dict[str, int] = {}
    for bought in purchases:
        if bought.offering.capacity_type == RESERVED and registry.reservation_id:
            for reservation in bought.offering.requirements.get_or_any(registry.reservation_id).values:
                used[reservation] = used.get(reservation, 0) + 1
    if not used:
        return types
    lists = {SameObject(listed): listed for listed in types.values()}
    changed = {key: tuple(_with_less(t, used, registry) for t in listed) for key, listed in lists.items()}
    return {name: changed[SameObject(listed)] for name, listed in types.items()}


def _with_less(t: InstanceType, used: Mapping[str, int], registry: LabelRegistry) -> InstanceType:
    return replace(t, offerings=tuple(_less(o, used, registry) for o in t.offerings))


def _less(offering: Offering, used: Mapping[str, int], registry: LabelRegistry) -> Offering:
    ids = offering.requirements.get_or_any(registry.reservation_id or "").values
    taken = sum(used.get(i, 0) for i in ids)
    if not taken:
        return offering
    left = max(0, offering.reservation_capacity - taken)
    return offering._replace(reservation_capacity=left, available=offering.available and left > 0)
