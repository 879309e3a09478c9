"""kube-scheduler's nodes for a pod: filters and scores are those that its own code gave (oracle/kubernetes/scheduler)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cutlist.simulation.kubescheduler import KnownPreferences
from cutlist.simulation.node_choice import NodeChoice
from cutlist.simulation.node_scores import NodeScores
from cutlist.simulation.pod_preferences import PodPreferences
from cutlist.simulation.pod_rules import PodCounts, PodRules
from cutlist.simulation.state import SimulatedCluster
from cutlist.state.cluster import Cluster
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import all_state_nodes
from cutlist.workloads.default_selectors import SelectorSources
from tests.unit.disruption.builders import cluster
from tests.unit.disruption.claims import NOON
from tests.unit.simulation.kube_scheduler_questions import SEEDS, recorded

ROOM = ("NodeResourcesFit", "NodeResourcesBalancedAllocation")


class Looked:
    """What Cutlist makes of a question: the scores by room of the nodes that may take the pod, and what it prefers."""

    def __init__(self, question: Mapping[str, Any]) -> None:
        nodes = [{"kind": "Node", "apiVersion": "v1", **node} for node in question["nodes"]]
        pods = [{"kind": "Pod", "apiVersion": "v1", **pod} for pod in question["pods"]]
        waiting = RunningPod.read({"kind": "Pod", "apiVersion": "v1", **question["pod"]})
        spaces = {o["metadata"]["name"]: o["metadata"]["labels"] for o in question["objects"] if o["kind"] == "Namespace"}
        read = all_state_nodes(Cluster.read([*nodes, *pods], now=NOON))
        of = SimulatedCluster(cluster(*read, namespaces=spaces), {}, [waiting.pod])
        scores, counts, rules = NodeScores(of), PodCounts(), PodRules(waiting.pod, spaces)
        rules.count(of.nodes.values(), counts, lambda node: scores.matches_labels(waiting.pod, node))
        room, traits = scores.of(waiting.pod)
        self.room = {name: score for name, score in room.items() if rules.allow(of.nodes[name])}
        known = KnownPreferences(of, SelectorSources.of(question["objects"]), scores, counts)
        self.preferences: PodPreferences = known.of(waiting)
        self.choice = NodeChoice(self.preferences)
        self.choice.fill(self.room, traits)

    @property
    def of_other_pods(self) -> dict[str, tuple[int, int]]:
        """The scores of PodTopologySpread and InterPodAffinity."""
        if not self.preferences.is_concerned:
            return dict.fromkeys(self.room, (0, 0))
        places = {name: self.preferences.place(name) for name in self.room}
        numbers = Counter(places.values())
        spread, affinity = self.preferences.spread_scores(numbers), self.preferences.affinity_scores(numbers)
        return {name: (spread[place], affinity[place]) for name, place in places.items()}


@pytest.fixture(scope="module")
def answers() -> Sequence[tuple[Mapping[str, Any], Looked]]:
    return [(question, Looked(question)) for question in recorded()]


def differences(answers, ours, theirs) -> dict[str, tuple[Any, Any]]:
    """The names of the questions that Cutlist answers otherwise, with both answers."""
    both = ((question["name"], ours(looked), theirs(question)) for question, looked in answers)
    return {name: (own, right) for name, own, right in both if own != right}


def test_the_same_nodes_may_take_a_pod(answers):
    assert len(answers) == len(SEEDS)
    assert differences(answers, lambda looked: sorted(looked.room), lambda question: sorted(question["scores"])) == {}


def test_room_scores_as_upstream(answers):
    def right(question):
        return {name: sum(of.get(plugin, 0) for plugin in ROOM) for name, of in question["scores"].items()}

    assert differences(answers, lambda looked: looked.room, right) == {}


def test_other_pods_score_as_upstream(answers):
    def right(question):
        return {
            name: (of.get("PodTopologySpread", 0) // 2, of.get("InterPodAffinity", 0) // 2)
            for name, of in question["scores"].items()
        }

    assert differences(answers, lambda looked: looked.of_other_pods, right) == {}


def test_nodes_have_the_same_whole_scores(answers):
    """Where only one node is left, kube-scheduler does not look at scores; the program does."""

    def right(question):
        return {name: of["total"] for name, of in question["scores"].items()}

    assert differences(answers, lambda looked: looked.choice.scores(), right) == {}
