"""Which terms of NodePools are worth planning: families from the best value down, and sizes from the largest down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cutlist.api import NodePool
from cutlist.core.labels import SPOT
from cutlist.optimization.pool_terms import PoolTerms, labels_of
from cutlist.optimization.supply import Option
from cutlist.providers.instance_types import InstanceType

_STEPS: Final = (0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25)
"""How far below the best value for a dollar the families of a set may be: each step is a set."""


@dataclass(frozen=True, slots=True)
class PoolChoices:
    """What a search may vary on one NodePool: by each field of `PoolTerms` the values to try, None for no term."""

    pool: str
    axes: tuple[tuple[str, tuple[Any, ...]], ...]

    def along(self, axis: str, values: Iterable[Any], terms: PoolTerms) -> Iterator[PoolTerms]:
        """Yield terms with other values of one field."""
        for value in values:
            yield replace(terms, **{axis: value})

    def around(self, terms: PoolTerms) -> list[PoolTerms]:
        """Return all terms that differ from some in one field at most."""
        return [changed for axis, values in self.axes for changed in self.along(axis, values, terms)]


def pool_choices(
    pool: NodePool, types: Sequence[InstanceType], options: Sequence[Option], efficiencies: Sequence[float]
) -> PoolChoices:
    """Return what may be varied on a NodePool that may launch these types, by the options of all pools and their values."""
    labels = labels_of(pool)
    family_of = {t.name: t.requirements.single_values().get(labels.family, "") for t in types}
    cpus = {int(cpu) for t in types if (cpu := t.requirements.single_values().get(labels.cpu, "")).isdigit()}
    best: dict[str, float] = {}
    kinds = set[str]()
    for option, value in zip(options, efficiencies, strict=True):
        if option.node_pool == pool.name:
            kinds.add(option.capacity_type)
            family = family_of.get(option.instance_type, "")
            best[family] = max(best.get(family, 0.0), value)
    best.pop("", None)
    sizes = sorted(cpus)
    axes: dict[str, tuple[Any, ...]] = {
        "families": tuple(_family_sets(best)),
        "less_cpu": tuple(sizes[1:]),
        "more_cpu": tuple(sizes[:-1]),
        "capacity_types": tuple(frozenset({kind}) for kind in sorted(kinds)) if len(kinds) > 1 and SPOT in kinds else (),
    }
    return PoolChoices(pool.name, tuple((axis, (None, *values)) for axis, values in axes.items() if values))


def _family_sets(values: dict[str, float]) -> Iterator[frozenset[str]]:
    """Yield sets of families by how far their best value is below the best of all; each set once."""
    if len(values) < 2:
        return
    top = max(values.values())
    last = frozenset[str]()
    for step in _STEPS:
        families = frozenset(family for family, value in values.items() if value >= top * (1 - step))
        if families != last and len(families) < len(values):
            yield families
        last = families
    # The best few, one by one: what is best on paper may pack badly.
    for family in sorted(values, key=lambda f: (-values[f], f))[:6]:
        yield frozenset({family})
