"""The domains that a topology key can have in a pass, before anything is placed (spec: scheduling 7.3)."""

from __future__ import annotations

from collections.abc import Iterable

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import LabelRegistry
from cutlist.core.requirement import Operator
from cutlist.core.requirements import Requirements
from cutlist.core.taints import Taint, untolerated
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.workloads.pods import Pod

TopologyDomainGroup = dict[str, list[tuple[Taint, ...]] | None]


class TopologyDomainGroups:
    """The known values of each label key, each with the taints of the nodes that can have it.

    A key is examined when a rule first needs it; most never are.
    """

    __slots__ = ("_groups", "_pools")

    def __init__(self, pools: Iterable[tuple[NodePool, InstanceTypeIndex]], registry: LabelRegistry) -> None:
        self._pools = [
            (pool, instance_types, _written(pool, registry)) for pool, instance_types in pools if instance_types.types
        ]
        self._groups: dict[str, TopologyDomainGroup] = {}

    def domains(self, key: str, pod: Pod, *, honor_taints: bool) -> list[str]:
        """Return the values of a key that count for the pod: all, or those reachable through taints that it tolerates."""
        if key not in self._groups:
            self._groups[key] = self._group(key)
        group = self._groups[key]
        if not honor_taints:
            return list(group)
        return [d for d, taints in group.items() if taints is None or any(not untolerated(t, pod.tolerations) for t in taints)]

    def _group(self, key: str) -> TopologyDomainGroup:
        """Return the values of a key, each with the taints of the pools that lead to it, or None once a pool without taints
        does."""
        group: TopologyDomainGroup = {}
        for pool, instance_types, written in self._pools:
            for value in _values(key, instance_types, written):
                known = group.get(value, [])
                # None stays None: one way without taints is enough for every pod.
                group[value] = None if known is None or not pool.taints else [*known, tuple(pool.taints)]
        return group


def _written(pool: NodePool, registry: LabelRegistry) -> Requirements:
    """Return the requirements and labels that the pool's author wrote; Karpenter's own labels are excluded and add no domains
    (S-94)."""
    return Requirements.of_expressions(pool.requirements, registry) & Requirements.of_labels(pool.labels, registry)


def _values(key: str, instance_types: InstanceTypeIndex, written: Requirements) -> list[str]:
    """Return the values that a pool's types declare within what its author allows, then those that only the author names.

    Values that the author excludes from a key that no type has become domains as well: Karpenter takes the bare set (spec 7.3).
    """
    mine, declared = written.get(key), instance_types.declared(key)
    values = dict.fromkeys(v for r in declared for v in sorted((r if mine is None else mine & r).values))
    covered = 0
    for mask in declared.values():
        covered |= mask
    # Where all types declare the key, only what they have in common with the pool's own set is offered, except for values that
    # the author lists.
    if mine is not None and (covered != instance_types.everything or mine.operator is Operator.IN):
        values.update(dict.fromkeys(sorted(mine.values)))
    return list(values)
