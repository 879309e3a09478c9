"""Why pods of a plan stay pending on each NodePool, and the change that would help, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from cutlist.core.notes import Note
from cutlist.core.quantity import amount_text
from cutlist.core.wording import counted, first_of
from cutlist.planning.absent_pools import absent_pools
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.meant_pools import MeantPools
from cutlist.planning.model import PendingPods
from cutlist.planning.pass_inputs import PassInputs
from cutlist.planning.passes import PassesOutcome
from cutlist.planning.reasons import NOTHING_LAUNCHES, PoolRemarks, named_reason, pool_sentence
from cutlist.planning.remedies.changes import RaiseLimit, Remedy
from cutlist.planning.remedies.class_changes import huge_pages
from cutlist.planning.remedies.search import Remedies
from cutlist.planning.remedies.words import pool_advice
from cutlist.scheduling.refusals import Refusal
from cutlist.scheduling.results import UnschedulablePods
from cutlist.workloads.pods import FrozenDict

_NAMED = 3  # workloads
_TRIED = 4  # NodePools of equal likelihood for which remedies are sought


def pool_remarks(inputs: PlanInputs, assumed_disks: Mapping[str, str]) -> PoolRemarks:
    """Return what reasons add about NodePools; `assumed_disks` are sentences on those whose disk is assumed."""
    pages = {}
    for pool in inputs.node_pools if inputs.overlays else ():
        for of, resource in huge_pages(inputs, pool)[:1]:
            amount = amount_text(resource, of.capacity[resource])
            pages[pool.name] = f"NodeOverlay {of.name} gives its nodes {amount} of {resource}, which come out of their memory"
    return PoolRemarks(assumed_disks, FrozenDict(pages), inputs.catalog.currency)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Pods without a node: the NodePools that launch nothing for them, with why, and the refusals of those equally likely
    NodePools that the reason is of; none where it is of one that launches nothing."""

    unplaced: UnschedulablePods
    absent: Sequence[tuple[str, str]]
    group: Sequence[tuple[str, Refusal]]

    @property
    def has_choice(self) -> bool:
        """Tell whether several NodePools may be the reason: then it is the one that a change would open."""
        return len(self.group or self.absent) > 1


@dataclass(frozen=True, slots=True)
class PendingReasons:
    """What the entries of pending pods are made of. `remedies` is None where nobody looks what would help."""

    ready: PassInputs
    outcome: PassesOutcome
    waiting: tuple[_Waiting, ...]
    remedies: Remedies | None
    remarks: PoolRemarks

    @staticmethod
    def of(inputs: PlanInputs, ready: PassInputs, outcome: PassesOutcome) -> PendingReasons:
        """Return the reasons of passes: `ready` are their inputs, and `outcome` is theirs."""
        waiting = tuple(_waiting(ready, outcome, _absent(inputs, ready, outcome)))
        # All or none: they share a budget of trials, so each depends on those before it.
        is_advised = inputs.advises or any(of.has_choice for of in waiting)
        remedies = Remedies(inputs, ready, outcome) if is_advised else None
        return PendingReasons(ready, outcome, waiting, remedies, pool_remarks(inputs, ready.assumed_disks))

    def entries(self) -> Iterator[PendingPods]:
        """Yield the pods without a node, each with the most important reason and what would help."""
        for of in self.waiting:
            unplaced = of.unplaced
            by_pool = [(pool, pool_sentence(pool, refusal, self.remarks)) for pool, refusal in unplaced.refusals]
            reason, remedy = self._of_group(unplaced, of.group) if of.group else self._of_absent(unplaced, of.absent)
            name = self.ready.batches[unplaced.batch].name
            yield PendingPods(name, unplaced.count, reason, (*by_pool, *of.absent), remedy)

    def notes(self) -> tuple[Note, ...]:
        """Return a note on workloads for which no trial was left."""
        unsought = () if self.remedies is None else self.remedies.unsought
        workloads = sorted({self.ready.batches[number].name for number in unsought})
        if self.remedies is None or not workloads:
            return ()
        text = (
            f"after {counted(self.remedies.trials, 'trial')} of what would help, nothing more was tried for "
            f"{counted(len(workloads), 'workload')} with pending pods: {first_of(workloads, _NAMED)}; "
            "cutlist why NAME tries it for one"
        )
        return (Note("remedies", text),)

    def _of_group(self, unplaced: UnschedulablePods, group: Sequence[tuple[str, Refusal]]) -> tuple[str, str]:
        """Return the reason of the first of equally likely NodePools that one change would open, else of the first."""
        if not group[0][0]:
            return self._of_pod(unplaced, group[0][1])
        raises: list[tuple[RaiseLimit, str, Refusal]] = []
        for pool, refusal in group[:_TRIED]:
            remedy = self._remedy(unplaced, pool, refusal)
            if isinstance(remedy, RaiseLimit):
                raises.append((remedy, pool, refusal))
            elif remedy is not None and not raises:
                return named_reason(pool, refusal, self.remarks), pool_advice(remedy, self.remarks)
        if not raises:
            return named_reason(*group[0], self.remarks), ""
        # Of several NodePools whose limits are in the way, the one that helps most pods counts, then the cheapest.
        best, pool, refusal = min(raises, key=lambda of: (-of[0].pods, inf if of[0].price is None else of[0].price))
        return named_reason(pool, refusal, self.remarks), pool_advice(best, self.remarks)

    def _of_pod(self, unplaced: UnschedulablePods, refusal: Refusal) -> tuple[str, str]:
        """Return a reason that no NodePool was asked for, with what helps at one of them."""
        pools = () if self.remedies is None else self.remedies.pools[:_TRIED]
        tried = (self._advice(unplaced, pool, refusal) for pool in pools)
        return named_reason("", refusal, self.remarks), next(filter(None, tried), "")

    def _of_absent(self, unplaced: UnschedulablePods, absent: Sequence[tuple[str, str]]) -> tuple[str, str]:
        if not absent:
            return NOTHING_LAUNCHES, ""
        for pool, why in absent[:_TRIED]:
            advice = self._advice(unplaced, pool)
            if advice:
                return f"NodePool {pool}: {why}", advice
        if len(absent) == 1:
            return f"NodePool {absent[0][0]}: {absent[0][1]}", ""
        return f"none of the {counted(len(absent), 'NodePool')} launches nodes for pending pods", ""

    def _advice(self, unplaced: UnschedulablePods, pool: str, refusal: Refusal | None = None) -> str:
        """Return the change after which a NodePool takes the pods as a sentence."""
        remedy = self._remedy(unplaced, pool, refusal)
        return "" if remedy is None else pool_advice(remedy, self.remarks)

    def _remedy(self, unplaced: UnschedulablePods, pool: str, refusal: Refusal | None = None) -> Remedy | None:
        """Return the change after which a NodePool takes the pods; none is sought if nodes beside Karpenter take them."""
        if self.remedies is None:
            return None
        beside = sum(pods.get(unplaced.batch, 0) for pods in self.outcome.beside.values())
        return self.remedies.first(unplaced.batch, pool, refusal) if beside < unplaced.count else None


def _waiting(ready: PassInputs, outcome: PassesOutcome, absent: Mapping[str, str]) -> Iterator[_Waiting]:
    """Yield the pods without a node; `absent` are the NodePools that launch nothing, with why."""
    meant = MeantPools(ready.passes, lambda name: ready.tables.of(name, ready.passes.registry.well_known))
    pools = {pool.name: pool for pool in ready.passes.pools}
    for unplaced in outcome.result.unplaced:
        pod = ready.batches[unplaced.batch].pod
        # Those that launch nothing count if no other was asked, or the pod asks for them by name.
        own = [(name, why) for name, why in absent.items() if not unplaced.refusals or meant.is_named(pod, pools[name])]
        group = next(iter(meant.ranked(pod, unplaced.refusals)), [])
        is_named = any(meant.is_named(pod, pools[name]) for name, _ in group if name in pools) if own else True
        yield _Waiting(unplaced, own, group if is_named else [])


def _absent(inputs: PlanInputs, ready: PassInputs, outcome: PassesOutcome) -> Mapping[str, str]:
    """Return why NodePools launch nothing, or nothing more because the passes used their reservations up."""
    before = absent_pools(inputs, ready.tables)
    if outcome.controller.tables is ready.tables:
        return before
    used_up = absent_pools(inputs, outcome.controller.tables).keys() - before.keys()
    return {**before, **dict.fromkeys(sorted(used_up), "only reserved capacity fits, but its reservations are used up")}
