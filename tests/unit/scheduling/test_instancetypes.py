"""Which instance types a claim keeps, and in which order (spec 6.6 to 6.8, 10.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist import EC2NodeClass, Kubelet
from cutlist.catalog.embedded import load
from cutlist.core.karpenter.baselines import BASELINES
from cutlist.core.labels import AWS, CAPACITY_TYPE, INSTANCE_TYPE, ZONE
from cutlist.core.quantity import NANO, amounts
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.providers.aws import instance_types
from cutlist.providers.instance_types import Offering
from cutlist.scheduling.instancetype_options import MAX_TYPES
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.refusals import TooFewValues
from cutlist.scheduling.resource_thresholds import ResourceThreshold
from tests.unit.scheduling.builders import (
    EIGHT,
    FOUR,
    SIZE,
    TWO,
    label,
    machine,
    names,
    only,
    pending,
    pod,
    pool,
    run,
    said,
    term,
)


def at_least(key: str, count: int, *values: str) -> Expression:
    return Expression(key, "In" if values else "Exists", values, count)


def test_every_type_that_holds_the_pods_is_kept():
    """Three cpus fit into four and eight."""
    # S-72
    assert names(only(run(pod("3")))) == ["four", "eight"]


def test_a_type_needs_an_offering_under_the_claims_requirements():
    """A pod for zone c leaves the machine that is sold there."""
    # S-72
    both_zones = machine("here", 2, zones=("zone-a", "zone-c"))
    one_zone = machine("there", 2, zones=("zone-a",))
    claim = only(run(pod(required=(term(ZONE, "In", "zone-c"),)), types=[both_zones, one_zone]))
    assert names(claim) == ["here"]


def test_a_type_sold_in_the_wrong_combination_is_not_kept():
    """Spot in zone a and on demand in zone b make no spot in zone b."""
    # S-72
    both = machine("two", 2, capacity_types={"spot": 1.0, "on-demand": 1.0})
    mixed = replace(
        both,
        offerings=(
            Offering(Requirements([label(ZONE, "zone-a"), label(CAPACITY_TYPE, "spot")]), 1.0),
            Offering(Requirements([label(ZONE, "zone-b"), label(CAPACITY_TYPE, "on-demand")]), 1.0),
        ),
    )
    wanted = pod(required=(term(ZONE, "In", "zone-b") + term(CAPACITY_TYPE, "In", "spot"),))
    assert run(wanted, types=[mixed]).claims == ()
    assert names(only(run(wanted, types=[mixed, machine("right", 2, capacity_types={"spot": 1.0})]))) == ["right"]


def test_a_type_without_the_offering_counts_as_too_small():
    """Large enough but not sold there: the refusal names room and offering."""
    # S-73
    small, large = machine("two", 2), machine("eight", 8, zones=("zone-a",))
    refused = said(run(pod("3", node_selector={ZONE: "zone-b"}), types=[small, large]))
    assert refused.startswith("no instance type has enough resources")


def test_an_amount_that_only_some_offerings_add_needs_one_of_them():
    """A slot is there where it is sold with slots."""
    # S-74
    zone_a, zone_b = (Requirements([label(ZONE, z), label(CAPACITY_TYPE, "on-demand")]) for z in ("zone-a", "zone-b"))
    slots = amounts({"example.com/slot": "4"})
    with_slots = replace(TWO, offerings=(Offering(zone_a, 1.0), Offering(zone_b, 1.0, capacity_override=slots)))
    wanted = pod(more={"example.com/slot": "1"})
    assert names(only(run(wanted, types=[with_slots]))) == ["two"]
    sold_out = replace(with_slots, offerings=(with_slots.offerings[0], with_slots.offerings[1]._replace(available=False)))
    assert run(wanted, types=[sold_out]).claims == ()


def test_huge_pages_take_memory():
    """Six of eight GiB in huge pages leave two for other pods."""
    # S-75
    pages = machine("pages", 2, capacity={"hugepages-2Mi": "6Gi"})
    assert names(only(run(pod(memory="2Gi"), types=[pages]))) == ["pages"]
    assert pending(run(pod(memory="2049Mi"), types=[pages])) == 1


def test_a_type_whose_overhead_is_more_than_it_has_holds_nothing():
    """Not even a pod that asks for something else."""
    # S-5
    odd = machine("odd", 2, overhead={"ephemeral-storage": "1Gi"}, capacity={"ephemeral-storage": "0"})
    assert run(pod(), types=[odd]).claims == ()


def test_strict_min_values_refuse_when_too_few_types_are_left():
    """Three types are asked for and two hold the pod."""
    # S-76
    result = run(pod("3"), pools=[pool(requirements=[at_least(INSTANCE_TYPE, 3)])])
    assert (result.claims, pending(result)) == ((), 1)
    assert "minValues requirement is not met" in said(result)


def test_strict_min_values_allow_when_enough_types_are_left():
    """Three types are asked for and three hold the pod."""
    # S-76
    assert names(only(run(pod("1"), pools=[pool(requirements=[at_least(INSTANCE_TYPE, 3)])]))) == ["two", "four", "eight"]


def test_best_effort_lowers_min_values_to_what_is_there():
    """Two types hold the pod, so the claim asks for two."""
    # S-76
    claim = only(run(pod("3"), pools=[pool(requirements=[at_least(INSTANCE_TYPE, 3)])], strict_min_values=False))
    assert claim.requirements[INSTANCE_TYPE].min_values == 2
    assert names(claim) == ["four", "eight"]


def test_best_effort_stays_in_the_heavier_pool():
    """It lowers the number rather than going on to a pool that has enough."""
    # S-77
    strict = pool("heavy", requirements=[at_least(INSTANCE_TYPE, 3)], weight=1)
    assert only(run(pod("3"), pools=[strict, pool("light")], strict_min_values=False)).node_pool == "heavy"
    assert only(run(pod("3"), pools=[strict, pool("light")])).node_pool == "light"


def test_min_values_count_what_types_declare():
    """A claim in one zone has types of three zones, and that is what counts in 1.14."""
    # S-78
    three_zones = pool(requirements=[at_least(ZONE, 3)])
    claim = only(run(pod(node_selector={ZONE: "zone-a"}), pools=[three_zones], karpenter=BASELINES[0]))
    assert claim.requirements[ZONE].values == {"zone-a"}


def test_best_effort_does_not_lower_for_another_pod():
    """A second pod that would leave too few types gets a claim of its own."""
    # S-79
    result = run((pod("2"), 2), pools=[pool(requirements=[at_least(INSTANCE_TYPE, 3)])], strict_min_values=False)
    assert [names(c) for c in result.claims] == [["two", "four", "eight"]] * 2


def test_types_stand_by_the_price_that_the_claim_can_pay():
    """A low spot price does not count for a claim on demand."""
    # S-119
    cheap_spot = machine("cheap-spot", 2, capacity_types={"on-demand": 5.0, "spot": 0.1})
    plain = machine("plain", 2, price=1.0)
    any_kind = only(run(pod(), types=[plain, cheap_spot]))
    on_demand = only(run(pod(node_selector={CAPACITY_TYPE: "on-demand"}), types=[plain, cheap_spot]))
    assert (names(any_kind), any_kind.candidates.prices) == (["cheap-spot", "plain"], (0.1, 1.0))
    assert (names(on_demand), on_demand.candidates.prices) == (["plain", "cheap-spot"], (1.0, 5.0))


def test_the_price_is_the_lowest_of_the_zones_left():
    """A zone that the claim excludes does not make a type cheap."""
    # S-119
    cheap_in_a, dear_in_b = (
        Offering(Requirements([label(ZONE, zone), label(CAPACITY_TYPE, "on-demand")]), price)
        for zone, price in (("zone-a", 1.0), ("zone-b", 3.0))
    )
    uneven = replace(TWO, offerings=(cheap_in_a, dear_in_b))
    even = machine("even", 2, price=2.0)
    assert names(only(run(pod(), types=[uneven, even]))) == ["two", "even"]
    assert names(only(run(pod(node_selector={ZONE: "zone-b"}), types=[uneven, even]))) == ["even", "two"]


def test_a_type_without_a_price_stands_last():
    """Unknown is not free."""
    # S-119
    unknown = replace(TWO, name="unknown", offerings=tuple(o._replace(price=None) for o in TWO.offerings))
    assert names(only(run(pod(), types=[unknown, EIGHT, FOUR]))) == ["four", "eight", "unknown"]


def many(count: int) -> list:
    return [machine(f"m{n:04d}", 2, price=float(n + 1)) for n in range(count)]


def test_a_claim_lists_the_600_cheapest():
    """The most expensive are removed."""
    # S-120
    claim = only(run(pod(), types=many(MAX_TYPES + 5)))
    assert len(claim.candidates.types) == MAX_TYPES
    assert claim.candidates.prices[-1] == float(MAX_TYPES)


def test_a_claim_that_the_cut_leaves_without_enough_values_is_given_up():
    """The only large machine is the most expensive of 601: after the cut one size is left where two are asked for."""
    # S-120
    types = [*many(MAX_TYPES), machine("dear", 8, price=10_000.0)]
    result = run((pod(), 2), types=types, pools=[pool(requirements=[at_least(SIZE, 2)])])
    assert (result.claims, pending(result)) == ((), 2)
    assert [u.refusals for u in result.unplaced] == [(("default", TooFewValues((SIZE,))),)]


@pytest.mark.parametrize(("amount", "or_more", "or_less"), [(0, 0b111, 0), (2, 0b111, 0b001), (3, 0b110, 0b001), (9, 0, 0b111)])
def test_a_threshold_parts_types_by_amount(amount: int, or_more: int, or_less: int):
    """Types with 2, 4 and 8 of something, as bits."""
    threshold = ResourceThreshold({0: 2, 1: 4, 2: 8})
    assert (threshold.at_least(amount), threshold.at_most(amount)) == (or_more, or_less)


def test_a_threshold_knows_the_largest_of_some():
    """The largest amount among types given as bits; None for no types."""
    threshold = ResourceThreshold({0: 2, 1: 4, 2: 8})
    assert (threshold.largest(0b011), threshold.largest(0b111), threshold.largest(0)) == (4, 8, None)


def test_lists_of_node_classes_that_differ_in_amounts_share_labels_and_sold_types():
    """Hundreds of node classes cost little more than one: only what pods may use is worked out for each."""
    spec = {"role": "r", "ami": "al2023@latest", "discovery": "demo"}
    classes = [EC2NodeClass(name=f"c{pods}", kubelet=Kubelet(max_pods=pods), **spec) for pods in (20, 30, 40)]
    indexes = [InstanceTypeIndex(instance_types(c, load("us-west-2")), AWS.well_known) for c in classes]
    assert len({id(index.labels) for index in indexes}) == 1
    assert len({id(index.layers[0].offers) for index in indexes}) == 1
    assert [max(index.layers[0].threshold("pods").amounts) for index in indexes] == [n * NANO for n in (20, 30, 40)]
