"""How a StatefulSet with the policy OrderedReady starts and removes its pods: one after another (spec: controllers 5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def ordered_change(replicas: int, is_ready: Mapping[int, bool], ending: Collection[int]) -> int:
    """Return 1 if the next pod is created now, -1 if the highest one is deleted, and 0 if all that is left is to wait (C-32,
    C-33).

    `is_ready` has the pods that do not end, by their numbers from 0 on; `ending` are those that do.
    """
    for number in range(replicas):
        if number in ending:
            return 0
        if number not in is_ready:
            return 1
        # OrderedReady: nothing comes after a pod that is not ready, not even its removal.
        if not is_ready[number]:
            return 0
    return -1 if len(is_ready) > replicas and not ending else 0
