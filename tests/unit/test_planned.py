"""The data of a plan: what is written reads back, equal plans are the same bytes, sums add up."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.prices import Price
from cutlist.core.errors import InputError
from cutlist.core.notes import Note
from cutlist.core.quantity import nanos
from cutlist.core.records import data_of
from cutlist.core.requirement import Expression
from cutlist.planning.model import (
    HOURS_PER_MONTH,
    CandidateType,
    FilledNode,
    Launch,
    LaunchTemplate,
    LeftOut,
    Override,
    PendingPods,
    Plan,
    PlannedNode,
    PodShare,
    PodSize,
    TypeRow,
    amount_text_exact,
)
from tests.examples import examples
from tests.unit.report.samples import LAUNCHED, LAUNCHES, ON_DEMAND, PLAN, SPOT, UNPRICED

_names = st.text(max_size=12)
_counts = st.integers(0, 10**6)
_prices = st.none() | st.floats(0, 1e4) | st.integers(0, 100)
_plain_prices = st.none() | st.builds(Price, st.floats(0, 1e4) | st.integers(0, 100), st.just(""), estimated=st.booleans())
_node_prices = st.none() | st.builds(
    Price,
    st.floats(0, 1e4) | st.integers(0, 100),
    _names,
    st.sampled_from(["", "2026-02", "2026-02-17"]),
    st.booleans(),
    st.sampled_from(["USD", "CNY"]),
    _prices,
    _prices,
)
_zones = st.lists(_names, max_size=3).map(tuple)
_resources = st.sampled_from(["cpu", "memory", "pods", "ephemeral-storage", "hugepages-2Mi", "nvidia.com/gpu"])
_amounts = st.dictionaries(_resources, st.integers(-(2**62), 2**70), max_size=4)
_expressions = st.builds(Expression, _names, st.sampled_from(["In", "NotIn", "Exists"]), _zones, st.none() | st.integers(1, 50))
_nodes = st.builds(
    PlannedNode,
    node_pool=_names,
    count=_counts,
    instance_type=_names,
    certainty=st.sampled_from(["determined", "lowest price", "unknown price"]),
    capacity_type=_names,
    capacity_types=_zones,
    zones=_zones,
    price=_node_prices,
    requests=_amounts,
    allocatable=_amounts,
    pods=st.lists(st.builds(PodShare, _names, _counts), max_size=3).map(tuple),
    candidates=st.lists(st.builds(CandidateType, _names, _plain_prices, _names, _zones), max_size=3).map(tuple),
    requirements=st.lists(_expressions, max_size=2).map(tuple),
    launch=st.none() | st.integers(0, 3),
)
_overrides = st.lists(st.builds(Override, _names, _names, _names, st.floats(0, 1e4)), min_size=1, max_size=3).map(tuple)
_templates = st.builds(LaunchTemplate, _names, _counts, st.integers(0, 32), _names, _overrides)
_launches = st.builds(
    Launch,
    *[_names] * 7,
    st.dictionaries(_names, _names, max_size=2),
    st.lists(_templates, max_size=2).map(tuple),
    st.lists(st.builds(LeftOut, _names, _names, _zones), max_size=2).map(tuple),
    _names,
)
_notes = st.lists(st.builds(Note, _names, _names), max_size=2).map(tuple)
_pending = st.builds(PendingPods, _names, _counts, _names, st.lists(st.tuples(_names, _names), max_size=2).map(tuple))
_filled = st.builds(FilledNode, _names, st.lists(st.builds(PodShare, _names, st.integers(1, 99)), max_size=2).map(tuple))
plans = st.builds(
    Plan,
    _names,
    st.lists(_nodes, max_size=3).map(tuple),
    st.lists(_pending, max_size=2).map(tuple),
    _notes,
    _notes,
    st.lists(_filled, max_size=2).map(tuple),
    st.integers(1, 9),
    st.lists(_launches, max_size=2).map(tuple),
    st.lists(st.builds(PodSize, _names, _amounts), max_size=2).map(tuple),
)


@examples(0.6)
@given(plans)
def test_a_plan_reads_back_from_what_it_writes(plan):
    """Through a dict and through JSON text, nothing is lost or rounded."""
    assert Plan.from_dict(plan.to_dict()) == plan
    assert Plan.from_dict(json.loads(plan.to_json())) == plan


@examples(0.6)
@given(plans)
def test_equal_plans_are_the_same_bytes(plan):
    """What reads back equal prints the same, whatever order its mappings were made in and however a number was given."""

    def other_spelling(node: PlannedNode) -> PlannedNode:
        price = node.price
        if price is not None and price.usd_per_hour == int(price.usd_per_hour):
            price = replace(price, usd_per_hour=int(price.usd_per_hour))
        turned = {
            name: dict(reversed(of.items())) for name, of in (("requests", node.requests), ("allocatable", node.allocatable))
        }
        return replace(node, price=price, **turned)

    same = replace(plan, nodes=tuple(other_spelling(n) for n in plan.nodes))
    assert same == plan
    assert hash(same) == hash(plan)
    assert same.to_json() == plan.to_json()


@given(_resources, st.integers(-(2**62), 2**70))
def test_an_amount_reads_back_exactly(resource, amount):
    """The text of an amount is the same number of nano-units again."""
    assert nanos(amount_text_exact(resource, amount)) == amount


def test_amounts_are_kubernetes_texts():
    """Plans show amounts as `kubectl` does."""
    node = data_of(SPOT)
    assert node["allocatable"] == {"cpu": "1930m", "memory": "6903Mi", "pods": "29"}


def test_totals_count_every_alike_node():
    """A row of two nodes counts twice in nodes, pods, price and fill."""
    totals = replace(PLAN, nodes=(SPOT, ON_DEMAND)).totals
    assert (totals.nodes, totals.pods, totals.pending) == (3, 13, 2)
    assert totals.price_per_hour == pytest.approx(2 * 0.0312 + 0.145)
    assert totals.price_per_month == pytest.approx(HOURS_PER_MONTH * (2 * 0.0312 + 0.145))
    assert totals.cpu_fill == pytest.approx((2 * 1580 + 3900) / (2 * 1930 + 3920))


def test_unknown_prices_stay_out_of_the_sum():
    """Nodes without a price are counted and add nothing; without any price there is no sum."""
    assert PLAN.totals.unpriced_nodes == 1
    assert PLAN.totals.price_per_hour == pytest.approx(0.2074)
    assert replace(PLAN, nodes=(UNPRICED,)).totals.price_per_hour is None


def test_a_plan_without_nodes_costs_nothing():
    """Nothing is launched, so the price is known, and there is nothing to fill."""
    totals = Plan("us-west-2").totals
    assert (totals.nodes, totals.price_per_hour, totals.cpu_fill) == (0, 0.0, None)


def test_fill_is_unknown_without_the_resource():
    """A node that has none of a resource is not filled by it."""
    assert SPOT.fill("cpu") == pytest.approx(1580 / 1930)
    assert SPOT.fill("nvidia.com/gpu") is None


def test_alternatives_leave_out_the_cheapest():
    """The type that is shown is not its own alternative."""
    assert SPOT.alternatives == 2
    assert ON_DEMAND.alternatives == 0


def test_the_one_price_of_a_type_gives_both_sources():
    """Where one is unknown, the source of the other speaks for both; an unknown price is not an estimate."""
    listed, spot = Price(0.1, "AWS price list", "2026-02-17"), Price(0.05, "spot estimate", estimated=True)
    sources = {
        (a, b): [data_of(TypeRow("m7g.large", 1, 1, {}, (), a, b))[key] for key in ("onDemandSource", "spotSource")]
        for a, b in ((listed, spot), (listed, None), (None, spot), (None, None))
    }
    assert list(sources.values()) == [
        ["AWS price list, 2026-02-17", "spot estimate"],
        ["AWS price list, 2026-02-17"] * 2,
        ["spot estimate"] * 2,
        ["", ""],
    ]
    assert not data_of(TypeRow("m7g.large", 1, 1, {}, (), None, None))["spotEstimated"]


def test_the_prices_of_an_older_plan_count_as_published():
    """A file that does not say whether a price is an estimate is read as if it was none, whatever its source says."""
    raw = PLAN.to_dict()
    del raw["nodes"][0]["priceEstimated"]
    assert SPOT.is_estimated
    assert not Plan.from_dict(raw).nodes[0].is_estimated


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 99}, "version 99"),
        ({"region": None, "nodes": 7}, "not a plan"),
        ({"nodes": [{}]}, "nodes.0..nodePool: not a plan: is missing"),
    ],
)
def test_what_is_no_plan_is_refused(change, message):
    """Other data gives an InputError that names what is wrong."""
    with pytest.raises(InputError, match=message):
        Plan.from_dict({**PLAN.to_dict(), **change})


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        ({"count": "two"}, "nodes[0].count: not a plan: expected a whole number, found 'two'"),
        ({"requests": {"cpu": "1", "memory": "much"}}, "nodes[0].requests.memory: not a plan"),
        ({"requests": "1 cpu"}, "nodes[0].requests: not a plan: expected a mapping, found '1 cpu'"),
        ({"requirements": [{"key": "a"}]}, "nodes[0].requirements[0].operator: not a plan: is missing"),
        ({"candidates": [{}]}, "nodes[0].candidates[0].instanceType: not a plan: is missing"),
        ({"pricePerHour": "cheap"}, "nodes[0].pricePerHour: not a plan"),
    ],
)
def test_mistakes_in_a_plan_are_named_by_their_path(change, mistake):
    """All of them are reported, each where it is."""
    raw = PLAN.to_dict()
    raw["nodes"][0].update(change)
    del raw["nodes"][1]["zones"]
    with pytest.raises(InputError) as refused:
        Plan.from_dict(raw)
    assert mistake in str(refused.value)
    assert "nodes[1].zones: not a plan: is missing" in str(refused.value)


def _places(data, path=()):
    """The path of every value in plain data."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from _places(value, (*path, key))


_ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


@examples(2)
@given(st.sampled_from([path for path in _places(LAUNCHED.to_dict()) if path[0] != "totals"]), _ANY_JSON)
def test_whatever_stands_in_a_plan_it_is_read_or_refused(path, value):
    """Nothing but an InputError comes of it, and what is read can be written again."""
    raw = LAUNCHED.to_dict()
    holder = raw
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    try:
        plan = Plan.from_dict(raw)
    except InputError:
        return
    assert plan.to_dict()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("nodes", 0, "count"), 1e308),
        (("nodes", 0, "pricePerHour"), float("inf")),
        (("nodes", 0, "requests", "cpu"), 1e308),
        (("nodes", 0, "requests", "cpu"), "10E"),
    ],
)
def test_a_number_that_nothing_has_is_refused(path, value):
    """Its sums would overflow where they are shown."""
    raw = PLAN.to_dict()
    holder = raw
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(InputError):
        Plan.from_dict(raw)


def test_a_list_is_no_plan():
    """Data that is not even an object is refused alike."""
    with pytest.raises(InputError, match="version 'list'"):
        Plan.from_dict([])


def test_a_spot_launch_is_a_set_with_a_price_range():
    """Any type of the request may come, at a price between the lowest and the highest of its pools."""
    # A-61 K-158
    spot = LAUNCHES[0]
    assert spot.outcome == ("m7g.large", "m6g.large", "m6a.large", "m7g.xlarge")
    assert spot.price_range == (0.0312, 0.0641)
    assert not spot.is_determined


def test_an_on_demand_launch_is_its_cheapest_type():
    """The type of lowest price comes at that price; of types of equal price either may."""
    #
    on_demand = LAUNCHES[1]
    assert (on_demand.outcome, on_demand.price_range, on_demand.is_determined) == (("c7g.xlarge",), (0.145, 0.145), True)
    (template,) = on_demand.templates
    tied = replace(template, overrides=(*template.overrides, Override("c6a.xlarge", "us-west-2a", "subnet-a", 0.145)))
    assert replace(on_demand, templates=(tied,)).outcome == ("c6a.xlarge", "c7g.xlarge")
    assert not replace(on_demand, templates=(tied,)).is_determined


def test_a_plan_without_launches_still_reads():
    """Plans that were written before launches were in them read as plans whose launches nobody asked for."""
    raw = PLAN.to_dict()
    del raw["launches"]
    for node in raw["nodes"]:
        del node["launch"]
    assert Plan.from_dict(raw) == PLAN
