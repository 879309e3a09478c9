"""What a live Karpenter did, read from its log, events and NodeClaims; and the budgets that are closed until it may act."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.live import karpenter_log as log
from tests.live.cluster import has_condition
from tests.live.disrupting import commands_of, final_budgets, with_closed_budgets
from tests.live.processes import Stillness
from tests.live.scenario import Patch, Scenario
from tests.live.scenarios.builders import consolidating_pool, node_pool
from tests.live.scheduling import FirstPass, StaleViewError, check_view, claim_form

CLAIM = {
    "metadata": {"name": "default-a", "labels": {"karpenter.sh/nodepool": "default"}},
    "spec": {
        "requirements": [
            {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["c-1x", "c-2x"]},
            {"key": "kubernetes.io/hostname", "operator": "In", "values": ["default-a"]},
            {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
        ],
        "resources": {"requests": {"cpu": "3", "pods": "3"}},
    },
}


def written(folder: Path, *rows: Mapping[str, Any]) -> Path:
    """Return a log with these lines, after some that came before, and one that is still being written."""
    file = folder / "karpenter.log"
    before = "I1123 not JSON\n" + json.dumps({"message": log.BEGINS}) + "\n"
    file.write_text(before + "".join(json.dumps(row) + "\n" for row in rows) + '{"message": "half')
    return file


AT = "2026-01-01T00:00:00Z"
OFFSET = len("I1123 not JSON\n" + json.dumps({"message": log.BEGINS}) + "\n")


def created(name: str, **more: Any) -> dict[str, Any]:
    return {"message": log.CREATED, "NodeClaim": {"name": name}, **more}


def test_a_pass_is_over_when_all_of_its_claims_are_made(tmp_path: Path):
    """Those of a later pass do not count, and what came before the offset is not seen."""
    begins, wants = {"message": log.BEGINS}, {"message": log.NEW_CLAIMS, "nodeclaims": 2}
    file = written(tmp_path, begins, wants, created("a"))
    assert FirstPass(file, OFFSET)() is None
    file = written(tmp_path, begins, wants, created("a"), created("b"), begins, created("c"))
    result = FirstPass(file, OFFSET)()
    assert result is not None
    _, own, wanted = result
    assert log.created_claims(own)[:wanted] == ["a", "b"]


def test_a_claim_that_the_api_server_refuses_counts_as_made(tmp_path: Path):
    """Karpenter does not try it again in this pass."""
    refused = {"message": "Reconciler error", "error": "creating node claim, refused"}
    file = written(tmp_path, {"message": log.BEGINS}, {"message": log.NEW_CLAIMS, "nodeclaims": 2}, created("a"), refused)
    assert FirstPass(file, OFFSET)() is not None


def test_a_pass_without_claims_is_over_when_the_next_begins(tmp_path: Path):
    """Karpenter says nothing of new NodeClaims where it wants none."""
    begins = {"message": log.BEGINS}
    assert FirstPass(written(tmp_path, begins), OFFSET)() is None
    assert FirstPass(written(tmp_path, begins, begins), OFFSET)() == ([begins, begins], [], 0)
    assert FirstPass(written(tmp_path), OFFSET)() is None


def test_a_nomination_names_a_claim_or_a_node():
    """Both where the claim has a node already."""
    assert log.nominated("Pod should schedule on: nodeclaim/default-a, node/kwok-1") == ("default-a", "kwok-1")
    assert log.nominated("Pod should schedule on: nodeclaim/default-a") == ("default-a", None)


def test_a_pass_that_saw_another_cluster_does_not_count():
    """Nominations of pods that wait are as they should be, and so are those of pods on nodes that are being deleted."""
    pod = {"kind": "Pod", "metadata": {"uid": "u1", "name": "web-1"}, "spec": {"nodeName": "kwok-1"}}
    node = {"kind": "Node", "metadata": {"name": "kwok-1"}}
    waiting = [{"pod": {"metadata": {"uid": uid}}} for uid in ("u2", "u3")]
    state = {"pods": waiting, "objects": [pod, node]}
    nominations = [{"involvedObject": {"uid": uid}} for uid in ("u2", "u1", "u3")]
    check_view(state, nominations[:1], 2)
    with pytest.raises(StaleViewError, match="had 1 pods, and it placed 2"):
        check_view(state, nominations[::2], 1)
    with pytest.raises(StaleViewError, match="web-1"):
        check_view(state, nominations, 2)
    ending = {"kind": "NodeClaim", "metadata": {"deletionTimestamp": AT}, "status": {"nodeName": "kwok-1"}}
    check_view({"pods": waiting, "objects": [pod, node, ending]}, nominations, 2)


def test_a_command_has_the_claims_that_were_created_for_it():
    """The lines about these come after all commands of a look, in the order of the commands."""

    def command(node: str, count: int) -> dict[str, Any]:
        nodes = [{"Node": {"name": node}, "NodeClaim": {"name": f"claim-of-{node}"}}]
        text = f"Underutilized/1: replace: nodepools=[default]: [{node}] (savings: $1.25)"
        counted = {"replacement-node-count": count, "disrupted-nodes": nodes}
        return {"message": log.DISRUPTING, "time": "t", "command": text, "decision": "replace", **counted}

    rows = [command("x", 0), command("y", 1), created("default-a")]
    first, second = commands_of("look", rows, {"default-a": CLAIM})
    assert (first["nodes"], first["replacements"]) == (["x"], [])
    assert [each["instanceTypes"] for each in second["replacements"]] == [["c-1x", "c-2x"]]
    assert (second["reason"], second["savings"]) == ("Underutilized", 1.25)


def test_a_claim_is_read_as_the_answers_have_it():
    """Types stand apart from the other requirements, and its own host is left out."""
    form = claim_form(CLAIM)
    assert form["instanceTypes"] == ["c-1x", "c-2x"]
    assert [each["key"] for each in form["requirements"]] == ["kubernetes.io/arch"]
    assert form["requests"] == {"cpu": "3", "pods": "3"}


def test_budgets_are_closed_until_karpenter_may_act():
    """In the end they are what the NodePool says, or what it was changed to, or Karpenter's default."""
    change = Patch("NodePool", "b", {"spec": {"weight": 2, "disruption": {"budgets": [{"nodes": "2"}]}}})
    scenario = Scenario("x", "", [consolidating_pool("a"), consolidating_pool("b"), node_pool("c")], [change])
    assert final_budgets(scenario) == {"a": [{"nodes": "100%"}], "b": [{"nodes": "2"}], "c": [{"nodes": "10%"}]}
    closed = [pool["spec"]["disruption"]["budgets"] for pool in with_closed_budgets(scenario.objects)]
    assert closed == [[{"nodes": "0"}]] * 3
    assert [each.patch for each in with_closed_budgets([change])] == [{"spec": {"weight": 2, "disruption": {}}}]
    assert scenario.objects[0]["spec"]["disruption"]["budgets"] == [{"nodes": "100%"}]


def test_a_condition_counts_with_its_status():
    """A NodePool that is not ready has a Ready condition too."""
    pool = {"status": {"conditions": [{"type": "Ready", "status": "False"}]}}
    assert not has_condition(pool, "Ready")
    assert has_condition(pool, "Ready", "False")
    assert not has_condition({}, "Ready")


def test_stillness_begins_anew_with_each_change():
    """The same value again only lets time pass."""
    stillness = Stillness()
    first = stillness.of([1])
    assert stillness.of([1]) >= first
    assert stillness.of([2]) < 0.1
