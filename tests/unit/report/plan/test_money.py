"""What a plan costs stands first, in few figures: the sum a month, its split by capacity type and NodePool, groups of nodes."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.catalog.prices import Price
from cutlist.core.ledger import Inputs, OpenInput
from cutlist.planning.model import Plan
from cutlist.planning.model.cost import by_capacity_type, by_node_pool
from cutlist.planning.model.node_groups import node_groups
from cutlist.report.estimates import Step, span_in_words
from cutlist.report.plain import hour_column, hourly, monthly, per_month, percent
from cutlist.report.shares import month_cells, month_parts, shares
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.node_views import NodeViews
from cutlist.verbs.plan.text import render_plan, render_plan_summary
from tests.examples import examples
from tests.unit.report.pages import taken
from tests.unit.report.samples import ON_DEMAND, PLAN, SPOT, UNPRICED

BIG = replace(SPOT, price=Price(1.0, "", estimated=True), count=3)


@pytest.mark.parametrize(
    ("nodes", "first"),
    [
        ((ON_DEMAND,), "$106 a month: 1 node for 1 pod in us-west-2"),
        ((SPOT,), "From about $46 a month ($22 to $92; all of it spot): 2 nodes for 12 pods in us-west-2"),
        ((BIG,), "From $2,190* a month: 3 nodes for 18 pods in us-west-2"),
        ((UNPRICED,), "Unknown price: 1 node for 8 pods in us-west-2"),
        ((), "No new nodes in us-west-2"),
    ],
)
def test_money_is_the_first_thing_a_plan_says(nodes, first):
    for view in (render_plan, render_plan_summary):
        assert view(replace(PLAN, nodes=nodes), 100).splitlines()[0] == first


def test_the_page_and_the_headline_have_one_word_before_the_price():
    """`At least` while something is open, also where the cloud chooses the type, which alone is `From`."""
    still_open = Inputs(files=1, open=(OpenInput("a.tpl", "template", "a template"),))
    for plan, word in ((replace(PLAN, inputs=still_open), "At least"), (PLAN, "From"), (replace(PLAN, nodes=(ON_DEMAND,)), "")):
        amount = "$" if plan.totals.price_range is None else "about $"
        assert render_plan(plan, 100).startswith(f"{word} {amount}".lstrip())
        tile = plan_html(plan).partition("<dt>A month</dt><dd>")[2]
        assert tile.startswith(f"{word} {amount}".lstrip())


def test_the_price_is_split_by_capacity_type_and_node_pool():
    shown = render_plan(PLAN, 120)
    assert "capacity on-demand $106 (70%, 2 nodes), spot $46 (30%, 2 nodes)\n" in shown
    assert "pools    general $152 (100%, 3 nodes), training of unknown price (1 node)\n" in shown


def test_one_capacity_type_and_one_node_pool_need_no_split():
    shown = render_plan(replace(PLAN, nodes=(SPOT,)), 120)
    assert "capacity all spot\n" in shown
    assert "pools " not in shown


def test_many_node_pools_are_counted():
    nodes = tuple(replace(ON_DEMAND, node_pool=f"pool-{i}") for i in range(9))
    assert "pool-5 $106 (11%, 1 node), and 3 more NodePools" in " ".join(render_plan(replace(PLAN, nodes=nodes), 100).split())


@examples(0.3)
@given(st.lists(st.sampled_from([SPOT, ON_DEMAND, BIG, replace(SPOT, node_pool="other")]), min_size=1, max_size=8))
def test_each_split_and_the_groups_add_up_to_the_whole(nodes):
    plan = Plan("us-west-2", nodes=tuple(nodes))
    groups = node_groups(nodes)
    sums = [
        sum(cost.price for cost in by_capacity_type(plan)),
        sum(cost.price for cost in by_node_pool(plan)),
        sum(group.price_with_disks for group in groups),
    ]
    assert sums == [pytest.approx(plan.totals.price_per_hour)] * 3
    assert sum(group.count for group in groups) == plan.totals.nodes
    assert sum(group.pods for group in groups) == plan.totals.pods


def test_a_summary_has_one_row_for_each_type_and_capacity_type():
    many = tuple(replace(SPOT, pods=(replace(SPOT.pods[0], count=i % 5 + 1),)) for i in range(100))
    shown = render_plan_summary(replace(PLAN, nodes=(*many, ON_DEMAND)), 100)
    assert len([line for line in shown.splitlines() if "m7g.large" in line]) == 1
    assert "  200  m7g.large      spot       a b c" in shown
    assert "deployment/web" not in shown
    assert len(shown.splitlines()) < 25


def test_a_summary_keeps_what_is_pending_and_what_is_warned_of():
    shown = render_plan_summary(PLAN, 100)
    assert "pending  2 pods of deployment/trainer" in shown
    assert "Rollout shop/checkout" in shown


def test_a_long_table_names_the_shorter_view():
    many = tuple(replace(SPOT, instance_type=f"m{i}.large") for i in range(31))
    assert "31 rows; --summary has one for each instance type\n" in render_plan(replace(PLAN, nodes=many), 100)
    assert "--summary" not in render_plan(PLAN, 100)


def test_what_changes_since_an_earlier_plan_comes_first():
    before = replace(PLAN, nodes=(SPOT,), pending=())
    for view in (render_plan, render_plan_summary):
        change, _, rest = view(PLAN, 100, before=before).partition(": 4 nodes")
        assert "2 more nodes, 2 more pending pods." in " ".join(change.split())
        assert "nodes    2 -> 4\n" in change
        assert rest
    assert render_plan(PLAN, 100, before=PLAN).startswith("No change: nodes, price and pending pods are as before.\n\nFrom")


def test_prices_in_sentences_have_few_figures():
    assert [hourly(usd) for usd in (0, 0.0312, 0.1449, 0.999, 40.5628)] == ["0.00", "0.0312", "0.145", "0.999", "40.56"]
    assert [monthly(usd) for usd in (0.5, 99.99, 99.999, 804.2, 29610.83)] == ["0.50", "99.99", "100", "804", "29,611"]


@pytest.mark.parametrize(
    ("prices", "shown"), [([12.0, 1.5, None], "2.00"), ([0.2, 12.0], "2.000"), ([0.02, 12.0], "2.0000"), ([None, 0.0], "2.00")]
)
def test_a_column_has_the_places_that_its_lowest_price_needs(prices, shown):
    assert hour_column(prices)(2.0) == shown


@pytest.mark.parametrize(("part", "shown"), [(0.996, "99%"), (1.0, "100%"), (0.29, "29%"), (0.004, "0%"), (None, "-")])
def test_percentages_are_rounded_down(part, shown):
    assert percent(part) == shown


def test_pages_say_the_shares_of_the_terminal():
    """Both say 70% and 30%, of which the larger was rounded up: together they are the whole."""
    assert "on-demand $106 (70%, 2 nodes)" in render_plan(PLAN, 100)
    assert "$106 on-demand, 70%" in taken(plan_html(PLAN)).text


@examples(0.3)
@given(st.lists(st.one_of(st.none(), st.floats(0.0001, 1000)), max_size=12), st.floats(0, 100))
def test_shares_are_the_whole_together_and_each_is_less_than_a_percent_off(amounts, others):
    whole = sum(amount or 0.0 for amount in amounts) + others
    rounded = shares(amounts, whole)
    if whole:
        assert [part is None for part in rounded] == [amount is None for amount in amounts]
        assert all(abs(part - amount / whole) < 0.0101 for part, amount in zip(rounded, amounts, strict=True) if amount)
    else:
        assert rounded == [None] * len(amounts)
    if whole and not others:
        assert sum(round(100 * part) for part in rounded if part is not None) == 100


def amount(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


@examples(0.3)
@given(st.lists(st.floats(0, 100), min_size=1, max_size=12))
def test_parts_of_a_month_add_up_to_the_whole_as_it_is_shown(prices):
    """In words and to the cent; each is less than a dollar, or a cent, off. Beside whole dollars, cents alone stay visible."""
    whole = math.fsum(prices)
    for parts, shown in ((month_parts, monthly), (month_cells, per_month)):
        months, total = [amount(part) for part in parts(prices, whole)], amount(shown(whole * 730))
        unit = Decimal(1) if "." not in shown(whole * 730) else Decimal("0.01")
        assert sum(month // unit * unit for month in months) == total
        for month, price in zip(months, prices, strict=True):
            assert abs(float(month) - price * 730) < 1.01 * float(unit)
            assert month or price * 730 < 0.01


def test_a_total_in_whole_dollars_has_parts_in_whole_dollars():
    """$232.48 and $200.16 are $433 together, so $233 and $200; an unknown price has no part."""
    assert month_parts([232.48 / 730, None, 200.16 / 730], 432.64 / 730) == ["233", None, "200"]
    assert month_parts([1088.2 / 730, 0.4 / 730], 1088.6 / 730) == ["1,088", "1"]
    assert month_parts([1088.0 / 730, 0.4 / 730], 1088.4 / 730) == ["1,088", "0.40"]


def test_what_is_left_of_the_whole_has_its_share_too():
    """Three thirds of which one is not shown: the others are not rounded up to 100%."""
    assert shares([1.0, 1.0], 3.0) == [0.34, 0.33]


def test_what_ec2_may_choose_and_what_pods_cost_at_least_have_different_words():
    shown = render_plan(replace(PLAN, bound_per_hour=0.2), 100)
    assert shown.startswith("From about $152")
    said = "on the best nodes that are allowed, these pods cost at least about $146 a month; this plan costs 3% more"
    assert f"least {said}" in " ".join(shown.split())


@examples(0.3)
@given(st.lists(st.sampled_from([SPOT, ON_DEMAND, BIG, UNPRICED, replace(SPOT, node_pool="other")]), min_size=1, max_size=8))
def test_rows_of_a_page_add_up_to_their_group_and_groups_to_the_plan(nodes):
    """As they are shown: to the cent, or to what the range of estimates supports."""
    plan = replace(PLAN, nodes=tuple(nodes))
    groups = NodeViews.of(plan.nodes, plan.region).groups
    for group in groups:
        assert _shown(row.month for row in group.rows) == _shown([group.month])
    totals, shown = plan.totals, _shown(group.month for group in groups)
    whole = Decimal(per_month((totals.price_per_hour or 0.0) * 730).replace(",", ""))
    step = Decimal(0) if totals.price_range is None else Decimal(Step.of(totals.price_range.at(730)).size)
    assert abs(shown - whole) <= step / 2 + Decimal("0.01") * (step > 0)


def _shown(cells):
    return sum((Decimal(cell.replace(",", "")) for cell in cells if cell is not None), Decimal(0))


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (0.0455, "spot is 5% of it"),
        (0.0449, "spot is 4% of it"),
        (0.003, "less than 1%"),
        (0.999, "99%"),
        (1.0, "all of it spot"),
    ],
)
def test_the_first_line_rounds_the_part_of_spot_as_the_split_by_capacity_does(part, said):
    """Two figures for one thing on one screen make both of them doubtful."""
    assert said in span_in_words(replace(PLAN.totals, spot_part=part))
    _, spot = shares([1 - part, part], 1.0)
    assert spot in {0.0, 1.0} or f"{spot:.0%}" in said
