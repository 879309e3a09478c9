"""What changes in a stack since a base, in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cutlist.infrastructure.costs import Bill
from cutlist.verbs.preview.since import PlanSince, ResourceSince, StackSince
from cutlist.verbs.preview.since_words import render_since, replaced_sentences, since_markdown, since_sentence
from tests.unit.report.comments import OURS, rendered, tags
from tests.unit.report.full_answers import a_bill
from tests.unit.report.hostile import ALL
from tests.unit.report.samples import PLAN

NOW = a_bill()
BEFORE = replace(NOW, nodes_per_hour=0.3)
SAME = StackSince("main", NOW, (PlanSince("nodes", PLAN.totals, PLAN.totals),))


def resource(change: str, name: str, *inputs: str) -> ResourceSince:
    return ResourceSince(change, "aws:eks/cluster:Cluster", name, f"urn:{name}", inputs)  # type: ignore[arg-type]


def said(since: StackSince, now: Bill = NOW) -> str:
    return "".join(since_sentence(since, now))


def test_a_higher_price_is_a_difference_with_both_sides() -> None:
    assert said(replace(SAME, costs=BEFORE)) == "Since main: $73.00 more a month ($292 before, $365 now)."
    assert said(replace(SAME, costs=NOW), BEFORE) == "Since main: $73.00 less a month ($365 before, $292 now)."


def test_nothing_that_changes_is_said_as_such() -> None:
    assert said(SAME) == "No change since main: money, nodes, pending pods and resources are as before."
    assert said(StackSince("main", None)) == "New since main: the stack is not there, so nothing is compared."


def test_nodes_pods_and_resources_are_counted() -> None:
    fewer = replace(PLAN.totals, nodes=PLAN.totals.nodes - 1, pending=PLAN.totals.pending + 2)
    plans = (
        PlanSince("nodes", PLAN.totals, fewer, ("1 of 4 nodes is replaced.", "by its image")),
        PlanSince("old", fewer, None),
    )
    changed = (resource("added", "a"), resource("added", "b"), resource("changed", "c", "version", "tags"))
    since = StackSince("main", NOW, plans, changed)
    assert (
        f"; {PLAN.totals.nodes} fewer nodes, {PLAN.totals.pending} fewer pending pods; 2 resources added, 1 resource changed."
        in said(since)
    )
    assert list(replaced_sentences(since)) == ["This replaces nodes of nodes: 1 of 4 nodes is replaced.", "by its image"]
    text = render_since(since, NOW)
    assert "2 resources added: Cluster/a, Cluster/b" in text
    assert "1 resource changed: Cluster/c (version, tags)" in text


def test_estimates_with_a_range_are_not_subtracted() -> None:
    from cutlist.catalog.ranges import PriceRange

    ranged = replace(NOW, nodes_range=PriceRange(0.35, 0.45), nodes_estimated=True)
    assert said(replace(SAME, costs=BEFORE), ranged).startswith("Since main: a higher price ($292 before, about $")


def test_the_same_price_is_said_once() -> None:
    changed = replace(SAME, resources=(resource("changed", "c"),))
    assert said(changed) == "Since main: the same price ($365 a month); 1 resource changed."


def test_an_edit_that_replaces_no_node_does_not_say_that_it_does() -> None:
    since = replace(SAME, plans=(PlanSince("nodes", None, None, ("no planned node is replaced", "by its image")),))
    assert list(replaced_sentences(since)) == ["Nodes: no planned node is replaced", "by its image"]


def test_what_a_bill_lacks_is_said() -> None:
    lacking = replace(NOW, nodes_complete=False)
    assert "($292 before, at least $365 now)" in said(replace(SAME, costs=BEFORE), lacking)


@pytest.mark.parametrize("text", ALL)
def test_no_name_acts_on_the_comment(text: str) -> None:
    since = StackSince(text, BEFORE, (PlanSince(text, None, None, (text,)),), (resource("added", text, text),))
    assert tags(rendered("\n".join(since_markdown(since, NOW)))) <= OURS
    assert "\x1b" not in render_since(since, NOW)
