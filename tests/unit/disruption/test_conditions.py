"""The conditions Consolidatable and Drifted, as Karpenter keeps them on NodeClaims."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist import Disruption
from cutlist.disruption.conditions import Surroundings, is_settling, judged, settled_at, with_conditions
from cutlist.state.statenode import CLAIM_INITIALIZED, CONSOLIDATABLE, DRIFTED, LAUNCHED, Condition
from tests.unit.disruption.claims import HOUR, MINUTE, NOON, UP, claim, state_node
from tests.unit.scheduling.builders import MACHINES, REGISTRY, pool

MARKED = Condition("True", 1, CONSOLIDATABLE)


def around(after: str = "5m", drifted: Any = (), **fields: Any) -> Surroundings:
    """One NodePool with a consolidateAfter, and what the cloud says of drift by node."""
    own = pool(disruption=Disruption(consolidate_after=after), **fields)
    return Surroundings({own.name: own}, {own.name: MACHINES}, REGISTRY, dict(drifted))


def up_since(instant: float) -> dict[str, Condition]:
    return {**UP, CLAIM_INITIALIZED: Condition("True", instant)}


def is_marked(subject, within: Surroundings, now: float = NOON) -> bool:
    return judged(subject, within, now).has(CONSOLIDATABLE)


def test_without_delay_a_node_may_go_as_soon_as_it_is_initialized():
    """consolidateAfter 0s does not wait for pods that came a second ago."""
    # D-16
    assert is_marked(claim(last_pod_event=NOON - 1), around("0s"))
    assert not is_marked(claim(conditions={LAUNCHED: Condition("True")}), around("0s"))


def test_a_node_may_go_some_time_after_its_last_pod_event():
    """Five minutes after it to the second, whatever came before."""
    # D-16
    busy = claim(last_pod_event=NOON - 5 * MINUTE, conditions=up_since(NOON - 1))
    assert is_marked(busy, around("5m"))
    assert not is_marked(busy, around("5m"), NOON - 1)


def test_without_a_pod_event_the_time_counts_from_initialization():
    """Five minutes after the node came up."""
    # D-16
    fresh = claim(conditions=up_since(NOON - 5 * MINUTE))
    assert is_marked(fresh, around("5m"))
    assert not is_marked(fresh, around("5m"), NOON - 1)


def test_a_new_pod_takes_the_mark_away():
    """A node that could have gone has to wait again."""
    marked = claim(last_pod_event=NOON - 1, conditions={**UP, CONSOLIDATABLE: MARKED})
    assert CONSOLIDATABLE not in judged(marked, around("5m"), NOON).conditions


def test_never_takes_the_mark_away_and_leaves_drift():
    """With consolidateAfter Never a node is not consolidated, but it is replaced when it drifts."""
    # D-18
    after = judged(claim(conditions={**UP, CONSOLIDATABLE: MARKED}), around("Never", {"a": "AMIDrift"}), NOON, node="a")
    assert CONSOLIDATABLE not in after.conditions
    assert after.has(DRIFTED)


def test_nodes_of_static_pools_are_not_marked():
    """Nor is a mark taken away that they have from earlier days; nobody looks at it."""
    # D-14
    static = around("0s", replicas=2)
    assert not is_marked(claim(), static)
    assert is_marked(claim(conditions={**UP, CONSOLIDATABLE: MARKED}), static)


def test_when_a_node_settles():
    """The instant is known beforehand, so that a loop can wait for it; without a delay there is none."""
    subject, within = claim(last_pod_event=NOON), around("1h30m").pools["default"]
    assert settled_at(subject, within) == NOON + 1.5 * HOUR
    assert is_settling(subject, within, NOON + HOUR)
    assert settled_at(subject, around("0s").pools["default"]) is None
    assert not is_settling(claim(conditions={}, last_pod_event=NOON), within, NOON)


def test_drift_has_a_reason_and_a_time():
    """Since when it is so, to the second; the reason may change and the time stays."""
    drifted = judged(claim(), around(drifted={"a": "AMIDrift"}), NOON + 0.5, node="a")
    assert drifted.conditions[DRIFTED] == Condition("True", NOON, "AMIDrift")
    later = judged(drifted, around(drifted={"a": "SubnetDrift"}), NOON + HOUR, node="a")
    assert later.conditions[DRIFTED] == Condition("True", NOON, "SubnetDrift")


def test_drift_that_has_gone_by_loses_the_condition():
    """As does a claim that was never launched, whatever the cloud says."""
    was = {DRIFTED: Condition("True", 1, "AMIDrift")}
    assert DRIFTED not in judged(claim(conditions={**UP, **was}), around(), NOON).conditions
    assert DRIFTED not in judged(claim(conditions=was), around(drifted={"a": "AMIDrift"}), NOON, node="a").conditions


@pytest.mark.parametrize("subject", [claim(deleted=NOON - 1), claim(labels={"karpenter.sh/nodepool": "gone"})])
def test_claims_that_nobody_judges(subject):
    """What is being deleted, or has no NodePool any longer, stays as it is."""
    assert judged(subject, around("0s"), NOON) is subject


def test_conditions_are_set_on_the_claims_of_nodes():
    """A condition that is missing is added; a Node without a claim, and a claim that has all, stay as they are."""
    marked = state_node("b", of=claim("b", conditions={**UP, CONSOLIDATABLE: MARKED}))
    unmanaged = replace(state_node("c"), claim=None)
    fresh, same, other = with_conditions([state_node("a"), marked, unmanaged], around("0s"), NOON)
    assert fresh.claim is not None
    assert fresh.claim.conditions == {**UP, CONSOLIDATABLE: Condition("True", NOON, CONSOLIDATABLE)}
    assert (same, other) == (marked, unmanaged)


@given(
    event=st.none() | st.integers(-400, 10),
    since=st.integers(-400, 10),
    after=st.sampled_from(["0s", "5m", "Never"]),
    marked=st.booleans(),
    reason=st.sampled_from(["", "AMIDrift"]),
)
def test_judging_twice_changes_nothing(event: int | None, since: int, after: str, marked: bool, reason: str):
    """At one instant there is one right answer, so a second look finds it in place."""
    conditions = {**up_since(NOON + since), **({CONSOLIDATABLE: MARKED} if marked else {})}
    subject = claim(last_pod_event=None if event is None else NOON + event, conditions=conditions)
    once = judged(subject, around(after, {"a": reason}), NOON, node="a")
    assert judged(once, around(after, {"a": reason}), NOON, node="a") == once
