"""Kinds of operators whose pods follow from rules that a row of the table cannot express: Flink, Strimzi's Kafka, KServe, and
workflows of steps. An object is counted completely or not at all: if it leaves some of its pods open, it is only named.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.core.shapes import Report, shown
from cutlist.workloads.kinds import Kind
from cutlist.workloads.pod_sets import number_of_pods, value_at
from cutlist.workloads.ruled_pods import PLACING, PodsOf, RuledKind
from cutlist.workloads.step_kinds import argo_cron_pods, argo_pods, tekton_pipeline_pods, tekton_task_pods

Manifest = Mapping[str, Any]
_MAIN: Final = "flink-main-container"
_SIZE: Final = re.compile(r"([0-9]+)\s*(b|bytes|k|kb|ki|m|mb|mi|g|gb|gi|t|tb|ti)?", re.IGNORECASE)
_BYTES: Final = {"b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_PLACED_BY_SETTING: Final = re.compile(r"kubernetes\..*(node-selector|tolerations|affinity|pod-template)")
_OTHER_PODS: Final = ("cruiseControl", "kafkaExporter", "zookeeper", "jmxTrans", "kafka.replicas")


def _flink(spec: Manifest, report: Report) -> Iterator[PodsOf | None]:
    """Yield the job managers, and the task managers that are written or that the job's parallelism needs. Both have the
    resources of their role; a session cluster starts task managers when jobs arrive.
    """
    configuration = spec.get("flinkConfiguration") or {}
    if not isinstance(configuration, Mapping) or any(map(_PLACED_BY_SETTING.match, map(str, configuration))):
        yield None
        return
    suspended = value_at(spec, "job.state") == "suspended"
    managers = _whole(spec, "jobManager.replicas", report)
    yield _flink_pods(spec, "jobManager", 1 if managers is None else managers, suspended, report)
    tasks = _whole(spec, "taskManager.replicas", report)
    if tasks is None:
        parallelism = _whole(spec, "job.parallelism", report)
        slots = str(configuration.get("taskmanager.numberOfTaskSlots", "1"))
        tasks = math.ceil(parallelism / int(slots)) if parallelism and slots.isdecimal() and int(slots) else None
    yield None if tasks is None else _flink_pods(spec, "taskManager", tasks, suspended, report)


def _flink_pods(spec: Manifest, role: str, count: int, suspended: bool, report: Report) -> PodsOf | None:
    templates = [t for t in (value_at(spec, "podTemplate"), value_at(spec, f"{role}.podTemplate")) if t is not None]
    cpu, memory = (value_at(spec, f"{role}.resource.{name}") for name in ("cpu", "memory"))
    if len(templates) > 1 or cpu is None or memory is None:
        return None
    match = _SIZE.fullmatch(str(memory).strip())
    if match is None:
        report.add(f"spec.{role}.resource.memory", f"{shown(memory)} is not a size of Flink's", "one such as 2048m or 2g")
        return None
    requests = {"cpu": str(cpu), "memory": str(int(match[1]) * _BYTES[(match[2] or "b")[0].lower()])}
    pod = (value_at(templates[0], "spec") or {}) if templates else {}
    containers = value_at(pod, "containers") or []
    if not isinstance(pod, Mapping) or not isinstance(containers, list) or not all(isinstance(c, Mapping) for c in containers):
        return None
    main = {"name": _MAIN, "resources": {"requests": requests}}
    others = [c for c in containers if c.get("name") != _MAIN]
    return PodsOf(role.lower(), count, {**pod, "containers": [main, *others]}, f"spec.{role}", suspended)


def _kafka(spec: Manifest, _report: Report) -> Iterator[PodsOf | None]:
    """Yield the pod of the entity operator. Brokers come from KafkaNodePools; other pods are unknown."""
    operator = spec.get("entityOperator")
    if any(value_at(spec, path) is not None for path in _OTHER_PODS) or not isinstance(operator, Mapping):
        yield None
        return
    parts = {name: operator[name] for name in ("topicOperator", "userOperator") if isinstance(operator.get(name), Mapping)}
    template = value_at(operator, "template.pod") or {}
    containers = [{"name": name.lower(), "resources": part.get("resources") or {}} for name, part in parts.items()]
    placing = {name: template[name] for name in PLACING if isinstance(template, Mapping) and template.get(name) is not None}
    yield PodsOf("entity-operator", 1, {**placing, "containers": containers}, "spec.entityOperator") if containers else None


def _kserve(spec: Manifest, report: Report) -> Iterator[PodsOf | None]:
    """Yield the pods of predictor, transformer and explainer, if their model or containers write resources."""
    for role in ("predictor", "transformer", "explainer"):
        part = spec.get(role)
        if part is None and role != "predictor":
            continue
        yield _kserve_pods(role, part, report) if isinstance(part, Mapping) else None


def _kserve_pods(role: str, part: Manifest, report: Report) -> PodsOf | None:
    model = value_at(part, "model.resources")
    written = part.get("containers") or []
    if part.get("workerSpec") is not None or not isinstance(written, list):
        return None
    if part.get("model") is not None and model is None:
        return None
    if part.get("model") is None and not (written and all(value_at(c, "resources") for c in written)):
        return None
    count = _whole({role: part}, f"{role}.minReplicas", report)
    main = [] if model is None else [{"name": "main", "resources": model}]
    named = [{"name": f"container-{i}", **c} if isinstance(c, Mapping) else c for i, c in enumerate(written)]
    placing = {name: part[name] for name in PLACING if part.get(name) is not None}
    return PodsOf(role, 1 if count is None else count, {**placing, "containers": [*main, *named]}, f"spec.{role}")


def _whole(spec: Manifest, path: str, report: Report) -> int | None:
    return number_of_pods(value_at(spec, path), f"spec.{path}", report)


_STEPS: Final = "planned at the steps that run together and request the most, without the containers that"
RULED_KINDS: Final[Mapping[Kind, RuledKind]] = {
    ("argoproj.io", "Workflow"): RuledKind(argo_pods, f"{_STEPS} Argo adds", ended="status.finishedAt"),
    ("argoproj.io", "CronWorkflow"): RuledKind(argo_cron_pods, f"{_STEPS} Argo adds"),
    ("tekton.dev", "TaskRun"): RuledKind(tekton_task_pods, f"{_STEPS} Tekton adds", ended="status.completionTime"),
    ("tekton.dev", "PipelineRun"): RuledKind(tekton_pipeline_pods, f"{_STEPS} Tekton adds", ended="status.completionTime"),
    ("flink.apache.org", "FlinkDeployment"): RuledKind(
        _flink,
        "planned with the task managers that are written or that the job's parallelism needs; a job may ask for more",
    ),
    ("kafka.strimzi.io", "Kafka"): RuledKind(_kafka, "its entity operator is planned, its brokers are those of KafkaNodePools"),
    ("serving.kserve.io", "InferenceService"): RuledKind(
        _kserve, "planned at its least number of replicas, and requests may bring more pods"
    ),
}
