"""`cutlist disrupt`: a cluster in, Karpenter's next step out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from cutlist_cli import main
from tests.sample import POOLS, SNAPSHOT

CLUSTER = SNAPSHOT
REGION = ("--region", "us-west-2")


def run(*arguments: str, cluster: Path = CLUSTER) -> Result:
    return CliRunner().invoke(main, ["disrupt", "-f", str(POOLS), "-f", str(cluster), *REGION, *arguments])


def answer(*arguments: str, cluster: Path = CLUSTER) -> dict[str, Any]:
    result = run(*arguments, "-o", "json", cluster=cluster)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def changed(folder: Path, change: Any) -> Path:
    """The cluster of the docs with its objects changed."""
    objects = list(yaml.safe_load_all(CLUSTER.read_text()))
    change(objects)
    file = folder / "cluster.yaml"
    file.write_text(yaml.safe_dump_all(objects))
    return file


def named(objects: list[Any], kind: str, name: str) -> Any:
    return next(o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name)


def why(found: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {n["name"]: (n["verdict"], n["why"]) for n in found["nodes"]}


# K-54 K-161 K-174
def test_every_node_says_what_is_in_store_for_it():
    """The empty node goes next; each other says which rule spares it."""
    data = answer()
    assert (data["method"], data["commands"][0]["nodes"], data["at"]) == (
        "emptiness",
        ["ip-10-0-3-31"],
        "2026-01-05T11:40:00Z",
    )
    assert why(data) == {
        "ip-10-0-1-11": ("blocked", "Pdb prevents pod evictions (PodDisruptionBudget=[shop/cache])"),
        "ip-10-0-1-12": ("later", "could be deleted on its own; another command comes first"),
        "ip-10-0-2-21": ("blocked", 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=shop/batch-5)'),
        "ip-10-0-3-31": ("next", ""),
    }


# K-95
def test_the_default_budget_is_a_tenth_rounded_up():
    """Of four nodes one may go at a time."""
    (budget,) = answer()["budgets"]
    assert budget["remaining"] == {"Empty": 1, "Drifted": 1, "Underutilized": 1}


def test_the_course_goes_on_until_nothing_more_happens():
    """First the empty node, then the one whose pod fits elsewhere; the end costs what is left."""
    data = answer("--until-stable")
    course = data["course"]
    assert [step["method"] for step in course["steps"]] == ["emptiness", "single"]
    assert (course["end"], course["nodes"], sum(course["evictions"].values())) == ("stable", 2, 1)
    saved = sum(command["savingsPerHour"] for step in course["steps"] for command in step["commands"])
    assert course["steps"][-1]["pricePerHour"] == pytest.approx(data["pricePerHour"] - saved)


def test_an_endless_loop_is_named(tmp_path):
    """A pod that costs nothing to evict leaves its node empty: the node goes, the pod gets a new one, and so on."""

    def change(objects: list[Any]) -> None:
        pod = named(objects, "Pod", "batch-5")
        pod["metadata"]["annotations"] = {"controller.kubernetes.io/pod-deletion-cost": "-2147483648"}
        pod["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "30", "memory": "1Gi"}

    result = run("--until-stable", cluster=changed(tmp_path, change))
    assert "an endless loop: a state comes back" in result.stdout
    assert "moved more than once: shop/batch-5" in result.stdout


# K-165
def test_a_claim_that_is_being_launched_pauses_everything(tmp_path):
    """Karpenter waits until it knows the machine of every NodeClaim."""

    def change(objects: list[Any]) -> None:
        claim = json.loads(json.dumps(named(objects, "NodeClaim", "general-3x31")))
        claim["metadata"]["name"] = "general-new"
        claim["status"] = {}
        objects.append(claim)

    file = changed(tmp_path, change)
    data = answer(cluster=file)
    assert (data["paused"], data["method"], data["commands"]) == (["general-new"], None, [])
    assert "paused: general-new is being launched" in run(cluster=file).stdout


# K-98
def test_an_instant_can_be_chosen():
    """Two weeks before, the same cluster was another; a time without zone, or none at all, is refused."""
    assert answer("--at", "2026-01-05T12:30:00+00:00")["at"] == "2026-01-05T12:30:00Z"
    far = "is out of range; write one from 1970 to 2261"
    wrongs = {
        "noon": "is not a time",
        "2026-01-05T12:30:00": "has no time zone",
        "2026-01-05": "has no time zone; write one such as 2026-01-05T00:00:00Z",
        "9999-12-31T00:00:00Z": far,
        "1969-12-31T00:00:00Z": far,
    }
    for wrong, text in wrongs.items():
        result = run("--at", wrong)
        assert result.exit_code == 2
        assert text in result.stderr


# K-93 K-171 K-172
def test_drift_and_a_near_expiry_are_reported(tmp_path):
    """A node that is no longer what its pool asks for is drifted; one that expires within a week says when."""

    def change(objects: list[Any]) -> None:
        node, claim = named(objects, "Node", "ip-10-0-1-12"), named(objects, "NodeClaim", "general-1x12")
        for labelled in (node, claim):
            labelled["metadata"]["labels"]["kubernetes.io/arch"] = "arm64"
        claim["spec"]["expireAfter"] = "24h"

    file = changed(tmp_path, change)
    (node,) = [n for n in answer(cluster=file)["nodes"] if n["name"] == "ip-10-0-1-12"]
    assert (node["drifted"], node["expires"]) == ("RequirementsDrifted", "2026-01-06T08:00:00Z")
    assert "drifted: RequirementsDrifted; expires 2026-01-06 08:00:00Z" in " ".join(run(cluster=file).stdout.split())


def unwell(*names: str) -> Any:
    """Nodes that have not been ready since eleven."""

    def change(objects: list[Any]) -> None:
        for name in names:
            named(objects, "Node", name)["status"]["conditions"] = [
                {"type": "Ready", "status": "Unknown", "lastTransitionTime": "2026-01-05T11:00:00Z"}
            ]

    return change


def gpu_fault(name: str, reason: str) -> Any:
    """A node whose accelerators have had a fault for over half an hour."""

    def change(objects: list[Any]) -> None:
        fault = {"type": "AcceleratedHardwareReady", "status": "False", "lastTransitionTime": "2026-01-05T11:00:00Z"}
        named(objects, "Node", name)["status"]["conditions"].append({**fault, "reason": reason})

    return change


REPAIR_OF_1_14 = ("--node-repair", "--karpenter", "1.14")


# D-77
def test_a_sick_node_is_repaired_where_the_gate_is_open(tmp_path):
    """One of four has been unready for half an hour: it goes at once. Without the gate nobody does anything about it."""
    file = changed(tmp_path, unwell("ip-10-0-1-11"))
    (first, *_) = answer(*REPAIR_OF_1_14, cluster=file)["removals"]
    assert (first["node"], first["why"], first["at"]) == ("ip-10-0-1-11", "is repaired", "2026-01-05T11:40:00Z")
    assert first["goneBy"] == first["at"]
    assert {r["why"] for r in answer(cluster=file)["removals"]} == {"expires"}
    assert "is repaired now" in run(*REPAIR_OF_1_14, cluster=file).stdout


# D-77
def test_too_many_sick_nodes_are_not_repaired(tmp_path):
    """Two of four are more than a fifth, rounded up to one: both wait, and the text says why."""
    file = changed(tmp_path, unwell("ip-10-0-1-11", "ip-10-0-1-12"))
    found = {r["node"]: r["blocked"] for r in answer(*REPAIR_OF_1_14, cluster=file)["removals"] if r["why"] == "is repaired"}
    assert found == dict.fromkeys(("ip-10-0-1-11", "ip-10-0-1-12"), "more than 20% nodes are unhealthy in the nodepool")
    assert "sick, looked at again 2026-01-05 11:45:00Z" in run(*REPAIR_OF_1_14, cluster=file).stdout


def test_repair_is_the_next_step_of_1_15(tmp_path):
    """Within budgets and with the provider's bound of the drain; the flag of the legacy controller takes it back."""
    # V15-42 V15-65
    file = changed(tmp_path, unwell("ip-10-0-1-11"))
    gates = ("--karpenter", "1.15", "--node-repair")
    coming = answer(*gates, cluster=file)
    assert (coming["method"], coming["commands"][0]["reason"]) == ("repair", "Unhealthy")
    assert {r["why"] for r in coming["removals"]} == {"expires"}
    legacy = answer(*gates, "--legacy-node-repair", cluster=file)
    assert legacy["method"] != "repair"
    assert "is repaired" in {r["why"] for r in legacy["removals"]}


def test_a_fault_of_a_gpu_is_mended_by_a_reboot_where_its_gate_is_on(tmp_path):
    """Without the gate, and for another fault, the node is replaced; the flag of the legacy controller knows no reboot."""
    # VA15-100 VA15-101 VA15-102
    gates = ("--karpenter", "1.15", "--node-repair")
    file = changed(tmp_path, gpu_fault("ip-10-0-1-11", "NvidiaXID48Error"))
    assert answer(*gates, "--reboot-for-repair", cluster=file)["commands"][0]["decision"] == "reboot"
    assert answer(*gates, cluster=file)["commands"][0]["decision"] != "reboot"
    fatal = changed(tmp_path, gpu_fault("ip-10-0-1-11", "NvidiaXID79Error"))
    assert answer(*gates, "--reboot-for-repair", cluster=fatal)["commands"][0]["decision"] != "reboot"
    legacy = answer(*gates, "--reboot-for-repair", "--legacy-node-repair", cluster=file)
    assert "is repaired" in {r["why"] for r in legacy["removals"]}


def test_reboots_need_node_repair_and_aws():
    # VA15-102 VA15-110
    refused = run("--reboot-for-repair", "--karpenter", "1.15")
    assert (refused.exit_code, "no effect without the feature gate NodeRepair" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    "gate", ["--terminate-first-drift", "--pod-deletion-cost-management", "--legacy-node-repair", "--reboot-for-repair"]
)
def test_gates_of_1_15_are_refused_before(gate):
    """With the gates that there are."""
    # V15-65
    refused = run(gate, "--karpenter", "1.14")
    assert (refused.exit_code, "Karpenter 1.14 has no" in refused.stderr) == (2, True)
    more = ("--node-repair",) if gate == "--reboot-for-repair" else ()
    assert run(gate, "--karpenter", "1.15", *more).exit_code == 0


def test_terminating_first_for_repair_needs_node_repair():
    # V15-65
    refused = run("--terminate-first-repair", "--karpenter", "1.15")
    assert (refused.exit_code, "needs the feature gate NodeRepair" in refused.stderr) == (2, True)


def test_without_nodes_there_is_nothing_to_disrupt():
    """Pools alone are not a cluster."""
    result = CliRunner().invoke(main, ["disrupt", "-f", str(POOLS), *REGION])
    assert result.exit_code == 2
    assert "no node is in the input" in result.stderr


@pytest.mark.parametrize("width", [80, 120, 200])
def test_no_line_is_wider_than_the_page(width):
    """The text fits its width."""
    lines = run("--until-stable", "--width", str(width)).stdout.splitlines()
    assert max(map(len, lines)) <= width
    assert any("disrupted next" in line for line in lines)


def test_a_cluster_cut_off_in_the_middle_is_reported(tmp_path):
    """A file that ends in the middle of an object is not a cluster: the mistake has its place."""
    file = tmp_path / "cluster.yaml"
    file.write_text(CLUSTER.read_text()[:4321])
    result = run(cluster=file)
    assert result.exit_code == 2
    assert "is not YAML at column" in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_what_does_not_belong_together_is_reported_and_the_rest_is_answered(tmp_path):
    """A claim without its node, a node without its claim, a type that nobody sells: each says so, the empty node still goes."""

    def change(objects: list[Any]) -> None:
        objects.remove(named(objects, "Node", "ip-10-0-1-11"))
        objects.remove(named(objects, "NodeClaim", "general-2x21"))
        for kind, name in (("Node", "ip-10-0-1-12"), ("NodeClaim", "general-1x12")):
            named(objects, kind, name)["metadata"]["labels"]["node.kubernetes.io/instance-type"] = "m99.huge"

    data = answer(cluster=changed(tmp_path, change))
    assert data["commands"][0]["nodes"] == ["ip-10-0-3-31"]
    reported = why(data)
    assert reported["general-1x11"] == ("blocked", "Nodeclaim does not have an associated node")
    assert reported["ip-10-0-2-21"] == ("unmanaged", "not a node of Karpenter")
    budget = "is replaced once the budgets of NodePool general allow another node for the reason Drifted"
    assert reported["ip-10-0-1-12"] == ("later", budget)  # its type is no longer sold, so it drifts
    assert data["oddities"] == []


def test_a_clock_that_runs_ahead_is_reported(tmp_path):
    """One node has times of a year to come, so all others look old; the text says which, and what to do."""

    def change(objects: list[Any]) -> None:
        named(objects, "NodeClaim", "general-3x31")["status"]["lastPodEventTime"] = "2027-01-05T11:40:00Z"

    file = changed(tmp_path, change)
    (oddity,) = answer(cluster=file)["oddities"]
    assert oddity == "ip-10-0-3-31 has a time of 2027-01-05T11:40:00Z, 365 days after all others; a clock may run ahead (--at)"
    assert "a clock may run ahead" in " ".join(run(cluster=file).stdout.split())


def test_an_instant_before_the_newest_times_is_reported():
    """Four nodes have times after ten o'clock."""
    (oddity,) = answer("--at", "2026-01-05T10:00:00Z")["oddities"]
    assert oddity.startswith("4 machines have times after 2026-01-05T10:00:00Z, such as ip-10-0-")
