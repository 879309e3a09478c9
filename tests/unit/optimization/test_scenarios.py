"""The scenarios that NodePools are judged in: which there are, and what each changes of the inputs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import InputError, plan
from cutlist.optimization.scenarios import WEIGHTS, Scenario, scenarios_of
from cutlist.planning.inputs import PlanInputs
from cutlist.verbs.suggest.criteria import Criteria, chosen_scenarios
from tests.unit.planning.manifests import ON_DEMAND, TYPES, buffer, deployment, inputs_of, pool
from tests.unit.property.planned_inputs import small_region

ZONES = ("us-west-2a", "us-west-2b")
SCALER = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 9
"""
JOB = deployment("sums", cpu="4").replace("apps/v1", "batch/v1").replace("Deployment", "Job").replace("replicas", "parallelism")
JOB = JOB.replace("  selector", "  manualSelector: true\n  selector")


@pytest.fixture(scope="module")
def inputs() -> PlanInputs:
    """Three pods of a Deployment with an autoscaler, two larger ones without, on spot or on demand, within limits."""
    requirements = f"[{TYPES.format('m5.large, m5.2xlarge, c5.large')}]"
    apps = deployment("web", 3, "500m"), deployment("data", 2, "1500m")
    made = inputs_of(pool(requirements=requirements, spec="limits: {cpu: 100}"), *apps, SCALER, zones=ZONES)
    return replace(made, catalog=small_region())


def pods(inputs: PlanInputs) -> dict[str, int]:
    return {group.workload: group.count for group in inputs.workloads.groups}


def test_there_is_one_for_each_circumstance_and_the_first_is_now(inputs):
    found = scenarios_of(inputs, ZONES)
    zones = ["zone-us-west-2a", "zone-us-west-2b"]
    weighed = ["now", "replicas-2", "replicas-4", "maximum", "minimum", "largest-2", *zones, "spot-1.5"]
    assert [s.name for s in found if s.weight] == weighed
    assert [s.name for s in found if not s.weight] == ["replicas-3", "replicas-8"]
    assert sum(s.weight for s in found) == sum(WEIGHTS.values())


def test_a_buffer_that_is_a_share_of_a_workload_follows_its_replicas():  # V-121
    of_web = "scalableRef: {apiGroup: apps, kind: Deployment, name: web}"
    share, fixed = buffer(f"{{{of_web}, percentage: 25}}"), buffer(f"{{{of_web}, replicas: 3}}").replace("spare", "fixed")
    apps = deployment("web", 8), deployment("data", 8)
    made = inputs_of(pool(requirements=f"[{ON_DEMAND}]"), *apps, share, fixed, zones=ZONES)
    found = {s.name: s.on(made).buffers for s in (Scenario("four", "", 1.0, {"deployment/web": 24}),)}
    assert [b.replicas for b in made.buffers] == [2, 3]
    assert [b.replicas for b in found["four"]] == [8, 3]
    others = Scenario("data", "", 1.0, {"deployment/data": 24}).on(made)
    assert others.buffers == made.buffers


def test_what_does_not_differ_from_now_is_left_out():
    made = inputs_of(pool(requirements=f"[{ON_DEMAND}]"), JOB, zones=ZONES)
    assert [s.name for s in scenarios_of(made, ZONES[:1])] == ["now"]


def test_each_changes_what_it_says(inputs):
    found = {scenario.name: scenario.on(inputs) for scenario in scenarios_of(inputs, ZONES)}
    counts = {name: (pods(of)["deployment/web"], pods(of)["deployment/data"]) for name, of in found.items()}
    assert counts["replicas-2"] == (6, 4)
    assert (counts["minimum"], counts["maximum"]) == ((2, 2), (9, 2))
    assert counts["largest-2"] == (3, 4)
    lost = plan(found["zone-us-west-2a"])
    assert {zone for node in lost.nodes for zone in node.zones} == {"us-west-2b"}
    assert lost.totals.pending == 0
    before, after = (plan(of).totals.price_per_hour for of in (inputs, found["spot-1.5"]))
    assert before < after <= 1.5 * before + 1e-9


def test_a_scenario_of_ones_own_and_weights_are_read(inputs):
    written = ("replicas-2=0", "now=5", "sale=3: deployment/web x2.5, spot x2, without us-west-2a")
    found = {scenario.name: scenario for scenario in chosen_scenarios(inputs, ZONES, Criteria(written))}
    assert "replicas-2" not in found
    assert found["now"].weight == 5
    own = found["sale"]
    assert (own.weight, dict(own.more), own.spot, own.zone) == (3, {"deployment/web": 5}, 2.0, "us-west-2a")


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("replica-2=1", "there is no scenario 'replica-2'"),
        ("now=3: replicas x2", "'now' names two scenarios"),
        ("x=1: without us-west-2z", "no node of today's plan is in zone 'us-west-2z'"),
    ],
)
def test_a_mistake_names_what_is_allowed(inputs, written, found):
    with pytest.raises(InputError, match=found):
        chosen_scenarios(inputs, ZONES, Criteria((written,)))


def test_without_any_weight_there_is_no_mean(inputs):
    with pytest.raises(InputError, match="no scenario has a weight"):
        chosen_scenarios(inputs, ZONES, Criteria(tuple(f"{name}=0" for name in WEIGHTS)))


def test_a_zone_that_is_lost_adds_to_what_a_pool_excludes(inputs):
    """A requirement that replaced its own one would give the pool back what it excludes."""
    excluded = "{key: topology.kubernetes.io/zone, operator: NotIn, values: [us-west-2b]}"
    made = replace(inputs_of(pool(requirements=f"[{excluded}]"), deployment(), zones=ZONES), catalog=small_region())
    assert plan(Scenario("zone", "zone", 1.0, zone="us-west-2a").on(made)).totals.pending == 1


def test_a_week_replaces_now_by_fifths_of_its_hours(inputs, tmp_path):
    """Eight hours with one pod, ten with nine, six with four: of 24 hours sorted, the middles of the fifths."""
    (tmp_path / "week.csv").write_text("time,deployment/web\n0,1\n8h,9\n18h,4\n")
    found = chosen_scenarios(inputs, ZONES, Criteria(week=(str(tmp_path / "week.csv"),)))
    week = [scenario for scenario in found if scenario.name.startswith("week-")]
    assert [pods(scenario.on(inputs))["deployment/web"] for scenario in week] == [1, 1, 4, 9, 9]
    assert {scenario.weight for scenario in week} == {15.0}
    assert found[0].weight == 0
    assert not {"minimum", "maximum"} & {scenario.name for scenario in found}


def test_a_week_without_replicas_is_a_mistake(inputs, tmp_path):
    (tmp_path / "week.csv").write_text("time,deployment/wep\n0,1\n")
    with pytest.raises(InputError, match="deployment/wep is not one of the workloads"):
        chosen_scenarios(inputs, ZONES, Criteria(week=(str(tmp_path / "week.csv"),)))
