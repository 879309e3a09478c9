"""LimitRange: the default requests and limits of containers in a namespace, and the allowed ranges.

Source: the LimitRanger admission plugin and the defaults of the LimitRange API in Kubernetes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cutlist.core.quantity import amount_text, amounts, merge, nanos

Manifest = Mapping[str, Any]
Texts = Mapping[str, Any]  # resource name to quantity as written


@dataclass(frozen=True, slots=True)
class LimitRangeItem:
    """One entry of `spec.limits`; `type` is Container, Pod or PersistentVolumeClaim."""

    limit_range: str
    type: str
    default_requests: Texts
    default_limits: Texts
    minimum: Texts
    maximum: Texts

    @staticmethod
    def read(manifest: Manifest) -> tuple[LimitRangeItem, ...]:
        """Return the entries of a LimitRange. For containers the API server derives missing defaults: a limit from the maximum,
        a request from the limit, else from the minimum.
        """
        return tuple(_item(manifest["metadata"]["name"], raw) for raw in (manifest.get("spec") or {}).get("limits") or ())

    def fill(self, container: Manifest) -> Manifest:
        """Return the container with this entry's defaults for missing values."""
        if self.type != "Container":
            return container
        own = container.get("resources") or {}
        resources = {
            **own,
            "requests": {**self.default_requests, **(own.get("requests") or {})},
            "limits": {**self.default_limits, **(own.get("limits") or {})},
        }
        return {**container, "resources": resources}

    def violations(self, requests: Mapping[str, int], limits: Mapping[str, int]) -> Iterator[str]:
        """Yield why the API server refuses an object of the entry's type with these amounts, in nano-units."""
        for name, most in self.maximum.items():
            if name not in limits:
                yield f"{name} needs a limit of at most {most}"
            elif limits[name] > nanos(most):
                yield f"the {name} limit of {amount_text(name, limits[name])} is above the maximum of {most}"
        for name, least in self.minimum.items():
            if name not in requests:
                yield f"{name} needs a request of at least {least}"
            elif requests[name] < nanos(least):
                yield f"the {name} request of {amount_text(name, requests[name])} is below the minimum of {least}"


def _item(name: str, raw: Manifest) -> LimitRangeItem:
    parts = {part: raw.get(part) or {} for part in ("defaultRequest", "default", "min", "max")}
    limits, requests = parts["default"], parts["defaultRequest"]
    if raw.get("type") == "Container":
        # The API server fills these in when it stores a LimitRange, for containers only.
        limits = {**parts["max"], **limits}
        requests = {**parts["min"], **limits, **requests}
    return LimitRangeItem(name, raw.get("type") or "", requests, limits, parts["min"], parts["max"])


def refusals(items: Iterable[LimitRangeItem], spec: Manifest) -> Iterator[str]:
    """Yield why a namespace's LimitRanges refuse a pod with defaults filled in."""
    containers = [_Resources.of(c) for c in (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))]
    for container in containers:
        for name in container.requests.keys() & container.limits.keys():
            if container.requests[name] > container.limits[name]:
                yield f"container {container.name}: its {name} request is above the limit that a LimitRange gives it"
    for item in items:
        if item.type == "Container":
            for container in containers:
                yield from (
                    f"container {container.name}: {v} (LimitRange {item.limit_range})"
                    for v in item.violations(container.requests, container.limits)
                )
        elif item.type == "Pod":
            running = containers[: len(spec.get("containers") or ())]
            requests, limits = merge(*(c.requests for c in running)), merge(*(c.limits for c in running))
            yield from (f"{v} (LimitRange {item.limit_range})" for v in item.violations(requests, limits))


@dataclass(frozen=True, slots=True)
class _Resources:
    name: str
    requests: Mapping[str, int]
    limits: Mapping[str, int]

    @staticmethod
    def of(container: Manifest) -> _Resources:
        resources = container.get("resources") or {}
        return _Resources(container["name"], amounts(resources.get("requests") or {}), amounts(resources.get("limits") or {}))
