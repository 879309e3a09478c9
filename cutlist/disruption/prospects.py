"""Whether anything could come of removing nodes, judged without a simulation (spec: disruption 5.1 to 5.4).

Consolidation deletes nodes whose pods all find room elsewhere, or replaces them with one node that is cheaper. Where the pods
that find no room would not even fit into any machine that is cheaper than the nodes together, nothing can come of it. That is
certain only for plain pods; about others nothing is said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from operator import itemgetter

from cutlist.core.labels import CAPACITY_TYPE, SPOT, ZONE
from cutlist.core.quantity import subtract
from cutlist.core.taints import PREFER_NO_SCHEDULE
from cutlist.core.values import dataclass
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.scheduling.firstfit import (
    FirstFit,
    LeftOver,
    Place,
    Placed,
    PodsOfKind,
    Turn,
    has_only_positive_terms,
    is_plain,
    place_of,
    total,
    without_rules,
)
from cutlist.scheduling.inputs import takes_part
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.state.pods import RunningPod, moves
from cutlist.state.statenode import StateNode
from cutlist.workloads.objects import EvictionBudgets
from cutlist.workloads.pods import Pod

_Counted = Sequence[tuple[PodData, int]]
"""Pods of some kinds, each with how many there are."""
_Key = tuple[tuple[tuple[int, int, int], ...], float, str, Hashable]
"""What decides about a single candidate: the pods that are left over by kind, stranded or waiting, its price and capacity type,
and what is used of limits."""
_Turns = dict[PodData, list[Turn]]
"""Pods by kind, each with its turn in the queue of a pass."""
_Content = tuple[tuple[Hashable, ...], ...]
"""What decides where the pods of nodes go that are placed with the same others: see `_content`."""


@dataclass(frozen=True, slots=True)
class Machines:
    """What can be bought, cheapest first: the lowest price of each type, and what it has for pods, in nano-units.

    Types that hold no more than a cheaper one are left out. An empty room stands for an unknown one.
    """

    prices: Sequence[float]
    capacities: Sequence[Mapping[str, int]]

    @staticmethod
    def of(cluster: ClusterState, overheads: Mapping[str, Mapping[str, int]], *, spot: bool) -> Machines:
        """Return the types of all NodePools that take part, with or without their spot offerings.

        `overheads` are what DaemonSets request at least on a node of each pool.
        """
        sold: dict[tuple[str, str], tuple[float, Mapping[str, int]]] = {}
        for pool in (p for p in cluster.pools.values() if takes_part(p)):
            wanted = fresh_requirements(pool, cluster.registry)
            kinds, zones = wanted.get_or_any(CAPACITY_TYPE), wanted.get_or_any(ZONE)
            for t in (t for t in cluster.types.get(pool.name, ()) if wanted.intersects(t.requirements)):
                usable = (o for o in t.offerings if o.available and kinds.has(o.capacity_type) and zones.has(o.zone))
                offered = (o.price for o in usable if spot or o.capacity_type != SPOT)
                price = min((price for price in offered if price is not None), default=None)
                if price is not None:
                    overridden = any(o.capacity_override or o.overhead_override for o in t.offerings)
                    sold[pool.name, t.name] = (
                        price,
                        {} if overridden else subtract(t.allocatable(), overheads.get(pool.name, {})),
                    )
        best: list[tuple[float, Mapping[str, int]]] = []
        for price, room in sorted(sold.values(), key=lambda s: s[0]):
            if not any(_covers(cheaper, room) for _, cheaper in best):
                best.append((price, room))
        return Machines([price for price, _ in best], [room for _, room in best])

    def may_hold(self, requests: Mapping[str, int], below: float) -> bool:
        """Tell whether a machine that is cheaper than a price might hold these requests."""
        for capacity in self.capacities[: bisect_left(self.prices, below)]:
            if not capacity or all(amount <= capacity.get(r, 0) for r, amount in requests.items() if amount > 0):
                return True
        return False


@dataclass(frozen=True, slots=True)
class _NodeQueue:
    """The pods that move when a node is removed, and how many there are of each kind. They hold for these budgets.

    `counts` are those pods of which a kind says where they may go at most; `pods` is None where some are not plain.
    """

    node: StateNode
    evictions: EvictionBudgets
    pods: _Turns | None
    counts: _Counted


@dataclass(frozen=True, slots=True)
class _Hopeless:
    """Why a candidate is hopeless with these budgets: some kinds of its pods have room for at most so many on other nodes."""

    candidate: Candidate
    evictions: EvictionBudgets
    most: _Counted


@dataclass(slots=True)
class KnownPods:
    """What is known of pods from round to round: the kinds of plain ones, queues of nodes, verdicts on candidates.

    `fits` says which pods a machine might hold that is cheaper than a price, with or without spot. `hopeless` are candidates
    that stay hopeless for as long as there is no more room, by name.

    Pods of a kind go to the same nodes; the first that came stands for them. `others` are all pods that may ever be in the
    cluster. It holds for one context, and as long as NodePools and types are the same.
    """

    others: Sequence[Pod]
    plain: dict[Pod, PodData | None] = field(default_factory=dict)
    bounds: dict[Pod, PodData | None] = field(default_factory=dict)
    kinds: dict[tuple[Hashable, ...], PodData] = field(default_factory=dict)
    queues: dict[str, _NodeQueue] = field(default_factory=dict)
    verdicts: dict[_Key, bool] = field(default_factory=dict)
    fits: dict[tuple[tuple[tuple[PodData, int], ...], float, bool], bool] = field(default_factory=dict)
    hopeless: dict[str, _Hopeless] = field(default_factory=dict)

    def kind_of(self, pod: Pod, context: SchedulingContext) -> PodData | None:
        """Return the pod that stands for a plain one, or None for a pod that is not plain beside all others."""
        if pod not in self.plain:
            self.plain[pod] = self._kind(pod, context) if is_plain(pod, self.others) else None
        return self.plain[pod]

    def bound_of(self, pod: Pod, context: SchedulingContext) -> PodData | None:
        """Return a plain pod that may go wherever a pod may go, or None where none is known."""
        if pod not in self.bounds:
            bare = without_rules(pod) if all(map(has_only_positive_terms, self.others)) else None
            plain = self.kind_of(pod, context)
            self.bounds[pod] = plain if plain is not None or bare is None else self._kind(bare, context)
        return self.bounds[pod]

    def _kind(self, pod: Pod, context: SchedulingContext) -> PodData:
        data = context.data_of(pod)
        return self.kinds.setdefault((data.requests, pod.requests, pod.tolerations, data.requirements), data)


class Prospects:
    """The prospects of removing nodes of a cluster at an instant."""

    __slots__ = (
        "_cluster",
        "_context",
        "_first_fit",
        "_keys",
        "_known",
        "_limits",
        "_machines",
        "_may_relax",
        "_other_turns",
        "_others",
        "_placed",
    )

    def __init__(
        self, cluster: ClusterState, context: SchedulingContext, known: KnownPods, machines: Mapping[bool, Machines]
    ) -> None:
        """Judge with the context of the cluster. `machines` are those with and without spot."""
        self._cluster = cluster
        self._context = context
        self._known = known
        self._machines = machines
        self._first_fit = FirstFit.of(context.existing_nodes)
        self._keys: dict[str, _Key] = {}
        self._limits = context.used_of_limits
        tainted = any(t.effect == PREFER_NO_SCHEDULE for pool in cluster.pools.values() for t in pool.taints)
        self._may_relax = tainted or cluster.options.default_spread
        self._others = self._leaving_and_waiting()
        self._other_turns = _turns_by_place(self._others or ())
        self._placed: dict[_Content, Placed] = {}

    def are_hopeless(self, candidates: Sequence[Candidate]) -> bool:
        """Tell whether it is certain that no command removes these candidates together."""
        if self._may_relax:
            return False
        if len(candidates) == 1 and self._stays_hopeless(candidates[0]):
            return True
        queues = [self._queue_of(c.node) for c in candidates]
        counts = queues[0].counts if len(queues) == 1 else _counted(queues)
        names = [c.node.state.name for c in candidates]
        short = self._first_fit.shortfall(counts, names)
        if short and not self._may_hold(short, candidates):
            if len(candidates) == 1:
                self._keep_hopeless(candidates[0], queues[0], short)
            return True  # they are left over, or go to a node that may never be ready, which does not count (spec 5.1)
        own = queues[0].pods if len(queues) == 1 else _together(queues)
        if own is None or self._others is None:
            return False
        placed = self._place(own, names)
        if placed.on_starting:
            return True
        stranded = [(pods.kind, pods.stranded) for pods in placed.left if pods.stranded]
        if not stranded:
            return False
        if len(candidates) > 1:
            return not self._may_hold(stranded, candidates)
        key = self._key(candidates[0], placed.left)
        if key not in self._known.verdicts:
            self._known.verdicts[key] = not self._may_hold(stranded, candidates)
        return self._known.verdicts[key]

    def _stays_hopeless(self, candidate: Candidate) -> bool:
        """Tell whether a candidate was hopeless with the same pods, and they have no more room now."""
        known = self._known.hopeless.get(candidate.name)
        if known is None or known.candidate is not candidate or known.evictions is not self._cluster.evictions:
            return False
        return self._first_fit.has_no_more_room(known.most, candidate.node.state.name)

    def _keep_hopeless(self, candidate: Candidate, queue: _NodeQueue, short: _Counted) -> None:
        """Remember how much room there is for pods of a candidate of which so many have none.

        What an annotation protects for a while is not kept: which pods move depends on the instant.
        """
        if self._known.queues.get(candidate.node.state.name) is queue:
            counts = dict(queue.counts)
            most = [(kind, counts[kind] - without) for kind, without in short]
            self._known.hopeless[candidate.name] = _Hopeless(candidate, queue.evictions, most)

    def _place(self, own: _Turns, names: Sequence[str]) -> Placed:
        """Place the pods of some nodes on others; those of nodes that rank alike among the other pods are placed once."""
        content = _content(own, self._other_turns)
        placed = self._placed.get(content)
        numbers = self._first_fit.numbers
        if placed is None or placed.tried is None or any(numbers.get(name) in placed.tried for name in names):
            placed = self._first_fit.left_over(self._with_others(own), names)
            if placed.tried is not None:
                self._placed[content] = placed
        return placed

    def _with_others(self, own: _Turns) -> list[PodsOfKind]:
        """Return the pods of candidates with those that are placed together with any."""
        assert self._others is not None  # noqa: S101 - the caller has looked
        leaving, waiting = self._others
        kinds = dict.fromkeys((*own, *leaving, *waiting))
        return [PodsOfKind(kind, own.get(kind, ()), leaving.get(kind, ()), waiting.get(kind, ())) for kind in kinds]

    def _may_hold(self, pods: _Counted, candidates: Sequence[Candidate]) -> bool:
        """Tell whether a machine that is cheaper than candidates together might hold some pods."""
        price = sum(c.price for c in candidates)
        with_spot = self._counts_spot(candidates)
        key = tuple(pods), price, with_spot
        cached = self._known.fits.get(key)
        if cached is None:
            cached = self._known.fits[key] = self._machines[with_spot].may_hold(total(pods), price)
        return cached

    def nothing_came_of(self, candidate: Candidate) -> None:
        """Remember that a simulation found nothing to do with a candidate.

        Others with the same pods left over have no better prospects: what existing nodes leave over decides about claims.
        """
        key = self._keys.get(candidate.name)
        if key is not None:
            self._known.verdicts[key] = True

    def _key(self, candidate: Candidate, left: Sequence[LeftOver]) -> _Key:
        """Return what decides about a candidate, and keep it for `nothing_came_of`."""
        limits = (self._limits, candidate.pool.name, candidate.node.instance_type) if self._limits else None
        numbers = tuple([(pods.kind.number, pods.stranded, pods.waiting) for pods in left])
        key = self._keys[candidate.name] = numbers, candidate.price, candidate.node.capacity_type, limits
        return key

    def _counts_spot(self, candidates: Sequence[Candidate]) -> bool:
        """Tell whether spot offerings may replace candidates."""
        only_spot = all(c.node.capacity_type == SPOT for c in candidates)
        return not only_spot or self._cluster.feature_gates.spot_to_spot

    def _queue_of(self, node: StateNode) -> _NodeQueue:
        """Return the pods that move when a node is removed."""
        known, evictions = self._known.queues.get(node.state.name), self._cluster.evictions
        if known is not None and known.node is node and known.evictions is evictions:
            return known
        pods = [p for p in node.pods if moves(p, evictions, self._cluster.now)]
        turns: _Turns = {}
        are_plain = all(p.runs for p in pods) and self._add_turns(pods, turns)
        bounds = (self._known.bound_of(p.pod, self._context) for p in pods if p.runs)
        queue = _NodeQueue(node, evictions, turns if are_plain else None, list(Counter(k for k in bounds if k).items()))
        if not any(p.do_not_disrupt for p in node.pods):
            self._known.queues[node.state.name] = queue
        return queue

    def _add_turns(self, pods: Iterable[RunningPod], turns: _Turns) -> bool:
        """Add some pods by kind; return whether all are plain."""
        for running in pods:
            kind = self._known.kind_of(running.pod, self._context)
            if kind is None:
                return False
            turns.setdefault(kind, []).append((int(running.created), running.uid))
        return True

    def _leaving_and_waiting(self) -> tuple[_Turns, _Turns] | None:
        """Return the pods that are placed together with any others, or None where nothing is certain."""
        cluster = self._cluster
        if self._may_relax or cluster.displaced or cluster.buffers:
            return None
        leaving: _Turns = {}
        waiting: _Turns = {}
        for batch in cluster.pending:
            kind = self._known.kind_of(batch.pod, self._context)
            if kind is None:
                return None
            waiting.setdefault(kind, []).extend([(int(batch.created), batch.uid)] * batch.count)
        removed = (node for node in cluster.nodes if node.state.removed)
        pods = (p for node in removed for p in node.pods if moves(p, cluster.evictions, cluster.now))
        return (leaving, waiting) if self._add_turns(pods, leaving) else None


def _counted(queues: Iterable[_NodeQueue]) -> _Counted:
    """Return how many pods of each kind some nodes have together."""
    counts: dict[PodData, int] = {}
    for queue in queues:
        for kind, count in queue.counts:
            counts[kind] = counts.get(kind, 0) + count
    return list(counts.items())


def _together(queues: Iterable[_NodeQueue]) -> _Turns | None:
    """Return the pods of some nodes by kind, or None where some are not plain."""
    turns: _Turns = {}
    for queue in queues:
        if queue.pods is None:
            return None
        for kind, own in queue.pods.items():
            turns.setdefault(kind, []).extend(own)
    return turns


def _turns_by_place(pods: Iterable[_Turns]) -> dict[Place, list[Turn]]:
    """Return the turns of pods at each place in the queue, in order."""
    by_place: dict[Place, list[Turn]] = {}
    for turns_of in pods:
        for kind, turns in turns_of.items():
            by_place.setdefault(place_of(kind), []).extend(turns)
    return {place: sorted(turns) for place, turns in by_place.items()}


def _content(own: _Turns, others: Mapping[Place, Sequence[Turn]]) -> _Content:
    """Return what decides where pods go that are placed together with others: how many there are of each kind, and where they
    stand among others at the same place of the queue."""
    places = [place_of(kind) for kind in own]
    if len(set(places)) < len(places):
        return tuple([(kind.number, *turns) for kind, turns in own.items()])
    content: list[tuple[Hashable, ...]] = []
    for place, (kind, turns) in zip(places, own.items(), strict=True):
        at_place = others.get(place)
        content.append((kind.number, len(turns)) if at_place is None else (kind.number, *_ranks(turns, at_place)))
    return tuple(sorted(content, key=itemgetter(0)))


def _ranks(turns: Iterable[Turn], others: Sequence[Turn]) -> list[int]:
    return sorted(bisect_left(others, turn) for turn in turns)


def _covers(room: Mapping[str, int], other: Mapping[str, int]) -> bool:
    """Tell whether a room holds whatever another one holds."""
    return not room or (bool(other) and all(room.get(r, 0) >= amount for r, amount in other.items()))
