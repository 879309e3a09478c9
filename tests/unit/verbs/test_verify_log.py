"""A plan compared with the launches that Karpenter's log reports, where nobody can read the cluster."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist.logs import LaunchedNode, launched_nodes, read_records
from cutlist.planning.model import Plan
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.verify.answer import verify
from cutlist.verification.verdicts import NodeOutcome, NodeVerdict
from cutlist_cli import main
from tests.recorded import SCENARIOS
from tests.unit.report.samples import ON_DEMAND, PLAN, SPOT


def line(
    instance_type: str, capacity_type: str = "spot", zone: str = "us-west-2a", claim: str = "general-x", **more: Any
) -> str:
    fields = {"NodeClaim": {"name": claim}, "instance-type": instance_type, "zone": zone, "capacity-type": capacity_type}
    return json.dumps({"time": "2026-01-05T12:00:00Z", "message": "launched nodeclaim", **fields, **more})


def verdicts(of: Plan, *lines: str) -> tuple[NodeVerdict, ...]:
    return verify(of, [], log="\n".join(lines)).verdicts


def aspects(verdict: NodeVerdict) -> dict[str, tuple[str, str]]:
    return {str(f.deviation.aspect): (f.deviation.planned, f.deviation.actual) for f in verdict.findings}


def launched(text: str) -> LaunchedNode:
    (node,) = launched_nodes(read_records(text).records)
    return node


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
    node = launched(text)
    assert (node.claim, node.node_pool, node.instance_type, node.zone) == (claim, pool, instance_type, zone)
    assert (node.capacity_type, node.allocatable["pods"]) == ("on-demand", json.loads(text)["allocatable"]["pods"])


# K-66
def test_the_node_of_the_workshop_came_as_planned():
    """The m5.large that was launched has what was planned, amount by amount; its pods are not compared."""
    from tests.seeds.test_r2 import FIVE, R2

    text = (R2.folder / "observed" / "log-launched-nodeclaim.json").read_text()
    (verdict,) = verdicts(plan(R2.inputs_of(FIVE)), text)
    assert (verdict.outcome, verdict.findings) == (NodeOutcome.AS_PLANNED, ())


def test_each_planned_node_is_taken_once():
    """Two are planned: of three alike the third is one too many."""
    assert SPOT.count == 2
    three = [line(SPOT.instance_type, claim=f"general-{number}") for number in range(3)]
    outcomes = [verdict.outcome for verdict in verdicts(PLAN, *three)]
    assert (outcomes.count(NodeOutcome.AS_PLANNED), outcomes.count(NodeOutcome.UNPLANNED)) == (2, 1)


def test_another_of_the_types_does_not_take_the_place_of_the_planned_one():
    """The order of the log does not matter for what is as planned."""
    other = SPOT.candidates[1].instance_type
    found = verdicts(PLAN, line(other, claim="general-1"), line(SPOT.instance_type, claim="general-2"))
    came = {verdict.node.claim: verdict for verdict in found if verdict.node is not None}
    assert came["general-2"].outcome is NodeOutcome.AS_PLANNED
    assert aspects(came["general-1"])["instance type"] == (SPOT.instance_type, other)


@pytest.mark.parametrize("more", [{"instance_type": "m5.large"}, {"instance_type": SPOT.instance_type, "claim": "other-x"}])
def test_what_nobody_planned_is_reported(more):
    """A type that the plan does not allow, or another NodePool."""
    known = line(SPOT.instance_type, claim="general-a")
    assert NodeOutcome.UNPLANNED in [verdict.outcome for verdict in verdicts(PLAN, known, line(**more))]


def test_a_node_of_another_capacity_type_differs():
    (verdict,) = [v for v in verdicts(PLAN, line(ON_DEMAND.instance_type, "reserved")) if v.node is not None]
    assert aspects(verdict)["capacity type"] == ("on-demand", "reserved")


def test_the_command_compares_a_plan_with_a_log(tmp_path: Path):
    """Amounts that differ are named; one that is not an amount is ignored, since a log may hold anything."""
    (tmp_path / "plan.json").write_text(PLAN.to_json())
    allocatable = {"cpu": "1", "pods": "29", "memory": "much"}
    (tmp_path / "karpenter.log").write_text(line(SPOT.instance_type, allocatable=allocatable))
    arguments = ["verify", "--plan", str(tmp_path / "plan.json"), "--log", str(tmp_path / "karpenter.log"), "-o", "json"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.stderr
    (came,) = [node for node in json.loads(result.stdout)["verdicts"] if node["node"] is not None]
    (amounts,) = [finding for finding in came["findings"] if finding["aspect"] == "allocatable"]
    assert (amounts["planned"], amounts["actual"]) == ("cpu 1930m", "cpu 1")


def test_without_cluster_and_log_there_is_nothing_to_compare(tmp_path: Path):
    (tmp_path / "plan.json").write_text(PLAN.to_json())
    result = CliRunner().invoke(main, ["verify", "--plan", str(tmp_path / "plan.json")])
    assert (result.exit_code, "--cluster or --log is needed" in result.stderr) == (2, True)


def test_a_log_without_a_launch_is_an_absence(tmp_path: Path):
    (tmp_path / "plan.json").write_text(PLAN.to_json())
    (tmp_path / "karpenter.log").write_text(
        '{"time": "2026-01-05T12:00:00Z", "message": "deleted node", "Node": {"name": "a"}}'
    )
    result = CliRunner().invoke(
        main, ["verify", "--plan", str(tmp_path / "plan.json"), "--log", str(tmp_path / "karpenter.log")]
    )
    assert (result.exit_code, "no node" in result.stderr) == (2, True)


def test_lines_that_lack_fields_are_read():
    """What is not there is empty."""
    node = launched(json.dumps({"time": "2026-01-05T12:00:00Z", "message": "launched nodeclaim", "zone": 3, "allocatable": []}))
    assert (node.claim, node.node_pool, node.zone, node.allocatable) == ("", "", "", {})
