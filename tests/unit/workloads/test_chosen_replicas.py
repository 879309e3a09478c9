"""Replicas that the user chooses for a plan."""

from __future__ import annotations

import pytest

from cutlist.core.errors import Problems
from cutlist.documents.parsing import parse_documents
from cutlist.workloads.read import read_workloads
from tests.unit.workloads.reading import controller

HPA = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: scale}
spec: {minReplicas: 2, maxReplicas: 10, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
"""
OBJECTS = (
    controller(spec="replicas: 3"),
    controller("StatefulSet", "db", "replicas: 0"),
    controller("DaemonSet", "agent"),
    controller(name="api", metadata="namespace: shop"),
    controller("CronJob", "nightly", "schedule: '0 3 * * *'\nsuspend: true"),
    HPA,
)


def chosen(*replicas: str) -> tuple[dict[str, int], list[str]]:
    """Return the pods of each workload with these replicas, and the mistakes in them."""
    problems = Problems()
    documents = parse_documents("\n---\n".join(OBJECTS), "app.yaml", problems)
    workloads = read_workloads(documents, problems, replicas=replicas)
    return {group.workload: group.count for group in workloads.groups}, [str(problem) for problem in problems.found]


WRITTEN = {"deployment/web": 3, "statefulset/db": 0, "shop/deployment/api": 1, "cronjob/nightly": 0}


def test_without_a_choice_the_written_replicas_count():
    assert chosen() == (WRITTEN, [])


@pytest.mark.parametrize(
    ("text", "workload", "count"),
    [
        ("deployment/web=25", "deployment/web", 25),
        ("web=0", "deployment/web", 0),
        ("web=max", "deployment/web", 10),
        ("db=7", "statefulset/db", 7),
        ("api=4", "shop/deployment/api", 4),
        ("deployment/api=4", "shop/deployment/api", 4),
        ("shop/api=4", "shop/deployment/api", 4),
        ("shop/deployment/api=4", "shop/deployment/api", 4),
        ("nightly=2", "cronjob/nightly", 2),
    ],
)
def test_a_workload_has_the_chosen_replicas_and_others_those_written(text, workload, count):
    """Also beyond the range of an autoscaler, and where it is suspended: the user asks what if."""
    assert chosen(text) == ({**WRITTEN, workload: count}, [])


def test_max_alone_is_the_maximum_of_every_autoscaler():
    assert chosen("max") == ({**WRITTEN, "deployment/web": 10}, [])
    assert chosen("max", "web=4") == ({**WRITTEN, "deployment/web": 4}, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wbe=3", "no workload 'wbe' with replicas is in the input"),
        ("agent=3", "no workload 'agent' with replicas is in the input"),
        ("db=max", "no autoscaler says how many replicas statefulset/db has at most"),
        ("web", "'web' does not say how many replicas a workload has"),
        ("web=-1", "'web=-1' does not say how many replicas a workload has"),
        ("web=many", "'web=many' does not say how many replicas a workload has"),
        ("=3", "'=3' does not say how many replicas a workload has"),
    ],
)
def test_a_mistake_says_what_is_wrong_with_the_choice(text, message):
    (problem,) = chosen(text)[1]
    assert message in problem


def test_an_unknown_workload_is_answered_with_the_nearest():
    assert chosen("wbe=3")[1][0].endswith("did you mean deployment/web?")
    assert chosen("deployment/wbe=3")[1][0].endswith("did you mean deployment/web?")


def test_two_numbers_for_one_workload_are_a_mistake():
    assert "deployment/web is given two numbers of replicas" in chosen("web=3", "deployment/web=4")[1][0]
    assert chosen("web=3", "deployment/web=3")[1] == []


def test_a_name_of_several_workloads_needs_more_of_it():
    problems = Problems()
    texts = (controller(), controller("StatefulSet"))
    documents = parse_documents("\n---\n".join(texts), "app.yaml", problems)
    read_workloads(documents, problems, replicas=["web=3"])
    assert "'web' is the name of 2 workloads; allowed: deployment/web, statefulset/web" in str(problems.found[0])
