"""Nodes that were launched, as the log tells, and what a plan made before had said of them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from cutlist.logs import LaunchedNode, launched_nodes, read_records
from cutlist.planning.model import Plan
from cutlist.verbs.history.answer import Match, arrivals_of
from cutlist.verbs.plan.answer import plan
from cutlist_cli import main
from tests.recorded import SCENARIOS
from tests.unit.report.samples import ON_DEMAND, PLAN, SPOT


def launched(instance_type: str, capacity_type: str = "spot", zone: str = "us-west-2a", pool: str = "general") -> LaunchedNode:
    return LaunchedNode(0.0, f"{pool}-x", pool, instance_type, zone, capacity_type)


def kept(of: Plan, *nodes: LaunchedNode) -> list[Match]:
    return [one.kept for one in arrivals_of(of, nodes).outcomes]


# K-66 K-67
@pytest.mark.parametrize(
    ("folder", "claim", "pool", "instance_type", "zone"),
    [
        ("r2-eks-workshop", "default-xxm79", "default", "m5.large", "us-west-2a"),
        ("r3-karpenter-on-eks", "default-jrr74", "default", "c5a.2xlarge", "ap-northeast-2c"),
    ],
)
def test_observed_lines_of_old_and_new_releases_are_read(folder, claim, pool, instance_type, zone):
    """The old form names claim and NodePool in fields of their own, the new one names the claim as an object."""
    text = (SCENARIOS / folder / "observed" / "log-launched-nodeclaim.json").read_text()
    (node,) = launched_nodes(read_records(text).records)
    assert (node.claim, node.node_pool, node.instance_type, node.zone) == (claim, pool, instance_type, zone)
    assert (node.capacity_type, node.allocatable["pods"]) == ("on-demand", json.loads(text)["allocatable"]["pods"])


# K-66
def test_the_node_of_the_workshop_came_as_planned():
    """The m5.large that was launched has what was planned, amount by amount."""
    from tests.seeds.test_r2 import FIVE, R2

    text = (R2.folder / "observed" / "log-launched-nodeclaim.json").read_text()
    compared = arrivals_of(plan(R2.inputs_of(FIVE)), launched_nodes(read_records(text).records))
    (one,) = compared.outcomes
    assert (one.kept, one.differs, compared.missing) == (Match.EXACTLY, (), 0)


def test_each_planned_node_is_taken_once():
    """Two are planned: of three alike the third is one too many."""
    assert SPOT.count == 2
    three = [launched(SPOT.instance_type)] * 3
    assert kept(PLAN, *three) == [Match.EXACTLY, Match.EXACTLY, Match.UNPLANNED]


def test_another_of_the_types_is_reported_and_does_not_take_the_place_of_the_planned_one():
    """The order of the log does not matter for what is called as planned."""
    other = SPOT.candidates[1].instance_type
    found = arrivals_of(PLAN, [launched(other), launched(SPOT.instance_type)])
    assert [(one.kept, one.planned_type) for one in found.outcomes] == [
        (Match.ANOTHER_TYPE, SPOT.instance_type),
        (Match.EXACTLY, SPOT.instance_type),
    ]
    assert found.missing == sum(n.count for n in PLAN.nodes) - 2


@pytest.mark.parametrize(
    "node",
    [
        launched("m5.large"),
        launched(SPOT.instance_type, zone="us-west-2z"),
        launched(SPOT.instance_type, pool="other"),
        launched(ON_DEMAND.instance_type, capacity_type="reserved"),
    ],
)
def test_what_nobody_planned_is_reported(node):
    """Another type, zone, NodePool, or way of buying."""
    assert kept(PLAN, node) == [Match.UNPLANNED]


def test_the_command_holds_a_log_against_a_plan(tmp_path):
    """In text and in JSON; amounts that differ are named."""
    (tmp_path / "plan.json").write_text(PLAN.to_json())
    line = {
        "time": "2026-01-05T12:00:00Z",
        "message": "launched nodeclaim",
        "NodeClaim": {"name": "general-abc12"},
        "instance-type": SPOT.instance_type,
        "zone": SPOT.zones[0],
        "capacity-type": "spot",
        "allocatable": {"cpu": "1", "pods": "29"},
    }
    (tmp_path / "karpenter.log").write_text(json.dumps(line))
    arguments = ["history", "-f", str(tmp_path / "karpenter.log"), "--plan", str(tmp_path / "plan.json")]
    text = CliRunner().invoke(main, arguments).stdout
    assert f"general-abc12, {SPOT.instance_type} spot {SPOT.zones[0]}: as planned" in text
    assert "cpu: 1930m planned, 1 found" in text
    assert "3 planned nodes did not come" in text
    data = json.loads(CliRunner().invoke(main, [*arguments, "-o", "json"]).stdout)
    assert (data["launched"][0]["kept"], data["plannedAndMissing"]) == ("as planned", 3)


def test_lines_that_lack_fields_are_read_all_the_same():
    """What is not there is empty."""
    text = json.dumps({"time": "2026-01-05T12:00:00Z", "message": "launched nodeclaim", "zone": 3, "allocatable": []})
    (node,) = launched_nodes(read_records(text).records)
    assert (node.claim, node.node_pool, node.zone, node.allocatable) == ("", "", "", {})


def test_amounts_that_are_none_are_passed_over():
    """A log may hold anything."""
    odd = replace(launched(SPOT.instance_type), allocatable={"cpu": "many", "pods": "30"})
    (one,) = arrivals_of(PLAN, [odd]).outcomes
    assert [name for name, *_ in one.differs] == ["pods"]
