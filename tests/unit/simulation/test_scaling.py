"""Autoscalers and CronJobs within a simulation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.simulation.autoscalers import AutoscalerInput, SteppedAutoscaler
from cutlist.simulation.cron_jobs import TimedCronJob
from cutlist.simulation.demand.autoscaling import (
    HorizontalAutoscaler,
    ScalingBehavior,
    ScalingHistory,
    ScalingRules,
    desired_replicas,
)
from cutlist.simulation.demand.cron import ConcurrencyPolicy, CronJob, CronSchedule
from cutlist.simulation.demand.curves import Curve, DemandCurves
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.simulation.demand.replica_calculator import Metric, MetricSource, MetricTarget, PodCounts
from cutlist.simulation.events import MINUTE, SECOND
from tests.examples import examples
from tests.unit.simulation.builders import group, inputs, simulation

REQUESTS = Metric(MetricSource.PODS, "requests", MetricTarget.AVERAGE_VALUE, 10_000)
WEB = HorizontalAutoscaler("deployment/web", 1, 6, (REQUESTS,))
CURVE = DemandCurves(metrics={("deployment/web", "requests"): Curve((0, 10 * MINUTE, 30 * MINUTE), (10_000, 40_000, 10_000))})


def pods_of(run, name):
    return sorted(key for key in run.world.cluster.pods if key.startswith(f"default/{name}-"))


def test_an_autoscaler_follows_the_metric_of_its_workload():
    """It doubles at most, waits for pods to be ready, and shrinks when the greatest recommendation is five minutes old."""
    of = replace(inputs(group(count=1)), autoscalers=[WEB], metrics=CURVE)
    replicas = {}
    for minute in (9, 11, 14, 34, 36):
        run = simulation(of, hours=minute / 60)
        replicas[minute] = len(pods_of(run, "web"))
    assert replicas == {9: 1, 11: 4, 14: 4, 34: 4, 36: 1}


def test_an_autoscaler_without_a_curve_leaves_its_workload_alone():
    run = simulation(replace(inputs(group(count=2)), autoscalers=[WEB]), hours=0.5)
    assert len(pods_of(run, "web")) == 2


def scheduled(policy: ConcurrencyPolicy, minutes: float, completions: int = 1) -> TimedCronJob:
    schedule = CronSchedule.parse("*/10 * * * *")
    return TimedCronJob(CronJob("cronjob/report", schedule, JobTerms(completions), policy), round(minutes * MINUTE))


def test_a_cron_job_starts_jobs_by_its_schedule():
    """It starts with none, whatever a plan counts for it."""
    of = replace(inputs(group("report", kind="CronJob", count=1)), cron_jobs=[scheduled(ConcurrencyPolicy.ALLOW, 15)])
    counts = {minute: len(pods_of(simulation(of, hours=minute / 60), "report")) for minute in (9, 11, 21, 27, 31)}
    assert counts == {9: 0, 11: 1, 21: 2, 27: 1, 31: 2}


def test_a_job_that_runs_forbids_the_next_until_it_ends():
    """C-18: the one that was due at 20 minutes starts when the first one ends, after 25 minutes and the start of its node."""
    of = replace(inputs(group("report", kind="CronJob")), cron_jobs=[scheduled(ConcurrencyPolicy.FORBID, 14)])
    names = {minute: pods_of(simulation(of, hours=minute / 60), "report") for minute in (21, 24, 26, 31)}
    assert names == {21: ["default/report-0"], 24: ["default/report-0"], 26: ["default/report-1"], 31: ["default/report-1"]}


def test_a_job_that_runs_is_replaced_by_the_next():
    """C-19."""
    of = replace(inputs(group("report", kind="CronJob")), cron_jobs=[scheduled(ConcurrencyPolicy.REPLACE, 30)])
    names = {minute: pods_of(simulation(of, hours=minute / 60), "report") for minute in (19, 21, 31)}
    assert names == {19: ["default/report-0"], 21: ["default/report-1"], 31: ["default/report-2"]}


def test_what_a_new_autoscaler_begins_with_ages_while_no_pod_has_a_metric():
    """C-10: nothing is recommended then, so the window of five minutes ends five minutes after the first look."""
    stepped, replicas = SteppedAutoscaler(WEB, {}), 3
    for look in range(1, 23):
        seen = AutoscalerInput(replicas, PodCounts(int(look > 11), 0), {"requests": 0})
        replicas = stepped.desired(look * 15 * SECOND, seen)
        assert replicas == (3 if look <= 21 else 1), look


BEHAVIORS = st.sampled_from(
    (None, ScalingBehavior(), replace(ScalingBehavior(), up=ScalingRules(ScalingBehavior().up.policies, MINUTE)))
)
LOOKS = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 6), st.integers(0, 2), st.integers(0, 60)), max_size=8)


@pytest.mark.property
@examples(1)
@given(BEHAVIORS, LOOKS)
def test_what_is_not_computed_again_would_be_the_same(behavior, looks):
    """Each look is repeated for some periods; replicas are set to what is desired in between."""
    autoscaler = replace(WEB, behavior=behavior)
    stepped, history = SteppedAutoscaler(autoscaler, {}), ScalingHistory()
    now, replicas = 0, 3
    for repeats, ready, unready, requests in looks:
        for _ in range(repeats):
            now += 15 * SECOND
            seen = AutoscalerInput(replicas, PodCounts(ready, unready), {"requests": requests * 1000})
            expected, history = desired_replicas(autoscaler, now, replicas, seen.pods, seen.usage, history)
            replicas = stepped.desired(now, seen)
            assert replicas == expected
