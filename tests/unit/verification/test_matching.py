"""Which node of a cluster is which planned node."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from cutlist.verification.live import LiveNode
from cutlist.verification.matching import Matching, match
from tests.examples import examples
from tests.unit.verification.builders import live, plan, planned

WEB, API = "deployment/web", "deployment/api"


def pairs(matching: Matching) -> dict[int, str]:
    return {slot.number: node.name for slot, node in matching.pairs}


def test_nodes_are_matched_by_their_pods_and_not_by_their_order():
    of = plan(planned({WEB: 3}), planned({API: 3}))
    assert pairs(match(of, [live("a", {API: 3}), live("b", {WEB: 3})])) == {1: "b", 2: "a"}


def test_a_node_that_came_exactly_as_planned_is_taken_first():
    """The other one shares more pods with the planned node, and is still not it."""
    of = plan(planned({WEB: 2}), planned({WEB: 4}))
    assert pairs(match(of, [live("a", {WEB: 2}), live("b", {WEB: 3})])) == {1: "a", 2: "b"}


def test_pods_count_more_than_type_capacity_type_and_zone_together():
    of = plan(planned({WEB: 2, API: 2}))
    alike, other = (
        live("alike", {WEB: 3}),
        live("other", {WEB: 2, API: 3}, instance_type="m5.xlarge", capacity_type="on-demand"),
    )
    assert pairs(match(of, [alike, other])) == {1: "other"}


def test_between_equal_pods_the_type_decides_then_the_capacity_type_then_the_zone():
    of = plan(planned({WEB: 4}, zones=("us-west-2a",)))
    of_type = live("d", {WEB: 3}, capacity_type="on-demand", zone="us-west-2b")
    of_capacity = live("c", {WEB: 3}, instance_type="m5.xlarge")
    of_zone = live("b", {WEB: 3}, instance_type="m5.xlarge", capacity_type="on-demand")
    none = live("a", {WEB: 3}, instance_type="m5.xlarge", capacity_type="on-demand", zone="us-west-2z")
    there = [none, of_zone, of_capacity, of_type]
    while there:
        assert pairs(match(of, there)) == {1: there.pop().name}


def test_as_few_nodes_as_possible_have_other_pods_than_planned():
    """As many pods are shared if the node with one pod goes with the plan for two; then two nodes would differ."""
    of = plan(planned({WEB: 2}), planned({WEB: 1}))
    there = [live("a", {}, created=1), live("b", {WEB: 1}, zone="us-west-2z", created=2)]
    assert pairs(match(of, there)) == {1: "a", 2: "b"}


def test_the_planned_node_with_the_fewest_zones_is_matched_first():
    """Otherwise the one that may be anywhere takes the only node that is where the other has to be."""
    anywhere, in_a = planned({WEB: 2}), planned({WEB: 2}, zones=("us-west-2a",))
    there = [live("a", {WEB: 2}), live("b", {WEB: 2}, zone="us-west-2b")]
    assert pairs(match(plan(anywhere, in_a), there)) == {1: "b", 2: "a"}


def test_a_node_of_another_node_pool_is_matched_where_nothing_else_is_left():
    of = plan(planned({WEB: 2}), planned({WEB: 2}))
    own, other = live("own", {WEB: 2}), live("other", {WEB: 2}, node_pool="fallback")
    assert pairs(match(of, [other, own])) == {1: "own", 2: "other"}


def test_nodes_that_share_no_pod_are_not_matched():
    matching = match(plan(planned({WEB: 2})), [live("a", {API: 2})])
    assert (matching.pairs, [slot.number for slot in matching.missing]) == ((), [1])
    assert [node.name for node in matching.unplanned] == ["a"]


def test_a_node_without_pods_goes_with_a_planned_one_that_it_may_be():
    of = plan(planned({WEB: 2}))
    assert pairs(match(of, [live("a", {}, instance_type="m6i.large")])) == {1: "a"}
    assert pairs(match(of, [live("a", {}, instance_type="p5.48xlarge")])) == {}
    assert pairs(match(of, [live("a", {}, instance_type="", zone="", capacity_type="")])) == {1: "a"}


names = st.integers(1, 3).map(lambda number: f"deployment/w{number}")
pods_of = st.dictionaries(names, st.integers(1, 3), max_size=2)
kinds = st.sampled_from(["m5.large", "m6i.large", "c5.large"])
pools = st.sampled_from(["general", "other"])


@st.composite
def nodes(draw) -> list[LiveNode]:
    count = draw(st.integers(0, 5))
    return [
        live(f"n{at}", draw(pods_of), instance_type=draw(kinds), node_pool=draw(pools), created=draw(st.integers(0, 2)))
        for at in range(count)
    ]


slots = st.lists(st.builds(lambda pods, pool: replace(planned(pods), node_pool=pool), pods_of, pools), max_size=4)


@examples(0.5)
@given(slots, nodes(), st.randoms(use_true_random=False))
def test_the_order_of_the_nodes_changes_nothing_and_each_is_somewhere_once(of, there, random):
    matching = match(plan(*of), there)
    shuffled = list(there)
    random.shuffle(shuffled)
    assert match(plan(*of), shuffled) == matching
    assert sorted([slot.number for slot, _ in matching.pairs] + [slot.number for slot in matching.missing]) == list(
        range(1, len(of) + 1)
    )
    assert sorted([n.name for _, n in matching.pairs] + [n.name for n in matching.unplanned]) == sorted(n.name for n in there)


@examples(0.3)
@given(slots)
def test_what_came_as_planned_is_matched_with_nothing_else(of):
    there = [
        live(f"n{number}", {share.workload: share.count for share in node.pods}, node_pool=node.node_pool)
        for number, node in enumerate(of, 1)
    ]
    matching = match(plan(*of), there)
    assert not matching.missing
    assert all(slot.pods == dict(node.pods) and slot.node.node_pool == node.node_pool for slot, node in matching.pairs)
