"""Trials: the passes of a plan continued with one change, for the pods that wait."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import NODEPOOL
from cutlist.planning.allowed import launched_requirements
from cutlist.planning.pass_controller import Controller
from cutlist.planning.passes import run_joint_passes
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.results import PlacedClaim, Results
from cutlist.state.volumes import NO_VOLUMES, PodVolumes
from cutlist.workloads.pods import FrozenDict, Pod

_NODES: Final = 100
"""For each hundred nodes, a trial takes about as long as one more trial."""


class SpentError(Exception):
    """The error for a trial for which nothing is left of the budget."""


class TrialBudget:
    """How many trials may still be made: all of one plan share it, so that no plan takes forever. A trial with more nodes takes
    longer, and counts as several."""

    __slots__ = ("left", "made")

    def __init__(self, trials: int) -> None:
        self.left = trials
        self.made = 0

    def spend(self, nodes: int) -> None:
        """Count a trial in a cluster of this many nodes. Raises SpentError if none is left."""
        if self.left <= 0:
            raise SpentError
        self.left -= 1 + nodes // _NODES
        self.made += 1


class KnownTrials:
    """The results of trials of one plan, for pods that differ after the change at most in what no rule looks at: labels, or
    what the change took from them. `shape` returns a pod without these labels."""

    __slots__ = ("_results", "shape")

    def __init__(self, shape: Callable[[Pod], Pod]) -> None:
        self.shape = shape
        self._results: dict[Hashable, Results] = {}

    def of(self, trial: Hashable, made: Callable[[], Results]) -> Results:
        """Return the result of an equal trial, or that of the one that `made` makes."""
        if trial not in self._results:
            self._results[trial] = made()
        return self._results[trial]


@dataclass(frozen=True, slots=True)
class Trial:
    """Plans for the waiting pods of one batch, on the cluster that the passes left behind.

    `left` is the controller as they left it. Claims of volumes are not bound during a trial. `others` are batches of the same
    shape, which get the same change and have to be placed as well. A trial that equals one of `known` is counted, but not made.
    """

    left: Controller
    number: int
    budget: TrialBudget
    known: KnownTrials
    others: tuple[int, ...] = ()

    @property
    def batch(self) -> PodBatch:
        """Return the batch, with the pods that wait."""
        return self.left.inputs.batches[self.number]

    @property
    def pods(self) -> int:
        """Return how many pods have to be placed."""
        batches = self.left.inputs.batches
        return sum(batches[number].count for number in (self.number, *self.others))

    @property
    def volumes(self) -> PodVolumes:
        """Return what the volumes of its pods require."""
        return self.left.inputs.volumes.get(self.number, NO_VOLUMES)

    def with_pod(self, pod: Pod, volumes: PodVolumes | None = None, *, without_default_spread: bool = False) -> Results:
        """Return the result for pods in another form; `volumes` replace theirs if given."""
        options = self.left.inputs.options
        if without_default_spread:
            options = replace(options, default_spread=())
        changed = replace(self.left, inputs=replace(self.left.inputs, options=options))
        batch, volumes = replace(self.batch, pod=pod), self.volumes if volumes is None else volumes
        # Pods with volumes, and those for which Karpenter deduces rules from their controller, differ in more than their shape.
        if self.others or volumes != NO_VOLUMES or options.default_spread:
            return self._run(changed, batch, volumes)
        key = self.known.shape(pod), batch.count, self._is_moving, without_default_spread
        self._spend()
        return self.known.of(key, lambda: self._made(changed, batch, volumes))

    def with_pool(self, pool: NodePool) -> Results:
        """Return the result with another form of the NodePool of that name."""
        inputs = self.left.inputs
        pools = tuple(pool if other.name == pool.name else other for other in inputs.pools)
        tables = self.left.tables
        if any(other.requirements != pool.requirements for other in inputs.pools if other.name == pool.name):
            # Indexes have no more than the types that NodePools may launch.
            tables = InstanceTypeIndexes(inputs.types, inputs.options.karpenter, launched_requirements(pools))
        return self._run(replace(self.left, inputs=replace(inputs, pools=pools), tables=tables), self.batch, self.volumes)

    def with_types(self, types: Mapping[str, Sequence[InstanceType]]) -> Results:
        """Return the result with other instance types of some NodePools, by name."""
        inputs = replace(self.left.inputs, types={**self.left.inputs.types, **types})
        changed = replace(self.left, inputs=inputs, tables=InstanceTypeIndexes(inputs.types, inputs.options.karpenter))
        return self._run(changed, self.batch, self.volumes)

    def with_static(self, claims: Sequence[PlacedClaim]) -> Results:
        """Return the result with further nodes of static NodePools."""
        return self._run(replace(self.left, static=claims), self.batch, self.volumes)

    def places(self, results: Results, pool: str) -> bool:
        """Tell whether the pods of a trial all have a node, some of them one of this NodePool."""
        nodes, full = self.left.inputs.nodes, self.left.inputs.full
        names = {node.name for node in nodes if node.labels.get(NODEPOOL) == pool}
        names.update(name for of in full if of.node_pool == pool and results.existing for name in of.names)
        is_used = any(claim.node_pool == pool for claim in results.claims) or names & results.existing.keys()
        return bool(is_used) and self.places_all(results)

    def places_all(self, results: Results) -> bool:
        """Tell whether the pods of a trial all have a node."""
        return not results.unplaced and not results.ignored

    @property
    def _is_moving(self) -> bool:
        return self.number in self.left.inputs.moving

    def _spend(self) -> None:
        self.budget.spend(self.left.inputs.node_count)

    def _run(self, controller: Controller, batch: PodBatch, volumes: PodVolumes) -> Results:
        self._spend()
        return self._made(controller, batch, volumes)

    def _made(self, controller: Controller, batch: PodBatch, volumes: PodVolumes) -> Results:
        before = self.batch.pod
        others = (controller.inputs.batches[number] for number in self.others)
        batches = (batch, *(replace(other, pod=_changed_alike(other.pod, before, batch.pod)) for other in others))
        moving = frozenset(range(len(batches))) if self._is_moving else frozenset[int]()
        inputs = replace(controller.inputs, batches=batches, volumes={0: volumes}, moving=moving, settled=frozenset())
        (outcome,) = run_joint_passes([replace(controller, inputs=inputs)])
        return outcome.result


def _changed_alike(pod: Pod, before: Pod, after: Pod) -> Pod:
    """Return a pod with the change that was made to another one, from which it differs in labels and amounts alone."""
    if after is before:
        return pod
    changed = {f.name: getattr(after, f.name) for f in fields(Pod) if getattr(after, f.name) != getattr(before, f.name)}
    if "requests" in changed:
        changed["requests"] = _requests_alike(pod.requests, before.requests, after.requests)
    return replace(pod, **changed)


def _requests_alike(own: Mapping[str, int], before: Mapping[str, int], after: Mapping[str, int]) -> FrozenDict[int]:
    """Return requests with the change that was made to those of another pod: a name, an amount of its own, or a highest one."""
    renamed = [own[resource] for resource in before if resource not in after]
    requests = {
        resource: min(amount, after[resource]) if after[resource] < before.get(resource, 0) else amount
        for resource, amount in own.items()
        if resource in after
    }
    new = {resource: renamed[0] if renamed else amount for resource, amount in after.items() if resource not in before}
    return FrozenDict({**requests, **new})
