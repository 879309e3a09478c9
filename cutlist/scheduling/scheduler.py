"""One pass of the scheduler: pods from the queue onto open claims, and new claims where none takes them (spec: scheduling 5).

Work is done by batches of alike pods. Where no rule looks at single pods, a whole batch is placed by arithmetic; where one
does, pods are placed one by one, over the same admission.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from cutlist.scheduling.admission import Admission, InFlightState, PodData
from cutlist.scheduling.existingnodes import ExistingNodes
from cutlist.scheduling.inflightclaims import InFlightClaims
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.poddata import PodDataCache
from cutlist.scheduling.preferences import relax
from cutlist.scheduling.queue import PodBatch, Queue, QueuedPods
from cutlist.scheduling.refusals import Incompatible, NoDynamicResources, NoReservation, NoTopology, Refusal
from cutlist.scheduling.reservationmanager import NONE_HELD, ReservationManager
from cutlist.scheduling.topology import PodTopology, Topology, accepting
from cutlist.scheduling.topologygroup import TopologyGroup
from cutlist.state.volumes import NO_VOLUMES, PodVolumes
from cutlist.workloads.pods import Pod

_SHOWN_DOMAINS = 20  # a refusal names the counts of at most this many domains


@dataclass(frozen=True, slots=True)
class TemplateRefusal:
    """A template that took no pod of a shape; why is worked out when somebody asks.

    `mask` and `remaining` are the types that its limits allowed then, and what was left of them.
    """

    template: NodeClaimTemplate
    shape: PodData
    mask: int
    remaining: Mapping[str, int]


@dataclass(slots=True)
class PlacementFailure:
    """Why a batch's pods found no place at their last attempt: the answer of each template, in order."""

    answers: list[tuple[str, Refusal | TemplateRefusal]] = field(default_factory=list)


class Scheduler:
    """The state of a pass while it runs. `solve` runs it to its end; results are read off `claims` and `failures`.

    `relaxed` are, by batch, the pods as they were placed with something given up, and how many.
    """

    def __init__(
        self,
        batches: Sequence[PodBatch],
        templates: Sequence[NodeClaimTemplate],
        admission: Admission,
        shapes: PodDataCache,
        topology: Topology,
        volumes: Mapping[int, PodVolumes],
        ignored: Mapping[int, str],
        reservations: ReservationManager,
        existing: ExistingNodes,
        *,
        tolerate_soft: bool,
    ) -> None:
        self.batches = batches
        self.templates = templates
        self.admission = admission
        self.topology = topology
        self.reservations = reservations
        self.existing = existing
        self.failures: dict[int, PlacementFailure] = {}
        self.relaxed: dict[int, dict[Pod, int]] = {}
        self.ignored = ignored
        tried = {i: batch for i, batch in enumerate(batches) if i not in ignored and batch.count > 0}
        self.queue = Queue(tried)
        self.shapes = shapes
        self._volumes = volumes
        # A pod whose volumes could not be looked up is only made known to topology once it has failed (spec 4.5).
        self._unregistered = {i for i in tried if not volumes.get(i, NO_VOLUMES).resolved}
        for i, batch in tried.items():
            if i not in self._unregistered:
                topology.register(batch.pod)
        first = [shapes.of(batch.pod, volumes.get(i, NO_VOLUMES).alternatives) for i, batch in tried.items()]
        self.claims = InFlightClaims(admission, {shape.needs for shape in first})
        self._bonds: dict[int, PodTopology] = {}
        self._refused: dict[tuple[int, int], Refusal | TemplateRefusal] = {}
        self._tolerate_soft = tolerate_soft

    def solve(self) -> None:
        """Place what can be placed. What is left in the queue afterwards stays pending."""
        while (run := self.queue.pop()) is not None:
            self._attempt(run)

    def _attempt(self, run: QueuedPods) -> None:
        """Try the pods of a run one after the other, as far as they go; pods that fail go to the end.

        What failed for one pod fails for the next, too, unless a spread chooses among equally good domains: then each pod gets
        another of them, and the rest is given up when all were tried (spec 7.8.1).
        """
        left, failed = run.count, 0
        while left:
            placed = self._place(run.batch, left)
            if placed:
                self.queue.placed(placed)
                self.failures.pop(run.batch, None)
                left, failed = left - placed, 0
                continue
            failed += 1
            given_up = 1 if failed < self._choices(run.batch) else left
            self.queue.push_back(run, given_up)
            left -= given_up

    def _choices(self, batch: int) -> int:
        """Among how many domains the rules of a batch's pods may choose, at most, from one attempt to the next."""
        shape = self.shapes.of(self.batches[batch].pod, self._volumes.get(batch, NO_VOLUMES).alternatives)
        return max((group.choices for group in self._bonds_of(shape).obeyed), default=1)

    def _place(self, batch: int, wanted: int) -> int:
        """Place at least one pod, giving up preferences as needed; how many were placed, 0 when it cannot be."""
        pod: Pod | None = self.batches[batch].pod
        if pod is not None and pod.uses_dynamic_resources:
            self.failures[batch] = PlacementFailure([("", NoDynamicResources())])  # no NodePool is asked
            return 0
        volumes = self._volumes.get(batch, NO_VOLUMES)
        while pod is not None:
            shape = self.shapes.of(pod, volumes.alternatives)
            bonds = self.topology.foreign_bonds(pod) if batch in self._unregistered else self._bonds_of(shape)
            self._unregistered.discard(batch)
            if bonds.obeyed or len(shape.volumes) > 1 or self.reservations.active:
                placed = self._place_one(shape, bonds, batch, volumes)
            else:
                placed = self._place_alike(shape, bonds, batch, wanted, volumes)
            if placed:
                if pod is not self.batches[batch].pod:
                    settled = self.relaxed.setdefault(batch, {})
                    settled[pod] = settled.get(pod, 0) + placed
                return placed
            for group in bonds.obeyed:
                group.turn += 1
            if any(isinstance(answer, NoReservation) for _, answer in self.failures[batch].answers):
                return 0
            pod = relax(pod, tolerate_prefer_no_schedule=self._tolerate_soft)
            wanted = 1
        return 0

    def _bonds_of(self, shape: PodData) -> PodTopology:
        known = self._bonds.get(shape.number)
        if known is None:
            known = self._bonds[shape.number] = PodTopology()
        return self.topology.bonds(shape.pod, known)

    # --- batches that no rule looks at one by one

    def _place_alike(self, shape: PodData, bonds: PodTopology, batch: int, wanted: int, volumes: PodVolumes) -> int:
        placed = self.existing.place_alike(shape, bonds, batch, wanted, volumes)
        candidates = self.claims.candidates(shape) if placed < wanted else 0
        if candidates:
            room = partial(self.claims.room, shape, wanted - placed)
            for number, pods in self.claims.order.fill(candidates, room, wanted - placed).items():
                self._put(number, shape, bonds, batch, pods)
                placed += pods
        while placed < wanted and (opening := self._opening(shape, bonds, batch)) is not None:
            placed += self._open_alike(*opening, shape, bonds, batch, wanted - placed)
        return placed

    def _open_alike(
        self, template: NodeClaimTemplate, first: InFlightState, shape: PodData, bonds: PodTopology, batch: int, wanted: int
    ) -> int:
        """Open claims that no pod but these goes to until they are full; how many pods they took.

        `first` is a new claim with one pod. Without limits the next claim is just like it, so that all full ones are opened at
        once; with limits each claim changes what the next may become.
        """
        pods = room = 1 + (self.admission.room(first, shape, wanted - 1) if wanted > 1 else 0)
        after: InFlightState | None = first
        if pods > 1:
            after = self.admission.settle(first, shape, next(self.admission.narrow(first, shape)), pods - 1)
        assert after is not None  # noqa: S101 - the room said so
        claims = 1 if template.remaining else max(1, wanted // room)
        self._open(template, first, after, bonds, batch, pods, claims)
        return pods * claims

    def _put(self, number: int, shape: PodData, bonds: PodTopology, batch: int, pods: int) -> None:
        """Add pods to a claim that is known to take them; the order has been told."""
        state = self.claims.claims[number].state
        narrowed = next(self.admission.narrow(state, shape))
        after = self.admission.settle(state, shape, narrowed, pods)
        assert after is not None  # noqa: S101 - the claim's capacity said so
        self._commit(number, after, bonds, batch, pods)

    def _commit(self, number: int, after: InFlightState, bonds: PodTopology, batch: int, pods: int) -> None:
        claim = self.claims.claims[number]
        claim.reserved = self.reservations.exchange(claim.reserved, after)
        self.claims.advance(number, after, batch, pods)
        self.topology.record(bonds, self.admission.result(after), after.template.pool.taints, number, pods)

    # --- pods that topology rules, a choice of volumes or reservations look at one by one

    def _place_one(self, shape: PodData, bonds: PodTopology, batch: int, volumes: PodVolumes) -> int:
        if self.existing.place_one(shape, bonds, batch, volumes):
            return 1
        candidates = self.claims.candidates(shape)
        strict = self.admission.space.sets[shape.strict]
        every = (1 << len(self.claims.claims)) - 1
        for group in bonds.obeyed:
            if not candidates:
                break
            domains, undecided = ({}, 0) if group.by_host else self.claims.by_domain(group.key)
            candidates &= accepting(group, shape.pod, strict.get_or_any(group.key), domains, undecided, every)
        while (number := self.claims.order.first(candidates)) is not None:
            state = self.claims.claims[number].state
            after = self._admit_somehow(state, shape, bonds, number)
            if isinstance(after, InFlightState):
                self.claims.order.grow(number, 1)
                self._commit(number, after, bonds, batch, 1)
                return 1
            candidates ^= 1 << number
            if not any(self.admission.settle(state, shape, narrowed) for narrowed in self.admission.narrow(state, shape)):
                self.claims.refuse(shape, number)
        opening = self._opening(shape, bonds, batch)
        if opening is None:
            return 0
        template, first = opening
        self._open(template, first, first, bonds, batch, 1)
        return 1

    def _admit_somehow(
        self, state: InFlightState, shape: PodData, bonds: PodTopology, host: int
    ) -> InFlightState | TopologyGroup | NoReservation | None:
        """The claim with the pod on it, in whichever of equally good domains it has room.

        Karpenter picks one for each claim anew, so of several claims that have room in one of them one takes the pod all but
        surely; here it is the first.
        """
        after = self._admit(state, shape, bonds, host)
        open_to = [g for g in bonds.obeyed if after is None and g.choices > 1 and self._undecided(state, g)]
        before = [g.turn for g in open_to]
        for _ in range(max((g.choices for g in open_to), default=1) - 1):
            for group in open_to:
                group.turn += 1
            after = self._admit(state, shape, bonds, host)
            if isinstance(after, InFlightState):
                break
        for group, turn in zip(open_to, before, strict=True):
            group.turn = turn
        return after

    def _undecided(self, state: InFlightState, group: TopologyGroup) -> bool:
        """Whether a claim may still come to be in one of several domains of a rule."""
        held = self.admission.result(state).get(group.key)
        return held is None or held.complement or len(held.values) > 1

    def _admit(
        self, state: InFlightState, shape: PodData, bonds: PodTopology, host: int
    ) -> InFlightState | TopologyGroup | NoReservation | None:
        """The claim with the pod on it; else the topology rule or reservation that forbids it, or None for another cause.

        Of several alternatives of volumes the cause of the last counts: a reservation forbids relaxing (spec 8).
        """
        held = self.claims.claims[host].reserved if host < len(self.claims.claims) else NONE_HELD
        blocked: TopologyGroup | NoReservation | None = None
        for narrowed in self.admission.alternatives(state, shape):
            if narrowed is None:
                blocked = None
                continue
            space = self.admission.space
            chosen = self.topology.choose(shape.pod, bonds, space.sets[shape.strict], space.sets[narrowed], host)
            if isinstance(chosen, TopologyGroup):
                blocked = chosen
                continue
            bound = space.meet(narrowed, space.number(chosen))
            after = None if bound is None else self.admission.settle(state, shape, bound)
            reserved = None if after is None else self.reservations.choose(after, held)
            if not isinstance(reserved, NoReservation | None):
                return after
            blocked = reserved
        return blocked

    # --- new claims

    def _opening(self, shape: PodData, bonds: PodTopology, batch: int) -> tuple[NodeClaimTemplate, InFlightState] | None:
        """The first template that allows a claim for one pod, and that claim; None with the refusals noted."""
        failure = PlacementFailure()
        for template in self.templates:
            known = None if bonds.obeyed else self._refused.get((shape.number, template.index))
            after = known or self._open_from(template, shape, bonds)
            if isinstance(after, InFlightState):
                return template, after
            if not (bonds.obeyed or self.reservations.active):
                self._refused[shape.number, template.index] = after
            failure.answers.append((template.name, after))
            if isinstance(after, NoReservation):
                break
        self.failures[batch] = failure
        return None

    def _open_from(
        self, template: NodeClaimTemplate, shape: PodData, bonds: PodTopology
    ) -> InFlightState | Refusal | TemplateRefusal:
        mask = 0 if template.exhausted else template.within_limits()
        if mask:
            after = self._admit(self.admission.fresh(template, mask), shape, bonds, len(self.claims.claims))
            if isinstance(after, InFlightState | NoReservation):
                return after
            if after is not None:
                return _no_topology(after)
        declined = TemplateRefusal(template, shape, mask, dict(template.remaining))
        if not bonds.obeyed:
            return declined
        # What topology had to say changes with the next placement, so it is written down now.
        return self._why(declined) or self._topology_left_nothing(template, shape, bonds, mask)

    def refusals(self, batch: int) -> tuple[tuple[str, Refusal], ...]:
        """Why a batch's pods found no place at their last attempt: what each template said, in order."""
        answers = self.failures[batch].answers if batch in self.failures else ()
        reasons = ((name, self._why(a) if isinstance(a, TemplateRefusal) else a) for name, a in answers)
        return tuple((name, reason) for name, reason in reasons if reason is not None)

    def _why(self, declined: TemplateRefusal) -> Refusal | None:
        return self.admission.refusal(declined.template, declined.shape, declined.mask, declined.remaining)

    def _topology_left_nothing(self, template: NodeClaimTemplate, shape: PodData, bonds: PodTopology, mask: int) -> Refusal:
        """The pod alone would fit: the domains that its topology rules chose have no type for it."""
        space, state = self.admission.space, self.admission.fresh(template, mask)
        host = len(self.claims.claims)
        narrowed = next(self.admission.narrow(state, shape))
        chosen = self.topology.choose(shape.pod, bonds, space.sets[shape.strict], space.sets[narrowed], host)
        if isinstance(chosen, TopologyGroup):
            return _no_topology(chosen)
        conflict = space.sets[narrowed].incompatibility(chosen, space.well_known)
        return (
            Incompatible(conflict)
            if conflict
            else self.admission.no_type(state, shape, space.join(narrowed, space.number(chosen)))
        )

    def _open(
        self,
        template: NodeClaimTemplate,
        first: InFlightState,
        after: InFlightState,
        bonds: PodTopology,
        batch: int,
        pods: int,
        claims: int = 1,
    ) -> None:
        """Open claims that each start with one pod in one state and have so many, at once, in another."""
        template.spend(first.mask)
        template.min_values_relaxed = first.relaxed
        final = self.admission.result(after)
        for number in self.claims.open(after, batch, pods, claims):
            if self.reservations.active:
                self.claims.claims[number].reserved = self.reservations.exchange(NONE_HELD, after)
            self.topology.open_claim(number)
            self.topology.record(bonds, final, template.pool.taints, number, pods)


def _no_topology(group: TopologyGroup) -> NoTopology:
    counts = sorted((d, n) for d, n in group.counts.items() if isinstance(d, str))[:_SHOWN_DOMAINS]
    return NoTopology(group.kind, group.key, tuple(counts))
