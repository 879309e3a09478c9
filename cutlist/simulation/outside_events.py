"""Events that come from outside the cluster: demand, clouds, machines, and people who edit objects.

`workload` is the name that `workload_of` gives.
"""

from __future__ import annotations

from dataclasses import dataclass

from cutlist.simulation.demand.jobs import JobTerms
from cutlist.workloads.pods import Pod

# --- demand: what people and controllers outside Karpenter want


@dataclass(frozen=True, slots=True)
class ReplicasSet:
    """A workload has this number of replicas from an instant on."""

    at: int
    workload: str
    replicas: int


@dataclass(frozen=True, slots=True)
class JobStarted:
    """A Job starts, each pod of which runs for `duration` milliseconds."""

    at: int
    workload: str
    terms: JobTerms
    duration: int


@dataclass(frozen=True, slots=True)
class TemplateChanged:
    """A workload gets another pod template, which its controller rolls out. `revision` names the template.

    `pod` is the new pod; without one the pods are as before and merely restarted.
    """

    at: int
    workload: str
    revision: str
    pod: Pod | None = None


DemandEvent = ReplicasSet | JobStarted | TemplateChanged


# --- clouds, machines and people who edit NodePools


@dataclass(frozen=True, slots=True)
class ImageReleased:
    """The node classes of some NodePools resolve to other images: their nodes have drifted. Without `pools` those of all do.

    `reason` is what their provider calls it.
    """

    at: int
    pools: tuple[str, ...] = ()
    reason: str = "AMIDrift"


@dataclass(frozen=True, slots=True)
class ClusterEdited:
    """NodePools and node classes are edited: those of an edition apply from now on."""

    at: int
    edition: int


@dataclass(frozen=True, slots=True)
class CapacityLost:
    """The cloud has no further instances of a type in a zone by a capacity type until an instant; `*` is any."""

    at: int
    instance_type: str
    zone: str
    capacity_type: str
    until: int


@dataclass(frozen=True, slots=True)
class NodeSelection:
    """The nodes that an event is about: the first `count` by name of those that run and have these labels.

    An empty label matches any node.
    """

    name: str = ""
    pool: str = ""
    instance_type: str = ""
    zone: str = ""
    capacity_type: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class NodesInterrupted:
    """The cloud takes some instances back, and says so now."""

    at: int
    nodes: NodeSelection


@dataclass(frozen=True, slots=True)
class NodesFailed:
    """Some nodes become unhealthy: one of their conditions has a status that Karpenter may repair.

    After `lasts` milliseconds they are healthy again, without it never.
    """

    at: int
    nodes: NodeSelection
    condition: str
    status: str
    reason: str = ""
    lasts: int | None = None
