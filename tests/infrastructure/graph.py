"""What depends on what in a recorded program, as the engine keeps it: the order of creation, and in reverse of deletion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pulumi_cutlist.recorded.recording import STACK, Recording, Registration

from tests.infrastructure.deletion_order import Part, deletion_order, missing_edges, reachable


@dataclass(frozen=True, slots=True)
class Graph:
    """The direct edges of every resource, by URN: dependencies, those of single properties, the provider, the parent.

    The SDK has put the children of a component in the place of a component that something depends on. A child of a component
    that itself depends on something waits by way of its parent. The stack is in no edge.
    """

    edges: Mapping[str, frozenset[str]]

    @staticmethod
    def of(recording: Recording) -> Graph:
        """Return the graph of a recording."""
        return Graph({urn: frozenset(_direct(one, recording)) for urn, one in recording.resources.items()})

    def needs(self, urn: str) -> frozenset[str]:
        """Return everything that has to be there before a resource is made, and that outlives it."""
        return reachable(self.edges, urn)

    def reaches(self, later: Registration | Iterable[Registration], earlier: Registration | Iterable[Registration]) -> bool:
        """Tell whether each of the first needs each of the second; there has to be at least one of the two."""
        first, second = _all(later), _all(earlier)
        return bool(first and second) and all({e.urn for e in second} <= self.needs(one.urn) for one in first)

    def deletions(self) -> list[frozenset[str]]:
        """Return the steps in which an engine deletes everything: in each step what nothing that is left depends on."""
        return deletion_order(self.edges)

    def lacks(self, parts: Mapping[str, Part]) -> list[str]:
        """Return what is missing for a destroy in the right order, a line each; `parts` says what belongs to which part, by
        URN."""
        return missing_edges(self.edges, parts)


def unguarded(recording: Recording, protection: Registration) -> list[str]:
    """Return names of what an engine may delete before it meets a protection: resources of the component that it is in, and
    that it does not need."""
    needs, component = Graph.of(recording).needs(protection.urn), protection.urn.split("::")[2].rpartition("$")[0]
    inside = [one for one in recording.resources.values() if one.request.custom and f"::{component}$" in one.urn]
    return [one.name for one in inside if one.urn not in needs]


def _all(given: Registration | Iterable[Registration]) -> list[Registration]:
    return [given] if isinstance(given, Registration) else list(given)


def _direct(one: Registration, recording: Recording) -> Iterable[str]:
    request = one.request
    yield from request.dependencies
    for of_property in request.propertyDependencies.values():
        yield from of_property.urns
    if request.provider:
        yield request.provider.rsplit("::", 1)[0]  # the provider's URN, then its id
    if one.parent and recording.resources[one.parent].type != STACK:
        yield one.parent
