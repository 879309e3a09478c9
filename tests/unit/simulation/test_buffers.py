"""CapacityBuffers over time: room that is kept free."""

from __future__ import annotations

from cutlist.scheduling.queue import PodBatch
from cutlist.simulation.events import HOUR, MINUTE
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.recording.recorder import SCHEDULE, Recording
from cutlist.simulation.simulation import Simulation, simulate
from tests.conformance.recorded_runs import Judged, answered, plain, write
from tests.unit.disruption.builders import cluster, pool
from tests.unit.scheduling.builders import pod
from tests.unit.simulation.builders import commands, group, inputs, settings, simulation

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


def test_passes_and_rounds_with_buffers_are_recorded(tmp_path):
    """What the files lead to is what the run decided."""
    demand = [ReplicasSet(20 * MINUTE, "deployment/web", 1), ReplicasSet(40 * MINUTE, "deployment/web", 0)]
    of = inputs(WEB, of=cluster(buffers=[BUFFER]))
    recorded: list[Recording] = []
    simulate(Simulation(of, demand, settings(1)), HOUR, recorded.append)
    files = [write(recording, tmp_path) for recording in recorded]
    for recording, file in zip(recorded, files, strict=True):
        judged = Judged.of(recording.kind, recording.scenario)
        assert judged.of_run(answered(file, recording.kind), plain(recording.answer)) == []
    passes = [recording.answer for recording in recorded if recording.kind == SCHEDULE]
    assert passes[0]["claims"][0]["pods"] == ["capacity-buffer-spare-1"]
    assert len(passes) < len(recorded)


def test_the_recordings_of_a_run_in_parts_are_those_of_the_run_in_one():
    demand = [ReplicasSet(20 * MINUTE, "deployment/web", 1), ReplicasSet(40 * MINUTE, "deployment/web", 0)]
    of, run = inputs(WEB, of=cluster(buffers=[BUFFER])), settings(1)
    whole: list[Recording] = []
    parts: list[Recording] = []
    simulate(Simulation(of, demand, run), HOUR, whole.append)
    first = Simulation(of, demand, run)
    simulate(first, 25 * MINUTE, parts.append)
    simulate(Simulation.resumed(of, demand, run, first.saved()), HOUR, parts.append)
    assert parts == whole
    # A round is handed over once its command is validated: after passes that come later.
    assert sorted(recording.name[:6] for recording in whole) == [f"{number:06d}" for number in range(1, len(whole) + 1)]
