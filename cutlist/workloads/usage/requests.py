"""Objects with their written requests replaced by those that follow from measured use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.core.quantity import MEBI, MILLI, nanos
from cutlist.documents.document import Document
from cutlist.workloads.usage.measured import CPU, Container, Owner
from cutlist.workloads.written import namespace_of, pod_spec_path, value_at, with_value, workload_of

_OF_POD: Final = re.compile(r"(?:[a-z0-9]{1,10}-)?[a-z0-9]{5}|[0-9]+(?:-[a-z0-9]{5})?")
"""What stands behind a workload's name in the name of its pods: of a Deployment, a DaemonSet, a StatefulSet or a Job."""


@dataclass(frozen=True, slots=True)
class RequestChange:
    """A request that measured use changes, in nano-units; `before` is None if there was none."""

    workload: str
    container: str
    resource: str
    before: int | None
    after: int


def with_requests_of(
    documents: Sequence[Document], requests: Mapping[Container, Mapping[str, int]]
) -> tuple[tuple[Document, ...], tuple[RequestChange, ...], tuple[Container, ...]]:
    """Return the objects with new requests, the changes, and the containers that none of the objects has. If several pods of a
    workload were measured apart, the largest of their requests counts.
    """
    measured = _MeasuredRequests(documents, requests)
    changes: list[RequestChange] = []
    changed = tuple(_with_requests(document, measured, changes) for document in documents)
    return changed, tuple(changes), measured.unused()


class _MeasuredRequests:
    """The requests of containers by workload, with pods resolved to the workloads that they belong to."""

    def __init__(self, documents: Sequence[Document], requests: Mapping[Container, Mapping[str, int]]) -> None:
        self._names: dict[str, set[str]] = {}
        for document in documents:
            if _containers(document):
                self._names.setdefault(namespace_of(document), set()).add(document.name)
        self._by_workload: dict[tuple[str, str, str], list[tuple[Container, Mapping[str, int]]]] = {}
        for container, amounts in requests.items():
            owner, name = container
            key = (owner.namespace, self._workload(owner), name)
            self._by_workload.setdefault(key, []).append((container, amounts))
        self._requests = requests
        self._used: set[Container] = set()

    def of(self, document: Document, container: str, *, only: bool) -> dict[str, int]:
        """Return the new requests of an object's container; measurements without a container's name count for the `only`
        one."""
        largest: dict[str, int] = {}
        for name in (container, *([""] if only else [])):
            for measured, amounts in self._by_workload.get((namespace_of(document), document.name, name), ()):
                if measured[0].kind in ("", document.kind.lower()):
                    self._used.add(measured)
                    largest = {**largest, **{r: max(a, largest.get(r, 0)) for r, a in amounts.items()}}
        return largest

    def unused(self) -> tuple[Container, ...]:
        """Return the containers that no object has."""
        return tuple(container for container in self._requests if container not in self._used)

    def _workload(self, owner: Owner) -> str:
        if not owner.is_pod:
            return owner.name
        names = self._names.get(owner.namespace, ())
        owners = [n for n in names if owner.name == n or _is_of(owner.name, n)]
        return max(owners, key=len, default=owner.name)


def _is_of(pod: str, workload: str) -> bool:
    return pod.startswith(f"{workload}-") and _OF_POD.fullmatch(pod[len(workload) + 1 :]) is not None


def _path(document: Document) -> tuple[str, ...]:
    return (*pod_spec_path(document.kind), "containers")


def _containers(document: Document) -> list[Any]:
    value = value_at(document.data, _path(document))
    return value if isinstance(value, list) else []


def _with_requests(document: Document, measured: _MeasuredRequests, changes: list[RequestChange]) -> Document:
    containers = _containers(document)
    if not containers or not all(isinstance(c, dict) for c in containers):
        return document
    only = len(containers) == 1
    new = [_resized(document, c, measured.of(document, str(c.get("name")), only=only), changes) for c in containers]
    return document if new == containers else replace(document, data=with_value(document.data, _path(document), new))


def _resized(
    document: Document, container: Mapping[str, Any], wanted: Mapping[str, int], changes: list[RequestChange]
) -> Mapping[str, Any]:
    """Return a container with its new requests, which never exceed its limits."""
    resources = container.get("resources") or {}
    requests, limits = (dict(resources.get(part) or {}) for part in ("requests", "limits"))
    for resource, amount in wanted.items():
        limit = nanos(limits[resource]) if resource in limits else None
        before = nanos(requests[resource]) if resource in requests else limit
        after = amount if limit is None else min(amount, limit)
        if after != before:
            requests[resource] = _written(resource, after)
            changes.append(RequestChange(workload_of(document), str(container.get("name")), resource, before, after))
    return {**container, "resources": {**resources, "requests": requests}} if wanted else container


def _written(resource: str, amount: int) -> str:
    return f"{-(-amount // MILLI)}m" if resource == CPU else f"{-(-amount // MEBI)}Mi"
