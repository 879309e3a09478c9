"""Gangs in a simulation: which pods are bound together, and which pods their scheduler holds back (spec: gangs 1, 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cutlist.state.pods import RunningPod
from cutlist.workloads.gangs.gang import Gang, GangId
from cutlist.workloads.groups import PodGroup


class SimulatedGangs:
    """The gangs of some workloads; their minimum is that of the start, however many pods there are later."""

    __slots__ = ("_minimum", "_of")

    def __init__(self, gangs: Iterable[Gang] = (), groups: Iterable[PodGroup] = ()) -> None:
        """Take the gangs that need more than one pod at once."""
        self._minimum: Mapping[GangId, int] = {gang.id: gang.minimum for gang in gangs if gang.minimum > 1}
        self._of: Mapping[str, GangId] = {
            group.workload: group.gang for group in groups if group.gang is not None and group.gang in self._minimum
        }

    @property
    def are_none(self) -> bool:
        """Tell whether no workload belongs to a gang."""
        return not self._of

    def bound_together(self, workload: str) -> GangId | None:
        """Return the gang of a workload whose pods are bound together, None for another workload."""
        gang = self._of.get(workload)
        return gang if gang is not None and gang.scheduler.binds_together else None

    def lacking(self, gang: GangId, pods: Mapping[str, RunningPod], workload_of: Mapping[str, str]) -> int:
        """Return how many more pods of a gang have to be bound at once; none if enough of them run."""
        own = (pod for key, pod in pods.items() if self._of.get(workload_of.get(key, "")) == gang)
        running = sum(1 for pod in own if pod.node and pod.active)
        return max(0, self._minimum[gang] - running)

    def marked(
        self, pending: Iterable[str], pods: Mapping[str, RunningPod], workload_of: Mapping[str, str]
    ) -> Sequence[RunningPod]:
        """Return the waiting pods that are marked as unschedulable: without those of gangs with too few pods, which their
        scheduler holds back (GA-4, GA-19)."""
        short = self._short(pods, workload_of) if self._of else frozenset()
        return [pods[key] for key in pending if self._of.get(workload_of.get(key, "")) not in short]

    def _short(self, pods: Mapping[str, RunningPod], workload_of: Mapping[str, str]) -> frozenset[GangId | None]:
        there = Counter(self._of.get(workload_of.get(key, "")) for key, pod in pods.items() if pod.active)
        known = ((gang, least) for gang, least in self._minimum.items() if not gang.scheduler.marks_short)
        return frozenset(gang for gang, least in known if there[gang] < least)

    def why_waiting(self, workload: str, reason: str) -> str:
        """Return why pods of a workload wait: a reason of Karpenter's, and the gang that they wait for, if there is one."""
        gang = self.bound_together(workload)
        if gang is None:
            return reason
        needed = f"{gang.shown} needs {self._minimum[gang]:,} pods at once"
        return f"{needed}; {reason}" if reason else f"{needed}, and the nodes have room for fewer"


NO_GANGS: Final = SimulatedGangs()
