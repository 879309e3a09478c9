"""Gangs in plans: whether enough of their pods have a place, which nodes stay empty, and what every answer says of that."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import InputError
from cutlist.disruption.forecast import DisruptionVerdict
from cutlist.planning.gangs import without_unbound
from cutlist.planning.model import Plan
from cutlist.planning.model.gangs import PlannedGang
from cutlist.verbs.disrupt.answer import disrupt
from cutlist.verbs.explain.answer import explain
from cutlist.verbs.plan.answer import plan_with_measures
from cutlist.verbs.plan.gang_words import gang_lines
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.settled import with_settled, with_settled_if_small
from cutlist.verbs.plan.text import render_plan
from cutlist.verbs.subjects import SubjectKind
from cutlist.verbs.why.answer import why
from tests.unit.planning.manifests import ON_DEMAND, TYPES, inputs_of, plan_of, pool

GPU = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('c5.2xlarge')}]", spec="limits: {cpu: 8}")
WIDE = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('c5.2xlarge')}]")
POD = "{containers: [{name: c, image: i, resources: {requests: {cpu: 3, memory: 1Gi}}}]%s}"
GROUPED = POD % ", schedulingGroup: {podGroupName: train}"


def pod_group(minimum: int = 6) -> str:
    spec = f"{{schedulingPolicy: {{gang: {{minCount: {minimum}}}}}}}"
    return f"apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {{name: train}}\nspec: {spec}"


def coscheduled(minimum: int) -> str:
    version = "scheduling.x-k8s.io/v1alpha1"
    return f"apiVersion: {version}\nkind: PodGroup\nmetadata: {{name: train}}\nspec: {{minMember: {minimum}}}"


def deployment(name: str = "train", replicas: int = 6, spec: str = GROUPED, labels: str = "") -> str:
    template = f"{{metadata: {{labels: {{app: {name}, {labels}}}}}, spec: {spec}}}"
    inner = f"{{replicas: {replicas}, selector: {{matchLabels: {{app: {name}}}}}, template: {template}}}"
    return f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {inner}"


LABEL = "scheduling.x-k8s.io/pod-group: train"


def test_disruption_sees_no_pod_of_a_gang_that_is_not_bound():
    """GA-5, GA-21: the node that was launched for a part of the gang is empty, and Karpenter removes it."""
    inputs = inputs_of(GPU, pod_group(), deployment())
    (node,) = disrupt(inputs, plan=plan_with_measures(inputs)[0]).forecast.nodes
    assert (node.pods, node.verdict) == (0, DisruptionVerdict.NEXT)
    whole = inputs_of(WIDE, pod_group(), deployment())
    assert {node.pods for node in disrupt(whole, plan=plan_with_measures(whole)[0]).forecast.nodes} == {2}


def test_a_gang_can_be_asked_about_by_its_own_name():
    """Why it waits and what helps, or that it is complete; a bare name means the workload, and a typing error is answered."""
    inputs = inputs_of(GPU, pod_group(), deployment())
    answer = why(inputs, "podgroup/train")
    assert (answer.kind, answer.waits) == (SubjectKind.GANG, True)
    assert answer.sentence.startswith("podgroup/train is incomplete, and kube-scheduler binds none of its pods yet: 6 of 6 ")
    assert answer.remedy.startswith("raise the cpu limit of NodePool general")
    assert [fact.title for fact in answer.facts] == ["gang", "pods", "waits"]
    assert why(inputs, "train").kind is SubjectKind.WORKLOAD
    complete = why(inputs_of(WIDE, pod_group(), deployment()), "pg/train")
    assert (complete.waits, complete.sentence) == (False, "podgroup/train is complete: 6 of 6 needed, 6 fit")
    with pytest.raises(InputError, match="podgroup/trian: no pod, workload, gang"):
        why(inputs, "podgroup/trian")


def only(plan: Plan) -> PlannedGang:
    (gang,) = plan.gangs
    return gang


def test_nodes_for_a_part_of_a_gang_stay_empty():
    """GA-5, GA-21."""
    inputs = inputs_of(GPU, pod_group(), deployment())
    plan, measures = plan_with_measures(inputs)
    gang = only(plan)
    assert (gang.needed, gang.pods, gang.fit, gang.nodes, gang.complete) == (6, 6, 2, 1, False)
    assert gang.price_per_hour == plan.totals.price_per_hour
    line = "podgroup/train: 6 of 6 needed, 2 fit: 1 node stays empty, $250 a month"
    assert gang_lines(plan) == (line,)
    assert line in " ".join(render_plan(plan).split())
    assert f"**gang {line.replace('$', chr(92) + '$')}**" in plan_markdown(plan)
    assert line in plan_html(plan)
    assert json.loads(plan.to_json())["gangs"][0]["complete"] is False
    assert Plan.from_dict(plan.to_dict()) == plan
    assert measures.workloads.incomplete_gangs == {
        "podgroup/train": "6 of 6 needed, 2 fit: 1 node stays empty (kube-scheduler)"
    }
    (explanation,) = explain(inputs, "train")
    assert explanation.gangs == plan.gangs
    answer = why(inputs, "train")
    assert answer.waits
    assert answer.sentence.startswith(
        "6 pods of deployment/train wait for the gang podgroup/train, of which kube-scheduler binds"
    )


def test_what_the_nodes_cost_later_is_not_known_while_a_gang_waits():
    """GA-22."""
    inputs = inputs_of(GPU, pod_group(), deployment())
    plan, _ = plan_with_measures(inputs)
    assert "nodes of a gang that waits stay empty" in with_settled(plan, inputs).unsettled
    assert "nodes of a gang that waits stay empty" in with_settled_if_small(plan, inputs).unsettled
    inputs = inputs_of(WIDE, pod_group(), deployment())
    plan, _ = plan_with_measures(inputs)
    assert with_settled(plan, inputs).settled is not None


def test_a_gang_that_fits_is_complete_and_nothing_is_said():
    plan = plan_of(WIDE, pod_group(), deployment())
    gang = only(plan)
    assert (gang.complete, gang.fit, gang.nodes, gang.price_per_hour) == (True, 6, 0, None)
    assert not gang_lines(plan)
    assert "gangs" not in render_plan(plan)


def test_a_lower_minimum_is_enough():
    """GA-5: those that found a place are bound."""
    assert only(plan_of(GPU, pod_group(2), deployment())).complete


def test_a_node_with_other_pods_is_not_empty():
    """c5.2xlarge: two workers of the gang and a pod that is bound by itself."""
    other = deployment("web", 1, POD.replace("cpu: 3", "cpu: 1") % "")
    gang = only(plan_of(GPU, pod_group(), deployment(), other))
    assert (gang.fit, gang.nodes, gang.price_per_hour) == (2, 0, None)
    assert gang.in_words == "6 of 6 needed, 2 fit: none is bound"


def test_pods_of_several_workloads_count_for_one_gang():
    """GA-3."""
    plan = plan_of(GPU, pod_group(3), deployment("a", 1), deployment("b", 2))
    gang = only(plan)
    assert (gang.workloads, gang.fit, gang.complete, gang.nodes) == (("deployment/a", "deployment/b"), 2, False, 1)


def test_karpenter_launches_nothing_for_a_gang_with_too_few_pods():
    """GA-4: the scheduler keeps its pods out of its queue."""
    inputs = inputs_of(WIDE, pod_group(8), deployment())
    plan, _ = plan_with_measures(inputs)
    gang = only(plan)
    assert not plan.nodes
    assert (gang.held_back, gang.is_short, gang.fit) == (True, True, 0)
    assert gang.in_words == (
        "8 needed, 6 in the input: never complete; kube-scheduler holds them back, and Karpenter launches nothing for them"
    )
    (pending,) = plan.pending
    assert (pending.workload, pending.count, pending.skipped) == ("deployment/train", 6, True)
    assert "podgroup/train needs 8 pods and has 6" in pending.reason
    (explanation,) = explain(inputs, "train")
    assert (explanation.pods, explanation.waiting) == (6, 6)
    assert "podgroup/train needs 8 pods and has 6" in why(inputs, "train").sentence


def test_karpenter_launches_nodes_for_a_gang_of_the_coscheduling_plugin_with_too_few_pods():
    """GA-12: their pods are marked as unschedulable."""
    gang = only(plan_of(WIDE, coscheduled(8), deployment(spec=POD % "", labels=LABEL)))
    assert (gang.held_back, gang.fit, gang.nodes) == (False, 6, 3)
    assert gang.in_words == "8 needed, 6 in the input, 6 fit: never complete, and 3 nodes stay empty"


def test_what_kueue_admits_is_bound_one_by_one():
    """GA-17, GA-20."""
    job = (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train, labels: {kueue.x-k8s.io/queue-name: team}}\n"
        f"spec: {{parallelism: 6, suspend: true, template: {{spec: {POD % ''}}}}}"
    )
    plan = plan_of(GPU, job)
    gang = only(plan)
    assert gang.in_words == "6 of 6 admitted together, 2 fit: those wait for the others, while 1 node is paid"
    assert without_unbound(plan) is plan


def test_pods_that_run_count_and_those_of_an_incomplete_gang_are_not_bound():
    """GA-6."""
    plan = plan_of(GPU, pod_group(), deployment())
    (node,) = without_unbound(plan).nodes
    assert not node.pods
    complete = plan_of(WIDE, pod_group(), deployment())
    assert without_unbound(complete) is complete


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.booleans(), st.integers(0, 3))
def test_every_state_of_a_gang_has_words(running: int, fit: int, missing: int, together: bool, nodes: int):
    pods = running + fit + missing
    for needed in (pods, pods + 1, max(2, running + fit)):
        for held in (False, needed > pods):
            gang = PlannedGang("podgroup/a", "Volcano", ("job/a",), needed, pods, running, fit, together, held, nodes, None)
            assert gang.complete == (running + fit >= needed)
            assert gang.in_words
            assert ("empty" in gang.in_words) <= (together and not gang.complete)


@pytest.mark.parametrize("count", [3, 4])
def test_many_gangs_are_counted(count: int):
    names = [f"g{number}" for number in range(count)]
    groups = [pod_group().replace("name: train", f"name: {name}") for name in names]
    pods = [deployment(name, spec=POD % f", schedulingGroup: {{podGroupName: {name}}}") for name in names]
    lines = gang_lines(plan_of(GPU, *groups, *pods))
    assert len(lines) == count
    assert ("and 1 more gang" in lines[-1]) == (count == 4)
