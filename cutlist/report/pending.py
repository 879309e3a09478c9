"""Pending pods as every view shows them: grouped by the reason why they are pending."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from cutlist.core.wording import counted
from cutlist.planning.model import PendingPods


@dataclass(frozen=True, slots=True)
class PendingGroup:
    """Workloads whose pods are pending for the same reason."""

    workloads: tuple[PendingPods, ...]

    @property
    def first(self) -> PendingPods:
        """Return one of them, which represents the others in everything except name and count."""
        return self.workloads[0]

    @property
    def pods(self) -> int:
        """Return how many pods are pending."""
        return sum(w.count for w in self.workloads)


def pending_groups(pending: Sequence[PendingPods]) -> list[PendingGroup]:
    """Return pending pods grouped by reason."""
    return [PendingGroup(tuple(alike)) for _, alike in groupby(pending, key=_reason)]


def other_reasons(number: int) -> str:
    """Return in words for how many further reasons pods are pending."""
    return "another reason" if number == 1 else counted(number, "other reason")


def _reason(pending: PendingPods) -> tuple[object, ...]:
    """Return what the pods of a group have in common."""
    return pending.reason, pending.by_node_pool, pending.remedy
