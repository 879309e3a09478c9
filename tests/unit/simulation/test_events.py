"""The order of events."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.simulation.event_queue import ORDER, EventQueue
from cutlist.simulation.events import BatchClosed, Event, NodeReady, PodStopped, RoundDue
from cutlist.simulation.outside_events import ReplicasSet, TemplateChanged
from tests.examples import examples

KINDS = st.sampled_from(
    (
        lambda at: RoundDue(at),
        lambda at: ReplicasSet(at, "deployment/web", 3),
        lambda at: NodeReady(at, "n"),
        lambda at: BatchClosed(at, 1),
    )
)


def drained(queue: EventQueue) -> list[Event]:
    return [queue.pop() for _ in range(len(queue))]


def test_events_of_an_instant_happen_in_a_fixed_order():
    events = [RoundDue(5), BatchClosed(5, 1), NodeReady(5, "n"), PodStopped(5, "p"), ReplicasSet(5, "deployment/a", 1)]
    assert drained(EventQueue(events)) == events[::-1]
    assert drained(EventQueue([*events, TemplateChanged(4, "deployment/a", "2")]))[0] == TemplateChanged(4, "deployment/a", "2")


def test_events_of_a_kind_keep_the_order_in_which_they_came():
    queue = EventQueue([ReplicasSet(0, "deployment/b", 1), ReplicasSet(0, "deployment/a", 1)])
    queue.push(ReplicasSet(0, "deployment/0", 1))
    assert [e.workload for e in queue] == ["deployment/b", "deployment/a", "deployment/0"]
    assert queue.next_at == 0


def test_each_kind_has_its_place():
    assert sorted(kind.__name__ for kind in ORDER) == sorted(kind.__name__ for kind in get_args(Event))


def test_an_empty_queue_has_no_next_event():
    queue = EventQueue()
    assert (len(queue), queue.next_at) == (0, None)
    with pytest.raises(IndexError):
        queue.pop()


@examples(0.3)
@given(st.lists(st.tuples(st.integers(0, 5), KINDS)), st.integers(0, 10))
def test_a_queue_that_is_written_out_and_read_again_goes_on_the_same(planned, popped):
    """What a run that is cut in two rests on."""
    events = [make(at) for at, make in planned]
    queue = EventQueue(events)
    first = [queue.pop() for _ in range(min(popped, len(queue)))]
    assert [*first, *drained(EventQueue(list(queue)))] == drained(EventQueue(events))
