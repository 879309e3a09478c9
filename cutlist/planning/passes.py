"""Run passes one after the other, until nothing changes (spec: scheduling 5.6, 6.9, 7.8; S-67, S-80, S-100, S-103).

Karpenter runs another pass once the nodes of a pass are launched, and so does a plan, no matter what kept pods pending. Until
then, a new node counts against limits as the largest type that it may become, counts in none of its domains for topology rules,
and holds every reservation that it may use. Each claim becomes a node of the next pass, placed pods stay where they are, and
the others are tried again. Real pods are never removed again, so the passes come to an end; virtual ones are placed again each
time (spec 11.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.core.wording import counted
from cutlist.planning.attaching import HeldBack
from cutlist.planning.full_nodes import counts_full_nodes, listed
from cutlist.planning.model.passes import (
    ATTACH_LIMITS,
    CAPACITY_BUFFERS,
    LAUNCHED_NODES,
    LIMITS,
    RESERVATIONS,
    TOPOLOGY,
    FurtherPass,
    WaitedFor,
)
from cutlist.planning.pass_cluster import PassCluster, with_pods
from cutlist.planning.pass_controller import Controller, PassController
from cutlist.planning.unwanted import unwanted
from cutlist.scheduling.refusals import (
    LimitsExceeded,
    NodesExhausted,
    NoReservation,
    NoTopology,
    NoType,
    PassesStopped,
    Refusal,
    beyond_limits,
)
from cutlist.scheduling.results import Results, UnschedulablePods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pods import Pod

MOST: Final = 1000
"""Number of passes after which a plan stops and says so: limits under which each pass opens a single node need one pass per
node."""
_LOOKED_AT: Final = 1_000_000
"""How many times further passes look at a new node that is not full, all together, after which a plan stops and says so."""

_CAUSES: Final[Mapping[type[Refusal], str]] = {
    LimitsExceeded: LIMITS,
    NodesExhausted: LIMITS,
    NoTopology: TOPOLOGY,
    NoReservation: RESERVATIONS,
}
_Pods = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PassesOutcome:
    """The outcome of several passes: one result over all of them, and the reasons for the passes after the first.

    `unfinished` says why the passes stopped although another might change something; it is empty when they came to an end.
    `controller` is the controller as the passes left it, for questions about pods that stay pending. `several` are the batches
    for whose pods several controllers launched nodes in the same pass. `beside` are, by node, the pods that no NodePool can
    take and that fit nodes of others: numbers by batch. The result has them as pending; `left` are those that remain so.
    `held_back` are the pods that the first pass launched nodes for whose volumes these nodes cannot attach.
    """

    result: Results
    controller: Controller
    further: tuple[FurtherPass, ...] = ()
    unfinished: str = ""
    several: frozenset[int] = frozenset()
    beside: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    left: Mapping[int, int] = field(default_factory=dict)
    held_back: tuple[HeldBack, ...] = ()

    @property
    def passes(self) -> int:
        """Return how many passes placed something, the first included."""
        return 1 + len(self.further)


@dataclass(frozen=True, slots=True)
class _Placements:
    """What a pass placed: real pods by batch, and how many nodes it opened."""

    pods: Mapping[int, int]
    nodes: int

    @property
    def changed(self) -> bool:
        """Tell whether the pass changed the cluster."""
        return bool(self.pods or self.nodes)


def run_joint_passes(
    controllers: Sequence[Controller], most: int = MOST, beside: Sequence[SchedulingNode] | None = None
) -> list[PassesOutcome]:
    """Run passes of all controllers until none changes anything; return the outcome of each.

    In a pass each looks at the same nodes and at the same pods that wait, without knowing what the others launch in it. A pod
    that several launch for is bound once, to the node of the first; the other nodes are free for pods that wait. `beside` are
    the nodes of node groups, if there are any: after the last pass, the kube-scheduler puts the pods there that no NodePool can
    take.
    """
    rounds = _Rounds(controllers)
    further: list[FurtherPass] = []
    unfinished, fruitless, opened, looked_at = "", 0, 0, 0
    placed = rounds.run()
    rounds.keep_held_back()
    while placed.changed and rounds.has_waiting:
        if len(further) + 1 == most:
            unfinished = f"stopped after {most:,} rounds; Karpenter would continue"
            break
        opened += rounds.opened_with_room
        looked_at += opened
        if looked_at > _LOOKED_AT:
            number = counted(len(further) + 1, "round")
            unfinished = f"stopped after {number}; the next one would look at each of {opened:,} new nodes"
            break
        # A pass that places no pod of a workload places virtual ones. With more such passes in a row than virtual pods, some
        # were placed twice.
        if fruitless > rounds.virtual_pods:
            unfinished = (
                "the rounds never end: each launches nodes for CapacityBuffers that the next round does not use for them"
            )
            break
        held_back = rounds.held_back
        before = rounds.take()
        placed = rounds.run()
        if placed.changed:
            fruitless = 0 if placed.pods else fruitless + 1
            waited = _waited_for(placed.pods, before, held_back) or (WaitedFor(CAPACITY_BUFFERS, 0),)
            further.append(FurtherPass(len(further) + 2, sum(placed.pods.values()), placed.nodes, waited))
    outcomes = rounds.outcomes(tuple(further), unfinished)
    return outcomes if beside is None else rounds.with_pods_beside(outcomes, beside)


class _Rounds:
    """Passes of all controllers at a time, each over its own view of the one cluster."""

    def __init__(self, controllers: Sequence[Controller]) -> None:
        started = [replace(controller, inputs=listed(controller.inputs)) for controller in controllers]
        counts_full = all(counts_full_nodes(controller.inputs) for controller in started)
        self._cluster = PassCluster(started[0].inputs, counts_full=counts_full)
        self._controllers = [PassController(controller, self._cluster) for controller in started]
        self._last: list[Results] = []
        self._held_back: list[tuple[HeldBack, ...]] = []
        self._is_taken = True
        self._several: set[int] = set()

    @property
    def has_waiting(self) -> bool:
        """Tell whether a pass has anything to place: pods without a node, or virtual ones."""
        return any(controller.has_waiting for controller in self._controllers)

    @property
    def virtual_pods(self) -> int:
        """Return how many pods of CapacityBuffers there are."""
        return self._cluster.virtual_pods

    @property
    def held_back(self) -> frozenset[int]:
        """Return the batches of which the last pass launched nodes for more pods than can attach their volumes there."""
        return frozenset(b for controller in self._controllers for held in controller.held_back for b in held.pods)

    @property
    def opened_with_room(self) -> int:
        """Return how many nodes the last pass opened that the next one would look at."""
        return sum(of.listed_of(last) for of, last in zip(self._controllers, self._last, strict=True))

    def keep_held_back(self) -> None:
        """Keep what the pass so far, the first, held back: later passes know it."""
        self._held_back = [tuple(controller.held_back) for controller in self._controllers]

    def run(self) -> _Placements:
        """Run a pass of each controller; return what they placed together."""
        self._last, self._is_taken = [controller.run() for controller in self._controllers], False
        if len(self._controllers) > 1:
            self._last, several = bound_once(self._last, self._cluster)
            self._several |= several
        placed = self._count_off()
        if not placed.changed and self._cluster.virtual_pods and self._cluster.has_real_pods_waiting:
            placed = self._bind_in_place_of_virtual_pods()
        return placed

    def _bind_in_place_of_virtual_pods(self) -> _Placements:
        """Bind the pods that fit existing nodes where only room for CapacityBuffers keeps them out (spec: api-objects 6.2).

        The kube-scheduler does not know that room. Karpenter sets it aside again in the next pass.
        """
        refused = self._last
        self._last = [self._controllers[0].run_without_virtual_pods(), *refused[1:]]
        placed = self._count_off()
        if not placed.changed:
            self._last = refused
        return placed

    def _count_off(self) -> _Placements:
        """Remove the pods that the last pass placed from those that wait; return what it placed."""
        placed: Counter[int] = Counter()
        for results in self._last:
            placed.update(self._cluster.real_pods_of(results))
        self._cluster.count_off(placed)
        return _Placements(placed, sum(len(results.claims) for results in self._last))

    def take(self) -> list[Results]:
        """Launch what the last pass opened, put its pods where it placed them, and return its results."""
        placed: dict[str, Mapping[int, int]] = {}
        for taking, last in zip(self._controllers, self._last, strict=True):
            on_nodes = taking.take(last)
            for controller in self._controllers:
                controller.bind_volumes(on_nodes)
            placed |= {name: {**placed.get(name, {}), **pods} for name, pods in on_nodes.items()}
        self._cluster.put_virtual(placed)
        self._is_taken = True
        return self._last

    def outcomes(self, further: tuple[FurtherPass, ...], unfinished: str) -> list[PassesOutcome]:
        """Return the outcome of each controller after the last pass."""
        if further or len(self._controllers) > 1 or self._cluster.has_changed:
            self.take()
        several = frozenset(self._several)
        return [
            PassesOutcome(
                self._with_all_waiting(controller.result(last)) if unfinished else controller.result(last),
                *(controller.left(), further, unfinished, several),
                held_back=held_back,
            )
            for controller, last, held_back in zip(self._controllers, self._last, self._held_back, strict=True)
        ]

    def _with_all_waiting(self, result: Results) -> Results:
        """Return the result of passes that stopped early with all pods that wait, also those that a next pass would place."""
        known, stopped = {unplaced.batch for unplaced in result.unplaced}, (("", PassesStopped()),)
        real = (b for b, batch in enumerate(self._cluster.batches) if b not in known and not batch.virtual)
        more = [UnschedulablePods(b, count, stopped) for b in real if (count := self._cluster.waiting(b))]
        return replace(result, unplaced=(*result.unplaced, *more))

    def with_pods_beside(self, outcomes: list[PassesOutcome], nodes: Sequence[SchedulingNode]) -> list[PassesOutcome]:
        """Return the outcomes with the pods that no NodePool can take on these nodes, or on existing ones of others.

        Those with rules about other pods come first: the kube-scheduler spreads pods over nodes, and leaves room for them.
        """
        results, inputs = [outcome.result for outcome in outcomes], self._controllers[0].inputs
        by_all = frozenset.intersection(*(unwanted(result, inputs) for result in results))
        excluded = [b for b in sorted(by_all) if self._cluster.waiting(b)]
        if not excluded:
            return outcomes
        if not self._is_taken:  # its pods take room on nodes that exist
            self.take()
        for node in nodes:
            self._cluster.add(node, (), {})
        beside: dict[str, Counter[int]] = {}
        for with_rules in (True, False):
            chosen = [b for b in excluded if _has_rules(inputs.batches[b].pod) is with_rules]
            for name, pods in (self._controllers[0].run_beside(chosen) if chosen else {}).items():
                self._cluster.fill(name, pods)
                self._cluster.count_off(pods)
                beside.setdefault(name, Counter()).update(pods)
        left = {b: count for b in excluded if (count := self._cluster.waiting(b))}
        return [replace(outcome, beside=beside, left=left) for outcome in outcomes]


def _has_rules(pod: Pod) -> bool:
    return bool(pod.anti_affinity or pod.spread)


def _waited_for(placed: Mapping[int, int], before: Sequence[Results], held_back: frozenset[int]) -> tuple[WaitedFor, ...]:
    """Return what the pods placed by a pass had waited for, according to the refusals of the pass before; it launched nodes for
    pods of the batches `held_back` that could not attach all their volumes."""
    refusals: dict[int, list[Refusal]] = {}
    for unplaced in (u for last in before for u in last.unplaced):
        refusals.setdefault(unplaced.batch, []).extend(refusal for _, refusal in unplaced.refusals)
    causes: Counter[str] = Counter()
    for batch, count in placed.items():
        causes[ATTACH_LIMITS if batch in held_back else _cause(refusals.get(batch, ()))] += count
    return tuple(WaitedFor(cause, causes[cause]) for cause in sorted(causes))


def _cause(refusals: Sequence[Refusal]) -> str:
    plain = map(beyond_limits, refusals)
    causes = [LIMITS if isinstance(r, NoType) and r.limits else _CAUSES.get(type(r), LAUNCHED_NODES) for r in plain]
    return next((cause for cause in (LIMITS, RESERVATIONS, TOPOLOGY) if cause in causes), LAUNCHED_NODES)


def bound_once(results: Sequence[Results], cluster: PassCluster) -> tuple[list[Results], set[int]]:
    """Return the results of the controllers' passes with each pod on one node, as the kube-scheduler binds each once (spec:
    api-objects 8.1), and the batches that several launched for.

    A pod goes to a node that exists, or else to a new one of the first controller that launches for its batch. If two use the
    same existing node, the second's pods wait for the next pass, which knows what is left of the node. Virtual pods keep no
    real pods waiting: they are placed again in the next pass.
    """
    on_existing, bound = _on_existing_nodes(results, cluster)
    once: list[Results] = []
    launched_for, several = set[int](), set[int]()
    for result, existing in zip(results, on_existing, strict=True):
        launches = {b for claim in result.claims for b in claim.pods}
        several |= launches & launched_for
        left = {b: 0 if b in launched_for else cluster.waiting(b) - bound[b] for b in launches}
        claims = tuple(with_pods(claim, _at_most(claim.pods, left), cluster.batches) for claim in result.claims)
        launched_for |= launches
        placed = {b for pods in (*existing.values(), *(claim.pods for claim in claims)) for b in pods}
        relaxed = {b: forms for b, forms in result.relaxed.items() if b in placed}
        once.append(replace(result, existing=existing, claims=claims, relaxed=relaxed))
    return once, several


def _on_existing_nodes(results: Sequence[Results], cluster: PassCluster) -> tuple[list[dict[str, _Pods]], Counter[int]]:
    """Return the pods that each controller puts on existing nodes, and how many of each batch all controllers put there."""
    bound: Counter[int] = Counter()
    used: set[str] = set()  # by real or virtual pods
    filled: set[str] = set()  # by real ones
    on_existing: list[dict[str, _Pods]] = []
    for result in results:
        kept: dict[str, _Pods] = {}
        left = {b: cluster.waiting(b) - bound[b] for pods in result.existing.values() for b in cluster.virtual(pods)}
        for name, pods in result.existing.items():
            real = {} if name in filled else {b: n for b, n in cluster.real(pods).items() if b not in bound}
            virtual = {} if name in used else _at_most(cluster.virtual(pods), left)
            if real or virtual:
                kept[name] = {b: real.get(b, virtual.get(b, 0)) for b in pods if b in real or b in virtual}
        on_existing.append(kept)
        for name, pods in kept.items():
            used.add(name)
            bound.update(pods)
            if cluster.real(pods):
                filled.add(name)
    return on_existing, bound


def _at_most(pods: _Pods, left: dict[int, int]) -> _Pods:
    """Return as many of the pods as are left of their batches, and count them off."""
    taken = {b: min(count, max(0, left[b])) for b, count in pods.items()}
    left.update({b: left[b] - count for b, count in taken.items()})
    return {b: count for b, count in taken.items() if count}
