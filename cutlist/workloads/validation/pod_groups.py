"""Groups of pods that are scheduled together: PodGroups and Workloads of `scheduling.k8s.io` (W-98).

What is behind feature gates that are off is dropped before it is looked at: topology, claims, preemption and groups of groups.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cutlist.workloads.validation import formats
from cutlist.workloads.validation.metadata import any_name
from cutlist.workloads.validation.refusals import Refusals

Manifest = Mapping[str, Any]

_MOST_TEMPLATES: Final = 8
_HIGHEST_PRIORITY: Final = 1_000_000_000
_CHECKED: Final = ("/v1beta1", "/v1alpha3")
"""The versions of 1.37, of which more than names is checked."""


def check_pod_group(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a PodGroup."""
    if not _is_checked(manifest):
        return
    spec = manifest.get("spec") or {}
    _check_group(spec, "spec", refusals)
    reference = spec.get("workloadRef")
    if reference is not None:
        formats.object_name(reference.get("workloadName"), "spec.workloadRef.workloadName", refusals)
        formats.object_label(reference.get("templateName"), "spec.workloadRef.templateName", refusals)


def check_workload(manifest: Manifest, refusals: Refusals) -> None:
    """Add what is wrong with a Workload."""
    if not _is_checked(manifest):
        return
    spec = manifest.get("spec") or {}
    templates, here = spec.get("podGroupTemplates") or (), "spec.podGroupTemplates"
    _check_controller(spec.get("controllerRef"), "spec.controllerRef", refusals)
    if not templates:
        refusals.required("spec", "podGroupTemplates are needed")
    if len({(template.get("priorityClassName") or "", template.get("priority")) for template in templates}) > 1:
        refusals.add("spec", "has templates of different priorities", "one priorityClassName and priority for all")
    if len(templates) > _MOST_TEMPLATES:
        refusals.add(here, f"has {len(templates)} entries", f"at most {_MOST_TEMPLATES}")
        return
    for index, template in enumerate(templates):
        formats.object_label(template.get("name"), f"{here}[{index}].name", refusals)
        _check_group(template, f"{here}[{index}]", refusals)
    names = [template.get("name") or "" for template in templates]
    for index in formats.first_repeated(names):
        refusals.duplicate(f"{here}[{index}]", names[index])


def _is_checked(manifest: Manifest) -> bool:
    return str(manifest.get("apiVersion")).endswith(_CHECKED)


def _check_group(group: Manifest, path: str, refusals: Refusals) -> None:
    """Add what is wrong with what a group and a template of groups have in common."""
    policy, mode = group.get("schedulingPolicy") or {}, group.get("disruptionMode")
    _check_one(policy, ("basic", "gang"), f"{path}.schedulingPolicy", refusals)
    gang = policy.get("gang")
    if gang is not None and policy.get("basic") is None:
        count, here = gang.get("minCount") or 0, f"{path}.schedulingPolicy.gang.minCount"
        if not count:
            refusals.required(here)
        elif count < 0:
            refusals.invalid(here, count, "must be greater than or equal to 1")
    if mode is not None:
        _check_one(mode, ("single", "all"), f"{path}.disruptionMode", refusals)
    if group.get("priorityClassName"):
        formats.subdomain(group["priorityClassName"], f"{path}.priorityClassName", refusals)
    if (group.get("priority") or 0) > _HIGHEST_PRIORITY:
        refusals.invalid(f"{path}.priority", group["priority"], f"must be at most {_HIGHEST_PRIORITY}")


def _check_one(value: Manifest, forms: tuple[str, str], path: str, refusals: Refusals) -> None:
    given = [form for form in forms if value.get(form) is not None]
    if len(given) != 1:
        refusals.add(path, f"has {' and '.join(given) or 'no form'}", f"one of {', '.join(forms)}")


def _check_controller(reference: Manifest | None, path: str, refusals: Refusals) -> None:
    """Add what is wrong with the reference of a Workload to the object that it is made for."""
    if reference is None:
        return
    if reference.get("apiGroup"):
        formats.subdomain(reference["apiGroup"], f"{path}.apiGroup", refusals)
    for member in ("kind", "name"):
        if reference.get(member):
            any_name(reference[member], f"{path}.{member}", refusals)
        else:
            refusals.required(f"{path}.{member}")
