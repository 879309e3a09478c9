"""What a program registered as a graph of dependencies, and what that graph lacks for a destroy in the right order."""

from __future__ import annotations

from collections.abc import Callable

from pulumi_cutlist.offline import Recording, Registration

from cutlist.infrastructure.teardown.order import Graph, Part, missing_edges


def dependency_graph(recording: Recording) -> Graph:
    """Each resource by URN, with what an engine deletes after it: its parent, its provider, and what it depends on."""
    return {urn: _needed(registration) for urn, registration in recording.resources.items()}


def missing_in(recording: Recording, part_of: Callable[[Registration], Part | None]) -> list[str]:
    """What a program's graph lacks, a line each; `part_of` says which part of a stack a resource belongs to, if any."""
    parts = {urn: part for urn, one in recording.resources.items() if (part := part_of(one))}
    return missing_edges(dependency_graph(recording), parts)


def _needed(registration: Registration) -> frozenset[str]:
    request = registration.request
    by_property = (urn for one in request.propertyDependencies.values() for urn in one.urns)
    provider = request.provider.rpartition("::")[0]  # a reference is a URN and an id
    return frozenset(urn for urn in (request.parent, provider, *request.dependencies, *by_property) if urn)
