"""Which nodes a static NodePool gives up."""

from __future__ import annotations

from cutlist.disruption.static_surplus import surplus
from tests.unit.disruption.claims import NOON, claim, machine, running

COSTS = {"cheap": 1.0, "dear": 5.0, "held": 0.5}
HELD = running("kept", do_not_disrupt="true")
NODES = [
    machine("held", pods=[HELD]),
    machine("dear", pods=[running()]),
    machine("cheap", pods=[running()]),
    machine("agents", pods=[running("agent", "DaemonSet")]),
]


def given_up(replicas: int, launching=()) -> tuple[str, ...]:
    return surplus(NODES, launching, replicas, NOON, lambda m: COSTS[m.name])


def test_enough_is_kept():
    """A pool that does not have too many nodes gives up none."""
    assert given_up(4) == ()
    assert given_up(9) == ()


def test_nodes_go_in_order():
    """Those without a workload, then the cheaper one of those that may be disturbed, protected ones last."""
    assert given_up(0) == ("agents", "cheap", "dear", "held")
    assert given_up(2) == ("agents", "cheap")


def test_claims_that_have_no_machine_yet_go_first():
    """They have cost nothing so far."""
    assert given_up(4, ["new"]) == ("new",)


def test_protected_agents_protect_their_node():
    """A pod of a DaemonSet that may not be disturbed counts like any other."""
    agents = machine("agents", pods=[running("agent", "DaemonSet", do_not_disrupt="true")])
    assert surplus([agents, NODES[1]], (), 1, NOON, lambda _: 1.0) == ("dear",)


def test_nodes_that_go_already_do_not_count():
    """Neither as surplus nor as replicas."""
    going = machine("gone", of=claim("gone", deleted=NOON))
    assert surplus([going, NODES[1]], (), 1, NOON, lambda _: 1.0) == ()
