"""Plans with capacity reservations: used while they have instances free, and said where nobody knows how many."""

from __future__ import annotations

from cutlist.planning.model import Plan
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan, with_launches
from tests.unit.planning.manifests import NODE_CLASS, TYPES, deployment, pool

RESERVED_FIRST = "{key: karpenter.sh/capacity-type, operator: In, values: [reserved, on-demand]}"
M5 = TYPES.format("m5.large")
# Two of these do not fit one m5.large.
POD = {"cpu": "1500m"}


def with_reservation(count: str = "", status: str = "", terms: str = "[{id: cr-1}]") -> str:
    """The node class with one reservation; `count` is its line on free instances, `status` stands in for the whole status."""
    found = f"""
status:
  subnets: [{{id: subnet-a, zone: us-west-2a, zoneID: usw2-az1}}]
  capacityReservations:
    - id: cr-1
      availabilityZone: us-west-2a
      instanceType: m5.large
      reservationType: default
      state: active
      {count}
"""
    return NODE_CLASS.rstrip() + f"\n  capacityReservationSelectorTerms: {terms}\n" + (status or found)


def plan_of(node_class: str, replicas: int = 2, requirements: str = f"[{RESERVED_FIRST}, {M5}]") -> Plan:
    documents = (node_class, pool(requirements=requirements), deployment(replicas=replicas, **POD))
    return plan(read_inputs(["-"], region="us-west-2", stdin="\n---\n".join(documents)))


def bought(made: Plan) -> list[tuple[str, int]]:
    return sorted((n.capacity_type, n.count) for n in made.nodes)


def notes(made: Plan) -> list[str]:
    return [n.text for n in made.assumptions if n.code == "reservations-unknown"]


def test_a_reservation_of_one_is_used_once() -> None:
    """The first node starts in the reservation; the second pod waits for another pass and gets an on-demand node."""
    # S-80
    planned = plan_of(with_reservation("availableInstanceCount: 1"))
    assert bought(planned) == [("on-demand", 1), ("reserved", 1)]
    assert planned.passes == 2
    assert planned.pending == ()
    assert notes(planned) == []


def test_the_launch_of_each_node_is_its_own() -> None:
    """The first node is asked for from the reservation, the second on demand: the reservation is used up by then."""
    # A-55 A-56
    documents = (with_reservation("availableInstanceCount: 1"), pool(requirements=f"[{RESERVED_FIRST}, {M5}]"))
    inputs = read_inputs(["-"], region="us-west-2", stdin="\n---\n".join((*documents, deployment(replicas=2, **POD))))
    planned = with_launches(plan(inputs), inputs)
    found = {n.capacity_type: planned.launches[n.launch] for n in planned.nodes if n.launch is not None}
    assert {kind: launch.capacity_type for kind, launch in found.items()} == {"reserved": "reserved", "on-demand": "on-demand"}
    assert [t.reservation for t in found["reserved"].templates] == ["cr-1"]
    assert [t.reservation for t in found["on-demand"].templates] == [""]
    assert found["on-demand"].allocation_strategy == "lowest-price"


def test_a_reservation_with_room_for_all() -> None:
    """Two free instances are two nodes, in one pass."""
    planned = plan_of(with_reservation("availableInstanceCount: 2"))
    assert (bought(planned), planned.passes) == ([("reserved", 2)], 1)


def test_a_pool_of_reserved_capacity_alone_ends_with_it() -> None:
    """Where nothing else is allowed, the pod that finds the reservation taken stays pending."""
    reserved = "{key: karpenter.sh/capacity-type, operator: In, values: [reserved]}"
    planned = plan_of(with_reservation("availableInstanceCount: 1"), requirements=f"[{reserved}, {M5}]")
    assert bought(planned) == [("reserved", 1)]
    (pending,) = planned.pending
    assert pending.reason == "NodePool general: only reserved capacity fits, but its reservations are used up"
    helps = "with on-demand among the values of karpenter.sh/capacity-type in NodePool general it fits there"
    assert (pending.count, pending.remedy) == (1, helps)


def test_a_reservation_that_is_used_up() -> None:
    """No free instance is a count that is known: on-demand, without a note."""
    planned = plan_of(with_reservation("availableInstanceCount: 0"))
    assert (bought(planned), notes(planned)) == ([("on-demand", 2)], [])


def test_an_unknown_count_is_said() -> None:
    """A status as Karpenter's controller writes it has no count: planned without the reservation, with a note."""
    planned = plan_of(with_reservation())
    assert bought(planned) == [("on-demand", 2)]
    (text,) = notes(planned)
    assert text.startswith("EC2NodeClass default: its status does not say how many instances are free in cr-1")


def test_reservations_that_nobody_looked_up_are_said() -> None:
    """A class that selects reservations and has no status yet is reported; one that selects none is not."""
    (text,) = notes(plan_of(with_reservation(status="status: {}\n")))
    assert text == "EC2NodeClass default: capacity reservations are not looked up; nodes are planned without them"
    assert notes(plan_of(NODE_CLASS)) == []


def test_a_count_must_be_one() -> None:
    """Less than none is passed over with its path, and the count is unknown."""
    negative = plan_of(with_reservation("availableInstanceCount: -1"))
    assert bought(negative) == [("on-demand", 2)]
    assert [n.text.split(": ")[1] for n in negative.assumptions if n.code == "status-passed-over"] == [
        "ec2nodeclass/default status.capacityReservations[0].availableInstanceCount"
    ]
    assert notes(negative)
