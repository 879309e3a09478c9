"""The events that are still to come, in their order.

Events of the same instant happen in a fixed order: first what people and clocks outside the cluster do, then what ends, what
starts, and at last what Karpenter does about it; among events of a kind, the one that was queued first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Final

from cutlist.simulation import events, outside_events

# What happens at one instant: first what comes from outside, then what ends and begins, then controllers, Karpenter's last. So
# whoever looks sees all that the instant has changed.
ORDER: Final[tuple[type[events.Event], ...]] = (
    outside_events.TemplateChanged,
    outside_events.ReplicasSet,
    outside_events.JobStarted,
    outside_events.ImageReleased,
    outside_events.ClusterEdited,
    outside_events.CapacityLost,
    outside_events.NodesFailed,
    outside_events.NodesInterrupted,
    events.Interrupted,
    events.NodeRecovered,
    events.NodeUnreachableFor,
    events.InstanceStopped,
    events.PodCompleted,
    events.PodStopped,
    events.OrphansCollected,
    events.InstanceLaunched,
    events.LaunchFailed,
    events.NodeReady,
    events.PodReady,
    events.AutoscalersDue,
    events.CronJobDue,
    events.JobDue,
    events.NodeExpired,
    events.DrainDue,
    events.OfferingsDue,
    events.RepairDue,
    events.BatchClosed,
    events.CommandDue,
    events.RoundDue,
)
_RANK: Final = {kind: rank for rank, kind in enumerate(ORDER)}


class EventQueue:
    """The events that are still to come, the next one first."""

    __slots__ = ("_heap", "_next")

    def __init__(self, coming: Iterable[events.Event] = ()) -> None:
        """Begin with some events, in the order in which those of the same instant and kind are to happen."""
        # The number makes every key different, so that events themselves are never compared.
        self._heap = [((e.at, _RANK[type(e)], number), e) for number, e in enumerate(coming)]
        self._next = len(self._heap)
        heapify(self._heap)

    def __len__(self) -> int:
        """Return the number of events that are still to come."""
        return len(self._heap)

    def __iter__(self) -> Iterator[events.Event]:
        """Iterate over the events in the order in which they are going to happen."""
        return (event for _, event in sorted(self._heap, key=lambda entry: entry[0]))

    def push(self, event: events.Event) -> None:
        """Add an event behind those of the same instant and kind."""
        heappush(self._heap, ((event.at, _RANK[type(event)], self._next), event))
        self._next += 1

    def pop(self) -> events.Event:
        """Remove the next event and return it. Raises IndexError when the queue is empty."""
        return heappop(self._heap)[1]

    @property
    def next_at(self) -> int | None:
        """Return the instant of the next event, or None when the queue is empty."""
        return self._heap[0][0][0] if self._heap else None
