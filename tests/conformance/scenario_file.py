"""Scenario files of scheduling, read: what a pass is run on."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cutlist
from cutlist import NodePool
from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.instants import instant
from cutlist.core.karpenter.baselines import Baseline, chosen_baseline
from cutlist.devices.inventory import DeviceInventory
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.capacitybuffers import read_buffers
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.scheduler_config import read_scheduler_config
from cutlist.state.cluster import Cluster
from cutlist.workloads.default_selectors import PodController, SelectorSources
from cutlist.workloads.objects import NAMESPACE_NAME
from cutlist.workloads.owners import daemon_pod
from cutlist.workloads.pods import Pod, SpreadConstraint
from cutlist.workloads.read_pod import read_pod
from tests.conformance.lookup import find_file
from tests.conformance.provisionable import is_provisionable
from tests.conformance.scenario_types import Registered, inline_types, registry_of, type_file

NODE_CLASS = {"group": "example.com", "kind": "ExampleNodeClass", "name": "default"}
RECORDED_FIRST = "1.14.1"
"""The Karpenter of scenarios that name none."""
KNOWN_CLASSES = {
    ("example.com", "ExampleNodeClass"),
    ("karpenter.k8s.aws", "EC2NodeClass"),
    ("eks.amazonaws.com", "NodeClass"),
    ("karpenter.kwok.sh", "KWOKNodeClass"),
    ("karpenter.azure.com", "AKSNodeClass"),
    ("karpenter.test.sh", "TestNodeClass"),
}


class NotBuiltError(Exception):
    """The scenario uses something that Cutlist does not plan."""


class StartError(Exception):
    """A mistake in the settings, with which Karpenter ends at its start."""


UNSCHEDULABLE = {
    "phase": "Pending",
    "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}],
}


class Scenario:
    """A scenario file, read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.raw: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
        self.karpenter = baseline_of_scenario(self.raw)
        self.registry = registry_of(self.raw, path)
        without_claims = self.raw.get("generateClaims") is False
        pods = [*map(without_made_claims, self.raw.get("pods", []))] if without_claims else self.raw.get("pods", [])
        self.entries = [pod for entry in with_uids(pods) for pod in apart(*entry)]
        self.objects = [stored(i, o) for i, o in enumerate(self.raw.get("objects", []))]
        self.devices = DeviceInventory.of(device_objects(self.raw), self.registry)
        self.pending = [entry for entry in self.entries if is_provisionable(entry[1])]
        self.now = instant(self.raw.get("now")) or instant("2026-01-01T00:00:00Z") or 0
        bound = ({**pod, "kind": "Pod"} for _, pod in self.entries if not is_provisionable(pod))
        self.there = [*self.objects, *bound]
        self.cluster = Cluster.read(
            self.there,
            marked=self.raw.get("markedForDeletion") or (),
            now=self.now,
            registry=self.registry,
        )
        gates = (self.raw.get("options") or {}).get("featureGates") or {}
        self.buffers = read_buffers(*_buffers(self.raw.get("objects", []))) if gates.get("capacityBuffer") else ()

    def inputs(self) -> SchedulerInputs:
        """Return what a pass is run on."""
        options = self.raw.get("options") or {}
        pools = [NodePool.from_manifest(with_class(p), self.karpenter) for p in self.raw["nodePools"]]
        pools = [p for p in pools if (p.node_class_ref.group, p.node_class_ref.kind) in KNOWN_CLASSES]
        pending = [self.batch(count, pod) for count, pod in self.pending]
        moving = [
            PodBatch(p.name, p.pod, created=int(p.created or self.now), uid=p.uid, controller=p.controller)
            for p in self.cluster.moving
        ]
        batches = [*pending, *(b.batch for b in self.buffers), *moving]
        gates = options.get("featureGates") or {}
        return SchedulerInputs(
            pools=pools,
            types={p.name: self.types_of(p.name) for p in pools},
            batches=batches,
            daemons=self.daemons(),
            registry=self.registry,
            options=SchedulerOptions(
                karpenter=self.karpenter,
                respect_preferences=options.get("preferencePolicy", "Respect") == "Respect",
                strict_min_values=options.get("minValuesPolicy", "Strict") == "Strict",
                reserved_capacity=gates.get("reservedCapacity", True),
                node_overlay=gates.get("nodeOverlay", False),
                default_spread=default_spread(options.get("schedulerConfig")),
                ignore_dra_requests=options.get("ignoreDRARequests", True),
            ),
            overlays=[NodeOverlay.of(cutlist.NodeOverlay.from_manifest(o)) for o in self.objects if o["kind"] == "NodeOverlay"],
            namespaces=self.namespaces(),
            selectors=SelectorSources.of(self.objects),
            nodes=self.cluster.nodes,
            bound=self.cluster.bound,
            volumes={i: self.cluster.storage.of_pod(b.pod, b.name, self.registry) for i, b in enumerate(batches)},
            moving=frozenset(range(len(batches) - len(moving), len(batches))),
            devices=self.devices,
            leaving=frozenset(p.uid for p in self.cluster.moving),
        )

    def namespaces(self) -> dict[str, dict[str, str]]:
        """Return labels by namespace, also of those that are used and not given."""
        labels = {o["metadata"]["name"]: o["metadata"].get("labels") or {} for o in self.objects if o["kind"] == "Namespace"}
        used = [p["metadata"].get("namespace") for p in (*self.objects, *(pod for _, pod in self.entries))]
        return {n: {**labels.get(n, {}), NAMESPACE_NAME: n} for n in dict.fromkeys([*labels, *filter(None, used), "default"])}

    def daemons(self) -> list[Pod]:
        """Return a pod of each DaemonSet."""
        pods = [o for o in self.there if o["kind"] == "Pod"]
        return [daemon_pod(o, template_pod(o), pods) for o in self.objects if o["kind"] == "DaemonSet"]

    def types_of(self, pool: str) -> tuple[InstanceType, ...]:
        named = (self.raw.get("instanceTypesByNodePool") or {}).get(pool, self.raw.get("instanceTypes", []))
        if isinstance(named, str):
            return type_file(str(find_file(self.path, named)), Registered(self.registry))
        return inline_types(json.dumps(named, sort_keys=True), Registered(self.registry))

    def batch(self, count: int | None, pod: Mapping[str, Any]) -> PodBatch:
        metadata = pod["metadata"]
        return PodBatch(
            name=metadata.get("name", ""),
            pod=read_pod(pod),
            count=1 if count is None else count,
            created=int(instant(metadata.get("creationTimestamp")) or self.now),
            uid=metadata["uid"],
            controller=PodController.of(pod),
        )


def with_class(pool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a NodePool with the NodeClass that scenarios leave out."""
    spec = {
        k: v for k, v in pool["spec"].items() if (k, v) != ("weight", 0)
    }  # the API server takes no 0, Karpenter's code does
    template = dict(spec.get("template") or {})
    template["spec"] = {"nodeClassRef": NODE_CLASS, "requirements": [], **(template.get("spec") or {})}
    return {**pool, "spec": {**spec, "template": template}}


def with_uids(entries: list[dict[str, Any]]) -> list[tuple[int | None, dict[str, Any]]]:
    """Counts and pods, each as the API server stores it: UIDs ascend with the place of a pod among all."""
    out, before = [], 0
    for entry in entries:
        count, pod = entry.get("count"), entry["pod"]
        uid = f"00000000-0000-4000-8000-{before:012d}"
        status = pod.get("status") or {}
        status = {**UNSCHEDULABLE, **status, "conditions": status.get("conditions") or UNSCHEDULABLE["conditions"]}
        out.append((count, {**pod, "metadata": {"uid": uid, **(pod.get("metadata") or {})}, "status": status}))
        before += 1 if count is None else count
    return out


def apart(count: int | None, pod: dict[str, Any]) -> list[tuple[int | None, dict[str, Any]]]:
    """Return pods with volumes of their own are not alike."""
    if count is None or not any(volume.get("ephemeral") for volume in pod["spec"].get("volumes") or ()):
        return [(count, pod)]
    metadata = pod["metadata"]
    start, first = metadata["uid"][:-12], int(metadata["uid"][-12:])
    own = [{**metadata, "name": f"{metadata['name']}-{i}", "uid": f"{start}{first + i:012d}"} for i in range(count)]
    return [(None, {**pod, "metadata": m}) for m in own]


def device_objects(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the objects of dynamic resource allocation of a scenario, with their kinds."""
    kinds = ("DeviceClass", "ResourceSlice", "ResourceClaimTemplate", "ResourceClaim")
    plural = {kind: f"{kind[0].lower()}{kind[1:]}{'es' if kind.endswith('s') else 's'}" for kind in kinds}
    return [{**o, "kind": kind} for kind in kinds for o in raw.get(plural[kind]) or ()]


def without_made_claims(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a pod for which no claims are made from templates: it has only those that its status names."""
    pod = entry["pod"]
    made = {m["name"] for m in (pod.get("status") or {}).get("resourceClaimStatuses") or ()}
    claims = [c for c in pod["spec"].get("resourceClaims") or () if c.get("resourceClaimName") or c["name"] in made]
    return {**entry, "pod": {**pod, "spec": {**pod["spec"], "resourceClaims": claims}}}


def stored(index: int, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object as the API server stores it."""
    metadata = {"uid": f"00000000-0000-4000-9000-{index:012d}", **(manifest.get("metadata") or {})}
    return {**manifest, "metadata": metadata}


def template_pod(daemon_set: Mapping[str, Any]) -> Pod:
    """Return a DaemonSet's pod by its template; limits stand in for requests that are missing (S-11)."""
    template = daemon_set["spec"]["template"]
    spec = dict(template.get("spec") or {})
    for kind in ("containers", "initContainers"):
        if spec.get(kind):
            spec[kind] = [with_limits(c) for c in spec[kind]]
    metadata = {**(template.get("metadata") or {}), "namespace": daemon_set["metadata"].get("namespace", "default")}
    return read_pod({"metadata": metadata, "spec": spec})


def with_limits(container: Mapping[str, Any]) -> dict[str, Any]:
    resources = container.get("resources") or {}
    return {
        **container,
        "resources": {**resources, "requests": {**(resources.get("limits") or {}), **(resources.get("requests") or {})}},
    }


def default_spread(config: object) -> tuple[SpreadConstraint, ...]:
    """Return the default constraints of a scenario. Raises StartError for a configuration that Karpenter refuses."""
    try:
        return read_scheduler_config(config, Place(path="schedulerConfig"))
    except InputError as error:
        raise StartError(error.problems[0].message) from None


def baseline_of_scenario(raw: Mapping[str, Any]) -> Baseline:
    """Return the Karpenter that a scenario asks; one that names none asks 1.14.1. Raises InputError for an unknown one."""
    problems = Problems()
    baseline, _ = chosen_baseline(raw.get("karpenter", RECORDED_FIRST), Place(path="karpenter"), problems)
    problems.raise_if_any()
    return baseline


def _buffers(objects: list[dict[str, Any]]) -> tuple[list[cutlist.CapacityBuffer], list[dict[str, Any]]]:
    """Return the CapacityBuffers among objects, and all objects."""
    return [cutlist.CapacityBuffer.from_manifest(o) for o in objects if o["kind"] == "CapacityBuffer"], objects
