"""What a cluster came to once no further pass changed anything, compared with what Cutlist's passes come to."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from cutlist.core.labels import LabelRegistry
from cutlist.planning.pass_controller import Controller
from cutlist.planning.passes import run_joint_passes
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.launched import Purchase, cheapest_purchase
from cutlist.scheduling.results import PlacedClaim
from tests.conformance.scenario_file import Scenario as ScenarioFile
from tests.live.cluster import LiveCluster
from tests.live.recording import Recording
from tests.live.scenario import Object
from tests.live.scenarios.builders import CAPACITY_TYPE, INSTANCE_TYPE

_QUIET: Final = 25.0
"""Seconds without a change after which no further pass is expected: Karpenter looks at a pod that waits every ten."""
_POOL: Final = "karpenter.sh/nodepool"


def reached(cluster: LiveCluster, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what happened to a cluster: the nodes that were not in `state`, with the pods on them, and the pods that wait."""
    cluster.settle(_QUIET)
    pods = [pod for pod in cluster.pods() if not _is_of_daemon_set(pod)]
    before = {item["metadata"]["name"] for item in state["objects"] if item["kind"] == "Node"}
    nodes = [node for node in cluster.api.items("Node") if node["metadata"]["name"] not in before]
    return {
        "nodes": _sorted(_node_form(node, pods) for node in nodes),
        "pending": _counted(workload(pod) for pod in pods if not pod["spec"].get("nodeName")),
    }


def end_differences(recording: Recording) -> list[str]:
    """Return what sets the end of Cutlist's passes apart from what a cluster came to, where that was recorded."""
    end = recording.answer.get("end")
    if end is None:
        return []
    own = _end_of_passes(recording)
    return [f"{part} in the end: wanted {end[part]}, got {own[part]}" for part in end if end[part] != own[part]]


def workload(pod: Mapping[str, Any]) -> str:
    """Return what pods that are alike have in common: their controller, or their own name."""
    owners = [owner for owner in pod["metadata"].get("ownerReferences") or () if owner.get("controller")]
    return str(owners[0]["name"] if owners else pod["metadata"]["name"])


def _end_of_passes(recording: Recording) -> dict[str, Any]:
    """Return what Cutlist's passes come to, each claim launched as the KWOK provider does."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(recording.scenario))
        file.flush()
        scenario = ScenarioFile(Path(file.name))
        inputs = scenario.inputs()
    tables = InstanceTypeIndexes(inputs.types, inputs.options.karpenter)
    (outcome,) = run_joint_passes([Controller(inputs, tables, lambda claim: kwok_purchase(claim, inputs.registry))])
    result = outcome.result
    workloads = [workload(pod) for _, pod in scenario.pending]
    nodes = []
    for claim in result.claims:
        bought = cheapest_purchase(claim, inputs.registry)
        pods: Counter[str] = Counter()
        for batch, count in claim.pods.items():
            pods[workloads[batch]] += count
        nodes.append([claim.node_pool, bought.type.name, bought.offering.capacity_type, dict(sorted(pods.items()))])
    pending: Counter[str] = Counter()
    for unplaced in result.unplaced:
        pending[workloads[unplaced.batch]] += unplaced.count
    return {"nodes": _sorted(nodes), "pending": dict(sorted(pending.items()))}


def kwok_purchase(claim: PlacedClaim, registry: LabelRegistry) -> Purchase:
    """Return what the KWOK provider launches for a claim: its cheapest type.

    The capacity of its node, which limits count, is what the claim requests; what pods may use is the type's.
    """
    bought = cheapest_purchase(claim, registry)
    allocatable = {**claim.requests, **bought.type.allocatable(bought.offering)}
    capacity = {resource: claim.requests.get(resource, 0) for resource in allocatable}
    overhead = {resource: capacity[resource] - amount for resource, amount in allocatable.items()}
    return replace(bought, type=replace(bought.type, capacity=capacity, overhead=overhead))


def _node_form(node: Object, pods: Iterable[Object]) -> list[Any]:
    labels = node["metadata"]["labels"]
    placed = _counted(workload(pod) for pod in pods if pod["spec"].get("nodeName") == node["metadata"]["name"])
    return [labels[_POOL], labels[INSTANCE_TYPE], labels[CAPACITY_TYPE], placed]


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _sorted(nodes: Iterable[list[Any]]) -> list[list[Any]]:
    return sorted(nodes, key=json.dumps)


def _is_of_daemon_set(pod: Mapping[str, Any]) -> bool:
    return any(owner["kind"] == "DaemonSet" for owner in pod["metadata"].get("ownerReferences") or ())
