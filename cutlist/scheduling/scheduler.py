"""One pass: pods from the queue onto nodes, open claims and new claims (spec: scheduling 5; Karpenter's `Scheduler.Solve`).

Pods are placed in batches of equal ones. Where no rule examines single pods, a whole batch is placed by arithmetic; where one
does, pods are placed one by one, by the same admission.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.scheduling.claim_filling import filled
from cutlist.scheduling.companions import Companions
from cutlist.scheduling.dynamicresources.admission import DeviceAdmission
from cutlist.scheduling.dynamicresources.claim_errors import ClaimError
from cutlist.scheduling.existingnodes import ExistingNodes
from cutlist.scheduling.inflightclaims import InFlightClaims
from cutlist.scheduling.joint_admission import JointAdmission
from cutlist.scheduling.nodeclaim import ClaimAdmission, InFlightClaim
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.placement_failures import PlacementFailures, TemplateRefusal
from cutlist.scheduling.poddata import PodData, PodDataCache
from cutlist.scheduling.preferences import relax
from cutlist.scheduling.queue import PodBatch, Queue, QueuedPods
from cutlist.scheduling.refusals import NoDynamicResources, NoReservation, Refusal, UnresolvedClaims, UnresolvedVolumes
from cutlist.scheduling.reservationmanager import NO_RESERVATIONS, ReservationManager
from cutlist.scheduling.spread_generations import Generations, SpreadGenerations
from cutlist.scheduling.spread_rounds import SpreadRounds
from cutlist.scheduling.topology import PodTopology, Topology, accepting
from cutlist.scheduling.topologygroup import TopologyGroup
from cutlist.state.volumes import NO_VOLUMES, PodVolumes
from cutlist.workloads.pods import Pod


class Scheduler:
    """The state of a pass while it runs. `solve` runs it to its end; the results are in `claims` and `failures`.

    `relaxed` are, by batch, the pods as they were placed with some preference relaxed, and how many.
    """

    def __init__(
        self,
        batches: Sequence[PodBatch],
        templates: Sequence[NodeClaimTemplate],
        admission: ClaimAdmission,
        cached_pod_data: PodDataCache,
        topology: Topology,
        volumes: Mapping[int, PodVolumes],
        ignored: Mapping[int, str],
        reservations: ReservationManager,
        existing_nodes: ExistingNodes,
        *,
        tolerate_prefer_no_schedule: bool,
        karpenter: Baseline,
        devices: DeviceAdmission | None = None,
    ) -> None:
        """Start a pass. Without `devices`, pods that claim some are not placed (R-1)."""
        self._karpenter = karpenter
        self.batches = batches
        self.templates = templates
        self.admission = admission
        self.topology = topology
        self.reservations = reservations
        self.devices = devices
        self._joint = JointAdmission(admission, topology, reservations, devices)
        self.existing_nodes = existing_nodes
        self.failures = PlacementFailures(batches, templates, admission, devices)
        self.relaxed: dict[int, dict[Pod, int]] = {}
        self.ignored = ignored
        tried = {i: batch for i, batch in enumerate(batches) if i not in ignored and batch.count > 0}
        self.queue = Queue(tried)
        self.cached_pod_data = cached_pod_data
        self._volumes = volumes
        # A pod whose volumes could not be looked up is registered with topology only once it has failed (spec 4.5).
        self._unregistered = {i for i in tried if not volumes.get(i, NO_VOLUMES).resolved}
        # Rules are built before any pod is placed, in the order of the list: the first pod with a rule decides its domains,
        # its filter and its minDomains for all that share it (spec 7.2), and a rule counts only what is placed after it was
        # built (7.4).
        for i, batch in tried.items():
            if i not in self._unregistered:
                topology.register(batch.pod)
        # Claims are looked up by what pods request; relaxing preferences changes no request, so these are all that will ever
        # be asked for.
        first = [cached_pod_data.of(batch.pod, volumes.get(i, NO_VOLUMES)) for i, batch in tried.items()]
        self.claims = InFlightClaims(admission, {pod_data.requests for pod_data in first})
        self._rounds = SpreadRounds(self.claims)
        self._generations = SpreadGenerations(self.claims, templates)
        self._companions = Companions(admission.space, cached_pod_data)
        self._pod_topologies: dict[int, PodTopology] = {}
        self._refused: dict[tuple[int, int], Refusal | TemplateRefusal] = {}
        self._ended = False
        self._tolerate_prefer_no_schedule = tolerate_prefer_no_schedule

    def solve(self) -> None:
        """Place every pod that can be placed. Pods left in the queue afterwards stay pending."""
        while not self._ended and (run := self.queue.pop()) is not None:
            self._try_run(run)
        if self._ended:
            self.failures.record_end(self.queue.left())

    def _try_run(self, run: QueuedPods) -> None:
        """Try the pods of a run one after the other until one fails; pods that fail move to the end.

        If one pod fails, so does the next, unless a spread chooses among equally good domains: then each pod gets another
        domain, and the rest moves to the end when all were tried (spec 7.8.1).
        """
        left, failed = run.count, 0
        # A search for devices that is out of time ends the pass where it is.
        while left:
            placed = 0 if self._ended else self._try_schedule(run.batch, left)
            if placed:
                self.queue.placed(placed)
                self.failures.forget(run.batch)
                left, failed = left - placed, 0
                continue
            failed += 1
            # Once every domain was tried without success, the other pods of the run would fail in the same way.
            pushed_back = 1 if failed < self._choices(run.batch) else left
            self.queue.push_back(run, pushed_back)
            left -= pushed_back

    def _choices(self, batch: int) -> int:
        """Return the largest number of domains among which a rule of a batch's pods may choose, from one attempt to the
        next."""
        pod_data = self.cached_pod_data.of(self.batches[batch].pod, self._volumes.get(batch, NO_VOLUMES))
        return max((group.choices for group in self._pod_topology(pod_data).obeyed), default=1)

    def _try_schedule(self, batch: int, wanted: int) -> int:
        """Place at least one pod, relaxing preferences as needed; return how many were placed, 0 when none can be."""
        first = self.batches[batch].pod
        if first.uses_dynamic_resources and (refusal := self._refused_claims(first)) is not None:
            self.failures.record_untried(batch, refusal)  # no NodePool is tried
            return 0
        volumes = self._volumes.get(batch, NO_VOLUMES)
        if self._karpenter.does(Behaviour.VOLUMES_ARE_RESOLVED_ONCE) and not volumes.attachable:
            self.failures.record_untried(batch, UnresolvedVolumes())
            return 0
        pod: Pod | None = first
        refused_alike = True
        while pod is not None:
            pod_data = self.cached_pod_data.of(pod, volumes)
            # Such a pod obeys only the rules of others at first; its own are registered with the next attempt (spec 4.5).
            registered = batch not in self._unregistered
            pod_topology = self._pod_topology(pod_data) if registered else self.topology.matching_topologies_of_others(pod)
            self._unregistered.discard(batch)
            # A rule, a choice of volumes, a device or a reservation may send the next equal pod elsewhere than this one.
            # Without them equal pods only use up room, and arithmetic gives what trying them one by one would.
            one_by_one = pod.uses_dynamic_resources or len(pod_data.volume_requirements) > 1 or self.reservations.active
            if pod_topology.obeyed or one_by_one:
                turns = wanted if pod is first else 1
                placed = 0 if one_by_one else self._add_together(pod_data, pod_topology, batch, turns, volumes)
                placed = placed or self._add_one(pod_data, pod_topology, batch, volumes)
            else:
                alike = wanted if pod is first or (refused_alike and self._only_narrows(pod_data)) else 1
                placed = self._add_alike(pod_data, pod_topology, batch, alike, volumes)
            if placed:
                if pod is not first:
                    counts = self.relaxed.setdefault(batch, {})
                    counts[pod] = counts.get(pod, 0) + placed
                return placed
            # Karpenter picks among equally good domains at random, so its next attempt looks at another one sooner or later.
            for group in pod_topology.obeyed:
                group.turn += 1
            # The pod waits for a later pass, which may find a reservation free; no preference is given up for it (spec 6.9).
            if self.failures.awaits_reservation(batch):
                return 0
            pod = relax(pod, tolerate_prefer_no_schedule=self._tolerate_prefer_no_schedule)
            # The next pod starts again with all its preferences (S-54). A rule, or a volume, may let it have what this one gave
            # up; without them it is refused as well, since there is only less room and less choice by then.
            refused_alike &= registered and not pod_topology.obeyed and not one_by_one
        self._ended = self.failures.has_ended_pass(batch)
        return 0

    def _only_narrows(self, pod_data: PodData) -> bool:
        """Tell whether pods leave no node or claim that takes more pods than before: each of their requirements lists values.

        Any other may give a claim a label that it did not have, and with it the pods that need that label (spec 2.6).
        """
        sets = (self.admission.space.sets[n] for n in (pod_data.requirements, *pod_data.volume_requirements))
        return all(r.values and not r.complement for requirements in sets for r in requirements.values())

    def _refused_claims(self, pod: Pod) -> Refusal | None:
        """Return why a pod is not tried because of its claims for devices, or None if it is."""
        if self.devices is None:
            return NoDynamicResources()
        claims = self.devices.claims_of(pod)
        return UnresolvedClaims(str(claims), claims.cause) if isinstance(claims, ClaimError) else None

    def _pod_topology(self, pod_data: PodData) -> PodTopology:
        cached = self._pod_topologies.get(pod_data.number)
        if cached is None:
            cached = self._pod_topologies[pod_data.number] = PodTopology()
        return self.topology.matching_topologies(pod_data.pod, cached)

    # --- batches that no rule examines one by one

    def _add_alike(self, pod_data: PodData, pod_topology: PodTopology, batch: int, wanted: int, volumes: PodVolumes) -> int:
        # The order of steps is Karpenter's: nodes, open claims, new claims (spec 5.2). Putting a pod anywhere gives room
        # nowhere else, so a step that took all it could is not asked again for the pods that are left.
        placed = self.existing_nodes.add_alike(pod_data, pod_topology, batch, wanted, volumes)
        candidates = self.claims.candidates(pod_data) if placed < wanted else 0
        if candidates:
            placed += self._fill_claims(candidates, pod_data, pod_topology, batch, wanted - placed)
        while placed < wanted and (new := self._new_claim(pod_data, pod_topology, batch)) is not None:
            placed += self._open_alike(new, pod_data, pod_topology, batch, wanted - placed)
        return placed

    def _fill_claims(self, candidates: int, pod_data: PodData, pod_topology: PodTopology, batch: int, wanted: int) -> int:
        """Give pods to open claims, each to the first in order that has room for one; return how many these are."""
        placed = 0
        for numbers, pods in filled(self.claims, candidates, pod_data, wanted):
            self._add_to_claims(numbers, pod_data, pod_topology, batch, pods)
            placed += pods * len(numbers)
        return placed

    def _open_alike(self, new: InFlightClaim, pod_data: PodData, pod_topology: PodTopology, batch: int, wanted: int) -> int:
        """Open claims that accept only these pods until they are full; return how many pods they accepted.

        `new` is a new claim with one pod. As long as the limits allow the same types the next claim is equal to it, so all
        full ones are opened at once.
        """
        # Each further pod would be tried on the open claims first, but these have no room for its like, so it joins the newest
        # claim.
        pods = room = 1 + (self.admission.room(new, pod_data, wanted - 1) if wanted > 1 else 0)
        full: InFlightClaim | None = new
        if pods > 1:
            # The claim has its first pod already.
            full = self.admission.add(new, pod_data, next(self.admission.narrow(new, pod_data)), pods - 1)
        assert full is not None  # noqa: S101 - the room said so
        # Only whole claims: the last one, with fewer pods, is opened by the caller's next round.
        claims = new.template.equal_claims(new.mask, max(1, wanted // room))
        self._open(new, full, pod_topology, batch, pods, claims)
        return pods * claims

    def _add_to_claims(self, numbers: range, pod_data: PodData, pod_topology: PodTopology, batch: int, pods: int) -> None:
        """Add so many pods to each of equal claims that are known to accept them; the order already includes them."""
        claim = self.claims.claims[numbers[0]]
        narrowed = next(self.admission.narrow(claim, pod_data))
        after = self.admission.add(claim, pod_data, narrowed, pods)
        assert after is not None  # noqa: S101 - the claim's room said so
        self._commit(numbers, after, pod_topology, batch, pods)

    def _commit(self, numbers: range, after: InFlightClaim, pod_topology: PodTopology, batch: int, pods: int) -> None:
        if self.reservations.active:
            reserved = self.claims.reserved
            for number in numbers:
                reserved[number] = self.reservations.exchange(reserved[number], after)
        self.claims.advance(numbers, after, batch, pods)
        if self.devices is not None:
            for number in numbers:
                self._commit_devices(after, number, batch)
        self._record(numbers, after, pod_topology, pods)

    def _record(self, numbers: range, after: InFlightClaim, pod_topology: PodTopology, pods: int) -> None:
        """Count pods on equal claims for the rules that select them."""
        if pod_topology.is_counted:  # most pods have no rules, and thousands of equal claims may be opened or filled at once
            final, taints = self.admission.requirements_of(after), after.template.pool.taints
            for number in numbers:
                self.topology.record(pod_topology, final, taints, number, pods)

    def _commit_devices(self, after: InFlightClaim, number: int, batch: int) -> None:
        if self.devices is not None and after.allocation is not None:
            self.devices.commit(after.allocation, number, batch, after)

    # --- pods of a spread, in rounds, and those that join others

    def _add_together(self, pod_data: PodData, pod_topology: PodTopology, batch: int, wanted: int, volumes: PodVolumes) -> int:
        """Give open claims their next pods at once; return how many these are, 0 where pods go one by one."""
        if wanted == 1 or self.existing_nodes.may_take(pod_data, batch, volumes):
            return 0
        joining = self._companions.of(pod_data, pod_topology)
        if joining is None:
            return self._add_rounds(pod_data, pod_topology, batch, wanted)
        return self._fill_claims(self.claims.candidates(joining), joining, pod_topology, batch, wanted)

    def _add_rounds(self, pod_data: PodData, pod_topology: PodTopology, batch: int, wanted: int) -> int:
        """Give the claims that take turns their next pods, or open equal ones again that are full then."""
        again = self._generations.of(pod_data, pod_topology, batch, wanted)
        if again is not None:
            self._open_again(again, pod_data, batch)
            return again.times * again.pods * len(again.unit)
        rounds = self._rounds.of(pod_data, pod_topology, wanted)
        if rounds is None:
            return 0
        self.claims.order.grow_in_turns(rounds.claims, rounds.each)
        for number in rounds.claims:
            self._add_to_claims(range(number, number + 1), pod_data, pod_topology, batch, rounds.each)
        return rounds.each * len(rounds.claims)

    def _open_again(self, again: Generations, pod_data: PodData, batch: int) -> None:
        remaining = again.unit[0].template.remaining
        for resource, each in again.spent.items():
            remaining[resource] -= again.times * each
        self.topology.register_claims(self.claims.open_in_turns(again.unit, batch, again.pods, again.times))
        for domain in again.domains:
            again.spread.record(domain, again.times * again.pods)
        self._generations.passed(pod_data, again)

    # --- pods that topology rules, a choice of volumes, devices or reservations examine one by one

    def _add_one(self, pod_data: PodData, pod_topology: PodTopology, batch: int, volumes: PodVolumes) -> int:
        if self.existing_nodes.add_one(pod_data, pod_topology, batch, volumes):
            return 1
        # What masks can tell is asked of all claims at once. It never excludes a claim that would accept the pod; those that
        # are left are examined in order.
        candidates = self.claims.candidates(pod_data)
        strict = self.admission.space.sets[pod_data.strict_requirements]
        every = (1 << len(self.claims)) - 1
        for group in pod_topology.obeyed:
            if not candidates:
                break
            domains, undecided = ({}, 0) if group.by_host else self.claims.by_domain(group.key)
            candidates &= accepting(group, pod_data.pod, strict.get_or_any(group.key), domains, undecided, every)
        over = next((group.key for group in pod_topology.obeyed if not group.by_host), "")
        while (number := self.claims.first(candidates, over)) is not None:
            claim = self.claims.claims[number]
            # What the claim holds already counts as free for it.
            held = self.claims.reserved[number]
            after = self._joint.can_add_in_some_domain(claim, pod_data, pod_topology, number, held)
            if isinstance(after, InFlightClaim):
                self.claims.order.grow(number, 1)
                self._commit(range(number, number + 1), after, pod_topology, batch, 1)
                return 1
            # A claim that refuses the pod without its rules refuses it for good, since it only ever shrinks. What a rule
            # refuses it may allow once the counts have changed, and devices may come free.
            candidates ^= 1 << number
            if not (pod_data.pod.uses_dynamic_resources or self._would_accept(claim, pod_data)):
                self.claims.refuse(pod_data, 1 << number)
        new = self._new_claim(pod_data, pod_topology, batch)
        if new is None:
            return 0
        self._open(new, new, pod_topology, batch, 1)
        return 1

    def _would_accept(self, claim: InFlightClaim, pod_data: PodData) -> bool:
        """Tell whether a claim accepts a pod, its topology rules aside."""
        return any(self.admission.add(claim, pod_data, narrowed) for narrowed in self.admission.narrow(claim, pod_data))

    # --- new claims

    def _new_claim(self, pod_data: PodData, pod_topology: PodTopology, batch: int) -> InFlightClaim | None:
        """Return a claim for one pod from the first template that allows one; None with the refusals recorded."""
        answers: list[tuple[str, Refusal | TemplateRefusal]] = []
        # Without rules and reservations a template's answer changes only for the worse: limits are never given back (spec
        # 5.6). So a refusal is kept for all pods of the kind.
        lasts = not (pod_topology.obeyed or self.reservations.active or pod_data.pod.uses_dynamic_resources)
        for template in self.templates:
            refused = self._refused.get((pod_data.number, template.index)) if lasts else None
            answer = refused or self._new_claim_from(template, pod_data, pod_topology)
            if isinstance(answer, InFlightClaim):
                return answer
            if lasts:
                self._refused[pod_data.number, template.index] = answer
            answers.append((template.name, answer))
            # Templates of lower weight are not tried: the pod is to wait for the reservation (spec 5.6, 6.9).
            if isinstance(answer, NoReservation):
                break
        self.failures.record(batch, answers)
        return None

    def _new_claim_from(
        self, template: NodeClaimTemplate, pod_data: PodData, pod_topology: PodTopology
    ) -> InFlightClaim | Refusal | TemplateRefusal:
        mask = 0 if template.exhausted else template.within_limits()
        if mask:
            empty = self.admission.new_claim(template, mask)
            after = self._joint.can_add(empty, pod_data, pod_topology, len(self.claims), NO_RESERVATIONS)
            if after is not None and not isinstance(after, TopologyGroup):
                return after
            if after is not None:
                return self._joint.no_topology(after, empty, pod_data, pod_topology, len(self.claims))
        refusal = TemplateRefusal(template, pod_data, mask, dict(template.remaining))
        if not pod_topology.obeyed:
            return refusal
        # Topology's reason changes with the next placement, so it is recorded now.
        return refusal.cause(self.admission) or self._joint.no_type_in_domains(
            self.admission.new_claim(template, mask), pod_data, pod_topology, len(self.claims)
        )

    def _open(
        self, new: InFlightClaim, after: InFlightClaim, pod_topology: PodTopology, batch: int, pods: int, claims: int = 1
    ) -> None:
        """Open claims: each is `new` with its first pod and `after` once it has this many."""
        template = new.template
        template.spend(new.mask, claims)  # by what the claim might be with its first pod; later narrowing gives nothing back
        # A template remembers only its last claim, as Karpenter's does (S-76).
        template.min_values_relaxed = new.relaxed
        opened = self.claims.open(after, batch, pods, claims)
        if self.reservations.active:
            self.claims.settle()
            for number in opened:
                self.claims.reserved[number] = self.reservations.exchange(NO_RESERVATIONS, after)
        if self.devices is not None:
            for number in opened:
                self._commit_devices(after, number, batch)
        self.topology.register_claims(opened)
        self._record(opened, after, pod_topology, pods)
