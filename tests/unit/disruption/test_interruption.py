"""What happens to nodes whose instances the cloud takes away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.labels import CAPACITY_TYPE, RESERVED, ZONE
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.disruption.interruption import TERMINATING_ON_INTERRUPTION, SoldOut, interrupted, while_sold_out, without_spot
from cutlist.disruption.termination import deadline
from tests.unit.disruption.claims import MINUTE, NOON, claim, state_node
from tests.unit.providers.aws import queue_messages as aws
from tests.unit.scheduling.builders import label
from tests.unit.scheduling.builders import machine as instance_type

SPOT = {CAPACITY_TYPE: "spot"}
RESERVATION = "example.com/reservation-id"
SOLD = instance_type("two", 2, capacity_types={"spot": 1.0, "on-demand": 2.0})


def on(name: str, reported):
    return replace(reported, instances=(f"i-{name}",))


def available(types) -> set[tuple[str, str]]:
    return {(o.zone, o.capacity_type) for t in types for o in t.offerings if o.available}


def test_an_interrupted_spot_node_is_drained():
    """Its claim is deleted like by hand: without a deadline of its own; the others stay."""
    # D-78
    nodes = [state_node("a", of=claim("a", labels=SPOT)), state_node("b")]
    after = interrupted(nodes, on("a", aws.SPOT_INTERRUPTED), NOON)
    gone, stays = after.nodes
    assert gone.claim.deleted == NOON
    assert gone.state.removed
    assert deadline(gone.claim) is None
    assert stays is nodes[1]
    assert after.events == (("a", "SpotInterrupted"), ("a", TERMINATING_ON_INTERRUPTION))


def test_its_offering_is_not_bought_again_for_three_minutes():
    """The same type in the same zone as spot; everything else is still available."""
    # D-78
    after = interrupted([state_node(of=claim(labels=SPOT))], on("a", aws.SPOT_INTERRUPTED), NOON)
    assert after.sold_out == (SoldOut("two", "zone-a", "spot", until=NOON + 3 * MINUTE),)
    other = instance_type("four", 4, capacity_types={"spot": 1.0})
    left = while_sold_out([SOLD, other], after.sold_out, NOON)
    assert available([SOLD]) - available(left[:1]) == {("zone-a", "spot")}
    assert left[1] == other
    assert while_sold_out([SOLD], after.sold_out, NOON + 3 * MINUTE) == (SOLD,)


def test_a_rebalance_recommendation_is_only_told():
    """The node stays."""
    # D-78
    nodes = (state_node(),)
    after = interrupted(nodes, on("a", aws.REBALANCE), NOON)
    assert after.nodes == nodes
    assert after.events == (("a", "SpotRebalanceRecommendation"),)
    assert after.sold_out == ()


def test_a_failed_check_ends_a_node_at_once():
    """Its deadline is now, so that its pods are forced; one that it has already stays."""
    # D-79
    (gone,) = interrupted([state_node(of=claim(termination_grace_period="24h"))], on("a", aws.SYSTEM_STATUS), NOON).nodes
    assert deadline(gone.claim) == NOON
    going = state_node(of=claim(termination_grace_period="1h", deleted=NOON - 1))
    (again,) = interrupted([going], on("a", aws.INSTANCE_STATUS), NOON).nodes
    assert deadline(again.claim) == NOON
    (later,) = interrupted([again], on("a", aws.INSTANCE_STATUS), NOON + MINUTE).nodes
    assert deadline(later.claim) == NOON


@pytest.mark.parametrize("reported", [aws.EVENT_STATUS, aws.SCHEDULED_CHANGE, aws.STOPPED, aws.TERMINATED])
def test_other_news_drain_a_node_as_usual(reported):
    """There is only the deadline of its own grace period."""
    # D-79
    (gone,) = interrupted([state_node(of=claim(termination_grace_period="1h"))], on("a", reported), NOON).nodes
    assert deadline(gone.claim) == NOON + 60 * MINUTE


def test_a_node_that_goes_already_is_not_deleted_twice():
    """What happened is reported, and no more."""
    going = state_node(of=claim(deleted=NOON - 1))
    after = interrupted([going], on("a", aws.STOPPED), NOON)
    assert after.nodes[0].claim.deleted == NOON - 1
    assert after.events == (("a", "InstanceStopping"),)


def test_what_holds_other_disruption_back_does_not_hold_this():
    """Neither an annotation of the node nor a protected pod."""
    # D-35
    (gone,) = interrupted([state_node(annotations={"karpenter.sh/do-not-disrupt": "true"})], on("a", aws.STOPPED), NOON).nodes
    assert gone.claim.deleted == NOON


def test_instances_of_others_are_ignored():
    """Those without a claim, and a message that names no instance."""
    nodes = (replace(state_node(), claim=None), state_node("b", of=claim("b", provider_id="")))
    assert interrupted(nodes, on("a", aws.STOPPED), NOON).nodes == nodes
    assert interrupted(nodes, replace(aws.STOPPED, instances=("",)), NOON).nodes == nodes


def test_a_reservation_that_is_interrupted_is_not_used_again():
    """Its offerings are removed, those of another reservation stay."""
    labels = {CAPACITY_TYPE: RESERVED, RESERVATION: "cr-1"}
    nodes = [state_node(of=claim(labels=labels))]
    after = interrupted(nodes, on("a", aws.RESERVATION_INTERRUPTED), NOON, reservation_key=RESERVATION)
    assert [one.reservation for one in after.sold_out] == ["cr-1"]

    def reserved(number: str) -> Requirements:
        return Requirements(
            [label(ZONE, "zone-a"), label(CAPACITY_TYPE, RESERVED), Requirement(RESERVATION, False, frozenset((number,)))]
        )

    two = tuple(SOLD.offerings[0]._replace(requirements=reserved(number)) for number in ("cr-1", "cr-2"))
    (left,) = while_sold_out(
        [replace(SOLD, offerings=(*two, *SOLD.offerings))], after.sold_out, NOON, reservation_key=RESERVATION
    )
    assert [o.available for o in left.offerings] == [False, True, *(True for _ in SOLD.offerings)]


# VA15-65 VA15-67
def test_a_reclaimed_reservation_alone_is_avoided_for_three_minutes_since_1_15():
    """Before, its count was 0 until it was read again."""
    nodes = [state_node(of=claim(labels={CAPACITY_TYPE: RESERVED, RESERVATION: "cr-1"}))]
    reported = on("a", aws.RESERVATION_INTERRUPTED)
    sold_out = {
        baseline.minor: interrupted(nodes, reported, NOON, reservation_key=RESERVATION, karpenter=baseline).sold_out
        for baseline in (BASELINES[0], BASELINES[-1])
    }
    assert [one.until for entries in sold_out.values() for one in entries] == [None, NOON + 180]


def test_all_spot_of_a_zone_goes():
    """Its spot nodes leave, and no spot is sold there any longer; other zones and on-demand go on."""
    nodes = [
        state_node("a", of=claim("a", labels=SPOT)),
        state_node("b", of=claim("b", labels={**SPOT, ZONE: "zone-b"})),
        state_node("c"),
    ]
    after = without_spot(nodes, NOON, "zone-a")
    assert [m.claim.deleted for m in after.nodes] == [NOON, None, None]
    left = available(while_sold_out([SOLD], after.sold_out, NOON + 1000 * MINUTE))
    assert available([SOLD]) - left == {("zone-a", "spot")}
    everywhere = without_spot(nodes, NOON)
    assert [m.claim.deleted for m in everywhere.nodes] == [NOON, NOON, None]
    assert {kind for _, kind in available(while_sold_out([SOLD], everywhere.sold_out, NOON))} == {"on-demand"}
