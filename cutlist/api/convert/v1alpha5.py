"""Provisioner and AWSNodeTemplate in terms of v1beta1 (spec: api-objects 7.5).

No webhook of Karpenter converted them: Cutlist uses the successors of the fields, as the last release with both read them, and
the report says so at every step. A field without a successor is refused, never silently dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cutlist.api.convert.changes import ConversionChange, Kind
from cutlist.api.durations import NEVER
from cutlist.api.findings import Finding
from cutlist.api.v1alpha5 import NODE_TEMPLATE, PROVISIONER
from cutlist.api.v1beta1 import API_VERSIONS
from cutlist.core.labels import ARCH, AWS_GROUP, CAPACITY_TYPE, INSTANCE_TYPE, ON_DEMAND, OS

DEFAULT_FAMILY: Final = "AL2"
_IDS: Final = ("aws-ids", "aws::ids")
_CATEGORY, _GENERATION = f"{AWS_GROUP}/instance-category", f"{AWS_GROUP}/instance-generation"
_CHOOSE_INSTANCES: Final = (INSTANCE_TYPE, f"{AWS_GROUP}/instance-family", _CATEGORY, _GENERATION)
_CLASS_FIELDS: Final = ("userData", "tags", "blockDeviceMappings", "metadataOptions", "detailedMonitoring", "context")
_SELECTORS: Final = ("amiSelector", "subnetSelector", "securityGroupSelector")


def refusals(manifest: Mapping[str, Any], default_profile: str | None = None) -> Iterator[Finding]:
    """Yield the findings on parts of a readable object that have no successor, or need a decision by its owner.

    `default_profile` is the instance profile that a settings ConfigMap names for all classes.
    """
    spec = manifest.get("spec") or {}
    if manifest["kind"] == PROVISIONER:
        yield from _pool_refusals(spec)
    else:
        yield from _class_refusals(spec, default_profile)


def _pool_refusals(spec: Mapping[str, Any]) -> Iterator[Finding]:
    runtime = (spec.get("kubeletConfiguration") or {}).get("containerRuntime", "containerd")
    if runtime != "containerd":
        path = "spec.kubeletConfiguration.containerRuntime"
        yield Finding(path, f"{runtime} was removed; containerd is the only runtime", "leave it out")
    if "provider" in spec:
        text = "settings of AWS inside a pool have no successor: write them as an AWSNodeTemplate or an EC2NodeClass"
        yield Finding("spec.provider", text, "providerRef with its name")
    elif "providerRef" not in spec:
        yield Finding("spec.providerRef", "is missing, and a NodePool must name its node class", "an AWSNodeTemplate's name")
    if (spec.get("consolidation") or {}).get("enabled") and "ttlSecondsAfterEmpty" in spec:
        yield Finding("spec", "consolidation and ttlSecondsAfterEmpty exclude each other", "one of the two")


def _class_refusals(spec: Mapping[str, Any], default_profile: str | None) -> Iterator[Finding]:
    if "launchTemplate" in spec:
        text = "your own launch templates have no successor"
        yield Finding("spec.launchTemplate", text, "userData, blockDeviceMappings and selectors in its place")
    if "instanceProfile" not in spec and not default_profile:
        text = "is missing: the default of aws.defaultInstanceProfile was removed, and only you know the name"
        yield Finding("spec.instanceProfile", text, "the name of the profile, or a role in the result")
    for field in ("subnetSelector", "securityGroupSelector"):
        if not spec.get(field):
            yield Finding(f"spec.{field}", "is missing, and an EC2NodeClass must have it", "tags, or ids under aws-ids")
    for field in _SELECTORS:
        selector = spec.get(field) or {}
        if any(key in selector for key in _IDS) and len(selector) > 1:
            text = "ids and other ways to select stand together, which no term can say"
            yield Finding(f"spec.{field}", text, "ids alone, or tags alone")


def as_v1beta1(
    manifest: Mapping[str, Any], default_profile: str | None = None
) -> tuple[dict[str, Any], list[ConversionChange]]:
    """Return the object in v1beta1, and the changes. It must be readable and have no refusals."""
    spec, kind = manifest.get("spec") or {}, "NodePool" if manifest["kind"] == PROVISIONER else "EC2NodeClass"
    changes = [_ours("carried over", f"{manifest['kind']} is called {kind}", "kind", "kind")]
    new_spec = _pool(spec, changes) if kind == "NodePool" else _class(spec, default_profile, changes)
    rest = {key: value for key, value in manifest.items() if key not in ("apiVersion", "kind", "spec", "status")}
    return {"apiVersion": API_VERSIONS[kind], "kind": kind, **rest, "spec": new_spec}, changes


def _ours(kind: Kind, text: str, old: str = "", new: str = "", advice: str = "") -> ConversionChange:
    return ConversionChange(kind, text, old, new, advice, is_ours=True)


def _pool(spec: Mapping[str, Any], changes: list[ConversionChange]) -> dict[str, Any]:
    metadata = {field: spec[field] for field in ("labels", "annotations") if spec.get(field)}
    pool = {"template": {**({"metadata": metadata} if metadata else {}), "spec": _template(spec, changes)}}
    pool["disruption"] = _disruption(spec, changes)
    limits = (spec.get("limits") or {}).get("resources")
    if limits:
        changes.append(_ours("carried over", "limits.resources is limits", "spec.limits.resources", "spec.limits"))
        pool["limits"] = limits
    return pool | {field: spec[field] for field in ("weight",) if field in spec}


def _template(spec: Mapping[str, Any], changes: list[ConversionChange]) -> dict[str, Any]:
    reference = {"apiVersion": API_VERSIONS["EC2NodeClass"], "kind": "EC2NodeClass", "name": spec["providerRef"]["name"]}
    text = f"providerRef {reference['name']} is nodeClassRef"
    changes.append(_ours("carried over", text, "spec.providerRef", "spec.template.spec.nodeClassRef"))
    written = list(spec.get("requirements") or ())
    added = list(_default_requirements({r["key"] for r in written}))
    for requirement in added:
        filled = f"{requirement['key']} {requirement['operator']} {', '.join(requirement['values'])}"
        message = f"{filled} was filled in where a Provisioner does not say it"
        advice = "take it out if the pool is to have more choice"
        changes.append(_ours("changed default", f"{message}; it is written out", "", "spec.template.spec.requirements", advice))
    template = {"nodeClassRef": reference, "requirements": written + added}
    template |= {field: spec[field] for field in ("taints", "startupTaints") if field in spec}
    kubelet = spec.get("kubeletConfiguration")
    if kubelet is not None:
        if "containerRuntime" in kubelet:
            old = "spec.kubeletConfiguration.containerRuntime"
            changes.append(_ours("lost", "containerRuntime is left out: containerd is the only runtime", old))
        template["kubelet"] = {key: value for key, value in kubelet.items() if key != "containerRuntime"}
    return template


def _default_requirements(keys: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the requirements that the webhook of v1alpha5 added to a Provisioner without them."""
    for key, value in ((OS, "linux"), (ARCH, "amd64"), (CAPACITY_TYPE, ON_DEMAND)):
        if key not in keys:
            yield {"key": key, "operator": "In", "values": [value]}
    if keys.isdisjoint(_CHOOSE_INSTANCES):
        yield {"key": _CATEGORY, "operator": "In", "values": ["c", "m", "r"]}
        yield {"key": _GENERATION, "operator": "Gt", "values": ["2"]}


def _disruption(spec: Mapping[str, Any], changes: list[ConversionChange]) -> dict[str, Any]:
    disruption: dict[str, Any] = {}
    new = "spec.disruption"
    if (spec.get("consolidation") or {}).get("enabled"):
        disruption["consolidationPolicy"] = "WhenUnderutilized"
        text = "consolidation.enabled is consolidationPolicy: WhenEmptyOrUnderutilized"
        changes.append(_ours("carried over", text, "spec.consolidation.enabled", f"{new}.consolidationPolicy"))
    else:
        empty = spec.get("ttlSecondsAfterEmpty")
        after = NEVER if empty is None else _duration(empty)
        disruption |= {"consolidationPolicy": "WhenEmpty", "consolidateAfter": after}
        old = "spec.ttlSecondsAfterEmpty"
        if empty is None:
            text = "a Provisioner without consolidation and ttlSecondsAfterEmpty kept empty nodes: consolidateAfter: Never"
            changes.append(_ours("changed default", text, "", f"{new}.consolidateAfter", "a time such as 30s saves money"))
        else:
            text = f"ttlSecondsAfterEmpty {empty} is consolidationPolicy: WhenEmpty with consolidateAfter: {after}"
            changes.append(_ours("carried over", text, old, f"{new}.consolidateAfter"))
    expired = spec.get("ttlSecondsUntilExpired")
    disruption["expireAfter"] = NEVER if expired is None else _duration(expired)
    to = "spec.template.spec.expireAfter"
    if expired is None:
        text = (
            "nodes of a Provisioner without ttlSecondsUntilExpired never expired; the default now is 720h, so Never is written"
        )
        changes.append(_ours("changed default", text, "", to))
    else:
        text = f"ttlSecondsUntilExpired {expired} is expireAfter: {disruption['expireAfter']}"
        changes.append(_ours("carried over", text, "spec.ttlSecondsUntilExpired", to))
    return disruption


def _duration(seconds: int) -> str:
    for length, unit in ((3600, "h"), (60, "m")):
        if seconds and seconds % length == 0:
            return f"{seconds // length}{unit}"
    return f"{seconds}s"


def _class(spec: Mapping[str, Any], default_profile: str | None, changes: list[ConversionChange]) -> dict[str, Any]:
    node_class: dict[str, Any] = {"amiFamily": spec.get("amiFamily", DEFAULT_FAMILY)}
    if "amiFamily" not in spec:
        text = f"{NODE_TEMPLATE} without amiFamily meant {DEFAULT_FAMILY}; it is written out"
        changes.append(_ours("changed default", text, "", "spec.amiFamily"))
    for field in _SELECTORS:
        if spec.get(field):
            node_class[f"{field}Terms"] = list(_terms(spec[field]))
            changes.append(_ours("carried over", f"{field} is {field}Terms", f"spec.{field}", f"spec.{field}Terms"))
    node_class["instanceProfile"] = spec.get("instanceProfile", default_profile)
    if "instanceProfile" not in spec:
        text = f"instanceProfile {default_profile} comes from aws.defaultInstanceProfile of the settings ConfigMap"
        changes.append(_ours("changed default", text, "", "spec.instanceProfile"))
    return node_class | {field: spec[field] for field in _CLASS_FIELDS if field in spec}


def _terms(selector: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield a term for every combination of the values that a selector lists with commas."""
    terms: list[dict[str, Any]] = [{}]
    for key in sorted(selector):
        values = [value.strip() for value in selector[key].split(",")]
        terms = [_with(term, key, value) for value in values for term in terms]
    yield from terms


def _with(term: Mapping[str, Any], key: str, value: str) -> dict[str, Any]:
    field = "id" if key in _IDS else {"aws::name": "name", "aws::owners": "owner"}.get(key)
    return {**term, field: value} if field else {**term, "tags": {**term.get("tags", {}), key: value}}
