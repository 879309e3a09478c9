"""The types of NodePools on which a pod fits, without those of node classes that are no better than another's."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from cutlist.core.identity import SameObject
from cutlist.core.requirements import Requirements
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate

_Kind = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class FittingTypes:
    """The types of a NodePool on which a pod fits, as bits, and the requirements of its node."""

    template: NodeClaimTemplate
    mask: int
    wanted: Requirements

    def kind(self, resources: Iterable[str]) -> tuple[_Kind, tuple[int, ...]]:
        """Return what prices and rooms follow from, but for an amount of each resource that every type has less."""
        index = self.template.instance_types
        overheads = tuple((g.mask, frozenset(g.overhead.items())) for g in self.template.groups)
        asked = tuple(self.wanted.get(key) for key in index.offering_keys)
        amounts = [index.types.amounts.allocatable(resource) for resource in resources]
        columns = tuple(column for column, _ in amounts)
        return (SameObject(index.types.sold), columns, self.mask, asked, overheads), tuple(less for _, less in amounts)


def best_of_each_kind(fitting: Sequence[FittingTypes], together: Iterable[tuple[str, ...]]) -> list[FittingTypes]:
    """Return the types without those than which others have as much of some resources, at the same prices, for each of the
    sets of resources that are looked at `together`."""
    kept: set[int] = set()
    for resources in together:
        by_kind: dict[_Kind, list[tuple[tuple[int, ...], int]]] = {}
        for number, types in enumerate(fitting):
            kind, less = types.kind(resources)
            by_kind.setdefault(kind, []).append((less, number))
        for alike in by_kind.values():
            kept.update(_best(alike))
    return [types for number, types in enumerate(fitting) if number in kept]


def _best(alike: list[tuple[tuple[int, ...], int]]) -> Iterable[int]:
    """Return the numbers of those than which no other lacks less of one or two resources."""
    least: int | None = None
    for less, number in sorted(alike):
        rest = less[-1] if less else 0
        if least is None or rest < least:
            least = rest
            yield number
