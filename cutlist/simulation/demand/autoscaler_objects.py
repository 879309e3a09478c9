"""HorizontalPodAutoscalers of the input as values that can be stepped, with the API server's defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cutlist.core.errors import Problems
from cutlist.core.quantity import MILLI, NANO, nanos
from cutlist.documents.document import Document
from cutlist.simulation.demand.autoscaling import (
    HorizontalAutoscaler,
    ScalingBehavior,
    ScalingPolicy,
    ScalingRules,
    SelectPolicy,
)
from cutlist.simulation.demand.replica_calculator import DEFAULT_TOLERANCE, Metric, MetricSource, MetricTarget, Tolerance
from cutlist.simulation.demand.valid_objects import valid_objects
from cutlist.simulation.events import SECOND
from cutlist.workloads.groups import workload_name
from cutlist.workloads.written import namespace_of, pod_spec_path, value_at, workload_of

Manifest = Mapping[str, Any]

HORIZONTAL: Final = "HorizontalPodAutoscaler"
_UTILIZATION: Final = 80
_CPU: Final = "cpu"
_SOURCES: Final = {
    MetricSource.RESOURCE: "resource",
    MetricSource.CONTAINER_RESOURCE: "containerResource",
    MetricSource.PODS: "pods",
    MetricSource.OBJECT: "object",
    MetricSource.EXTERNAL: "external",
}
_DEFAULTS: Final = ScalingBehavior()


def autoscalers_of(documents: Iterable[Document], problems: Problems) -> tuple[HorizontalAutoscaler, ...]:
    """Return the autoscalers of the input, in their order; utilization is of what their workloads' pods request.

    What the API server refuses of an autoscaler is added to `problems`.
    """
    every = tuple(documents)
    pods = {workload_of(document): value_at(document.data, pod_spec_path(document.kind)) for document in every}
    autoscalers = (_autoscaler(document, pods, problems) for document in valid_objects(every, HORIZONTAL, problems))
    return tuple(autoscaler for autoscaler in autoscalers if autoscaler is not None)


def target_of(document: Document) -> str | None:
    """Return the workload that an autoscaler scales, or None where its object does not say."""
    kind, name = (value_at(document.data, ("spec", "scaleTargetRef", key)) for key in ("kind", "name"))
    is_named = isinstance(kind, str) and isinstance(name, str)
    return workload_name(kind, namespace_of(document), name) if is_named else None


def _autoscaler(document: Document, pods: Mapping[str, Any], problems: Problems) -> HorizontalAutoscaler | None:
    """Return an autoscaler; one from a snapshot may lack fields, which is a problem here."""
    try:
        spec = document.data["spec"]
        target = spec["scaleTargetRef"]
        workload = workload_name(target["kind"], namespace_of(document), target["name"])
        return autoscaler_of(spec, workload, pods.get(workload) or {})
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problems.add(document.at("spec"), f"is not a whole autoscaler: {error}")
        return None


def autoscaler_of(spec: Manifest, workload: str, pod: Manifest) -> HorizontalAutoscaler:
    """Return the autoscaler of a valid spec of autoscaling/v1 or v2, for a workload with pods of a spec."""
    least = spec.get("minReplicas")
    behavior = spec.get("behavior")
    return HorizontalAutoscaler(
        workload,
        1 if least is None else least,
        spec["maxReplicas"],
        tuple(_metric(metric, pod) for metric in _metrics(spec)),
        None if behavior is None else _behavior(behavior),
        DEFAULT_TOLERANCE if behavior is None else _tolerance(behavior),
    )


def _metrics(spec: Manifest) -> list[Manifest]:
    """Return the metrics of a spec: without any, 80% of the CPU that is requested."""
    if spec.get("metrics"):
        return list(spec["metrics"])
    share = spec.get("targetCPUUtilizationPercentage") or _UTILIZATION
    return [{"type": "Resource", "resource": {"name": _CPU, "target": {"type": "Utilization", "averageUtilization": share}}}]


def _metric(metric: Manifest, pod: Manifest) -> Metric:
    source = MetricSource(metric["type"])
    of_source = metric[_SOURCES[source]]
    target, container = of_source["target"], of_source.get("container") or ""
    name = of_source["name"] if "name" in of_source else of_source["metric"]["name"]
    request = _request(pod, container, name)
    # Where both are written, the value wins, as in the controller.
    if source.is_of_pods and target.get("averageValue") is None and target.get("averageUtilization") is not None:
        return Metric(source, name, MetricTarget.UTILIZATION, target["averageUtilization"], container, request)
    if _is_average(source, target):
        return Metric(source, name, MetricTarget.AVERAGE_VALUE, _thousandths(target["averageValue"]), container, request)
    return Metric(source, name, MetricTarget.VALUE, _thousandths(target["value"]), container, request)


def _is_average(source: MetricSource, target: Manifest) -> bool:
    """Tell whether a target is an average per pod: for an object metric by the type of its target, for others by its
    presence."""
    if source == MetricSource.OBJECT:
        return bool(target["type"] == MetricTarget.AVERAGE_VALUE)
    return target.get("averageValue") is not None


def _request(pod: Manifest, container: str, resource: str) -> int:
    """Return what a pod requests of a resource, in thousandths, or 0 if one of its containers requests none of it."""
    of_pod = (pod.get("resources") or {}).get("requests")
    # Resources of the pod as a whole come before those of its containers.
    if of_pod and not container:
        return _thousandths(of_pod[resource]) if resource in of_pod else 0
    sidecars = [c for c in pod.get("initContainers") or () if c.get("restartPolicy") == "Always"]
    amounts = [
        _of_container(c, resource)
        for c in (*(pod.get("containers") or ()), *sidecars)
        if not container or c.get("name") == container
    ]
    # One container without a request makes the utilization unknown: the controller reports an error.
    return sum(amounts) if all(amounts) else 0


def _of_container(container: Manifest, resource: str) -> int:
    resources = container.get("resources") or {}
    for part in ("requests", "limits"):
        if resource in (resources.get(part) or {}):
            return _thousandths(resources[part][resource])
    return 0


def _behavior(behavior: Manifest) -> ScalingBehavior:
    return ScalingBehavior(
        _rules(behavior.get("scaleUp"), _DEFAULTS.up),
        _rules(behavior.get("scaleDown"), _DEFAULTS.down),
    )


def _rules(written: Manifest | None, default: ScalingRules) -> ScalingRules:
    """Return the rules of a direction, with the default for each missing part (C-12)."""
    if written is None:
        return default
    window, policies, select = (written.get(k) for k in ("stabilizationWindowSeconds", "policies", "selectPolicy"))
    return ScalingRules(
        default.policies if policies is None else tuple(_policy(policy) for policy in policies),
        default.window if window is None else window * SECOND,
        default.select if select is None else SelectPolicy(select),
    )


def _policy(written: Manifest) -> ScalingPolicy:
    return ScalingPolicy(written["value"], written["periodSeconds"] * SECOND, written["type"] == "Percent")


def _tolerance(behavior: Manifest) -> Tolerance:
    down, up = (_share((behavior.get(direction) or {}).get("tolerance")) for direction in ("scaleDown", "scaleUp"))
    return Tolerance(DEFAULT_TOLERANCE.below if down is None else down, DEFAULT_TOLERANCE.above if up is None else up)


def _share(written: str | float | None) -> float | None:
    return None if written is None else nanos(written) / NANO


def _thousandths(written: str | int | float) -> int:
    """Return an amount in thousandths, rounded up as the controller does."""
    return -(-nanos(written) // MILLI)
