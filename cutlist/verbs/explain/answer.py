"""Explain why the pods of a workload get the nodes that they get, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from cutlist.core.errors import InputError, Place, nearest
from cutlist.core.requirement import Expression
from cutlist.planning.absences import WORKLOADS
from cutlist.planning.beside.filling import with_node_groups
from cutlist.planning.beside.nodes import GroupNodes, further_nodes, group_nodes
from cutlist.planning.explainer import Explainer, refusing_nodes
from cutlist.planning.gangs import held_back_pods, planned_gangs
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.karpenter_choice import without_gated
from cutlist.planning.model import Plan
from cutlist.planning.model.cost import by_workload
from cutlist.planning.model.explanation import Explanation, RelaxedPreference
from cutlist.planning.pass_inputs import PassInputs, pass_inputs
from cutlist.planning.passes import PassesOutcome, run_joint_passes
from cutlist.planning.services import inputs_by_service
from cutlist.scheduling.preferences import relax
from cutlist.verbs.names import Name, subjects_named
from cutlist.verbs.plan.answer import plan_of_outcome
from cutlist.verbs.subjects import subjects
from cutlist.verbs.validate.answer import kinds_of, listed_kinds
from cutlist.workloads.groups import workload_name
from cutlist.workloads.pods import Pod, PodTerm

__all__ = ["explain"]
T = TypeVar("T", bound=Hashable)


def explain(inputs: PlanInputs, workload: str) -> tuple[Explanation, ...]:
    """Return what decides about a workload, such as `deployment/web` or `shop/deployment/web`, once for each controller.

    A name alone is enough if only one workload ends in it. Raises InputError for a name that no workload has.

    >>> from cutlist import explain, read_inputs
    >>> inputs = read_inputs(["examples/shop/pools.yaml", "examples/shop/workloads.yaml"], region="us-west-2")
    >>> (web,) = explain(inputs, "deployment/web")
    >>> web.pods, [(node.count, node.instance_type) for node in web.nodes]
    (12, [(1, 'c6a.2xlarge')])
    """
    return tuple(controller.explanation(workload) for controller in _controllers(inputs))


def explain_each(inputs: PlanInputs, workloads: Iterable[str]) -> Mapping[str, tuple[Explanation, ...]]:
    """Return the same for several workloads, by the names that the caller has for them, from one run of each controller."""
    controllers = _controllers(inputs)
    return {workload: tuple(controller.explanation(workload) for controller in controllers) for workload in workloads}


@dataclass(frozen=True, slots=True)
class _Controller:
    """What one controller did, from which any workload is explained."""

    name: str
    inputs: PlanInputs
    ready: PassInputs
    outcome: PassesOutcome
    plan: Plan
    explainer: Explainer

    def explanation(self, workload: str) -> Explanation:
        ready, outcome, plan = self.ready, self.outcome, self.plan
        held = held_back_pods(self.inputs.workloads)
        waiting = [*(batch.name for batch in ready.batches if batch.count), *(pods.workload for pods in held)]
        name = _workload_named(workload, list(dict.fromkeys(waiting)), self.inputs)
        batches = [number for number, batch in enumerate(ready.batches) if batch.name == name]
        first = _first(batches, outcome)
        nodes = tuple(node for node in plan.nodes if any(share.workload == name for share in node.pods))
        return Explanation(
            workload=name,
            controller=self.name,
            pods=sum((*(ready.batches[n].count for n in batches), *(pods.count for pods in held if pods.workload == name))),
            nodes=nodes,
            existing=tuple(_existing(plan, name)),
            pending=tuple(pods for pods in plan.pending if pods.workload == name),
            answers=self.explainer.answers(first),
            given_up=_given_up(batches, ready, outcome),
            spot=self.explainer.spot(first, nodes),
            price=_price(plan, name),
            least=self.explainer.least(_on_new_nodes(batches, outcome)) if nodes else None,
            refusing=refusing_nodes(self.inputs.cluster.nodes, ready.batches[first].pod, ready.passes.registry),
            gangs=tuple(gang for gang in plan.gangs if name in gang.workloads),
        )


def _controllers(inputs: PlanInputs) -> list[_Controller]:
    """Return what each controller of the inputs did. Raises InputError if nothing in them needs nodes."""
    _require_pods(inputs)
    parts = {name: without_gated(part) for name, part in inputs_by_service(inputs).items()}
    ready = [pass_inputs(part) for part in parts.values()]
    groups = group_nodes(inputs, ready[0].passes)
    return [
        _Controller(
            name,
            part,
            of,
            outcome,
            _with_gangs(with_node_groups(plan_of_outcome(part, of, outcome), groups, outcome, of.passes), part, outcome),
            Explainer.of(part, of, outcome),
        )
        for (name, part), of, outcome in zip(parts.items(), ready, _outcomes(ready, groups), strict=True)
    ]


def _with_gangs(plan: Plan, inputs: PlanInputs, outcome: PassesOutcome) -> Plan:
    return replace(plan, gangs=planned_gangs(inputs.workloads, [outcome], plan.nodes))


def _outcomes(ready: Sequence[PassInputs], groups: Sequence[GroupNodes]) -> list[PassesOutcome]:
    """Return the outcome of each controller as if there were no other, but for node groups: these take what all exclude."""
    joint = run_joint_passes([of.controller for of in ready], beside=further_nodes(groups))
    if len(ready) == 1:
        return joint
    return [replace(of.run(), beside=joint[0].beside, left=joint[0].left) for of in ready]


def _existing(plan: Plan, workload: str) -> Iterator[tuple[str, int]]:
    """Yield the existing nodes and the node groups beside Karpenter that take pods of a workload, and how many."""
    named = [*((node.name, node.pods) for node in plan.existing), *((f"node group {g.name}", g.pods) for g in plan.node_groups)]
    yield from ((name, share.count) for name, pods in named for share in pods if share.workload == workload)


def _require_pods(inputs: PlanInputs) -> None:
    """Raise InputError, with what the input holds instead, if nothing in it needs nodes or runs on some."""
    if not inputs.has_workloads:
        contents = listed_kinds(kinds_of(inputs.documents))
        raise InputError.one(Place(inputs.source), f"no workload is in the input, only {contents or 'nothing'}", WORKLOADS)


def _workload_named(workload: str, names: Sequence[str], inputs: PlanInputs) -> str:
    """Return the full name of the one workload that a user means, at least by its end, or by one of its pods that wait.

    Raises InputError with all that fit.
    """
    wanted = workload.lower().strip("/")
    if not wanted:
        raise InputError.one(Place(path="WORKLOAD"), f"{workload!r} is not a name", ", ".join(names[:20]))
    ending = [name for name in names if name.lower() == wanted] or [n for n in names if n.lower().endswith(f"/{wanted}")]
    if len(ending) == 1:
        return ending[0]
    if ending:
        raise InputError.one(Place(workload), f"is one of {len(ending)} workloads", ", ".join(ending))
    of_pod = _workload_of_pod(wanted, names, inputs)
    if of_pod:
        return of_pod
    pods = [p for p in inputs.cluster.pods if p.node and not p.ended]
    running = {workload_name("Pod", p.pod.namespace, p.name): p.node for p in pods}
    placed = next((f"{name} runs on {node}" for name, node in running.items() if f"/{name}".endswith(f"/{wanted}")), "")
    if placed:
        raise InputError.one(Place(workload), f"{placed}; only pods that wait for a node are explained")
    allowed = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    text = "no pod of such a workload waits for a node" if names else "no pod waits for a node"
    raise InputError.one(Place(workload), text, allowed, nearest(wanted, names))


def _workload_of_pod(wanted: str, names: Sequence[str], inputs: PlanInputs) -> str:
    """Return the workload of a waiting pod by the pod's name, or an empty string if it is not the name of one."""
    waiting = [s for s in subjects(inputs) if s.workload in names and (s.pod is None or not s.pod.node)]
    workloads = {subject.workload for subject in subjects_named(Name.read(wanted), waiting)}
    return workloads.pop() if len(workloads) == 1 else ""


def _first(batches: Sequence[int], outcome: PassesOutcome) -> int:
    """Return the most informative batch: one that waits, else the first."""
    waiting = {u.batch for u in outcome.result.unplaced}
    return next((b for b in batches if b in waiting), batches[0])


def _given_up(batches: Sequence[int], ready: PassInputs, outcome: PassesOutcome) -> tuple[RelaxedPreference, ...]:
    """Return the preferences that pods with a node did without, and those that pods without one gave up without success."""
    pods_without: dict[str, int] = {}
    for number in batches:
        pod = ready.batches[number].pod
        for preference in relaxed_preferences(pod, outcome.result.relaxed.get(number, {})):
            pods_without[preference.what] = pods_without.get(preference.what, 0) + preference.pods
        if any(u.batch == number for u in outcome.result.unplaced):
            for what in preferences(pod):
                pods_without.setdefault(what, 0)
    return tuple(RelaxedPreference(what, pods) for what, pods in pods_without.items())


def _on_new_nodes(batches: Sequence[int], outcome: PassesOutcome) -> Mapping[int, int]:
    return {b: sum(claim.pods.get(b, 0) for claim in outcome.result.claims) for b in batches}


def _price(plan: Plan, name: str) -> float | None:
    return next((cost.price for cost in by_workload(plan) if cost.name == name and not cost.unpriced), None)


def relaxed_preferences(pod: Pod, settled: Mapping[Pod, int]) -> tuple[RelaxedPreference, ...]:
    """Return the preferences that Karpenter relaxed (spec: scheduling 8) with the number of pods, in order.

    `settled` are the pods in the form in which they were placed.
    """
    pods_without: Counter[str] = Counter()
    for form, pods in settled.items():
        for what in _steps(pod, form):
            pods_without[what] += pods
    return tuple(RelaxedPreference(what, pods) for what, pods in pods_without.items())


def preferences(pod: Pod) -> tuple[str, ...]:
    """Return everything that a pod can do without, in the order in which it would be dropped."""
    return tuple(_steps(pod, None))


def _steps(pod: Pod, until: Pod | None) -> Iterator[str]:
    while pod != until:
        less = relax(pod, tolerate_prefer_no_schedule=until is not None)
        if less is None:
            return
        yield _lost(pod, less)
        pod = less


def _lost(before: Pod, after: Pod) -> str:
    """Return the preference that the second form no longer has."""
    if before.required != after.required:
        return f"the node affinity term {_terms((before.required or ((),))[0])}, which has alternatives"
    if before.preferred_affinity != after.preferred_affinity:
        return f"preferred pod affinity {_pod_term(_gone(before.preferred_affinity, after.preferred_affinity))}"
    if before.preferred_anti_affinity != after.preferred_anti_affinity:
        return f"preferred pod anti-affinity {_pod_term(_gone(before.preferred_anti_affinity, after.preferred_anti_affinity))}"
    if before.preferred != after.preferred:
        preference = _gone(before.preferred, after.preferred)
        return f"preferred node affinity {_terms(preference.expressions)} (weight {preference.weight})"
    if before.spread != after.spread:
        return f"the soft spread over {_gone(before.spread, after.spread).topology_key}"
    return "staying off nodes with PreferNoSchedule taints"


def _gone(before: Sequence[T], after: Sequence[T]) -> T:
    """Return the item that the second sequence lacks; it may lack one of several equal ones."""
    return next(iter((Counter(before) - Counter(after)).elements()))


def _pod_term(term: PodTerm) -> str:
    return f"by {term.topology_key} (weight {term.weight})"


def _terms(expressions: Iterable[Expression]) -> str:
    return " and ".join(f"{e.key} {e.operator} {', '.join(e.values)}".rstrip() for e in expressions) or "(empty)"
