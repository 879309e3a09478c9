"""What is different between two sides as a page: it says what the text says, with a time line of nodes that are replaced."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from cutlist.core.notes import Note
from cutlist.planning.model.comparison import Comparison
from cutlist.report.plain import visible
from cutlist.verbs.diff.headline import replacement_sentence
from cutlist.verbs.diff.html import diff_html
from cutlist_cli import main
from tests.unit.cli.test_disrupt import CLUSTER, POOLS
from tests.unit.report.hostile import ALL
from tests.unit.report.pages import taken
from tests.unit.report.samples import PLAN
from tests.unit.report.test_diff_and_explain import DIFFERENCE, hostile

PAGE = diff_html(DIFFERENCE)


def test_the_change_comes_first_then_the_nodes_that_are_replaced_then_their_order():
    text = taken(PAGE).text
    assert "What changes from old/ to new/." in text
    assert "4 of 9 nodes are replaced" in text
    assert "A month, before" in text
    assert "Pods without a node 2 → 2" in text
    assert "takes at least 1h01m" in text
    assert text.index("Changes") < text.index("Nodes that are replaced") < text.index("Order of replacement")


def test_the_headline_says_what_happens_to_nodes_and_a_page_without_a_change_says_it_once():
    headline = taken(PAGE[PAGE.index("<h1>") : PAGE.index("</h1>")]).text.strip()
    assert (
        headline
        == "4 of 9 nodes are replaced, 2 nodes deleted at once, 1 node may be replaced, 1 node that drifted stays; 1 fewer node"
    )
    same = replace(DIFFERENCE, comparison=Comparison.of(PLAN, PLAN), objects=None, blast=None, because=None)
    page = diff_html(same)
    assert page.count("No change: nodes, price and pending pods are as before.") == 1
    assert 'id="changes"' not in page


def test_what_nodes_cost_and_why_comes_before_all_else():
    """The sum, by NodePool with what the nodes became, then each edit with its part."""
    text = taken(PAGE).text
    parts = ("<h1>", *(f'<h2 id="{part}">' for part in ("pools", "because", "changes", "drift", "order", "objects")))
    places = [PAGE.index(part) for part in parts]
    assert places == sorted(places)
    assert "general $151* $68* -$83 2 × m7g.large spot, 1 × c7g.xlarge on-demand -> 3 × m7g.large spot" in text
    assert "NodePool old removed -$90.00" in text
    assert "$1.93 together: what edits do only with each other, and 1 edit not planned alone" in text


def test_without_pods_on_either_side_there_is_no_money():
    scopes = tuple(replace(scope, workloads=False) for scope in DIFFERENCE.scopes)
    page = diff_html(replace(DIFFERENCE, scopes=scopes))
    assert "What it costs" not in page
    assert "4 of 9 nodes are replaced" in taken(page).text


def test_every_replaced_node_says_when_it_goes_and_what_keeps_it():
    text = taken(PAGE).text
    assert "ip-10-0-1-1 general AMIDrift +0s" in text
    assert "ip-10-0-1-3 general AMIDrift +9d" in text
    assert "by its age, before its turn; held by a pod" in text
    assert "ip-10-0-1-4 general AMIDrift never - - Pdb prevents pod evictions (PodDisruptionBudget=[shop/cache])" in text


def test_nodes_that_are_not_replaced_by_drift_are_counted():
    text = taken(PAGE).text
    for said in (
        "2 nodes at once, as NodePool old is removed, regardless of budgets",
        "1 more node perhaps: only your account has the answer",
        "1 node drifted already",
        "general-f: drifted before, no longer",
        "1 node that nothing replaces",
    ):
        assert said in text


def test_nodes_without_a_turn_are_said_beside_the_time_that_it_takes():
    """The time is that of the others: whoever reads only the first sentence must not take it for all of them."""
    said = replacement_sentence(DIFFERENCE.blast)
    aged = "1 goes only when it expires, from 2026-01-14 12:00:00Z on"
    assert f" for at least 1h01m, but {aged} and 1 never goes, as things are: the budget" in said
    assert f"Of these nodes, {aged}." in taken(PAGE).text


def test_a_warning_of_nodes_that_drift_is_not_said_beside_their_order():
    """It counts only those that the plan is sure of."""
    drift = Note("drift", "NodePool general: 2 nodes drift by spec.template")
    other = Note("few-spot-types", "NodePool general allows 1 instance type on spot")
    comparison = replace(DIFFERENCE.comparison, new_notes=(drift, other))
    text = taken(diff_html(replace(DIFFERENCE, comparison=comparison))).text
    assert other.text in text
    assert drift.text not in text


def test_each_changed_field_says_its_values_and_which_nodes_it_reaches():
    text = taken(PAGE).text
    assert "EC2NodeClass default: some of its nodes drift" in text
    assert 'spec.amiSelectorTerms [{"alias": "al2023@v1"}] [{"alias": "al2023@v2"}] some nodes (AMIDrift): on another' in text
    assert "spec.weight 1 10 no node" in text
    assert "only new/ has a workload" in text


def test_the_time_line_has_a_mark_for_each_node_that_has_a_turn():
    """Three of four nodes do."""
    drawn = PAGE[PAGE.index("<svg") : PAGE.index("</svg>")]
    assert drawn.count("<rect") == 3
    assert "Nodes that are replaced: 3 marks from" in drawn


def test_without_nodes_there_is_neither_drift_nor_order():
    text = taken(diff_html(replace(DIFFERENCE, blast=None))).text
    assert "Changes" in text
    assert "replaced" not in text


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_words_on_the_page(text):
    page = diff_html(hostile(text)[0])
    assert taken(page).tags == taken(diff_html(hostile("x")[0])).tags
    assert taken(page).faults == []
    assert page.isascii()
    assert page.replace("\n", "").isprintable()
    assert " ".join(visible(text).split()) in taken(page).text


@pytest.mark.slow
def test_the_command_writes_the_page():
    """The pools of the docs, edited, beside its cluster."""
    edited = CLUSTER.parent / "next" / "pools.yaml"
    arguments = ["diff", *map(str, (POOLS, edited)), "--cluster", str(CLUSTER), "--region", "us-west-2", "-o", "html"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("<!doctype html>")
    assert "4 of 4 nodes are replaced; the plan is the same" in taken(result.stdout).text
    assert "ip-10-0-3-31 general RequirementsDrifted +0s" in taken(result.stdout).text


def test_no_amount_stands_twice_in_the_first_screen():
    first = taken(PAGE.partition("<header>")[2].partition('<section aria-labelledby="pools">')[0]).text
    amounts = re.findall(r"\$[\d,.]*\d", first)
    assert len(amounts) == len(set(amounts)) > 3


def test_node_pools_have_bars_of_what_they_cost_before_and_now_the_largest_first():
    """The longest bar is the largest amount of both columns."""
    table = PAGE[PAGE.index('<table id="pool-prices">') :]
    bars = [int(part) for part in re.findall(r'class="(?:memory|cpu) v(\d+)"', table[: table.index("</table>")])]
    befores, nows = bars[::2], bars[1::2]
    assert max(bars) == 100
    assert [*map(max, befores, nows)] == sorted(map(max, befores, nows), reverse=True)
