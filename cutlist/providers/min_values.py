"""Values that count for `minValues`, and whether types have enough of them (spec: scheduling 10.2; S-78, V15-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import InstanceType


def counted_values(declared: Iterable[str], wanted: Requirement, karpenter: Baseline) -> frozenset[str]:
    """Return which of the values that types declare count for `minValues` (S-78, V15-1)."""
    if karpenter.does(Behaviour.MIN_VALUES_COUNT_ALLOWED_VALUES):
        return frozenset(filter(wanted.has, declared))
    return frozenset(declared)


def lacking_values(wanted: Requirements, types: Sequence[InstanceType], karpenter: Baseline) -> list[str]:
    """Return the labels for which the types declare fewer values that count than `minValues` demands (S-78, V15-1).

    An empty list of types lacks nothing, since Karpenter counts type by type: callers check whether any type is left.
    """
    if not types:
        return []
    return [r.key for r in wanted.values() if r.min_values is not None and _counted(r, types, karpenter) < r.min_values]


def _counted(wanted: Requirement, types: Sequence[InstanceType], karpenter: Baseline) -> int:
    declared = (t.requirements.get(wanted.key) for t in types)
    return len(counted_values({value for r in declared if r is not None for value in r.values}, wanted, karpenter))
