"""CronJobs, Jobs and rollouts, as their controllers step them."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.errors import Problems
from cutlist.documents.parsing import parse_documents
from cutlist.simulation.demand.autoscaler_objects import autoscalers_of
from cutlist.simulation.demand.autoscaling import HorizontalAutoscaler
from cutlist.simulation.demand.cron import ConcurrencyPolicy, CronJob, CronSchedule, cron_jobs_of, job_due
from cutlist.simulation.demand.jobs import JobProgress, JobStep, JobTerms, is_complete, is_failed, job_step, terms_of
from cutlist.simulation.demand.replica_calculator import Metric, MetricSource, MetricTarget
from cutlist.simulation.demand.rollouts import (
    RollingUpdate,
    Rollout,
    RolloutCounts,
    ordinals_to_restart,
    recreated,
    rescaled,
    rolled,
    rollouts_of,
)
from cutlist.simulation.events import HOUR, MINUTE, SECOND
from tests.examples import examples


def at(text: str) -> int:
    return round(datetime.fromisoformat(f"{text}+00:00").timestamp() * 1000)


FIRES = [
    # C-15: what github.com/robfig/cron v3.0.1 says, which the controller asks
    ("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00", ["2026-03-30T00:30", "2026-03-31T00:30"]),
    ("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00", ["2026-10-25T00:30", "2026-10-25T01:30"]),
    ("0 9 * * 1-5", "Asia/Kolkata", "2026-11-20T04:00", ["2026-11-23T03:30", "2026-11-24T03:30"]),
    ("0 0 29 2 *", "UTC", "2026-01-01T00:00", ["2028-02-29T00:00", "2032-02-29T00:00"]),
    ("@daily", "America/New_York", "2026-11-01T03:00", ["2026-11-01T04:00", "2026-11-02T05:00"]),
    # C-16
    ("@every 90m", "UTC", "2026-01-01T00:00:01", ["2026-01-01T01:30:01", "2026-01-01T03:00:01"]),
]


def test_a_schedule_fires_by_the_clock_of_its_zone():
    for text, zone, start, expected in FIRES:
        schedule, now = CronSchedule.parse(text, zone), at(start)
        for instant in expected:
            now = schedule.next_after(now)
            assert now == at(instant), (text, zone)
    assert CronSchedule.parse("0 0 31 2 *").next_after(0) is None
    assert CronSchedule.parse("@every 1500ms").next_after(137) == 1000


HOURLY = CronSchedule.parse("0 * * * *")


def test_a_job_starts_for_the_last_time_that_had_none():
    """C-17, C-18."""
    cron, created = CronJob("cronjob/report", HOURLY), at("2026-01-05T08:10")
    assert job_due(cron, at("2026-01-05T08:59:59"), created, 0) is None
    assert job_due(cron, at("2026-01-05T09:00"), created, 1) == at("2026-01-05T09:00")
    assert job_due(cron, at("2026-01-05T09:00"), at("2026-01-05T09:00"), 0) is None
    assert job_due(cron, at("2026-01-05T13:30"), created, 0) == at("2026-01-05T13:00")
    late = CronJob("cronjob/report", HOURLY, deadline=10 * MINUTE)
    assert job_due(late, at("2026-01-05T09:09"), created, 0) == at("2026-01-05T09:00")
    assert job_due(late, at("2026-01-05T09:11"), created, 0) is None
    forbids = CronJob("cronjob/report", HOURLY, concurrency=ConcurrencyPolicy.FORBID)
    assert job_due(forbids, at("2026-01-05T09:00"), created, 1) is None
    assert job_due(forbids, at("2026-01-05T09:20"), created, 0) == at("2026-01-05T09:00")
    assert job_due(CronJob("cronjob/report", HOURLY, is_suspended=True), at("2026-01-05T09:00"), created, 0) is None


OBJECTS = """
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec:
  schedule: 0 2 * * *
  timeZone: Europe/Berlin
  concurrencyPolicy: Replace
  startingDeadlineSeconds: 60
  jobTemplate:
    spec:
      completions: 5
      parallelism: 2
      template: {spec: {restartPolicy: Never, containers: [{name: main, image: i}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: main, image: i, resources: {requests: {cpu: 250m}}}
        - {name: side, image: i, resources: {limits: {cpu: 1}}}
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
"""


def test_controllers_have_what_their_objects_say():
    """C-19: `Replace`; utilization is of requests, which limits are where there are none."""
    problems = Problems()
    documents = list(parse_documents(OBJECTS, "f.yaml", problems))
    (cron,) = cron_jobs_of(documents, problems)
    assert cron == CronJob(
        "shop/cronjob/report",
        CronSchedule.parse("0 2 * * *", "Europe/Berlin"),
        JobTerms(5, 2),
        ConcurrencyPolicy.REPLACE,
        MINUTE,
    )
    metric = Metric(MetricSource.RESOURCE, "cpu", MetricTarget.UTILIZATION, 80, request=1250)
    assert autoscalers_of(documents, problems) == (HorizontalAutoscaler("deployment/web", 1, 9, (metric,)),)
    assert not problems


def test_what_the_api_server_refuses_is_named():
    problems = Problems()
    text = OBJECTS.replace("maxReplicas: 9", "maxReplicas: 0").replace("Europe/Berlin", "Europe/Bern")
    documents = list(parse_documents(text, "f.yaml", problems))
    assert cron_jobs_of(documents, problems) == autoscalers_of(documents, problems) == ()
    zone, *bounds = (str(problem) for problem in problems.ordered())
    assert zone.startswith("f.yaml:7 spec.timeZone: 'Europe/Bern' is not a time zone that this machine knows")
    assert all("spec.maxReplicas" in problem for problem in bounds)
    assert bounds


def test_objects_of_a_cluster_may_lack_members():
    """A controller cannot be stepped by them, nor by what is not a strategy."""
    problems, stored = Problems(), "metadata: {name: a, uid: u}"
    text = f"""
{{apiVersion: batch/v1, kind: CronJob, {stored}}}
---
{{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, {stored}, spec: {{maxReplicas: 3}}}}
---
{{apiVersion: apps/v1, kind: Deployment, {stored}, spec: {{strategy: {{rollingUpdate: {{maxSurge: many}}}}}}}}
"""
    documents = list(parse_documents(text, "f.yaml", problems))
    assert cron_jobs_of(documents, problems) == autoscalers_of(documents, problems) == ()
    assert {problem.place.document for problem in problems.ordered()} == {1, 2}
    rollouts_of(documents, problems)
    assert {problem.place.document for problem in problems.ordered()} == {1, 2, 3}


def test_strategies_that_the_api_server_refuses_are_named():
    """W-61, W-63: nothing else of the objects matters."""
    text = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec: {strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: b}, spec: {strategy: {rollingUpdate: {maxUnavailable: 150%}}}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: c}, spec: {updateStrategy: {type: Recreate}}}
"""
    problems = Problems()
    rollouts_of(parse_documents(text, "f.yaml", problems), problems)
    assert [problem.place.path for problem in problems.ordered()] == [
        "spec.strategy.rollingUpdate.maxUnavailable",
        "spec.strategy.rollingUpdate.maxUnavailable",
        "spec.updateStrategy",
    ]


def test_a_job_runs_pods_until_it_has_its_completions():
    """C-20, C-21."""
    terms = JobTerms(completions=5, parallelism=2)
    assert job_step(terms, JobProgress(), 0, 0) == JobStep(start=2)
    assert job_step(terms, JobProgress(succeeded=4), 1, 0) == JobStep()
    assert job_step(terms, JobProgress(succeeded=4), 2, 0) == JobStep(remove=1)
    assert not is_complete(terms, JobProgress(succeeded=5), 1)
    assert is_complete(terms, JobProgress(succeeded=5), 0)
    queue = JobTerms(completions=None, parallelism=3)
    assert job_step(queue, JobProgress(), 1, 0) == JobStep(start=2)
    assert job_step(queue, JobProgress(succeeded=1), 1, 0) == JobStep()
    assert not is_complete(queue, JobProgress(), 0)
    assert is_complete(queue, JobProgress(succeeded=1), 0)
    assert terms_of({}) == JobTerms(1, 1)
    assert terms_of({"backoffLimitPerIndex": 1}).backoff_limit == 2**31 - 1  # C-22
    assert terms_of({"backoffLimitPerIndex": 1, "backoffLimit": 2}).backoff_limit == 2
    assert terms_of({"parallelism": 3, "backoffLimit": 0, "activeDeadlineSeconds": 9}) == JobTerms(None, 3, 0, 9 * SECOND)


def test_failures_delay_a_job_and_end_it():
    """C-22 to C-24."""
    terms, progress, waits = JobTerms(), JobProgress(), []
    for _ in range(8):
        waits.append(job_step(terms, progress, 0, 0).not_before // SECOND)
        progress = progress.with_failure(0)
    assert waits == [0, 10, 20, 40, 80, 160, 320, 600]
    assert job_step(terms, progress, 0, 10 * MINUTE - 1).start == 0
    assert job_step(terms, progress, 0, 10 * MINUTE).start == 1
    assert job_step(terms, progress.with_success(), 0, 0) == JobStep()
    assert not is_failed(terms, JobProgress(failed=6), 0, HOUR)
    assert is_failed(terms, JobProgress(failed=7), 0, HOUR)
    assert is_failed(JobTerms(deadline=HOUR), JobProgress(), 5, HOUR + 5)
    ignores = terms_of(
        {"podFailurePolicy": {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}}
    )
    assert JobProgress().with_eviction(9, terms) == JobProgress(failed=1, failures_in_row=1, last_failure=9)
    assert JobProgress().with_eviction(9, ignores) == JobProgress(failed=0, failures_in_row=1, last_failure=9)


def test_a_deployment_rolls_out_within_surge_and_unavailable():
    """C-25 to C-28: ten replicas, three more at most, two unavailable, as Kubernetes' own comments count them."""
    strategy = RollingUpdate(3, 2)
    first = rolled(strategy, 10, RolloutCounts(10, 10, 0, 0))
    assert first == RolloutCounts(8, 8, 5, 0)
    assert rolled(strategy, 10, RolloutCounts(8, 7, 5, 0)) == RolloutCounts(8, 7, 5, 0)
    assert rolled(strategy, 10, RolloutCounts(8, 8, 5, 5)) == RolloutCounts(3, 3, 10, 5)
    assert rolled(strategy, 10, RolloutCounts(3, 3, 10, 10)) == RolloutCounts(0, 0, 10, 10)
    assert rolled(strategy, 4, RolloutCounts(0, 0, 5, 5)) == RolloutCounts(0, 0, 4, 4)
    assert RollingUpdate().bounds(10) == (3, 2)
    assert RollingUpdate(0, "5%").bounds(10) == (0, 1)
    assert RollingUpdate().bounds(0) == (0, 0)


def test_old_pods_end_before_new_ones_start_where_that_is_asked():
    """C-29."""
    assert recreated(3, RolloutCounts(3, 3, 0, 0), 0) == RolloutCounts(0, 0, 0, 0)
    assert recreated(3, RolloutCounts(0, 0, 0, 0), 2) == RolloutCounts(0, 0, 0, 0)
    assert recreated(3, RolloutCounts(0, 0, 0, 0), 0) == RolloutCounts(0, 0, 3, 0)


def test_replicas_that_change_during_a_rollout_are_divided():
    """C-30: the example of Kubernetes' page on Deployments."""
    assert rescaled(RollingUpdate(3, 2), 10, 15, RolloutCounts(8, 8, 5, 0)) == RolloutCounts(11, 8, 7, 0)
    assert rescaled(RollingUpdate(3, 2), 10, 0, RolloutCounts(8, 8, 5, 0)) == RolloutCounts(0, 0, 0, 0)
    assert rescaled(RollingUpdate(), 10, 4, RolloutCounts(0, 0, 10, 9)) == RolloutCounts(0, 0, 4, 4)
    assert rescaled(RollingUpdate(), 10, 4, RolloutCounts(10, 9, 0, 0)) == RolloutCounts(4, 4, 0, 0)


def test_a_stateful_set_restarts_from_its_highest_number():
    """C-31."""
    assert ordinals_to_restart(Rollout(), 3, (0, 1, 2), 0) == (2,)
    assert ordinals_to_restart(Rollout(), 3, (0, 1, 2), 1) == ()
    assert ordinals_to_restart(Rollout(), 3, (0, 1, 2), 2) == ()
    assert ordinals_to_restart(Rollout(partition=2, unavailable="100%"), 4, (0, 1, 2, 3), 1) == (3, 2)
    assert ordinals_to_restart(Rollout(unavailable="1%"), 4, (0, 1, 2, 3), 0) == (3,)
    assert ordinals_to_restart(Rollout(is_manual=True), 4, (0, 1, 2, 3), 0) == ()


def test_workloads_say_how_they_roll_out():
    """Without a strategy a quarter of a Deployment may be missing and a quarter too many, and one pod of a StatefulSet."""
    text = """
{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: b}, spec: {strategy: {rollingUpdate: {maxSurge: 0}}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: c}, spec: {strategy: {type: Recreate}}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: d}, spec: {}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: e},
 spec: {podManagementPolicy: Parallel, updateStrategy: {rollingUpdate: {partition: 2}}}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: f}, spec: {updateStrategy: {type: OnDelete}}}
---
{apiVersion: v1, kind: Service, metadata: {name: g}, spec: {}}
"""
    problems = Problems()
    assert rollouts_of(parse_documents(text, "f.yaml", problems), problems) == {
        "deployment/a": Rollout(),
        "deployment/b": Rollout(RollingUpdate(0)),
        "deployment/c": Rollout(None),
        "statefulset/d": Rollout(None, is_ordered=True),
        "statefulset/e": Rollout(None, partition=2),
        "statefulset/f": Rollout(None, is_manual=True, is_ordered=True),
    }
    assert not problems.found


AMOUNTS = st.integers(0, 5) | st.sampled_from(("0%", "10%", "25%", "100%"))


@pytest.mark.property
@examples(0.5)
@given(st.integers(1, 30), AMOUNTS, AMOUNTS, st.data())
def test_every_rollout_ends_within_its_bounds(replicas, surge, unavailable, data):
    """However many new pods become available at a time."""
    strategy = RollingUpdate(surge, unavailable)
    most, least = replicas + strategy.bounds(replicas)[0], replicas - strategy.bounds(replicas)[1]
    counts = RolloutCounts(replicas, replicas, 0, 0)
    for _ in range(2 * replicas + 2):
        counts = rolled(strategy, replicas, counts)
        assert counts.old + counts.new <= most
        assert counts.old_available + counts.new_available >= least
        if counts.new == counts.new_available:
            break
        ready = data.draw(st.integers(counts.new_available + 1, counts.new))
        counts = RolloutCounts(counts.old, counts.old_available, counts.new, ready)
    assert counts == RolloutCounts(0, 0, replicas, replicas)
