"""Forecasts from a plan: `--from-plan` of disrupt, interrupt, budgets and nodes, with no cluster at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cutlist import InputError, NodePool, budgets, disrupt, interrupt, nodes, plan, read_inputs
from cutlist.verbs.cluster_state import at_instant
from cutlist_cli import main
from tests.sample import MANIFESTS, POOLS, WORKLOADS
from tests.unit.planning.manifests import AUTO_CLASS, NODE_CLASS, TYPES, auto_pool, deployment, inputs_of, pool

FILES = MANIFESTS


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def planned(tmp_path: Path) -> str:
    """A file with the plan of the examples."""
    written = run("plan", *FILES, "--region", "us-west-2", "-o", "json")
    assert written.exit_code == 0, written.output
    (tmp_path / "plan.json").write_text(written.stdout)
    return str(tmp_path / "plan.json")


def answer(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "-o", "json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_plan_of_more_nodes_than_a_cluster_can_have_is_not_opened(planned: str) -> None:
    """A file counts equal nodes, so it may say any number: no list of them is made."""
    data = json.loads(Path(planned).read_text())
    data["nodes"][0]["count"] = 2_000_000_000
    Path(planned).write_text(json.dumps(data))
    result = run("nodes", "--from-plan", planned)
    assert result.exit_code == 2
    assert "the plan has 2,000,000,000 new nodes, too many to list\n    allowed: up to 100,000" in result.stderr


def test_nodes_of_a_plan_need_nothing_else(planned: str) -> None:
    """The plan says itself what its nodes are, how full they are and what they cost."""
    data = answer("nodes", "--from-plan", planned)
    ((node,)) = data["nodes"]
    expected = json.loads(Path(planned).read_text())["nodes"][0]
    assert (node["name"], node["instanceType"], node["nodePool"]) == ("planned-00001", expected["instanceType"], "general")
    assert node["requested"] == expected["requests"]
    assert node["pricePerHour"] == expected["pricePerHour"]


def test_nodes_of_a_plan_with_its_files_are_the_same(planned: str) -> None:
    """With the files the nodes are made as for a forecast; they are as full."""
    with_files, alone = answer("nodes", "--from-plan", planned, *FILES), answer("nodes", "--from-plan", planned)
    kept = ("name", "nodePool", "instanceType", "capacityType", "zone", "requested", "allocatable", "pods", "pricePerHour")
    assert [{k: n[k] for k in kept} for n in with_files["nodes"]] == [{k: n[k] for k in kept} for n in alone["nodes"]]


def test_the_next_step_is_that_of_the_planned_nodes_once_they_have_settled(planned: str) -> None:
    """No node waits for `consolidateAfter`: what stays, stays for another reason."""
    result = run("disrupt", *FILES, "--from-plan", planned, "--at", "2026-01-05T12:00:00Z")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Karpenter's next step in us-west-2, as of 2026-01-05 12:00:00Z")
    assert "SpotToSpotConsolidation is disabled" in result.output


def test_the_present_is_the_instant_where_nothing_names_one(planned: str) -> None:
    """Manifests and a plan have no time: the forecast is of today, not of 1970."""
    assert answer("disrupt", *FILES, "--from-plan", planned)["at"] > "2026"


def test_spot_nodes_of_a_plan_are_lost_and_replaced(planned: str) -> None:
    """The pods of the planned spot node go to one on demand."""
    data = answer("interrupt", *FILES, "--from-plan", planned)
    assert (data["lost"], data["displacedPods"], len(data["launched"])) == (["planned-00001"], 12, 1)


def test_budgets_count_the_planned_nodes(planned: str) -> None:
    """Percentages are of the nodes that the plan has of a NodePool."""
    result = run("budgets", "-f", str(POOLS), "--from-plan", planned)
    assert result.exit_code == 0
    assert result.output.startswith("NodePool general, 1 node, week from")


@pytest.mark.parametrize("command", ["disrupt", "interrupt"])
def test_a_plan_of_other_files_is_refused_by_name(command: str, planned: str) -> None:
    """What the plan has and the files have not is named, with the plan's file."""
    result = run(command, "-f", str(POOLS), "--from-plan", planned)
    assert result.exit_code == 2
    words = "".join(result.output.split())
    assert f"{planned}nodes.pods:deployment/weboftheplanisnotintheinput" in words


def test_a_plan_of_another_region_is_refused(planned: str) -> None:
    """A region that the command line names has to be that of the plan; one of the environment does not count."""
    result = run("disrupt", *FILES, "--from-plan", planned, "--region", "us-east-1")
    assert result.exit_code == 2
    assert "the plan is for us-west-2, and the inputs are for us-east-1" in result.output
    environment = {"AWS_REGION": "us-east-1"}
    assert CliRunner().invoke(main, ["interrupt", *FILES, "--from-plan", planned], env=environment).exit_code == 0


def test_budgets_of_other_pools_are_refused(planned: str, tmp_path: Path) -> None:
    """A NodePool of the plan that the files lack is named."""
    other = tmp_path / "other.yaml"
    other.write_text(POOLS.read_text().replace("name: general", "name: another"))
    result = run("budgets", "-f", str(other), "--from-plan", planned)
    assert result.exit_code == 2
    assert "NodePool general of the plan is not in the input" in result.output


@pytest.mark.parametrize("content", ["", "{}", "[]", "not a plan"])
@pytest.mark.parametrize("command", [("nodes",), ("disrupt", *FILES), ("interrupt", *FILES), ("budgets", "-f", str(POOLS))])
def test_a_file_without_a_plan_is_a_mistake(command: tuple[str, ...], content: str, tmp_path: Path) -> None:
    """Never a traceback, never success."""
    broken = tmp_path / "broken.json"
    broken.write_text(content)
    result = run(*command, "--from-plan", str(broken))
    assert (result.exit_code, str(broken) in "".join(result.output.split())) == (2, True)
    assert "Traceback" not in result.output


def test_a_plan_without_nodes_is_nothing_to_judge(tmp_path: Path) -> None:
    """Unless that is allowed."""
    empty = tmp_path / "empty.json"
    empty.write_text(run("plan", "-f", str(POOLS), "--region", "us-west-2", "--allow-empty", "-o", "json").stdout)
    assert run("nodes", "--from-plan", str(empty)).exit_code == 2
    assert run("nodes", "--from-plan", str(empty), "--allow-empty").exit_code == 0


def test_nodes_without_files_and_plan_are_a_mistake() -> None:
    """The option that is missing is named."""
    result = run("nodes")
    assert (result.exit_code, "'-f' / '--file'" in result.output) == (2, True)


def test_functions_take_a_plan_as_the_cluster() -> None:
    """The same in the library."""
    inputs = read_inputs([POOLS, WORKLOADS], region="us-west-2")
    planned = plan(inputs)
    assert [row.instance_type for row in nodes(planned).nodes] == [row.instance_type for row in nodes(inputs, planned).nodes]
    assert [week.nodes for week in budgets(inputs, 0.0, plan=planned)] == [1]
    assert interrupt(inputs, plan=planned).displaced == 12
    assert [node.name for node in disrupt(inputs, plan=planned).forecast.nodes] == ["planned-00001"]


def test_the_cluster_of_a_plan_has_settled() -> None:
    """The instant is the longest `consolidateAfter` after the launch."""
    inputs = read_inputs([POOLS, WORKLOADS], region="us-west-2")
    made = plan(inputs)
    pools = [NodePool.from_manifest(_with(p.manifest(), "90s")) for p in inputs.node_pools]
    planned, now = at_instant(replace(inputs, node_pools=tuple(pools)), 10_000.0, made)
    assert (max(p.created for p in planned.cluster.pods), now) == (9_910.0, 10_000.0)


def _with(pool: dict[str, Any], consolidate_after: str) -> dict[str, Any]:
    disruption = {**pool["spec"].get("disruption", {}), "consolidateAfter": consolidate_after}
    return {**pool, "spec": {**pool["spec"], "disruption": disruption}}


def test_a_plan_of_other_pods_is_refused() -> None:
    """More pods than the inputs have cannot be theirs."""
    inputs = read_inputs([POOLS, WORKLOADS], region="us-west-2")
    fewer = WORKLOADS.read_text().replace("replicas: 12", "replicas: 3")
    with pytest.raises(InputError, match=r"the plan places 12 pods of deployment/web, and the input has 3"):
        disrupt(read_inputs([POOLS, "-"], region="us-west-2", stdin=fewer), plan=plan(inputs))


_M5_XLARGE = TYPES.format("m5.xlarge")
_RESERVATION = """
  capacityReservationSelectorTerms: [{id: cr-0123456789abcdef0}]
status:
  capacityReservations:
  - {id: cr-0123456789abcdef0, availabilityZone: us-west-2a, instanceType: m5.xlarge, reservationType: default, state: active,
     availableInstanceCount: 9, instanceMatchCriteria: targeted, ownerID: "123456789012"}
"""


def sold_as(capacity: str, os: str = "linux", image: str = "al2023") -> str:
    """A NodePool of one type and one way to pay, and its class, which has a reservation."""
    required = f"{{key: karpenter.sh/capacity-type, operator: In, values: [{capacity}]}}"
    of_os = f"{{key: kubernetes.io/os, operator: In, values: [{os}]}}"
    node_class = NODE_CLASS.replace("al2023@v20260625", f"{image}@latest").rstrip() + _RESERVATION
    return f"{pool(requirements=f'[{required}, {_M5_XLARGE}, {of_os}]')}---{node_class}"


_AUTO = f"{auto_pool(f'[{_M5_XLARGE}]', node_class='own')}---{AUTO_CLASS}"


@pytest.mark.sampled(one_in=3)
@pytest.mark.slow
@pytest.mark.parametrize(
    "pools",
    [
        sold_as("reserved"),
        sold_as("on-demand", "windows", "windows2022"),
        sold_as("spot", "windows", "windows2022"),
        _AUTO,
    ],
    ids=["reserved", "windows", "windows on spot", "auto mode"],
)
def test_every_command_says_the_same_price(pools: str, tmp_path: Path) -> None:
    """Whatever is paid on top of the machines, and where they are paid for already."""
    os = "windows" if "windows" in pools else "linux"
    app = deployment(replicas=3, cpu="3", extra=f"nodeSelector: {{kubernetes.io/os: {os}}}")
    (tmp_path / "all.yaml").write_text(f"{pools}---{app}")
    files = ("-f", str(tmp_path / "all.yaml"), "--region", "us-west-2")
    made = answer("plan", *files)
    (tmp_path / "plan.json").write_text(json.dumps(made))
    whole = made["totals"]["pricePerHour"]
    known = ("--from-plan", str(tmp_path / "plan.json"), *files)
    listed = answer("nodes", *known)
    assert sum(n["pricePerHour"] + n["diskPricePerHour"] for n in listed["nodes"]) == pytest.approx(whole, abs=1e-4)
    assert answer("disrupt", *known)["pricePerHour"] == pytest.approx(whole, abs=1e-4)
    assert answer("interrupt", *known)["pricePerHour"]["before"] == pytest.approx(whole, abs=1e-4)


@pytest.mark.parametrize(
    ("allowed", "zone", "launched"),
    [
        ("spot, on-demand", "", [("on-demand", "us-west-2a")] * 3),
        ("spot, on-demand", "us-west-2a", [("spot", "us-west-2b")] * 3),
        ("spot", "", []),
    ],
)
def test_a_static_pool_makes_the_nodes_anew_that_it_loses(allowed: str, zone: str, launched: list[tuple[str, str]]) -> None:
    """As many as its replicas ask for, of what is still sold; without pods there is nothing that could not be placed."""
    # V-63
    bought = f"{{key: karpenter.sh/capacity-type, operator: In, values: [{allowed}]}}"
    inputs = inputs_of(pool("fixed", f"[{bought}, {TYPES.format('m5.large')}]", spec="replicas: 3"))
    loss = interrupt(inputs, zone=zone, plan=plan(inputs))
    assert len(loss.lost) == 3
    assert [(node.capacity_type, node.zone) for node in loss.launched] == launched
    assert loss.error is None
