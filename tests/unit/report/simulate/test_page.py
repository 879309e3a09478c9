"""The page of a simulation: cost, waits and disruptions first, then each day's cost and who waits when."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from cutlist.report.html.days_chart import DayPoint, days_chart
from cutlist.report.html.heat_strip import Strip, heat_strips
from cutlist.simulation.events import DAY, HOUR
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.first_screen import cost_of_days
from cutlist.verbs.simulate.html import simulate_html
from tests.unit.report.hostile import ALL
from tests.unit.report.pages import taken
from tests.unit.report.simulate.samples import sample
from tests.unit.simulation.builders import group, inputs, simulation

MONDAY = 1_767_571_200.0


@pytest.fixture(scope="module")
def simulated() -> ClusterSimulation:
    """Two days and a half in which pods of one workload find no node, half of them from noon of the first day on."""
    demand = [ReplicasSet(12 * HOUR, "deployment/huge", 2)]
    run = simulation(inputs(group("huge", cpu="100", count=1), group(count=2)), demand, hours=60)
    return ClusterSimulation("us-west-2", (0, 0), run.result())


def test_cost_waits_and_disruptions_are_said_first_each_once(simulated):
    page = simulate_html(simulated)
    parts = ("costs", "waits", "disruptions", "days-and-waits", "course")
    places = [page.index(f'<h2 id="{part}">') for part in parts]
    assert places == sorted(places)
    first = taken(page.partition("<header>")[2].partition('<section aria-labelledby="days-and-waits">')[0]).text
    assert "2 pods got no node: 2 still waiting" in first
    assert "A month at the rate of this run" in first
    amounts = re.findall(r"\$[\d,.]*\d", first)
    assert len(amounts) == len(set(amounts)) > 1


def test_where_only_pods_without_a_node_wait_no_other_one_does():
    run = simulation(inputs(group("huge", cpu="100", count=1)), [], hours=2)
    text = taken(simulate_html(ClusterSimulation("us-west-2", (0, 0), run.result()))).text
    assert "1 pod got no node" in text
    assert "No other pod waited for a node." in text


def test_disruptions_are_counted_by_reason():
    text = taken(simulate_html(sample(49))).text
    assert re.search(r"Why pods had to move, and nodes went [\d,]+ pods? \w+", text)
    calm = replace(sample(), result=replace(sample().result, lives=(), evictions={}))
    assert "No node went." in taken(simulate_html(calm)).text


def test_days_cost_what_the_run_costs_at_the_rate_of_24_hours(simulated):
    result = simulated.result
    days = cost_of_days(result)
    begins, ends = days[0].begins * DAY, days[-1].ends * DAY
    assert sum(day.cost * (day.ends - day.begins) for day in days) == pytest.approx(
        sum(life.cost(round(ends)) for life in result.lives) - sum(life.cost(round(begins)) for life in result.lives if begins)
    )
    assert [day.ends for day in days] == [1.0, 2.0, 2.5]


def test_a_line_has_a_point_for_each_day_and_the_first_part_apart():
    days = [DayPoint(0.5, 1, 10.0), DayPoint(1, 2, 5.0), DayPoint(2, 3, 20.0)]
    drawn = ElementTree.fromstring(str(days_chart("Cost", "$", days, MONDAY, "${:,.2f}".format, 0.5, "start-up")))  # noqa: S314
    heights = [float(dot.get("cy")) for dot in drawn.iter("circle")]
    assert sorted(heights) == [heights[2], heights[0], heights[1]]
    band = next(rect for rect in drawn.iter("rect") if rect.get("class") == "apart")
    line = float(drawn.find("polyline").get("points").split(",")[0])
    assert float(band.get("x")) + float(band.get("width")) < line
    assert drawn.get("aria-label") == "Cost, $: from $5.00 to $20.00 in 3 days; start-up"


def test_waits_are_a_strip_for_each_workload_those_that_waited_longest_first(simulated):
    page = simulate_html(simulated)
    strips = page.partition('<div class="heat">')[2].partition("</div>")[0]
    assert "deployment/huge" in strips
    assert strips.index("deployment/huge") < strips.index("deployment/web")
    assert "at most 2.0 pods on average in an hour" in strips
    huge = strips.partition("deployment/huge</b>")[2].partition("deployment/web</b>")[0]
    assert re.findall(r'class="h(\d)"', huge) == ["2", "4"]


@pytest.mark.parametrize("hours", [1, 24, 500])
def test_a_strip_has_at_most_as_many_parts_as_can_be_told_apart(hours):
    """Equal neighbours are one, and what is nothing is left out."""
    drawn = str(heat_strips([Strip("a", [float(hour % 2) for hour in range(hours)], "")], MONDAY))
    assert len(re.findall(r'class="h\d"', drawn)) <= 120
    assert 'class="h1' not in str(heat_strips([Strip("a", [0.0] * hours, "")], MONDAY))


@pytest.mark.parametrize("text", ALL)
def test_hostile_names_are_words_in_strips(text):
    made = heat_strips([Strip(text, [1.0], "")], MONDAY)
    assert taken(str(made)).tags == taken(str(heat_strips([Strip("x", [1.0], "")], MONDAY))).tags
