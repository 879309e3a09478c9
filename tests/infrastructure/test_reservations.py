"""Capacity reservations of a cluster: made or used, selected by node classes, and counted in plans."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi_cutlist.program.offline import Mode
from pulumi_cutlist.recorded.recording import Recording

from cutlist.core.errors import InputError
from cutlist.infrastructure.costs import charges_of
from cutlist.infrastructure.costs.charges import ChargeState, RequestedResource
from cutlist.infrastructure.iam.deployer_calls import CALLS
from cutlist.infrastructure.reservations import ReservationFacts, unusable
from tests.infrastructure.aws_stand_in import ACCOUNT, run
from tests.infrastructure.graph import Graph
from tests.infrastructure.joined_program import NEW, OBJECTS, joined
from tests.infrastructure.test_node_groups import pods

RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"
RELEASE = "kubernetes:helm.sh/v3:Release"
WEB = {"instance_type": "m7i.2xlarge", "zone": "eu-west-1b", "instances": 1, "tags": {"team": "shop"}}
BLOCK = {"instance_type": "p5.48xlarge", "zone": "eu-west-1a", "instances": 2, "id": "cr-0123456789abcdef0"}
[POOL], [CLASS] = OBJECTS["node_pools"], OBJECTS["node_classes"]
BY_TAG = [{"tags": {"karpenter.sh/discovery": "shop", "team": "*"}}]
RESERVED = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["reserved", "on-demand"]}


ON_DEMAND = {**RESERVED, "values": ["on-demand"]}


def allowing(*requirements: dict[str, Any]) -> dict[str, Any]:
    """Return the NodePool with other requirements."""
    template = POOL["spec"]["template"]
    spec = {**template["spec"], "requirements": list(requirements)}
    return {**POOL, "spec": {**POOL["spec"], "template": {**template, "spec": spec}}}


def of_class(terms: list[dict[str, Any]]) -> dict[str, Any]:
    return {**CLASS, "spec": {**CLASS["spec"], "capacityReservationSelectorTerms": terms}}


def recorded(terms: list[dict[str, Any]], mode: Mode = Mode.PREVIEW, **reservations: Any) -> Recording:
    given = {**NEW, "node_pools": [POOL], "node_classes": [of_class(terms)], "capacity_reservations": reservations}
    return joined("KarpenterCluster", given, mode)


def test_a_new_reservation_has_the_tags_by_which_classes_find_it():  # I-96
    recording = recorded(BY_TAG, Mode.UPDATE, web={**WEB, "end_date": "2027-01-31T12:00:00Z"})
    [made] = recording.of_type(RESERVATION)
    assert made.inputs["instanceType"] == "m7i.2xlarge"
    assert (made.inputs["availabilityZone"], made.inputs["instanceCount"]) == ("eu-west-1b", 1)
    assert made.inputs["instanceMatchCriteria"] == "targeted"
    assert (made.inputs["endDateType"], made.inputs["endDate"]) == ("limited", "2027-01-31T12:00:00Z")
    assert made.inputs["tags"]["karpenter.sh/discovery"] == "shop"
    assert made.inputs["tags"]["team"] == "shop"
    assert RESERVATION in CALLS
    charts = next(one for one in recording.of_type(RELEASE) if one.inputs["name"] == "karpenter")
    assert Graph.of(recording).reaches(charts, made)


def test_an_existing_one_is_only_used():  # I-96
    assert recorded([{"id": BLOCK["id"]}], block={**BLOCK, "reservation_type": "capacity-block"}).of_type(RESERVATION) == []


def test_one_that_nothing_selects_is_warned_of():
    found = recorded([{"tags": {"team": "bank"}}], web=WEB, block=BLOCK).logs
    [warning] = [log.message for log in found if "capacity reservations that no EC2NodeClass" in log.message]
    assert warning.endswith(": web, block")
    assert [log for log in recorded(BY_TAG, web=WEB).logs if "capacity reservations" in log.message] == []


@pytest.mark.parametrize(
    ("requirements", "is_usable"),
    [
        ([RESERVED], True),
        ([], True),
        ([ON_DEMAND], False),
        ([RESERVED, {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["eu-west-1a"]}], False),
        ([RESERVED, {"key": "karpenter.k8s.aws/instance-family", "operator": "NotIn", "values": ["m7i"]}], False),
        ([{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["m7i.2xlarge"]}], True),
        ([{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["c7i.large"]}], False),
    ],
)
def test_one_is_usable_if_a_pool_of_a_class_that_selects_it_allows_it(requirements, is_usable):
    reservation = ReservationFacts("web", "m7i.2xlarge", "eu-west-1b", 1, tags={"team": "shop"})
    classes = [of_class([{"tags": {"team": "shop"}}])]
    pools = [allowing(*requirements), {**allowing(RESERVED), "spec": {"template": {"spec": {"nodeClassRef": {"name": "x"}}}}}]
    assert unusable([reservation], classes, pools, ACCOUNT) == (() if is_usable else ("web",))
    assert unusable([reservation], classes, [], ACCOUNT) == ()
    assert unusable([reservation], classes, [allowing(ON_DEMAND), allowing(RESERVED)], ACCOUNT) == ()


def test_one_that_no_pool_allows_is_warned_of():
    given = {**NEW, "node_pools": [allowing(ON_DEMAND)], "node_classes": [of_class(BY_TAG)]}
    found = joined("KarpenterCluster", {**given, "capacity_reservations": {"web": WEB}}, Mode.PREVIEW).logs
    [warning] = [log.message for log in found if "capacity reservations that no NodePool" in log.message]
    assert ": web; allow reserved" in warning


def planned(tmp_path: Any, terms: list[dict[str, Any]], **reservations: Any) -> list[list[Any]]:
    """The nodes of a plan: how each is bought, and what it costs an hour."""
    body = """
from pulumi_cutlist.aws.whole_cluster.karpenter_cluster_plan import plan_karpenter_cluster
from cutlist.verbs.plan.answer import plan
found = plan(plan_karpenter_cluster(given).node_plan.inputs)
pulumi.export("nodes", sorted([n.instance_type, n.capacity_type, n.price.usd_per_hour < 0.001] for n in found.nodes))
"""
    pool = allowing(RESERVED, {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["m7i.2xlarge"]})
    given = {**NEW, "node_pools": [pool], "node_classes": [of_class(terms)], "workloads": [pods("web", 14)]}
    recording = run(tmp_path, body, Mode.PREVIEW, given={**given, "capacity_reservations": reservations})
    nodes: list[list[Any]] = recording.exports["nodes"]
    return nodes


def test_a_plan_fills_reservations_first_and_pays_for_them_once(tmp_path):  # I-97
    """The bill has the reservation, so a node in it costs nothing more; what is beyond it is bought on demand."""
    assert planned(tmp_path, BY_TAG, web=WEB) == [["m7i.2xlarge", "on-demand", False], ["m7i.2xlarge", "reserved", True]]


def test_a_plan_leaves_reservations_alone_that_no_class_selects(tmp_path):  # I-97
    assert {kind for _, kind, _ in planned(tmp_path, [{"tags": {"team": "bank"}}], web=WEB)} == {"on-demand"}


@pytest.mark.parametrize(
    ("term", "is_selected"),
    [
        ({"tags": {"team": "shop"}}, True),
        ({"tags": {"team": "*"}}, True),
        ({"tags": {"team": "shop", "other": "*"}}, False),
        ({"id": "cr-0123456789abcdef0"}, True),
        ({"id": "cr-0123456789abcdef1"}, False),
        ({"ownerID": ACCOUNT, "instanceMatchCriteria": "targeted", "tags": {"team": "shop"}}, True),
        ({"ownerID": "444455556666", "tags": {"team": "shop"}}, False),
        ({"instanceMatchCriteria": "open"}, False),
        ({}, False),
    ],
)
def test_terms_select_by_all_that_they_say(term, is_selected):  # I-97
    reservation = ReservationFacts("web", "m7i.2xlarge", "eu-west-1b", 1, id="cr-0123456789abcdef0", tags={"team": "shop"})
    assert reservation.is_selected(term, ACCOUNT) is is_selected


def test_a_reservation_costs_what_its_machines_do():
    inputs = {"instanceType": "m7i.2xlarge", "instanceCount": 3, "instancePlatform": "Linux/UNIX"}
    [charge] = charges_of(RequestedResource(RESERVATION, inputs, "us-west-2"))
    assert (charge.what, charge.count, charge.usd_per_hour) == ("capacity reservation of m7i.2xlarge", 3, pytest.approx(1.2096))
    for other in ({"instancePlatform": "Windows"}, {"instanceCount": None}):
        [charge] = charges_of(RequestedResource(RESERVATION, {**inputs, **other}, "us-west-2"))
        assert charge.state is ChargeState.NOT_KNOWN


@pytest.mark.parametrize(
    ("reservation", "said"),
    [
        ({"instance_type": "m7i.huge"}, "web.instance_type: m7i.huge is not an instance type"),
        ({"zone": "eu-west-1d"}, "web.zone: the network has no subnet for nodes in 'eu-west-1d'"),
        ({"instances": 0}, "web.instances: 0 instances; allowed: 1 to 1000"),
        ({"match_criteria": "target"}, "did you mean targeted?"),
        ({"reservation_type": "capacity-block"}, "web.reservation_type: a capacity block is paid for when it is bought"),
        ({"id": "r-1"}, "web.id: 'r-1' is not the id of a reservation"),
        ({"end_date": "tomorrow"}, "web.end_date: 'tomorrow' is not a time in UTC"),
        ({"instances": None}, "web.instances: is missing"),
    ],
)
def test_mistakes_are_reported_before_anything_is_made(reservation, said):  # I-96
    with pytest.raises(InputError) as raised:
        recorded(BY_TAG, web={**WEB, **reservation})
    assert f"capacity_reservations.{said}" in str(raised.value) or said in str(raised.value)


def test_a_controller_without_the_permissions_is_refused():
    given = {"capacity_reservations": {"web": WEB}, "controller_identity": {"without": ["capacity-reservations"]}}
    with pytest.raises(InputError, match="the controller has no permissions for them"):
        joined("KarpenterCluster", {**NEW, **OBJECTS, **given})


def test_mistakes_are_reported_beside_those_of_the_network():
    """Which zones have subnets is not known then, and is not judged."""
    network = {"own": {"cidr": "10.0.0.0/16", "zones": ["eu-west-1a", "eu-west-1b"], "endpoints": ["ECR api"]}}
    given = {"network": network, "capacity_reservations": {"web": {**WEB, "instances": 0}}}
    with pytest.raises(InputError) as raised:
        joined("KarpenterCluster", {**NEW, **OBJECTS, **given})
    found = [problem.message for problem in raised.value.problems]
    assert found == ["0 instances", "'ECR api' is not the name of an endpoint"]
