"""Pods that go one by one are planned up to a number; pods that are counted have none."""

from __future__ import annotations

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.one_by_one import MOST, MOST_TRIES, MOST_UNLIKE
from tests.unit.planning.manifests import deployment, inputs_of, pool

APART = "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
RULES = [
    (
        f"topologySpreadConstraints: [{{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, {APART[1:]}]",
        "topology spread constraints",
    ),
    (f"affinity: {{podAffinity: {{{REQUIRED}: [{APART}]}}}}", "affinity to pods"),
    (f"affinity: {{podAntiAffinity: {{{REQUIRED}: [{APART}]}}}}", "anti-affinity to pods"),
]


@pytest.mark.parametrize(("spec", "words"), RULES)
def test_more_pods_with_rules_than_a_plan_places_are_refused_where_they_are_written(spec, words):
    with pytest.raises(InputError) as refused:
        inputs_of(pool(), deployment(replicas=MOST + 1, extra=spec))
    (problem,) = refused.value.problems
    assert problem.place.source
    assert problem.message == f"2,000,001 pods with {words} are more than a plan places one by one"
    assert problem.allowed == "up to 2,000,000, or pods without such rules, which are counted"


def test_pods_without_such_rules_may_be_as_many_as_kubernetes_allows():
    assert inputs_of(pool(), deployment(replicas=2**31 - 1)).workloads.groups[0].count == 2**31 - 1


def test_as_many_pods_with_rules_as_a_plan_places_are_read():
    assert inputs_of(pool(), deployment(replicas=MOST, extra=RULES[2][0])).workloads.groups[0].count == MOST


def preferring(number: int, kind: str = "podAffinity") -> str:
    """Return a part of a pod's spec: a number of preferences about other pods."""
    terms = ", ".join(f"{{weight: 1, podAffinityTerm: {APART.replace('web', f'app-{n}')}}}" for n in range(number))
    return f"affinity: {{{kind}: {{preferredDuringSchedulingIgnoredDuringExecution: [{terms}]}}}}"


def refusal(*workloads: str) -> tuple[str, str]:
    """Return what is wrong with the pods of some workloads, and what is allowed."""
    with pytest.raises(InputError) as refused:
        inputs_of(pool(), *workloads)
    (problem,) = refused.value.problems
    assert problem.place.source
    return problem.message, problem.allowed


ALLOWED = f"up to {MOST_TRIES:,}: pods times preferences times rules"


def test_more_preferences_than_a_plan_can_try_are_refused_where_they_are_written():
    """Each pod may give up 20 preferences one after the other, and has its 20 rules to try each time."""
    said = "12,501 pods, with 20 preferences each, take up to 5,000,400 tries without each preference"
    assert refusal(deployment(replicas=12_501, extra=preferring(20))) == (said, ALLOWED)
    assert inputs_of(pool(), deployment(replicas=12_500, extra=preferring(20, "podAntiAffinity"))).workloads.groups


def test_the_preferences_of_all_workloads_count_together():
    """The workload with the most is named."""
    several = [deployment(f"d{n}", replicas=4_000 + n, extra=preferring(20)) for n in range(4)]
    said = "with this workload, the hardest, all take up to 6,402,400 tries without each preference"
    assert refusal(*several) == (said, ALLOWED)


def test_pods_that_an_autoscaler_may_add_count():
    """A plan looks at the maximum too."""
    scaler = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n"
        f"spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}, maxReplicas: {MOST + 1}}}\n"
    )
    said = "2,000,001 pods, the maximum of its autoscaler, with anti-affinity to pods are more than a plan places one by one"
    assert refusal(deployment(extra=RULES[2][0]), scaler)[0] == said


def test_pods_for_which_a_buffer_keeps_room_count():
    buffer = (
        "apiVersion: autoscaling.x-k8s.io/v1beta1\nkind: CapacityBuffer\nmetadata: {name: spare}\n"
        "spec: {scalableRef: {apiGroup: apps, kind: Deployment, name: web}, percentage: 1000000000}\n"
    )
    said = "30,000,000 pods with anti-affinity to pods are more than a plan places one by one"
    assert refusal(deployment(replicas=3, extra=RULES[2][0]), buffer)[0] == said


def test_more_pods_than_share_nodes_are_refused_where_most_are_written():
    """Of one workload alone there may be more: its nodes are counted."""
    said = "with this workload, the largest, all have up to 50,000,001 pods, more than a plan places on shared nodes"
    assert refusal(deployment("a", replicas=1), deployment("b", replicas=MOST_UNLIKE)) == (
        said,
        "up to 50,000,000, or one workload alone",
    )
