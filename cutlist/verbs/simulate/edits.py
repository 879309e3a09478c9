"""Files that are applied during a simulation, and what they change in NodePools, node classes and workloads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.api.nodepool_hash import HASH, HASH_VERSION, stored_template_hash
from cutlist.api.read import kind_of, read_objects
from cutlist.core.errors import Problems
from cutlist.disruption.drift_reason import Drift
from cutlist.disruption.edits import ObjectEdit, Reach, edits
from cutlist.documents.collecting import collect_documents
from cutlist.documents.document import Document, laid_over
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pool_types import node_classes_by_pool
from cutlist.providers.eks_auto import with_default_policies
from cutlist.simulation.demand.event_files import WrittenEvent
from cutlist.simulation.outside_events import ReplicasSet, TemplateChanged
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.read import read_workloads
from cutlist.workloads.written import value_at, workload_of

_POOL_KINDS: Final = frozenset({"NodePool", "EC2NodeClass", "NodeClass", "AKSNodeClass"})
_WORKLOAD_KINDS: Final = frozenset({"Deployment", "StatefulSet"})
_KINDS: Final = f"{', '.join(sorted(_POOL_KINDS | _WORKLOAD_KINDS))}"


@dataclass(frozen=True, slots=True)
class EditedInputs:
    """The inputs of a simulation with the NodePools and node classes as they are after an edit.

    `drifted` is the cloud's reason why earlier nodes of a NodePool no longer match it, `hashes` are the annotations of a
    NodePool's earlier NodeClaims; both by the name of the NodePool.
    """

    inputs: PlanInputs
    drifted: Mapping[str, str]
    hashes: Mapping[str, Mapping[str, str]]


def applied(inputs: PlanInputs, event: WrittenEvent, problems: Problems) -> PlanInputs:
    """Return the inputs once the files of an event are applied. Mistakes are added to `problems`."""
    before = len(problems.found)
    documents = collect_documents(event.files, problems)
    for document in documents:
        if document.kind not in _POOL_KINDS | _WORKLOAD_KINDS:
            problems.add(document.place, f"a {document.kind} cannot be applied during a simulation", _KINDS)
    if len(problems.found) > before:
        return inputs
    return _with_documents(inputs, laid_over(documents, inputs.documents), problems)


def without_pools(inputs: PlanInputs, names: Sequence[str], problems: Problems) -> PlanInputs:
    """Return the inputs once some NodePools are deleted."""
    documents = tuple(d for d in inputs.documents if d.kind != "NodePool" or d.name not in names)
    return _with_documents(inputs, documents, problems)


def edited(before: PlanInputs, after: PlanInputs, place: WrittenEvent, problems: Problems) -> EditedInputs:
    """Return the later inputs with the effects of the edit on NodePools: their hashes, and what drifts (spec: disruption
    7.1 to 7.4)."""
    version = after.options.karpenter.node_pool_hash
    pools = {pool.name: pool for pool in before.node_pools}
    for pool in after.node_pools:
        was = pools.get(pool.name)
        if was is not None and was.is_static != pool.is_static:
            problems.add(place.place("files"), f"NodePool {pool.name} cannot become static or dynamic", "another NodePool")
    hashes = {pool.name: {HASH: _hash(pool), HASH_VERSION: version} for pool in before.node_pools}
    stamped = tuple(_stamped(pool, {HASH: _hash(pool), HASH_VERSION: version}) for pool in after.node_pools)
    changed = edits(before.node_classes, after.node_classes)
    drifted = {pool.name: reason for pool in after.node_pools if (reason := _drift(pool, changed))}
    return EditedInputs(replace(after, node_pools=stamped), drifted, hashes)


def changed_workloads(before: PlanInputs, after: PlanInputs, at: int) -> Iterator[ReplicasSet | TemplateChanged]:
    """Yield how workloads change with an edit: their replicas, and their pods with another template."""
    old = {workload_of(d): d for d in before.documents if d.kind in _WORKLOAD_KINDS}
    groups = _groups(after)
    for document in after.documents:
        workload = workload_of(document)
        was, group = old.get(workload), groups.get(workload)
        if was is None or was is document or group is None:
            continue
        if value_at(was.data, ("spec", "template")) != value_at(document.data, ("spec", "template")):
            yield TemplateChanged(at, workload, str(at), group.pod)
        replicas = value_at(document.data, ("spec", "replicas"))
        if replicas is not None and replicas != value_at(was.data, ("spec", "replicas")):
            yield ReplicasSet(at, workload, replicas)


def new_workloads(before: PlanInputs, after: PlanInputs) -> list[Document]:
    """Return the objects of workloads that an edit adds."""
    known = {workload_of(d) for d in before.documents if d.kind in _WORKLOAD_KINDS}
    return [d for d in after.documents if d.kind in _WORKLOAD_KINDS and workload_of(d) not in known]


def _with_documents(inputs: PlanInputs, documents: tuple[Document, ...], problems: Problems) -> PlanInputs:
    karpenter = inputs.options.karpenter
    objects = read_objects(documents, problems, karpenter, inputs.figures.controller.aws_gates(karpenter))
    written = {(d.kind, d.name) for d in inputs.documents}
    elsewhere = [c for c in inputs.node_classes if (kind_of(c), c.name) not in written]
    built_in = [pool for pool in inputs.node_pools if (pool.KIND, pool.name) not in written]
    classes = sorted((*objects.node_classes, *objects.aks_node_classes, *elsewhere), key=lambda c: c.name)
    pools = sorted((*objects.node_pools, *built_in), key=lambda p: p.name)
    known = {(kind_of(c), c.name) for c in classes}
    for pool in objects.node_pools:
        ref = pool.node_class_ref
        if (ref.kind, ref.name) not in known and not node_classes_by_pool([pool], classes):
            problems.add(pool.at("spec.template.spec.nodeClassRef"), f"{ref.kind} {ref.name} is not in the input")
    stored = with_default_policies(pools, inputs.figures.eks_version)
    return replace(inputs, node_pools=stored, node_classes=tuple(classes), documents=documents)


def _groups(inputs: PlanInputs) -> Mapping[str, PodGroup]:
    """Return the workloads of the documents by name."""
    workloads = read_workloads((d for d in inputs.documents if d.kind in _WORKLOAD_KINDS), Problems())
    return {group.workload: group for group in workloads.groups}


def _hash(pool: NodePool) -> str:
    return stored_template_hash(pool.stored()["spec"]["template"])


def _stamped(pool: NodePool, hashes: Mapping[str, str]) -> NodePool:
    manifest = pool.manifest()
    metadata = {**manifest["metadata"], "annotations": {**(manifest["metadata"].get("annotations") or {}), **hashes}}
    return NodePool.from_manifest({**manifest, "metadata": metadata})


def _drift(pool: NodePool, changed: Sequence[ObjectEdit]) -> str:
    """Return the cloud's reason why nodes of a NodePool drift because of its class, or an empty string.

    Other terms for images are assumed to find another image; other terms for subnets and security groups, the same ones.
    """
    ref = pool.node_class_ref
    for edit in changed:
        if (edit.kind, edit.name) == (ref.kind, ref.name):
            if any(member.reach is Reach.ALL for member in edit.members):
                return Drift.NODE_CLASS
            if any(member.rule == Drift.AMI for member in edit.members):
                return Drift.AMI
    return ""
