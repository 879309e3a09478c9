"""Figures that users know better: settings of the controller, measured memory, agreed prices."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.core.errors import InputError
from cutlist.core.quantity import nanos
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import TypeRow
from cutlist.planning.read_inputs import read_inputs
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.types.answer import types
from tests.sample import POOLS, SNAPSHOT, WORKLOADS

FILES = [POOLS, WORKLOADS]
HEAD = "apiVersion: cutlist/v1\nkind: Figures\n"


def inputs(figures: str, *more: Path) -> PlanInputs:
    return read_inputs([*FILES, *more, "-"], region="us-west-2", stdin=HEAD + figures)


def shown(given: PlanInputs, name: str) -> TypeRow:
    (pool,) = types(given)
    return next(t for t in pool.types if t.name == name)


#
def test_the_controllers_memory_setting_changes_every_type():
    """With 0% kept for the hypervisor an m7i.large has all that EC2 names."""
    estimated, whole = (inputs(f"controller: {{vmMemoryOverheadPercent: {part}}}") for part in (0.075, 0))
    more = shown(whole, "m7i.large").allocatable["memory"] - shown(estimated, "m7i.large").allocatable["memory"]
    assert more == nanos("8192Mi") - nanos("7577Mi")


#
def test_measured_memory_takes_the_place_of_the_estimate():
    """One type changes, its neighbour stays, and the plan says how many are known."""
    plain, measured = inputs(""), inputs("memory: {m7i.large: 7661Mi}")
    more = shown(measured, "m7i.large").allocatable["memory"] - shown(plain, "m7i.large").allocatable["memory"]
    assert more == nanos("7661Mi") - nanos("7577Mi")
    assert shown(measured, "c7i.large") == shown(plain, "c7i.large")
    assert any("of 1 instance type it is known" in note.text for note in plan(measured).assumptions)


#
def test_nodes_of_the_input_tell_their_memory():
    """The least that a registered node reports counts; what they report wins over what is written."""
    snapshot = SNAPSHOT
    lowered = snapshot.read_text().replace("memory: 3788Mi", "memory: 3700Mi")
    assert lowered != snapshot.read_text()
    given = read_inputs(
        [*FILES, "-"], region="us-west-2", stdin=f"{lowered}\n---\n{HEAD}memory: {{c6a.large: 1Gi, c5.large: 3Gi}}"
    )
    less = shown(inputs(""), "c6a.large").allocatable["memory"] - shown(given, "c6a.large").allocatable["memory"]
    assert less == nanos("88Mi")
    assert shown(given, "c5.large").allocatable["memory"] < shown(inputs(""), "c5.large").allocatable["memory"]


def test_discounts_and_the_surcharge_change_costs_and_no_choice():
    """The same node, for 12% less and 15 dollars a thousand hours more."""
    plain, own = (plan(inputs(text)) for text in ("", "prices: {spotDiscount: 12%, surcharge: 0.015}"))
    (before,), (after,) = plain.nodes, own.nodes
    assert (before.instance_type, before.zones, before.capacity_type) == (after.instance_type, after.zones, "spot")
    assert before.price is not None
    assert after.price.usd_per_hour == pytest.approx(before.price.usd_per_hour * 0.88 + 0.015)
    assert [c.instance_type for c in before.candidates] == [c.instance_type for c in after.candidates]
    (note,) = [n.text for n in own.assumptions if n.code == "own-prices"]
    assert note == (
        "costs are with a discount of 12% on spot prices and a surcharge of $0.015 an hour for each node; "
        "Karpenter ranks by list prices"
    )


def test_prices_of_resources_change_no_plan():
    """They are for the bill of a preview; nodes and their prices stay."""
    plain, own = inputs(""), inputs("resources: {nat-gateway: 0.04, aks-standard: 0.08}")
    assert own.figures.resources == {"nat-gateway": 0.04, "aks-standard": 0.08}
    assert plan(own).nodes == plan(plain).nodes


def test_a_misspelt_resource_is_answered_with_the_nearest_that_has_a_price():
    with pytest.raises(InputError) as caught:
        inputs("resources: {nat-gatway: 0.04}")
    (problem,) = caught.value.problems
    assert problem.nearest == "nat-gateway"
    assert {"nat-gateway", "aks-standard"} <= set(problem.allowed.split(", "))


@pytest.mark.parametrize(
    ("figures", "message"),
    [
        ("resources: {nat-gatway: 0.04}", "no price is named 'nat-gatway'"),
        ("resources: {nat-gateway: cheap}", "expected a number, found 'cheap'"),
        ("resources: {nat-gateway: -1}", "-1 is out of range"),
        ("resources: 0.04", "expected a mapping"),
        ("memory: {m7i.lage: 1Gi}", "no instance type is named 'm7i.lage'"),
        ("memory: {m7i.large: lots}", "quantity"),
        ("prices: {onDemandDiscount: 12}", "12 is not a discount"),
        ("prices: {spotDiscount: 120%}", "is not a discount"),
        ("prices: {surcharge: -1}", "out of range"),
        ("controller: {vmMemoryOverheadPercent: 7.5}", "out of range"),
        ("controller: {reservedEnis: 1}", "is not a field here"),
        (f"memory: {{}}\n---\n{HEAD}", "is a second Figures"),
    ],
)
def test_mistakes_name_their_place(figures, message):
    """Each with its line, before anything is planned."""
    with pytest.raises(InputError) as caught:
        inputs(figures)
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.place.line
