"""What happens in a simulated cluster, each event at an instant, and the queue that keeps them in order.

An instant is a whole number of milliseconds since the start of the simulation, so that equal instants are equal and a run that
is cut in two has the same ones. Events of the same instant happen in a fixed order: first what people and clocks outside the
cluster do, then what ends, what starts, and at last what Karpenter does about it; among events of a kind the one that was put
into the queue first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Final

from cutlist.core.values import dataclass
from cutlist.simulation.demand.jobs import JobTerms
from cutlist.workloads.pods import Pod

SECOND: Final = 1000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


# --- demand: what people and controllers outside Karpenter want. `workload` is the name that `workload_of` gives.


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


# --- the outside: clouds, machines and people who edit NodePools


@dataclass(frozen=True, slots=True)
class ImageReleased:
    """The node classes of some NodePools, of all where none is named, resolve to other images: their nodes have drifted.

    `reason` is what their provider calls it.
    """

    at: int
    pools: tuple[str, ...] = ()
    reason: str = "AMIDrift"


@dataclass(frozen=True, slots=True)
class ClusterEdited:
    """NodePools and node classes are edited: those of an edition count from now on."""

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
class NodeChoice:
    """Which nodes an event is about: the first `count` by name of those that run and have these labels; empty ones do not
    matter."""

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
    nodes: NodeChoice


@dataclass(frozen=True, slots=True)
class NodesFailed:
    """Some nodes become unhealthy: a condition of theirs has a status that Karpenter may repair. After `lasts` milliseconds
    they are well again, without it never."""

    at: int
    nodes: NodeChoice
    condition: str
    status: str
    reason: str = ""
    lasts: int | None = None


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The cloud takes a spot instance back, and says so now."""

    at: int
    node: str


@dataclass(frozen=True, slots=True)
class NodeRecovered:
    """A condition of a node is well again, if it has been as it is since an instant (seconds since 1970)."""

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
    DemandEvent
    | ImageReleased
    | ClusterEdited
    | CapacityLost
    | NodesInterrupted
    | NodesFailed
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

_ORDER: Final[tuple[type[Event], ...]] = (
    TemplateChanged,
    ReplicasSet,
    JobStarted,
    ImageReleased,
    ClusterEdited,
    CapacityLost,
    NodesFailed,
    NodesInterrupted,
    Interrupted,
    NodeRecovered,
    NodeUnreachableFor,
    InstanceStopped,
    PodCompleted,
    PodStopped,
    OrphansCollected,
    InstanceLaunched,
    LaunchFailed,
    NodeReady,
    PodReady,
    AutoscalersDue,
    CronJobDue,
    JobDue,
    NodeExpired,
    DrainDue,
    OfferingsDue,
    RepairDue,
    BatchClosed,
    CommandDue,
    RoundDue,
)
_RANK: Final = {kind: rank for rank, kind in enumerate(_ORDER)}


class EventQueue:
    """The events that are still to come, the next one first."""

    __slots__ = ("_heap", "_next")

    def __init__(self, events: Iterable[Event] = ()) -> None:
        """Begin with some events, in the order in which those of the same instant and kind are to happen."""
        self._heap = [((e.at, _RANK[type(e)], number), e) for number, e in enumerate(events)]
        self._next = len(self._heap)
        heapify(self._heap)

    def __len__(self) -> int:
        """Return the number of events that are still to come."""
        return len(self._heap)

    def __iter__(self) -> Iterator[Event]:
        """Iterate over the events in the order in which they are going to happen."""
        return (event for _, event in sorted(self._heap, key=lambda entry: entry[0]))

    def push(self, event: Event) -> None:
        """Add an event behind those of the same instant and kind."""
        heappush(self._heap, ((event.at, _RANK[type(event)], self._next), event))
        self._next += 1

    def pop(self) -> Event:
        """Remove the next event and return it. Raises IndexError when the queue is empty."""
        return heappop(self._heap)[1]

    @property
    def next_at(self) -> int | None:
        """Return the instant of the next event, or None when the queue is empty."""
        return self._heap[0][0][0] if self._heap else None
