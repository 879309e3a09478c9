"""Tests of limits that no number of nodes fills, or that leave out every node."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.quantity import NANO
from cutlist.planning.read_inputs import read_inputs
from cutlist.planning.traps.budgets import NO_ROOM_TO_DRIFT, OPEN_OUTSIDE
from cutlist.planning.traps.limits import ROUND, TOO_LOW, UNREACHABLE, WITHOUT_EFFECT, largest_sum
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.validate.answer import validate
from tests.unit.planning.manifests import NODE_CLASS, TYPES
from tests.unit.planning.traps.inputs import AMD64, deployment, planned, pool, requirement, validated


def limited(limits: str, types: str = "r6a.8xlarge") -> str:
    return pool("db", f"[{TYPES.format(types)}]", spec=f"limits: {limits}")


def test_the_part_of_a_limit_that_no_node_can_use_is_named_with_the_values_that_fit(tmp_path: Path) -> None:  # S-67
    (said,) = validated(tmp_path, limited("{cpu: 2063}"))[UNREACHABLE]
    assert said == (
        "NodePool db: limits.cpu 2063: 15 cpu of it can never be used: its nodes have 32 each (r6a.8xlarge), "
        "2048 at most together; write 2048 or 2080"
    )


@pytest.mark.parametrize("limits", ["{cpu: 2048}", "{cpu: 32}", "{memory: 1000Gi}", "{nodes: 5}"])
def test_a_limit_that_nodes_fill_is_no_trap(tmp_path: Path, limits: str) -> None:
    assert not {UNREACHABLE, TOO_LOW, WITHOUT_EFFECT} & validated(tmp_path, limited(limits)).keys()


def test_a_round_limit_with_a_small_rest_is_a_note_and_no_warning(tmp_path: Path) -> None:
    """It was probably meant as a cap."""
    file = tmp_path / "pools.yaml"
    file.write_text(f"{NODE_CLASS}\n---\n{limited('{cpu: 1000}')}")
    checked = validate([file])
    assert checked.warnings == ()
    (said,) = (note.text for note in checked.notes if note.code == ROUND)
    assert said.startswith("NodePool db: limits.cpu 1000: 8 cpu of it can never be used")
    assert ROUND in {note.code for note in plan(read_inputs([file], region="us-west-2")).assumptions}


def test_a_round_limit_of_which_much_is_never_used_is_a_warning(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, limited("{cpu: 60}"))[UNREACHABLE]
    assert "28 cpu of it can never be used" in said


def test_several_sizes_together_fill_what_none_fills_alone(tmp_path: Path) -> None:
    assert UNREACHABLE not in validated(tmp_path, limited("{cpu: 44}", "r6a.8xlarge, r6a.3xlarge, r6a.xlarge, r6a.2xlarge"))


def test_a_limit_below_the_smallest_node_says_that_nothing_is_launched(tmp_path: Path) -> None:  # S-68
    (said,) = validated(tmp_path, limited("{cpu: 20}"))[TOO_LOW]
    assert "limits.cpu 20 is less than its smallest node has (r6a.8xlarge: 32), so it launches none; raise it to 32" in said


def test_gpus_of_which_only_whole_machines_can_be_bought_are_counted(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, limited('{nvidia.com/gpu: "12"}', "p4d.24xlarge"))[UNREACHABLE]
    assert "4 nvidia.com/gpu of it can never be used" in said
    assert said.endswith("write 8 or 16")


def test_a_limit_on_a_resource_that_no_node_has_limits_nothing(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, limited("{cpus: 100}"))[WITHOUT_EFFECT]
    assert said.startswith("NodePool db: limits.cpus 100 limits nothing")
    assert said.endswith("write cpu")


def test_a_limit_of_no_gpus_keeps_them_out_and_is_no_trap(tmp_path: Path) -> None:
    assert WITHOUT_EFFECT not in validated(tmp_path, limited('{nvidia.com/gpu: "0"}'))


def test_a_plan_says_the_same(tmp_path: Path) -> None:
    assert (
        planned(tmp_path, limited("{cpu: 2063}"), deployment())[UNREACHABLE]
        == validated(tmp_path, limited("{cpu: 2063}"), deployment())[UNREACHABLE]
    )


def test_a_nodepool_of_all_sizes_fills_any_limit(tmp_path: Path) -> None:
    wide = pool(
        "wide", f"[{AMD64}, {requirement('karpenter.k8s.aws/instance-category', 'c', 'm')}]", spec="limits: {cpu: 1003}"
    )
    assert UNREACHABLE not in validated(tmp_path, wide)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=4), st.integers(1, 300))
def test_the_largest_sum_is_that_of_all_sums(sizes: list[int], most: int) -> None:
    sums = {0}
    for total in range(1, most + 1):
        if any(total - size in sums for size in sizes):
            sums.add(total)
    assert largest_sum([size * NANO for size in sorted(set(sizes))], most * NANO) == max(sums) * NANO


def test_a_static_nodepool_whose_limit_is_its_replicas_blocks_its_own_drift(tmp_path: Path) -> None:  # D-73
    static = pool("db", f"[{TYPES.format('r6a.8xlarge')}]", spec="replicas: 2\n  limits: {nodes: 2}")
    (said,) = validated(tmp_path, static)[NO_ROOM_TO_DRIFT]
    assert said.startswith("NodePool db: limits.nodes 2 leaves no room beside 2 replicas")


def test_a_budget_that_leaves_the_rest_of_the_week_open_is_named(tmp_path: Path) -> None:
    budgets = "disruption: {consolidateAfter: 1m, budgets: [{nodes: 35%, schedule: 0 1 * * mon, duration: 4h}]}"
    (said,) = validated(tmp_path, pool("db", f"[{TYPES.format('r6a.8xlarge')}]", spec=budgets))[OPEN_OUTSIDE]
    assert said.startswith("NodePool db: while no window is open, any number of nodes may be disrupted")
