"""Whether anything could come of removing nodes, judged without a simulation (spec: disruption 5.1 to 5.4).

Consolidation deletes nodes whose pods all find room elsewhere, or replaces them with one node that is cheaper. Where the pods
that find no room would not even fit into any machine that is cheaper than the nodes together, nothing can come of it. That is
certain only for plain pods; about others nothing is said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from operator import itemgetter

from cutlist.core.labels import CAPACITY_TYPE, SPOT, ZONE
from cutlist.core.quantity import subtract
from cutlist.core.taints import PREFER_NO_SCHEDULE
from cutlist.core.values import dataclass
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.scheduling.firstfit import FirstFit, is_plain, total
from cutlist.scheduling.inputs import takes_part
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.state.pods import RunningPod, moves
from cutlist.state.statenode import StateNode
from cutlist.workloads.pods import Pod

_Queued = tuple[tuple[int, int, int, str], PodData, bool]
"""A pod with its place in the queue of a pass, and whether it runs on a node that is only being considered."""
_Key = tuple[tuple[int, ...], frozenset[int], float, str, Hashable]
"""What decides about a single candidate: the pods that are left over, those that wait, its price, its capacity type, and what
is used of limits."""


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


@dataclass(slots=True)
class KnownPods:
    """What is known of pods from round to round: which are plain, the queue of each node's pods, verdicts on candidates, and
    which pods, by number, a machine might hold that is cheaper than a price, with or without spot.

    `others` are all pods that may ever be in the cluster. It holds for one context, and as long as NodePools and types are the
    same.
    """

    others: Sequence[Pod]
    plain: dict[Pod, bool] = field(default_factory=dict)
    queues: dict[str, tuple[StateNode, list[_Queued] | None]] = field(default_factory=dict)
    verdicts: dict[_Key, bool] = field(default_factory=dict)
    fits: dict[tuple[tuple[int, ...], float, bool], bool] = field(default_factory=dict)

    def is_plain(self, pod: Pod) -> bool:
        """Tell whether a pod is plain beside all others."""
        cached = self.plain.get(pod)
        if cached is None:
            cached = self.plain[pod] = is_plain(pod, self.others)
        return cached


class Prospects:
    """The prospects of removing nodes of a cluster at an instant."""

    __slots__ = ("_cluster", "_context", "_first_fit", "_keys", "_known", "_limits", "_machines", "_others", "_waiting")

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
        self._waiting = frozenset(context.data_of(b.pod).number for b in cluster.pending)
        self._others = self._waiting_and_leaving()

    def are_hopeless(self, candidates: Sequence[Candidate]) -> bool:
        """Tell whether it is certain that no command removes these candidates together."""
        if self._others is None:
            return False
        own: list[_Queued] = []
        for candidate in candidates:
            queue = self._queue_of(candidate.node)
            if queue is None:
                return False
            own += queue
        names = [c.name for c in candidates]
        if self._are_homeless([pod for _, pod, _ in own], names, candidates):
            return True
        everything = sorted([*self._others, *own], key=itemgetter(0)) if self._others or len(names) > 1 else own
        pods = [(pod, settled) for _, pod, settled in everything]
        left, on_starting = self._first_fit.left_over(pods, names)
        if on_starting:
            return True  # a node that may never be ready does not count (spec 5.1)
        stranded = [pod for pod in left if pod.number not in self._waiting]
        if not stranded:
            return False
        if len(candidates) > 1:
            return not self._may_hold(stranded, candidates)
        key = self._key(candidates[0], left)
        if key not in self._known.verdicts:
            self._known.verdicts[key] = not self._may_hold(stranded, candidates)
        return self._known.verdicts[key]

    def _are_homeless(self, pods: Sequence[PodData], names: Sequence[str], candidates: Sequence[Candidate]) -> bool:
        """Tell whether no node takes some of the pods of candidates, and no cheaper machine those together.

        Whatever else is left over only adds to them.
        """
        stranded = self._first_fit.without_any(pods, names, settled=True)
        if self._waiting:
            homeless = self._first_fit.without_any(pods, names)
            if homeless and not self._may_hold(homeless, candidates):
                return True
            stranded = [pod for pod in stranded if pod.number not in self._waiting]
        return bool(stranded) and not self._may_hold(stranded, candidates)

    def _may_hold(self, pods: Sequence[PodData], candidates: Sequence[Candidate]) -> bool:
        """Tell whether a machine that is cheaper than candidates together might hold some pods."""
        price = sum(c.price for c in candidates)
        with_spot = self._counts_spot(candidates)
        key = tuple(pod.number for pod in pods), price, with_spot
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

    def _key(self, candidate: Candidate, left: Sequence[PodData]) -> _Key:
        """Return what decides about a candidate, and keep it for `nothing_came_of`."""
        limits = (self._limits, candidate.pool.name, candidate.node.instance_type) if self._limits else None
        numbers = tuple(pod.number for pod in left)
        key = self._keys[candidate.name] = numbers, self._waiting, candidate.price, candidate.node.capacity_type, limits
        return key

    def _counts_spot(self, candidates: Sequence[Candidate]) -> bool:
        """Tell whether spot offerings may replace candidates."""
        only_spot = all(c.node.capacity_type == SPOT for c in candidates)
        return not only_spot or self._cluster.feature_gates.spot_to_spot

    def _queue_of(self, node: StateNode) -> list[_Queued] | None:
        """Return the pods that move when a node is removed, or None where they are not all plain."""
        known = self._known.queues.get(node.name)
        if known is None or known[0] is not node:
            pods = [p for p in node.pods if p.reschedulable]
            uncertain = any(p.do_not_disrupt for p in pods) or bool(self._cluster.evictions.by_namespace)
            if uncertain:
                pods = [p for p in pods if moves(p, self._cluster.evictions, self._cluster.now)]
            queue = self._queued(pods, settled=True)
            if uncertain:
                return queue if queue is None else sorted(queue, key=itemgetter(0))
            if queue is not None:
                queue.sort(key=itemgetter(0))
            known = self._known.queues[node.name] = node, queue
        return known[1]

    def _queued(self, pods: Iterable[RunningPod], *, settled: bool) -> list[_Queued] | None:
        queue: list[_Queued] = []
        for running in pods:
            if not self._known.is_plain(running.pod):
                return None
            queue.append((_place(running.pod, running.created, running.uid), self._context.data_of(running.pod), settled))
        return queue

    def _waiting_and_leaving(self) -> list[_Queued] | None:
        """Return the pods that are placed together with any others, or None where nothing is certain."""
        cluster = self._cluster
        tainted = any(t.effect == PREFER_NO_SCHEDULE for pool in cluster.pools.values() for t in pool.taints)
        if tainted or cluster.displaced or cluster.options.default_spread:
            return None
        queue: list[_Queued] = []
        for batch in cluster.pending:
            if not self._known.is_plain(batch.pod):
                return None
            queue += [(_place(batch.pod, batch.created, batch.uid), self._context.data_of(batch.pod), False)] * batch.count
        for node in cluster.nodes:
            if node.state.removed:
                own = self._queued((p for p in node.pods if moves(p, cluster.evictions, cluster.now)), settled=False)
                if own is None:
                    return None
                queue += own
        return queue


def _covers(room: Mapping[str, int], other: Mapping[str, int]) -> bool:
    """Tell whether a room holds whatever another one holds."""
    return not room or (bool(other) and all(room.get(r, 0) >= amount for r, amount in other.items()))


def _place(pod: Pod, created: float, uid: str) -> tuple[int, int, int, str]:
    """Return the place of a pod in the queue of a pass."""
    return -pod.requests.get("cpu", 0), -pod.requests.get("memory", 0), int(created), uid
