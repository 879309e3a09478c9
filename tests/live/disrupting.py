"""A disruption scenario, lived: a cluster is made with closed budgets and written down, then Karpenter may act."""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby, islice, takewhile
from typing import Any, Final

from tests.live import karpenter_log as log
from tests.live.cluster import LiveCluster, has_condition
from tests.live.karpenter_log import Line
from tests.live.processes import StartError, Stillness, wait_for
from tests.live.recording import Recording
from tests.live.scenario import Change, Object, Patch, Scenario
from tests.live.scheduling import claim_form
from tests.live.servers import Servers
from tests.live.state import written_down

SETTINGS: Final = {"BATCH_MAX_DURATION": "5s"}
"""Karpenter's settings of disruption scenarios: a node stays nominated for twice the longest batch, and at least 10 s."""
_NOMINATED: Final = 11.5
_CLOSED: Final = [{"nodes": "0"}]
_DEFAULT: Final = [{"nodes": "10%"}]
_STEADY: Final = 4.0
"""Seconds without a change of any condition after which NodeClaims are judged."""
_HAS_BUFFER_PODS: Final = re.compile('Unconsolidatable: Node "[^"]+" has buffer pods')
_QUIET: Final = 35.0
"""Seconds in which Karpenter looks at all methods: a poll of 10 s, and 15 s until a command is validated."""
_ACTS: Final = 100.0
_AFTER: Final = 2.0
"""Seconds in which the commands of one look follow each other."""
_NOT_READY: Final = [{"type": "Ready", "status": status, "toleration": "10m0s"} for status in ("False", "Unknown")]
_FAULT: Final = {"status": "True", "reasonRegex": ".*", "toleration": "30s"}
REPAIR_POLICIES: Final[Mapping[str, Sequence[Object]]] = {
    "1.14": _NOT_READY,
    "1.15": [
        {**_NOT_READY[0], "terminationGracePeriod": "0s"},
        {**_NOT_READY[1], "terminationGracePeriod": "0s", "reasonRegex": ".*"},
        {"type": "KWOKUnhealthy", **_FAULT, "terminationGracePeriod": "45s"},
        {"type": "KWOKRebootRequired", **_FAULT, "terminationGracePeriod": "1m", "action": "RebootNode"},
    ],
}
"""The repair policies of the KWOK provider, by minor."""


def live_through(servers: Servers, scenario: Scenario, version: str) -> Recording:
    """Return what Karpenter did with a scenario. It runs already, in this version and with the scenario's settings."""
    api = servers.api()
    cluster = LiveCluster(api)
    try:
        budgets = final_budgets(scenario)
        phases = [list(with_closed_budgets(phase)) for phase in scenario.phases]
        cluster.prepare(replace(scenario, objects=list(with_closed_budgets(scenario.objects)), phases=phases))
        prepared = datetime.now(UTC)
        cluster.put(list(with_closed_budgets(scenario.then)))
        cluster.settle()
        _wait_for_conditions(cluster, scenario)
        _wait_for_nominations(cluster, prepared)
        servers.hold_karpenter()
        try:
            cluster.put(scenario.while_held)
            for pool, written in budgets.items():
                api.patch("NodePool", pool, {"spec": {"disruption": {"budgets": written}}})
            state = written_down(api, scenario, version)
            state["disruption"] = _settings(scenario, version)
            earlier = _events(cluster)
            offset = servers.karpenter_log.stat().st_size
        finally:
            servers.resume_karpenter()
        _wait_for_commands(servers, cluster, scenario, state, offset)
        answer, evidence = _answer(cluster, state, log.lines(servers.karpenter_log, offset))
        evidence["earlier"] = {about: texts for about, texts in earlier.items() if about.startswith("Node/")}
        state["disruption"] |= _buffered(evidence["events"]) | _steps([] if scenario.free else evidence["later"])
        return Recording(scenario.name, version, "disruption", state, answer, evidence, scenario.free)
    finally:
        api.close()


def _settings(scenario: Scenario, version: str) -> dict[str, Any]:
    """Return what a recorded state says of disruption: that nodes expire, and how the provider has them repaired."""
    repairs = scenario.gates.get("NodeRepair", False)
    return {"expire": True, **({"repairPolicies": REPAIR_POLICIES[version]} if repairs else {})}


def _buffered(events: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the nodes that Karpenter's last pass gave to virtual pods of buffers: only its memory has them, and its events."""
    said = {about.removeprefix("Node/"): texts for about, texts in events.items() if about.startswith("Node/")}
    nodes = [node for node, texts in said.items() if any(map(_HAS_BUFFER_PODS.fullmatch, texts))]
    return {"bufferPods": dict.fromkeys(nodes, 1)} if nodes else {}


def _steps(later: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a step for each command of drift that followed: it waits for nothing but replacements that come up."""
    drifted = list(takewhile(lambda command: command["reason"] == "Drifted", later))
    return {"steps": [{"execute": True, "replacements": "initialized"}] * len(drifted)} if drifted else {}


def final_budgets(scenario: Scenario) -> dict[str, list[Object]]:
    """Return the budgets of each NodePool as they are in the end."""
    budgets: dict[str, list[Object]] = {}
    for change in [*scenario.objects, *(each for phase in scenario.phases for each in phase), *scenario.then]:
        if isinstance(change, Patch) and change.kind == "NodePool":
            written = change.patch.get("spec", {}).get("disruption", {}).get("budgets")
            budgets |= {change.name: written} if written else {}
        elif isinstance(change, Mapping) and change["kind"] == "NodePool":
            budgets[change["metadata"]["name"]] = change["spec"].get("disruption", {}).get("budgets", _DEFAULT)
    return budgets


def with_closed_budgets(changes: Sequence[Change]) -> Iterator[Change]:
    """Yield the changes with the budgets of all NodePools closed."""
    for change in changes:
        if isinstance(change, Mapping) and change["kind"] == "NodePool":
            pool = copy.deepcopy(dict(change))
            pool["spec"].setdefault("disruption", {})["budgets"] = _CLOSED
            yield pool
        elif isinstance(change, Patch) and change.kind == "NodePool":
            patch = copy.deepcopy(dict(change.patch))
            patch.get("spec", {}).get("disruption", {}).pop("budgets", None)
            yield replace(change, patch=patch)
        else:
            yield change


def _wait_for_conditions(cluster: LiveCluster, scenario: Scenario) -> None:
    """Wait until Karpenter has judged all NodeClaims, and some have the condition that the scenario waits for."""
    pools = {pool["metadata"]["name"]: pool["spec"] for pool in cluster.api.items("NodePool")}
    stillness = Stillness()

    def are_judged() -> bool:
        claims = cluster.api.items("NodeClaim")
        seconds = stillness.of({claim["metadata"]["name"]: _conditions(claim) for claim in claims})
        wanted = [claim for claim in claims if _consolidates_at_once(pools.get(_pool_of(claim), {}))]
        if not all(has_condition(claim, "Consolidatable") for claim in wanted):
            return False
        if scenario.waits_for and not any(has_condition(claim, scenario.waits_for) for claim in claims):
            return False
        return seconds > _STEADY

    wait_for(f"judged NodeClaims{f', some {scenario.waits_for}' if scenario.waits_for else ''}", are_judged, 120, 0.5)


def _conditions(claim: Object) -> dict[str, str]:
    return {each["type"]: each["status"] for each in claim.get("status", {}).get("conditions") or []}


def _pool_of(claim: Object) -> str:
    return str(claim["metadata"]["labels"]["karpenter.sh/nodepool"])


def _consolidates_at_once(pool: Object) -> bool:
    return "replicas" not in pool and pool.get("disruption", {}).get("consolidateAfter") == "0s"


def _wait_for_nominations(cluster: LiveCluster, prepared: datetime) -> None:
    """Wait until no node is nominated for a pod any longer.

    Karpenter nominates again with each pass while a pod is pending, and does not say so each time.
    """
    bound = [
        datetime.fromisoformat(condition["lastTransitionTime"])
        for pod in cluster.pods()
        for condition in pod["status"].get("conditions") or ()
        if condition["type"] == "PodScheduled" and condition["status"] == "True"
    ]
    time.sleep(max(0.0, _NOMINATED - (datetime.now(UTC) - max([prepared, *bound])).total_seconds()))


def _wait_for_commands(
    servers: Servers, cluster: LiveCluster, scenario: Scenario, state: Mapping[str, Any], offset: int
) -> None:
    """Wait for as many commands as the scenario expects, for a deletion where it expects none, or until nothing is known to
    happen."""

    def has_acted() -> bool:
        commands = [row for row in log.lines(servers.karpenter_log, offset) if row["message"] == log.DISRUPTING]
        if scenario.commands:
            return len(commands) >= scenario.commands
        return bool(_deleted(cluster, state))

    try:
        wait_for("a command", has_acted, _QUIET if scenario.is_quiet else _ACTS * max(1, scenario.commands), 0.5)
    except StartError:
        return  # that it did nothing is an answer too
    time.sleep(_AFTER)


def _deleted(cluster: LiveCluster, state: Mapping[str, Any]) -> list[str]:
    """Return the NodeClaims that were there and are removed or being deleted."""
    there = {claim["metadata"]["name"] for claim in cluster.api.items("NodeClaim") if not _is_ending(claim)}
    before = [o["metadata"]["name"] for o in state["objects"] if o["kind"] == "NodeClaim" and not _is_ending(o)]
    return sorted(name for name in before if name not in there)


def _is_ending(claim: Object) -> bool:
    return "deletionTimestamp" in claim["metadata"]


def _answer(cluster: LiveCluster, state: Mapping[str, Any], rows: Sequence[Line]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return Karpenter's first commands, those of one look at the cluster, and what else it deleted; and all that it said."""
    known = {claim["metadata"]["name"]: claim for claim in cluster.api.items("NodeClaim")}
    own_rows = (row for row in rows if row.get("controller") == "disruption")
    commands: list[dict[str, Any]] = []
    for look, own in groupby(own_rows, lambda row: row.get("reconcileID")):
        commands += commands_of(str(look), list(own), known)
    disrupted = {log.name_in(node, "NodeClaim") for row in rows for node in row.get("disrupted-nodes", ())}
    looks = [command.pop("look") for command in commands]
    answer = {
        "commands": [command for command, look in zip(commands, looks, strict=True) if look == looks[0]],
        "deleted": [name for name in _deleted(cluster, state) if name not in disrupted],
    }
    later = [command for command, look in zip(commands, looks, strict=True) if look != looks[0]]
    return answer, {"later": later, "events": _events(cluster)}


def commands_of(look: str, rows: Sequence[Line], known: Mapping[str, Object]) -> Iterator[dict[str, Any]]:
    """Yield the commands of one look of the disruption controller, with the NodeClaims that it then created for each."""
    created = iter(log.created_claims(rows))
    for row in rows:
        if row["message"] == log.DISRUPTING:
            names = list(islice(created, row["replacement-node-count"]))
            yield {"look": look, **_command(row, [known[name] for name in names if name in known])}


def _command(row: Line, replacements: Sequence[Object]) -> dict[str, Any]:
    text = str(row["command"])
    savings = re.search(r"savings: \$(-?[\d.]+)", text)
    return {
        "at": row["time"],
        "decision": row["decision"],
        "reason": text.split("/")[0],
        "nodes": sorted(log.name_in(node, "Node") for node in row["disrupted-nodes"]),
        "replacements": [claim_form(claim) for claim in replacements],
        "savings": float(savings[1]) if savings else None,
        "text": text,
    }


def _events(cluster: LiveCluster) -> dict[str, list[str]]:
    """Return what Karpenter said of nodes and NodeClaims in events, by object."""
    said: dict[str, list[str]] = {}
    for event in log.events(cluster.api):
        about = event["involvedObject"]
        if about["kind"] in ("Node", "NodeClaim", "NodePool"):
            said.setdefault(f"{about['kind']}/{about.get('name', '')}", []).append(f"{event['reason']}: {event['message']}")
    return {name: sorted(set(texts)) for name, texts in sorted(said.items())}
