"""Answers in a notebook: they show themselves, say what matters, and nothing that they hold acts on the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from cutlist.planning.model.comparison import Comparison
from cutlist.report.plain import visible
from cutlist.verbs.diff.words import change_sentence
from cutlist.verbs.notebook import fragment
from tests.examples import examples
from tests.unit.report.forecasts import hostile_forecast, to_the_end
from tests.unit.report.full_answers import full_plan
from tests.unit.report.hostile import ALL, hostile_plan
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN, TYPES
from tests.unit.test_planned import plans

_PROJECT = Path(__file__).resolve().parents[4]
CHANGE = Comparison.of(PLAN, hostile_plan("x"))
ANSWERS = {"plan": PLAN, "types": TYPES[0], "comparison": CHANGE, "forecast": to_the_end()}
_each = pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)


@_each
def test_an_answer_shows_itself_in_a_notebook(answer):
    """What a notebook asks a value for is what the view makes of it."""
    assert answer._repr_html_() == fragment(answer)


@_each
def test_a_fragment_needs_nothing_and_styles_nothing_but_itself(answer):
    """No script, no source, no id that another fragment may have; every rule of its style begins with its class."""
    made = taken(fragment(answer))
    assert made.faults == []
    assert made.elements[0] == ("div", {"class": "cutlist"})
    assert not {"script", "img", "link", "iframe", "html", "body"} & set(made.tags)
    assert made.values("src") + made.values("href") + made.values("id") == []
    style = fragment(answer).split("<style>")[1].split("</style>")[0]
    assert all(
        part.strip().startswith(".cutlist") for rule in style.strip().splitlines() for part in rule.split("{")[0].split(",")
    )


def test_a_plan_says_nodes_price_and_why_pods_wait():
    text = taken(fragment(PLAN)).text
    assert "4 new nodes in us-west-2 for 21 pods, from $0.207* per hour, 2 pending pods" in text
    assert "* Estimated price: " in text
    assert PLAN.pending[0].reason in text
    assert "unknown" in text  # the node without a price


def test_pods_that_need_no_new_node_are_not_what_the_new_nodes_are_for():
    more = replace(PLAN, node_groups=full_plan().node_groups, existing=full_plan().existing)
    assert "4 new nodes in us-west-2 for 21 pods, " in taken(fragment(more)).text


def test_types_are_listed_with_their_prices():
    text = taken(fragment(TYPES[0])).text
    assert f"NodePool {TYPES[0].node_pool} allows {TYPES[0].total} instance types, cheapest first" in text
    assert all(row.name in text for row in TYPES[0].types)
    assert "0.0148*" in text
    assert "* Estimated price: " in text


def test_a_comparison_begins_with_the_change():
    assert taken(fragment(Comparison.of(PLAN, PLAN))).text == "No change: nodes, price and pending pods are as before."
    costlier = Comparison.of(PLAN, replace(PLAN, nodes=PLAN.nodes[:1] * 2))
    assert taken(fragment(costlier)).text.startswith(change_sentence(costlier))
    assert all(change.instance_type in taken(fragment(costlier)).text for change in costlier.nodes)


def test_a_forecast_says_what_is_next_and_what_keeps_each_node():
    text = taken(fragment(to_the_end())).text
    assert "emptiness is next" in text
    assert "blocked: Pdb prevents pod evictions (PodDisruptionBudget=[shop/cache])" in text
    assert "stable: nothing more would be done" in text


def test_a_long_table_is_cut_and_says_how_many_rows_there_are_more():
    text = taken(fragment(replace(PLAN, nodes=PLAN.nodes[:1] * 45))).text
    assert "and 15 more rows" in text


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_words(text):
    for make in (hostile_plan, hostile_forecast, lambda name: Comparison.of(PLAN, hostile_plan(name))):
        made = fragment(make(text))
        assert taken(made).faults == []
        assert taken(made).tags == taken(fragment(make("x"))).tags
        assert made.isascii()
        assert made.replace("\n", "").isprintable()
        assert " ".join(visible(text).split()) in taken(made).text


@examples(0.4)
@given(plans)
def test_every_plan_has_a_fragment(plan):
    assert taken(fragment(plan)).faults == []


def test_what_is_no_answer_has_no_view():
    with pytest.raises(TypeError, match="there is no view of int"):
        fragment(1)
