"""The controllers of workloads: they create pods until there are as many as wanted, and choose which to delete.

A Deployment is treated as its one ReplicaSet. Pods are numbered as they are made; a StatefulSet fills the lowest ordinals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cutlist.core.annotations import DO_NOT_DISRUPT
from cutlist.simulation.demand.jobs import TimedJob, is_complete, is_failed, job_step
from cutlist.simulation.demand.rollouts import Rollout, ordered_change, ordinals_to_restart, recreated, rescaled, rolled
from cutlist.simulation.events import JobDue
from cutlist.simulation.outside_events import JobStarted, TemplateChanged
from cutlist.simulation.workload import Job, Workload, deleted_first, ordinal_of
from cutlist.simulation.world import World
from cutlist.state.pods import DISRUPTION_COST, RunningPod
from cutlist.workloads.groups import PodGroup
from cutlist.workloads.pods import DELETION_COST, Pod

_DEFAULT_ROLLOUT: Final = Rollout()
_NO_ROLLOUTS: Final[Mapping[str, Rollout]] = {}


class Controllers:
    """The controllers of all workloads. `set_replicas` and the like change what is wanted; `reconcile` makes it so."""

    __slots__ = ("_numbers", "_rollouts", "_world", "workloads")
    NOT_SAVED: Final = frozenset(("_rollouts",))

    def __init__(self, world: World, groups: Iterable[PodGroup], rollouts: Mapping[str, Rollout] = _NO_ROLLOUTS) -> None:
        """Begin with the workloads of a cluster; their running pods have to be adopted."""
        self._world = world
        self._numbers = 0
        self._rollouts = rollouts
        self.workloads: dict[str, Workload] = {}
        for group in groups:
            self.workloads.setdefault(group.workload, Workload(group, group.pod))

    def adopt(self, pods: Mapping[str, RunningPod], workload_of: Mapping[str, str]) -> None:
        """Adopt pods that run when the simulation begins."""
        for key, pod in pods.items():
            workload = self.workloads.get(workload_of.get(key, ""))
            if workload is not None:
                workload.pods[key] = None
                workload.replicas += 1
                workload.next += 1
                self._world.cluster.budgets.expect(pod.pod, 1)

    def set_replicas(self, name: str, replicas: int) -> None:
        """Set the replicas of a workload."""
        workload = self.workloads[name]
        self._world.cluster.budgets.expect(workload.pod, replicas - workload.replicas)
        if workload.former is not None and not workload.is_stateful:
            rolling = self._rollout_of(name).rolling
            counts = workload.rollout_counts(self._world.ready)
            # In the middle of a rollout both sets of pods share the new number (C-30).
            counts = counts if rolling is None else rescaled(rolling, workload.replicas, replicas, counts)
            workload.old_replicas, workload.new_replicas = counts.old, counts.new
        workload.replicas = replicas
        self.reconcile(name)

    def add_replicas(self, name: str, more: int) -> None:
        """Add replicas to a workload."""
        self.set_replicas(name, self.workloads[name].replicas + more)

    def change_template(self, event: TemplateChanged) -> None:
        """Change the template of a workload; a Job or a bare pod keeps its template."""
        workload, world = self.workloads[event.workload], self._world
        pod = workload.pod if event.pod is None else event.pod
        # Schedulers have to know the template before its first pod.
        world.cluster.admit(pod)
        world.cluster.budgets.expect(workload.pod, -workload.replicas)
        world.cluster.budgets.expect(pod, workload.replicas)
        workload.former, workload.pod = workload.pod, pod
        # A rollout on top of another one: all pods so far are old, whichever template they have.
        workload.old = {key for key in workload.pods if key not in workload.job_of}
        workload.old_replicas, workload.new_replicas = workload.replicas, 0
        self.reconcile(event.workload)

    def ready(self, key: str) -> None:
        """Record that a pod is ready: a rollout may continue, and the next pod of a StatefulSet may start."""
        workload = self._workload_of(key)
        if workload is not None and (workload.former is not None or self._is_ordered(workload)):
            self.reconcile(workload.group.workload)

    def start_job(self, job: JobStarted) -> None:
        """Start a Job; running ones of the same workload continue."""
        self._add_job(Job(job.terms, job.duration, self._world.now), job.workload)
        self.reconcile(job.workload)

    def adopt_jobs(self, jobs: Iterable[TimedJob]) -> list[str]:
        """Continue the Jobs of the input, and return the names of their running pods; adopted pods of a Job belong to it."""
        adopted = []
        for timed in jobs:
            workload = self.workloads[timed.job.workload]
            number = self._add_job(Job.adopted(timed, self._world.settings.start, self._world.now), timed.job.workload)
            # Which pod is which Job's is not known here, so the first ones are taken; they are equal.
            own = workload.own_pods[: timed.job.terms.parallelism]
            workload.job_of |= dict.fromkeys(own, number)
            workload.replicas -= len(own)
            for key in own:
                self._world.cluster.budgets.expect(self._world.cluster.pods[key].pod, -1)
            adopted += own
            self.reconcile(timed.job.workload)
        return adopted

    def _add_job(self, job: Job, name: str) -> int:
        self._numbers += 1
        self.workloads[name].jobs[self._numbers] = job
        if job.terms.deadline is not None:
            self._world.push(JobDue(max(self._world.now, job.started + job.terms.deadline), name))
        return self._numbers

    def jobs_of(self, name: str) -> int:
        """Return how many Jobs of a workload run."""
        return len(self.workloads[name].jobs)

    def end_jobs(self, name: str) -> None:
        """Delete the Jobs of a workload that run, with their pods."""
        workload = self.workloads[name]
        workload.jobs.clear()
        self._delete(list(workload.job_of), name)

    def counts(self, name: str) -> tuple[int, int, int]:
        """Return the replicas of a workload, how many of its pods are ready, and how many it has, not counting terminating
        ones."""
        workload = self.workloads[name]
        return workload.replicas, self._world.ready_of[name], len(workload.pods)

    def duration_of(self, key: str) -> int | None:
        """Return how long a pod runs until it succeeds, in milliseconds, or None for one that never completes."""
        workload = self._workload_of(key)
        job = workload.job_of.get(key) if workload is not None else None
        return None if workload is None or job is None else workload.jobs[job].duration

    def lost(self, key: str) -> str:
        """Note that a pod is about to end or has ended; return the name of its workload, or an empty string without one.

        The controllers react in `reconcile`.
        """
        name = self._world.cluster.workload_of.get(key, "")
        workload = self.workloads.get(name)
        if workload is None:
            return ""
        workload.old.discard(key)
        # The pods are the keys of a dictionary, whose values are None: so None means that the pod was among them.
        if workload.pods.pop(key, 0) is None and key in self._world.cluster.pods:
            workload.ending.add(key)
        workload.job_of.pop(key, None)
        return name

    def ended(self, key: str, workload: str) -> None:
        """Note that a pod no longer exists: its name may be used again."""
        if workload in self.workloads:
            of = self.workloads[workload]
            of.ending.discard(key)
            if self._rollout_of(workload).drops_claims and of.is_stateful and not of.wants(key):
                self._world.cluster.storage.scaled_down(of.pod, key.rpartition("/")[2])

    def succeeded(self, key: str) -> None:
        """Count a pod of a Job as succeeded; the Job reacts in `reconcile`."""
        workload = self._workload_of(key)
        number = workload.job_of.get(key) if workload is not None else None
        if workload is None or number is None:
            return
        job = workload.jobs[number]
        job.progress = job.progress.with_success()

    def evicted(self, key: str) -> str:
        """Note that a pod is evicted or ends with its node, as `lost` does; for its Job it has failed (C-24)."""
        workload = self._workload_of(key)
        number = workload.job_of.get(key) if workload is not None else None
        if workload is not None and number is not None:
            job = workload.jobs[number]
            job.progress = job.progress.with_eviction(self._world.now, job.terms)
        return self.lost(key)

    def reconcile(self, name: str) -> None:
        """Create the pods that a workload lacks, or delete surplus ones."""
        workload = self.workloads.get(name)
        if workload is None:
            return
        # A list, since a Job that ends is removed on the way.
        for number in list(workload.jobs):
            self._run_job(name, workload, number)
        own = workload.own_pods
        if workload.former is not None:
            self._roll_out(name, workload, own)
            if workload.former is not None and not workload.is_stateful:
                return
            own = workload.own_pods
        if self._is_ordered(workload):
            self._reconcile_in_order(name, workload)
            return
        missing = workload.replicas - len(own)
        if workload.is_stateful:
            missing -= len(workload.ending)  # the name of a pod is free once the pod no longer exists
        for _ in range(missing):
            self._make(name, workload)
        # Negative also while pods end whose names are still taken; then nothing is surplus.
        if missing < 0 and len(own) > workload.replicas:
            self._delete(self._surplus(own, len(own) - workload.replicas, workload), name)

    def _is_ordered(self, workload: Workload) -> bool:
        return workload.is_stateful and self._rollout_of(workload.group.workload).is_ordered

    def _reconcile_in_order(self, name: str, workload: Workload) -> None:
        """Create or delete one pod after another, as far as that is possible now (C-32, C-33)."""
        while change := ordered_change(workload.replicas, *workload.numbered(self._world.ready)):
            if change > 0:
                self._make(name, workload)
            else:
                self._delete(self._surplus(workload.own_pods, 1, workload), name)

    def _surplus(self, keys: Iterable[str], count: int, workload: Workload) -> list[str]:
        pods = [(key, self._world.cluster.pods[key]) for key in keys]
        return deleted_first(pods, self._world.ready, is_stateful=workload.is_stateful)[: max(0, count)]

    # --- Jobs

    def _run_job(self, name: str, workload: Workload, number: int) -> None:
        """Start or delete pods of a Job; forget one that is complete or has failed (C-20 to C-23)."""
        job, now = workload.jobs[number], self._world.now
        own = [key for key, of in workload.job_of.items() if of == number]
        if is_failed(job.terms, job.progress, job.started, now) or is_complete(job.terms, job.progress, len(own)):
            del workload.jobs[number]
            self._delete(own, name)
            return
        step = job_step(job.terms, job.progress, len(own), now)
        self._delete(self._surplus(own, step.remove, workload), name)
        for _ in range(step.start):
            workload.job_of[self._make(name, workload)] = number
        if step.not_before > now and step.not_before != job.due:
            job.due = step.not_before
            self._world.push(JobDue(job.due, name))

    # --- rollouts

    def _rollout_of(self, name: str) -> Rollout:
        return self._rollouts.get(name, _DEFAULT_ROLLOUT)

    def _roll_out(self, name: str, workload: Workload, own: Sequence[str]) -> None:
        """Take the steps of a rollout that are possible now; at its end no pod has the former template."""
        rollout = self._rollout_of(name)
        if workload.is_stateful:
            self._restart(name, workload, rollout, own)
            return
        counts = workload.rollout_counts(self._world.ready)
        if rollout.rolling is not None:
            counts = rolled(rollout.rolling, workload.replicas, counts)
        else:
            counts = recreated(workload.replicas, counts, len(workload.ending))
        workload.old_replicas, workload.new_replicas = counts.old, counts.new
        old = [key for key in own if key in workload.old]
        new = [key for key in own if key not in workload.old]
        self._delete(self._surplus(old, len(old) - counts.old, workload), name)
        self._delete(self._surplus(new, len(new) - counts.new, workload), name)
        for _ in range(counts.old - len(old)):
            workload.old.add(self._make(name, workload, workload.former))
        for _ in range(counts.new - len(new)):
            self._make(name, workload)
        # The end of the rollout: the workload is an ordinary one again.
        if not counts.old and counts.new == workload.replicas:
            workload.former = None
            workload.old.clear()

    def _restart(self, name: str, workload: Workload, rollout: Rollout, own: Sequence[str]) -> None:
        """Delete the pods of a StatefulSet that are next; they come back with the new template."""
        numbers = {ordinal_of(key): key for key in own}
        outdated = [number for number, key in numbers.items() if key in workload.old]
        if not any(number >= rollout.partition for number in outdated) and not rollout.partition:
            workload.former = None
        not_available = workload.replicas - sum(key in self._world.ready for key in own)
        restarted = ordinals_to_restart(rollout, workload.replicas, outdated, not_available)
        self._delete([numbers[number] for number in restarted], name)

    def _delete(self, keys: Iterable[str], name: str) -> None:
        for key in keys:
            self.lost(key)
            self._world.delete_pod(key)
            if key not in self._world.cluster.pods:
                self.ended(key, name)

    def _workload_of(self, key: str) -> Workload | None:
        return self.workloads.get(self._world.cluster.workload_of.get(key, ""))

    def _make(self, name: str, workload: Workload, template: Pod | None = None) -> str:
        world, group = self._world, workload.group
        index = workload.free_ordinal if workload.is_stateful else self._next_number(workload)
        world.pods_made += 1
        pod = RunningPod(
            name=group.pod_name(index) if workload.is_stateful else f"{group.name}-{index}",
            pod=template or self._template_of(name, workload, index),
            uid=f"{world.pods_made:012d}",
            created=world.cluster.stamp,
            phase="Pending",
            owners=group.owner_kinds,
            do_not_disrupt=group.annotations.get(DO_NOT_DISRUPT, ""),
            deletion_cost=group.annotations.get(DELETION_COST, ""),
            disruption_cost=group.annotations.get(DISRUPTION_COST),
            grace=group.grace,
            controller=workload.controller,
        )
        key = world.create_pod(pod, name)
        workload.pods[key] = None
        return key

    def _template_of(self, name: str, workload: Workload, index: int) -> Pod:
        """Return the template of a new pod: that of a StatefulSet below its partition is the former one."""
        is_former = workload.is_stateful and index < self._rollout_of(name).partition
        return workload.former if is_former and workload.former is not None else workload.pod

    def _next_number(self, workload: Workload) -> int:
        """Return the number of the next pod, whose name no other has."""
        names = f"{workload.pod.namespace}/{workload.group.name}-"
        # Pods that were adopted may have such names.
        while f"{names}{workload.next}" in self._world.cluster.pods:
            workload.next += 1
        workload.next += 1
        return workload.next - 1
