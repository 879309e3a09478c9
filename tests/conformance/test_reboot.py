"""The reboot controller, and the ranks of deletion costs."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.instants import instant_text
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.scheduling.inputs import SchedulerOptions
from cutlist.state.pods import RunningPod
from cutlist.state.scheduling_node import scheduling_node
from tests.conformance.deletioncost import GOING_FIRST, deletion_costs
from tests.conformance.go_durations import parse_error
from tests.conformance.reboot import BOUND, PRE_BOOT_ID, Reboot
from tests.unit.disruption.builders import cluster, drifted, node, pool, runs
from tests.unit.disruption.claims import MINUTE, NOON, running


def world(
    *pods: RunningPod, reason: str = "RebootRequested", answer: str = "ok", boot: str = "b1", asked: float = 0, **notes: str
) -> Reboot:
    """A claim whose reboot was requested half an hour ago, or just now."""
    written = {BOUND: notes["bound"]} if "bound" in notes else {}
    written |= {PRE_BOOT_ID: notes["before"]} if "before" in notes else {}
    requested = instant_text(asked or NOON - 30 * MINUTE)
    conditions = [
        {"type": "Rebooting", "status": "True", "reason": reason, "lastTransitionTime": requested},
        {"type": "Initialized", "status": "True", "lastTransitionTime": instant_text(NOON - 60 * MINUTE)},
    ]
    claim: dict[str, Any] = {"metadata": {"name": "a", "annotations": written}, "status": {"conditions": conditions}}
    status = {"nodeInfo": {"bootID": boot}, "conditions": [{"type": "Ready", "status": "True"}]}
    return Reboot.of(claim, {"metadata": {"name": "a"}, "status": status}, pods, answer, NOON)


def test_a_reboot_drains_and_then_asks_the_provider() -> None:
    """Without a bound it waits for its pods; after the bound they stay."""  # V15-58 V15-63
    first = world(running()).run()
    assert (first["tainted"], first["evict"], first["after"], first.get("asked")) == (True, ["default/p"], "15s", None)
    late = world(running(), bound="10m").run()
    assert (late["asked"], late["rebooting"], late["preBootID"]) == (1, "True RebootIssued:", "b1")
    assert late["initialized"] == "Unknown Rebooting: node is rebooting"


def test_the_shortest_drain_is_five_seconds() -> None:
    """But a bound of nothing drains nothing."""  # V15-58
    assert world(asked=NOON - 1).run()["after"] == "4s"
    assert world(asked=NOON - 1, bound="0s").run()["asked"] == 1


def test_a_claim_that_was_never_initialized_reboots_since_its_creation() -> None:
    """Karpenter takes the instant of Initialized for that of the reboot; a condition that is missing is as old as its claim."""
    # V15-58
    of = world(reason="RebootIssued", boot="b2", before="b1")
    conditions = [c for c in of.claim["status"]["conditions"] if c["type"] != "Initialized"]
    for age, end in ((30, "deleted"), (10, "rebooting")):
        metadata = {**of.claim["metadata"], "creationTimestamp": instant_text(NOON - age * MINUTE)}
        claim = {"metadata": metadata, "status": {"conditions": conditions}}
        state = Reboot.of(claim, of.node, (), "ok", NOON).run()
        assert (state.get("deleted", False), "RebootSucceeded" in state["rebooting"]) == (end == "deleted", end != "deleted")


def test_a_new_boot_of_a_ready_node_ends_it() -> None:  # V15-58
    done = world(reason="RebootIssued", boot="b2", before="b1").run()
    assert done["rebooting"] == "False RebootSucceeded: node rebooted and rejoined the cluster"
    assert world(reason="RebootIssued", before="b1").run()["after"] == "15s"


@pytest.mark.parametrize("answer", ["notImplemented", "failed", "notFound"])
def test_a_refusal_deletes_the_claim_with_the_bound_as_its_deadline(answer: str) -> None:  # V15-58
    failed = world(answer=answer, bound="10m").run()
    assert (failed["deleted"], failed["deadline"]) == (True, instant_text(NOON + 10 * MINUTE))
    assert failed["events"][0]["reason"] == "RebootFailed"


def test_a_provider_is_asked_for_five_minutes() -> None:  # V15-58
    reboot = world(answer="transient")
    assert reboot.run()["error"] == "issuing reboot, try again"
    reboot.now += 5 * MINUTE
    assert reboot.run()["asked"] == 1
    reboot.now += 1
    assert reboot.run()["deleted"]


def test_a_bad_bound_ends_it_without_deleting() -> None:  # V15-58
    bad = world(bound="soon").run()
    assert bad["rebooting"].startswith("False RebootFailed: invalid reboot request: parsing reboot termination grace period")
    assert "deleted" not in bad


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1m", ""),
        ("no", 'time: invalid duration "no"'),
        ("5", 'time: missing unit in duration "5"'),
        ("5x", 'time: unknown unit "x" in duration "5x"'),
        ("", 'time: invalid duration ""'),
    ],
)
def test_durations_are_refused_in_words_of_go(text: str, error: str) -> None:
    assert parse_error(text) == error


def test_a_node_that_reboots_counts_as_capacity_that_returns() -> None:
    """Its taints for the time being do not count, also when it is initialized."""  # V15-37
    conditions = [{"type": "Rebooting", "status": "True"}]
    claim = {"metadata": {"name": "a"}, "spec": {"startupTaints": [{"key": "s", "effect": "NoSchedule"}]}}
    keys = ("karpenter.sh/rebooting", "node.kubernetes.io/not-ready", "s", "own")
    taints = [{"key": key, "effect": "NoSchedule"} for key in keys]
    labels = {"karpenter.sh/initialized": "true", "karpenter.sh/registered": "true"}
    held = {"metadata": {"name": "a", "labels": labels}, "spec": {"taints": taints}}
    assert [t.key for t in scheduling_node(held, {**claim, "status": {"conditions": conditions}}).taints] == ["own"]
    assert [t.key for t in scheduling_node(held, claim).taints] == list(keys)


def test_nodes_are_ranked_by_what_their_removal_saves() -> None:
    """Those that go first; then drifted ones, then by price per cost; others lose the annotation."""  # V15-66
    gates = FeatureGates(pod_deletion_cost_management=True)
    options = SchedulerOptions(karpenter=BASELINES[-1])
    nodes = [node("a", runs("x")), node("b"), drifted("c"), node("d", removed=True), node("e", runs("y"))]
    controlled = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "controller": True}
    pods = [
        {"metadata": {"name": "x", "namespace": "default", "ownerReferences": [controlled]}, "spec": {"nodeName": "a"}},
        {"metadata": {"name": "y", "namespace": "default"}, "spec": {"nodeName": "e"}},
    ]
    of = cluster(*nodes, options=options, feature_gates=gates)
    assert deletion_costs(of, pods) == {"a": -1, "b": -2, "c": -3, "d": GOING_FIRST, "e": None}
    never = cluster(*nodes, options=options, feature_gates=gates, pools=[pool(after="Never")])
    assert deletion_costs(never, pods) == {"a": None, "b": None, "c": -1, "d": GOING_FIRST, "e": None}
