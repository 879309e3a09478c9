"""Two plans side by side: what changes is named once, in a stable order, and what is alike is not named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.prices import Price
from cutlist.core.notes import Note
from cutlist.planning.model import FilledNode, PendingPods, Plan, PlannedNode, PodShare
from cutlist.planning.model.changes import Bought, Change, NodeChange, Waiting
from cutlist.planning.model.comparison import Comparison
from cutlist.verbs.diff.words import change_sentence
from tests.examples import examples
from tests.unit.report.samples import ON_DEMAND, PLAN, SPOT, UNPRICED

_pools = st.sampled_from(["general", "batch"])
_type_names = st.sampled_from(["m7g.large", "c7g.xlarge", "p5.48xlarge"])
_nodes = st.builds(
    lambda of, pool, name, count, price: replace(of, node_pool=pool, instance_type=name, count=count, price=price),
    st.sampled_from([SPOT, ON_DEMAND]),
    _pools,
    _type_names,
    st.integers(1, 500),
    st.none() | st.builds(Price, st.floats(0.001, 100), st.just("list")),
)
_pending = st.builds(
    PendingPods, st.sampled_from(["deployment/a", "job/b"]), st.integers(1, 9), st.sampled_from(["too big", "no GPU"])
)
_existing = st.builds(
    FilledNode,
    st.sampled_from(["node-1", "node-2"]),
    st.lists(st.builds(PodShare, st.sampled_from(["deployment/a", "job/b"]), st.integers(1, 9)), max_size=2).map(tuple),
)
_notes = st.lists(st.builds(Note, st.sampled_from(["a", "b"]), st.sampled_from(["x", "y"])), max_size=3).map(tuple)
_plans = st.builds(
    Plan,
    st.just("us-west-2"),
    st.lists(_nodes, max_size=5).map(tuple),
    st.lists(_pending, max_size=3).map(tuple),
    _notes,
    _notes,
    st.lists(_existing, max_size=3).map(tuple),
)


def _node_change(before: Plan, after: Plan) -> NodeChange:
    (change,) = Comparison.of(before, after).nodes
    return change


@given(_plans)
def test_a_plan_is_the_same_as_itself(plan):
    comparison = Comparison.of(plan, plan)
    assert comparison.is_same
    assert comparison.price_change == 0.0
    assert (comparison.new_notes, comparison.gone_notes) == ((), ())


@examples(0.6)
@given(_plans, _plans)
def test_the_way_back_undoes_each_change(first, second):
    """Every change of one direction is in the other with its sides swapped, in the same order."""
    there, back = Comparison.of(first, second), Comparison.of(second, first)
    assert [replace(c, before=c.after, after=c.before) for c in back.nodes] == list(there.nodes)
    assert [replace(c, before=c.after, after=c.before) for c in back.pending] == list(there.pending)
    assert [replace(c, before=c.after, after=c.before) for c in back.existing] == list(there.existing)
    assert (back.new_notes, back.gone_notes) == (there.gone_notes, there.new_notes)
    if there.price_change is not None:
        assert back.price_change == pytest.approx(-there.price_change)


@examples(0.6)
@given(_plans, st.randoms(use_true_random=False))
def test_order_and_grouping_of_nodes_play_no_part(plan, random):
    """The same nodes in another order, each row as single nodes, are the same plan."""
    single = [replace(node, count=1) for node in plan.nodes for _ in range(node.count)]
    random.shuffle(single)
    pending = [*plan.pending]
    random.shuffle(pending)
    other = replace(plan, nodes=tuple(single), pending=tuple(pending), existing=plan.existing[::-1])
    assert Comparison.of(plan, other).is_same


@examples(0.6)
@given(_plans, _plans)
def test_changes_stand_in_the_order_of_names_and_none_twice(first, second):
    comparison = Comparison.of(first, second)
    for names in (
        [(c.node_pool, c.instance_type, c.capacity_type) for c in comparison.nodes],
        [(c.node, c.workload) for c in comparison.existing],
        [c.workload for c in comparison.pending],
    ):
        assert names == sorted(set(names))


@examples(0.6)
@given(_plans, _plans)
def test_the_change_in_price_is_the_difference_of_the_totals(first, second):
    """Where every node has a price, what the plans cost differs by what their nodes do."""
    priced = [replace(p, nodes=tuple(n for n in p.nodes if n.price is not None)) for p in (first, second)]
    costs = [p.totals.price_per_hour for p in priced]
    assert Comparison.of(*priced).price_change == pytest.approx(costs[1] - costs[0], abs=1e-5)


def test_other_nodes_are_an_addition_and_a_removal():
    comparison = Comparison.of(replace(PLAN, nodes=(SPOT,)), replace(PLAN, nodes=(ON_DEMAND,)))
    assert [(c.instance_type, c.kind, c.before.count, c.after.count) for c in comparison.nodes] == [
        ("c7g.xlarge", Change.ADDED, 0, 1),
        ("m7g.large", Change.REMOVED, 2, 0),
    ]
    assert comparison.price_change == pytest.approx(0.145 - 2 * 0.0312)


def test_more_nodes_of_a_kind_are_a_change_in_number_and_price():
    change = _node_change(replace(PLAN, nodes=(SPOT,)), replace(PLAN, nodes=(replace(SPOT, count=5),)))
    assert change.kind is Change.CHANGED
    assert (change.before.count, change.after.count) == (2, 5)
    assert change.price_change == pytest.approx(3 * 0.0312)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(SPOT, price=SPOT.price.at(0.0313)), id="another price"),
        pytest.param(replace(SPOT, price=None), id="no price"),
        pytest.param(replace(SPOT, zones=SPOT.zones[:2]), id="fewer zones"),
        pytest.param(replace(SPOT, candidates=SPOT.candidates[:2]), id="fewer types"),
    ],
)
def test_nodes_of_the_same_number_differ_in_price_zones_or_types(other: PlannedNode):
    change = _node_change(replace(PLAN, nodes=(SPOT,)), replace(PLAN, nodes=(other,)))
    assert change.kind is Change.CHANGED
    assert change.before.count == change.after.count == 2


def test_types_that_come_and_go_are_named():
    fewer = replace(SPOT, candidates=SPOT.candidates[:2])
    change = _node_change(replace(PLAN, nodes=(SPOT,)), replace(PLAN, nodes=(fewer,)))
    assert (change.new_types, change.lost_types) == ((), ("m7g.xlarge",))


def test_a_price_below_what_is_printed_is_no_change():
    nearly = replace(SPOT, price=SPOT.price.at(0.0312 + 1e-7))
    assert Comparison.of(replace(PLAN, nodes=(SPOT,)), replace(PLAN, nodes=(nearly,))).is_same


def test_nodes_without_a_price_hide_the_change_only_where_they_change():
    """A GPU node of unknown price on both sides does not keep the price of the other nodes secret."""
    more = replace(PLAN, nodes=(replace(SPOT, count=3), ON_DEMAND, UNPRICED))
    assert Comparison.of(PLAN, more).price_change == pytest.approx(0.0312)
    twice = replace(PLAN, nodes=(SPOT, ON_DEMAND, replace(UNPRICED, count=2)))
    assert Comparison.of(PLAN, twice).price_change is None
    assert Comparison.of(twice, PLAN).price_change is None


def test_pods_that_start_stop_or_go_on_waiting_are_told_apart():
    first = replace(PLAN, pending=(PendingPods("a", 1, "too big"), PendingPods("b", 2, "too big"), PendingPods("c", 3, "x")))
    second = replace(PLAN, pending=(PendingPods("b", 2, "no GPU"), PendingPods("c", 3, "x"), PendingPods("d", 4, "too big")))
    assert [(c.workload, c.kind, c.before, c.after) for c in Comparison.of(first, second).pending] == [
        ("a", Change.REMOVED, Waiting(1, ("too big",)), Waiting()),
        ("b", Change.CHANGED, Waiting(2, ("too big",)), Waiting(2, ("no GPU",))),
        ("d", Change.ADDED, Waiting(), Waiting(4, ("too big",))),
    ]


def test_pods_of_a_workload_that_wait_for_several_reasons_are_summed():
    several = replace(
        PLAN, pending=(PendingPods("a", 1, "too big"), PendingPods("a", 2, "no GPU"), PendingPods("a", 1, "too big"))
    )
    (change,) = Comparison.of(replace(PLAN, pending=()), several).pending
    assert change.after == Waiting(4, ("no GPU", "too big"))


def test_pods_that_move_between_existing_nodes_are_a_change():
    first = replace(PLAN, existing=(FilledNode("node-1", (PodShare("deployment/a", 2),)),))
    second = replace(PLAN, existing=(FilledNode("node-2", (PodShare("deployment/a", 2),)),))
    comparison = Comparison.of(first, second)
    assert [(c.node, c.kind, c.before, c.after) for c in comparison.existing] == [
        ("node-1", Change.REMOVED, 2, 0),
        ("node-2", Change.ADDED, 0, 2),
    ]
    assert not comparison.is_same


def test_notes_of_one_plan_only_are_named_and_make_no_difference():
    new = Note("no-daemonsets", "No DaemonSet is in the input.")
    comparison = Comparison.of(PLAN, replace(PLAN, warnings=(), assumptions=(*PLAN.assumptions, new)))
    assert (comparison.new_notes, comparison.gone_notes) == ((new,), PLAN.warnings)
    assert comparison.is_same


def test_a_comparison_is_plain_data():
    """Everything that differs is in the JSON form, and nothing in it needs Python to be read."""
    second = replace(PLAN, nodes=(replace(SPOT, count=3), UNPRICED), pending=())
    data = Comparison.of(PLAN, second).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert not data["same"]
    assert data["pricePerHourChange"] == pytest.approx(0.0312 - 0.145)
    assert [(n["change"], n["instanceType"]) for n in data["nodes"]] == [("removed", "c7g.xlarge"), ("changed", "m7g.large")]
    assert data["nodes"][0]["after"] == {"count": 0, "pricePerHour": 0.0, "priceEstimated": False, "zones": []}
    assert data["nodes"][0]["lostTypes"] == ["c7g.xlarge"]
    assert [(p["change"], p["workload"], p["after"]["count"]) for p in data["pending"]] == [
        ("removed", "deployment/trainer", 0)
    ]


def test_nothing_is_bought_of_what_is_there_zero_times():
    """A row that stands for no node is not a node."""
    assert Comparison.of(replace(PLAN, nodes=()), replace(PLAN, nodes=(replace(SPOT, count=0),))).is_same
    assert Bought().price == 0.0


def test_prices_of_disks_that_one_plan_lacks_are_left_out_of_both_and_that_is_said():
    """No disk is assumed to be free."""
    (node, *_) = PLAN.nodes
    with_disks = replace(PLAN, nodes=(replace(node, disk_price=Price(0.01, "list")),))
    without = replace(PLAN, nodes=(replace(node, disk_price=None),))
    comparison = Comparison.of(with_disks, without)
    assert (comparison.is_same, comparison.is_without_disks, comparison.to_dict()["withoutDisks"]) == (True, True, True)
    assert change_sentence(comparison) == "No change: nodes, price without disks and pending pods are as before."
    assert not Comparison.of(with_disks, with_disks).is_without_disks
    assert not Comparison.of(without, without).is_without_disks
