"""The search for remedies: single changes, the least intrusive first, each planned with before it counts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cutlist.core.identity import OncePerObject
from cutlist.core.labels import ARCH, OS, ZONE, domain
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.pass_inputs import PassInputs
from cutlist.planning.passes import PassesOutcome
from cutlist.planning.remedies.changes import Allow, RaiseLimit, Remedy
from cutlist.planning.remedies.class_changes import ClassChanges
from cutlist.planning.remedies.known_types import KnownTypes
from cutlist.planning.remedies.limit_raises import LimitRaises
from cutlist.planning.remedies.pod_changes import PodChanges, required_keys
from cutlist.planning.remedies.pool_changes import PoolChanges, is_startup
from cutlist.planning.remedies.trial import KnownTrials, SpentError, Trial, TrialBudget
from cutlist.providers.instance_types import CPU, MEMORY, NVIDIA_GPU, PODS
from cutlist.scheduling.claim_refusals import misfit
from cutlist.scheduling.inputs import is_ready
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.provisioner import SchedulingContext
from cutlist.scheduling.refusals import InvalidClaim, NotTolerated, NoType, Refusal, TooFewValues, TooManyVolumes
from cutlist.state.volumes import NO_VOLUMES
from cutlist.workloads.pods import NO_AMOUNTS, NO_LABELS, Pod

_APART: Final = 100
"""Number of different pods of a plan up to which each has a search of its own; of more, pods of one shape have one together."""
TRIALS: Final = 1_000
"""Number of plans that are made at most to find what would help the pods of a plan."""
_SEVERAL: Final = 2
_NVIDIA: Final = domain(NVIDIA_GPU)
_OF_MACHINES: Final = frozenset({CPU, MEMORY, PODS})
_OF_IMAGES: Final = (ARCH, OS)  # what an image runs on is not for the pod to choose


class Remedies:
    """Finds, for pods that stay pending and a NodePool, the change after which it takes them all.

    Pods that differ in nothing that placement depends on have the same answer, which is found once. With very many different
    pods, those of one shape, which differ in amounts alone, are tried together: a change counts if it places them all, and only
    where none does is each tried on its own. `unsought` are the batches for which the budget of trials was spent.
    """

    __slots__ = (
        *("_budget", "_by_cause", "_by_shape", "_inputs", "_known", "_labels_count", "_left", "_raises", "_scheduler"),
        *("_shape", "_templates", "_trials", "_types", "unsought"),
    )

    def __init__(self, inputs: PlanInputs, ready: PassInputs, outcome: PassesOutcome) -> None:
        """Search in the cluster that passes left behind: `ready` are their inputs, and `outcome` is theirs."""
        left = outcome.controller
        self._inputs = inputs
        self._left = left
        # Pods are tried in passes of their own: this scheduler answers for its NodePools, and has none of the pods that wait.
        self._scheduler = SchedulingContext(left.inputs, left.tables).new_scheduler(replace(left.inputs, batches=()))
        self._templates = {t.name: t for t in self._scheduler.templates}
        self._types = {t.name: KnownTypes(t) for t in self._scheduler.templates}
        self._known: dict[Hashable, Remedy | None] = {}
        self._budget = TrialBudget(TRIALS)
        self._trials = KnownTrials(self._without_labels)
        self._shape = OncePerObject(self._without_labels)
        self.unsought: set[int] = set()
        pods = (*(batch.pod for batch in left.inputs.batches), *(bound.pod for bound in left.inputs.bound))
        self._labels_count = any(pod.anti_affinity for pod in pods)
        self._by_shape = self._batches_by_shape()
        self._by_cause: dict[tuple[str, int], Mapping[int, tuple[int, ...]]] = {}
        self._raises = LimitRaises(ready, outcome, self._budget)

    def _batches_by_shape(self) -> Mapping[int, tuple[int, Sequence[int]]]:
        """Return for each batch that waits the number of its shape and the batches of that shape, if there are very many
        different ones."""
        waiting = [n for n, batch in enumerate(self._left.inputs.batches) if batch.count and not batch.virtual]
        if len({self._shape(self._left.inputs.batches[n].pod) for n in waiting}) <= _APART:
            return {}
        by_shape: dict[Hashable, list[int]] = {}
        for number in waiting:
            by_shape.setdefault(self._common_shape(number), []).append(number)
        return {number: (place, alike) for place, alike in enumerate(by_shape.values()) for number in alike}

    def _common_shape(self, number: int) -> Hashable:
        """Return what pods have in common that differ in amounts alone."""
        pod = self._left.inputs.batches[number].pod
        alone = number if pod.volumes else None  # volumes are each pod's own
        return alone, number in self._left.inputs.moving, replace(self._shape(pod), requests=NO_AMOUNTS), tuple(pod.requests)

    @property
    def trials(self) -> int:
        """Return how many trials were made."""
        return self._budget.made

    @property
    def pools(self) -> tuple[str, ...]:
        """Return the NodePools that may launch nodes, in the order in which they are tried."""
        return tuple(self._templates)

    def first(self, batch: int, pool: str, refusal: Refusal | None = None) -> Remedy | None:
        """Return the least intrusive change that gives all waiting pods of a batch a node of a NodePool, or None.

        `refusal` is that of the NodePool, if it was asked. No change is known for pods that a pass placed and whose NodeClaim
        was dropped or whose NodeClaim or volumes were refused then.
        """
        waiting = self._left.inputs.batches[batch]
        if waiting.virtual or not waiting.count or isinstance(refusal, InvalidClaim | TooFewValues | TooManyVolumes):
            return None
        if (raised := self._raised(batch, pool)) is not None:
            return raised
        together = self._together(batch, pool)
        # A batch is tried with the same others each time, so the first of them stands for all.
        remedy = self._sought((pool, together[0]), together, pool) if len(together) > 1 else None
        if remedy is None:
            key = (pool, waiting.count, batch in self._left.inputs.moving, self._shape(waiting.pod))
            remedy = self._sought(key, (batch,), pool)
        if remedy is None and self._budget.left <= 0:
            self.unsought.add(batch)
        return remedy

    def _raised(self, batch: int, pool: str) -> RaiseLimit | None:
        """Return the raise of limits of a NodePool that helps a batch, or None; once the budget is spent only what is known."""
        template = self._templates.get(pool)
        try:
            return None if template is None else self._raises.of(batch, template)
        except SpentError:
            return None

    def _sought(self, key: Hashable, batches: Sequence[int], pool: str) -> Remedy | None:
        """Return the first change that helps some batches, or None; once the budget is spent only what is known."""
        if key not in self._known:
            if self._budget.left <= 0:  # no change counts without a trial
                return None
            try:
                self._known[key] = next(self._changes(batches, pool), None)
            except SpentError:
                return None
        return self._known[key]

    def _together(self, batch: int, pool: str) -> tuple[int, ...]:
        """Return the batches that are tried together at a NodePool: those of one shape that it refuses for the same reason.
        The first one requests the most."""
        shape, alike = self._by_shape.get(batch, (0, ()))
        if len(alike) < _SEVERAL:
            return (batch,)
        if (pool, shape) not in self._by_cause:
            self._by_cause[pool, shape] = self._sorted_by_cause(alike, self._templates.get(pool))
        return self._by_cause[pool, shape][batch]

    def _sorted_by_cause(self, alike: Sequence[int], template: NodeClaimTemplate | None) -> Mapping[int, tuple[int, ...]]:
        """Return, for each of some batches, those that a NodePool refuses for the same reason."""
        by_cause: dict[Hashable, list[int]] = {}
        for number in sorted(alike, key=lambda n: [-a for a in self._left.inputs.batches[n].pod.requests.values()]):
            by_cause.setdefault(self._cause(number, template), []).append(number)
        groups = map(tuple, by_cause.values())
        return {number: same for same in groups for number in same}

    def _cause(self, batch: int, template: NodeClaimTemplate | None) -> Hashable:
        """Return why a NodePool gives a pod no new node, as far as remedies depend on it."""
        if template is None:
            return None
        volumes = self._left.inputs.volumes.get(batch, NO_VOLUMES)
        pod_data = self._scheduler.cached_pod_data.of(self._left.inputs.batches[batch].pod, volumes)
        refusal = misfit(self._scheduler.admission, template, pod_data, template.mask)
        return type(refusal), frozenset(refusal.shortfall) if isinstance(refusal, NoType) else None

    def _without_labels(self, pod: Pod) -> Pod:
        """Return the shape of a pod: without its labels where no rule looks at them."""
        has_rules = pod.spread or pod.affinity or pod.anti_affinity or self._left.inputs.options.default_spread
        return pod if self._labels_count or has_rules or pod.volumes else replace(pod, labels=NO_LABELS)

    def _changes(self, batches: Sequence[int], name: str) -> Iterator[Remedy]:
        first, *others = batches
        trial, template = Trial(self._left, first, self._budget, self._trials, tuple(others)), self._templates.get(name)
        if template is None:
            yield from self._of_absent(trial, name)
        elif trial.batch.pod.uses_dynamic_resources and self._left.inputs.options.ignore_dra_requests:
            yield from PodChanges(trial, template, self._types[name]).requesting_devices()
        else:
            yield from self._of_template(trial, template)

    def _of_absent(self, trial: Trial, name: str) -> Iterator[Remedy]:
        """Yield changes of a NodePool that launches nothing for any pod."""
        pool = next((p for p in self._left.inputs.pools if p.name == name), None)
        if pool is None or not is_ready(pool):
            return
        changes = PoolChanges(trial, pool)
        if pool.is_static:
            yield from changes.more_replicas()
        else:
            yield from changes.allowing_on_demand()
            yield from changes.correcting(self._left.inputs.types.get(pool.name, ()))
            yield from changes.widening()

    def _of_template(self, trial: Trial, template: NodeClaimTemplate) -> Iterator[Remedy]:
        """Yield changes for pods to which a NodePool gives no new node."""
        types, admission = self._types[template.name], self._scheduler.admission
        pods, pools = PodChanges(trial, template, types), PoolChanges(trial, template.pool)
        pod_data = self._scheduler.cached_pod_data.of(trial.batch.pod, trial.volumes)
        match misfit(admission, template, pod_data, template.mask):
            case None:
                yield from pools.allowing_on_demand()
                if trial.batch.pod.spread or trial.batch.pod.affinity or trial.batch.pod.anti_affinity:
                    yield from pools.allowing_zones(types.values(ZONE))
                yield from pods.loosening()
            case NotTolerated(taints):
                if all(map(is_startup, taints)):
                    yield from pools.moving_to_startup(taints)
                elif not any(map(is_startup, taints)):
                    yield from pods.tolerating(taints)
            case refusal:
                keys = required_keys(trial.batch.pod)
                yield from pools.allowing([key for key in keys if key in _OF_IMAGES])
                yield from pods.correcting([key for key in keys if key not in _OF_IMAGES])
                yield from pods.dropping([key for key in keys if key != OS], pools)
                if isinstance(refusal, NoType):
                    yield from self._without_type(trial, template, refusal)
                yield from pods.moving_volumes()

    def _without_type(self, trial: Trial, template: NodeClaimTemplate, refusal: NoType) -> Iterator[Remedy]:
        """Yield changes of what pods request, or of what instance types have, where no type fits."""
        types = self._types[template.name]
        pods, classes = PodChanges(trial, template, types), ClassChanges(trial, self._inputs, template.pool)
        if any(domain(resource) == _NVIDIA for resource in refusal.shortfall):
            yield from classes.counting_shares()
        yield from pods.requesting_other(refusal)
        disks = list(classes.enlarging_disk(refusal))
        yield from disks
        yield from classes.fewer_huge_pages(refusal)
        yield from classes.adding_overlay(refusal, types.resources)
        larger = self._larger(trial, template, refusal) if not disks else None
        shrunk = None
        for shrunk in pods.shrinking(refusal) if not disks else ():
            is_gpu = shrunk.resource == NVIDIA_GPU
            yield replace(shrunk, replicas=classes.sharing_gpus(refusal) if is_gpu else 0, larger=larger)
        if shrunk is None and larger is not None:
            yield larger

    def _larger(self, trial: Trial, template: NodeClaimTemplate, refusal: NoType) -> Allow | None:
        """Return the NodePool with larger machines, where these are all that pods lack."""
        if not refusal.shortfall or not refusal.shortfall.keys() <= _OF_MACHINES:
            return None
        own = self._types[template.name].allowed
        return next(PoolChanges(trial, template.pool).allowing_larger(template.instance_types.types, own), None)
