"""The domains that a topology key can have in a pass, before anything is placed (spec: scheduling 7.3)."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.api import NodePool
from cutlist.core.labels import LabelRegistry
from cutlist.core.requirements import Operator, Requirements
from cutlist.core.taints import Taint, untolerated
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.workloads.pods import Pod

Reach = dict[str, list[tuple[Taint, ...]] | None]


class TopologyDomains:
    """For each label key its known values, each with the taints under which nodes with that value can be had.

    Keys are looked at when a rule first asks for them: most never are.
    """

    __slots__ = ("_pools", "_reach")

    def __init__(self, pools: Iterable[tuple[NodePool, InstanceTypeIndex]], registry: LabelRegistry) -> None:
        self._pools = [(pool, table, _written(pool, registry)) for pool, table in pools if table.types]
        self._reach: dict[str, Reach] = {}

    def domains(self, key: str, pod: Pod, *, honor_taints: bool) -> list[str]:
        """The values of a key that the pod may count with: all, or those reachable through taints that it tolerates."""
        if key not in self._reach:
            self._reach[key] = self._reach_of(key)
        reach = self._reach[key]
        if not honor_taints:
            return list(reach)
        return [d for d, ways in reach.items() if ways is None or any(not untolerated(w, pod.tolerations) for w in ways)]

    def _reach_of(self, key: str) -> Reach:
        """The values of a key, each with the taints of the pools that lead to it; None once a pool without taints does."""
        found: Reach = {}
        for pool, table, written in self._pools:
            for value in _values(key, table, written):
                known = found.get(value, [])
                found[value] = None if known is None or not pool.taints else [*known, tuple(pool.taints)]
        return found


def _written(pool: NodePool, registry: LabelRegistry) -> Requirements:
    """What the pool's author asks of nodes; Karpenter's own labels are not among it and hence no domains (S-94)."""
    return Requirements.of_expressions(pool.requirements, registry) & Requirements.of_labels(pool.labels, registry)


def _values(key: str, table: InstanceTypeIndex, written: Requirements) -> list[str]:
    """The values that a pool's types declare within what its author allows, then those that only the author names.

    Values that the author excludes from a key no type has become domains as well: Karpenter takes the bare set (spec 7.3).
    """
    mine, declared = written.get(key), table.declared(key)
    found = dict.fromkeys(v for r in declared for v in sorted((r if mine is None else mine & r).values))
    covered = 0
    for mask in declared.values():
        covered |= mask
    if mine is not None and (covered != table.everything or mine.operator is Operator.IN):
        found.update(dict.fromkeys(sorted(mine.values)))
    return list(found)
