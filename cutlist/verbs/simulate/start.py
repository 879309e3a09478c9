"""The cluster with which a simulation starts: that of the inputs, once what they plan has happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from cutlist.disruption.feature_gates import FeatureGates
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pass_inputs import pass_inputs
from cutlist.planning.planned_cluster import with_plan
from cutlist.simulation.inputs import SimulationInputs
from cutlist.simulation.pods import key_of, stays_with_node
from cutlist.state.pods import RunningPod
from cutlist.verbs.cluster_state import cluster_state_of
from cutlist.verbs.plan.answer import plan
from cutlist.workloads.default_selectors import SelectorSources
from cutlist.workloads.groups import PodGroup, workload_name
from cutlist.workloads.owners import Owners, owner_of
from cutlist.workloads.written import value_at, workload_of

_SETTLED: Final = 3600.0
"""Number of seconds before the start at which nodes of a plan are taken to have been launched."""


def cluster_at_start(inputs: PlanInputs, start: float, gates: FeatureGates) -> SimulationInputs:
    """Return the cluster of the inputs once their plan has happened and has settled."""
    names = {g.workload for g in inputs.workloads.groups}
    if inputs.workloads.groups or inputs.buffers or any(pool.replicas for pool in inputs.node_pools):
        inputs = with_plan(inputs, plan(inputs), start - _SETTLED)
    cluster = cluster_state_of(inputs, start, gates, allow_empty=True).overlaid()
    pods = [p for n in cluster.nodes for p in n.pods if not stays_with_node(p)]
    workloads = _workloads_of(inputs, pods, names)
    listed: dict[str, PodGroup] = {}
    ordinals = _first_ordinals(inputs)
    for group in (g for g in inputs.workloads.groups if g.kind != "Pod"):
        other = listed.setdefault(group.workload, replace(group, count=0, first=ordinals.get(group.workload, group.first)))
        listed[group.workload] = replace(other, count=other.count + group.count)
    unlisted = {name: _group_of(pod, name) for pod in pods if (name := workloads[key_of(pod)]) not in listed and pod.owners}
    predictions = pass_inputs(inputs).predictions
    return SimulationInputs(
        cluster=replace(cluster, pending=()),
        groups=(*listed.values(), *unlisted.values()),
        daemons=inputs.workloads.daemons,
        purchases=predictions.purchase,
        attach_limits=predictions.attach_limits,
        workload_of=workloads,
        selectors=SelectorSources.of(document.data for document in inputs.documents),
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


def _group_of(pod: RunningPod, workload: str) -> PodGroup:
    """Return the workload of a pod whose controller is not in the inputs."""
    kind, _, name = workload.removeprefix(f"{pod.pod.namespace}/").partition("/")
    return PodGroup(name, pod.pod.namespace, next(iter(sorted(pod.owners)), kind), 0, pod.pod, grace=pod.grace)
