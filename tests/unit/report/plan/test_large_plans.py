"""Large plans are shown in a time that grows with what is shown and no faster: `python -m tools.benchmarks views`.

Times are those of this processor for this process, so that other work on the machine does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from cutlist.catalog.prices import Price
from cutlist.planning.model import Plan
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan
from tests.unit.report.pages import taken
from tests.unit.report.plan.large import large_plan
from tests.unit.report.samples import PLAN, TYPES


def _seconds(render: Callable[[Plan], str], plan: Plan) -> float:
    render(PLAN)  # templates are compiled and modules imported at their first use
    start = time.process_time()
    render(plan)
    return time.process_time() - start


def _page(plan: Plan) -> str:
    return plan_html(plan, TYPES)


@pytest.mark.parametrize("render", [render_plan, plan_markdown, plan_csv])
def test_ten_times_the_kinds_of_nodes_are_text_in_about_ten_times_the_time(render):
    """Whatever their pods: 500 kinds of nodes, of which no two are alike, have 100,000."""
    plan = large_plan(nodes=500, pods_each=200)
    assert plan.totals.pods == 100_000
    assert _seconds(render, plan) < 30 * _seconds(render, large_plan(nodes=50, pods_each=200))


@pytest.mark.thorough
def test_kinds_of_nodes_are_text_in_less_than_the_time_of_their_json():
    """JSON has all their candidates as well; a row of text may not cost more than what it shows."""
    plan = large_plan(nodes=1000, pods_each=20)
    assert min(_seconds(render_plan, plan) for _ in range(3)) < min(_seconds(Plan.to_json, plan) for _ in range(3))


@pytest.mark.slow
@pytest.mark.thorough
def test_a_plan_of_100_000_pods_is_a_page_below_3_megabytes():
    """The hardest case: 5,000 nodes of which no two are alike, each a row that tells its pods."""
    plan = large_plan(nodes=5000, pods_each=20)
    assert plan.totals.pods == 100_000
    assert _seconds(_page, plan) < 30 * _seconds(_page, large_plan(nodes=500, pods_each=20))
    page = plan_html(plan, TYPES)
    assert len(page) < 3_000_000
    assert taken(page).text.count("deployment/service-399") > 40


@pytest.mark.thorough
def test_a_page_stays_small_where_every_node_may_become_something_else():
    """Long lists of types are shown for the most nodes only; the others are counted."""
    plan = large_plan(nodes=5000, pods_each=20)
    lists = (
        tuple(replace(c, price=Price(number + place, "")) for place, c in enumerate(plan.nodes[0].candidates))
        for number in range(5000)
    )
    page = plan_html(replace(plan, nodes=tuple(replace(n, candidates=next(lists)) for n in plan.nodes)))
    assert len(page) < 3_000_000
    assert taken(page).text.count("or 17 others") == 180  # groups
    assert page.count('class="choices"') <= 300


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("node_pools", [20, 50])
def test_a_plan_of_1000_nodes_is_a_page_below_1_megabyte(node_pools):
    page = plan_html(large_plan(nodes=1000, node_pools=node_pools), TYPES)
    assert len(page) < 1_000_000
    assert page.count('<tr class="node"') == 1000 + page.count('class="choices"')
