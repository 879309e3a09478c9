"""What a file says makes no gate slow: equal nodes are counted, equal findings are few, and values are looked up to a limit."""

from __future__ import annotations

import copy
import time
from datetime import date
from typing import Any

import pytest
import yaml

from cutlist import PlanSettings, gate
from cutlist.policy.gates import read_gates
from cutlist.policy.registry import ALL
from cutlist.verbs.gate.answer import GateResult
from tests.gates.workloads import CLASS, COUNTED, FIXED, POOL, with_pool

TODAY = date(2026, 6, 1)
CEILING = {"rules": {"PL-01": {"perHour": 5}}}
KEY = "karpenter.k8s.aws/instance-category"


def gated(text: str) -> GateResult:
    return gate(["-"], read_gates(CEILING, ALL), TODAY, PlanSettings(region="us-west-2"), text)


def with_replicas(replicas: int) -> dict[str, Any]:
    pool = copy.deepcopy(FIXED)
    pool["spec"] |= {"replicas": replicas, "limits": {"nodes": str(replicas)}}
    return pool


def test_equal_static_nodes_are_one_group_with_a_count():
    begin = time.process_time()
    result = gated(with_pool(COUNTED["a Deployment"], pool=with_replicas(1_000_000_000)))
    (plan,) = result.plans
    assert sum(node.count for node in plan.nodes) == 1_000_000_000
    assert len(plan.nodes) < 20
    assert "PL-01" in {outcome.rule for outcome in result.report.stopping}
    assert time.process_time() - begin < 10


def test_nodes_that_no_pod_reaches_cost_what_the_others_cost():
    """A thousand are launched one by one, and the plan of more differs by their number alone."""
    few, many = (gated(with_pool(COUNTED["a Deployment"], pool=with_replicas(n))).plans[0] for n in (999, 1_500))
    assert [(pods.workload, pods.count) for pods in few.pending] == [(pods.workload, pods.count) for pods in many.pending]
    each = few.totals.price_per_hour / 999
    assert many.totals.price_per_hour == pytest.approx(1_500 * each)


def test_unknown_values_are_named_up_to_a_limit():
    pool = copy.deepcopy(POOL)
    values = [f"v{number}" for number in range(5_000)]
    pool["spec"]["template"]["spec"]["requirements"] = [{"key": KEY, "operator": "In", "values": values}]
    begin = time.process_time()
    result = gated(with_pool(COUNTED["a Deployment"], pool=pool))
    said = [outcome.found for outcome in result.report.outcomes if outcome.rule == "GT-07"]
    assert any("are not looked up" in text for text in said), said
    assert sum(map(len, said)) < 20_000
    assert time.process_time() - begin < 10


def pools(number: int, *, classes: bool) -> str:
    """Return NodePools that take the same pods, with a class for each or for all."""
    objects = []
    for index in range(number):
        pool, node_class = copy.deepcopy(POOL), copy.deepcopy(CLASS)
        pool["metadata"]["name"] = f"p{index}"
        if classes:
            pool["spec"]["template"]["spec"]["nodeClassRef"]["name"] = node_class["metadata"]["name"] = f"c{index}"
        objects += [pool, node_class] if classes or not index else [pool]
    return yaml.safe_dump_all([*objects, COUNTED["a Deployment"]])


def test_pools_that_overlap_are_one_finding_each():
    result = gated(pools(40, classes=False))
    overlapping = [outcome for outcome in result.report.outcomes if outcome.rule == "NP-11"]
    assert len(overlapping) == 39
    assert {outcome.found.partition(",")[0] for outcome in overlapping} == {"takes the same pods as NodePool/p0"}


@pytest.mark.thorough
@pytest.mark.parametrize(("number", "classes", "seconds"), [(500, True, 10), (5_000, False, 30)])
def test_many_pools_are_gated_in_time(number: int, classes: bool, seconds: int):
    begin = time.process_time()
    gated(pools(number, classes=classes))
    assert time.process_time() - begin < seconds
