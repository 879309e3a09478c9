"""Explain why NodePools accept or refuse the pods of a workload, why spot is excluded, and the least that the pods could
cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from cutlist.core.bits import bits
from cutlist.core.labels import CAPACITY_TYPE, SPOT, LabelRegistry
from cutlist.core.quantity import amount_text, merge, subtract
from cutlist.core.requirements import Requirements
from cutlist.core.taints import untolerated
from cutlist.planning.allowed import open_offerings
from cutlist.planning.fitting_types import FittingTypes, best_of_each_kind
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.least_price import FittingMachine, least_price, weighed_together
from cutlist.planning.meant_pools import MeantPools
from cutlist.planning.model import PlannedNode
from cutlist.planning.model.explanation import Answer, Narrowing
from cutlist.planning.pass_inputs import PassInputs
from cutlist.planning.passes import PassesOutcome
from cutlist.planning.pending_reasons import pool_remarks
from cutlist.planning.reasons import PoolRemarks, pool_sentence
from cutlist.planning.remedies.search import Remedies
from cutlist.planning.remedies.words import pool_advice
from cutlist.scheduling.claim_refusals import refusal_of
from cutlist.scheduling.dynamicresources.claim_errors import ClaimError
from cutlist.scheduling.dynamicresources.device_amounts import NO_AMOUNTS, DeviceAmounts, device_amounts, templates_of
from cutlist.scheduling.nodeclaim import InFlightClaim
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate, prefilter
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.provisioner import prepare
from cutlist.scheduling.refusals import Refusal
from cutlist.scheduling.scheduler import Scheduler
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import NO_VOLUMES
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod

_TOO_LATE: Final = "would take it, but an earlier NodePool did"
_NOT_NEEDED: Final = "would take it, but existing nodes did"
_NEW: Final = -1  # no NodeClaim has this number
_LEAST_TRIED: Final = 4
_MOST_TRIES: Final = 1_000
"""For how many NodePools it is tried at least what would help, and for how many at most, multiplied by those that there are."""


@dataclass(frozen=True, slots=True)
class Explainer:
    """Answers questions about single batches, in addition to the outcome of the passes. Its scheduler has placed nothing, so it
    answers for a pod that comes first.
    """

    ready: PassInputs
    outcome: PassesOutcome
    scheduler: Scheduler
    remedies: Remedies
    remarks: PoolRemarks
    meant: MeantPools

    @staticmethod
    def of(inputs: PlanInputs, ready: PassInputs, outcome: PassesOutcome) -> Explainer:
        """Return what answers questions about an outcome, with a scheduler prepared from the inputs that led to it."""
        remarks = pool_remarks(inputs, ready.assumed_disks)
        scheduler, remedies = prepare(ready.passes, ready.tables), Remedies(inputs, ready, outcome)
        meant = MeantPools(ready.passes, lambda name: ready.tables.of(name, ready.passes.registry.well_known))
        return Explainer(ready, outcome, scheduler, remedies, remarks, meant)

    def answers(self, batch: int) -> tuple[Answer, ...]:
        """Return the answer of every participating NodePool to the pods of a batch, in the order in which they are tried."""
        took = self._took(batch)
        refusals = {pool: refusal for u in self.outcome.result.unplaced if u.batch == batch for pool, refusal in u.refusals}
        helps = self._advices(batch, refusals)
        return tuple(self._answer(t, batch, took, refusals, helps) for t in self.scheduler.templates)

    def _advices(self, batch: int, refusals: Mapping[str, Refusal]) -> Mapping[str, str]:
        """Return what would help at NodePools, by name. Each try plans with all NodePools, so of very many only those are tried
        that were likeliest meant, and the others say so."""
        tried = list(refusals)
        most = max(_LEAST_TRIED, _MOST_TRIES // max(1, len(self.scheduler.templates)))
        if len(tried) > most:
            ranked = self.meant.ranked(self.ready.batches[batch].pod, tuple(refusals.items()))
            tried = [pool for group in ranked for pool, _ in group][:most]
        others = f"not tried: of {len(refusals):,} NodePools those that were likelier meant came first"
        return {**dict.fromkeys(refusals, others), **{pool: self._advice(batch, pool, refusals[pool]) for pool in tried}}

    def _advice(self, batch: int, pool: str, refusal: Refusal) -> str:
        remedy = self.remedies.first(batch, pool, refusal)
        return "" if remedy is None else pool_advice(remedy, self.remarks)

    def spot(self, batch: int, nodes: Iterable[PlannedNode]) -> tuple[str, ...]:
        """Return where the new nodes of a batch's pods cannot be spot, and why."""
        reasons = []
        for pool in dict.fromkeys(n.node_pool for n in nodes if SPOT not in n.capacity_types):
            template = next((t for t in self.scheduler.templates if t.name == pool), None)
            if template is not None:  # the nodes of a static NodePool are not there for the pods
                reasons.append(f"NodePool {pool}: {self._without_spot(template, batch, pool)}")
        return tuple(reasons)

    def machines(self, fitting: FittingTypes, amounts: DeviceAmounts = NO_AMOUNTS) -> Iterator[FittingMachine]:
        """Yield machines of types on which a pod fits, each with its price, the room that DaemonSets leave, and its devices."""
        template, numbers = fitting.template, list(bits(fitting.mask))
        types = template.instance_types.types
        sold = open_offerings((types[n] for n in numbers), fitting.wanted, self.ready.passes.registry)
        for number, (t, offerings) in zip(numbers, sold, strict=True):
            daemons = [g.overhead for g in template.groups if g.mask >> number & 1]
            devices = amounts.of_type(t.dynamic_resources)
            for offering in offerings:
                if offering.cost is not None:
                    room = merge(subtract(t.allocatable(offering), merge(*daemons)), devices)
                    yield FittingMachine(room, offering.cost)

    def _fitting(self, batch: int) -> Iterator[FittingTypes]:
        """Yield the types of each NodePool on which a pod of a batch may be placed."""
        pod_data, admission = self._pod_data(batch), self.scheduler.admission
        for template in self.scheduler.templates:
            state = admission.alone(template, pod_data)
            if state is not None:
                wanted = self.ready.predictions.of_machines(admission.requirements_of(state))
                yield FittingTypes(template, self._with_devices(state, pod_data), wanted)

    def least(self, pods: Mapping[int, int]) -> float | None:
        """Return the least that this many pods of each batch could cost, or None if no machine for them has a price."""
        of_batch = {batch: self.ready.batches[batch].pod for batch in pods}
        amounts = device_amounts([self.ready.passes], of_batch.values())
        of_pod = {b: merge(pod.requests, *map(amounts.of_template, templates_of(pod))) for b, pod in of_batch.items()}
        requests = merge(*({r: a * count for r, a in of_pod[batch].items()} for batch, count in pods.items()))
        # Of machines with the same room the cheapest is enough, and thousands of offerings have few different rooms.
        cheapest: dict[tuple[int, ...], float] = {}
        fitting = [types for batch in pods for types in self._fitting(batch)]
        best = best_of_each_kind(fitting, weighed_together(requests))
        for machine in (machine for types in best for machine in self.machines(types, amounts) if machine.price >= 0):
            room = tuple(machine.room.get(resource, 0) for resource in requests)
            cheapest[room] = min(machine.price, cheapest.get(room, machine.price))
        return least_price(
            requests, [FittingMachine(dict(zip(requests, room, strict=True)), price) for room, price in cheapest.items()]
        )

    def _took(self, batch: int) -> dict[str, int]:
        took: dict[str, int] = {}
        for claim in self.outcome.result.claims:
            took[claim.node_pool] = took.get(claim.node_pool, 0) + claim.pods.get(batch, 0)
        return took

    def _answer(
        self,
        t: NodeClaimTemplate,
        batch: int,
        took_by: Mapping[str, int],
        refusals: Mapping[str, Refusal],
        helps: Mapping[str, str],
    ) -> Answer:
        took = took_by.get(t.name, 0)
        pod_data = self._pod_data(batch)
        refusal = refusals.get(t.name) or refusal_of(self.scheduler.admission, t, pod_data, t.within_limits(), t.remaining)
        narrowing = tuple(self._narrowing(t, pod_data))
        if took or (refusal is None and not self._waits(batch)):
            untried = _TOO_LATE if any(took_by.values()) else _NOT_NEEDED
            return Answer(t.name, t.pool.weight, took, "" if took else untried, narrowing=narrowing)
        if refusal is None:
            return Answer(t.name, t.pool.weight, took, narrowing=narrowing)
        why = pool_sentence(t.name, refusal, self.remarks)
        return Answer(t.name, t.pool.weight, took, why, str(refusal), helps.get(t.name, ""), narrowing)

    def _waits(self, batch: int) -> bool:
        return any(u.batch == batch for u in self.outcome.result.unplaced)

    def _narrowing(self, template: NodeClaimTemplate, pod_data: PodData) -> Iterator[Narrowing]:
        """Yield the steps that narrow the types of a NodePool down to those that can hold a pod; steps that remove none are
        left out."""
        instance_types, admission = template.instance_types, self.scheduler.admission
        steps = [Narrowing("its node class has in the region", len(instance_types.types))]
        steps.append(Narrowing("the NodePool's requirements allow and the region offers", template.mask.bit_count()))
        state = admission.new_claim(template, template.mask)
        narrowed = next(admission.narrow(state, pod_data), None)
        if narrowed is not None:
            wanted = admission.space.sets[narrowed]
            steps.append(
                Narrowing("the pod's own requirements allow", (prefilter(instance_types, wanted) & template.mask).bit_count())
            )
            held = admission.add(state, pod_data, narrowed)
            left = 0 if held is None else held.mask
            steps.append(Narrowing("have room for it besides DaemonSets", left.bit_count()))
            if held is not None:
                left = self._with_devices(held, pod_data)
                steps.append(Narrowing("have the devices for its claims", left.bit_count()))
            if left and template.remaining:
                steps.append(Narrowing("the NodePool's limits allow", (left & template.within_limits()).bit_count()))
        before = -1
        for step in steps:
            if step.types != before:
                yield step
            before = step.types

    def _with_devices(self, claim: InFlightClaim, pod_data: PodData) -> int:
        """Return the types of a new NodeClaim that have devices for a pod's claims: all of them if it has none."""
        devices, types = self.scheduler.devices, claim.template.instance_types.types
        if devices is None or not pod_data.pod.uses_dynamic_resources:
            return claim.mask
        found = devices.on_claim(claim, _NEW, pod_data.pod)
        return 0 if isinstance(found, ClaimError) else sum(1 << n for n in bits(claim.mask) if types[n].name in found.types)

    def _pod_data(self, batch: int) -> PodData:
        """Return the pods of a batch in the form in which most of them were placed, if that differs from the written one."""
        forms = self.outcome.result.relaxed.get(batch, {})
        pod = max(forms, key=lambda form: forms[form]) if forms else self.ready.batches[batch].pod
        return self.scheduler.cached_pod_data.of(pod, self.ready.passes.volumes.get(batch, NO_VOLUMES))

    def _without_spot(self, template: NodeClaimTemplate, batch: int, pool: str) -> str:
        """Return what excludes spot: the NodePool, the pods themselves, others on their nodes, or a lack of offerings."""
        sets = self.scheduler.admission.space.sets
        if not _allows_spot(sets[template.requirements]):
            return "its requirements exclude spot"
        if not _allows_spot(sets[self._pod_data(batch).requirements]):
            return "the pods themselves exclude spot"
        others = {
            b for claim in self.outcome.result.claims if claim.node_pool == pool and batch in claim.pods for b in claim.pods
        }
        excluding = sorted(self.ready.batches[b].name for b in others if not _allows_spot(sets[self._pod_data(b).requirements]))
        if excluding:
            return f"{', '.join(excluding)} on the same nodes excludes spot"
        return "none of the remaining types is offered as spot where its nodes may be"


def _allows_spot(requirements: Requirements) -> bool:
    return requirements.get_or_any(CAPACITY_TYPE).has(SPOT)


TAKES: Final = ""


def refusing_nodes(nodes: Iterable[SchedulingNode], pod: Pod, registry: LabelRegistry) -> tuple[tuple[str, int], ...]:
    """Return why nodes refuse a pod before any pod is placed, each reason with the number of nodes, the most frequent first.

    Topology rules and volumes are not checked: a node without a reason may still refuse the pod, and is left out.
    """
    forms = [(form, strict_requirements(form, registry)) for form in _alternatives(pod)]
    reasons = ([_refusal_of_node(node, form, wanted, registry) for form, wanted in forms] for node in nodes if node.in_pass)
    counts = Counter(TAKES if TAKES in of_node else of_node[0] for of_node in reasons)
    del counts[TAKES]
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _alternatives(pod: Pod) -> list[Pod]:
    """Return the pod once for each of its required node affinity terms alone."""
    terms = pod.required or ()
    return [replace(pod, required=(term,)) for term in terms] if len(terms) > 1 else [pod]


def _refusal_of_node(node: SchedulingNode, pod: Pod, wanted: Requirements, registry: LabelRegistry) -> str:
    taints = untolerated(node.taints, pod.tolerations)
    if taints:
        return f"the pod does not tolerate {', '.join(map(str, taints))}"
    held = Requirements.of_labels(node.labels, registry)
    if not held.compatible(wanted):
        return f"its labels do not match what the pod requires of {', '.join(sorted(_keys(held, wanted)))}"
    short = sorted(r for r, amount in pod.requests.items() if amount > node.available.get(r, 0))
    if short:
        return f"there is no room for {', '.join(f'{amount_text(r, pod.requests[r])} {r}' for r in short)}"
    if any(mine.conflicts(taken) for mine in pod.host_ports for taken in node.ports):
        return "its host port is taken"
    return TAKES


def _keys(held: Requirements, wanted: Requirements) -> list[str]:
    """Return the labels on which two sets conflict, one by one."""
    return [key for key in wanted if not held.compatible(Requirements((wanted[key],)))]
