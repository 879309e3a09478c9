"""Pods that go one by one are planned up to a number; pods that are counted have none."""

from __future__ import annotations

import pytest

from cutlist.core.errors import InputError
from cutlist.planning.one_by_one import MOST
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
