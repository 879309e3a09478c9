"""Static NodePools that shrink: which nodes go, in which order, and when."""

from __future__ import annotations

from dataclasses import replace

from cutlist.disruption.cluster_state import ControllerMemory
from cutlist.disruption.forecast import DisruptionVerdict, forecast
from cutlist.disruption.static_scale_in import surplus
from cutlist.disruption.timeline import ForcedRemovalKind, timeline, with_scale_in
from cutlist.state.statenode import StateNode
from tests.unit.disruption.builders import cluster, node, pool, runs
from tests.unit.disruption.claims import HOUR, NOON

NODES = (
    node("busy", runs("a"), runs("b")),
    node("held", runs("c", do_not_disrupt="true")),
    node("quiet", runs("d")),
    node("daemons", runs("log", "100m", "DaemonSet")),
    node("held-by-a-daemon", runs("agent", "100m", "DaemonSet", do_not_disrupt="true")),
    node("empty"),
)


def given_up(replicas: int, *nodes: StateNode) -> list[str]:
    held_cluster = cluster(*nodes, pools=[pool(replicas=replicas, budgets=[])])
    return [each.name for each in surplus(held_cluster)]


def test_nodes_without_pods_go_first_then_those_that_no_pod_holds_then_the_cheapest_to_move():
    """Of nodes alike the first by name; a pod that must not be disrupted only puts its node last."""
    # D-81
    order = ["daemons", "empty", "quiet", "busy", "held", "held-by-a-daemon"]
    assert [given_up(replicas, *NODES) for replicas in range(7)] == [order[: 6 - replicas] for replicas in range(7)]


def test_nodes_that_leave_already_are_not_given_up_again():
    """Neither are those of running commands, nor nodes of other NodePools, dynamic ones included."""
    # D-81
    assert given_up(2, *NODES[:3], node("gone", removed=True)) == ["quiet"]
    queued = replace(
        cluster(*NODES[:3], pools=[pool(replicas=1)]),
        controller_memory=ControllerMemory(queued=frozenset(["quiet"])),
    )
    assert [each.name for each in surplus(queued)] == ["busy"]
    assert given_up(1, node("a"), node("other", pool="other")) == []
    dynamic = cluster(*NODES, pools=[pool()])
    assert surplus(dynamic) == ()


def test_the_forecast_says_which_nodes_go():
    """The others stay, as many as the NodePool wants."""
    # D-81
    nodes = forecast(cluster(*NODES[:2], node("empty"), pools=[pool(replicas=2)])).nodes
    verdicts = {each.name: (each.verdict, each.why) for each in nodes}
    assert verdicts["empty"] == (DisruptionVerdict.GOING, "NodePool default is static and has more than 2 nodes")
    assert verdicts["busy"] == (DisruptionVerdict.STAYS, "NodePool default is static: it keeps 2 nodes")


def test_a_node_that_is_given_up_drains_from_now_on():
    """For as long as its pods keep it, or up to its termination grace period; an expiry that comes later is not listed."""
    # D-81
    patient, hurried = (
        node("patient", created=NOON, expire_after="9h"),
        node("hurried", created=NOON, termination_grace_period="1h", expire_after="Never"),
    )
    removals = with_scale_in(timeline([patient, hurried], NOON), [patient, hurried], NOON)
    assert [(r.node, r.force, r.at, r.latest) for r in removals] == [
        ("hurried", ForcedRemovalKind.SCALED_IN, NOON, NOON + HOUR),
        ("patient", ForcedRemovalKind.SCALED_IN, NOON, None),
    ]
