"""What changes in a cluster between a command and its validation, as conformance scenarios say it (oracle/core/FORMAT.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cutlist.disruption.cluster_state import ClusterState
from cutlist.simulation.recording.pod_manifests import Manifest, present, running_pod_manifest
from cutlist.simulation.recording.scenario import marked_nodes, objects_of
from cutlist.state.pods import RunningPod

_REMOVED: Final = ("Pod", "Node", "NodeClaim")
"""The kinds of objects that a scenario can remove. Of others that end with a node nothing depends."""
_WAITS: Final = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
Instant = tuple[ClusterState, Iterable[RunningPod]]
"""A cluster and its pods without a node."""
_Identity = tuple[str, str, str]


def changes_between(before: Instant, after: Instant) -> Manifest | None:
    """Return what happens between two instants, or None if a scenario cannot say it."""
    if not _can_be_said(before[0], after[0]):
        return None
    old, new = (dict(_by_identity(*instant)) for instant in (before, after))
    memory, later = before[0].controller_memory, after[0].controller_memory
    deleted = [identity for identity in old if identity not in new and identity[0] in _REMOVED]
    return present(
        delay=f"{after[0].now - before[0].now:.3f}s",
        apply=[manifest for identity, manifest in new.items() if old.get(identity) != manifest],
        delete=[{"kind": kind, **present(namespace=namespace), "name": name} for kind, namespace, name in deleted],
        nominated=sorted(n for n, at in later.nominated.items() if memory.nominated.get(n) != at),
        marked=sorted(set(marked_nodes(after[0])) - set(marked_nodes(before[0]))),
    )


def _can_be_said(before: ClusterState, after: ClusterState) -> bool:
    """Tell whether nothing has changed but objects, nominations and marks: no NodePool, no buffer, no command that failed."""
    is_same = before.pools is after.pools and before.types is after.types and before.buffers == after.buffers
    memory, later = before.controller_memory, after.controller_memory
    staying = {node.name for node in after.nodes if not node.state.removed}
    return is_same and memory.buffered == later.buffered and not (memory.queued - later.queued) & staying


def _by_identity(state: ClusterState, pending: Iterable[RunningPod]) -> Iterator[tuple[_Identity, Manifest]]:
    for manifest in (*objects_of(state), *map(_waiting, pending)):
        metadata = manifest["metadata"]
        yield (manifest["kind"], metadata.get("namespace", ""), metadata["name"]), manifest


def _waiting(pod: RunningPod) -> Manifest:
    """Return a pod that kube-scheduler has found no node for."""
    manifest = running_pod_manifest(pod)
    return {**manifest, "status": {"phase": "Pending", **manifest.get("status", {}), "conditions": [_WAITS]}}
