"""Recordings of a live Karpenter 1.14.1 with its KWOK provider: what Cutlist plans for them, and what came.

`recordings.json.xz` holds 22 scenarios of scheduling with the NodeClaims and placements that followed, and 6 of disruption with
the controller's log, made on 2026-11-22; the scenarios have the form of tests/conformance.
"""

from __future__ import annotations

import json
import lzma
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from cutlist.core.labels import AWS, NODEPOOL
from cutlist.core.requirements import Requirements
from cutlist.planning.model import DETERMINED, CandidateType, Plan, PlannedNode, PodShare
from cutlist.planning.nodes import filled_nodes, planned_nodes
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.launched import Purchase, cheapest_purchase
from cutlist.scheduling.results import PlacedClaim
from cutlist.state.cluster import Cluster
from cutlist.verification.live import LiveCluster, LiveNode
from cutlist.verification.pod_workloads import PodWorkloads
from tests.conformance.scenario_file import Scenario
from tests.one_pass import schedule

Manifest = dict[str, Any]
_FILE = Path(__file__).parent / "recordings.json.xz"


@cache
def recordings() -> Mapping[str, Any]:
    return json.loads(lzma.decompress(_FILE.read_bytes()))  # type: ignore[no-any-return]


def names(kind: str) -> list[str]:
    """The recordings of scheduling (`claims`) or of disruption (`acted`)."""
    return [name for name, recording in recordings().items() if kind in recording["live"]]


def scenario_of(name: str) -> Scenario:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.json"
        path.write_text(json.dumps(recordings()[name]["scenario"]))
        return Scenario(path)


class Cheapest:
    """The predictions of a provider that launches the cheapest, as Karpenter's KWOK provider does."""

    def __init__(self, scenario: Scenario) -> None:
        self._registry = scenario.registry

    def of(self, _claim: PlacedClaim) -> None:
        return None

    def node_class(self, _node_pool: str) -> None:
        return None

    def of_machines(self, wanted: Requirements) -> Requirements:
        return wanted

    def disk_price(self, _node_pool: str, _instance_type: str) -> None:
        return None

    def os_disk(self, _node_pool: str, _instance_type: str) -> None:
        return None

    def purchase(self, claim: PlacedClaim) -> Purchase:
        return cheapest_purchase(claim, self._registry)


@cache
def plan_of(name: str) -> Plan:
    """What Cutlist plans for a scenario, its pods by workload."""
    scenario = scenario_of(name)
    inputs = scenario.inputs()
    result = schedule(inputs)
    batches = [replace(batch, name=_workload(scenario, batch.name)) for batch in inputs.batches]
    nodes = planned_nodes(result, batches, scenario.registry, Cheapest(scenario))  # type: ignore[arg-type]
    return Plan("kwok", nodes, existing=filled_nodes(result, batches), karpenter="1.14.1")


def _workload(scenario: Scenario, pod_name: str) -> str:
    pods = (pod for _, pod in scenario.entries)
    return _workloads_by_pod(pods)[pod_name]


def _workloads_by_pod(pods: Any) -> dict[str, str]:
    workloads = PodWorkloads(())
    read = Cluster.read([{**pod, "kind": "Pod"} for pod in pods]).pods
    return {pod.name: workloads.of(pod) for pod in read}


def objects_of(name: str, *, joined: bool = True) -> list[Manifest]:
    """The cluster after a scheduling scenario; with `joined` the machines have registered and the pods are on their nodes."""
    scenario, live = (recordings()[name][part] for part in ("scenario", "live"))
    claims = _claims_by_pod(live)
    on_existing = {pod: node for node, pods in live["existing"].items() for pod in pods}
    objects = [*scenario["nodePools"], *scenario["objects"], *live["nodeClaims"]]
    objects += [node for manifest in live["nodeClaims"] if joined and (node := _node(manifest))]
    for entry in scenario["pods"]:
        pod, pod_name = entry["pod"], _full_name(entry["pod"])
        manifest = claims.get(pod_name) if joined else None
        node = on_existing.get(pod_name, _name(manifest) if manifest is not None and _node(manifest) else "")
        objects.append(pod if not node else {**pod, "spec": {**pod["spec"], "nodeName": node}, "status": {"phase": "Running"}})
    return objects


def _claims_by_pod(live: Manifest) -> dict[str, Manifest]:
    """The NodeClaim of each pod: claims were recorded by their pods, NodeClaims in the order of their creation."""
    left, by_pod = list(live["nodeClaims"]), {}
    for claim in live["claims"]:
        manifest = next(m for m in left if _is_of(m, claim))
        left.remove(manifest)
        by_pod |= dict.fromkeys(claim["pods"], manifest)
    return by_pod


def _is_of(manifest: Manifest, claim: Manifest) -> bool:
    spec, known = manifest["spec"], [row["key"] for row in claim["requirements"]]
    rows = [row for row in spec["requirements"] if row["key"] in known]
    return spec["resources"]["requests"] == claim["requests"] and rows == claim["requirements"]


def live_of(objects: Sequence[Manifest], plan: Plan) -> LiveCluster:
    shares = [share for node in (*plan.nodes,) for share in node.pods] + [s for node in plan.existing for s in node.pods]
    return LiveCluster.read(objects, Cluster.read(objects, registry=AWS), {share.workload for share in shares})


def plan_of_cluster(name: str) -> Plan:
    """The nodes of a disruption scenario as if they had been planned: what there was before Karpenter acted."""
    scenario = scenario_of(name)
    types = {t.name: t for pool in recordings()[name]["scenario"]["nodePools"] for t in scenario.types_of(_name(pool))}
    cluster = LiveCluster.read(scenario.objects, scenario.cluster, ())
    return Plan("kwok", tuple(_as_planned(node, types) for node in cluster.nodes), karpenter="1.14.1")


def _as_planned(node: LiveNode, types: Mapping[str, InstanceType]) -> PlannedNode:
    allocatable = types[node.instance_type].allocatable(None)
    return PlannedNode(
        node_pool=node.node_pool,
        count=1,
        instance_type=node.instance_type,
        certainty=DETERMINED,
        capacity_type=node.capacity_type,
        capacity_types=(node.capacity_type,),
        zones=(node.zone,),
        price=None,
        requests={},
        allocatable=allocatable,
        pods=tuple(PodShare(workload, count) for workload, count in node.pods.items()),
        candidates=(CandidateType(node.instance_type, None, node.capacity_type, (node.zone,)),),
        requirements=(),
    )


def objects_afterwards(name: str) -> list[Manifest]:
    """The cluster of a disruption scenario after what Karpenter did: ended nodes are removed, their pods are on others."""
    scenario, live = (recordings()[name][part] for part in ("scenario", "live"))
    ended = {node["Node"]["name"] for command in live["acted"] for node in command["disrupted-nodes"]}
    ended |= {node["NodeClaim"]["name"] for command in live["acted"] for node in command["disrupted-nodes"]}
    launched = [_launched(line) for line in live["log"] if line["message"] == "launched nodeclaim"]
    new = iter(claim for claim in launched)
    objects = [o for o in scenario["objects"] if o["kind"] != "Pod" and _name(o) not in ended]
    objects += [*scenario["nodePools"], *launched, *(node for claim in launched if (node := _node(claim)))]
    for pod in (o for o in scenario["objects"] if o["kind"] == "Pod"):
        if pod["spec"].get("nodeName") in ended:
            claim = next(new)
            moved = {**pod["metadata"], "creationTimestamp": claim["metadata"]["creationTimestamp"]}
            pod = {**pod, "metadata": moved, "spec": {**pod["spec"], "nodeName": _name(claim)}}
        objects.append(pod)
    return objects


def log_of(name: str) -> str:
    return "\n".join(json.dumps(line) for line in recordings()[name]["live"]["log"])


def _launched(line: Manifest) -> Manifest:
    """The NodeClaim of a line on its launch."""
    at = f"{line['time'][:19]}Z"
    labels = {
        "karpenter.sh/nodepool": line["NodeClaim"]["name"].rpartition("-")[0],
        "node.kubernetes.io/instance-type": line["instance-type"],
        "karpenter.sh/capacity-type": line["capacity-type"],
        "topology.kubernetes.io/zone": line["zone"],
    }
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": line["NodeClaim"]["name"], "labels": labels, "creationTimestamp": at},
        "spec": {},
        "status": {
            "providerID": line["provider-id"],
            "allocatable": line["allocatable"],
            "capacity": {},
            "conditions": [{"type": "Initialized", "status": "True", "lastTransitionTime": at}],
        },
    }


def _node(claim: Manifest) -> Manifest | None:
    """The Node that a launched claim becomes."""
    status = claim.get("status") or {}
    if not status.get("providerID"):
        return None
    joined = {"karpenter.sh/registered": "true", "karpenter.sh/initialized": "true"}
    labels = {**claim["metadata"]["labels"], NODEPOOL: claim["metadata"]["labels"][NODEPOOL], **joined}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": _name(claim), "labels": labels, "creationTimestamp": claim["metadata"]["creationTimestamp"]},
        "spec": {"providerID": status["providerID"]},
        "status": {"allocatable": status["allocatable"], "capacity": status["capacity"]},
    }


def _name(manifest: Manifest) -> str:
    return str(manifest["metadata"]["name"])


def _full_name(pod: Manifest) -> str:
    namespace = pod["metadata"].get("namespace", "default")
    return _name(pod) if namespace == "default" else f"{namespace}/{_name(pod)}"
