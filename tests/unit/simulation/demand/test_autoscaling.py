"""HorizontalPodAutoscalers, stepped beside what their controller did."""

from __future__ import annotations

from cutlist.simulation.demand.autoscaler_objects import autoscaler_of
from cutlist.simulation.demand.autoscaling import ScalingHistory, desired_replicas
from cutlist.simulation.demand.replica_calculator import PodCounts
from tests.unit.simulation.demand.autoscaler_questions import recorded


def replicas_of(question):
    """The replicas after each step."""
    pod = {"containers": [{"name": "main", "resources": {"requests": question["requests"]}}]}
    autoscaler = autoscaler_of(question["spec"], "deployment/web", pod)
    history, replicas = ScalingHistory(), question["replicas"]
    for step in question["steps"]:
        pods = PodCounts(step["ready"], step["unready"], step["missing"])
        replicas, history = desired_replicas(autoscaler, step["at"], replicas, pods, step["usage"], history)
        yield replicas


def test_replicas_are_those_of_the_controller():
    """C-1 to C-14, for random autoscalers and courses of metrics."""
    wrong = {q["name"] for q in recorded() if list(replicas_of(q)) != q["answer"]}
    assert wrong == set()
