"""A recorded day, simulated: the same script, Karpenter as Cutlist simulates it, and what sets the two apart."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

from cutlist.api.nodepool_hash import HASH, HASH_VERSION, stored_template_hash
from cutlist.disruption.cluster_state import ClusterState
from cutlist.simulation.events import SECOND, Event
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.result import SimulationResult
from cutlist.simulation.settings import SimulationSettings
from cutlist.simulation.simulation import Simulation
from cutlist.workloads.groups import DaemonSet, PodGroup
from cutlist.workloads.read_pod import read_pod
from tests.conformance.disrupt import DisruptionScenario
from tests.conformance.scenario_file import baseline_of_scenario
from tests.live.ends import kwok_purchase
from tests.live.recording import Recording
from tests.live.scenario import RELEASES, Object

_NAMESPACE: Final = "default"
_CONTROLLERS: Final = ("Deployment", "StatefulSet")
_LAUNCH: Final = "launch"
_LATER: Final = 60
"""Number of seconds by which commands of a simulation may come earlier or later, and by which it is longer than its day."""
NODE_HOURS: Final = 0.03
"""By how much simulated node-hours may differ."""


class Replay(NamedTuple):
    """A day simulated: until its end, and for somewhat longer."""

    day: SimulationResult
    later: SimulationResult


class Act(NamedTuple):
    """A command of Karpenter at an instant in seconds: its reason and decision, the NodePool and type of each node, and the
    number of replacements."""

    at: float
    reason: str
    decision: str
    nodes: tuple[str, ...]
    replacements: int

    @property
    def form(self) -> str:
        """Return what is compared; nodes of one NodePool and type are alike."""
        return f"{self.reason} {self.decision} {', '.join(self.nodes)} -> {self.replacements}"


def replayed(day: Recording) -> Replay:
    """Return what Cutlist's simulation makes of a recorded day."""
    script = day.scenario["script"]
    cluster = _cluster(day, [o for o in day.scenario["objects"] if o["kind"] == "NodePool"])
    applied = [c for step in script for c in step["changes"] if "change" not in c and c["kind"] in _CONTROLLERS]
    inputs = SimulationInputs(
        cluster=cluster,
        groups=[_group(manifest) for manifest in applied],
        daemons=[_daemon_set(o) for o in day.scenario["objects"] if o["kind"] == "DaemonSet"],
        purchases=lambda claim: kwok_purchase(claim, cluster.registry),
    )
    until = round(day.scenario["seconds"] * SECOND)
    startup = mean(claim["initialized"] - claim["created"] for claim in day.answer["claims"])
    settings = SimulationSettings(
        cluster.now, until + _LATER * SECOND, launch=0, startup=round(startup * SECOND), pod_start=0, pod_stop=0
    )
    simulation = Simulation(inputs, list(_demand(script)), settings)
    for at, pools in _editions(day):
        simulation.run(at)
        simulation.world.cluster.rebase(_cluster(day, pools))
        simulation.world.cluster.notice_move()
        for node in list(simulation.world.cluster.nodes.values()):
            simulation.world.cluster.put(node)
    simulation.run(until)
    result = simulation.result()
    simulation.run(settings.until)
    return Replay(result, simulation.result())


def _cluster(day: Recording, pools: Sequence[Object]) -> ClusterState:
    """Return the empty cluster of a day with NodePools, which have the annotations that Karpenter gives them."""
    scenario: dict[str, Any] = {
        "karpenter": RELEASES[day.version],
        "now": "2026-11-23T12:00:00Z",
        "provider": "kwok",
        "options": {"featureGates": day.scenario["gates"]},
        "instanceTypes": "types/kwok.json",
        "objects": [o for o in day.scenario["objects"] if o["kind"] != "NodePool"],
    }
    version = baseline_of_scenario(scenario).node_pool_hash
    for pool in pools:
        annotations = {HASH: stored_template_hash(pool["spec"]["template"]), HASH_VERSION: version}
        annotated = {**pool, "metadata": {**pool["metadata"], "annotations": annotations}}
        scenario.setdefault("nodePools", []).append(annotated)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(scenario, file)
        file.flush()
        return DisruptionScenario(Path(file.name)).cluster_state()


def _editions(day: Recording) -> Iterator[tuple[int, list[Object]]]:
    """Yield the NodePools after each of their changes, with its instant in milliseconds."""
    pools = {o["metadata"]["name"]: o for o in day.scenario["objects"] if o["kind"] == "NodePool"}
    for step in day.scenario["script"]:
        before = dict(pools)
        for change in step["changes"]:
            if change.get("change") == "Patch" and change["kind"] == "NodePool":
                pools[change["name"]] = _merged(pools[change["name"]], change["patch"])
            elif change.get("kind") == "NodePool" and "metadata" in change:
                pools[change["metadata"]["name"]] = change
        if pools != before:
            yield round(step["at"] * SECOND), list(pools.values())


def _merged(value: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object after a merge patch that removes nothing."""
    merged = dict(value)
    for member, change in patch.items():
        inner = merged.get(member, {})
        merged[member] = _merged(inner, change) if isinstance(change, Mapping) and isinstance(inner, Mapping) else change
    return merged


def _group(manifest: Object) -> PodGroup:
    template, name = manifest["spec"]["template"], manifest["metadata"]["name"]
    metadata = {**template["metadata"], "namespace": _NAMESPACE, "name": name}
    pod = read_pod({"metadata": metadata, "spec": template["spec"]})
    grace = template["spec"]["terminationGracePeriodSeconds"]
    return PodGroup(name, _NAMESPACE, manifest["kind"], 0, pod, grace=grace)


def _daemon_set(manifest: Object) -> DaemonSet:
    group = _group(manifest)
    return DaemonSet(group.name, _NAMESPACE, group.pod, grace=group.grace)


def _demand(script: Sequence[Mapping[str, Any]]) -> Iterator[Event]:
    for step in script:
        at = round(step["at"] * SECOND)
        for change in step["changes"]:
            if change.get("change") == "Scale":
                yield ReplicasSet(at, f"{change['kind'].lower()}/{change['name']}", change["replicas"])
            elif change.get("kind") in _CONTROLLERS:
                yield ReplicasSet(at, f"{change['kind'].lower()}/{change['metadata']['name']}", change["spec"]["replicas"])


# --- what is compared


def node_hours(day: Recording) -> float:
    """Return how many hours the nodes of a recorded day ran."""
    until = day.scenario["seconds"]
    return sum(min(claim.get("gone", until), until) - claim["created"] for claim in day.answer["claims"]) / 3600


def recorded_acts(day: Recording) -> list[Act]:
    """Return the commands of a recorded day."""
    kinds = {claim.get("node"): f"{claim['nodePool']}/{claim['instanceType']}" for claim in day.answer["claims"]}
    return [
        Act(c["at"], c["reason"], c["decision"], tuple(sorted(kinds[node] for node in c["nodes"])), c["replacements"])
        for c in day.answer["commands"]
    ]


def simulated_acts(result: SimulationResult) -> list[Act]:
    """Return the commands of a simulation that were carried out, without launches for pods that wait."""
    kinds = {life.name: f"{life.pool}/{life.instance_type}" for life in result.lives}
    return [
        Act(c.at / SECOND, c.reason, c.decision, tuple(sorted(kinds[node] for node in c.nodes)), len(c.launched))
        for c in result.commands
        if c.decision != _LAUNCH and c.outcome == "executed"
    ]


def day_differences(day: Recording, replay: Replay) -> list[str]:
    """Return what sets the simulation of a day apart from its recording: node-hours, and commands in their order.

    Instants may differ: Karpenter's rounds begin at any second, and so does the garbage collector. Where the simulation has
    more commands, they come at the end of the day or after it.
    """
    wanted, hours = node_hours(day), replay.day.totals.node_hours
    lines = [f"node-hours: wanted {wanted:.3f}, got {hours:.3f}"] if abs(hours / wanted - 1) > NODE_HOURS else []
    acts, simulated = recorded_acts(day), simulated_acts(replay.later)
    for number, (act, own) in enumerate(zip_longest(acts, simulated)):
        if act is None:
            if own.at < day.scenario["seconds"] - _LATER:
                lines.append(f"command {number}: got {own.form} at {own.at}")
        elif own is None or own.form != act.form:
            lines.append(f"command {number}: wanted {act.form}, got {own and own.form}")
        elif abs(own.at - act.at) > _LATER:
            lines.append(f"command {number}: wanted at {act.at}, got at {own.at}")
    return lines
