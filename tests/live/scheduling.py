"""A scheduling scenario, lived: put into a cluster, one pass of Karpenter's provisioner, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cutlist.simulation.recording.answers import full_name
from tests.live import karpenter_log as log
from tests.live.cluster import LiveCluster
from tests.live.ends import reached
from tests.live.karpenter_log import Line
from tests.live.processes import StartError, wait_for
from tests.live.recording import Recording
from tests.live.scenario import Object, Scenario
from tests.live.scenarios.builders import HOSTNAME, INSTANCE_TYPE
from tests.live.servers import Servers
from tests.live.state import written_down

_INSIDE: Final = (HOSTNAME, "karpenter.sh/registered", "karpenter.sh/initialized", INSTANCE_TYPE)
"""Requirements that the form of the answers leaves out."""
_NOTHING_NEW: Final = 4.0
"""Seconds after which a pass that has said nothing of new NodeClaims is known to want none."""

_EVENTS_END: Final = 15.0
"""Seconds without an event of another pod after which no more are waited for."""


class StaleViewError(StartError):
    """Karpenter's pass was not about the cluster that was written down: it had not heard yet of pods, or
    that they are bound."""


def live_through(servers: Servers, scenario: Scenario, version: str) -> Recording:
    """Return what Karpenter did with a scenario. It runs already, in this version and with the scenario's settings.

    Raises StaleViewError when its pass was about an earlier state of the cluster, as happens on a busy machine.
    """
    api = servers.api()
    cluster = LiveCluster(api)
    try:
        cluster.prepare(scenario)
        servers.hold_karpenter()
        try:
            cluster.put(scenario.then)
            cluster.wait_for_pods()
            state = written_down(api, scenario, version)
            earlier = {event["metadata"]["uid"] for event in log.events(api)}
            offset = servers.karpenter_log.stat().st_size
        finally:
            servers.resume_karpenter()
        rows, own, wanted = wait_for("a pass of the provisioner", FirstPass(servers.karpenter_log, offset), 90)
        _wait_for_events(cluster, state)
        nominations = [event for event in _nominations(cluster) if event["metadata"]["uid"] not in earlier]
        check_view(state, nominations, next(row["pending-pods"] for row in rows if row["message"] == log.BEGINS))
        answer, evidence = _answer(cluster, state, log.created_claims(own)[:wanted])
        if scenario.is_lived_out:
            answer["end"] = reached(cluster, state)
        evidence["passes"] = sum(row["message"] == log.BEGINS for row in rows)
        return Recording(scenario.name, version, "scheduling", state, answer, evidence, scenario.free)
    finally:
        api.close()


@dataclass
class FirstPass:
    """Finds the first pass after an offset in Karpenter's log, as soon as its NodeClaims are made."""

    file: Path
    offset: int
    since: float = field(default_factory=time.monotonic)

    def __call__(self) -> tuple[Sequence[Line], Sequence[Line], int] | None:
        """Return all lines, those from the first pass on, and how many NodeClaims that pass wants."""
        rows = log.lines(self.file, self.offset)
        starts = [at for at, row in enumerate(rows) if row["message"] == log.BEGINS]
        if not starts:
            self.since = time.monotonic()
            return None
        first = rows[starts[0] : starts[1] if len(starts) > 1 else None]
        wanted = next((row["nodeclaims"] for row in first if row["message"] == log.NEW_CLAIMS), None)
        own = rows[starts[0] :]
        if wanted is None:
            is_over = len(starts) > 1 or time.monotonic() - self.since > _NOTHING_NEW
            return (rows, [], 0) if is_over else None
        refused = sum("creating node claim" in str(row.get("error")) for row in own)
        return (rows, own, wanted) if len(log.created_claims(own)) + refused >= wanted else None


def _wait_for_events(cluster: LiveCluster, state: Mapping[str, Any]) -> None:
    """Wait until every pod of the pass is nominated or refused, or no further pod has been for a while.

    Events are written one after the other, on a busy machine seconds apart. A pod that Karpenter leaves alone has none.
    """
    uids = {entry["pod"]["metadata"]["uid"] for entry in state["pods"]}
    judged: set[str] = set()
    since = time.monotonic()

    def are_written() -> bool:
        nonlocal judged, since
        events = [e for e in log.events(cluster.api) if e["reason"] in ("Nominated", "FailedScheduling")]
        heard = uids & {e["involvedObject"].get("uid") for e in events}
        if heard != judged:
            judged, since = heard, time.monotonic()
        return judged == uids or time.monotonic() - since > _EVENTS_END

    wait_for("Karpenter's events", are_written, _EVENTS_END * (len(uids) + 2))


def _nominations(cluster: LiveCluster) -> list[dict[str, Any]]:
    return [event for event in log.events(cluster.api) if event["reason"] == "Nominated"]


def check_view(state: Mapping[str, Any], nominations: Sequence[Mapping[str, Any]], pending: int) -> None:
    """Raise StaleViewError when the first pass, with this many pods, left out some that Karpenter placed later, or placed
    pods that were bound before it to nodes that stay."""
    nominated = {event["involvedObject"].get("uid") for event in nominations}
    waiting = [entry for entry in state["pods"] if entry["pod"]["metadata"]["uid"] in nominated]
    if pending < len(waiting):
        raise StaleViewError(f"Karpenter's first pass had {pending} pods, and it placed {len(waiting)}")
    ending = [o for o in state["objects"] if o["kind"] in ("Node", "NodeClaim") and "deletionTimestamp" in o["metadata"]]
    leaving = {o["metadata"]["name"] if o["kind"] == "Node" else o.get("status", {}).get("nodeName") for o in ending}
    pods = [o for o in state["objects"] if o["kind"] == "Pod" and o["spec"].get("nodeName") not in leaving]
    bound = {pod["metadata"]["uid"]: pod["metadata"]["name"] for pod in pods}
    names = sorted(bound[uid] for uid in nominated & bound.keys())
    if names:
        raise StaleViewError(f"Karpenter placed pods that were bound already: {', '.join(names)}")


def _answer(cluster: LiveCluster, state: Mapping[str, Any], created: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the pass as an answer of the vectors, and the NodeClaims as they were made."""
    known = {claim["metadata"]["name"]: claim for claim in cluster.api.items("NodeClaim")}
    nominations, errors = _judgements(cluster, state)
    claims = {name: claim_form(known[name]) for name in created if name in known}
    before = {o["metadata"]["name"]: o for o in state["objects"] if o["kind"] == "NodeClaim"}
    existing: dict[str, list[str]] = {}
    late: dict[str, str] = {}
    for pod, message in nominations.items():
        claim, node = log.nominated(message)
        if claim in claims:
            claims[claim]["pods"].append(pod)
        elif claim in before:
            existing.setdefault(before[claim].get("status", {}).get("nodeName") or claim, []).append(pod)
        elif node:
            existing.setdefault(node, []).append(pod)
        else:
            late[pod] = message
    answer = {
        "claims": sorted(
            ({**claim, "pods": sorted(claim["pods"])} for claim in claims.values()), key=lambda claim: claim["pods"]
        ),
        "existing": {node: sorted(pods) for node, pods in sorted(existing.items())},
        "errors": {pod: message for pod, message in errors.items() if pod not in nominations},
        "ignored": {},
    }
    return answer, {"nodeClaims": [_made(known[name]) for name in claims], "late": late}


def _judgements(cluster: LiveCluster, state: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the first nomination and the first refusal of each pod of the pass."""
    pods = {entry["pod"]["metadata"]["uid"]: entry["pod"]["metadata"] for entry in state["pods"]}
    nominations: dict[str, str] = {}
    errors: dict[str, str] = {}
    for event in log.events(cluster.api):
        metadata = pods.get(event["involvedObject"].get("uid"))
        if metadata is None:
            continue
        name = full_name(metadata["namespace"], metadata["name"])
        if event["reason"] == "Nominated":
            nominations.setdefault(name, event["message"])
        elif event["reason"] == "FailedScheduling":
            errors.setdefault(name, event["message"].removeprefix("Failed to schedule pod, "))
    return nominations, errors


def claim_form(claim: Object) -> dict[str, Any]:
    """Return a NodeClaim as the form of the answers has it. A NodeClaim says no prices, so its types have none."""
    requirements = claim["spec"]["requirements"]
    types = next((each["values"] for each in requirements if each["key"] == INSTANCE_TYPE and each["operator"] == "In"), [])
    return {
        "nodePool": claim["metadata"]["labels"]["karpenter.sh/nodepool"],
        "pods": [],
        "requirements": sorted(
            (each for each in requirements if each["key"] not in _INSIDE), key=lambda each: str(each["key"])
        ),
        "requests": claim["spec"].get("resources", {}).get("requests", {}),
        "instanceTypes": types,
        "prices": [None] * len(types),
    }


def _made(claim: Object) -> dict[str, Any]:
    """Return what a NodeClaim says of itself, without what changes each time."""
    metadata, spec = claim["metadata"], claim["spec"]
    return {
        "name": metadata["name"],
        "labels": metadata.get("labels") or {},
        "annotations": metadata.get("annotations") or {},
        "taints": spec.get("taints") or [],
        "startupTaints": spec.get("startupTaints") or [],
    }
