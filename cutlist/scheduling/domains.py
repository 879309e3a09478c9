"""The domains that a topology key can have in a pass, before anything is placed (spec: scheduling 7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutlist.api import NodePool
from cutlist.labels import LabelRegistry
from cutlist.requirements import Operator, Requirements
from cutlist.scheduling.types import TypeTable
from cutlist.taints import Taint, untolerated
from cutlist.workloads.pods import Pod


class Universe:
    """For each label key its known values, each with the taints under which nodes with that value can be had."""

    __slots__ = ("_reach",)

    def __init__(self, pools: Iterable[tuple[NodePool, TypeTable]], registry: LabelRegistry) -> None:
        self._reach: dict[str, dict[str, list[tuple[Taint, ...]] | None]] = {}
        for pool, table in pools:
            if table.types:
                # Only what the pool's author wrote: not Karpenter's own labels, so those are no domains here (S-94).
                written = Requirements.of_expressions(pool.requirements, registry) & Requirements.of_labels(
                    pool.labels, registry
                )
                self._add_pool(pool, table, written)

    def domains(self, key: str, pod: Pod, *, honor_taints: bool) -> list[str]:
        """The values of a key that the pod may count with: all, or those reachable through taints that it tolerates."""
        reach = self._reach.get(key, {})
        if not honor_taints:
            return list(reach)
        return [d for d, ways in reach.items() if ways is None or any(not untolerated(w, pod.tolerations) for w in ways)]

    def _add_pool(self, pool: NodePool, table: TypeTable, held: Requirements) -> None:
        keys = dict.fromkeys([*held, *(key for t in table.types for key in t.requirements)])
        for key in keys:
            mine = held.get(key)
            declared = table.declared(key)
            reached = dict.fromkeys(v for r in declared for v in sorted((r if mine is None else mine & r).values))
            covered = 0
            for mask in declared.values():
                covered |= mask
            if mine is not None and (covered != table.everything or mine.operator is Operator.IN):
                reached.update(dict.fromkeys(sorted(mine.values)))
            for value in reached:
                self._add(key, value, tuple(pool.taints))

    def _add(self, key: str, value: str, taints: Sequence[Taint]) -> None:
        reach = self._reach.setdefault(key, {})
        known = reach.get(value, [])
        if not taints or known is None:
            reach[value] = None
        else:
            reach[value] = [*known, tuple(taints)]
