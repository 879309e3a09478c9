"""The clock of consolidateAfter: when a node last had a pod come or go."""

from __future__ import annotations

from cutlist.disruption.conditions import with_pod_event
from tests.unit.disruption.claims import MINUTE, NOON, claim


def test_events_close_together_are_one():
    """A second event is dropped for ten seconds, and noted again from the tenth on."""
    # D-17
    noted = with_pod_event(claim(), NOON)
    assert noted.last_pod_event == NOON
    assert with_pod_event(noted, NOON + 9.9) is noted
    assert with_pod_event(noted, NOON + 10).last_pod_event == NOON + 10


def test_the_clock_has_whole_seconds():
    """What is finer is cut off."""
    assert with_pod_event(claim(), NOON + 0.9).last_pod_event == NOON


def test_three_events_in_a_row():
    """Bound at 12:00:00, one terminates at 12:03:00, another at 12:03:05: the last one is dropped."""
    now = claim()
    for at in (NOON, NOON + 3 * MINUTE, NOON + 3 * MINUTE + 5):
        now = with_pod_event(now, at)
    assert now.last_pod_event == NOON + 3 * MINUTE
