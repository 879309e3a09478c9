"""Pods that wait, as a page has them: those together that wait for the same reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from cutlist.planning.model import PendingPods


@dataclass(frozen=True, slots=True)
class PendingGroup:
    """Workloads that wait for the same reason."""

    workloads: tuple[PendingPods, ...]

    @property
    def first(self) -> PendingPods:
        """Stands for the others in all but name and count."""
        return self.workloads[0]

    @property
    def pods(self) -> int:
        """How many pods wait."""
        return sum(w.count for w in self.workloads)


def pending_groups(pending: Sequence[PendingPods]) -> list[PendingGroup]:
    """Pods that wait, with those together that do for the same reason."""
    return [PendingGroup(tuple(alike)) for _, alike in groupby(pending, key=_why)]


def _why(pending: PendingPods) -> tuple[object, ...]:
    return pending.reason, pending.by_node_pool, pending.remedy
