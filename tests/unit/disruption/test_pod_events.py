"""The clock of consolidateAfter: when a node last had a pod come or go."""

from __future__ import annotations

import pytest

from cutlist.disruption.podevents import is_event, with_pod_event
from tests.unit.disruption.claims import MINUTE, NOON, claim, running

BOUND = running()
WAITING = running(node="")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (WAITING, BOUND),
        (None, BOUND),
        (BOUND, running(phase="Succeeded")),
        (BOUND, running(phase="Failed")),
        (BOUND, running(terminating=True)),
    ],
    ids=["bound", "seen after a restart", "succeeded", "failed", "terminating"],
)
def test_a_pod_that_comes_or_goes_moves_the_clock(before, after):
    """It was bound, ran to its end or began to terminate; a restart of the controller sees every pod come."""
    # D-17
    assert is_event(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (WAITING, running("p", "DaemonSet")),
        (BOUND, BOUND),
        (BOUND, running(unready=True)),
        (None, WAITING),
    ],
    ids=["of a DaemonSet", "no change", "readiness", "not bound"],
)
def test_what_does_not_move_the_clock(before, after):
    """Pods of DaemonSets never count, others only when they come or go."""
    # D-17
    assert not is_event(before, after)


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
