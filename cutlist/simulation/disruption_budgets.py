"""PodDisruptionBudgets over time: how many evictions each allows at present (the disruption controller of Kubernetes)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cutlist.workloads.objects import EvictionBudgets, PodDisruptionBudget, part_of
from cutlist.workloads.pods import Pod


@dataclass(slots=True)
class BudgetCounts:
    """The pods that a budget covers: how many its controllers want, and how many of them are healthy."""

    expected: int = 0
    healthy: int = 0


class PodBudgets:
    """The budgets of a cluster, and the numbers of pods that each covers."""

    __slots__ = ("_budgets", "_counts", "_covering", "_evictions", "_known")
    NOT_SAVED: Final = frozenset(("_budgets", "_covering", "_evictions", "_known"))

    def __init__(self, written: EvictionBudgets) -> None:
        """Begin with budgets that cover no pods."""
        self._budgets = [b for budgets in written.by_namespace.values() for b in budgets]
        self._counts = [BudgetCounts() for _ in self._budgets]
        self._covering: dict[Pod, tuple[int, ...]] = {}
        self._evictions: EvictionBudgets | None = None
        self._known: dict[tuple[int, ...], EvictionBudgets] = {}

    @property
    def evictions(self) -> EvictionBudgets:
        """Return the budgets with whether they allow an eviction at present, as one or none; equal ones are one object."""
        if self._evictions is None:
            pairs = zip(self._budgets, self._counts, strict=True)
            # Karpenter asks only whether there is one, so budgets that differ in more are the same object for caches.
            allowed = tuple(min(1, self._allowed(b, c)) for b, c in pairs)
            if allowed not in self._known:
                budgets = zip(self._budgets, allowed, strict=True)
                self._known[allowed] = EvictionBudgets.of(_with_allowed(b, number) for b, number in budgets)
            self._evictions = self._known[allowed]
        return self._evictions

    def expect(self, pod: Pod, more: int) -> None:
        """Count how many more or fewer pods a controller wants."""
        for number in self._numbers(pod):
            self._counts[number].expected += more
            self._evictions = None

    def count_healthy(self, pod: Pod, more: int) -> None:
        """Count pods that became healthy, or no longer are."""
        for number in self._numbers(pod):
            self._counts[number].healthy += more
            self._evictions = None

    def may_evict(self, pod: Pod, *, ready: bool) -> bool:
        """Tell whether the eviction API lets a pod be evicted now: no pod of two budgets."""
        numbers = self._numbers(pod)
        if len(numbers) > 1:
            return False
        for number in numbers:
            budget, counts = self._budgets[number], self._counts[number]
            # IfHealthyBudget, the default: a pod that is not ready may go while enough others are healthy.
            if not ready and (budget.spares_only_ready or counts.healthy >= self._needed(budget, counts)):
                continue
            if self._allowed(budget, counts) <= 0:
                return False
        return True

    def _numbers(self, pod: Pod) -> tuple[int, ...]:
        if not self._budgets:
            return ()
        cached = self._covering.get(pod)
        if cached is None:
            covering = (
                n
                for n, b in enumerate(self._budgets)
                if b.namespace == pod.namespace and b.selector is not None and b.selector.matches(pod.labels)
            )
            cached = self._covering[pod] = tuple(covering)
        return cached

    def _allowed(self, budget: PodDisruptionBudget, counts: BudgetCounts) -> int:
        return max(0, counts.healthy - self._needed(budget, counts))

    def _needed(self, budget: PodDisruptionBudget, counts: BudgetCounts) -> int:
        if budget.min_available is not None:
            return part_of(budget.min_available, counts.expected)
        missing = 0 if budget.max_unavailable is None else part_of(budget.max_unavailable, counts.expected)
        return max(0, counts.expected - missing)


def _with_allowed(budget: PodDisruptionBudget, allowed: int) -> PodDisruptionBudget:
    return replace(budget, raw={**budget.raw, "status": {"disruptionsAllowed": allowed}})
