"""What a pod of a DaemonSet looks like to Karpenter: like the newest that runs (spec: scheduling 3.6; S-40)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from cutlist.workloads.owners import key_of, owner_of, owner_reference
from cutlist.workloads.pods import Pod
from cutlist.workloads.read_pod import read_pod

Manifest = Mapping[str, Any]


def daemon_pod(daemon_set: Manifest, template: Pod, pods: Iterable[Manifest]) -> Pod:
    """The newest of some pods that is the DaemonSet's, else the one that its template gives.

    A required node affinity of the template stands in for that of the running pod, which is pinned to its node.
    """
    mine = [pod for pod in pods if _is_of(pod, daemon_set)]
    if not mine:
        return template
    newest = read_pod(max(mine, key=_created))
    if template.required is None:
        return newest
    return replace(newest, required=template.required, uses_match_fields=template.uses_match_fields)


def _is_of(pod: Manifest, daemon_set: Manifest) -> bool:
    """Whether a DaemonSet made a pod, and not an earlier one of its name, which uids tell where both are known."""
    uids = {(owner_reference(pod) or {}).get("uid"), daemon_set["metadata"].get("uid")} - {None, ""}
    return owner_of(pod) == key_of(daemon_set) and len(uids) < 2


def _created(manifest: Manifest) -> str:
    return str(manifest["metadata"].get("creationTimestamp") or "")
