"""The cluster with which a simulation starts: that of the inputs, once what they plan has happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from cutlist.disruption.feature_gates import FeatureGates
from cutlist.planning.gangs import without_unbound
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pass_inputs import pass_inputs
from cutlist.planning.planned_cluster import with_plan
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.pods import key_of, stays_with_node
from cutlist.state.pods import RunningPod
from cutlist.state.volumes import Storage
from cutlist.verbs.cluster_state import cluster_state_of
from cutlist.verbs.plan.answer import plan
from cutlist.workloads.default_selectors import SelectorSources
from cutlist.workloads.groups import PodGroup, workload_name
from cutlist.workloads.objects import IMMEDIATE, NO_PROVISIONER, WAIT_FOR_FIRST_CONSUMER
from cutlist.workloads.owners import Owners, owner_of
from cutlist.workloads.pods import Pod, Volume
from cutlist.workloads.read_pod import storage_request
from cutlist.workloads.written import value_at, workload_of

_SETTLED: Final = 3600.0
"""Number of seconds before the start at which nodes of a plan are taken to have been launched."""


def cluster_at_start(inputs: PlanInputs, start: float, gates: FeatureGates) -> SimulationInputs:
    """Return the cluster of the inputs once their plan has happened and has settled."""
    names = {g.workload for g in inputs.workloads.groups}
    if inputs.workloads.groups or inputs.buffers or any(pool.replicas for pool in inputs.node_pools):
        inputs = with_plan(inputs, without_unbound(plan(inputs)), start - _SETTLED)
    cluster = cluster_state_of(inputs, start, gates, allow_empty=True).overlaid()
    pods = [p for n in cluster.nodes for p in n.pods if not stays_with_node(p)]
    workloads = _workloads_of(inputs, pods, names)
    listed: dict[str, PodGroup] = {}
    ordinals = _first_ordinals(inputs)
    for group in (g for g in inputs.workloads.groups if g.kind != "Pod"):
        template = _with_claim_templates(group, cluster.storage)
        other = listed.setdefault(group.workload, replace(template, count=0, first=ordinals.get(group.workload, group.first)))
        listed[group.workload] = replace(other, count=other.count + group.count)
    unlisted = {
        name: _group_of(pod, name, cluster.storage)
        for pod in pods
        if (name := workloads[key_of(pod)]) not in listed and pod.owners
    }
    predictions = pass_inputs(inputs).predictions
    at_once = {c.name for c in inputs.cluster.storage.classes.values() if c.binding_mode == IMMEDIATE}
    return SimulationInputs(
        cluster=replace(cluster, pending=(), storage=_with_late_binding(cluster.storage)),
        groups=(*listed.values(), *unlisted.values()),
        at_once=frozenset(at_once),
        daemons=inputs.workloads.daemons,
        purchases=predictions.purchase,
        attach_limits=predictions.attach_limits,
        workload_of=workloads,
        selectors=SelectorSources.of(document.data for document in inputs.documents),
        gangs=inputs.workloads.gangs,
    )


def _workloads_of(inputs: PlanInputs, pods: Iterable[RunningPod], planned: Iterable[str]) -> Mapping[str, str]:
    """Return the workload of each pod by `namespace/name`: of planned ones by their uid, of others by their owner."""
    names = frozenset(planned)
    manifests = [d.data for d in inputs.documents]
    owners = Owners.of(m for m in manifests if m.get("kind") not in ("Pod", None) and isinstance(m.get("metadata"), dict))
    written = {
        f"{m['metadata'].get('namespace') or 'default'}/{m['metadata'].get('name')}": m
        for m in manifests
        if m.get("kind") == "Pod"
    }
    workloads = {}
    for pod in pods:
        name, manifest = pod.uid.rpartition("/")[0], written.get(key_of(pod))
        if name not in names:
            owner = owner_of(manifest) if manifest is not None else None
            topmost = owners.find(owner, pod.pod.labels) or owner
            namespace, kind, own = topmost or (pod.pod.namespace, "Pod", pod.name)
            name = workload_name(kind, namespace, own)
        workloads[key_of(pod)] = name
    return workloads


def _first_ordinals(inputs: PlanInputs) -> Mapping[str, int]:
    """Return the first ordinal of each StatefulSet: groups begin with the first pod that has no node."""
    sets = (document for document in inputs.documents if document.kind == "StatefulSet")
    return {workload_of(document): value_at(document.data, ("spec", "ordinals", "start")) or 0 for document in sets}


def _group_of(pod: RunningPod, workload: str, storage: Storage) -> PodGroup:
    """Return the workload of a pod whose controller is not in the inputs."""
    kind, _, name = workload.removeprefix(f"{pod.pod.namespace}/").partition("/")
    kind = next(iter(sorted(pod.owners)), kind)
    template = pod.pod if kind != "StatefulSet" else _claim_templates(pod.pod, pod.name, storage)
    return PodGroup(name, pod.pod.namespace, kind, 0, template, grace=pod.grace)


def _with_claim_templates(group: PodGroup, storage: Storage) -> PodGroup:
    """Return a group whose further pods have claims of their own: of a StatefulSet's pod whose claims exist, they are named."""
    if group.kind != "StatefulSet" or not group.pod.volumes:
        return group
    return replace(group, pod=_claim_templates(group.pod, group.pod_name(0), storage))


def _claim_templates(pod: Pod, name: str, storage: Storage) -> Pod:
    """Return the pod of a StatefulSet with claims that end with its name as the templates that they were made from (C-37)."""
    return replace(pod, volumes=tuple(_claim_template(v, pod.namespace, f"-{name}", storage) for v in pod.volumes))


def _claim_template(volume: Volume, namespace: str, end: str, storage: Storage) -> Volume:
    claim = storage.claims.get((namespace, volume.claim))
    if volume.belongs_to_pod or claim is None or not volume.claim.endswith(end):
        return volume
    size = storage_request(claim.raw.get("spec") or {})
    return Volume(volume.claim.removesuffix(end), storage_class=claim.storage_class, per_replica=True, storage=size)


def _with_late_binding(storage: Storage) -> Storage:
    """Return a storage whose classes make volumes where a pod runs, as plans assume: a run makes those of immediate binding
    itself."""
    classes = {
        name: c if c.provisioner == NO_PROVISIONER else replace(c, binding_mode=WAIT_FOR_FIRST_CONSUMER)
        for name, c in storage.classes.items()
    }
    return replace(storage, classes=classes)
