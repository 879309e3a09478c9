"""Equal pods of a cluster, read once: thousands differ only in their names, nodes, times and addresses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cutlist.workloads.pods import Pod
from cutlist.workloads.read_pod import read_pod

Manifest = Mapping[str, Any]

_METADATA: Final = ("namespace", "labels")
_SPEC: Final = (
    *("affinity", "nodeSelector", "tolerations", "topologySpreadConstraints", "overhead", "resources", "resourceClaims"),
    "priority",
)
_CONTAINER: Final = ("name", "resources", "ports", "restartPolicy")
_CONTAINER_STATUS: Final = ("name", "resources", "allocatedResources")
_RESIZE: Final = "PodResizePending"


@dataclass(slots=True)
class EqualPods:
    """Reads pods of a cluster. Of those that scheduling cannot tell apart, all are the one that was read first."""

    _known: dict[str, Pod] = field(default_factory=dict)

    def read(self, manifest: Manifest) -> Pod:
        """Return the pod of an object, as `read_pod` does."""
        essence = essence_of(manifest)
        written = repr(essence)
        if (pod := self._known.get(written)) is None:
            pod = self._known[written] = read_pod(essence)
        return pod


def essence_of(manifest: Manifest) -> dict[str, Any]:
    """Return what `read_pod` reads of the object of a pod, and nothing else."""
    metadata, spec, status = (manifest.get(part) or {} for part in ("metadata", "spec", "status"))
    essence = {name: spec[name] for name in _SPEC if name in spec}
    for kind in ("containers", "initContainers"):
        if containers := spec.get(kind):
            essence[kind] = _parts(containers, _CONTAINER)
    if volumes := spec.get("volumes"):
        essence["volumes"] = [v for v in volumes if v.get("persistentVolumeClaim") is not None or v.get("ephemeral")]
    return {"metadata": {name: metadata.get(name) for name in _METADATA}, "spec": essence, "status": _essence_of_status(status)}


def _essence_of_status(status: Manifest) -> dict[str, Any]:
    essence: dict[str, Any] = {
        kind: _parts(containers, _CONTAINER_STATUS)
        for kind in ("containerStatuses", "initContainerStatuses")
        if (containers := status.get(kind))
    }
    if resizes := [c for c in status.get("conditions") or () if c.get("type") == _RESIZE]:
        essence["conditions"] = resizes
    if claims := status.get("resourceClaimStatuses"):
        essence["resourceClaimStatuses"] = claims
    return essence


def _parts(entries: Iterable[Manifest], names: tuple[str, ...]) -> list[dict[str, Any]]:
    return [{name: entry[name] for name in names if name in entry} for entry in entries]
