"""`cutlist nodes`: a cluster in, its nodes out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from rich.cells import cell_len

from cutlist.catalog.format import Source
from cutlist.catalog.paid import PaidPrices, PaidRow, paid_table
from cutlist.report.plain import age_text
from cutlist_cli import main
from tests.sample import POOLS, SNAPSHOT

CLUSTER = SNAPSHOT
REGION = ("--region", "us-west-2")


@pytest.fixture(autouse=True)
def _no_region_in_the_environment(monkeypatch):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "CUTLIST_CATALOG"):
        monkeypatch.delenv(name, raising=False)


def run(*arguments: str, cluster: Path = CLUSTER, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["nodes", "-f", str(cluster), *arguments], input=stdin)


def answer(*arguments: str, cluster: Path = CLUSTER) -> dict[str, Any]:
    result = run(*arguments, "-o", "json", cluster=cluster)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def objects() -> list[Any]:
    return list(yaml.safe_load_all(CLUSTER.read_text()))


def written(folder: Path, changed: list[Any]) -> Path:
    file = folder / "cluster.yaml"
    file.write_text(yaml.safe_dump_all(changed))
    return file


def named(all_: list[Any], kind: str, name: str) -> Any:
    return next(o for o in all_ if o["kind"] == kind and o["metadata"]["name"] == name)


def row(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(n for n in found["nodes"] if n["name"] == name)


def test_nodes_cost_what_the_account_paid(tmp_path):
    """By the option, as by the settings of a project."""
    of_type = PaidRow("c7i.2xlarge", "us-west-2", "us-west-2a", "linux", "committed", 9, 0.2, 0.357)
    paid = tmp_path / "paid.tsv"
    paid.write_text(paid_table(PaidPrices((of_type,), "USD", "2026-10-01", "2026-10-31"), Source("2026-10-31", "a bill")))
    node = row(answer(*REGION, "--paid", str(paid)), "ip-10-0-1-11")
    assert (node["pricePerHour"], node["priceSource"]) == (0.2, "paid, October 2026")
    listed = row(answer(*REGION, "--paid", str(paid), "--paid-as", "contracted"), "ip-10-0-1-11")
    assert listed["pricePerHour"] == 0.357


# K-63
def test_a_node_says_how_full_it_is_what_it_is_and_what_it_costs():
    """Requests are the sum over its pods; price, zone and age stand beside them."""
    found = row(answer(*REGION), "ip-10-0-1-11")
    assert found["requested"]["cpu"] == "3700m"
    assert found["allocatable"] == {"cpu": "7910m", "memory": "14162Mi", "pods": "58"}
    assert (found["nodePool"], found["instanceType"], found["capacityType"]) == ("general", "c7i.2xlarge", "on-demand")
    assert (found["zone"], found["pods"], found["states"], found["ageSeconds"]) == ("us-west-2a", 4, ["Ready"], 13_200)


def test_prices_are_those_of_disrupt():
    """Both commands price a node alike, and sum up alike, of the same files."""
    pools = ("-f", str(POOLS))
    result = CliRunner().invoke(main, ["disrupt", *pools, "-f", str(CLUSTER), *REGION, "-o", "json"])
    theirs, ours = json.loads(result.stdout), answer(*pools, *REGION)
    assert {n["name"]: n["pricePerHour"] for n in ours["nodes"]} == {n["name"]: n["pricePerHour"] for n in theirs["nodes"]}
    assert ours["pricePerHour"] == pytest.approx(theirs["pricePerHour"])
    assert ours["pricePerMonth"] == pytest.approx(730 * ours["pricePerHour"])


def test_without_a_region_there_are_no_prices():
    """Neither in JSON nor in text is there an amount of money."""
    data = answer()
    assert (data["region"], data["pricePerHour"], row(data, "ip-10-0-1-11")["pricePerHour"]) == (None, None, None)
    for width in ("80", "200"):
        assert "$" not in run("--width", width).stdout


def test_the_region_may_come_from_the_environment(monkeypatch):
    """As for every other command."""
    monkeypatch.setenv("AWS_REGION", "us-west-2")
    assert answer()["pricePerHour"] is not None


def test_pods_are_counted_by_what_they_do(tmp_path):
    """A pod without a node is pending; one that has ended is not counted."""
    changed = objects()
    pods = [o for o in changed if o["kind"] == "Pod"]
    del pods[0]["spec"]["nodeName"]
    pods[0]["status"]["phase"] = "Pending"
    pods[1]["status"]["phase"] = "Succeeded"
    data = answer(cluster=written(tmp_path, changed))
    assert data["pods"] == {"total": len(pods) - 1, "running": len(pods) - 2, "pending": 1, "bound": len(pods) - 2}
    assert sum(n["pods"] for n in data["nodes"]) == len(pods) - 2


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("change", "states"),
    [
        (lambda node, claim: node["spec"].update(unschedulable=True), ["Cordoned"]),
        (lambda node, claim: node["status"]["conditions"][0].update(status="Unknown"), ["NotReady"]),
        (lambda node, claim: node["metadata"].update(deletionTimestamp="2026-01-05T11:00:00Z"), ["Deleting"]),
        (lambda node, claim: claim["metadata"].update(deletionTimestamp="2026-01-05T11:00:00Z"), ["Deleting"]),
        (lambda node, claim: node["metadata"]["labels"].pop("karpenter.sh/initialized"), ["Uninitialized"]),
        (
            lambda node, claim: (node["spec"].update(unschedulable=True), node["status"].pop("conditions")),
            ["NotReady", "Cordoned"],
        ),
    ],
    ids=["cordoned", "not ready", "node deleting", "claim deleting", "uninitialized", "both"],
)
def test_a_state_says_what_keeps_a_node_from_being_ready(tmp_path, change, states):
    """Everything that holds is said; the other nodes stay Ready."""
    changed = objects()
    change(named(changed, "Node", "ip-10-0-1-12"), named(changed, "NodeClaim", "general-1x12"))
    data = answer(cluster=written(tmp_path, changed))
    assert row(data, "ip-10-0-1-12")["states"] == states
    assert {tuple(n["states"]) for n in data["nodes"] if n["name"] != "ip-10-0-1-12"} == {("Ready",)}


def test_a_claim_without_a_node_is_launching(tmp_path):
    """With a machine it is a row, without one it is named."""
    changed = [o for o in objects() if not (o["kind"] == "Node" and o["metadata"]["name"] == "ip-10-0-1-12")]
    del named(changed, "NodeClaim", "general-3x31")["status"]["providerID"]
    data = answer(cluster=written(tmp_path, changed))
    assert row(data, "general-1x12")["states"] == ["Launching"]
    assert data["launching"] == ["general-3x31"]
    assert "general-3x31" in run(cluster=written(tmp_path, changed)).stdout


def test_nodes_that_are_not_karpenters_are_there_too(tmp_path):
    """A node of a managed node group has its capacity type and price by the labels of EKS."""
    changed = [o for o in objects() if o["kind"] != "NodeClaim"]
    labels = named(changed, "Node", "ip-10-0-1-12")["metadata"]["labels"]
    for key in [key for key in labels if key.startswith("karpenter")]:
        del labels[key]
    labels["eks.amazonaws.com/capacityType"] = "ON_DEMAND"
    file = written(tmp_path, changed)
    found = row(answer(*REGION, cluster=file), "ip-10-0-1-12")
    assert (found["nodePool"], found["capacityType"], found["pricePerHour"]) == (None, "on-demand", 0.2016)
    assert "Other nodes" in run(*REGION, cluster=file).stdout


def test_an_unknown_type_has_no_price_and_is_counted(tmp_path):
    """The sum says that it is not all."""
    changed = objects()
    named(changed, "Node", "ip-10-0-1-12")["metadata"]["labels"]["node.kubernetes.io/instance-type"] = "x99.huge"
    file = written(tmp_path, changed)
    assert row(answer(*REGION, cluster=file), "ip-10-0-1-12")["pricePerHour"] is None
    assert "and 1 node of unknown price" in " ".join(run(*REGION, cluster=file).stdout.split())


def test_a_node_that_reports_nothing_yet_is_shown(tmp_path):
    """No division by nothing."""
    changed = [o for o in objects() if o["kind"] != "NodeClaim"]
    named(changed, "Node", "ip-10-0-1-12")["status"] = {}
    result = run(*REGION, cluster=written(tmp_path, changed))
    assert result.exit_code == 0
    assert "NotReady" in result.stdout


@pytest.mark.parametrize("command", ["nodes", "disrupt"])
def test_what_kubectl_writes_as_json_is_read(tmp_path, command):
    """A List in JSON says the same as the objects in YAML, from a file and from standard input."""
    listed = json.dumps({"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": objects()}, indent=4)
    file = tmp_path / "cluster.json"
    file.write_text(listed)
    rest = ["-f", str(POOLS)] if command == "disrupt" else []

    def said(path: str, stdin: str | None = None) -> str:
        result = CliRunner().invoke(main, [command, *rest, "-f", path, *REGION, "-o", "json"], input=stdin)
        assert result.exit_code == 0, result.output
        return result.stdout

    assert said(str(file)) == said(str(CLUSTER)) == said("-", listed)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 160, 200])
@pytest.mark.parametrize("region", [(), REGION], ids=["no prices", "prices"])
def test_a_page_is_as_wide_as_it_may_be(width, region):
    """No line is wider than asked for, and from 80 columns on every node has its whole name and its state."""
    text = run(*region, "--width", str(width)).stdout
    assert max(map(cell_len, text.splitlines())) <= width
    if width >= 80:
        lines = [line for line in text.splitlines() if line.startswith("ip-10-")]
        assert [line.split()[0] for line in lines] == [f"ip-10-0-{n}" for n in ("1-11", "1-12", "2-21", "3-31")]
        assert all(line.endswith("Ready") for line in lines)


def test_names_cannot_act_on_a_terminal(tmp_path):
    """Characters that colour or move the cursor are spelled out."""
    changed = objects()
    named(changed, "Node", "ip-10-0-1-12")["metadata"]["labels"]["karpenter.sh/nodepool"] = "\x1b[31mred"
    text = run(cluster=written(tmp_path, changed)).stdout
    assert "\x1b" not in text
    assert "\\x1b[31mred" in text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "-"), (0, "0s"), (59.9, "59s"), (60, "1m"), (3599, "59m"), (3600, "1h"), (86_399, "23h"), (86_400 * 400, "400d")],
)
def test_ages_are_in_their_largest_unit(seconds, text):
    """Rounded down."""
    assert age_text(seconds) == text


def test_a_file_that_was_cut_off_is_said_so(tmp_path):
    """No traceback, but the file and the line."""
    file = tmp_path / "cluster.yaml"
    file.write_text(CLUSTER.read_text()[:3000] + "\n  labels: {a: [")
    result = run(cluster=file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{file.name}:" in "".join(result.stderr.split())


def test_all_mistakes_are_reported_together(tmp_path):
    """A wrong amount, a pod without containers and a region that is not there."""
    changed = objects()
    named(changed, "Node", "ip-10-0-1-12")["status"]["allocatable"]["cpu"] = "many"
    next(o for o in changed if o["kind"] == "Pod")["spec"]["containers"] = []
    result = run("--region", "us-west-9", cluster=written(tmp_path, changed))
    assert result.exit_code == 2
    for said in ("status.allocatable.cpu", "spec.containers", "us-west-9"):
        assert said in result.stderr


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("command", ["nodes", "disrupt"])
@pytest.mark.parametrize("time", ["yesterday", "2026-01-05T08:00:00", 1767600000, ["2026-01-05T08:00:00Z"]])
def test_a_time_that_is_none_is_named(tmp_path, command, time):
    """Of a node, its claim, their conditions and a pod: the place and what a time looks like."""
    changed = objects()
    named(changed, "Node", "ip-10-0-1-12")["metadata"]["creationTimestamp"] = time
    claim = named(changed, "NodeClaim", "general-1x12")
    claim["status"]["conditions"][0]["lastTransitionTime"] = time
    claim["status"]["lastPodEventTime"] = time
    pod = next(o for o in changed if o["kind"] == "Pod")
    pod.setdefault("status", {})["startTime"] = time
    rest = ["-f", str(POOLS)] if command == "disrupt" else []
    result = CliRunner().invoke(main, [command, *rest, "-f", str(written(tmp_path, changed)), *REGION])
    assert result.exit_code == 2
    for path in (
        "metadata.creationTimestamp",
        "conditions[0].lastTransitionTime",
        "status.lastPodEventTime",
        "status.startTime",
    ):
        assert path in result.stderr
    assert "2026-01-05T12:00:00Z" in result.stderr
    assert "Found 4 problems." in result.stderr


@pytest.mark.parametrize("command", ["nodes", "disrupt"])
def test_a_time_that_no_clock_reaches_is_named(tmp_path, command):
    """Nothing can be counted from the end of all time on."""
    changed = objects()
    named(changed, "Node", "ip-10-0-1-12")["metadata"]["creationTimestamp"] = "9999-12-31T23:59:59Z"
    rest = ["-f", str(POOLS)] if command == "disrupt" else []
    result = CliRunner().invoke(main, [command, *rest, "-f", str(written(tmp_path, changed)), *REGION])
    assert result.exit_code == 2
    assert "'9999-12-31T23:59:59Z' is too far off" in result.stderr
    assert "allowed: a time in 2261 or before" in result.stderr


def test_files_without_nodes_are_refused():
    """And it says what to give."""
    result = run(cluster=POOLS)
    assert result.exit_code == 2
    assert "no node is in the input" in result.stderr
