"""What is removed forcibly, and when."""

from __future__ import annotations

from dataclasses import replace

from cutlist.disruption.node_repair import Repair
from cutlist.disruption.termination import with_deadline
from cutlist.disruption.timeline import ForcedRemovalKind, timeline, with_repairs
from tests.unit.disruption.builders import node, unmanaged
from tests.unit.disruption.claims import HOUR, NOON


def test_claims_expire_by_their_own_age_and_the_first_comes_first():
    """With a termination grace period the end is certain; without one a blocked pod may keep the node."""
    # D-74
    nodes = [
        node("late", created=NOON, expire_after="2h"),
        node("soon", created=NOON, expire_after="1h", termination_grace_period="30m"),
        node("never", created=NOON, expire_after="Never"),
        unmanaged("other"),
    ]
    first, second = timeline(nodes, NOON)
    assert (first.node, first.force, first.at, first.latest) == (
        "soon",
        ForcedRemovalKind.EXPIRES,
        NOON + HOUR,
        NOON + 1.5 * HOUR,
    )
    assert (second.node, second.at, second.latest) == ("late", NOON + 2 * HOUR, None)


def test_a_node_that_is_going_ends_at_its_deadline_and_does_not_expire():
    """Without a deadline its drain takes as long as it takes, and nothing is certain."""
    # D-75
    patient, limited = (node(name, created=NOON, expire_after="2h", deleted=NOON) for name in ("patient", "limited"))
    assert limited.claim is not None
    hurried = replace(limited, claim=with_deadline(limited.claim, NOON + HOUR))
    (removals,) = timeline([patient, hurried], NOON)
    assert (removals.node, removals.force, removals.at, removals.latest) == (
        "limited",
        ForcedRemovalKind.DRAIN_ENDS,
        NOON + HOUR,
        NOON + HOUR,
    )


def test_a_sick_node_is_drained_by_force_before_it_expires():
    """Its deadline is the instant of its end; one whose time is not up yet is reported with that instant."""
    # D-35 D-77
    nodes = [node(name, created=NOON, expire_after="2h") for name in ("sick", "soon")]
    removals = with_repairs(timeline(nodes, NOON), nodes, Repair(now=("sick",), later={"soon": NOON + HOUR / 2}), NOON)
    assert [(r.node, r.force, r.at, r.latest) for r in removals] == [
        ("sick", ForcedRemovalKind.REPAIRED, NOON, NOON),
        ("soon", ForcedRemovalKind.REPAIRED, NOON + HOUR / 2, NOON + HOUR / 2),
    ]


def test_where_too_many_are_sick_the_expiry_is_what_is_certain():
    """A repair that is held back is reported beside it."""
    # D-77
    blocked = Repair(later={"a": NOON + 300, "b": NOON + 300}, blocked={"a": "too many", "b": "too many"})
    nodes = [node("a", created=NOON, expire_after="2h"), node("b", expire_after="Never")]
    removals = with_repairs(timeline(nodes, NOON), nodes, blocked, NOON)
    assert [(r.node, r.force, r.blocked) for r in removals] == [
        ("a", ForcedRemovalKind.REPAIRED, "too many"),
        ("b", ForcedRemovalKind.REPAIRED, "too many"),
        ("a", ForcedRemovalKind.EXPIRES, ""),
    ]
