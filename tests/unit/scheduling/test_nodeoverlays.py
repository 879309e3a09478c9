"""NodeOverlays: which types they touch, who wins, what a changed type looks like (spec 3.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cutlist
from cutlist import NodePool
from cutlist.catalog.prices import Price
from cutlist.core.labels import CAPACITY_TYPE, INSTANCE_TYPE, NODEPOOL, ZONE
from cutlist.core.quantity import amounts
from cutlist.core.requirement import Expression
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.inputs import SchedulerInputs, SchedulerOptions
from cutlist.scheduling.nodeoverlays import CONFLICT, NodeOverlay, OverlaidTypes, overlay
from cutlist.scheduling.provisioner import prepare
from cutlist.workloads.pods import FrozenDict
from tests.unit.scheduling.builders import EIGHT, FOUR, MACHINES, REGISTRY, TWO, machine, pool, term

SLOT, KEY = "example.com/slot", "example.com/key"
MANAGED = "example.com/of-the-cloud"
KNOWING = REGISTRY.extended(well_known_resources=(MANAGED,))
BOTH = machine("both", 4, capacity_types={"spot": 1.0, "on-demand": 3.0})


def over(
    name: str,
    *requirements: tuple[Expression, ...],
    price: str = "",
    capacity: Mapping[str, str] | None = None,
    weight: int = 0,
) -> NodeOverlay:
    return NodeOverlay(name, tuple(e for terms in requirements for e in terms), price, amounts(capacity or {}), weight)


def apply(*overlays: NodeOverlay, types: Sequence[InstanceType] = MACHINES, pools: Sequence[NodePool] = ()) -> OverlaidTypes:
    node_pools = pools or [pool()]
    return overlay(overlays, node_pools, {p.name: types for p in node_pools}, KNOWING)


def prices(overlaid: OverlaidTypes, name: str = "default") -> list[set[float | None]]:
    """The prices of each type's offerings."""
    return [{o.price for o in t.offerings} for t in overlaid.types[name]]


def capacities(overlaid: OverlaidTypes, *resources: str) -> list[tuple[int, ...]]:
    """What each type has of some resources."""
    return [tuple(t.capacity.get(r, 0) // 10**9 for r in resources) for t in overlaid.types["default"]]


def test_an_overlay_prices_the_types_it_selects():
    """The selected type's offerings carry the new price and say that it was set; other types are left as they are."""
    # S-43
    overlaid = apply(over("cheap", term(INSTANCE_TYPE, "In", "two"), price="0.5"))
    assert prices(overlaid) == [{0.5}, {4.0}, {8.0}]
    assert {o.price_overlaid for o in overlaid.types["default"][0].offerings} == {True}
    assert overlaid.types["default"][1] is FOUR


def test_an_overlay_may_select_some_offerings():
    """One for spot changes the spot price only."""
    # S-43
    overlaid = apply(over("spot", term(CAPACITY_TYPE, "In", "spot"), price="+10%"), types=(BOTH,))
    assert {o.capacity_type: o.price for o in overlaid.types["default"][0].offerings} == {"spot": 1.1, "on-demand": 3.0}


def test_availability_is_not_asked():
    """An offering that is sold out is priced, too."""
    excluded = machine("gone", 2, available=False)
    assert prices(apply(over("o", price="7"), types=(excluded,))) == [{7.0}]


def test_an_unknown_price_can_be_set_but_not_adjusted():
    """A sign changes a price that is there; without one it does not matter what was."""
    unknown = replace(TWO, offerings=tuple(o._replace(price=None) for o in TWO.offerings))
    assert prices(apply(over("o", price="+10%"), types=(unknown,))) == [{None}]
    assert prices(apply(over("o", price="2"), types=(unknown,))) == [{2.0}]


@pytest.mark.parametrize("price", ["0", "0.5", "+10%", "-100%", "-1"])
def test_what_is_paid_is_what_it_was(price):
    """With its fee, and from where it was known; an unknown price stays unknown."""
    bought = replace(TWO, offerings=tuple(o._replace(fee=0.25, basis=Price(1.0, "a list")) for o in TWO.offerings))
    for before, after in zip(
        bought.offerings, apply(over("o", price=price), types=(bought,)).types["default"][0].offerings, strict=True
    ):
        assert (after.cost, after.fee, after.paid) == (before.cost, 0.25, Price(before.cost, "a list"))
        assert after.overlay_price == after.price != before.price
    unknown = replace(TWO, offerings=tuple(o._replace(price=None) for o in TWO.offerings))
    assert {o.cost for o in apply(over("o", price=price), types=(unknown,)).types["default"][0].offerings} == {None}


def test_a_priced_offering_forgets_its_overrides():
    """Karpenter's copy keeps neither capacity nor overhead of the offering alone; those that keep their price keep both."""
    offerings = tuple(o._replace(capacity_override=amounts({SLOT: "4"})) for o in TWO.offerings)
    overlaid = apply(over("o", term(ZONE, "In", "zone-a"), price="1"), types=(replace(TWO, offerings=offerings),))
    by_zone = {o.zone: dict(o.capacity_override) for o in overlaid.types["default"][0].offerings}
    assert by_zone == {"zone-a": {}, "zone-b": amounts({SLOT: "4"}), "zone-c": amounts({SLOT: "4"})}


def test_of_equal_weight_the_later_name_wins_and_the_other_is_rejected_whole():
    """`a` meets `b` on one type: neither its price there nor its other effects come about."""
    # S-44
    a = over("a", price="1", capacity={SLOT: "1"})
    b = over("b", term(INSTANCE_TYPE, "In", "two"), price="9")
    overlaid = apply(a, b)
    assert prices(overlaid) == [{9.0}, {4.0}, {8.0}]
    assert capacities(overlaid, SLOT) == [(0,), (0,), (0,)]
    assert overlaid.rejected == {"a": CONFLICT}


def test_of_different_weight_the_heavier_price_stays():
    """The lighter one still sets the price where the heavier is silent."""
    # S-44
    overlaid = apply(over("a", term(INSTANCE_TYPE, "In", "two"), price="9", weight=5), over("z", price="1"))
    assert prices(overlaid) == [{9.0}, {1.0}, {1.0}]
    assert not overlaid.rejected


def test_a_price_kept_takes_the_weight_of_the_one_that_came_after():
    """Weights 2, 1, 1: the third conflicts with the second, although the price there is the first's."""
    # S-44
    overlaid = apply(over("a", price="1", weight=2), over("c", price="2", weight=1), over("b", price="3", weight=1))
    assert prices(overlaid) == [{1.0}, {1.0}, {1.0}]
    assert overlaid.rejected == {"b": CONFLICT}


def test_capacity_of_different_weights_merges():
    """Each resource comes from the heaviest overlay that names it."""
    # S-45
    overlaid = apply(over("a", capacity={SLOT: "1", KEY: "1"}, weight=1), over("b", capacity={SLOT: "5"}, weight=2))
    assert capacities(overlaid, SLOT, KEY) == [(5, 1)] * 3
    assert all(t.capacity_overlaid for t in overlaid.types["default"])


def test_equal_weights_share_a_type_when_they_name_different_resources():
    """Only a resource that both name is a conflict."""
    # S-45
    overlaid = apply(over("a", capacity={SLOT: "1"}), over("b", capacity={KEY: "2"}))
    assert capacities(overlaid, SLOT, KEY) == [(1, 2)] * 3
    assert apply(over("a", capacity={SLOT: "1"}), over("b", capacity={SLOT: "2"})).rejected == {"a": CONFLICT}


def test_the_names_noted_are_those_of_the_last_overlay():
    """C{slot}, B{key}, A{slot} of one weight: A is not found to conflict, and C's amount stays."""
    # S-45
    overlaid = apply(over("c", capacity={SLOT: "3"}), over("b", capacity={KEY: "1"}), over("a", capacity={SLOT: "7"}))
    assert not overlaid.rejected
    assert capacities(overlaid, SLOT, KEY) == [(3, 1)] * 3


def test_capacity_is_the_whole_types():
    """Selecting spot offerings is enough for the on-demand ones to have the resource, too; their prices stay unmarked."""
    # S-46
    overlaid = apply(over("spot", term(CAPACITY_TYPE, "In", "spot"), capacity={SLOT: "2"}), types=(BOTH,))
    (t,) = overlaid.types["default"]
    assert [t.allocatable(o)[SLOT] for o in t.offerings] == [2 * 10**9] * len(BOTH.offerings)
    assert not any(o.price_overlaid for o in t.offerings)


def test_without_a_matching_offering_a_type_is_left_alone():
    """Capacity does not come to a type of which no offering is meant."""
    # S-46
    overlaid = apply(over("spot", term(CAPACITY_TYPE, "In", "spot"), capacity={SLOT: "2"}), types=(TWO, BOTH))
    assert capacities(overlaid, SLOT) == [(0,), (2,)]


def test_labels_of_the_pool_are_known_and_other_custom_labels_are_not():
    """A label has to be on the pool's template or on the type; the pool's requirements do not count."""
    # S-46
    red = pool("red", labels={"team": "red"})
    required = pool("asked", requirements={"team": ["red"]})
    overlaid = apply(over("o", term("team", "In", "red"), price="1"), types=(TWO,), pools=[red, required])
    assert (prices(overlaid, "red"), prices(overlaid, "asked")) == ([{1.0}], [{2.0}])


def test_an_overlay_may_name_a_pool():
    """Types that pools share differ afterwards; the pool that is not named keeps the list itself."""
    shared = (TWO, FOUR)
    overlaid = apply(over("o", term(NODEPOOL, "In", "a"), price="1"), types=shared, pools=[pool("a"), pool("b")])
    assert (prices(overlaid, "a"), prices(overlaid, "b")) == ([{1.0}, {1.0}], [{2.0}, {4.0}])
    assert overlaid.types["b"] is shared


def test_pools_that_change_alike_share_the_new_list():
    """What is worked out for a list of types is worked out once for all pools with that list."""
    overlaid = apply(over("o", price="1"), pools=[pool("a"), pool("b")])
    assert overlaid.types["a"] is overlaid.types["b"]


def test_pools_that_differ_in_what_no_overlay_sees_have_the_same_list():
    """Searches plan thousands of pools that differ in requirements alone. Name and labels still count."""
    cheap = over("o", term("team", "In", "a"), price="1")
    one, other, narrower = (
        apply(cheap, pools=[pool(labels=FrozenDict(team=team), requirements=requirements)]).types["default"]
        for team, requirements in (("a", ()), ("b", ()), ("a", term(INSTANCE_TYPE, "In", "two")))
    )
    assert one is narrower
    assert one is not other


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (over("o", capacity={MANAGED: "1"}), f"invalid capacity: {MANAGED} in resource, restricted"),
        (over("o", term("karpenter.sh/own", "In", "x"), price="1"), "karpenter.sh/own"),
    ],
)
def test_an_invalid_overlay_is_passed_over(bad: NodeOverlay, words: str):
    """It changes nothing, does not stand in the way of others, and the reason is reported."""
    overlaid = apply(bad, over("a", price="3"))
    assert words in overlaid.rejected["o"]
    assert prices(overlaid) == [{3.0}] * 3


def test_a_manifest_is_read():
    """Both price fields, capacity and weight; a missing weight is 0."""
    read = cutlist.NodeOverlay.from_manifest(
        {
            "apiVersion": "karpenter.sh/v1alpha1",
            "kind": "NodeOverlay",
            "metadata": {"name": "o"},
            "spec": {
                "requirements": [{"key": ZONE, "operator": "In", "values": ["zone-a"]}],
                "priceAdjustment": "-10%",
                "capacity": {SLOT: "2"},
            },
        }
    )
    assert NodeOverlay.of(read) == over("o", term(ZONE, "In", "zone-a"), price="-10%", capacity={SLOT: "2"})


@pytest.mark.parametrize(("gate", "price"), [(True, {1.0}), (False, {8.0})])
def test_the_feature_gate_decides(gate: bool, price: set[float]):
    """A pass applies overlays when the gate is on, and is not touched by them when it is off."""
    # S-43
    scheduler = prepare(
        SchedulerInputs(
            pools=[pool()],
            types={"default": (EIGHT,)},
            batches=[],
            registry=REGISTRY,
            options=SchedulerOptions(node_overlay=gate),
            overlays=[over("o", price="1")],
        )
    )
    assert {o.price for o in scheduler.templates[0].instance_types.types[0].offerings} == price


some_overlays = st.lists(
    st.builds(
        lambda name, families, price, slots, weight: over(
            name,
            *([term(INSTANCE_TYPE, "In", *families)] if families else []),
            price=price,
            capacity={SLOT: str(slots)} if slots else {},
            weight=weight,
        ),
        st.sampled_from("abcdef"),
        st.lists(st.sampled_from(["two", "four", "eight"]), max_size=2, unique=True),
        st.sampled_from(["", "1", "+10%", "-1"]),
        st.integers(0, 2),
        st.integers(0, 2),
    ),
    max_size=5,
    unique_by=lambda o: o.name,
)


@given(some_overlays, st.randoms(use_true_random=False))
def test_the_order_in_which_overlays_are_given_does_not_matter(overlays, random):
    """Weight and name alone decide."""
    shuffled = list(overlays)
    random.shuffle(shuffled)
    in_order, in_disorder = apply(*overlays), apply(*shuffled)
    assert (in_order.types, in_order.rejected) == (in_disorder.types, in_disorder.rejected)


@given(some_overlays)
def test_a_rejected_overlay_is_as_if_it_were_not_there(overlays):
    """Leaving out those that were rejected gives the same types."""
    overlaid = apply(*overlays)
    assert apply(*(o for o in overlays if o.name not in overlaid.rejected)).types == overlaid.types
