"""Pods to schedule, in batches of equal ones, and their queue (spec: scheduling 4.7, 4.8)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from cutlist.workloads.default_selectors import PodController
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class PodBatch:
    """A number of pods that are equal in everything that matters, next to each other in the queue.

    `created` (seconds) and `uid` order pods of equal size; batches that share both keep the order given. `virtual` pods exist
    only to keep capacity free. `controller` is the object that controls them, where default spread constraints need it.
    """

    name: str
    pod: Pod
    count: int = 1
    created: float = 0
    uid: str = ""
    virtual: bool = False
    controller: PodController | None = None


@dataclass(slots=True)
class QueuedPods:
    """Some pods of a batch in the queue. `last_length` is the length of the queue when they last failed, -1 before."""

    batch: int
    count: int
    last_length: int = -1


class Queue:
    """Pods, largest first. The queue ends when a whole round made no progress (S-47, S-48)."""

    __slots__ = ("_runs", "length")

    def __init__(self, batches: Mapping[int, PodBatch]) -> None:
        """Sort `batches`, which are by number."""
        numbered = sorted(batches.items(), key=lambda n: _place(n[1]))
        self._runs = deque(QueuedPods(number, batch.count) for number, batch in numbered if batch.count > 0)
        self.length = sum(run.count for run in self._runs)

    def pop(self) -> QueuedPods | None:
        """Return the next pods to try, or None if none is left, or none would do better than last time."""
        # The length falls only when a pod is placed. The same length as after its last failure: nothing was placed since, and
        # nothing will be.
        if not self._runs or self._runs[0].last_length == self.length:
            return None
        return self._runs.popleft()

    def placed(self, count: int) -> None:
        """Record that this many of the popped pods are placed."""
        self.length -= count

    def push_back(self, run: QueuedPods, count: int) -> None:
        """Put this many of the popped pods, which failed one after the other, at the end."""
        self._runs.append(QueuedPods(run.batch, count, self.length))

    def left(self) -> dict[int, int]:
        """Return the pods that are not placed, by batch."""
        left: dict[int, int] = {}
        for run in self._runs:
            left[run.batch] = left.get(run.batch, 0) + run.count
        return left


def _place(batch: PodBatch) -> tuple[int, int, float, str]:
    requests = batch.pod.requests
    # Other resources do not count: Karpenter's queue compares cpu and memory only (S-47).
    return -requests.get("cpu", 0), -requests.get("memory", 0), batch.created, batch.uid
