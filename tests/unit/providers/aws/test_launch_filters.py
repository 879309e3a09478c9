"""Which types and offerings of a claim are sent to EC2 (spec: AWS 5.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.catalog.embedded import load
from cutlist.core.karpenter.baselines import DEFAULT, baseline_of
from cutlist.core.labels import AWS_GROUP, ZONE
from cutlist.providers.aws import AwsSettings, Observed, Unavailable, instance_types
from cutlist.providers.aws.launch.claim import ClaimRequirements, Refusal, RefusalKind
from cutlist.providers.aws.launch.filters import MAX_TYPES, launch_filters
from cutlist.providers.aws.launch.request import launch
from tests.unit.providers.aws.launches import (
    ANY,
    BOTH,
    CLUSTER,
    ON_DEMAND,
    SPOT,
    claim,
    names_of,
    node_class,
    reservation,
    reserving,
    said,
    sent,
    tried,
    types,
)

TRIO = "c5.large m5.large r5.large"
TYPE = "node.kubernetes.io/instance-type"


def no_capacity(found: object) -> bool:
    return isinstance(found, Refusal) and found.kind is RefusalKind.INSUFFICIENT_CAPACITY


def test_a_type_that_does_not_hold_the_requests_is_left_out():
    """Requests decide type by type."""
    request = sent("m5.large m5.xlarge", claim(ON_DEMAND, requests={"cpu": "3"}))
    assert names_of(request) == {"m5.xlarge"}


def test_a_type_with_a_negative_allocatable_amount_never_fits():
    """Not even a claim that asks for nothing starts on it."""
    starved = node_class(kubelet={"kubeReserved": {"memory": "2Gi"}})
    assert no_capacity(tried("t3.nano", claim(ON_DEMAND, requests={}), starved))


def test_an_unknown_resource_leaves_nothing():
    """A resource that no type has ends in insufficient capacity."""
    assert no_capacity(tried(TRIO, claim(ON_DEMAND, requests={"example.com/thing": "1"})))


def test_a_label_that_types_do_not_have_is_no_hindrance():
    """A custom label of the claim is the node's to carry."""
    assert names_of(sent(TRIO, claim(ON_DEMAND, said("team", "a")))) == set(TRIO.split())


def test_exotic_types_go_while_others_are_left():
    """Metal and GPU types are kept for claims that need them."""
    request = sent("m5.large m5.metal g5.xlarge inf2.xlarge", claim(ON_DEMAND))
    assert names_of(request) == {"m5.large"}


def test_exotic_types_stay_where_nothing_else_is_left():
    """The plain type is too small, so metal it is."""
    assert names_of(sent("m5.large m5.metal", claim(ON_DEMAND, requests={"cpu": "50"}))) == {"m5.metal"}


def test_fpga_efa_and_fractions_of_gpus_are_not_exotic():
    """Only metal and whole GPUs or accelerators count."""
    names = "m5.large f2.6xlarge c5n.18xlarge g6f.large"
    anything = node_class(status={"amis": [{"id": "ami-any", "name": "any", "requirements": []}]})
    assert names_of(sent(names, claim(ON_DEMAND), anything, on_demand=dict.fromkeys(names.split(), 1.0))) == set(names.split())


def test_exotic_types_stay_with_min_values():
    """Where distinct values are counted, none is taken away."""
    counted = said(TYPE, "m5.large", "m5.metal", at_least=2)
    assert names_of(sent("m5.large m5.metal", claim(ON_DEMAND, counted))) == {"m5.large", "m5.metal"}


def test_spot_more_expensive_than_the_cheapest_on_demand_is_dropped():
    """The comparison is with the cheapest on-demand price of any type, and an equal price stays."""
    spot = {"c5.large": 0.05, "m5.large": 0.085, "r5.large": 0.0851}
    request = sent(TRIO, claim(BOTH), on_demand={"c5.large": 0.085, "m5.large": 0.096, "r5.large": 0.126}, spot=spot)
    assert {(o.instance_type, o.price) for o in request.overrides} == {("c5.large", 0.05), ("m5.large", 0.085)}


def test_one_dear_zone_goes_and_the_type_stays():
    """The filter is about offerings, not types."""
    prices = {"c5.large": {"us-west-2a": 0.2, "us-west-2b": 0.03}}
    request = sent("c5.large", claim(BOTH), on_demand={"c5.large": 0.085}, spot=prices)
    assert [(o.zone, o.price) for o in request.overrides] == [("us-west-2b", 0.03)]


def test_when_all_spot_is_more_expensive_the_launch_is_on_demand():
    """Nothing of spot is left to be asked for."""
    request = sent("c5.large", claim(BOTH), on_demand={"c5.large": 0.085}, spot={"c5.large": 0.5})
    assert request.capacity_type == "on-demand"


def test_dear_spot_stays_where_only_spot_is_allowed_or_values_are_counted():
    """The filter needs both capacity types in the claim, and no minValues."""
    dear = {"on_demand": {"c5.large": 0.085, "m5.large": 0.096}, "spot": {"c5.large": 0.5, "m5.large": 0.6}}
    counted = said(TYPE, "c5.large", "m5.large", at_least=2)
    for asked in (claim(SPOT), claim(BOTH, counted)):
        assert names_of(sent("c5.large m5.large", asked, **dear)) == {"c5.large", "m5.large"}


def test_a_cheap_metal_type_does_not_set_the_limit():
    """Exotic types are removed before prices are compared."""
    prices = {"on_demand": {"m5.large": 0.096, "m5.metal": 0.01}, "spot": {"m5.large": 0.05, "m5.metal": 0.02}}
    assert sent("m5.large m5.metal", claim(BOTH), **prices).capacity_type == "spot"


def test_at_most_sixty_types_are_sent_the_cheapest():
    """The cut goes by each type's cheapest open offering."""
    everything = instance_types(node_class(), load("us-west-2"), AwsSettings())
    wanted = ClaimRequirements.of(claim(ON_DEMAND))
    left = launch_filters(everything, wanted, {}, DEFAULT, strict_min_values=True)
    prices = [min(o.price or 0 for o in wanted.open(r.offerings)) for r in left.remaining]
    assert len(left.remaining) == MAX_TYPES == 60
    assert prices == sorted(prices)
    assert len(left.dropped["cap"]) > 60
    kept = {r.type.name for r in left.remaining}
    highest = max(prices)
    cut = [t for t in everything if t.name in left.dropped["cap"]]
    assert all(min(o.price or 0 for o in wanted.open(t.offerings)) >= highest for t in cut)
    assert not kept & set(left.dropped["exotic"])


def test_the_sixty_must_still_have_the_values_asked_for():
    """Otherwise the claim fails, unless the policy is best effort."""
    size = f"{AWS_GROUP}/instance-size"
    node_claim = claim(ON_DEMAND, said(size, "large", "24xlarge", at_least=2))
    chosen = node_class()
    everything = instance_types(chosen, load("us-west-2"), AwsSettings())
    assert no_capacity(launch(node_claim, chosen, everything, CLUSTER))
    relaxed = launch(node_claim, chosen, everything, replace(CLUSTER, strict_min_values=False))
    assert not isinstance(relaxed, Refusal)
    assert {pool.instance_type.partition(".")[2] for pool in relaxed.overrides} == {"large"}


# V15-1
@pytest.mark.parametrize(("karpenter", "is_refused"), [("1.14.1", False), ("1.14.3", True), ("1.15.1", True)])
def test_zones_that_the_claim_does_not_allow_count_before_1_14_3(karpenter: str, is_refused: bool):
    """The types are sold in four zones, of which the claim allows one."""
    baseline = baseline_of(karpenter)
    assert baseline is not None
    of, zones = node_class().under(baseline), ("us-west-2a", "us-west-2b")
    one_zone = tried("c5.large m5.large", claim(ON_DEMAND, said(ZONE, zones[0], at_least=2)), of)
    assert no_capacity(one_zone) is is_refused
    assert names_of(sent("c5.large m5.large", claim(ON_DEMAND, said(ZONE, *zones, at_least=2)), of)) == {"c5.large", "m5.large"}


def test_remembered_missing_capacity_is_not_asked_for():
    """What is known to be missing is left out of the request, spot as a whole falls back to on-demand."""
    one = Observed(unavailable=(Unavailable("spot", "c5.large", "us-west-2a"),))
    spot = {"c5.large": 0.03, "m5.large": 0.04, "r5.large": 0.05}
    pools = {(o.instance_type, o.zone) for o in sent(TRIO, claim(SPOT), observed=one, spot=spot).overrides}
    assert ("c5.large", "us-west-2a") not in pools
    assert ("c5.large", "us-west-2b") in pools
    none = Observed(unavailable=(Unavailable("spot"),))
    assert sent(TRIO, claim(BOTH), observed=none, spot=spot).capacity_type == "on-demand"


def test_reserved_capacity_comes_first_and_alone():
    """A type with a free reservation drives all others out."""
    free = Observed(reservations_remaining={"cr-1": 2})
    request = sent(TRIO, claim(ANY), reserving(reservation("cr-1", "m5.large")), observed=free, spot={"c5.large": 0.001})
    assert request.capacity_type == "reserved"
    assert [(o.instance_type, o.zone) for o in request.overrides] == [("m5.large", "us-west-2a")]


def test_a_used_up_reservation_has_no_effect():
    """The launch is spot as if it were not there."""
    used_up = Observed(reservations_remaining={"cr-1": 0})
    request = sent(
        "m5.large", claim(ANY), reserving(reservation("cr-1", "m5.large")), observed=used_up, spot={"m5.large": 0.03}
    )
    assert request.capacity_type == "spot"


def test_the_larger_of_two_reservations_of_a_pool_is_used():
    """A fleet takes one reservation per type and zone."""
    two = reserving(reservation("cr-1", "m5.large"), reservation("cr-2", "m5.large"))
    request = sent("m5.large", claim(ANY), two, observed=Observed(reservations_remaining={"cr-1": 1, "cr-2": 5}))
    assert [t.reservation.id for t in request.templates if t.reservation] == ["cr-2"]


def test_only_one_kind_of_reservation_is_sent():
    """The kind with the cheapest offering wins; at equal prices plain before blocks before interruptible."""
    block = reservation("cr-block", "m5.large", reservationType="capacity-block")
    plain = reservation("cr-plain", "m5.large", "us-west-2b")
    fleeting = reservation("cr-fleeting", "m5.large", "us-west-2b", interruptible=True)
    free = Observed(reservations_remaining={"cr-block": 1, "cr-plain": 1, "cr-fleeting": 1})

    def used(*among: dict[str, object]) -> list[str]:
        found = sent("m5.large", claim(ANY), reserving(*among), observed=free)
        return [t.reservation.id for t in found.templates if t.reservation]

    assert used(block, plain, fleeting) == ["cr-plain"]
    assert used(fleeting, block) == ["cr-block"]
    assert used(fleeting) == ["cr-fleeting"]


def test_of_capacity_blocks_only_the_cheapest_is_sent():
    """A fleet takes one block."""
    blocks = [reservation(f"cr-{t[0]}", t, reservationType="capacity-block") for t in ("m5.large", "c5.large")]
    free = Observed(reservations_remaining={"cr-m": 1, "cr-c": 1})
    request = sent("m5.large c5.large", claim(ANY), reserving(*blocks), observed=free)
    assert [o.instance_type for o in request.overrides] == ["c5.large"]
    assert request.default_target == "capacity-block"


def test_reserved_metal_is_launched_although_plain_types_fit():
    """Filters on reservations come before the one on exotic types."""
    metal = reserving(reservation("cr-1", "m5.metal"))
    free = Observed(reservations_remaining={"cr-1": 1})
    assert names_of(sent("m5.metal m5.large", claim(ANY), metal, observed=free)) == {"m5.metal"}


def test_dropped_types_are_named_by_filter():
    """A plan can say why a type is not in the request."""
    pool_types = types("m5.large m5.metal t3.nano")
    requests = {"memory": 2**31 * 10**9}
    left = launch_filters(pool_types, ClaimRequirements.of(claim(ON_DEMAND)), requests, DEFAULT, strict_min_values=True)
    assert left.dropped == {"compatible": ("t3.nano",), "exotic": ("m5.metal",)}
