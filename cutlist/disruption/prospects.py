"""Judge without a simulation whether removing nodes could have any result (spec: disruption 5.1 to 5.4).

Consolidation deletes nodes whose pods all find room elsewhere, or replaces them with one node that is cheaper. If the pods that
find no room would not even fit any machine that is cheaper than the nodes together, removing them has no result. Pods that wait
and certainly get a node share it with those that move, as a command launches only one. All this is certain only for plain pods;
others are not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cutlist.core.go_sums import sum_in_turn
from cutlist.core.labels import SPOT
from cutlist.core.taints import PREFER_NO_SCHEDULE
from cutlist.disruption.candidates import Candidate
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.first_turns import FirstTurns
from cutlist.disruption.known_pods import KnownPods, VerdictKey
from cutlist.disruption.machines import Machines
from cutlist.disruption.pod_queues import Content, NodeQueue, Turns, content_of, counted, together, turns_by_place
from cutlist.disruption.room_left import NEVER, Counted, RoomLeft
from cutlist.scheduling.firstfit import FirstFit, LeftOver, Placed, PodsOfKind, total
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.state.pods import RunningPod, moves
from cutlist.state.statenode import StateNode


class Prospects:
    """The prospects of removing nodes of a cluster at an instant."""

    __slots__ = (
        "_cluster",
        "_context",
        "_first_fit",
        "_first_turns",
        "_keys",
        "_known",
        "_limits",
        "_machines",
        "_may_relax",
        "_other_turns",
        "_others",
        "_placed",
        "_room",
    )

    def __init__(
        self,
        cluster: ClusterState,
        context: SchedulingContext,
        known: KnownPods,
        machines: Mapping[bool, Machines],
        first_fit: FirstFit | None = None,
        leaving: Sequence[StateNode] | None = None,
    ) -> None:
        """Judge with the context of the cluster. `machines` are those with and without spot.

        `first_fit` has the nodes of the context, if it is kept since they changed last, and `leaving` are the cluster's nodes
        that are being removed, if they are kept.
        """
        self._cluster = cluster
        self._context = context
        self._known = known
        self._machines = machines
        self._first_fit = FirstFit.of(context.existing_nodes) if first_fit is None else first_fit
        self._keys: dict[str, VerdictKey] = {}
        self._limits = context.used_of_limits
        tainted = any(t.effect == PREFER_NO_SCHEDULE for pool in cluster.pools.values() for t in pool.taints)
        # With these, pods have preferences that are relaxed one by one, so where they go does not follow from their requests
        # and labels alone.
        self._may_relax = tainted or cluster.options.default_spread
        removed = [n for n in cluster.nodes if n.state.removed] if leaving is None else leaving
        moving = [p for node in removed for p in node.pods if moves(p, cluster.evictions, cluster.now)]
        self._others = self._leaving_and_waiting(moving)
        self._other_turns = turns_by_place(self._others or ())
        self._placed: dict[Content, Placed] = {}
        self._first_turns = FirstTurns(self._first_fit, *self._others) if self._others is not None else None
        bounds = (known.bound_of(p.pod, context) for p in moving)
        self._room = RoomLeft(self._first_fit, list(Counter(k for k in bounds if k).items()), machines)

    def are_hopeless(self, candidates: Sequence[Candidate]) -> bool:
        """Tell whether it is certain that no command removes these candidates together."""
        if len(candidates) == 1:
            return self.is_hopeless(candidates[0])
        queues = [self._queue_of(c.node) for c in candidates]
        names = [c.node.state.name for c in candidates]
        price, with_spot = sum_in_turn(c.price for c in candidates), self._counts_spot(candidates)
        room, counts, own_nodes = self._room, counted(queues), self._first_fit.set_of(names)
        sizes = self._known.sizes
        # Counting comes first: it places no pod. Pods that count as more than the room for some size cannot all be placed,
        # wherever each of them goes.
        lacking = (z for z in sizes if room[z] <= room.most(z, counts, own_nodes, price, with_spot=with_spot))
        # `lacking` is lazy: the first size that settles the matter ends the count.
        if (size := next(lacking, None)) is not None:
            sizes.remove(size)
            sizes.insert(0, size)  # other nodes will lack room for the same size
            return True
        own = together(queues)
        if own is None or self._others is None:
            return False
        placed = self._place(own, names)
        launched = self._launched_for(placed)
        # If nothing has to be launched, the nodes may be deleted, so nothing is certain against them.
        return placed.on_starting or (bool(launched) and not self._may_hold(launched, price, with_spot=with_spot))

    def not_known_hopeless(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Yield candidates without those that are known to be hopeless, each alone, since an earlier round."""
        return self._known.without_room.others(candidates, self._cluster.evictions, self._room)

    def is_hopeless(self, candidate: Candidate) -> bool:
        """Tell whether it is certain that no command removes a candidate alone."""
        queue, names = self._queue_of(candidate.node), [candidate.node.state.name]
        if self._lacks_room(candidate, queue):
            return True
        if queue.pods is None or self._others is None:
            return False
        # Asked first, because it is known for all candidates together; placing the pods costs a pass over the nodes for each.
        if self._first_turns is not None and queue.first and self._first_turns.reach_starting(*queue.first, names[0]):
            return True
        placed = self._place(queue.pods, names)
        if placed.on_starting:
            return True
        launched = self._launched_for(placed)
        if not launched:
            return False
        # The left-over pods and the price decide, and in a large cluster many candidates have the same ones.
        key = self._key(candidate, placed.left)
        if key not in self._known.verdicts:
            with_spot = self._counts_spot((candidate,))
            self._known.verdicts[key] = not self._may_hold(launched, candidate.price, with_spot=with_spot)
        return self._known.verdicts[key]

    def _lacks_room(self, candidate: Candidate, queue: NodeQueue) -> bool:
        """Tell whether the pods of a candidate count as more than all the room for pods of some size."""
        room, known, name = self._room, self._known, candidate.node.state.name
        lacks = known.without_room.lacks_room(candidate, queue.evictions, room)
        if lacks is not None:
            return lacks
        with_spot, pods, own = self._counts_spot((candidate,)), queue.counts, self._first_fit.set_of((name,))
        sizes = [(size, room.most(size, pods, own, candidate.price, with_spot=with_spot)) for size in known.sizes]
        limits = [(size, most) for size, most in sizes if most > NEVER]
        # A node that rests has no room for its like now, and will have some when the rest is over, so its limit would not last.
        if known.queues.get(name) is queue and not own & self._context.existing_nodes.resting:
            known.without_room.keep(candidate, queue.evictions, limits, room)  # its own room counts while the node is the same
        return any(room[size] <= most for size, most in limits)

    def _place(self, own: Turns, names: Sequence[str]) -> Placed:
        """Place the pods of some nodes on others; those of nodes that rank alike among the other pods are placed once."""
        content = content_of(own, self._other_turns)
        placed = self._placed.get(content)
        numbers = self._first_fit.numbers
        # The answer for another node holds for this one if it did not ask the node that is removed now: excluded, it would be
        # passed over.
        if placed is None or placed.tried is None or any(numbers.get(name) in placed.tried for name in names):
            placed = self._first_fit.left_over(self._with_others(own), names)
            if placed.tried is not None:
                self._placed[content] = placed
        return placed

    def _with_others(self, own: Turns) -> list[PodsOfKind]:
        """Return the pods of candidates with those that are placed together with any."""
        assert self._others is not None  # noqa: S101 - the caller has looked
        leaving, waiting = self._others
        kinds = dict.fromkeys((*own, *leaving, *waiting))
        return [PodsOfKind(kind, own.get(kind, ()), leaving.get(kind, ()), waiting.get(kind, ())) for kind in kinds]

    def _launched_for(self, placed: Placed) -> Counted:
        """Return the pods that a new node has to hold if a command is to remove nodes: those that move and find no room, and
        those that wait, find none either and certainly get a node."""
        launched: list[tuple[PodData, int]] = []
        for kind, stranded, waiting in placed.left:
            count = stranded + (waiting if waiting and self._known.has_claims_for(kind, self._context) else 0)
            if count:
                launched.append((kind, count))
        return launched

    def _may_hold(self, pods: Counted, price: float, *, with_spot: bool) -> bool:
        """Tell whether a machine that is cheaper than a price might hold some pods."""
        key = tuple(pods), price, with_spot
        cached = self._known.fits.get(key)
        if cached is None:
            cached = self._known.fits[key] = self._machines[with_spot].may_hold(total(pods), price)
        return cached

    def nothing_came_of(self, candidate: Candidate) -> None:
        """Remember that a simulation found nothing to do with a candidate.

        Others with the same remaining pods have no better prospects: the pods that existing nodes leave decide about claims.
        """
        key = self._keys.get(candidate.name)
        if key is not None:
            self._known.verdicts[key] = True

    def _key(self, candidate: Candidate, left: Sequence[LeftOver]) -> VerdictKey:
        """Return what decides about a candidate, and keep it for `nothing_came_of`."""
        limits = (self._limits, candidate.pool.name, candidate.node.instance_type) if self._limits else None
        numbers = tuple([(pods.kind.number, pods.stranded, pods.waiting) for pods in left])
        key = self._keys[candidate.name] = numbers, candidate.price, candidate.node.capacity_type, limits
        return key

    def _counts_spot(self, candidates: Sequence[Candidate]) -> bool:
        """Tell whether spot offerings may replace candidates."""
        return self._cluster.feature_gates.spot_to_spot or any(c.node.capacity_type != SPOT for c in candidates)

    def _queue_of(self, node: StateNode) -> NodeQueue:
        """Return the pods that move when a node is removed."""
        known, evictions = self._known.queues.get(node.state.name), self._cluster.evictions
        if known is not None and known.node is node and known.evictions is evictions:
            return known
        pods = [p for p in node.pods if moves(p, evictions, self._cluster.now)]
        turns: Turns = {}
        are_plain = all(p.runs for p in pods) and self._add_turns(pods, turns)
        bounds = (self._known.bound_of(p.pod, self._context) for p in pods if p.runs)
        queue = NodeQueue.of(node, evictions, turns if are_plain else None, list(Counter(k for k in bounds if k).items()))
        if not any(p.do_not_disrupt for p in node.pods):
            self._known.queues[node.state.name] = queue
        return queue

    def _add_turns(self, pods: Iterable[RunningPod], turns: Turns) -> bool:
        """Add some pods by kind; return whether all are plain."""
        for running in pods:
            kind = self._known.kind_of(running.pod, self._context)
            if kind is None:
                return False
            # Whole seconds, as the API server has them: pods of one second are ordered by their uid.
            turns.setdefault(kind, []).append((int(running.created), running.uid))
        return True

    def _leaving_and_waiting(self, pods: Iterable[RunningPod]) -> tuple[Turns, Turns] | None:
        """Return the pods that are placed together with any others, or None if nothing is certain."""
        cluster = self._cluster
        # Pods that are displaced or virtual are placed by rules of their own; with them nothing is certain.
        if self._may_relax or cluster.displaced or cluster.buffers:
            return None
        leaving: Turns = {}
        waiting: Turns = {}
        for batch in cluster.pending:
            if self._known.is_ignored(batch.pod, cluster.registry):
                continue
            kind = self._known.kind_of(batch.pod, self._context)
            if kind is None:
                return None
            waiting.setdefault(kind, []).extend([(int(batch.created), batch.uid)] * batch.count)
        return (leaving, waiting) if self._add_turns(pods, leaving) else None
