"""What the recorded answers say of NodeClaims by themselves: expiry, pod events and the weight of the time that is left."""

from __future__ import annotations

import pytest

from cutlist.disruption.costs import lifetime_weighted_cost
from tests.conformance.forceful import expiry, is_event
from tests.unit.disruption.claims import HOUR, NOON, claim, running

BOUND = running()
WAITING = running(node="")


def test_a_claim_expires_by_its_own_time():
    """At creation plus expireAfter to the second, counted for the claim and not for its NodePool or Node."""
    # D-74
    aged, younger = claim("aged", expire_after="24h"), claim("younger", expire_after="24h1s")
    result = expiry([aged, younger, claim("ageless", expire_after="Never")], NOON)
    assert result.now == ("aged",)
    assert result.later == {"younger": NOON + 1}


def test_what_is_being_deleted_does_not_expire():
    """It goes already."""
    assert expiry([claim(expire_after="1h", deleted=NOON - 1)], NOON).now == ()


def test_many_may_expire_at_once():
    """No budget spreads expiry: all claims of one age go together."""
    # D-35
    names = tuple(f"c-{i}" for i in range(9))
    assert expiry([claim(n, expire_after="1h") for n in names], NOON).now == names


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


def test_the_nearer_the_end_the_less_all_pods_weigh():
    """In proportion to the life that is left; pods that do not move are weighed as well."""
    old = claim(expire_after="48h", created=NOON - 24 * HOUR)
    assert lifetime_weighted_cost(old, [running(), running("agent", "DaemonSet")], NOON) == 1.0
    assert lifetime_weighted_cost(old, [running()], NOON + 1000 * HOUR) == 0
    assert lifetime_weighted_cost(claim(expire_after="Never"), [running()], NOON) == 1.0
    assert lifetime_weighted_cost(old, [running()], NOON - 1000 * HOUR) == 1.0
