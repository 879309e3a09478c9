"""The state of a simulation: a run that goes on from it, in another process, is the run in one."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import Budget
from cutlist.simulation.checkpoint.parts import SavedParts
from cutlist.simulation.cron_jobs import TimedCronJob
from cutlist.simulation.demand.autoscaling import HorizontalAutoscaler
from cutlist.simulation.demand.cron import ConcurrencyPolicy, CronJob, CronSchedule
from cutlist.simulation.demand.curves import Curve, DemandCurves
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.simulation.demand.replica_calculator import Metric, MetricSource, MetricTarget
from cutlist.simulation.events import MINUTE, SECOND, Event
from cutlist.simulation.failures import InterruptionRates
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.outside_events import JobStarted, ReplicasSet, TemplateChanged
from cutlist.simulation.shortages import CapacityShortages
from cutlist.simulation.simulation import Simulation
from cutlist.workloads.groups import DaemonSet
from tests.conformance.simulations import drawn
from tests.examples import examples
from tests.unit.disruption.builders import cluster, guard, guarded, node, pool, runs
from tests.unit.scheduling.builders import pod, spread
from tests.unit.simulation.builders import group, inputs, settings
from tests.unit.simulation.outside_events import outside_events, with_editions

HOURS = 1.5
GROUPS = (
    group("web", cpu="700m", count=3),
    group("api", cpu="1500m"),
    group("even", cpu="300m", spread=(spread(),)),
    group("small", cpu="100m", grace=0),
    group("store", cpu="900m", kind="StatefulSet", count=2),
    group("job", kind="Job"),
    group("cron", kind="CronJob"),
    group("scaled", cpu="600m", count=1),
)
POOLS = (
    pool("default", kinds=["spot", "on-demand"], after="30s", budgets=[Budget(nodes="1")], expire_after="40m"),
    pool("other", after="0s", limits={"cpu": "12"}, weight=10),
)
REQUESTS = Metric(MetricSource.PODS, "requests", MetricTarget.AVERAGE_VALUE, 10_000)
TIMES = st.integers(0, round(HOURS * 3600)).map(lambda s: s * SECOND)
TERMS = st.builds(JobTerms, st.integers(1, 4), st.integers(1, 3))
EVENTS = st.one_of(
    st.builds(ReplicasSet, TIMES, st.sampled_from([g.workload for g in GROUPS[:5]]), st.integers(0, 9)),
    st.builds(JobStarted, TIMES, st.just("job/job"), TERMS, st.integers(1, 30).map(MINUTE.__mul__)),
    st.builds(
        TemplateChanged,
        TIMES,
        st.sampled_from(["deployment/web", "statefulset/store"]),
        st.just("v2"),
        st.sampled_from([None, pod("1200m", "128Mi", labels={"app": "web"})]),
    ),
    outside_events(TIMES),
)
DEMAND = st.lists(EVENTS, max_size=14).map(lambda events: sorted(events, key=lambda e: e.at))


def everything() -> SimulationInputs:
    """A cluster in which all parts of a simulation have something to remember."""
    running = [runs(f"web-{n}", "700m", of=GROUPS[0].pod) for n in range(2)]
    daemon = DaemonSet("agent", "default", pod("50m", "16Mi", labels={"app": "agent"}))
    state = cluster(
        node("n1", running[0], pool="other"),
        node("n2", running[1], kind="spot"),
        pools=POOLS,
        daemons=[daemon.pod],
        evictions=guarded(guard(minAvailable="50%")),
    )
    schedule = CronSchedule.parse("*/15 * * * *")
    return replace(
        with_editions(inputs(*GROUPS, of=state, daemons=[daemon])),
        autoscalers=[HorizontalAutoscaler("deployment/scaled", 1, 6, (REQUESTS,))],
        metrics=DemandCurves(
            metrics={("deployment/scaled", "requests"): Curve((0, 10 * MINUTE, 30 * MINUTE), (10_000, 40_000, 10_000))}
        ),
        cron_jobs=[TimedCronJob(CronJob("cronjob/cron", schedule, JobTerms(2), ConcurrencyPolicy.FORBID), 20 * MINUTE)],
        interruptions=InterruptionRates({("*", "*"): 0.99}),
        shortages=CapacityShortages({("*", "*", "spot"): 0.5}),
    )


def text_of(saved: SavedParts) -> str:
    return json.dumps([saved.shared, saved.parts])


def resumed(of: SimulationInputs, demand: list[Event], text: str) -> Simulation:
    return Simulation.resumed(of, demand, settings(HOURS), SavedParts(*json.loads(text)))


@pytest.mark.property
@pytest.mark.slow
@examples(0.05)
@given(DEMAND, st.lists(TIMES, min_size=1, max_size=3).map(sorted))
def test_a_run_that_is_saved_and_goes_on_elsewhere_is_the_run_in_one(demand, cuts):
    """Inputs are made again, as another process does."""
    whole = Simulation(everything(), demand, settings(HOURS))
    whole.run(whole.world.settings.until)
    run = Simulation(everything(), demand, settings(HOURS))
    for cut in cuts:
        run.run(cut)
        text = text_of(run.saved())
        run = resumed(everything(), demand, text)
        assert text_of(run.saved()) == text
    run.run(run.world.settings.until)
    assert run.result() == whole.result()


@pytest.mark.sampled(one_in=2)
@pytest.mark.slow
@pytest.mark.parametrize(("seed", "karpenter"), [(2, "1.14"), (5, "1.15")])
def test_a_random_run_goes_on_from_any_instant(seed, karpenter):
    """With new images, failures, interruptions and lost capacity; one cut is while a command waits for its validation."""
    whole = Simulation(*drawn(seed, karpenter, 1))
    whole.run(whole.world.settings.until)
    result = whole.result()
    validated = next(c.at for c in result.commands if c.method == "emptiness" and c.outcome == "executed")
    run = Simulation(*drawn(seed, karpenter, 1))
    for cut in sorted([validated - 7 * SECOND, 40 * MINUTE]):
        run.run(cut)
        text = text_of(run.saved())
        run = Simulation.resumed(*drawn(seed, karpenter, 1), SavedParts(*json.loads(text)))
        assert text_of(run.saved()) == text
    run.run(run.world.settings.until)
    assert run.result() == result
