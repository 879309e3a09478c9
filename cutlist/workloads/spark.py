"""Pods of Spark applications: a driver and its executors, sized by Spark's own rules of cores, memory and memory overhead.

A pod requests the cores of its role, and its memory plus the JVM's overhead: a tenth of it (two fifths if Python or R run
beside the JVM), but at least 384 MiB, unless the overhead is given. `sparkConf` counts if the spec has no value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import nanos
from cutlist.core.shapes import Report, shown
from cutlist.documents.document import Document
from cutlist.workloads import check
from cutlist.workloads.controllers import Controller
from cutlist.workloads.pod_sets import number_of_pods

Manifest = Mapping[str, Any]

GROUP: Final = "sparkoperator.k8s.io"
KINDS: Final = {"SparkApplication": "spec", "ScheduledSparkApplication": "spec.template"}

_LEAST_OVERHEAD: Final = 384
_FACTORS: Final = {"Python": 0.4, "R": 0.4}
_FACTOR: Final = 0.1
_SIZE: Final = re.compile(r"([0-9]+)\s*(k|kb|m|mb|g|gb|t|tb|p|pb|b)?", re.IGNORECASE)
_MEBIBYTES: Final = {"b": 2**-20, "k": 2**-10, "m": 1, "g": 2**10, "t": 2**20, "p": 2**30}
_COPIED: Final = ("affinity", "tolerations", "priorityClassName", "initContainers", "hostNetwork")


def spark_controllers(document: Document, report: Report) -> list[Controller]:
    """Return the driver and the executors of an application; mistakes go to the report."""
    path = KINDS[document.kind]
    spec = document.data.get("spec")
    spec = spec.get("template") if isinstance(spec, Mapping) and document.kind == "ScheduledSparkApplication" else spec
    if not isinstance(spec, Mapping) or not isinstance(spec.get("driver"), Mapping):
        return []
    application = _Application(document, spec, path, report)
    return [c for c in (application.controller("driver", 1), application.controller("executor", application.executors())) if c]


class _Application:
    def __init__(self, document: Document, spec: Manifest, path: str, report: Report) -> None:
        self.document, self.spec, self.path, self.report = document, spec, path, report
        conf = spec.get("sparkConf")
        self.conf: Manifest = conf if isinstance(conf, Mapping) else {}

    def role(self, name: str) -> Manifest:
        """Return the part of the spec about the driver or the executors."""
        role = self.spec.get(name)
        return role if isinstance(role, Mapping) else {}

    def executors(self) -> int:
        """Return how many executors there are at the start; with dynamic allocation, the largest number among its settings."""
        dynamic = self.spec.get("dynamicAllocation")
        dynamic = dynamic if isinstance(dynamic, Mapping) and dynamic.get("enabled") else None
        is_dynamic = dynamic is not None or str(self.conf.get("spark.dynamicAllocation.enabled")).lower() == "true"
        instances = self._number("executor.instances", self.role("executor").get("instances"), "spark.executor.instances")
        if not is_dynamic:
            return 1 if instances is None else instances
        bounds = [instances]
        for member in ("initialExecutors", "minExecutors"):
            value = (dynamic or {}).get(member)
            bounds.append(self._number(f"dynamicAllocation.{member}", value, f"spark.dynamicAllocation.{member}"))
        return max((b for b in bounds if b is not None), default=0)

    def controller(self, role: str, count: int) -> Controller | None:
        """Return one role as a controller; None where it has mistakes."""
        before, settings = len(self.report.problems.found), self.role(role)
        requests = self._requests(role, settings)
        pod = settings.get("template") if isinstance(settings.get("template"), Mapping) else {}
        spec = dict(pod.get("spec") or {}) if isinstance(pod, Mapping) else {}
        containers = [c for c in spec.get("containers") or () if isinstance(c, Mapping)]
        main = {**(containers[0] if containers else {"name": f"spark-kubernetes-{role}"}), "resources": {"requests": requests}}
        sidecars = settings.get("sidecars")
        spec |= {name: settings[name] for name in _COPIED if settings.get(name) is not None}
        selector = {
            **_texts(spec.get("nodeSelector")),
            **_texts(self.spec.get("nodeSelector")),
            **_texts(settings.get("nodeSelector")),
        }
        spec |= {
            "containers": [main, *containers[1:], *(sidecars if isinstance(sidecars, list) else ())],
            "nodeSelector": selector,
        }
        metadata = self.document.data["metadata"]
        namespace, name = metadata.get("namespace") or "default", metadata.get("name") or metadata.get("generateName") or ""
        written = pod.get("metadata") if isinstance(pod, Mapping) else None
        own = {m: {**_texts((written or {}).get(m)), **_texts(settings.get(m))} for m in ("labels", "annotations")}
        own["labels"] |= {"spark-role": role, "sparkoperator.k8s.io/app-name": name}
        template = {"metadata": {**own, "namespace": namespace}, "spec": spec}
        check.template(template, f"{self.path}.{role}", self.report)
        if len(self.report.problems.found) > before:
            return None
        suspended = self.spec.get("suspend") is True or self.document.data["spec"].get("suspend") is True
        return Controller(self.document.kind, namespace, f"{name}-{role}", template, count, suspended)

    def _requests(self, role: str, settings: Manifest) -> dict[str, Any]:
        conf = self.conf
        cores = settings.get("coreRequest") or conf.get(f"spark.kubernetes.{role}.request.cores") or settings.get("cores")
        cores = cores or conf.get(f"spark.{role}.cores") or 1
        memory = self._mebibytes(role, "memory", settings.get("memory") or conf.get(f"spark.{role}.memory") or "1g")
        written_overhead = settings.get("memoryOverhead") or conf.get(f"spark.{role}.memoryOverhead")
        least = max(int(memory * self._factor(role)), _LEAST_OVERHEAD)
        overhead = self._mebibytes(role, "memoryOverhead", written_overhead) if written_overhead else least
        more = 0
        if role == "executor":
            if self.spec.get("type") == "Python" and conf.get("spark.executor.pyspark.memory"):
                more += self._mebibytes(role, "memory", conf["spark.executor.pyspark.memory"])
            if str(conf.get("spark.memory.offHeap.enabled")).lower() == "true":
                more += self._mebibytes(role, "memory", conf.get("spark.memory.offHeap.size") or "0", unit="b")
        requests = {"cpu": self._cores(role, cores), "memory": f"{memory + overhead + more}Mi"}
        gpu = settings.get("gpu")
        if isinstance(gpu, Mapping) and gpu.get("name"):
            requests[str(gpu["name"])] = str(gpu.get("quantity") or 1)
        return requests

    def _factor(self, role: str) -> float:
        written = self.spec.get("memoryOverheadFactor") or self.conf.get(f"spark.{role}.memoryOverheadFactor")
        written = written or self.conf.get("spark.kubernetes.memoryOverheadFactor")
        try:
            return float(written) if written else _FACTORS.get(str(self.spec.get("type")), _FACTOR)
        except (TypeError, ValueError):
            self.report.add(
                f"{self.path}.memoryOverheadFactor", f"{shown(written)} is not a number", "a part of one, such as 0.1"
            )
            return _FACTOR

    def _cores(self, role: str, cores: Any) -> str:
        try:
            nanos(str(cores))
        except QuantityError as error:
            self.report.add(f"{self.path}.{role}.cores", str(error))
            return "0"
        return str(cores)

    def _mebibytes(self, role: str, member: str, size: Any, unit: str = "m") -> int:
        """Return a size as Java writes it, in MiB: 512m are MiB, 2g GiB, and a bare number is in the given unit."""
        match = _SIZE.fullmatch(str(size).strip())
        if match is None:
            self.report.add(f"{self.path}.{role}.{member}", f"{shown(size)} is not a size of Spark's", "one such as 512m or 4g")
            return 0
        return int(int(match[1]) * _MEBIBYTES[(match[2] or unit)[0].lower()])

    def _number(self, path: str, value: Any, key: str) -> int | None:
        return number_of_pods(self.conf.get(key) if value is None else value, f"{self.path}.{path}", self.report)


def _texts(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}
