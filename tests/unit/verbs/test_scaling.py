"""What a plan costs at the ends of its autoscalers, and while its Deployments are rolled out."""

from __future__ import annotations

import pytest

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.model.scaling import Scaling
from cutlist.report.estimates import total_month
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.scaling import surges_of, with_scaling
from cutlist.verbs.plan.scaling_words import autoscaler_line, rollout_line
from cutlist.verbs.plan.small_plans import scales_at_once
from cutlist.verbs.plan.text import render_plan
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool

POOL = pool(requirements=f"[{ON_DEMAND}, {TYPES.format('m5.large')}]")
APART = """affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}"""
NODE = 0.096 + 20 * 0.08 / 730
"""The price of an m5.large with its disk, in USD per hour."""


def scaler(low: int, high: int, name: str = "web") -> str:
    return f"""
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}}}
spec: {{minReplicas: {low}, maxReplicas: {high}, scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}}}
"""


def surging(manifest: str, strategy: str) -> str:
    """Return a Deployment with a strategy."""
    return manifest.replace("  selector:", f"  strategy: {strategy}\n  selector:", 1)


def scaled(inputs: PlanInputs, **most: int) -> Plan:
    return with_scaling(plan(inputs), inputs, **most)


def scaling_of(inputs: PlanInputs, **most: int) -> Scaling:
    scaling = scaled(inputs, **most).scaling
    assert scaling is not None
    return scaling


AUTOSCALED = inputs_of(POOL, deployment("web", 2, "1500m"), scaler(1, 6))
ROLLED_OUT = inputs_of(
    POOL, surging(deployment("web", 2, "500m", extra=APART), "{rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}")
)


def test_the_ends_of_an_autoscaler_are_plans_of_their_own():
    """Each pod fills a node, so the price follows the replicas."""
    scaling = scaling_of(AUTOSCALED)
    assert scaling.minimum is not None
    assert scaling.maximum is not None
    assert [(of.pods, of.nodes) for of in (scaling.minimum, scaling.maximum)] == [(1, 1), (6, 6)]
    assert [of.price for of in (scaling.minimum, scaling.maximum)] == [pytest.approx(n * NODE) for n in (1, 6)]


def test_what_a_limit_stops_at_the_maximum_is_said():
    """Pods that stay pending there, and do not today, are counted beside the price."""
    limited = POOL.replace("spec:\n  \n", "spec:\n  limits: {cpu: 8}\n")
    assert limited != POOL
    planned = scaled(inputs_of(limited, deployment("web", 2, "1500m"), scaler(1, 6)))
    assert "at the maximum (4 pods, 2 pending)" in autoscaler_line(planned)


def test_estimates_are_rounded_as_in_the_headline():
    """So what the plan costs now is one figure in both."""
    spot = POOL.replace("on-demand", "spot")
    assert spot != POOL
    planned = scaled(inputs_of(spot, deployment("web", 2, "1500m"), scaler(1, 6)))
    now = f"{total_month(planned.totals).partition(' (')[0]} now"
    assert now.startswith("about $")
    assert now in autoscaler_line(planned)


def test_without_an_autoscaler_there_is_no_such_line():
    """A fixed number of replicas has one price."""
    planned = scaled(ROLLED_OUT)
    assert autoscaler_line(planned) == ""
    assert (scaling_of(ROLLED_OUT).minimum, scaling_of(ROLLED_OUT).maximum) == (None, None)


def test_a_rollout_needs_a_node_for_the_pod_above_the_replicas():
    """Two pods that must not share a host have two nodes; the third, which comes before one of them goes, needs another."""
    # C-26
    planned = scaled(ROLLED_OUT)
    rollouts = scaling_of(ROLLED_OUT).rollouts
    assert rollouts is not None
    assert (rollouts.pods, rollouts.nodes, rollouts.price) == (1, 1, pytest.approx(NODE))
    assert rollout_line(planned) == "1 more node for $0.0982 an hour while deployment/web is rolled out"


def test_a_rollout_that_finds_room_needs_nothing():
    """Its pod fits on the nodes of the plan, so nothing is said."""
    roomy = inputs_of(POOL, deployment("web", 1, "500m"))
    rollouts = scaling_of(roomy).rollouts
    assert rollouts is not None
    assert (rollouts.nodes, rollouts.pending) == (0, 0)
    assert rollout_line(scaled(roomy)) == ""


@pytest.mark.parametrize(
    ("strategy", "surge"),
    [
        ("{}", 2),
        ("{rollingUpdate: {maxSurge: 50%}}", 3),
        ("{rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}", None),
        ("{type: Recreate}", None),
    ],
)
def test_the_pods_of_a_rollout_follow_the_strategy(strategy, surge):
    """A quarter is the default, shares are rounded up, and Recreate has no pod above the replicas."""
    # C-26
    inputs = inputs_of(POOL, surging(deployment("web", 5, "100m"), strategy))
    assert surges_of(inputs).get("deployment/web") == surge


def test_all_at_once_is_the_most_and_the_largest_is_named():
    """Of two Deployments the one with the larger pods costs most alone."""
    inputs = inputs_of(POOL, deployment("small", 1, "1000m"), deployment("large", 1, "1700m"))
    scaling = scaling_of(inputs)
    assert scaling.rollouts is not None
    assert scaling.largest is not None
    assert scaling.rollouts.nodes == 2
    assert (scaling.largest.workloads, scaling.largest.nodes) == (("deployment/large",), 1)
    assert "while all 2 Deployments are rolled out at once; for deployment/large alone, 1 more node" in rollout_line(
        scaled(inputs)
    )
    assert scaling_of(inputs, most_rollouts=0).largest is None


def test_pods_that_only_wait_are_not_rolled_out():
    """What gets no node today needs none for a rollout either."""
    inputs = inputs_of(POOL, deployment("huge", 2, "100"), deployment("web", 1, "1500m"))
    rollouts = scaling_of(inputs).rollouts
    assert rollouts is not None
    assert (rollouts.workloads, rollouts.pending) == (("deployment/web",), 0)


@pytest.mark.parametrize("view", [render_plan, plan_markdown, plan_html])
def test_every_view_has_both(view):
    """In JSON and in words, and only where it was looked for."""
    inputs = inputs_of(POOL, deployment("web", 2, "1500m"), scaler(1, 6))
    planned = scaled(inputs)
    words = " ".join(view(planned).replace("\\", "").split())
    assert "$71.68 a month at the minimum (1 pod), $143 a month now (2 pods), $430 a month at the maximum (6 pods)" in words
    assert "1 more node for $0.0982 an hour while deployment/web is rolled out" in words
    assert "at the maximum" not in view(plan(inputs))
    assert Plan.from_dict(planned.to_dict()) == planned


def test_a_plan_of_several_nodes_or_with_an_autoscaler_has_it_unasked_if_it_is_small():
    """One node without an autoscaler, or more than twenty, have it on request."""
    one, many = deployment("web", 1), deployment("web", 30, "1500m")
    listed = [inputs_of(POOL, *documents) for documents in ((one,), (one, scaler(1, 6)), (many,), (many, scaler(1, 40)))]
    assert [scales_at_once(plan(i), i) for i in (ROLLED_OUT, *listed)] == [True, False, True, False, False]
