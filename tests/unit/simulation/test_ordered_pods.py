"""StatefulSets whose pods start and end one after another."""

from __future__ import annotations

from dataclasses import replace

from cutlist.simulation.demand.rollouts import Rollout, ordered_change
from cutlist.simulation.events import MINUTE, SECOND
from cutlist.simulation.outside_events import ReplicasSet
from tests.unit.disruption.builders import LARGE, cluster, node, pool
from tests.unit.simulation.builders import Watched, group, inputs, settings

DB = group("db", kind="StatefulSet")


def test_a_pod_starts_once_all_below_are_ready_and_ends_once_all_that_stay_are():
    """C-32, C-33."""
    assert ordered_change(3, {}, ()) == 1
    assert ordered_change(3, {0: True}, ()) == 1
    assert ordered_change(3, {0: False}, ()) == 0
    assert ordered_change(3, {0: True, 1: True, 2: True}, ()) == 0
    assert ordered_change(3, {1: True, 2: True}, {0}) == 0
    assert ordered_change(3, {1: False, 2: True}, ()) == 1
    assert ordered_change(1, {0: True, 1: True, 2: False}, ()) == -1
    assert ordered_change(1, {0: True, 1: True}, {2}) == 0
    assert ordered_change(1, {0: False, 1: True}, ()) == 0


def counts_of(is_ordered: bool) -> dict[int, int]:
    """How many pods there are that do not end, by the second in which that changed."""
    of = inputs(DB, of=cluster(node("a", of=LARGE), node("b", of=LARGE), pools=[pool(after="Never")]))
    of = replace(of, rollouts={"statefulset/db": Rollout(None, is_ordered=is_ordered)})
    demand = [ReplicasSet(0, "statefulset/db", 3), ReplicasSet(5 * MINUTE, "statefulset/db", 1)]
    run, counts = Watched(of, demand, settings(0.1, pod_start=20 * SECOND, pod_stop=7 * SECOND)), {}

    def look(now):
        present = sum(not pod.terminating for pod in now.world.cluster.pods.values())
        if present != next(reversed(counts.values()), 0):
            counts[now.world.now // SECOND] = present

    run.look = look
    run.run(run.world.settings.until)
    return counts


def test_pods_start_and_end_one_after_another():
    """C-32, C-33: each is ready after 20 s, and ends within 7 s."""
    assert counts_of(is_ordered=True) == {0: 1, 20: 2, 40: 3, 300: 2, 307: 1}
    assert counts_of(is_ordered=False) == {0: 3, 300: 1}
