"""How drifted nodes are replaced one after the other: the order that budgets allow, and the shortest time it takes.

(spec: disruption 2.5, 3, 4.3, 4.4, 7.5, 8.1). A replacement is assumed to need a minute and a drain its minimum, so instants
are the earliest possible: slow pods and failed launches only delay them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final

from cutlist.api.budget_windows import allowed, next_change
from cutlist.api.durations import seconds
from cutlist.api.nodepool import NodePool
from cutlist.core.records import HIDDEN, After, Instant, Key, TextOrNull, about, computed
from cutlist.disruption.budgets import counts, is_disrupted
from cutlist.disruption.candidates import DisruptionClass, candidates
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.consolidation import stranded
from cutlist.disruption.emptiness import is_empty
from cutlist.disruption.reasons import Reason
from cutlist.disruption.simulation import Simulator
from cutlist.disruption.staticdrift import has_surplus, headroom
from cutlist.disruption.termination import expires_at
from cutlist.disruption.trajectory import LAUNCH, VALIDATION
from cutlist.state.statenode import DRIFTED, NodeClaimState, StateNode

DRAIN: Final = 5.0
"""Shortest duration of a drain, in seconds."""
HORIZON: Final = 366 * 24 * 3600.0
"""Number of seconds after which open budgets are no longer searched for: a year."""
_NEVER: Final = float("inf")
_CLOSED: Final = "no budget of NodePool {} allows its removal within a year"
_FULL: Final = "limits.nodes of NodePool {} leaves no room for a replacement"


@dataclass(frozen=True, slots=True)
class Turn:
    """When a drifted node is replaced.

    `starts` is the earliest at which Karpenter begins with it, None for never; `ends` the earliest at which it can be removed,
    and `latest` when it is certain to be removed, None where blocked pods may keep it. `expires` says that it expires before
    its turn comes. `reason` is the budget that applies. `why` says what keeps a node that has no turn, or at first had none.
    """

    node: str
    claim: Annotated[str, Key("nodeClaim")]
    pool: Annotated[str, Key("nodePool")]
    drift: Annotated[str, Key("drifted")]
    starts: Instant | None = None
    ends: Annotated[Instant | None, Key("goneAtTheEarliest")] = None
    latest: Annotated[Instant | None, Key("goneBy")] = None
    expires: Annotated[bool, about("Whether its age ends it before its turn."), After("reason")] = False
    reason: Annotated[Reason, Key("budget"), After("drift")] = Reason.DRIFTED
    why: TextOrNull = ""


@dataclass(frozen=True, slots=True)
class Rollout:
    """All drifted nodes in the order of their turns, followed by those that never have one."""

    started: Annotated[float, HIDDEN]
    turns: Annotated[tuple[Turn, ...], Key("order"), about("The earliest possible instants.")]

    @property
    @computed(after="turns")
    def done(self) -> Annotated[Instant | None, Key("doneAtTheEarliest")]:
        """Return the earliest instant at which the last node can be removed, or None if one has no turn at all."""
        ends = [turn.ends for turn in self.turns]
        known = [end for end in ends if end is not None]
        return max(known, default=self.started) if len(known) == len(ends) else None

    @property
    def last_turn(self) -> float | None:
        """Return the earliest instant at which the last node that is replaced in its turn, not by expiry, can be removed, if
        any."""
        return max((turn.ends for turn in self.turns if turn.ends is not None and not turn.expires), default=None)

    @property
    def aged(self) -> int:
        """Return how many nodes expire before their turn comes."""
        return sum(turn.expires for turn in self.turns)

    @property
    def stuck(self) -> int:
        """Return how many nodes are never replaced in the present state."""
        return sum(turn.starts is None for turn in self.turns)


def rollout(cluster: ClusterState) -> Rollout:
    """Return the turns of all nodes with the condition Drifted, judged by budgets, schedules, pods and expiry.

    Whether pods would have room is simulated node by node, in the present cluster. Other disruption does not interfere, except
    that empty nodes are removed as empty.
    """
    waiting = _waiting(cluster)
    turns: list[Turn] = []
    for name in sorted({w.node.pool for w in waiting}):
        turns += _of_pool(name, [w for w in waiting if w.node.pool == name], cluster)
    place = {w.node.name: number for number, w in enumerate(waiting)}
    return Rollout(cluster.now, _ordered(sorted(turns, key=lambda t: place[t.node])))


def joined(parts: Sequence[Rollout]) -> Rollout:
    """Return one rollout for several controllers, which do not wait for each other."""
    return Rollout(parts[0].started, _ordered(turn for part in parts for turn in part.turns))


def _ordered(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Return turns by start; those that start together keep their order."""
    return tuple(sorted(turns, key=lambda t: _NEVER if t.starts is None else t.starts))


# --- which nodes wait, and for what


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A drifted node in the queue of its pool: when it may be disrupted, None for never, and what has kept it until then."""

    node: StateNode
    claim: NodeClaimState
    ready: float | None
    reason: Reason = Reason.DRIFTED
    why: str = ""

    @property
    def rank(self) -> tuple[bool, bool, bool, float, str]:
        """Return Karpenter's order: nodes removed as empty, nodes without pods to move, the longest drifted."""
        moving = any(p.reschedulable for p in self.node.pods)
        since = self.claim.conditions[DRIFTED].since
        return self.ready is None, self.reason is not Reason.EMPTY, moving, since, self.node.name

    def expires_at(self, now: float) -> float | None:
        """Return when it expires, not before now, or None if it never does."""
        at = expires_at(self.claim)
        return None if at is None else max(at, now)

    def turn(self, starts: float, deleted: float) -> Turn:
        """Return its turn when its NodeClaim is deleted at an instant."""
        grace = seconds(self.claim.termination_grace_period) if self.claim.termination_grace_period else None
        # Even a grace period of 0 needs the drain's minimum.
        latest = None if grace is None else deleted + max(grace, DRAIN)
        return replace(self.never(self.why), starts=starts, ends=deleted + DRAIN, latest=latest)

    def never(self, why: str) -> Turn:
        """Return a turn that never comes, with the reason."""
        drift = self.claim.conditions[DRIFTED].reason
        return Turn(self.node.name, self.claim.name, self.node.pool, drift, reason=self.reason, why=why)


def _waiting(cluster: ClusterState) -> list[_Waiting]:
    """Return the drifted nodes in the order in which Karpenter considers them."""
    eventual, graceful = candidates(cluster, DisruptionClass.EVENTUAL), candidates(cluster)
    simulator, waiting = Simulator(cluster), []
    for node in cluster.nodes:
        claim = node.claim
        if claim is None or not claim.has(DRIFTED) or node.state.removed:
            continue
        candidate = eventual.by_name.get(node.name)
        if candidate is None:
            waiting.append(_blocked(node, claim, eventual.blocked[node.name], cluster))
        elif node.name in graceful.by_name and is_empty(candidate, cluster) is None:
            waiting.append(_Waiting(node, claim, cluster.now, Reason.EMPTY))
        else:
            why = "" if candidate.pool.is_static else _no_place(node, simulator)
            waiting.append(_Waiting(node, claim, None if why else cluster.now, why=why))
    return sorted(waiting, key=lambda w: w.rank)


def _blocked(node: StateNode, claim: NodeClaimState, text: str, cluster: ClusterState) -> _Waiting:
    """Return a node that something protects: until the annotations of its pods expire, if there is no other reason."""
    why = text or "belongs to a command that is being executed"
    ends = {p.held_until for p in node.pods if p.held_until is not None and p.held_until > cluster.now}
    for at in sorted(ends):
        if candidates(replace(cluster, now=at, nodes=[node]), DisruptionClass.EVENTUAL).by_name:
            return _Waiting(node, claim, at, why=why)
    return _Waiting(node, claim, None, why=why)


def _no_place(node: StateNode, simulator: Simulator) -> str:
    """Return why the pods of a node could not be placed without it, or an empty string if they can, or if it has none."""
    if not any(p.reschedulable for p in node.pods):
        return ""
    simulation = simulator.without([node], resting=False)
    return simulation.error or (stranded(simulation) if simulation.stranded else "")


# --- the turns of one pool; no pool waits for another


@dataclass(slots=True)
class _Pool:
    """A pool whose nodes are replaced: the nodes that count, those that use up budgets, and the replacements in progress.

    `launching` are the ends of launches, `draining` those of drains, `emptying` those of nodes without a replacement, in
    seconds since 1970. `room` is how many nodes a static pool may have besides its own.
    """

    pool: NodePool
    nodes: int
    busy: int
    room: int
    launching: list[float] = field(default_factory=list)
    draining: list[float] = field(default_factory=list)
    emptying: list[float] = field(default_factory=list)

    @staticmethod
    def of(pool: NodePool, cluster: ClusterState) -> _Pool:
        """Return a pool before the first turn."""
        counted = [n for n in cluster.nodes if n.pool == pool.name and counts(n)]
        # A static pool with too many nodes removes those first, and replaces none meanwhile (spec 4.4).
        room = headroom(pool.name, cluster) if pool.is_static and not has_surplus(pool.name, cluster) else 0
        busy = sum(is_disrupted(node, Reason.DRIFTED) for node in counted)
        return _Pool(pool, len(counted), busy, room)

    def advance(self, now: float) -> None:
        """Finish what is over by now: a node whose replacement is ready begins to drain."""
        self.draining += [end + DRAIN for end in self.launching if end <= now]
        self.nodes -= sum(end <= now for end in self.emptying)
        for ends in (self.launching, self.draining, self.emptying):
            ends[:] = [end for end in ends if end > now]

    def free(self, reason: Reason, now: float) -> int:
        """Return how many more nodes may be disrupted now. While a node drains, its replacement counts as well."""
        replacing = len(self.launching) + len(self.draining)
        # A percentage is of all nodes of the pool, and while a node drains it and its replacement are both there.
        left = allowed(self.pool, reason, self.nodes + len(self.draining), now) - self.busy - replacing - len(self.emptying)
        return min(left, self.room - replacing) if self.pool.is_static else left

    def admitted(self, waiting: Sequence[_Waiting], now: float) -> list[_Waiting]:
        """Return the first nodes that the budgets allow now."""
        free = {reason: self.free(reason, now) for reason in (Reason.EMPTY, Reason.DRIFTED)}
        admitted = []
        for w in waiting:
            if free[w.reason] <= 0:
                if w.reason is Reason.DRIFTED:
                    break  # nodes removed as empty come first
            elif w.ready is not None and w.ready <= now:
                admitted.append(w)
                # A node that is being disrupted counts against the budget of every reason.
                free = {reason: count - 1 for reason, count in free.items()}
        return admitted

    def begin(self, waiting: _Waiting, now: float) -> Turn:
        """Start disrupting a node, and return its turn."""
        if counts(waiting.node) and is_disrupted(waiting.node, waiting.reason):
            self.busy -= 1  # it counts as in progress from now on
        if waiting.reason is Reason.EMPTY:
            self.emptying.append(now + VALIDATION + DRAIN)
            return waiting.turn(now, now + VALIDATION)
        self.launching.append(now + LAUNCH)
        return waiting.turn(now, now + LAUNCH)

    def expire(self, waiting: _Waiting, now: float) -> Turn:
        """Remove an expired node, and return its turn."""
        self.draining.append(now + DRAIN)
        return replace(waiting.turn(now, now), expires=True)

    def next_event(self, now: float) -> float:
        """Return the next instant at which more may be allowed."""
        change = next_change(self.pool, now)
        ends = (*self.launching, *self.draining, *self.emptying)
        return min((*ends, *(() if change is None else (change,))), default=_NEVER)

    @property
    def closed(self) -> str:
        """Return why nodes that may be disrupted have no turn."""
        full = self.pool.is_static and self.room <= 0
        return (_FULL if full else _CLOSED).format(self.pool.name)


def _of_pool(name: str, waiting: Sequence[_Waiting], cluster: ClusterState) -> Iterator[Turn]:
    """Yield the turns of one pool's nodes, stepping from one instant of change to the next."""
    if name not in cluster.pools:
        yield from (w.never(w.why) for w in waiting)
        return
    pool = _Pool.of(cluster.pools[name], cluster)
    expiries = {w.node.name: at for w in waiting if (at := w.expires_at(cluster.now)) is not None}
    # Nothing changes between two of these instants, so it is enough to look at each of them.
    own_times = sorted({*expiries.values(), *(w.ready for w in waiting if w.ready is not None)})
    left, now, aging = list(waiting), cluster.now, frozenset(expiries.values())
    while left and now <= cluster.now + HORIZON:
        pool.advance(now)
        # Expiry comes first: it asks no budget, and takes the node out of the queue.
        for w in [w for w in left if expiries.get(w.node.name) == now] if now in aging else ():
            left.remove(w)
            yield pool.expire(w, now)
        for w in pool.admitted(left, now):
            left.remove(w)
            yield pool.begin(w, now)
        later = bisect_right(own_times, now)
        now = min(pool.next_event(now), own_times[later] if later < len(own_times) else _NEVER)
    yield from (w.never(w.why if w.ready is None else pool.closed) for w in left)
