"""A recorded day, simulated: the same script, Karpenter as Cutlist simulates it, and what sets the two apart."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import mean
from typing import Any, Final

from cutlist.simulation.events import SECOND, Event, ReplicasSet
from cutlist.simulation.result import SimulationResult
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.simulation import SimulationInputs, simulate
from cutlist.workloads.groups import DaemonSet, PodGroup
from cutlist.workloads.read_pod import read_pod
from tests.conformance.disrupt import DisruptionScenario
from tests.live.ends import kwok_purchase
from tests.live.recording import Recording
from tests.live.scenario import RELEASES, Object

_NAMESPACE: Final = "default"


def replayed(day: Recording) -> SimulationResult:
    """Return what Cutlist's simulation makes of a recorded day."""
    scenario = day.scenario
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(_as_scenario(day), file)
        file.flush()
        cluster = DisruptionScenario(Path(file.name)).cluster_state()
    workloads = {o["metadata"]["name"]: o for o in _applied(day) if o["kind"] in ("Deployment", "StatefulSet")}
    inputs = SimulationInputs(
        cluster=cluster,
        groups=[_group(manifest) for manifest in workloads.values()],
        daemons=[_daemon_set(o) for o in scenario["objects"] if o["kind"] == "DaemonSet"],
        purchases=lambda claim: kwok_purchase(claim, cluster.registry),
    )
    startup = mean(c["initialized"] - c["created"] for c in day.answer["claims"])
    settings = SimulationSettings(
        cluster.now,
        until=round(scenario["seconds"] * SECOND),
        launch=0,
        startup=round(startup * SECOND),
        pod_start=0,
        pod_stop=0,
    )
    return simulate(inputs, list(_demand(day)), settings)


def _as_scenario(day: Recording) -> Mapping[str, Any]:
    objects = day.scenario["objects"]
    return {
        "karpenter": RELEASES[day.version],
        "now": "2026-11-23T12:00:00Z",
        "provider": "kwok",
        "options": {"featureGates": day.scenario["gates"]},
        "instanceTypes": "types/kwok.json",
        "nodePools": [o for o in objects if o["kind"] == "NodePool"],
        "objects": [o for o in objects if o["kind"] != "NodePool"],
        "pods": [],
    }


def _applied(day: Recording) -> Iterator[Object]:
    for step in day.scenario["script"]:
        yield from (change for change in step["changes"] if "kind" in change and "change" not in change)


def _group(manifest: Object) -> PodGroup:
    template, name = manifest["spec"]["template"], manifest["metadata"]["name"]
    metadata = {**template["metadata"], "namespace": _NAMESPACE, "name": name}
    pod = read_pod({"metadata": metadata, "spec": template["spec"]})
    grace = template["spec"]["terminationGracePeriodSeconds"]
    return PodGroup(name, _NAMESPACE, manifest["kind"], 0, pod, grace=grace)


def _daemon_set(manifest: Object) -> DaemonSet:
    group = _group(manifest)
    return DaemonSet(group.name, _NAMESPACE, group.pod, grace=group.grace)


def _demand(day: Recording) -> Iterator[Event]:
    for step in day.scenario["script"]:
        at = round(step["at"] * SECOND)
        for change in step["changes"]:
            if change.get("change") == "Scale":
                yield ReplicasSet(at, f"{change['kind'].lower()}/{change['name']}", change["replicas"])
            elif change.get("kind") in ("Deployment", "StatefulSet"):
                yield ReplicasSet(at, f"{change['kind'].lower()}/{change['metadata']['name']}", change["spec"]["replicas"])
