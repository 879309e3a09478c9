"""Pods counted in pods of a size, which bounds what nodes and machines hold without placing anything (spec: disruption 5.1).

A pod counts as many pods of a size as fit into what it requests. So the pods on one node or machine never count as more pods of
the size than it has room for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.scheduling.firstfit import Needs
from cutlist.scheduling.poddata import PodData

Counted = Sequence[tuple[PodData, int]]
"""Pods of some kinds, each with how many there are."""
_PODS: Final = "pods"


@dataclass(frozen=True, slots=True, eq=False)
class PodSize:
    """A size of pods with equal tolerations and requirements: the requests of the pod that represents it.

    `needs` are places in the order of resources. Every pod is one pod, regardless of its size: the resource `pods` counts only
    if nothing else is requested.
    """

    kind: PodData
    needs: Needs
    requests: Mapping[str, int]
    _weights: dict[int, int] = field(default_factory=dict)

    @staticmethod
    def of(kind: PodData, resources: Sequence[str]) -> PodSize:
        """Return what a pod of the kind needs; its place among the pods of a node counts only if it needs nothing else."""
        needs = [(at, need) for at, need in enumerate(kind.requests) if need > 0]
        needs = [(at, need) for at, need in needs if resources[at] != _PODS] or needs
        return PodSize(kind, needs, {resources[at]: need for at, need in needs})

    def count(self, pods: Counted) -> int:
        """Return how many pods of the size some pods count as, at least; pods with other labels or tolerations count as
        none."""
        weights, counted = self._weights, 0
        for kind, times in pods:
            weight = weights.get(kind.number)
            if weight is None:
                weight = weights[kind.number] = self._weight(kind)
            counted += weight * times
        return counted

    def _weight(self, kind: PodData) -> int:
        own = self.kind
        if kind.requirements != own.requirements or kind.pod.tolerations != own.pod.tolerations:
            return 0
        return min(kind.requests[at] // need for at, need in self.needs)
