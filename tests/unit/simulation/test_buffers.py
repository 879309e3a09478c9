"""CapacityBuffers over time: room that is kept free."""

from __future__ import annotations

from cutlist.scheduling.queue import PodBatch
from cutlist.simulation.events import MINUTE
from cutlist.simulation.outside_events import ReplicasSet
from tests.unit.disruption.builders import cluster, pool
from tests.unit.scheduling.builders import pod
from tests.unit.simulation.builders import commands, group, inputs, simulation

WEB = group("web", cpu="1")
BUFFER = PodBatch("capacity-buffer-spare", pod("2", "128Mi"), 1, created=float("inf"), uid="spare-1", virtual=True)


def test_room_for_a_buffer_is_made_and_stays_free():
    """S-124: a node for virtual pods alone, which emptiness leaves alone (disruption 4.3)."""
    run = simulation(inputs(WEB, of=cluster(buffers=[BUFFER])))
    [node] = run.world.cluster.nodes.values()
    assert (node.instance_type, node.pods) == ("small", ())
    assert commands(run) == []
    assert run.result().totals.pods == 0


def test_pods_run_at_once_in_the_room_of_a_buffer_which_gets_other_room():
    demand = [ReplicasSet(20 * MINUTE, "deployment/web", 1)]
    of = inputs(WEB, of=cluster(buffers=[BUFFER], pools=[pool(after="Never")]))
    run = simulation(of, demand)
    assert run.result().totals.pending_seconds == {0.5: 0.0, 0.9: 0.0, 0.99: 0.0, 1.0: 0.0}
    lives = run.result().lives
    assert [life.started // MINUTE for life in lives] == [0, 20]
    assert run.world.cluster.buffered == {lives[1].name: 1}
    for life in simulation(inputs(WEB, of=cluster(pools=[pool(after="Never")])), demand).result().lives:
        assert life.started // MINUTE == 20


def test_pods_that_leave_give_their_room_back():
    """The buffer moves to the first node, and the second one is removed."""
    demand = [ReplicasSet(20 * MINUTE, "deployment/web", 1), ReplicasSet(40 * MINUTE, "deployment/web", 0)]
    run = simulation(inputs(WEB, of=cluster(buffers=[BUFFER])), demand, hours=1.5)
    assert len(run.result().lives) == 2
    assert len(run.world.cluster.nodes) == 1
