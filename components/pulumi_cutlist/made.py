"""The plans that a program makes, and which of them are of the same nodes: those are paid once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.planning.spec_digests import planned_specs


class Made(NamedTuple):
    """A plan, what it was made from, and whether it is that of a cluster of the program, by its component."""

    plan: Plan
    inputs: PlanInputs
    of_cluster: bool = False


def counted_once(made: Iterable[Made]) -> Sequence[Made]:
    """Return the plans without those that show nodes of a cluster again: of the same region, with a NodePool of the spec of
    one of the cluster's own plan."""
    listed = tuple(made)
    of_clusters = {key for item in listed if item.of_cluster for key in _pools(item)}
    return tuple(item for item in listed if item.of_cluster or of_clusters.isdisjoint(_pools(item)))


def _pools(made: Made) -> Iterator[tuple[str, str, str]]:
    for key, digests in planned_specs(made.inputs).items():
        if key.startswith("NodePool/"):
            yield made.inputs.catalog.region, key, str(sorted(digests.items()))
