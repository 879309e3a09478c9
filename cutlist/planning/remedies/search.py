"""The search for remedies: single changes, the least intrusive first, each planned with before it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cutlist.core.labels import ARCH, OS
from cutlist.core.taints import untolerated
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pass_controller import Controller
from cutlist.planning.remedies.changes import Remedy
from cutlist.planning.remedies.class_changes import ClassChanges
from cutlist.planning.remedies.pod_changes import PodChanges, required_keys
from cutlist.planning.remedies.pool_changes import PoolChanges
from cutlist.planning.remedies.trial import Trial
from cutlist.scheduling.claim_refusals import misfit
from cutlist.scheduling.inputs import is_ready
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.provisioner import prepare
from cutlist.scheduling.refusals import NoType
from cutlist.scheduling.scheduler import Scheduler

_OF_IMAGES = (ARCH, OS)  # what an image runs on is not for the pod to choose


@dataclass(frozen=True, slots=True)
class Remedies:
    """Finds, for pods that stay pending and a NodePool, the change after which it takes them all.

    `left` is the controller as the passes left it.
    """

    inputs: PlanInputs
    left: Controller
    scheduler: Scheduler
    templates: dict[str, NodeClaimTemplate] = field(compare=False)

    @staticmethod
    def of(inputs: PlanInputs, left: Controller) -> Remedies:
        """Return what searches in the cluster that passes left behind."""
        scheduler = prepare(left.inputs, left.tables)
        return Remedies(inputs, left, scheduler, {t.name: t for t in scheduler.templates})

    def first(self, batch: int, pool: str) -> Remedy | None:
        """Return the least intrusive change that gives all waiting pods of a batch a node of a NodePool, or None."""
        if self.left.inputs.batches[batch].virtual or not self.left.inputs.batches[batch].count:
            return None
        return next(self._changes(batch, pool), None)

    def _changes(self, batch: int, name: str) -> Iterator[Remedy]:
        trial, template = Trial(self.left, batch), self.templates.get(name)
        if template is None:
            pool = next((p for p in self.left.inputs.pools if p.name == name), None)
            if pool is not None and is_ready(pool):
                changes = PoolChanges(trial, pool)
                yield from changes.more_replicas() if pool.is_static else changes.widening()
            return
        pod_data = self.scheduler.cached_pod_data.of(trial.batch.pod, trial.volumes)
        pods, pools = PodChanges(trial, template), PoolChanges(trial, template.pool)
        if trial.batch.pod.uses_dynamic_resources:
            yield from pods.requesting_devices()
            return
        refusal = misfit(self.scheduler.admission, template, pod_data, template.mask)
        if refusal is None:
            yield from pools.raising_limits(template, self._fitting(template, pod_data))
            yield from pods.loosening()
            return
        taints = tuple(untolerated(template.pool.taints, trial.batch.pod.tolerations))
        if taints:
            yield from pools.moving_to_startup(taints)
            yield from pods.tolerating(taints)
            return
        keys = required_keys(trial.batch.pod)
        yield from pools.allowing([key for key in keys if key in _OF_IMAGES])
        yield from pods.dropping(keys)
        if isinstance(refusal, NoType):
            classes = ClassChanges(trial, self.inputs, name)
            yield from pods.requesting_other(refusal)
            disks = list(classes.enlarging_disk(refusal))
            yield from disks
            yield from classes.fewer_huge_pages(refusal)
            if not disks:
                yield from pods.shrinking(refusal)
        yield from pods.moving_volumes()

    def _fitting(self, template: NodeClaimTemplate, pod_data: PodData) -> int:
        """Return the types that would take a pod if limits did not matter."""
        admission = self.scheduler.admission
        empty = admission.new_claim(template, template.mask)
        held = (admission.add(empty, pod_data, narrowed) for narrowed in admission.narrow(empty, pod_data))
        return next((after.mask for after in held if after is not None), 0)
