"""Notes on workloads whose number of pods is not fixed, and on inputs in which none has a pod."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cutlist.core.notes import Note
from cutlist.core.wording import counted
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model.plan import NO_PODS
from cutlist.settings.planning import REPLICAS
from cutlist.workloads.chosen_replicas import MAXIMUM
from cutlist.workloads.groups import PodGroup

_NAMED: Final = 5
_AT_MAXIMUM: Final = f"`cutlist plan {REPLICAS.flag} {MAXIMUM}`"


@dataclass(frozen=True, slots=True)
class _Replicas:
    """A workload with its pods, those that run included, and the range that they are scaled in."""

    workload: str
    pods: int
    range: tuple[int, int] | None

    @property
    def most(self) -> int:
        """Return how many pods it may have."""
        return self.pods if self.range is None else max(self.pods, self.range[1])

    def __str__(self) -> str:
        return self.workload if self.range is None else f"{self.workload} ({self.range[0]} to {self.range[1]})"


def notes_on_maximum(inputs: PlanInputs) -> list[Note]:
    """Return a note on how many pods there are if every autoscaler is at its maximum, and on how to plan these."""
    scaled = [r for r in _replicas(inputs.workloads.groups) if r.most > r.pods]
    if not scaled or not _any_pods(inputs):
        return []
    now, most = sum(r.pods for r in scaled), sum(r.most for r in scaled)
    text = f"{counted(len(scaled), 'workload')} may grow from {counted(now, 'pod')} to {most:,}; {_AT_MAXIMUM} plans these"
    return [Note("autoscaled-maximum", text)]


def notes_on_nothing(inputs: PlanInputs) -> list[Note]:
    """Return a warning if every workload of the input has 0 pods: the plan is then not one of these workloads at work."""
    replicas = _replicas(inputs.workloads.groups)
    if not replicas or _any_pods(inputs):
        return []
    shown = ", ".join(map(str, replicas[:_NAMED])) + (f" and {len(replicas) - _NAMED:,} more" if replicas[_NAMED:] else "")
    ways = [f"{_AT_MAXIMUM} plans the most that autoscalers allow"] if any(r.most > r.pods for r in replicas) else []
    ways.append(f"{REPLICAS.flag} {replicas[0].workload}=N plans N pods of it")
    return [Note(NO_PODS, f"every workload of the input has 0 pods: {shown}; {', '.join(ways)}")]


def _any_pods(inputs: PlanInputs) -> bool:
    """Tell whether anything of the input runs, or waits for a node."""
    workloads = inputs.workloads
    running = workloads.bound or inputs.cluster.pods or inputs.buffers
    return bool(running) or any(group.count or group.bound for group in workloads.groups)


def _replicas(groups: Iterable[PodGroup]) -> list[_Replicas]:
    """Return each workload once, by name: a StatefulSet whose replicas differ has several groups."""
    pods: dict[str, int] = {}
    ranges: dict[str, tuple[int, int] | None] = {}
    for group in groups:
        pods[group.workload] = pods.get(group.workload, 0) + group.count + group.bound
        ranges[group.workload] = group.range
    return [_Replicas(name, pods[name], ranges[name]) for name in sorted(pods)]
