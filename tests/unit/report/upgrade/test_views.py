"""An upgrade as text, Markdown, page and JSON: what is to be done, what it does to a fleet, and by which statements."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.karpenter.steps import Cause
from cutlist.core.records import json_of
from cutlist.report.plain import visible
from cutlist.verbs.upgrade.answer import upgrade
from cutlist.verbs.upgrade.html import upgrade_html
from cutlist.verbs.upgrade.markdown import upgrade_markdown
from cutlist.verbs.upgrade.text import order_of_steps, render_upgrade
from tests.unit.published import faults
from tests.unit.report.hostile import ALL
from tests.unit.report.pages import taken
from tests.unit.report.upgrade.samples import fleet, sample

PAGE = taken(upgrade_html(sample())).text


def test_the_page_has_the_steps_in_order_then_the_fleet_then_all_changes():
    """With totals first."""
    assert PAGE.index("Pending pods") < PAGE.index("Not like this") < PAGE.index("What is to be done, in order")
    steps = PAGE[PAGE.index("What is to be done") : PAGE.index("Nodes that differ")]
    first, during, after = (steps.index(words) for words in (" first CRDs", " with controller", " after hashes"))
    assert first < during < after
    titles = ("Nodes that differ", "As of", "What of the later version causes differences", "Changes to know")
    assert sorted(titles, key=PAGE.rindex) == list(titles)


# V15-1 V15-41
def test_each_difference_on_the_page_names_its_statements():
    """Nodes and pods of the plan, candidates, forecasts."""
    for row in (
        "repair is now a disruption method, the first of all: 1 candidate, x1 (V15-1, V15-41)",
        "order of multi-node consolidation: x0, x1 -> x1, x0 (V15-1, V15-41)",
        "hash of the EC2NodeClass, v5 -> v6: 2 NodeClaims are stamped again and not replaced",
        "drifted only before the upgrade, and not replaced after it: x0 (V15-1, V15-41)",
    ):
        assert row in PAGE
    assert PAGE.count("V15-1, V15-41") > len(fleet().comparison.nodes) + len(fleet().comparison.pending)


def test_what_is_the_same_is_said_on_the_page():
    """Instead of a table."""
    of_fleet = fleet()
    assert of_fleet.outlook is not None
    same = replace(of_fleet.outlook, after=of_fleet.outlook.before, orders=(), nodes=())
    page = taken(upgrade_html(replace(sample(), fleet=replace(of_fleet, outlook=same)))).text
    assert "The same: next step, order of candidates, and what happens to 2 nodes." in page
    assert "Nodes with another forecast" not in page


def test_without_manifests_the_page_has_steps_and_changes_alone():
    """And says what the statements are."""
    text = taken(upgrade_html(upgrade("1.14.1", "1.15.1"))).text
    assert "upgrade the chart karpenter-crd to 1.15.1 before the controller" in text
    assert "Pending pods" not in text
    assert "Disruption" not in text


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_words_in_every_view(text):
    """They change no tag and bring nothing that cannot be seen."""
    page = upgrade_html(sample(text))
    assert taken(page).tags == taken(upgrade_html(sample("x"))).tags
    assert taken(page).faults == []
    assert page.isascii()
    assert page.replace("\n", "").isprintable()
    assert " ".join(visible(text).split()) in taken(page).text
    for shown in (render_upgrade(sample(text)), upgrade_markdown(sample(text))):
        assert shown.replace("\n", "").isprintable()
    assert faults("upgrade", json.loads(json_of(sample(text)))) == []


def test_each_change_is_in_the_answer_for_programs_too():
    """Values beside sentences."""
    of_fleet = json.loads(json_of(sample()))["fleet"]
    assert of_fleet["disruption"]["changedNodes"][0]["before"]["drifted"] == "x"
    assert of_fleet["disruption"]["candidates"][0] == {
        "method": "repair",
        "before": None,
        "after": ["x1"],
        "statements": "V15-1, V15-41",
    }
    assert of_fleet["hashes"][0]["absorbed"] == ["b"]
    parts = {cause["difference"][0] for cause in of_fleet["causes"]}
    assert parts >= {"totals", "nodes", "node", "next", "method", "drift"}
    assert json.loads(json_of(upgrade("1.14.1", "1.15.1")))["fleet"] is None


def test_causes_are_in_the_order_of_steps():
    """Hashes first, then behaviours as their table has them, whatever differences they belong to."""
    hashes = Cause("hashes have another version", "VA15-20 to VA15-24")
    ordered = (hashes, *(Cause(behaviour.text, behaviour.statements) for behaviour in list(Behaviour)[:3]))
    mixed = replace(fleet(), causes={("b",): ordered[2:], ("a",): ordered[:2], ("c",): ordered[::-1]})
    assert mixed.caused_by([("b",), ("a",)]) == mixed.caused_by([("c",)]) == ordered
    assert mixed.statements(("c",)) == ", ".join(cause.statements for cause in ordered)


@pytest.mark.parametrize(
    ("before", "after", "order"),
    [
        (
            "1.14.1",
            "1.15.1",
            "In this order: do what is marked first, under CRDs and Behaviour, then upgrade the controller, "
            "then do what is marked after, under Hashes and Behaviour.",
        ),
        ("1.12.0", "1.14.1", "In this order: do what is marked first, under CRDs, then upgrade the controller."),
        ("1.15.1", "1.15.1", ""),
    ],
)
def test_the_order_of_what_is_to_be_done_is_a_sentence(before, after, order):
    """Its parts are under headings by subject."""
    answer = upgrade(before, after)
    assert order_of_steps(answer) == order
    assert order in " ".join(render_upgrade(answer).split())
    assert order in upgrade_markdown(answer)
