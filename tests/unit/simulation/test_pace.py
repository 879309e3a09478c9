"""When Karpenter looks: what makes it look again before its time, and how long a drain takes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cutlist import Budget
from cutlist.core.labels import HOSTNAME
from cutlist.simulation.events import MINUTE, SECOND, Interrupted, OrphansCollected
from cutlist.simulation.outside_events import ImageReleased, ReplicasSet
from cutlist.simulation.provisioning import Provisioner
from cutlist.workloads.groups import DaemonSet
from cutlist.workloads.pods import PodTerm
from tests.unit.disruption.builders import cluster, node, pool, runs
from tests.unit.disruption.claims import NOON
from tests.unit.scheduling.builders import pod, selecting
from tests.unit.simulation.builders import Watched, group, inputs, replica, settings, simulation

NO_DISRUPTION = pool(budgets=[Budget(nodes="0")])


def test_a_node_that_comes_lets_karpenter_look_at_pods_that_still_wait():
    """The first claim may become the largest type, so the limits leave nothing to the second pod in the same pass. Once the
    first node is ready kube-scheduler refuses it in other words, which opens the window."""
    web = group(count=2, anti_affinity=(PodTerm(HOSTNAME, selecting(app="web")),))
    run = simulation(inputs(web, of=cluster(pools=[pool(limits={"cpu": "8"})])), startup=6 * SECOND)
    assert [c.at for c in run.result().commands] == [1 * SECOND, 8 * SECOND]


def test_pods_without_a_grace_period_hold_up_no_drain():
    """All pods of the node end at the instant of their eviction; five seconds later the node is no longer there."""
    web = group(grace=0)
    of = cluster(node("a", replica(web, grace=0)), node("b"), pools=[NO_DISRUPTION])
    run = simulation(inputs(web, of=of), [Interrupted(MINUTE, "a")])
    assert run.result().lives[0].ended == 65 * SECOND


def test_pods_of_daemon_sets_outlive_their_node_by_a_minute_at_most():
    """Kubernetes looks for pods without a node every 20 seconds and keeps them for 40, then Karpenter looks again (4.2)."""
    daemon = DaemonSet("log", "default", pod("100m", "128Mi"))
    on_node = runs("log-a", "100m", "DaemonSet", of=daemon.pod)
    run = simulation(inputs(of=cluster(node("a", on_node), pools=[NO_DISRUPTION]), daemons=[daemon]), hours=0)
    run.world.push(Interrupted(50 * SECOND, "a"))
    run.run(56 * SECOND)
    assert [e.at for e in run.world.queue if isinstance(e, OrphansCollected)] == [100 * SECOND]
    run.run(101 * SECOND)
    assert run.world.cluster.moved == NOON + 100


def test_a_round_without_candidates_remembers_nothing():
    """The node may be consolidated 30 seconds after its last pod left; a round before that had no candidate (4.1, 4.2)."""
    demand = [ReplicasSet(0, "deployment/web", 6), ReplicasSet(2 * MINUTE, "deployment/web", 1)]
    run = simulation(inputs(group(), of=cluster(pools=[pool(after="30s")])), demand, hours=0.1)
    [replaced] = [c for c in run.result().commands if c.decision == "replace"]
    assert replaced.at < 3 * MINUTE


def test_a_command_that_cannot_be_carried_out_is_tried_again_more_and_more_rarely():
    """The replacement fits the limits once the node is removed, but with the node they are exceeded already (4.1)."""
    web = group(count=1)
    of = cluster(node("a", replica(web)), pools=[pool(policy="WhenEmpty", limits={"cpu": "3"})])
    run = simulation(inputs(web, of=of), [ImageReleased(10 * MINUTE)], hours=2)
    attempts = [c.at for c in run.result().commands if c.method == "drift"]
    gaps = [after - at for at, after in pairwise(attempts)]
    assert gaps[:4] == [5, 10, 20, 40]
    assert gaps[-1] == 1000 * SECOND
    outcomes = {c.outcome for c in run.result().commands if c.method == "drift"}
    assert outcomes == {"dropped: the limits of a NodePool are exceeded"}
    assert [life.ended for life in run.result().lives] == [None]


BIG = group("big", cpu="1000")
"""A workload whose pods fit no machine."""


def looks(days: float) -> int:
    """How often a simulation settles in which a pod waits all the time."""
    run, seen = Watched(inputs(group(count=1), BIG), [ReplicasSet(MINUTE, BIG.workload, 1)], settings(24 * days)), []
    run.look = lambda of: seen.append(of.world.now)
    run.run(run.world.settings.until)
    assert list(run.world.cluster.pending) == ["default/big-0"]
    return len(seen)


def test_a_pod_that_waits_for_a_month_takes_no_longer_than_one_that_waits_for_a_day():
    assert looks(30) == looks(1)


@pytest.mark.parametrize("offset", [0, 1, 3_500, 9_999])
def test_windows_end_when_they_would_have_ended_if_karpenter_had_looked_every_ten_seconds(offset, monkeypatch):
    """Also at the instant of a change, and where a node comes and goes in the meantime."""
    day = 14 * 60 * MINUTE + MINUTE + SECOND + offset
    demand = [
        ReplicasSet(MINUTE, BIG.workload, 1),
        ReplicasSet(day, "deployment/web", 3),
        ImageReleased(day + 40 * MINUTE),
        ReplicasSet(day + 90 * MINUTE, "deployment/web", 0),
        ReplicasSet(day + 100 * MINUTE, BIG.workload, 0),
    ]
    of = inputs(group(count=1), BIG, of=cluster(pools=[pool(after="30s")]))
    quick = simulation(of, demand, 24)
    monkeypatch.setattr(Provisioner, "is_idle", lambda *_: False)
    assert simulation(of, demand, 24).result() == quick.result()
    assert {c.method for c in quick.result().commands} >= {"provisioning", "drift", "emptiness"}
