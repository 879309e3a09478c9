"""What a live Karpenter did, compared with what Cutlist plans: nodes come as planned, and what differs has a cause."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from cutlist.core.errors import Problems
from cutlist.planning.model import Plan
from cutlist.verbs.verify.answer import evidence_of
from cutlist.verification.deviations import Aspect
from cutlist.verification.evidence import Declared, LogEvidence
from cutlist.verification.verdicts import ExplainedDeviation, NodeOutcome, Verification
from tests.unit.verification import replay
from tests.unit.verification.builders import findings, verified

Manifest = dict[str, Any]
SCHEDULING, DISRUPTION = (
    replay.names("claims"),
    [name for name in replay.names("acted") if replay.recordings()[name]["live"]["log"]],
)
TIES = {"29-existing-spread", "33-schedule-anyway"}
"""Pods are spread over zones of equal standing, which Karpenter picks at random."""
UNFINISHED = {"07-anti-affinity", "23-statefulset-ports", "29-existing-spread", "35-spread-min-domains"}
"""Recorded while some claims were still being launched."""


def after(name: str, objects: Sequence[Manifest] | None = None, plan: Plan | None = None) -> Verification:
    """What happened to a scheduling scenario, or of an altered one."""
    planned = plan or replay.plan_of(name)
    there = replay.objects_of(name) if objects is None else objects
    before = replay.live_of(replay.recordings()[name]["scenario"]["objects"], planned)
    declared = Declared(existing={node.name: node.pods for node in before.nodes})
    return verified(planned, replay.live_of(there, planned), declared=declared)


def log_of(name: str) -> LogEvidence:
    return evidence_of(replay.log_of(name), "log", Problems())


def after_disruption(name: str, log: LogEvidence | None) -> Verification:
    planned = replay.plan_of_cluster(name)
    return verified(planned, replay.live_of(replay.objects_afterwards(name), planned), log)


@pytest.mark.parametrize("name", [name for name in SCHEDULING if name not in TIES | UNFINISHED])
def test_every_node_came_as_planned(name):
    verification = after(name)
    assert verification.findings == ()
    assert len(verification.of(NodeOutcome.AS_PLANNED)) == len(replay.recordings()[name]["live"]["claims"])


@pytest.mark.parametrize("name", sorted(TIES))
def test_a_tie_is_called_a_tie(name):
    zones = findings(after(name), Aspect.ZONE)
    assert zones
    assert all([named.cause.id for named in finding.causes] == ["tie"] for finding in zones)


def test_at_least_95_percent_of_what_differs_in_the_recordings_has_a_cause():
    differing: list[ExplainedDeviation] = [finding for name in SCHEDULING for finding in after(name).findings]
    differing += [f for name in SCHEDULING for f in after(name, replay.objects_of(name, joined=False)).findings]
    differing += [finding for name in DISRUPTION for finding in after_disruption(name, log_of(name)).findings]
    explained = sum(finding.is_explained for finding in differing)
    assert len(differing) > 100
    assert explained / len(differing) >= 0.95


@pytest.mark.parametrize("name", DISRUPTION)
def test_what_karpenter_did_to_nodes_is_named_by_the_log_and_not_without_it(name):
    cause = "drift" if "drift" in name else "consolidation"
    with_log, without = after_disruption(name, log_of(name)), after_disruption(name, None)
    assert with_log.findings
    assert all(cause in {named.cause.id for named in finding.causes} for finding in with_log.findings)
    assert [f.deviation for f in without.findings] == [f.deviation for f in with_log.findings]
    assert not any(named.cause.id == cause for finding in without.findings for named in finding.causes)


# Recordings in which something is altered: the cause of just that is named.

FINISHED = [
    name
    for name in SCHEDULING
    if name not in TIES | UNFINISHED
    and any(len(claim["pods"]) > 1 and len(claim["instanceTypes"]) > 1 for claim in replay.recordings()[name]["live"]["claims"])
]
"""Those in which some node has several pods and might have been of another type."""


def is_pod_of(manifest: Manifest, claims: set[str]) -> bool:
    return manifest["kind"] == "Pod" and manifest["spec"].get("nodeName") in claims


def without_a_pod(objects: list[Manifest], claims: set[str]) -> list[Manifest]:
    gone = next(o for o in objects if is_pod_of(o, claims))
    return [o for o in objects if o is not gone]


def with_another_pod(objects: list[Manifest], claims: set[str]) -> list[Manifest]:
    pod = next(o for o in objects if is_pod_of(o, claims))
    return [*objects, {**pod, "metadata": {"name": "stranger", "namespace": "default", "uid": "1"}}]


def with_a_pod_that_waits(objects: list[Manifest], claims: set[str]) -> list[Manifest]:
    pod = next(o for o in objects if is_pod_of(o, claims))
    waiting = {**pod, "spec": {k: v for k, v in pod["spec"].items() if k != "nodeName"}, "status": {"phase": "Pending"}}
    return [waiting if o is pod else o for o in objects]


def with_later_pods(objects: list[Manifest], claims: set[str]) -> list[Manifest]:
    """One of several pods came an hour later, on a node of its own."""
    nodes = [o["spec"]["nodeName"] for o in objects if is_pod_of(o, claims)]
    pod = next(o for o in objects if is_pod_of(o, claims) and nodes.count(o["spec"]["nodeName"]) > 1)
    name = pod["spec"]["nodeName"]
    later = "2026-11-22T13:59:00Z"
    made = []
    for kind in ("Node", "NodeClaim"):
        one = next(o for o in objects if o["kind"] == kind and o["metadata"]["name"] == name)
        made.append(json.loads(json.dumps(one).replace(name, "late").replace("kwok://kwok", "kwok://late")))
        made[-1]["metadata"]["creationTimestamp"] = later
    moved = {**pod, "metadata": {**pod["metadata"], "creationTimestamp": later}, "spec": {**pod["spec"], "nodeName": "late"}}
    return [*(moved if o is pod else o for o in objects), *made]


def on_a_node_of_others(objects: list[Manifest], claims: set[str]) -> list[Manifest]:
    pod = next(o for o in objects if is_pod_of(o, claims))
    node = {"kind": "Node", "metadata": {"name": "own"}, "spec": {"providerID": "kwok://own"}, "status": {}}
    return [*({**o, "spec": {**o["spec"], "nodeName": "own"}} if o is pod else o for o in objects), node]


def number_of_types(claim: Manifest) -> int:
    return max(len(row.get("values", [])) for row in claim["spec"]["requirements"])


def on_another_machine(objects: list[Manifest], claims: set[str], provider: str = "aws") -> list[Manifest]:
    """A claim became another of its types, on this provider."""
    claim = max((o for o in objects if o["kind"] == "NodeClaim" and o["metadata"]["name"] in claims), key=number_of_types)
    now = claim["metadata"]["labels"]["node.kubernetes.io/instance-type"]
    rows = {row["key"]: row.get("values", []) for row in claim["spec"]["requirements"]}
    other = next(value for value in reversed(rows["node.kubernetes.io/instance-type"]) if value != now)
    name = claim["metadata"]["name"]
    altered = []
    for o in objects:
        if o["kind"] in ("Node", "NodeClaim") and o["metadata"]["name"] == name:
            labels = {**o["metadata"]["labels"], "node.kubernetes.io/instance-type": other}
            text = json.dumps({**o, "metadata": {**o["metadata"], "labels": labels}})
            altered.append(json.loads(text.replace("kwok://", f"{provider}:///")))
        else:
            altered.append(o)
    return altered


ALTERED: dict[str, Callable[..., list[Manifest]]] = {
    "pods-missing": without_a_pod,
    "pods-not-planned": with_another_pod,
    "pods-waiting": with_a_pod_that_waits,
    "timing": with_later_pods,
    "not-karpenter": on_a_node_of_others,
    "cloud-choice": on_another_machine,
}


@pytest.mark.parametrize("cause", ALTERED)
@pytest.mark.parametrize("name", FINISHED[::3])
def test_what_is_altered_in_a_recording_is_named(name, cause):
    claims = {claim["metadata"]["name"] for claim in replay.recordings()[name]["live"]["nodeClaims"]}
    verification = after(name, ALTERED[cause](replay.objects_of(name), claims))
    assert verification.findings
    assert not verification.unexplained
    assert cause in verification.causes
    assert verification.causes.keys() <= {cause, "other-node", "not-joined"}


@pytest.mark.parametrize("name", FINISHED[::4])
def test_another_machine_has_no_known_cause_where_karpenter_chooses_it(name):
    claims = {claim["metadata"]["name"] for claim in replay.recordings()[name]["live"]["nodeClaims"]}
    verification = after(name, on_another_machine(replay.objects_of(name), claims, "kwok"))
    assert [finding.deviation.aspect for finding in verification.unexplained] == [Aspect.INSTANCE_TYPE]


def test_claims_that_are_being_launched_are_for_the_pods_that_wait():
    planned = replay.plan_of("07-anti-affinity")
    fewer = replace(planned, nodes=tuple(replace(node, count=1) for node in planned.nodes[:1]))
    verification = after("07-anti-affinity", plan=fewer)
    assert len(verification.of(NodeOutcome.UNPLANNED)) == 3
    assert verification.causes == {"pods-not-planned": 3}
