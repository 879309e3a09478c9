"""A workload as its controllers see it: its pods, its Jobs, a rollout that is going on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from cutlist.disruption.costs import deletion_cost
from cutlist.simulation.demand.jobs import JobProgress, JobTerms, TimedJob
from cutlist.simulation.demand.rollouts import RolloutCounts
from cutlist.simulation.events import SECOND
from cutlist.state.pods import RunningPod
from cutlist.workloads.default_selectors import PodController
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import Pod


@dataclass(slots=True)
class Job:
    """A Job that runs since `started`: its terms, how long each of its pods runs, and what has happened to them. `due` is when
    it has to be checked next because of time.
    """

    terms: JobTerms
    duration: int
    started: int
    progress: JobProgress = field(default_factory=JobProgress)
    due: int = 0

    @staticmethod
    def adopted(timed: TimedJob, start: float, now: int) -> Job:
        """Return a Job of the input as it runs from now on in a simulation since `start`, in seconds since 1970.

        Its first instant may lie before the start of the simulation.
        """
        job = timed.job
        started = now if job.started is None else round((job.started - start) * SECOND)
        return Job(job.terms, timed.duration, started, job.progress)


@dataclass(slots=True)
class Workload:
    """A workload at the present instant. `pods` are its pods by `namespace/name`, those that end not included.

    `next` is the number of its next pod, `jobs` are the Jobs that run, by the number of their start, and `job_of` says which
    one a pod belongs to. While a new template is rolled out, `old` are the pods of the former one, `former` is what these
    look like, and `old_replicas` is how many there are to be. `controller` is the object that its pods belong to.
    """

    group: PodGroup
    pod: Pod
    replicas: int = 0
    next: int = 0
    pods: dict[str, None] = field(default_factory=dict)
    ending: set[str] = field(default_factory=set)
    jobs: dict[int, Job] = field(default_factory=dict)
    job_of: dict[str, int] = field(default_factory=dict)
    old: set[str] = field(default_factory=set)
    former: Pod | None = None
    old_replicas: int = 0
    new_replicas: int = 0
    controller: PodController | None = field(init=False)

    def __post_init__(self) -> None:
        """Name the object that controls its pods."""
        self.controller = self.group.controller

    @property
    def own_pods(self) -> list[str]:
        """Return the pods that are not those of a Job."""
        return [key for key in self.pods if key not in self.job_of] if self.job_of else list(self.pods)

    def rollout_counts(self, ready: Collection[str]) -> RolloutCounts:
        """Return how many pods of the former and the new template are wanted, and how many of them are ready."""
        old = sum(key in ready for key in self.old)
        new = sum(key in ready for key in self.own_pods if key not in self.old)
        return RolloutCounts(self.old_replicas, min(old, self.old_replicas), self.new_replicas, min(new, self.new_replicas))

    @property
    def is_stateful(self) -> bool:
        """Tell whether its pods keep their names."""
        return self.group.kind == "StatefulSet"

    def numbered(self, ready: Collection[str]) -> tuple[dict[int, bool], set[int]]:
        """Return the pods of a StatefulSet by their numbers from 0 on: whether each is ready, and which ones end."""
        first = self.group.first
        is_ready = {ordinal_of(key) - first: key in ready for key in self.own_pods}
        return is_ready, {ordinal_of(key) - first for key in self.ending}

    def wants(self, key: str) -> bool:
        """Tell whether a pod of a StatefulSet has one of the ordinals that its replicas take."""
        return 0 <= ordinal_of(key) - self.group.first < self.replicas

    @property
    def free_ordinal(self) -> int:
        """Return the lowest ordinal that no pod of a StatefulSet has."""
        used = {*self.pods, *self.ending}
        namespace, group = self.pod.namespace, self.group
        return next(n for n in range(len(used) + 1) if f"{namespace}/{group.pod_name(n)}" not in used)


def ordinal_of(key: str) -> int:
    """Return the ordinal of a pod of a StatefulSet by its name."""
    return int(key.rpartition("-")[2])


def deleted_first(pods: Sequence[tuple[str, RunningPod]], ready: Collection[str], *, is_stateful: bool) -> list[str]:
    """Return pods in the order in which a controller deletes them: that of ReplicaSets, or from the highest ordinal down.

    Pods come with their `namespace/name`; `ready` are those that are ready.
    """
    if is_stateful:
        # By length first, which orders `web-10` after `web-9` without reading the number.
        return [key for key, _ in sorted(pods, key=lambda p: (len(p[0]), p[0]), reverse=True)]
    beside = Counter(pod.node for _, pod in pods)

    def rank(entry: tuple[str, RunningPod]) -> tuple[bool, bool, float, int, float, str]:
        key, pod = entry
        # The order of ReplicaSets: not assigned, not ready, cheap to delete, crowded nodes, the newest.
        newest = -(pod.started or 0.0)
        return bool(pod.node), key in ready, deletion_cost(pod.deletion_cost), -beside[pod.node], newest, key

    return [key for key, _ in sorted(pods, key=rank)]
