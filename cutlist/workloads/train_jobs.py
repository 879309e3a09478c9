"""Pods of Kubeflow Trainer's TrainJob: those of the JobSet in its runtime, with the job's number of trainers. That number is
the job's, else the runtime's, else one. Each resource that the job sets replaces the runtime's (kubeflow/trainer,
`pkg/runtime/core/trainingruntime.go` of 2026-08-21).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from cutlist.core.shapes import Report
from cutlist.documents.document import Document
from cutlist.workloads.controllers import Controller
from cutlist.workloads.kinds import Kind, kind_of
from cutlist.workloads.operators import OPERATORS
from cutlist.workloads.owners import key_of
from cutlist.workloads.pod_sets import controllers_of, number_of_pods, value_at

Manifest = Mapping[str, Any]
Runtimes = Mapping[tuple[str, str, str], Manifest]

GROUP: Final = "trainer.kubeflow.org"
TRAIN_JOB: Final[Kind] = (GROUP, "TrainJob")
RUNTIME: Final = "TrainingRuntime"
CLUSTER_RUNTIME: Final = "ClusterTrainingRuntime"
RUNTIMES: Final = frozenset({(GROUP, RUNTIME), (GROUP, CLUSTER_RUNTIME)})
REMARK: Final = "planned with all jobs of its runtime at once"

_ANCESTOR: Final = "metadata.labels['trainer.kubeflow.org/trainjob-ancestor-step']"
_TRAINER: Final = "trainer"
_INITIALIZERS: Final = ("dataset-initializer", "model-initializer")
_NODE: Final = "node"
_PATCHES: Final = ("runtimePatches", "podTemplateOverrides", "podSpecOverrides")
_JOB_SET: Final = next(row for row in OPERATORS if row.kind == "JobSet")


def runtimes_of(documents: Iterable[Document]) -> Runtimes:
    """Return the runtimes among documents by kind, namespace (empty for those of the cluster) and name."""
    runtimes = {}
    for document in documents:
        if kind_of(document.data) in RUNTIMES and isinstance(document.data.get("metadata"), Mapping):
            namespace, kind, name = key_of(document.data)
            runtimes[kind, "" if kind == CLUSTER_RUNTIME else namespace, name] = document.data
    return runtimes


def train_controllers(document: Document, runtimes: Runtimes, report: Report) -> list[Controller]:
    """Return the sets of pods of a TrainJob, one for each job of its runtime; none if these leave some open."""
    spec = document.data.get("spec")
    runtime = runtimes.get(runtime_of(document)) if isinstance(spec, Mapping) else None
    if not isinstance(spec, Mapping) or runtime is None or any(spec.get(name) for name in _PATCHES):
        return []
    written = value_at(spec, "trainer.numNodes")
    number = number_of_pods(written, "spec.trainer.numNodes", report)
    if number is None and written is not None:
        return []
    jobs = value_at(runtime, "spec.template.spec.replicatedJobs")
    if not isinstance(jobs, list) or not all(isinstance(job, Mapping) for job in jobs):
        return []
    policy = value_at(runtime, "spec.mlPolicy")
    replicated = [_job(job, spec, policy if isinstance(policy, Mapping) else None) for job in jobs]
    job_set = replace(document, data={**document.data, "spec": {"suspend": spec.get("suspend"), "replicatedJobs": replicated}})
    return [controller for controller, _ in controllers_of(job_set, _JOB_SET, lambda *_: None, report)]


def runtime_of(document: Document) -> tuple[str, str, str]:
    """Return kind, namespace and name of the runtime that a TrainJob refers to; empty texts for other objects."""
    if kind_of(document.data) != TRAIN_JOB:
        return "", "", ""
    reference = value_at(document.data, "spec.runtimeRef")
    kind = str(value_at(reference, "kind") or CLUSTER_RUNTIME)
    namespace = value_at(document.data, "metadata.namespace") or "default"
    return kind, "" if kind == CLUSTER_RUNTIME else str(namespace), str(value_at(reference, "name") or "")


def _job(job: Manifest, spec: Manifest, policy: Manifest | None) -> dict[str, Any]:
    """Return a job of the runtime with the TrainJob's number of pods and requests."""
    step, name = value_at(job, f"template.{_ANCESTOR}"), job.get("name")
    mpi = value_at(policy, "mpi")
    is_launched = isinstance(mpi, Mapping)
    runs_on_launcher = is_launched and value_at(mpi, "runLauncherAsNode") is True
    template = value_at(job, "template.spec.template")
    if (step == _TRAINER and policy is not None) or (runs_on_launcher and name == _NODE):
        template = _with_resources(template, value_at(spec, "trainer.resourcesPerNode"))
    count = value_at(job, "template.spec.parallelism")
    number = value_at(spec, "trainer.numNodes")
    if step == _TRAINER and policy is not None:
        count = value_at(policy, "numNodes") or 1
    if number is not None and (name == _NODE if is_launched else step == _TRAINER):
        count = max(number - 1, 1) if runs_on_launcher else number
    replicas = 1 if step in (_TRAINER, *_INITIALIZERS) else job.get("replicas")
    return {"name": name, "replicas": replicas, "template": {"spec": {"parallelism": count, "template": template}}}


def _with_resources(template: Any, resources: Any) -> Any:
    """Return a pod template in whose container `node` a TrainJob's resources replace its own."""
    containers = value_at(template, "spec.containers")
    if not isinstance(resources, Mapping) or not isinstance(containers, list):
        return template
    changed = [
        {**c, "resources": _merged(c.get("resources"), resources)} if isinstance(c, Mapping) and c.get("name") == _NODE else c
        for c in containers
    ]
    return {**template, "spec": {**template["spec"], "containers": changed}}


def _merged(written: Any, resources: Manifest) -> Manifest:
    base: Manifest = written if isinstance(written, Mapping) else {}
    amounts = {
        name: {**(base.get(name) or {}), **(resources.get(name) or {})}
        for name in ("requests", "limits")
        if isinstance(base.get(name) or {}, Mapping) and isinstance(resources.get(name) or {}, Mapping)
    }
    return {**base, **amounts}
