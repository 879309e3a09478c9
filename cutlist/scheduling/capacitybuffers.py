"""CapacityBuffers: pods that exist only to keep capacity free (spec: scheduling 11.2; S-124)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.api.capacitybuffer import CapacityBuffer
from cutlist.api.capacitybuffer_fields import PodTemplateRef
from cutlist.core.errors import Problems
from cutlist.core.shapes import Report
from cutlist.documents.document import Document
from cutlist.scheduling.queue import PodBatch
from cutlist.workloads import check
from cutlist.workloads.groups import workload_name
from cutlist.workloads.kinds import kind_of
from cutlist.workloads.pods import Pod
from cutlist.workloads.read_pod import read_pod

POD_TEMPLATE: Final = ("", "PodTemplate")
SCALED_KINDS: Final = ("Deployment", "StatefulSet", "ReplicaSet")
_REFERRED: Final = frozenset({POD_TEMPLATE, *(("apps", kind) for kind in SCALED_KINDS)})
LOWEST_PRIORITY: Final = -(2**31)
_CREATED_BY_THE_PASS: Final = float("inf")  # among pods of equal size the real ones come first

Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ResolvedBuffer:
    """A buffer with its references resolved: its virtual pods and their number.

    `target` is the workload whose replicas it is a share of, empty for one that is not; `wanted` says how large a share.
    """

    name: str
    namespace: str
    uid: str
    pod: Pod
    replicas: int
    target: str = ""
    wanted: CapacityBuffer | None = None

    def for_replicas(self, scaled: int) -> ResolvedBuffer:
        """Return the buffer as its controller sets it once the target has this many replicas (V-121)."""
        return self if self.wanted is None else replace(self, replicas=wanted_replicas(self.wanted, self.pod, scaled))

    @property
    def batch(self) -> PodBatch:
        """Return the buffer's virtual pods."""
        return PodBatch(
            name=f"capacity-buffer-{self.name}",
            pod=self.pod,
            count=self.replicas,
            created=_CREATED_BY_THE_PASS,
            uid=f"{self.uid}-1",
            virtual=True,
        )


def check_templates(documents: Iterable[Document], problems: Problems) -> None:
    """Add the mistakes in PodTemplates, which only CapacityBuffers read."""
    for document in documents:
        if kind_of(document.data) == POD_TEMPLATE:
            check.shape_of("PodTemplate")(document.data, "", Report(document, problems))


def read_buffers(buffers: Sequence[CapacityBuffer], objects: Iterable[Manifest]) -> tuple[ResolvedBuffer, ...]:
    """Return the buffers that keep capacity free, with pods according to their PodTemplates and workloads among some manifests.

    Those that buffers refer to have been checked.

    A buffer without status is judged as the controller would judge it. One that the controller found not ready, that has
    another strategy, or that refers to a missing object keeps nothing free.
    """
    by_identity = {_identity(o): o for o in objects if kind_of(o) in _REFERRED} if buffers else {}
    read = (_read(buffer, by_identity) for buffer in buffers)
    return tuple(b for b in read if b is not None and b.replicas > 0)


def _read(buffer: CapacityBuffer, objects: Mapping[tuple[str, str, str], Manifest]) -> ResolvedBuffer | None:
    manifest = buffer.manifest()
    if not _ready(buffer, manifest) or not buffer.keeps_room:
        return None
    scaled = _scaled(buffer, objects)
    named = buffer.status.pod_template_ref or buffer.pod_template_ref
    # What the controller wrote into the status wins: it has resolved the reference already.
    template = _template(named, buffer.namespace, objects) or _template_of(scaled)
    if template is None:
        return None
    pod = _virtual(template, buffer.namespace)
    if manifest.get("status"):
        # A status is the controller's last word: it is not computed again from a workload that may have changed since.
        replicas = buffer.status.replicas or 0
    else:
        replicas = wanted_replicas(buffer, pod, int((scaled or {}).get("spec", {}).get("replicas", 1)))
    uid = manifest["metadata"].get("uid") or f"{buffer.namespace}/{buffer.name}"
    ref = buffer.scalable_ref
    share = (workload_name(ref.kind, buffer.namespace, ref.name), buffer) if buffer.percentage is not None and ref else ()
    return ResolvedBuffer(buffer.name, buffer.namespace, uid, pod, replicas, *share)


def wanted_replicas(buffer: CapacityBuffer, pod: Pod, scaled: int) -> int:
    """Return how many virtual pods a buffer requests: the larger of its number and its share of a workload, within limits. A
    workload without replicas has no share."""
    counts = [buffer.replicas] if buffer.replicas is not None else []
    if buffer.percentage is not None and buffer.scalable_ref is not None and scaled > 0:
        counts.append(-(-scaled * buffer.percentage // 100))  # the double negation rounds up
    limits = buffer.limits or {}
    within = [limit.nanos // pod.requests[r] for r, limit in limits.items() if pod.requests.get(r)]
    return min([max(counts), *within] if counts else within, default=0)


def _ready(buffer: CapacityBuffer, manifest: Manifest) -> bool:
    """Tell whether a buffer is ready: one that no controller has seen yet counts as ready; after that its status has to say
    so."""
    status = {c.type: c.status for c in buffer.conditions}
    return not manifest.get("status") or status.get("ReadyForProvisioning") == "True"


def _virtual(template: Manifest, namespace: str) -> Pod:
    metadata = {**(template.get("metadata") or {}), "namespace": namespace}
    pod = read_pod({"metadata": metadata, "spec": template.get("spec") or {}})
    # No ResourceClaim is made from a template for them, so they ask for no such device.
    named = tuple(claim for claim in pod.resource_claims if claim.claim)
    # As Karpenter makes them: without volumes, whose claims would not exist, and with a priority that nothing reads (spec
    # 11.2).
    return replace(pod, resource_claims=named, volumes=(), priority=LOWEST_PRIORITY)


def _scaled(buffer: CapacityBuffer, objects: Mapping[tuple[str, str, str], Manifest]) -> Manifest | None:
    ref = buffer.scalable_ref
    return objects.get((ref.kind, buffer.namespace, ref.name)) if ref is not None and ref.kind in SCALED_KINDS else None


def _template(ref: PodTemplateRef | None, namespace: str, objects: Mapping[tuple[str, str, str], Manifest]) -> Manifest | None:
    return (objects.get(("PodTemplate", namespace, ref.name)) or {}).get("template") if ref is not None else None


def _template_of(workload: Manifest | None) -> Manifest | None:
    return (workload.get("spec") or {}).get("template") if workload is not None else None


def _identity(manifest: Manifest) -> tuple[str, str, str]:
    metadata = manifest.get("metadata") or {}
    return manifest.get("kind", ""), metadata.get("namespace") or "default", metadata.get("name") or ""
