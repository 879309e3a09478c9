"""Capacity that a cloud does not have for a while."""

from __future__ import annotations

from dataclasses import replace

from cutlist.core.errors import Problems
from cutlist.core.labels import SPOT
from cutlist.scheduling.launched import cheapest_purchase
from cutlist.simulation.events import HOUR, MINUTE, SECOND, Interrupted
from cutlist.simulation.outside_events import CapacityLost, ReplicasSet
from cutlist.simulation.shortages import CapacityShortages, read_shortages
from tests.unit.disruption.builders import SMALL, cluster, node, pool
from tests.unit.scheduling.test_reservationmanager import KNOWN
from tests.unit.scheduling.test_reservationmanager import SMALL as RESERVED
from tests.unit.simulation.builders import group, inputs, replica, settings, simulation

WEB = group("web", cpu="1")


def launched(demand, **fields):
    """The types of the nodes of a run in which a pod waits, with the seconds at which these were launched."""
    of = replace(inputs(WEB, of=cluster(pools=[pool(after="Never")])), **fields)
    return [(life.instance_type, life.zone, life.started // SECOND) for life in simulation(of, demand).result().lives]


def test_a_launch_takes_the_next_type_that_the_cloud_has():
    """One zone without a type leaves the others; a type in no zone leaves the next larger one (spec: scheduling 10.6)."""
    wanted = ReplicasSet(MINUTE, "deployment/web", 1)
    lost = [CapacityLost(0, "small", "zone-a", "on-demand", HOUR), wanted]
    assert launched(lost) == [("small", "zone-b", 64)]
    assert launched([CapacityLost(0, "small", "*", "*", HOUR), wanted]) == [("medium", "zone-a", 64)]


def test_a_launch_without_capacity_fails_and_is_tried_again_after_three_minutes():
    demand = [CapacityLost(0, "*", "*", "*", 2 * MINUTE), ReplicasSet(MINUTE, "deployment/web", 1)]
    of = inputs(WEB, of=cluster(pools=[pool(after="Never")]))
    result = simulation(of, demand).result()
    failures = [c.at // SECOND for c in result.commands if c.reason == "InsufficientCapacity"]
    assert failures == [64]
    [life] = result.lives
    assert 241 <= life.started // SECOND < 260


def test_what_ran_out_is_left_out_for_three_minutes_although_it_is_back():
    demand = [
        CapacityLost(0, "small", "*", "*", 2 * MINUTE),
        ReplicasSet(MINUTE, "deployment/web", 1),
        ReplicasSet(3 * MINUTE, "deployment/web", 5),
        ReplicasSet(10 * MINUTE, "deployment/web", 9),
    ]
    assert [kind for kind, _, _ in launched(demand)] == ["medium", "medium", "small"]


def test_the_offering_of_an_interrupted_spot_instance_is_left_out_for_three_minutes():
    """D-78: the pod of the first goes to another zone."""
    of = inputs(WEB, of=cluster(node("a", replica(WEB), kind=SPOT), pools=[pool(kinds=[SPOT], after="Never")]))
    result = simulation(of, [Interrupted(MINUTE, "a")]).result()
    assert [life.zone for life in result.lives if life.name != "a"] == ["zone-a"]  # of another, smaller type
    of = inputs(WEB, of=cluster(node("a", replica(WEB), kind=SPOT, of=SMALL), pools=[pool(kinds=[SPOT], after="Never")]))
    result = simulation(of, [Interrupted(MINUTE, "a")]).result()
    assert [life.zone for life in result.lives if life.name != "a"] == ["zone-b"]


def test_reservations_are_used_up_and_become_free_with_their_nodes():
    """One unit: the second node is bought on demand. Once the first one has ended, the next gets the reservation."""
    steps = ((1, 1), (10, 2), (20, 0), (40, 1))
    demand = [ReplicasSet(minute * MINUTE, "deployment/web", count) for minute, count in steps]
    state = cluster(pools=[pool(kinds=["reserved", "on-demand"])], types=[RESERVED], registry=KNOWN)
    of = replace(inputs(group("web", cpu="3"), of=state), purchases=lambda claim: cheapest_purchase(claim, KNOWN))
    run = simulation(of, demand)
    assert [life.capacity_type for life in run.result().lives] == ["reserved", "on-demand", "reserved"]
    assert run.world.cluster.pending == {}


def test_shares_say_in_which_hours_there_is_nothing():
    """Of two hundred hours about a fifth, each drawn for itself; the row with the type counts before the one with the zone."""
    shares = CapacityShortages({("*", "*", "spot"): 0.2, ("small", "*", "*"): 0.0, ("*", "zone-a", "spot"): 1.0})
    short = [shares.is_short("medium", "zone-b", "spot", hour * HOUR, settings()) for hour in range(200)]
    assert 25 <= sum(short) <= 55
    assert [shares.of(*key) for key in (("small", "zone-a", "spot"), ("medium", "zone-a", "spot"))] == [0.0, 1.0]
    assert not shares.is_short("medium", "zone-b", "on-demand", 0, settings())


def test_shares_decide_what_is_launched():
    demand = [ReplicasSet(MINUTE, "deployment/web", 1)]
    assert [kind for kind, _, _ in launched(demand, shortages=CapacityShortages({("small", "*", "*"): 1.0}))] == ["medium"]


def test_mistakes_in_a_table_of_shares_are_named_by_line(tmp_path):
    header = "instance_type,zone,capacity_type,short\n"
    rows = [
        ("type,rate\n", "short.csv:1: has the columns type, rate; allowed: instance_type, zone, capacity_type, short"),
        (header, "short.csv: no share is in it"),
        (f"{header}*,*,*,often\n", "short.csv:2: 'often' is not a share; allowed: such as 5%, up to 100%"),
        (f"{header}*,*,*,101%\n", "short.csv:2: '101%' is not a share"),
        (f"{header}*,*,spots,5%\n", "short.csv:2: 'spots' is not a capacity type; allowed: on-demand, spot, *"),
        (f"{header}*,*,spot\n", "short.csv:2: is not a row of the table"),
        (f"{header}*,,spot,5%\n", "short.csv:2: zone is empty"),
        (f"{header}*,*,spot,5%\n*,*,spot,6%\n", "short.csv:3: * in *, spot, has another share above"),
    ]
    for text, mistake in rows:
        problems = Problems()
        (tmp_path / "short.csv").write_text(text)
        read_shortages(str(tmp_path / "short.csv"), problems)
        (first, *others) = [str(p).replace(f"{tmp_path}/", "") for p in problems.ordered()]
        assert first.startswith(mistake)
        assert others == []
