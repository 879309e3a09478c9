"""Workloads whose requests follow from measured use, as objects and where they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutlist.documents.document import Document
from cutlist.workloads.written import namespace_of, pod_spec_path, value_at, with_value

Requests = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ResizedWorkload:
    """A workload that gets other requests: as an object, and what the containers of these places request as written."""

    kind: str
    namespace: str
    name: str
    requests: tuple[tuple[int, Requests], ...]
    written: Mapping[str, Any]

    def manifest(self) -> dict[str, Any]:
        """Return the object with the requests."""
        return self.on(self.written)

    def on(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object of this workload with the requests."""
        path = (*pod_spec_path(self.kind), "containers")
        containers = list(value_at(data, path) or ())
        for place, requests in self.requests:
            if place < len(containers):
                resources = containers[place].get("resources") or {}
                containers[place] = {**containers[place], "resources": {**resources, "requests": dict(requests)}}
        return with_value(data, path, containers)


def resized_workloads(before: Sequence[Document], after: Sequence[Document]) -> tuple[ResizedWorkload, ...]:
    """Return the workloads whose requests differ between the same documents, in their order."""
    return tuple(
        ResizedWorkload(old.kind, namespace_of(old), old.name, requests, old.data)
        for old, new in zip(before, after, strict=True)
        if old.data != new.data and (requests := tuple(_changed(old, new)))
    )


def _changed(old: Document, new: Document) -> Iterator[tuple[int, Requests]]:
    path = (*pod_spec_path(old.kind), "containers")
    both = zip(value_at(old.data, path) or (), value_at(new.data, path) or (), strict=True)
    for place, (before, after) in enumerate(both):
        if before != after:
            yield place, after["resources"]["requests"]
