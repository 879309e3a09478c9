"""Why pods of a plan stay pending on each NodePool, and the change that would help, as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf

from cutlist.api.nodepool import NodePool
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
from cutlist.workloads.pods import FrozenDict, Pod

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
class PendingReasons:
    """What the entries of pending pods are made of."""

    ready: PassInputs
    outcome: PassesOutcome
    meant: MeantPools
    remedies: Remedies
    remarks: PoolRemarks
    absent: Mapping[str, str]
    pools: Mapping[str, NodePool]

    @staticmethod
    def of(inputs: PlanInputs, ready: PassInputs, outcome: PassesOutcome) -> PendingReasons:
        """Return the reasons of passes: `ready` are their inputs, and `outcome` is theirs."""
        return PendingReasons(
            ready,
            outcome,
            MeantPools(ready.passes, lambda name: ready.tables.of(name, ready.passes.registry.well_known)),
            Remedies(inputs, ready, outcome),
            pool_remarks(inputs, ready.assumed_disks),
            _absent(inputs, ready, outcome),
            {pool.name: pool for pool in ready.passes.pools},
        )

    def entries(self) -> Iterator[PendingPods]:
        """Yield the pods without a node, each with the most important reason and what would help."""
        for unplaced in self.outcome.result.unplaced:
            batch = self.ready.batches[unplaced.batch]
            by_pool = [(pool, pool_sentence(pool, refusal, self.remarks)) for pool, refusal in unplaced.refusals]
            absent = list(self._asked_of(batch.pod, unplaced))
            reason, remedy = self._reason(batch.pod, unplaced, absent)
            yield PendingPods(batch.name, unplaced.count, reason, (*by_pool, *absent), remedy)

    def notes(self) -> tuple[Note, ...]:
        """Return a note on workloads for which no trial was left."""
        workloads = sorted({self.ready.batches[number].name for number in self.remedies.unsought})
        if not workloads:
            return ()
        text = (
            f"after {counted(self.remedies.trials, 'trial')} of what would help, nothing more was tried for "
            f"{counted(len(workloads), 'workload')} with pending pods: {first_of(workloads, _NAMED)}; "
            "cutlist why NAME tries it for one"
        )
        return (Note("remedies", text),)

    def _asked_of(self, pod: Pod, unplaced: UnschedulablePods) -> Iterable[tuple[str, str]]:
        """Yield the NodePools that launch nothing, if no other was asked or the pod asks for them by name."""
        for name, why in self.absent.items():
            if not unplaced.refusals or self.meant.is_named(pod, self.pools[name]):
                yield name, why

    def _reason(self, pod: Pod, unplaced: UnschedulablePods, absent: list[tuple[str, str]]) -> tuple[str, str]:
        """Return the most important sentence, and the change that helps, of the same NodePool."""
        groups = self.meant.ranked(pod, unplaced.refusals)
        named = (self.pools[pool] for pool, _ in groups[0] if pool in self.pools) if groups else ()
        if groups and (not absent or any(self.meant.is_named(pod, pool) for pool in named)):
            return self._of_group(unplaced, groups[0])
        return self._of_absent(unplaced, absent)

    def _of_group(self, unplaced: UnschedulablePods, group: list[tuple[str, Refusal]]) -> tuple[str, str]:
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
        tried = (self._advice(unplaced, pool, refusal) for pool in self.remedies.pools[:_TRIED])
        return named_reason("", refusal, self.remarks), next(filter(None, tried), "")

    def _of_absent(self, unplaced: UnschedulablePods, absent: list[tuple[str, str]]) -> tuple[str, str]:
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
        beside = sum(pods.get(unplaced.batch, 0) for pods in self.outcome.beside.values())
        return self.remedies.first(unplaced.batch, pool, refusal) if beside < unplaced.count else None


def _absent(inputs: PlanInputs, ready: PassInputs, outcome: PassesOutcome) -> Mapping[str, str]:
    """Return why NodePools launch nothing, or nothing more because the passes used their reservations up."""
    before = absent_pools(inputs, ready.tables)
    if outcome.controller.tables is ready.tables:
        return before
    used_up = absent_pools(inputs, outcome.controller.tables).keys() - before.keys()
    return {**before, **dict.fromkeys(sorted(used_up), "only reserved capacity fits, but its reservations are used up")}
