"""What Karpenter does next, as a page: it says what the text says, with the week of budgets and the time line."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.records import json_of
from cutlist.disruption.forecast import DisruptionVerdict
from cutlist.disruption.timeline import ForcedRemovalKind
from cutlist.report.plain import visible
from cutlist.verbs.budgets.timeline import Lane, time_strip
from cutlist.verbs.budgets.week import weeks
from cutlist.verbs.disrupt.html import disrupt_html
from cutlist.verbs.disrupt.markdown import disrupt_markdown
from cutlist.verbs.disrupt.text import render_disrupt
from cutlist.verbs.disrupt.words import ESTIMATED
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.html import plan_html
from tests.unit.report.forecasts import hostile_forecast, hostile_week, inputs, to_the_end, week
from tests.unit.report.hostile import ALL
from tests.unit.report.pages import taken

PAGE = disrupt_html(to_the_end(), week())
_MONDAY = datetime(2026, 1, 5, tzinfo=UTC).timestamp()


def test_the_next_command_comes_first():
    text = taken(PAGE).text
    assert "As of 2026-01-05 23:40:00Z." in text
    price = "about $453 → about $287 after 2 steps $445 to $463; about $0.620 per hour; $0.0088 of it for disks"
    assert f"Price per month {price}" in text
    assert "Next deletes 1 node emptiness; saves about $17 a month" in text
    assert text.index("removes ip-10-0-3-31: c6a.large spot in us-west-2c") < text.index("Outlook of each node")


def test_every_node_says_what_spares_it():
    # K-54
    assert "blocked Pdb prevents pod evictions (PodDisruptionBudget=[shop/cache])" in taken(PAGE).text


def test_the_week_of_budgets_is_a_table_in_which_alike_hours_are_one_cell():
    """Two of four nodes may go, but none from 8 to 18 on weekdays."""
    empty, drifted, underutilized = weeks(week().weeks)
    assert (empty.reasons, drifted.reasons, underutilized.reasons) == (("Empty",), ("Drifted",), ("Underutilized", "Unhealthy"))
    assert [(day.name, [(h.length, h.allowed) for h in day.hours]) for day in empty.days] == [
        ("Mon-Fri", [(8, "2"), (10, "0"), (6, "2")]),
        ("Sat-Sun", [(24, "2")]),
    ]
    assert [(day.name, [(h.length, h.allowed) for h in day.hours]) for day in drifted.days] == [("Mon-Sun", [(24, "0")])]
    assert "Mon-Fri 2 0 2 Sat-Sun 2" in taken(PAGE).text


def test_odd_budgets_are_reported_once():
    assert taken(PAGE).text.count("the schedule '0 0 30 2 *' never comes") == 1


def test_what_goes_by_force_has_a_time_line_and_a_table():
    """Nodes that go together are one row; a picture needs two times."""
    answer = to_the_end()
    first, *rest = answer.removals
    found = taken(disrupt_html(replace(answer, removals=(replace(first, at=first.at - 86400), *rest)), week()))
    labels = [attributes.get("aria-label", "") for tag, attributes in found.elements if tag == "svg"]
    assert "Nodes that are removed forcibly: 4 marks from 2026-01-05 11:40:00Z to 2026-02-04 08:00:00Z" in labels[0]
    assert "expires 2026-02-04 08:00:00Z general 3 ip-10-0-1-12, ip-10-0-2-21, ip-10-0-3-31 no time limit" in found.text
    together = taken(PAGE)
    assert "expires 2026-02-04 08:00:00Z general 4 ip-10-0-1-11, ip-10-0-1-12" in together.text
    assert not any("removed forcibly" in attributes.get("aria-label", "") for _, attributes in together.elements)


def test_of_many_names_the_first_are_shown_and_the_others_open():
    answer = to_the_end()
    many = tuple(replace(answer.removals[0], node=f"node-{n}") for n in range(30))
    found = taken(disrupt_html(replace(answer, removals=many), week()))
    assert "general 30 node-0, node-1, node-2, node-3 and 26 more" in found.text
    assert found.tags["details"] == 1


def test_nodes_that_stay_for_the_same_reason_are_summed_up_before_each_is_listed():
    """Those that Karpenter acts on come first; where no two nodes are alike, each says its own."""
    answer = to_the_end()
    stays = next(n for n in answer.forecast.nodes if n.verdict is DisruptionVerdict.BLOCKED)
    nodes = (*(replace(stays, name=f"node-{n}") for n in range(30)), *answer.forecast.nodes)
    text = taken(disrupt_html(replace(answer, forecast=replace(answer.forecast, nodes=nodes)), week())).text
    assert f"blocked 31 {31 * stays.pods} $" in text
    assert text.index("ip-10-0-3-31 general") < text.index("node-0 general")
    assert "Show the other 19 rows" in text
    assert "By verdict and reason" not in taken(PAGE).text


def test_a_budget_that_never_changes_is_a_row_and_not_a_calendar():
    text = taken(PAGE).text
    assert "The same in every hour of the week NodePool Nodes At once For reasons general 4 none Drifted" in text
    assert "Mon-Sun" not in text


def test_the_steps_to_the_end_are_reported_with_their_savings():
    text = taken(PAGE).text
    assert "Stable: nothing more would be done" in text
    assert "15s single-node consolidation ip-10-0-1-12 $149 $287*" in text


def test_the_page_of_a_plan_shows_the_week_of_the_nodes_that_are_there():
    page = plan_html(plan(inputs()), (), None, week())
    assert "Mon-Fri 2 0 2 Sat-Sun 2" in taken(page).text
    assert "Existing nodes that are removed forcibly" in taken(page).text
    assert "Budgets of the week" not in plan_html(plan(inputs()))


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_words_on_the_page(text):
    page = disrupt_html(hostile_forecast(text), hostile_week(text))
    assert taken(page).tags == taken(disrupt_html(hostile_forecast("x"), hostile_week("x"))).tags
    assert taken(page).faults == []
    assert page.replace("\n", "").isprintable()
    assert page.isascii()
    assert " ".join(visible(text).split()) in taken(page).text


def test_sick_nodes_that_are_not_repaired_say_why_and_odd_times_are_reported():
    """What goes forcibly is as the forecast has it, which knows of repairs."""
    made = to_the_end()
    sick = replace(
        made.removals[0], force=ForcedRemovalKind.REPAIRED, blocked="more than 20% nodes are unhealthy in the nodepool"
    )
    page = disrupt_html(replace(made, removals=(sick,), oddities=("node a is older than its cluster",)), week())
    text = taken(page).text
    assert "sick, looked at again 2026-02-04 08:00:00Z general 1 ip-10-0-1-11 more than 20% nodes are unhealthy" in text
    assert "What is odd node a is older than its cluster" in text


_spans = st.lists(st.tuples(st.floats(-1e6, 1e9), st.floats(0, 1e8)), max_size=8)


@given(st.lists(_spans, max_size=4))
def test_nothing_of_a_time_line_is_outside_of_it(lanes):
    """Whatever is overdue stands at its begin, whatever is short can be seen."""
    drawn = time_strip(
        [Lane(f"pool-{n}", tuple((at, at + long) for at, long in spans)) for n, spans in enumerate(lanes)], 0.0, "x"
    )
    if len({(at, at + long) for spans in lanes for at, long in spans}) < 2:
        assert drawn == ""
        return
    width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', drawn).groups())
    boxes = [tuple(map(float, box)) for box in re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', drawn)]
    assert len(boxes) == sum(map(len, lanes))
    for x, y, wide, high in boxes:
        assert 0 <= x <= x + wide <= width
        assert 0 <= y <= y + high <= height
        assert wide >= 4


@pytest.mark.parametrize("seconds", [60, 3600, 86_400, 30 * 86_400, 3 * 365 * 86_400, 40 * 365 * 86_400])
def test_a_time_line_has_some_ticks_and_not_many(seconds):
    drawn = time_strip([Lane("pool", ((_MONDAY, _MONDAY), (_MONDAY + seconds, _MONDAY + seconds)))], _MONDAY, "x")
    assert 1 <= drawn.count("text-anchor") <= 9


def test_an_estimate_is_marked_in_every_step_and_in_every_form():
    """Of steps what they save, of the page and JSON also what is paid afterwards; a mark is explained once."""
    answer = to_the_end()
    first, second = answer.trajectory.steps
    assert (first.is_saving_estimated, first.is_estimated, second.is_saving_estimated) == (True, True, False)
    text, markdown = render_disrupt(answer), disrupt_markdown(answer)
    assert "emptiness: ip-10-0-3-31, saves about $0.0230 per hour\n" in text
    assert "consolidation: ip-10-0-1-12, saves $0.204 per hour\n" in text
    assert "saves about $0.227 per hour with 1 move" in text
    assert (
        text.count(f"* {ESTIMATED}")
        == markdown.count("\\* marks an estimate.")
        == taken(PAGE).text.count(f"* {ESTIMATED}".replace("`", ""))
        == 1
    )
    assert "saves about \\$0.0230 per hour\n" in markdown
    assert "; saves about $0.227 per hour" in markdown
    assert "0s emptiness ip-10-0-3-31 $17* $436*" in taken(PAGE).text
    assert [step["priceEstimated"] for step in json.loads(json_of(answer))["course"]["steps"]] == [True, True]
