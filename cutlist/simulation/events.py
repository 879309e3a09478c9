"""What happens in a simulated cluster, each event at an instant.

An instant is a whole number of milliseconds since the start of the simulation, so that equal instants are equal and a run that
is cut in two has the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cutlist.simulation import outside_events

SECOND: Final = 1000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


# --- instances


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The cloud takes a spot instance back, and says so now."""

    at: int
    node: str


@dataclass(frozen=True, slots=True)
class NodeRecovered:
    """A condition of a node is healthy again, if it has not changed since an instant (seconds since 1970)."""

    at: int
    node: str
    condition: str
    since: float


@dataclass(frozen=True, slots=True)
class NodeUnreachableFor:
    """A node has not been ready for as long as pods tolerate it, if it has been so since an instant (seconds since 1970)."""

    at: int
    node: str
    since: float


@dataclass(frozen=True, slots=True)
class InstanceStopped:
    """An instance no longer runs: the cloud has taken it, or its NodeClaim is terminated."""

    at: int
    node: str


# --- pods


@dataclass(frozen=True, slots=True)
class PodReady:
    """A pod is ready, if it still runs where it started the `start`-th time."""

    at: int
    pod: str
    start: int


@dataclass(frozen=True, slots=True)
class PodCompleted:
    """A pod of a Job has run to its end, if it still runs where it started the `start`-th time."""

    at: int
    pod: str
    start: int


@dataclass(frozen=True, slots=True)
class PodStopped:
    """The containers of a pod that is being deleted have ended."""

    at: int
    pod: str


@dataclass(frozen=True, slots=True)
class DrainDue:
    """The eviction queue tries the pods of a draining node again."""

    at: int
    node: str


@dataclass(frozen=True, slots=True)
class AutoscalersDue:
    """The HorizontalPodAutoscaler controller looks at its metrics."""

    at: int


@dataclass(frozen=True, slots=True)
class CronJobDue:
    """The schedule of a CronJob has come to one of its times."""

    at: int
    workload: str


@dataclass(frozen=True, slots=True)
class JobDue:
    """The Jobs of a workload may go on after a failure, or one of them has run for as long as it may."""

    at: int
    workload: str


# --- nodes


@dataclass(frozen=True, slots=True)
class OrphansCollected:
    """Kubernetes' garbage collector deletes pods whose node no longer exists, such as those of DaemonSets."""

    at: int


@dataclass(frozen=True, slots=True)
class InstanceLaunched:
    """The cloud has an instance for a NodeClaim, which has its provider id from now on."""

    at: int
    node: str


@dataclass(frozen=True, slots=True)
class LaunchFailed:
    """The cloud has no instance for a NodeClaim, which is deleted."""

    at: int
    node: str


@dataclass(frozen=True, slots=True)
class NodeReady:
    """A launched node is registered, initialized and ready."""

    at: int
    node: str


@dataclass(frozen=True, slots=True)
class NodeExpired:
    """A NodeClaim has reached its `expireAfter`."""

    at: int
    node: str


# --- Karpenter


@dataclass(frozen=True, slots=True)
class BatchClosed:
    """The batching window of the provisioner closes, unless a pod has come since the window of this number was moved."""

    at: int
    window: int


@dataclass(frozen=True, slots=True)
class CommandDue:
    """A command of consolidation or emptiness has waited for its validation."""

    at: int
    number: int


@dataclass(frozen=True, slots=True)
class RoundDue:
    """The disruption controller begins a round."""

    at: int


@dataclass(frozen=True, slots=True)
class OfferingsDue:
    """Karpenter tries offerings again that it has left out."""

    at: int


@dataclass(frozen=True, slots=True)
class RepairDue:
    """Karpenter looks at unhealthy nodes again, where their repair is not a disruption method."""

    at: int


Event = (
    outside_events.DemandEvent
    | outside_events.ImageReleased
    | outside_events.ClusterEdited
    | outside_events.CapacityLost
    | outside_events.NodesInterrupted
    | outside_events.NodesFailed
    | Interrupted
    | NodeRecovered
    | NodeUnreachableFor
    | InstanceStopped
    | PodReady
    | PodCompleted
    | PodStopped
    | OrphansCollected
    | DrainDue
    | AutoscalersDue
    | CronJobDue
    | JobDue
    | InstanceLaunched
    | LaunchFailed
    | NodeReady
    | NodeExpired
    | BatchClosed
    | CommandDue
    | RoundDue
    | OfferingsDue
    | RepairDue
)
