"""HorizontalPodAutoscalers: bounds, target, metrics and behaviour (W-79)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.quantity import nanos
from cutlist.core.shapes import shown
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.metadata import any_name
from cutlist.workloads.validation.refusals import Refusals, one_of
from cutlist.workloads.validation.resources import check_name

Manifest = Mapping[str, Any]

_SOURCES: Final = {
    "ContainerResource": "containerResource",
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
}
_TARGETS: Final = ("Utilization", "Value", "AverageValue")
_LONGEST_WINDOW: Final = 3600
_LONGEST_PERIOD: Final = 1800
_GROUPED: Final = re.compile(r"[^/]+/[^/]*")
_WITH_GROUP: Final = 34  # the first minor version that refuses targets without an API group
_TO_ZERO: Final = 37  # the first minor version that may scale to 0 by default
_OF_RESOURCES: Final = ("resource", "containerResource")


def check_autoscaler(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a HorizontalPodAutoscaler of autoscaling/v1 or v2."""
    spec = manifest.get("spec") or {}
    least, most = spec.get("minReplicas"), spec.get("maxReplicas") or 0
    metrics = spec.get("metrics") or ()
    lowest = 0 if refusals.minor >= _TO_ZERO else 1
    if least is not None and least < lowest:
        refusals.invalid("spec.minReplicas", least, f"must be greater than or equal to {lowest}")
    if least == 0 and not any(metric.get("type") in ("Object", "External") for metric in metrics):
        refusals.add("spec.metrics", "must have an Object or External metric, or minReplicas cannot be 0")
    if most < 1:
        refusals.invalid("spec.maxReplicas", most, "must be greater than 0")
    if most < (1 if least is None else least):
        refusals.invalid("spec.maxReplicas", most, "must be greater than or equal to minReplicas")
    target = spec.get("scaleTargetRef") or {}
    _check_reference(target, "spec.scaleTargetRef", refusals)
    version, may_lack = target.get("apiVersion") or "", target.get("kind") == "ReplicationController"
    if refusals.minor >= _WITH_GROUP and not (_GROUPED.fullmatch(version) or (may_lack and "/" not in version)):
        refusals.invalid("spec.scaleTargetRef.apiVersion", version, "must have an API group", "such as apps/v1")
    utilization = spec.get("targetCPUUtilizationPercentage")
    if utilization is not None and utilization < 1:
        path = "spec.metrics[0].resource.target.averageUtilization"
        refusals.add_at("spec.targetCPUUtilizationPercentage", path, f"{utilization} must be greater than 0")
    for index, metric in enumerate(metrics):
        _check_metric(metric, f"spec.metrics[{index}]", refusals)
    for direction in ("scaleUp", "scaleDown"):
        rules = (spec.get("behavior") or {}).get(direction)
        if rules is not None:
            _check_rules(rules, f"spec.behavior.{direction}", refusals)


def _check_reference(reference: Manifest, path: str, refusals: Refusals) -> None:
    for name in ("kind", "name"):
        _check_path_segment(reference.get(name), f"{path}.{name}", refusals)


def _check_path_segment(value: str | None, path: str, refusals: Refusals) -> None:
    if not value:
        refusals.required(path)
    else:
        any_name(value, path, refusals)


def _check_metric(metric: Manifest, path: str, refusals: Refusals) -> None:
    kind = metric.get("type") or ""
    present = [name for name in _SOURCES.values() if metric.get(name) is not None]
    one_of(kind, f"{path}.type", _SOURCES, refusals)
    expected = _SOURCES.get(kind, "")
    if expected and expected not in present:
        refusals.required(f"{path}.{expected}", f"type is {kind}")
    for name in present:
        if name != expected and len(present) > 1:
            refusals.add(f"{path}.{name}", f"may not be set when type is {shown(kind)}")
    if expected in present:
        _check_source(expected, metric[expected], f"{path}.{expected}", refusals)


def _check_source(name: str, source: Manifest, path: str, refusals: Refusals) -> None:
    target, here = source.get("target") or {}, f"{path}.target"
    if name in _OF_RESOURCES:
        if not source.get("name"):
            refusals.required(f"{path}.name")
        if name == "containerResource":
            _check_container(source, path, refusals)
    else:
        _check_path_segment((source.get("metric") or {}).get("name"), f"{path}.metric.name", refusals)
    if name == "object":
        described = source.get("describedObject") or {}
        _check_reference(described, f"{path}.describedObject", refusals)
        if (described.get("apiVersion") or "").count("/") > 1:
            refusals.invalid(f"{path}.describedObject.apiVersion", described["apiVersion"], "is not an API version")
    one_of(target.get("type") or "", f"{here}.type", _TARGETS, refusals)
    for amount in ("value", "averageValue"):
        if target.get(amount) is not None and nanos(target[amount]) <= 0:
            refusals.invalid(f"{here}.{amount}", target[amount], "must be positive")
    share = target.get("averageUtilization")
    if share is not None and share < 1:
        refusals.invalid(f"{here}.averageUtilization", share, "must be greater than 0")
    _check_amounts(name, target, here, refusals)


def _check_container(source: Manifest, path: str, refusals: Refusals) -> None:
    if source.get("name"):
        check_name(source["name"], f"{path}.name", refusals)
    if not source.get("container"):
        refusals.required(f"{path}.container")
    else:
        formats.dns_label(source["container"], f"{path}.container", refusals)


def _check_amounts(name: str, target: Manifest, path: str, refusals: Refusals) -> None:
    """Add that a target has no amount to compare its metric with, or two."""
    value, average, share = (target.get(key) is not None for key in ("value", "averageValue", "averageUtilization"))
    if name in _OF_RESOURCES:
        if not average and not share:
            refusals.required(f"{path}.averageUtilization", "averageUtilization or averageValue is needed")
        elif average and share:
            refusals.add(f"{path}.averageValue", "may not be set beside averageUtilization")
    elif name == "pods" and not average:
        refusals.required(f"{path}.averageValue")
    elif name != "pods" and not value and not average:
        refusals.required(f"{path}.averageValue", "value or averageValue is needed")
    if name == "external" and value and average:
        refusals.add(f"{path}.value", "may not be set beside averageValue")


def _check_rules(rules: Manifest, path: str, refusals: Refusals) -> None:
    window, policies = rules.get("stabilizationWindowSeconds"), rules.get("policies")
    if window is not None and not 0 <= window <= _LONGEST_WINDOW:
        refusals.invalid(f"{path}.stabilizationWindowSeconds", window, f"must be from 0 to {_LONGEST_WINDOW}")
    one_of(rules.get("selectPolicy"), f"{path}.selectPolicy", ("Disabled", "Max", "Min"), refusals)
    if policies == []:
        refusals.required(f"{path}.policies", "at least one policy is needed")
    for index, policy in enumerate(policies or ()):
        here, period = f"{path}.policies[{index}]", policy.get("periodSeconds") or 0
        one_of(policy.get("type") or "", f"{here}.type", ("Percent", "Pods"), refusals)
        if (policy.get("value") or 0) <= 0:
            refusals.invalid(f"{here}.value", policy.get("value") or 0, "must be greater than zero")
        if not 0 < period <= _LONGEST_PERIOD:
            refusals.invalid(f"{here}.periodSeconds", period, f"must be from 1 to {_LONGEST_PERIOD}")
    if rules.get("tolerance") is not None and nanos(rules["tolerance"]) < 0:
        refusals.invalid(f"{path}.tolerance", rules["tolerance"], "must be greater than or equal to 0")
