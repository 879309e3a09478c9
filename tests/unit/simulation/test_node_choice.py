"""kube-scheduler's choice among nodes: plugins are weighed, and normalized among the nodes that may take the pod."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.labels import HOSTNAME
from cutlist.simulation.node_choice import NodeChoice
from cutlist.simulation.pod_preferences import PodPreferences
from cutlist.simulation.pod_rules import PodCounts
from cutlist.workloads.default_selectors import SelectorSources
from cutlist.workloads.pods import PodTerm
from tests.unit.disruption.builders import cluster, node, runs
from tests.unit.scheduling.builders import pod, selecting, spread
from tests.unit.simulation.builders import group, inputs, simulation

PLAIN = PodPreferences(pod(), (), (), {}, PodCounts())
SOFT = spread(HOSTNAME, 1, selector=selecting(app="web"), when_unsatisfiable="ScheduleAnyway")
WEB = pod(labels={"app": "web"}, spread=(SOFT,))


def best(preferences: PodPreferences, scores: dict[str, int], **traits: tuple[int, int]) -> str | None:
    choice = NodeChoice(preferences)
    choice.fill(scores, traits)
    return choice.best()


@pytest.mark.parametrize(
    ("scores", "traits", "expected"),
    [
        pytest.param({}, {}, None, id="no node"),
        pytest.param({"b": 150, "a": 150, "c": 149}, {}, "a", id="most room, then the first by name"),
        pytest.param({"a": 200, "b": 0}, {"a": (1, 0)}, "b", id="a taint outweighs 200 of room"),
        pytest.param({"a": 200, "b": 0}, {"a": (2, 0), "b": (1, 0)}, "a", id="half as many taints are 150"),
        pytest.param({"a": 100, "b": 0}, {"a": (0, 1), "b": (0, 2)}, "a", id="half the preferred weight is 100, and a tie"),
        pytest.param({"a": 99, "b": 0}, {"a": (0, 1), "b": (0, 2)}, "b", id="but no more"),
    ],
)
def test_taints_and_node_affinity_are_normalized_by_the_highest(scores, traits, expected):
    assert best(PLAIN, scores, **traits) == expected


def test_a_node_that_has_taken_a_pod_is_chosen_by_what_it_has_now():
    """Each pod that the constraint counts makes its node worse: 2 * 100 for one beside none."""
    subject = PodPreferences(WEB, (SOFT,), (WEB,), {}, PodCounts())
    for name in "ab":
        subject.update(node(name), lambda _: True)
    choice = NodeChoice(subject)
    choice.fill({"a": 150, "b": 140}, {})
    assert choice.best() == "a"
    subject.update(node("a", runs("web", of=WEB)), lambda _: True)
    choice.change("a", 145, (0, 0))
    assert choice.best() == "b"
    choice.change("b", None, (0, 0))
    assert choice.best() == "a"
    choice.change("a", None, (0, 0))
    assert choice.best() is None


def test_pods_of_a_deployment_go_to_the_zone_with_fewer_of_them():
    """A pod that no controller selects goes where there is most room."""
    web, db = runs("web-0", of=group("web").pod), runs("db-0", of=pod("500m", labels={"app": "db"}))
    of = cluster(node("a", web, zone="zone-a"), node("b", db, zone="zone-b"), node("c", zone="zone-a"))
    selector = {"matchLabels": {"app": "web"}}
    manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"selector": selector}}
    places = []
    for sources in (SelectorSources(), SelectorSources.of([manifest])):
        begun = replace(inputs(group("web", 1, "100m"), of=of), selectors=sources)
        pods = simulation(begun, hours=0.01).world.cluster.pods
        places += [pod.node for pod in pods.values() if pod.name == "web-1"]
    assert places == ["c", "b"]


def test_the_first_pods_of_a_kind_that_draws_its_own_go_to_one_rack():
    """The preference has an effect from the second pod on, whose choice knows the racks of nodes without any pod as well."""
    near = (PodTerm("rack", selecting(app="web"), weight=5),)
    of = cluster(*(node(name, labels={"rack": rack}) for name, rack in (("a", "1"), ("b", "2"), ("c", "1"))))
    pods = simulation(inputs(group("web", 4, "100m", preferred_affinity=near), of=of), hours=0.01).world.cluster.pods
    assert sorted(pod.node for pod in pods.values()) == ["a", "a", "c", "c"]
