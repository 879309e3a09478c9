"""Objects that limit what pods may be and when they may be evicted: budgets, limits, quotas, priorities (W-71 to W-75)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.core.quantity import nanos
from cutlist.core.shapes import shown
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.pods import PREEMPTION
from cutlist.workloads.validation.refusals import Refusals, one_of
from cutlist.workloads.validation.resources import AMOUNTS, OBJECTS, check_amount, check_name, check_resources, may_overcommit
from cutlist.workloads.validation.selectors import check_label_selector, check_tolerations, check_values_of_selector

Manifest = Mapping[str, Any]

_HIGHEST_PRIORITY: Final = 1_000_000_000
_SYSTEM_PRIORITIES: Final = {"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}
_LIMITED: Final = ("Container", "Pod", "PersistentVolumeClaim")
_AMOUNTS: Final = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
_ORDERED: Final = (("min", "max"), ("min", "defaultRequest"), ("defaultRequest", "max"))
_MORE_ORDERED: Final = (("defaultRequest", "default"), ("min", "default"), ("default", "max"))
_EXISTS_ONLY: Final = ("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity")
_SCOPES: Final = (*_EXISTS_ONLY, "PriorityClass", "VolumeAttributesClass")
_CONFLICTING: Final = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))


def check_disruption_budget(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a PodDisruptionBudget."""
    spec = manifest.get("spec") or {}
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        refusals.add("spec", "minAvailable and maxUnavailable cannot both be set")
    for name in ("minAvailable", "maxUnavailable"):
        formats.count_or_percent(spec.get(name), f"spec.{name}", refusals)
        formats.at_most_all(spec.get(name), f"spec.{name}", refusals)
    check_label_selector(spec.get("selector"), "spec.selector", refusals)
    check_values_of_selector(spec.get("selector"), "spec.selector", refusals)
    policies = ("AlwaysAllow", "IfHealthyBudget")
    one_of(spec.get("unhealthyPodEvictionPolicy"), "spec.unhealthyPodEvictionPolicy", policies, refusals)


def check_priority_class(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a PriorityClass."""
    name, value = (manifest.get("metadata") or {}).get("name") or "", manifest.get("value") or 0
    if name.startswith("system-"):
        if _SYSTEM_PRIORITIES.get(name) != value or manifest.get("globalDefault"):
            refusals.invalid("metadata.name", name, "begins with system-, which is reserved for Kubernetes' own classes")
    elif value > _HIGHEST_PRIORITY:
        refusals.invalid("value", value, f"is above {_HIGHEST_PRIORITY}, the highest priority that users may define")
    one_of(manifest.get("preemptionPolicy"), "preemptionPolicy", PREEMPTION, refusals)


def check_runtime_class(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a RuntimeClass."""
    formats.dns_label(manifest.get("handler") or "", "handler", refusals)
    fixed = (manifest.get("overhead") or {}).get("podFixed")
    check_resources({"limits": fixed}, "overhead", (), refusals)
    scheduling = manifest.get("scheduling") or {}
    formats.labels(scheduling.get("nodeSelector"), "scheduling.nodeSelector", refusals)
    tolerations = scheduling.get("tolerations") or ()
    check_tolerations(tolerations, "scheduling.tolerations", refusals)
    keys = [tuple(toleration.get(k) or "" for k in ("key", "operator", "value", "effect")) for toleration in tolerations]
    for index in formats.first_repeated(keys):
        refusals.add(f"scheduling.tolerations[{index}]", "occurs twice")


def check_limit_range(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a LimitRange."""
    limits = [_with_defaults(limit) for limit in (manifest.get("spec") or {}).get("limits") or ()]
    kinds = [limit.get("type") or "" for limit in limits]
    for index, limit in enumerate(limits):
        here, kind = f"spec.limits[{index}]", kinds[index]
        if "/" in kind:
            formats.qualified_name(kind, f"{here}.type", refusals)
        else:
            one_of(kind, f"{here}.type", _LIMITED, refusals)
        if kind == "PersistentVolumeClaim" and not any("storage" in (limit.get(part) or {}) for part in ("min", "max")):
            refusals.required(f"{here}.limits", "min or max of storage is needed")
        for part in _AMOUNTS:
            if kind == "Pod" and part.startswith("default") and limit.get(part):
                refusals.add(f"{here}.{part}", "may not be set when type is 'Pod'")
                continue
            for name in limit.get(part) or {}:
                if kind in ("Pod", "Container"):
                    check_name(name, f"{here}.{part}[{name}]", refusals, f"{here}.{part}.{name}")
                else:
                    _check_quota_name(name, f"{here}.{part}", refusals, ("storage",))
        _check_order(limit, kind, here, refusals)
    for index in formats.first_repeated(kinds):
        refusals.duplicate(f"spec.limits[{index}].type", kinds[index])


def _with_defaults(limit: Manifest) -> Manifest:
    """Return the limits of containers with those that the API server derives: limits from max, requests from limits and min."""
    if limit.get("type") != "Container":
        return limit
    default = {**(limit.get("max") or {}), **(limit.get("default") or {})}
    requests = {**(limit.get("min") or {}), **default, **(limit.get("defaultRequest") or {})}
    return {**limit, "default": default, "defaultRequest": requests}


def _check_order(limit: Manifest, kind: str, path: str, refusals: Refusals) -> None:
    """Add amounts of a LimitRange that contradict each other."""
    amounts = {part: {name: nanos(amount or 0) for name, amount in (limit.get(part) or {}).items()} for part in _AMOUNTS}
    for low, high in _ORDERED if kind == "Pod" else (*_ORDERED, *_MORE_ORDERED):
        for name in amounts[low].keys() & amounts[high].keys():
            if amounts[low][name] > amounts[high][name]:
                blamed = high if low == "min" and high != "max" else low
                text = f"{low} {shown(limit[low][name])} is greater than {high} {shown(limit[high][name])}"
                refusals.add_at(f"{path}.{blamed}.{name}", f"{path}.{blamed}[{name}]", text)
    for name in amounts["default"].keys() & amounts["defaultRequest"].keys():
        if not may_overcommit(name) and amounts["default"][name] != amounts["defaultRequest"][name]:
            text = f"must equal default, since {name} cannot be overcommitted"
            refusals.add_at(f"{path}.defaultRequest.{name}", f"{path}.defaultRequest[{name}]", text)
    for name, ratio in amounts["maxLimitRequestRatio"].items():
        here, written = f"{path}.maxLimitRequestRatio[{name}]", f"{path}.maxLimitRequestRatio.{name}"
        least, most = amounts["min"].get(name), amounts["max"].get(name)
        if ratio < nanos("1"):
            refusals.add_at(written, here, f"{shown(limit['maxLimitRequestRatio'][name])} is less than 1")
        if least and most is not None and ratio / nanos("1") > most / least:
            refusals.add_at(written, here, f"{shown(limit['maxLimitRequestRatio'][name])} is greater than max divided by min")


def check_resource_quota(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a ResourceQuota."""
    spec = manifest.get("spec") or {}
    for name, amount in (spec.get("hard") or {}).items():
        _check_quota_name(name, "spec.hard", refusals)
        check_amount(name, amount, f"spec.hard[{name}]", refusals, f"spec.hard.{name}")
    scopes = spec.get("scopes") or ()
    for scope in scopes:
        one_of(scope or "", "spec.scopes", _SCOPES, refusals)
    here, expressions = "spec.scopeSelector.matchExpressions", (spec.get("scopeSelector") or {}).get("matchExpressions") or ()
    for index, expression in enumerate(expressions):
        _check_scope(expression, here, f"{here}[{index}]", refusals)
    for named, path in ((scopes, "spec.scopes"), ([e.get("scopeName") for e in expressions], here)):
        if any(set(pair) <= set(named) for pair in _CONFLICTING):
            refusals.add(path, "has scopes that exclude each other")


def _check_scope(expression: Manifest, path: str, written: str, refusals: Refusals) -> None:
    """Add what is wrong with an expression of a scope selector; the API server leaves out its index."""
    scope, operator, values = (expression.get(name) or "" for name in ("scopeName", "operator", "values"))
    if scope not in _SCOPES:
        refusals.add_at(f"{written}.scopeName", f"{path}.scopeName", f"{shown(scope)} is unknown", ", ".join(_SCOPES))
    if operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
        refusals.add_at(
            f"{written}.operator", f"{path}.operator", f"{shown(operator)} is unknown", "In, NotIn, Exists, DoesNotExist"
        )
    elif scope in _EXISTS_ONLY and operator != "Exists":
        refusals.add_at(f"{written}.operator", f"{path}.operator", f"{shown(operator)} must be 'Exists' for {scope}")
    if operator in ("In", "NotIn") and not values:
        refusals.add_at(written, f"{path}.values", "is missing: operator is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist") and values:
        refusals.add_at(written, f"{path}.values", "must be empty when operator is 'Exists' or 'DoesNotExist'")


def _check_quota_name(name: str, path: str, refusals: Refusals, more: tuple[str, ...] = ()) -> None:
    here, written = f"{path}[{name}]", f"{path}.{name}"
    if "/" in name:
        formats.qualified_name(name, here, refusals, written)
    elif name not in (*AMOUNTS, *OBJECTS, *more) and not name.startswith(("hugepages-", "requests.hugepages-")):
        allowed = ", ".join((*AMOUNTS, *OBJECTS))
        refusals.add_at(written, here, f"{shown(name)} must be a standard resource or have a domain", allowed)
