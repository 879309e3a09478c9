"""After the request: the claim of a launched node, EC2's errors; and what can be said before (spec: AWS 4.5, 5.7 to 5.9)."""

from __future__ import annotations

from typing import Any

import pytest

from cutlist.core.karpenter.baselines import DEFAULT
from cutlist.core.labels import AWS, AWS_GROUP
from cutlist.core.requirements import Requirements
from cutlist.providers.aws import Observed, PlacementGroup, Unavailable
from cutlist.providers.aws.launch.claim import RefusalKind
from cutlist.providers.aws.launch.prediction import Prediction, predict
from tests.conformance.aws_fleet_errors import FleetError, failure, reaction, reason_of
from tests.conformance.aws_launched_node import LaunchedNode, launched_node
from tests.unit.providers.aws.launches import (
    ANY,
    BOTH,
    IMAGES,
    ON_DEMAND,
    SPOT,
    SomeClaim,
    claim,
    node_class,
    reservation,
    reserving,
    said,
    sent,
    types,
)

TRIO = "c5.large m5.large r5.large"
TEAM = Observed(placement_groups=(PlacementGroup("pg-1", "team", "spread"),))
IN_TEAM: dict[str, Any] = {"placementGroupSelector": {"name": "team"}}


def node(names: str, asked: SomeClaim, of: Any = None, **more: Any) -> LaunchedNode:
    """The claim after EC2 took the cheapest pool."""
    chosen = of or node_class()
    request = sent(names, asked, chosen, **more)
    return launched_node(asked, chosen, request, request.overrides[0])


def lacking(instance_type: str = "m5.large", zone: str = "us-west-2a", **more: str) -> FleetError:
    """EC2 has no capacity in a pool."""
    return FleetError("InsufficientInstanceCapacity", more.pop("message", "m"), instance_type, zone, **more)


def foreseen(names: str, *requirements: Any, of: Any = None, **prices: Any) -> Prediction:
    """The prediction for a claim."""
    observed = prices.pop("observed", None)
    pool_types = types(names, of, observed, **prices)
    return predict(pool_types, Requirements.of_expressions(requirements, AWS), of, karpenter=DEFAULT)


def test_labels_are_the_single_values_and_what_was_chosen():
    """Zone, capacity type and tenancy are the launch's; reservations leave no trace on other launches."""  # A-18, K-157
    of = reserving(reservation("cr-1", "m5.large"))
    labels = node("m5.large", claim(ON_DEMAND), of).labels
    assert labels["node.kubernetes.io/instance-type"] == "m5.large"
    assert labels["topology.kubernetes.io/zone"] == "us-west-2a"
    assert labels["topology.k8s.aws/zone-id"] == "usw2-az2"
    assert labels["karpenter.sh/capacity-type"] == "on-demand"
    assert labels[f"{AWS_GROUP}/instance-tenancy"] == "default"
    assert labels["karpenter.sh/nodepool"] == "web"
    assert not [key for key in labels if "capacity-reservation" in key]


def test_labels_of_a_reserved_node():
    """Such a node names its reservation."""
    of = reserving(reservation("cr-1", "m5.large"))
    labels = node("m5.large", claim(ANY), of, observed=Observed(reservations_remaining={"cr-1": 1})).labels
    assert labels["karpenter.sh/capacity-type"] == "reserved"
    assert labels[f"{AWS_GROUP}/capacity-reservation-id"] == "cr-1"
    assert labels[f"{AWS_GROUP}/capacity-reservation-interruptible"] == "false"


def test_metal_has_an_empty_hypervisor_label():
    """The label is there without a value."""
    assert node("m5.metal", claim(ON_DEMAND)).labels[f"{AWS_GROUP}/instance-hypervisor"] == ""


def test_the_partition_is_empty_unless_the_claim_names_one():
    """It is filled in when the node has registered."""
    group = Observed(placement_groups=(PlacementGroup("pg-1", "team", "partition", 3),))
    key = f"{AWS_GROUP}/placement-group-partition"
    assert node("m5.large", claim(ON_DEMAND), node_class(**IN_TEAM), observed=group).labels[key] == ""
    named = claim(ON_DEMAND, said(key, "3"))
    assert node("m5.large", named, node_class(**IN_TEAM), observed=group).labels[key] == "3"


def test_amounts_without_zeros_and_efa_only_if_asked_for():
    """A type has EFA, its node says so only when it was launched with it."""
    efa = "vpc.amazonaws.com/efa"
    without = node("c5n.18xlarge", claim(ON_DEMAND))
    assert efa not in without.capacity
    assert all(without.capacity.values())
    with_efa = node("c5n.18xlarge", claim(ON_DEMAND, requests={efa: "1"}))
    assert with_efa.capacity[efa] == with_efa.allocatable[efa] == 10**9


def test_missing_capacity_is_remembered_for_the_pool():
    """Type, zone and capacity type; the others stay open."""
    request = sent(TRIO, claim(ON_DEMAND))
    assert reaction(claim(ON_DEMAND), request, [lacking()]).unavailable == (Unavailable("on-demand", "m5.large", "us-west-2a"),)


def test_a_subnet_without_addresses_is_remembered():
    """The pool is remembered, too."""
    error = FleetError("InsufficientFreeAddressesInSubnet", "m", "m5.large", "us-west-2a", "subnet-a")
    found = reaction(claim(ON_DEMAND), sent(TRIO, claim(ON_DEMAND)), [error]).unavailable
    assert found == (Unavailable(subnet="subnet-a"), Unavailable("on-demand", "m5.large", "us-west-2a"))


def test_a_full_spread_group_hides_every_type_in_the_zone():
    """The limit is one of the group, not of the type."""
    node_claim = claim(ON_DEMAND)
    request = sent("m5.large c5.large", node_claim, node_class(**IN_TEAM), observed=TEAM)
    full = lacking(message="You've reached the limit of instances in this spread placement group.")
    hidden = reaction(node_claim, request, [full]).unavailable
    assert {(u.instance_type, u.zone, u.placement_group) for u in hidden} == {
        ("m5.large", "us-west-2a", "pg-1"),
        ("c5.large", "us-west-2a", "pg-1"),
    }
    assert [u.instance_type for u in reaction(node_claim, request, [lacking()]).unavailable] == ["m5.large"]


def test_spot_without_its_role_hides_all_spot():
    """No spot instance can start before the role is there."""
    error = FleetError("AuthFailure.ServiceLinkedRoleCreationNotPermitted", "m", "m5.large", "us-west-2a")
    request = sent("m5.large", claim(SPOT), spot={"m5.large": 0.03})
    assert reaction(claim(SPOT), request, [error]).unavailable == (Unavailable("spot"),)
    assert failure([error]).kind is RefusalKind.INSUFFICIENT_CAPACITY


def test_a_reservation_that_is_full_counts_as_used_up():
    """No pool is remembered: on demand the type may well be there."""
    of = reserving(reservation("cr-1", "m5.large"))
    request = sent("m5.large", claim(ANY), of, observed=Observed(reservations_remaining={"cr-1": 2}))
    error = FleetError("ReservationCapacityExceeded", "m", "m5.large", "us-west-2a")
    found = reaction(claim(ANY), request, [error])
    assert (found.unavailable, found.exhausted_reservations) == ((), ("cr-1",))


@pytest.mark.parametrize(
    ("codes", "kind", "reason"),
    [
        (["InsufficientInstanceCapacity", "VcpuLimitExceeded"], RefusalKind.INSUFFICIENT_CAPACITY, ""),
        (["InsufficientInstanceCapacity", "UnauthorizedOperation"], RefusalKind.CREATE, "Unauthorized"),
        (["RequestLimitExceeded"], RefusalKind.CREATE, "RequestLimitExceeded"),
        (["Whatever"], RefusalKind.CREATE, "LaunchFailed"),
    ],
)
def test_how_a_claim_fails(codes, kind, reason):
    """Only if every error is about capacity the claim is given up and planned again."""
    found = failure([FleetError(code, "m", "m5.large", "us-west-2a") for code in codes])
    assert (found.kind, found.reason) == (kind, reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("UnauthorizedOperation: Not authorized for images: [ami-1]", "AMIAuthorizationFailure"),
        ("UnauthorizedOperation: with an explicit deny in a service control policy", "Unauthorized"),
        ("InvalidParameter: sg-1 and subnet-1 belong to different networks", "SecurityGroupSubnetVPCMismatch"),
        ("InvalidAMIID.NotFound: ami-1; MaxSpotInstanceCountExceeded: m", "AMINotFound"),
    ],
)
def test_reasons(text, reason):
    """The first that applies, capacity last."""
    assert reason_of(text) == reason


def test_on_demand_is_the_cheapest_type():
    """EC2 takes the lowest price, so the type is certain and so is the price."""
    forecast = foreseen(TRIO, ON_DEMAND)
    assert [c.type.name for c in forecast.candidates] == ["c5.large", "m5.large", "r5.large"]
    assert forecast.is_determined
    assert {c.price for c in forecast.likeliest} == {forecast.candidates[0].price}
    assert forecast.candidates[0].zones == ("us-west-2a", "us-west-2b")


def test_types_of_equal_lowest_price_are_all_likely():
    """EC2 chooses among them."""
    forecast = foreseen(TRIO, ON_DEMAND, on_demand={"c5.large": 0.1, "m5.large": 0.1, "r5.large": 0.2})
    assert [c.type.name for c in forecast.likeliest] == ["c5.large", "m5.large"]
    assert not forecast.is_determined


def test_spot_is_a_list_with_a_range():
    """From the cheapest pool to the most expensive that is still sent."""
    spot = {"c5.large": 0.03, "m5.large": 0.05, "r5.large": 0.2}
    forecast = foreseen(TRIO, BOTH, on_demand={"c5.large": 0.085}, spot=spot)
    assert forecast.capacity_type == "spot"
    assert [c.type.name for c in forecast.candidates] == ["c5.large", "m5.large"]
    assert {o.price for c in forecast.candidates for o in c.offerings} == {0.03, 0.05}
    assert not forecast.is_determined
    assert forecast.dropped == {"capacity type": ("r5.large",)}


def test_a_single_spot_pool_is_certain():
    """There is nothing to choose from."""
    forecast = foreseen("m5.large", SPOT, said("topology.kubernetes.io/zone", "us-west-2a"), spot={"m5.large": 0.03})
    assert forecast.is_determined


def test_types_without_an_image_are_dropped_from_the_prediction():
    """The scheduler does not look at images, the launch does."""
    of = node_class(status={"amis": [IMAGES[0]]})
    forecast = foreseen("c6g.large m5.large", ON_DEMAND, of=of, on_demand={"c6g.large": 0.05, "m5.large": 0.096})
    assert [c.type.name for c in forecast.candidates] == ["m5.large"]
    assert forecast.dropped["image"] == ("c6g.large",)


def test_a_claim_that_cannot_be_launched():
    """Only amd64 images for a claim of arm64 types: said beforehand."""
    forecast = foreseen("c6g.large", ON_DEMAND, of=node_class(status={"amis": [IMAGES[0]]}))
    assert forecast.candidates == ()
    assert forecast.refusal is not None
    assert forecast.refusal.kind is RefusalKind.CREATE


def test_exotic_types_are_dropped_from_the_prediction():
    """As they are from the request."""
    forecast = foreseen("m5.large m5.metal", ON_DEMAND, on_demand={"m5.large": 0.096, "m5.metal": 0.01})
    assert [c.type.name for c in forecast.candidates] == ["m5.large"]
    assert forecast.dropped["exotic"] == ("m5.metal",)


def test_the_prediction_is_what_the_request_says():
    """Candidates are the types of the request, with the same pools."""
    node_claim = claim(BOTH)
    spot = {"c5.large": 0.03, "m5.large": 0.05, "r5.large": 0.2}
    forecast = foreseen(TRIO, *node_claim.requirements, of=node_class(), spot=spot)
    request = sent(TRIO, node_claim, spot=spot)
    assert {(c.type.name, o.zone, o.price) for c in forecast.candidates for o in c.offerings} == {
        (o.instance_type, o.zone, o.price) for o in request.overrides
    }
