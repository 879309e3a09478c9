"""Requests and limits: names of resources, amounts, and how the two fit together (W-13 to W-18)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from cutlist.core.errors import QuantityError, nearest
from cutlist.core.quantity import nanos
from cutlist.core.shapes import shown
from cutlist.workloads.requests import pod_requests
from cutlist.workloads.validation import formats
from cutlist.workloads.validation.refusals import Refusals

_WHOLE: Final = 10**9  # nano-units of one
_HUGE_PAGES: Final = "hugepages-"
_OF_CONTAINERS: Final = ("cpu", "memory", "ephemeral-storage")
_OF_PODS: Final = ("cpu", "memory")
OBJECTS: Final = (
    *("configmaps", "persistentvolumeclaims", "pods", "replicationcontrollers", "resourcequotas", "secrets", "services"),
    *("services.loadbalancers", "services.nodeports"),
)
"""Resources that are counts of objects."""
AMOUNTS: Final = (
    *("cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage"),
    *("limits.cpu", "limits.memory", "limits.ephemeral-storage", "requests.storage"),
)
"""Resources that a ResourceQuota may name without a domain, besides counts and huge pages."""


def check_resources(
    resources: Mapping[str, Any] | None, path: str, claims: Collection[str], refusals: Refusals, *, of_pod: bool = False
) -> None:
    """Add what is wrong with the resources of a container or of a pod as a whole."""
    if not resources:
        return
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for part, amounts in (("limits", limits), ("requests", requests)):
        for name, amount in amounts.items():
            here = f"{path}.{part}[{name}]"
            written = f"{path}.{part}.{name}"
            (_check_name_of_pod if of_pod else check_name)(name, here, refusals, written)
            check_amount(name, amount, here, refusals, written)
            _check_huge_pages(name, amount, here, refusals, written)
    _check_against_limits(requests, limits, path, refusals)
    names = {*limits, *requests}
    if any(name.startswith(_HUGE_PAGES) for name in names) and not names & {"cpu", "memory"}:
        refusals.add(path, "huge pages need cpu or memory too")
    _check_claims(resources.get("claims") or (), f"{path}.claims", claims, refusals)


def check_name(name: str, path: str, refusals: Refusals, written: str = "") -> None:
    """Add why a container cannot request a resource by this name."""
    if "/" not in name:
        if name not in _OF_CONTAINERS and not name.startswith(_HUGE_PAGES):
            refusals.add_at(
                written or path,
                path,
                f"{shown(name)} must be a standard resource for containers",
                "cpu, memory, ephemeral-storage, hugepages-<size>, or a name with a domain such as example.com/gpu",
                nearest(name, _OF_CONTAINERS),
            )
        return
    before = len(refusals.problems.found)
    formats.qualified_name(name, path, refusals, written)
    if len(refusals.problems.found) == before and not is_native(name) and not is_extended(name):
        refusals.add_at(written or path, path, f"{shown(name)} is not a name for an extended resource")


def _check_name_of_pod(name: str, path: str, refusals: Refusals, written: str) -> None:
    if name not in _OF_PODS and not name.startswith(_HUGE_PAGES):
        allowed = "cpu, memory, hugepages-<size>"
        refusals.add_at(written, path, f"{shown(name)} is not a resource of a pod as a whole", allowed)


def check_amount(name: str, amount: Any, path: str, refusals: Refusals, written: str = "") -> None:
    """Add that an amount is negative, or a fraction of a resource that only exists in whole units."""
    value = nanos(amount or 0)
    if value < 0:
        refusals.add_at(written or path, path, f"{shown(amount)} must be greater than or equal to 0")
    if value % _WHOLE and (name in OBJECTS or is_extended(name)):
        refusals.add_at(written or path, path, f"{shown(amount)} must be an integer")


def _check_huge_pages(name: str, amount: Any, path: str, refusals: Refusals, written: str) -> None:
    if not name.startswith(_HUGE_PAGES):
        return
    try:
        size = nanos(name.removeprefix(_HUGE_PAGES))
    except QuantityError:
        size = 0
    if size <= 0 or nanos(amount or 0) % size:
        refusals.add_at(written, path, f"{shown(amount)} is not a multiple of the size of {name}")


def _check_against_limits(requests: Mapping[str, Any], limits: Mapping[str, Any], path: str, refusals: Refusals) -> None:
    for name, request in requests.items():
        if name in limits:
            wanted, limit = nanos(request or 0), nanos(limits[name] or 0)
            relation = "less than or equal" if may_overcommit(name) else "equal"
            if wanted > limit or (wanted < limit and not may_overcommit(name)):
                text = f"{shown(request)} must be {relation} to the {name} limit of {shown(limits[name])}"
                refusals.add_at(f"{path}.requests.{name}", f"{path}.requests", text)
        elif not may_overcommit(name):
            text = f"is missing for {name}: what cannot be overcommitted needs a limit that equals the request"
            refusals.add_at(f"{path}.requests.{name}", f"{path}.limits", text)


def _check_claims(claims: Sequence[Mapping[str, Any]], path: str, known: Collection[str], refusals: Refusals) -> None:
    names: set[tuple[str, str]] = set()
    for index, claim in enumerate(claims):
        name, request, here = claim.get("name") or "", claim.get("request") or "", f"{path}[{index}]"
        if not name:
            refusals.required(here)
            continue
        if request:
            formats.dns_label(request, f"{here}.request", refusals)
        if (name, "") in names or (name, request) in names or (not request and any(name == other for other, _ in names)):
            refusals.duplicate(here, name)
        names.add((name, request))
        if name not in known:
            refusals.not_found(here, name, "resource claim", known)


def is_native(name: str) -> bool:
    """Tell whether a resource is one of Kubernetes itself."""
    return "/" not in name or "kubernetes.io/" in name


def is_extended(name: str) -> bool:
    """Tell whether a resource is an extended one, such as a device plugin's, which only exists in whole units."""
    return not is_native(name) and not name.startswith("requests.")


def may_overcommit(name: str) -> bool:
    """Tell whether the limit of a resource may be above its request."""
    return is_native(name) and not name.startswith(_HUGE_PAGES)


def check_pod_resources(
    spec: Mapping[str, Any], path: str, claims: Collection[str], refusals: Refusals, *, is_pod: bool
) -> None:
    """Add what is wrong with the resources of a pod as a whole, and how they contradict those of its containers. In a pod, but
    not in a template, a container's limits are its default requests.
    """
    resources, here = spec.get("resources"), f"{path}.resources"
    if not resources:
        return
    if (spec.get("os") or {}).get("name") == "windows":
        refusals.add(here, "cannot be set for a windows pod")
        return
    if resources.get("claims"):
        refusals.add(f"{here}.claims", "cannot be set for a pod as a whole")
        _check_claims(resources["claims"], f"{here}.claims", claims, refusals)
    check_resources({**resources, "claims": None}, here, (), refusals, of_pod=True)
    of_containers = pod_requests({"spec": _with_requests(spec) if is_pod else {**spec, "resources": None, "overhead": None}})
    for name, amount in (resources.get("requests") or {}).items():
        if name in of_containers and of_containers[name].nanos > nanos(amount or 0):
            text = f"{shown(amount)} must be at least the {of_containers[name]} that the containers request together"
            refusals.add_at(f"{here}.requests.{name}", f"{here}.requests[{name}]", text)
    limits = resources.get("limits") or {}
    for index, container in enumerate(spec.get("containers") or ()):
        for name, limit in ((container.get("resources") or {}).get("limits") or {}).items():
            if name in limits and nanos(limit or 0) > nanos(limits[name] or 0):
                written = f"{path}.containers[{index}].resources.limits.{name}"
                text = f"{shown(limit)} must be at most the pod's limit of {shown(limits[name])}"
                refusals.add_at(written, f"{here}.containers[{index}][{name}].limits", text)


def _with_requests(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the containers of a pod, with missing requests filled in from their limits."""

    def filled(container: Mapping[str, Any]) -> Mapping[str, Any]:
        resources = container.get("resources") or {}
        return {
            **container,
            "resources": {"requests": {**(resources.get("limits") or {}), **(resources.get("requests") or {})}},
        }

    return {part: [filled(container) for container in spec.get(part) or ()] for part in ("containers", "initContainers")}
