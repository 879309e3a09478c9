"""CapacityBuffers: pods that exist only to keep room free (spec: scheduling 11.2; S-124)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.resources import amounts
from cutlist.scheduling.batches import Batch
from cutlist.workloads.pods import Pod
from cutlist.workloads.read_pod import read_pod

STRATEGY: Final = "buffer.x-k8s.io/active-capacity"
SCALED_KINDS: Final = ("Deployment", "StatefulSet", "ReplicaSet")
LOWEST_PRIORITY: Final = -(2**31)
_CREATED_BY_THE_PASS: Final = float("inf")  # among pods of equal size the real ones come first

Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CapacityBuffer:
    """A buffer with what it refers to looked up: the shape of its virtual pods and how many of them there are."""

    name: str
    namespace: str
    uid: str
    pod: Pod
    replicas: int

    @property
    def batch(self) -> Batch:
        """The buffer's virtual pods."""
        return Batch(
            name=f"capacity-buffer-{self.name}",
            pod=self.pod,
            count=self.replicas,
            created=_CREATED_BY_THE_PASS,
            uid=f"{self.uid}-1",
            virtual=True,
        )

    def pod_names(self) -> list[str]:
        """The names of the virtual pods."""
        return [f"capacity-buffer-{self.name}-{i}" for i in range(1, self.replicas + 1)]


def read_buffers(objects: Iterable[Manifest]) -> tuple[CapacityBuffer, ...]:
    """The buffers among some manifests that keep room free, with pods as their PodTemplates and workloads there say.

    A buffer without status counts as the controller would see it; one that the controller found not ready, that follows
    another strategy, or that refers to something that is not there keeps nothing.
    """
    found = {_identity(o): o for o in objects}
    read = (_read(o, found) for (kind, _, _), o in found.items() if kind == "CapacityBuffer")
    return tuple(b for b in read if b is not None and b.replicas > 0)


def _read(manifest: Manifest, objects: Mapping[tuple[str, str, str], Manifest]) -> CapacityBuffer | None:
    spec, status, (_, namespace, name) = manifest.get("spec") or {}, manifest.get("status") or {}, _identity(manifest)
    if not _ready(status) or (spec.get("provisioningStrategy") or STRATEGY) != STRATEGY:
        return None
    scaled = _scaled(spec, namespace, objects)
    template = _template(status, namespace, objects) or _template(spec, namespace, objects) or _template_of(scaled)
    if template is None:
        return None
    pod = _virtual(template, namespace)
    replicas = status.get("replicas")
    if replicas is None:
        replicas = wanted_replicas(spec, pod, int((scaled or {}).get("spec", {}).get("replicas", 1)))
    uid = (manifest.get("metadata") or {}).get("uid") or f"{namespace}/{name}"
    return CapacityBuffer(name, namespace, uid, pod, int(replicas))


def wanted_replicas(spec: Manifest, pod: Pod, scaled: int) -> int:
    """How many virtual pods a buffer asks for: the larger of its number and its share of a workload, within its limits."""
    asked = [int(spec["replicas"])] if spec.get("replicas") is not None else []
    if spec.get("percentage") is not None and spec.get("scalableRef"):
        asked.append(max(1, -(-scaled * int(spec["percentage"]) // 100)))
    limits = amounts(spec.get("limits") or {})
    within = [limit // pod.requests[r] for r, limit in limits.items() if pod.requests.get(r)]
    return min([max(asked), *within] if asked else within, default=0)


def _ready(status: Manifest) -> bool:
    """A buffer that no controller has seen yet is taken as ready; after that it has to say so."""
    said = {c.get("type"): c.get("status") for c in status.get("conditions") or ()}
    return not status or said.get("ReadyForProvisioning") == "True"


def _virtual(template: Manifest, namespace: str) -> Pod:
    metadata = {**(template.get("metadata") or {}), "namespace": namespace}
    return replace(read_pod({"metadata": metadata, "spec": template.get("spec") or {}}), volumes=(), priority=LOWEST_PRIORITY)


def _scaled(spec: Manifest, namespace: str, objects: Mapping[tuple[str, str, str], Manifest]) -> Manifest | None:
    ref = spec.get("scalableRef") or {}
    return objects.get((ref["kind"], namespace, ref.get("name", ""))) if ref.get("kind") in SCALED_KINDS else None


def _template(refers: Manifest, namespace: str, objects: Mapping[tuple[str, str, str], Manifest]) -> Manifest | None:
    name = (refers.get("podTemplateRef") or {}).get("name")
    return (objects.get(("PodTemplate", namespace, name)) or {}).get("template") if name else None


def _template_of(workload: Manifest | None) -> Manifest | None:
    return (workload.get("spec") or {}).get("template") if workload is not None else None


def _identity(manifest: Manifest) -> tuple[str, str, str]:
    metadata = manifest.get("metadata") or {}
    return manifest.get("kind", ""), metadata.get("namespace") or "default", metadata.get("name") or ""
