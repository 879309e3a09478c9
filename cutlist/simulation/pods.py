"""Pods of a simulated cluster: their names, which of them stay with their node, and the batches of a pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from cutlist.scheduling.queue import PodBatch
from cutlist.state.pods import RunningPod

DAEMON: Final = "DaemonSet"


def key_of(pod: RunningPod) -> str:
    """Return the name of a pod with its namespace."""
    return f"{pod.pod.namespace}/{pod.name}"


def is_same_pod(pod: RunningPod, other: RunningPod) -> bool:
    """Tell whether two values are of the same pod, perhaps at different instants."""
    return pod.name == other.name and pod.pod.namespace == other.pod.namespace


def stays_with_node(pod: RunningPod) -> bool:
    """Tell whether a pod begins and ends with its node: one of a DaemonSet, or the kubelet's own."""
    return DAEMON in pod.owners or "Node" in pod.owners


def batches_of(pods: Iterable[RunningPod]) -> list[PodBatch]:
    """Return pods in batches of equal ones that stand next to each other in the queue of a pass."""
    return [batch for batch, _ in batched(pods)]


def batched(pods: Iterable[RunningPod]) -> list[tuple[PodBatch, list[RunningPod]]]:
    """Return the batches of pods with their pods, in the order in which these were created."""
    groups: list[list[RunningPod]] = []
    for pod in sorted(pods, key=lambda p: (int(p.created), p.uid)):
        last = groups[-1][0] if groups else None
        # Pods with volumes stay apart: each may have claims of its own.
        if last is not None and last.pod is pod.pod and int(last.created) == int(pod.created) and not pod.pod.volumes:
            groups[-1].append(pod)
        else:
            groups.append([pod])
    return [(_batch(group), group) for group in groups]


def _batch(group: Sequence[RunningPod]) -> PodBatch:
    first = group[0]
    return PodBatch(
        first.name, first.pod, count=len(group), created=int(first.created), uid=first.uid, controller=first.controller
    )
