"""NodeClaims whose time is up, and what happens to one that is deleted."""

from __future__ import annotations

from cutlist.core.annotations import TERMINATION_TIMESTAMP
from cutlist.disruption.termination import deadline, deleted, expires_at, longest_life, with_claim, with_deadline
from cutlist.state.statenode import NodeClaimState
from tests.unit.disruption.claims import DAY, HOUR, NOON, claim, state_node


def test_a_claim_without_a_written_time_has_the_default():
    """As the API server stores it: 720 hours."""
    # D-74
    born = {"name": "c", "creationTimestamp": "2026-01-05T12:00:00Z"}
    assert expires_at(NodeClaimState.read({"metadata": born})) == NOON + 720 * HOUR


def test_the_deadline_is_set_once_when_a_claim_is_deleted():
    """Deletion plus grace period; a later deletion moves nothing."""
    claimed = deleted(claim(termination_grace_period="1h30m"), NOON + 0.7)
    assert claimed.annotations[TERMINATION_TIMESTAMP] == "2026-01-05T13:30:00Z"
    assert deadline(claimed) == NOON + 1.5 * HOUR
    assert deleted(claimed, NOON + DAY) is claimed


def test_a_deadline_that_is_there_already_stays():
    """Repair sets it before it deletes."""
    assert deadline(deleted(with_deadline(claim(termination_grace_period="1h"), NOON), NOON)) == NOON


def test_without_a_grace_period_there_is_no_deadline():
    """Such a drain may take forever; so it may when the deadline cannot be read."""
    assert deadline(deleted(claim(), NOON)) is None
    assert deadline(claim(annotations={TERMINATION_TIMESTAMP: "soon"})) is None
    assert deadline(None) is None


def test_the_longest_life_of_a_node():
    """expireAfter plus grace period; without either nothing ends it for certain."""
    assert longest_life(claim(expire_after="336h", termination_grace_period="24h")) == 15 * DAY
    assert longest_life(claim(expire_after="336h")) is None
    assert longest_life(claim(expire_after="Never", termination_grace_period="24h")) is None


def test_no_pods_go_to_a_machine_whose_claim_is_deleted():
    """Scheduling takes it for removed."""
    assert with_claim(state_node(), deleted(claim(), NOON)).state.removed
    assert not with_claim(state_node(), claim()).state.removed
