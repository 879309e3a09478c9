"""ResourceQuota: whether the pods of a namespace are more than it allows. A warning, since nobody plans by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cutlist.core.quantity import amount_text, nanos
from cutlist.workloads.groups import PodGroup

Manifest = Mapping[str, Any]

_BARE: Final = ("cpu", "memory", "ephemeral-storage")  # a quota may name these without `requests.`


@dataclass(frozen=True, slots=True)
class ResourceQuota:
    """What all pods of a namespace may request together, in nano-units. Limits and other objects are not looked at."""

    name: str
    namespace: str
    hard: Mapping[str, int]

    @staticmethod
    def read(manifest: Manifest) -> ResourceQuota:
        """From a manifest. A quota for some pods only (scopes) is left empty."""
        metadata, spec = manifest["metadata"], manifest.get("spec") or {}
        hard = {} if spec.get("scopes") or spec.get("scopeSelector") else spec.get("hard") or {}
        read = {_resource(name): nanos(amount) for name, amount in hard.items()}
        return ResourceQuota(metadata["name"], metadata.get("namespace") or "default", {k: v for k, v in read.items() if k})

    def warnings(self, groups: Sequence[PodGroup]) -> Iterator[str]:
        """One sentence for each resource of which the namespace's pods ask for more than there is."""
        mine = [g for g in groups if g.namespace == self.namespace]
        for resource, allowed in sorted(self.hard.items()):
            asked = sum((g.count + g.bound) * g.pod.requests.get(resource, 0) for g in mine)
            if asked > allowed:
                what = "are" if resource == "pods" else "ask for"
                unit = "pods" if resource == "pods" else resource
                yield (
                    f"the pods of namespace {self.namespace} {what} {amount_text(resource, asked)} {unit}; "
                    f"ResourceQuota {self.name} allows {amount_text(resource, allowed)}, and pods beyond it are not created"
                )


def quota_warnings(quotas: Iterable[ResourceQuota], groups: Sequence[PodGroup]) -> Iterator[str]:
    """The warnings of all quotas."""
    for quota in quotas:
        yield from quota.warnings(groups)


def _resource(name: str) -> str:
    if name in _BARE:
        return name
    if name in ("pods", "count/pods"):
        return "pods"
    return name.removeprefix("requests.") if name.startswith("requests.") and name != "requests.storage" else ""
