"""Instance types, and why a workload gets its nodes, as pages: they say what the text says, and names are words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from cutlist.core.notes import Note
from cutlist.report.explain.html import explain_html
from cutlist.report.plain import visible
from cutlist.report.types.html import types_html
from cutlist.report.types.svg import Chosen
from tests.unit.report.hostile import ALL, hostile_plan, hostile_types
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN, SPOT, TYPES
from tests.unit.report.test_diff_and_explain import EXPLANATION, hostile

_CHOSEN = Chosen.by_plan(PLAN)


def test_types_are_listed_with_what_pods_may_use_prices_and_what_the_plan_takes():
    text = taken(types_html(TYPES, "us-west-2", chosen=_CHOSEN)).text
    assert "Types allowed 4 by 2 NodePools Nodes of the plan 4" in text
    assert "general 642 c7g.medium 0.0363 0.0148* nothing 0 none - -" in text
    assert "m7g.large general 2 8Gi 1930m 6903Mi 29 a b c 0.0816 0.0312* 2 spot" in text
    assert "u7in-32tb.224xlarge general 896 32Ti 895770m 31064Gi 737 a b c - - -" in text
    assert "* Estimated price: spot estimate June 2025." in text


def test_a_limit_shortens_the_list_and_not_the_chart():
    page = types_html(TYPES, "us-west-2", limit=2)
    assert "The cheapest of each NodePool are listed; the charts have all." in taken(page).text
    assert "m7g.metal" not in taken(page).text
    assert "NodePool general: 4 types" in page
    assert "The cheapest of each" not in taken(types_html(TYPES, "us-west-2")).text


def test_what_is_odd_about_node_pools_is_on_the_page():
    found = taken(types_html(TYPES, "us-west-2", notes=(Note("a", "The pool matches nothing."),)))
    assert "Findings 1" in found.text
    assert found.text.index("Price against size") < found.text.index("The pool matches nothing.")


def test_an_explanation_says_what_the_text_says():
    text = taken(explain_html([EXPLANATION], "us-west-2")).text
    for said in (
        "Pods 15 11 on new nodes, 2 on nodes that are there Pending 2",
        "Price per hour $0.3344",
        "At least $0.2100 with nothing left over; $0.1244 less, 37%",
        "2 × shop/deployment/web No NodePool offers nvidia.com/mig-1g.5gb;",
        "2 m7g.large or 2 others general spot a b c 81% 63% 4 × deployment/web, 2 × shop/deployment/api $0.0624*",
        "gpu 10 0 1,350 its node class has in the region 667 the NodePool's requirements allow and EC2 offers the pod does",
        "ip-10-0-1-1 2",
        "there is no room for 1 cpu 3",
        "preferred node affinity kubernetes.io/arch In arm64 (weight 7), by 8 pods",
        "the soft spread over zone, in vain",
        "NodePool general: its requirements exclude spot",
    ):
        assert said in text


def test_what_there_is_nothing_of_has_no_part():
    alone = replace(EXPLANATION, nodes=(), existing=(), refusing=(), pending=(), given_up=(), spot=(), price=None, least=None)
    text = taken(explain_html([alone], "us-west-2")).text
    for part in (
        "New nodes",
        "Nodes that are there",
        "Given up",
        "Without spot",
        "What nodes may become",
        "Price per hour",
        "At least",
    ):
        assert part not in text
    assert "What each NodePool says" in text


def test_each_controller_has_its_own_part_and_lists_of_types_are_told_once():
    found = taken(explain_html([EXPLANATION, replace(EXPLANATION, controller="EKS Auto Mode")], "us-west-2"))
    assert "NodePools by self-managed Karpenter 2 NodePools by EKS Auto Mode 2" in found.text
    assert found.text.count("List 1, of 4 nodes") == 1
    assert found.faults == []


def test_workloads_that_are_not_named_at_once_are_in_the_page():
    many = replace(SPOT, pods=hostile_plan("x").nodes[0].pods)
    assert "and 2 more workloads" in taken(explain_html([replace(EXPLANATION, nodes=(many,))], "us-west-2")).text


_PAGES: dict[str, Callable[[str], str]] = {
    "types": lambda text: types_html(hostile_types(text), text, notes=(Note(text, text),), chosen=_CHOSEN),
    "explain": lambda text: explain_html([hostile(text)[1]] * 2, text),
}


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("page", _PAGES)
def test_hostile_names_are_words_on_the_page(page, text):
    made = _PAGES[page](text)
    assert taken(made).tags == taken(_PAGES[page]("x")).tags
    assert taken(made).faults == []
    assert made.isascii()
    assert made.replace("\n", "").isprintable()
    assert " ".join(visible(text).split()) in taken(made).text
