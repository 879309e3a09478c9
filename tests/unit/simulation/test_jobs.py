"""Jobs over time: their pods end, are evicted, and are tried again."""

from __future__ import annotations

from dataclasses import replace

from cutlist.simulation.demand.jobs import JobProgress, JobTerms, TimedJob, WrittenJob
from cutlist.simulation.events import MINUTE, SECOND, Interrupted
from cutlist.simulation.outside_events import JobStarted
from tests.unit.disruption.builders import LARGE, cluster, node, pool
from tests.unit.disruption.claims import NOON
from tests.unit.simulation.builders import group, inputs, replica, simulation

REPORT = group("report", kind="Job")


def nodes(*names: str):
    """Nodes that no consolidation removes."""
    return cluster(*(node(name, of=LARGE) for name in names), pools=[pool(after="Never")])


def starts(run) -> list[float]:
    """When pods of the report began to exist, in seconds since the start; those that have ended are not among them."""
    return [p.created - NOON for p in run.world.cluster.pods.values()]


def test_a_pod_that_is_evicted_is_made_again_after_ten_seconds_and_then_twenty():
    """C-23, C-24."""
    of = inputs(REPORT, of=nodes("a", "b", "c"))
    demand = [JobStarted(0, "job/report", JobTerms(), 50 * MINUTE), Interrupted(5 * MINUTE, "a"), Interrupted(9 * MINUTE, "b")]
    begun = [starts(simulation(of, demand, hours=minute / 60)) for minute in (4, 6, 10)]
    assert begun == [[0.0], [310.0], [560.0]]


def test_a_job_whose_pods_fail_too_often_gives_up():
    """C-22: it has one more failure than its limit; evictions that its policy ignores do not count."""
    for ignores, left in ((False, 0), (True, 1)):
        terms = JobTerms(backoff_limit=0, ignores_evictions=ignores)
        demand = [JobStarted(0, "job/report", terms, 50 * MINUTE), Interrupted(5 * MINUTE, "a")]
        assert len(starts(simulation(inputs(REPORT, of=nodes("a", "b")), demand, hours=0.5))) == left


def test_a_job_that_runs_for_too_long_loses_its_pods():
    """C-22."""
    terms = JobTerms(3, 3, deadline=10 * MINUTE)
    of, demand = inputs(REPORT, of=nodes("a", "b")), [JobStarted(0, "job/report", terms, 50 * MINUTE)]
    assert [len(starts(simulation(of, demand, hours=minute / 60))) for minute in (9, 11)] == [3, 0]


def test_jobs_of_the_input_go_on_where_they_are():
    """Its pod has run for an hour of 70 minutes, so the next and last one follows after ten."""
    state = cluster(node("a", replica(REPORT, started=NOON - 3600), of=LARGE), pools=[pool(after="Never")])
    job = WrittenJob("job/report", JobTerms(3), JobProgress(1), NOON - 7200)
    of = replace(inputs(REPORT, of=state), jobs=[TimedJob(job, 70 * MINUTE)], workload_of={"default/report-0": "job/report"})
    names = [[*simulation(of, hours=minute / 60).world.cluster.pods] for minute in (9, 11, 79, 81)]
    assert names == [["default/report-0"], ["default/report-1"], ["default/report-1"], []]


def test_a_job_of_the_input_without_pods_starts_at_the_beginning():
    of = replace(inputs(REPORT, of=nodes("a")), jobs=[TimedJob(WrittenJob("job/report", JobTerms(2, 2)), 5 * MINUTE)])
    run = simulation(of, hours=0.05)
    assert starts(run) == [0.0, 0.0]
    assert simulation(of, hours=0.2).result().totals.pods == 2
    assert run.world.now == 180 * SECOND


def test_a_node_is_not_empty_for_long_enough_until_its_last_pod_has_ended_for_that_long():
    """D-16: the pod ends after 20 minutes and 5 s, `consolidateAfter` is 5 minutes, and the validation takes 15 s."""
    of = inputs(REPORT, of=cluster(node("a", of=LARGE), pools=[pool(policy="WhenEmpty", after="5m")]))
    demand = [JobStarted(0, "job/report", JobTerms(), 20 * MINUTE)]
    lives = [simulation(of, demand, hours=minutes / 60).result().lives for minutes in (25.25, 25.75)]
    assert [[life.cause for life in of_run] for of_run in lives] == [[""], ["Empty"]]
