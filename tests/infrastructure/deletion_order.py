"""The order in which a stack has to come down: edges that its graph of dependencies must have (spec: aws-infrastructure 8.3).

An engine deletes a resource when all that depends on it is deleted. So whatever has to be deleted first must depend, directly
or by way of others, on what is deleted later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Graph = Mapping[str, Collection[str]]
"""What each resource depends on directly: its parent, what its options name, what its inputs come from."""


class Part(StrEnum):
    """A part of a stack, whose resources come down together."""

    WORKLOADS = "workloads with load balancers or volumes"
    NODE_POOLS = "NodePools"
    NODE_CLASSES = "EC2NodeClasses"
    DRAIN_GATE = "drain gate"
    CONTROLLER = "controller release"
    CRDS = "CRD release"
    SWEEP = "sweep"
    CONTROLLER_IDENTITY = "controller identity"
    INTERRUPTION = "interruption queue and rules"
    NODE_IDENTITY = "node identity"
    DISCOVERY = "discovery tags"
    LATE_ADDONS = "late add-ons"
    SYSTEM_CAPACITY = "system capacity"
    EARLY_ADDONS = "early add-ons"
    CLUSTER = "cluster"
    LAST_INTERFACES = "second interface pass"
    NETWORK = "network"


@dataclass(frozen=True, slots=True)
class Edge:
    """`first` is deleted before `then`; `otherwise` says what goes wrong without it."""

    first: Part
    then: Part
    otherwise: str


_P = Part
EDGES: Final = (
    Edge(_P.WORKLOADS, _P.NODE_POOLS, "load balancers are orphaned, nodes cannot drain"),
    Edge(_P.NODE_POOLS, _P.NODE_CLASSES, "instances are orphaned"),
    Edge(_P.NODE_CLASSES, _P.DRAIN_GATE, "the gate finds the stack's own pools"),
    Edge(_P.DRAIN_GATE, _P.CONTROLLER, "pools made outside the stack keep their instances"),
    Edge(_P.CONTROLLER, _P.CRDS, "the controller serves objects that are deleted"),
    Edge(_P.CRDS, _P.SWEEP, "what the finalizers would have removed is swept from under them"),
    Edge(_P.SWEEP, _P.NODE_IDENTITY, "profiles lose their role and stay, empty"),
    Edge(_P.SWEEP, _P.CLUSTER, "the sweep cannot ask the cluster what it uses"),
    Edge(_P.SWEEP, _P.NETWORK, "the network is busy and its deletion fails after 20 minutes"),
    Edge(_P.SWEEP, _P.DISCOVERY, "classes are not Ready while they are deleted"),
    Edge(_P.CONTROLLER, _P.CONTROLLER_IDENTITY, "the controller loses its rights while finalizers run"),
    Edge(_P.CONTROLLER, _P.INTERRUPTION, "the controller logs errors"),
    Edge(_P.CONTROLLER, _P.NODE_IDENTITY, "nodes turn NotReady and drains fail"),
    Edge(_P.NODE_CLASSES, _P.NODE_IDENTITY, "nodes turn NotReady and drains fail"),
    Edge(_P.CONTROLLER, _P.DISCOVERY, "classes are not Ready and their deletion may stall"),
    Edge(_P.CONTROLLER, _P.LATE_ADDONS, "the controller cannot resolve names while finalizers run"),
    Edge(_P.CONTROLLER, _P.SYSTEM_CAPACITY, "the controller is evicted while finalizers run"),
    Edge(_P.LATE_ADDONS, _P.SYSTEM_CAPACITY, "their pods have no node"),
    Edge(_P.CONTROLLER, _P.EARLY_ADDONS, "secondary interfaces leak"),
    Edge(_P.SYSTEM_CAPACITY, _P.EARLY_ADDONS, "secondary interfaces leak"),
    Edge(_P.EARLY_ADDONS, _P.CLUSTER, "they are deleted from a cluster that is deleted"),
    Edge(_P.NODE_IDENTITY, _P.CLUSTER, "the nodes' access entry is deleted from a cluster that is deleted"),
    Edge(_P.CLUSTER, _P.LAST_INTERFACES, "interfaces of the cluster's last pods are missed"),
    Edge(_P.LAST_INTERFACES, _P.NETWORK, "security groups and subnets are busy"),
)
"""A stack that lacks a part lacks its edges."""


def missing_edges(graph: Graph, parts: Mapping[str, Part]) -> list[str]:
    """Return what the graph lacks: a line for each pair of resources that may be deleted in the wrong order, with what comes of
    it.

    `parts` says which part each resource belongs to; those in no part may come down at any time.
    """
    below = {name: reachable(graph, name) for name in parts}
    return [
        f"{first} ({edge.first}) must be deleted before {then} ({edge.then}): otherwise {edge.otherwise}"
        for edge in EDGES
        for first in _of(parts, edge.first)
        for then in _of(parts, edge.then)
        if then not in below[first]
    ]


def reachable(graph: Graph, name: str) -> frozenset[str]:
    """Return everything that a resource depends on, directly or by way of others; deleted after it."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = set(graph.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return frozenset(found)


def deletion_order(graph: Graph) -> list[frozenset[str]]:
    """Return the waves in which an engine deletes: a resource goes when all that depends on it is deleted.

    Raises ValueError for a graph with a cycle, which no engine accepts.
    """
    left = {name: set(needed) & set(graph) for name, needed in graph.items()}
    waves: list[frozenset[str]] = []
    while left:
        needed = set().union(*left.values())
        wave = frozenset(set(left) - needed)
        if not wave:
            raise ValueError(f"these depend on each other: {', '.join(sorted(left))}")
        waves.append(wave)
        left = {name: on for name, on in left.items() if name not in wave}
    return waves


def _of(parts: Mapping[str, Part], part: Part) -> Iterator[str]:
    return (name for name, its in sorted(parts.items()) if its is part)
