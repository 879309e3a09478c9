"""How many more pods fit on a node by their number is in every form of a plan."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from cutlist.core.quantity import NANO
from cutlist.core.records import schema_of
from cutlist.planning.model import Plan
from cutlist.planning.model.node_groups import node_groups
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.html import plan_html
from cutlist.verbs.plan.markdown import plan_markdown
from cutlist.verbs.plan.text import render_plan, render_plan_summary
from tests.unit.report.samples import ON_DEMAND, PLAN, SPOT, UNPRICED

TWO = replace(PLAN, nodes=(SPOT,), pending=(), assumptions=(), warnings=())
"""Two nodes that may have 29 pods each and have 9, of which 3 are of DaemonSets: 20 more fit on one, 40 on both."""


def _after(text: str, title: str) -> str:
    """The cell below a title of a table of text, as far as the title reaches to its left."""
    head = next(line for line in text.splitlines() if title in line)
    row = next(line for line in text.splitlines() if "m7g.large" in line)
    end = head.index(title) + len(title)
    return row[end - len(title) : end].strip()


def test_daemonset_pods_take_room_too():
    assert (SPOT.pods_each, SPOT.requests["pods"] // NANO, SPOT.free_pods) == (6, 9, 20)


def test_more_pods_than_may_be_leave_no_room():
    assert replace(SPOT, requests={"pods": 30 * NANO}).free_pods == 0


def test_a_group_has_the_room_of_all_its_nodes_or_none_is_known():
    (group,) = node_groups([SPOT, replace(SPOT, count=1)])
    assert group.free_pods == 60
    assert UNPRICED.free_pods is None
    (unknown,) = node_groups([ON_DEMAND, replace(ON_DEMAND, allocatable={})])
    assert unknown.free_pods is None


@pytest.mark.parametrize("view", [render_plan, render_plan_summary])
@pytest.mark.parametrize("width", [100, 120, 160])
def test_a_text_has_them_beside_the_pods(view, width):
    assert _after(view(TWO, width), "free") == "40"


def test_the_narrowest_text_leaves_them_out():
    assert "free" not in render_plan(TWO, 70)


def test_a_comment_has_them():
    lines = plan_markdown(TWO).splitlines()
    titles, row = (next(line for line in lines if word in line).split(" | ") for word in ("instance type", "`m7g.large`"))
    assert row[titles.index("free")] == "40"


def test_csv_has_those_of_one_node():
    row, _total = csv.DictReader(io.StringIO(plan_csv(TWO)))
    assert row["free_pods"] == "20"


def test_a_page_has_them_for_the_group_and_its_nodes():
    page = plan_html(TWO)
    assert '<th scope="col" class="n">Free pods</th>' in page
    assert page.count('<td class="n">40</td>') == 2


def test_json_has_those_of_one_node_and_reads_back():
    raw = TWO.to_dict()
    assert raw["nodes"][0]["freePods"] == 20
    assert Plan.from_dict(raw) == TWO
    node = schema_of(Plan)["properties"]["nodes"]["items"]
    assert node["properties"]["freePods"]["type"] == ["integer", "null"]
