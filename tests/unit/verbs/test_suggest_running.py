"""Suggestions for a cluster that runs: its pods are placed again, and its own nodes do not count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import Allowances, plan, suggest
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.planned_cluster import with_plan
from cutlist.verbs.suggest.criteria import Criteria
from cutlist.verbs.suggest.opening import opening
from cutlist.verbs.suggest.running import Running, placed_again
from tests.unit.planning.manifests import ON_DEMAND, TYPES, deployment, inputs_of, pool

NOW_ALONE = tuple(f"{name}=0" for name in ("replicas-2", "replicas-4", "zone", "largest-2"))


@pytest.fixture(scope="module")
def fresh() -> PlanInputs:
    requirements = f"[{ON_DEMAND}, {TYPES.format('m5.large, m5.2xlarge, c5.large')}]"
    return inputs_of(pool(requirements=requirements), deployment("web", 9, "900m"), deployment("data", 4, "1", "5Gi"))


@pytest.fixture(scope="module")
def running(fresh: PlanInputs) -> PlanInputs:
    """The same workloads once they run."""
    return with_plan(fresh, plan(fresh))


def test_pods_that_run_cost_what_they_cost_when_they_arrive(fresh, running):
    assert plan(running).totals.nodes == 0
    again, of = placed_again(running)
    assert of == Running(13, plan(fresh).totals.nodes)
    assert plan(again).totals.price_per_hour == plan(fresh).totals.price_per_hour


def test_each_pod_is_counted_once_when_replicas_are_multiplied(running):
    again, _ = placed_again(running)
    assert sum(group.count for group in again.workloads.groups) == 13
    assert sum(group.bound for group in again.workloads.groups) == 0


def test_nodes_of_anything_else_stay(running):
    other = replace(running, node_pools=inputs_of(pool("other"), deployment()).node_pools)
    assert placed_again(other) == (other, None)


def test_the_answer_says_so_and_is_that_for_the_same_workloads(fresh, running):
    criteria = Criteria(NOW_ALONE)
    answers = [suggest(inputs, Allowances(), plans=4, criteria=criteria) for inputs in (fresh, running)]
    prices = [[option.figures.price for option in answer.options] for answer in answers]
    assert prices[0] == prices[1]
    assert answers[0].running is None
    assert "The workload is 13 pods that run on" in opening(answers[1])[0]
