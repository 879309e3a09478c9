"""The page on node groups: its NodePools say what the groups said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cutlist.catalog.embedded import load
from cutlist.core.quantity import amounts
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import types as types_of
from tests.sample import SHOP

PROJECT = Path(__file__).resolve().parents[2]
FILES = SHOP / "node-groups"
GROUPS = {"general": (10, ["m5.xlarge"]), "batch": (20, ["c5.2xlarge", "c5a.2xlarge", "c5d.2xlarge"])}


def inputs_of(*names: str) -> PlanInputs:
    return read_inputs([FILES / name for name in names], region="us-west-2")


@pytest.mark.parametrize("name", GROUPS)
def test_the_first_step_says_what_the_group_said(name):
    """Its types and no other, and as its most the largest size times what each of them has."""
    largest, types = GROUPS[name]
    (allowed,) = [one for one in types_of(inputs_of("as-they-were.yaml")) if one.node_pool == name]
    assert {one.name for one in allowed.types} == set(types)
    (pool,) = [one for one in inputs_of("as-they-were.yaml").node_pools if one.name == name]
    machines = load("us-west-2").machines
    for machine in (machines[one] for one in types):
        most = amounts({"cpu": str(largest * machine.vcpus), "memory": f"{largest * machine.memory_mib}Mi"})
        assert amounts({key: str(value) for key, value in pool.limits.items()}) == most


def test_wider_pools_allow_what_the_groups_had():
    """So no workload of a group is refused that ran there; labels, taints and limits are the same."""
    before, after = (inputs_of(name) for name in ("as-they-were.yaml", "pools.yaml"))
    for old, new in zip(types_of(before), types_of(after), strict=True):
        assert {one.name for one in old.types} < {one.name for one in new.types}
    for old, new in zip(before.node_pools, after.node_pools, strict=True):
        assert (old.name, old.labels, old.taints, old.limits) == (new.name, new.labels, new.taints, new.limits)


def test_a_pool_without_anything_to_give_launches_nothing(tmp_path):
    """The way back that the page names."""
    closed = re.sub(r"limits: \{.*?\}", 'limits: {cpu: "0"}', (FILES / "pools.yaml").read_text())
    (tmp_path / "pools.yaml").write_text(closed)
    assert plan(read_inputs([tmp_path / "pools.yaml", FILES / "workloads.yaml"], region="us-west-2")).nodes == ()
