"""A simulated cluster as Markdown, CSV and a page."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

from cutlist.report.html.hours_chart import Layer, hours_chart
from cutlist.simulation.commitments import best_reservation, best_savings_plan
from cutlist.simulation.events import HOUR
from cutlist.simulation.outside_events import ReplicasSet
from cutlist.simulation.result import UnplacedPods
from cutlist.verbs.simulate.answer import ClusterSimulation
from cutlist.verbs.simulate.columns import csv as simulate_csv
from cutlist.verbs.simulate.commands import command_kinds, commands_by_hour
from cutlist.verbs.simulate.commitments import CommitmentChoice
from cutlist.verbs.simulate.html import simulate_html
from cutlist.verbs.simulate.markdown import simulate_markdown
from cutlist.verbs.simulate.record import simulate_json
from cutlist.verbs.simulate.text import render_simulate
from tests.unit.report.simulate.samples import many_commands, sample
from tests.unit.simulation.builders import group, inputs, simulation

MONDAY = 1_767_571_200.0


def test_markdown_has_the_cost_and_folds_the_rest():
    text = simulate_markdown(sample(1.5, "a `note`"))
    assert text.startswith("### $")
    assert text.splitlines()[0].endswith(" for 0.0625 days in us-west-2")
    assert "| `default` | `on-demand` |" in text
    assert "| `deployment/web` | Underutilized | 1 |" in text
    assert "single-node consolidation: replace" in text
    assert "- a \\`note\\`" in text
    assert len(text.splitlines()) < 60


def test_an_estimated_cost_begins_its_sentence_and_no_line_becomes_a_formula():
    """Hosts of Markdown take what is between two dollar signs for one."""
    run = sample(1.5)
    totals = replace(run.result.totals, usd_low=0.9 * run.result.totals.usd, usd_high=1.2 * run.result.totals.usd)
    lines = simulate_markdown(replace(run, result=replace(run.result, totals=totals))).splitlines()
    assert lines[0].startswith("### About \\$")
    assert lines[2].startswith("About $")
    assert [line for line in lines if len(re.findall(r"(?<!\\)\$", line)) > 1] == []


def test_pods_without_a_node_stand_apart_from_the_time_that_others_waited():
    """Two of them are deleted after an hour and one still waits after two; the quantiles are those of the other pods."""
    demand = [ReplicasSet(0, "deployment/huge", 3), ReplicasSet(HOUR, "deployment/huge", 1)]
    run = simulation(inputs(group("huge", cpu="100"), group(count=2)), demand, hours=50)
    simulated = ClusterSimulation("us-west-2", (0, 0), run.result())
    totals = json.loads(simulate_json(simulated))["total"]
    assert (totals["pods"], totals["pendingSeconds"]["max"], totals["pending"], totals["neverRan"]) == (2, 61.0, 1, 2)
    assert totals["unplacedSeconds"] == 50 * 3600
    said = "1 still waiting, 2 deleted before; the longest wait is 2d02h"
    assert all(said in view(simulated) for view in (render_simulate, simulate_markdown, simulate_html))
    assert "all within 1m01s" in render_simulate(simulated)


def test_pods_without_a_node_are_named_with_the_reason():
    """By workload, those that waited longest first, in every view and in JSON."""
    demand = [ReplicasSet(0, "deployment/huge", 3), ReplicasSet(HOUR, "deployment/huge", 1)]
    run = simulation(inputs(group("huge", cpu="100"), group("large", cpu="99", count=1), group(count=2)), demand, hours=2)
    simulated = ClusterSimulation("us-west-2", (0, 0), run.result())
    rows = json.loads(simulate_json(simulated))["unplaced"]
    assert [(row["workload"], row["pending"], row["neverRan"], row["longestSeconds"]) for row in rows] == [
        ("deployment/huge", 1, 2, 7200.0),
        ("deployment/large", 1, 0, 7200.0),
    ]
    assert rows[0]["reason"].startswith("NodePool default: the pod needs 100 cpu and the largest allowed instance type has")
    said = " ".join(render_simulate(simulated).split())
    assert f"deployment/huge: 1 still waiting, 2 deleted before, for up to 2h00m: {rows[0]['reason']}" in said
    assert "| `deployment/large` | 1 | 0 | 2h00m | NodePool default: the pod needs 99 cpu" in simulate_markdown(simulated)
    assert all(row["reason"] in simulate_html(simulated) for row in rows)


def test_every_view_says_why_pods_wait_that_no_pass_refused():
    """Their nodes are launched at the end of the run, and the reason that passes would give is empty."""
    run = simulation(inputs(group(count=2)), hours=2)
    waiting = UnplacedPods("deployment/web", 2, 0, 30.0, "")
    simulated = ClusterSimulation("us-west-2", (0, 0), replace(run.result(), unplaced=(waiting,)))
    why = "no NodePool refused them: their nodes were on their way"
    totals = replace(simulated.result.totals, pending=2)
    simulated = replace(simulated, result=replace(simulated.result, totals=totals))
    assert all(why in " ".join(view(simulated).split()) for view in (render_simulate, simulate_markdown, simulate_html))


def test_commitments_are_in_every_view():
    """Two instances run always and a third for half of the time: it is not worth 70%, and a savings plan is not at all."""
    reserved = CommitmentChoice("1y", "m7g.large", best_reservation([2, 3], 100_000, 70_000), sources=("AWS, 2026",))
    plan = CommitmentChoice("3y", "", best_savings_plan([{"m7g": 100_000}], {}))
    simulated = replace(sample(), commitments=(reserved, plan))
    text, markdown, page = render_simulate(simulated), simulate_markdown(simulated), simulate_html(simulated)
    cells = ["1y", "2 reserved instances m7g.large", "0.140", "0.12", "0.50", "100%", "56% of the use", "AWS, 2026"]
    rows = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    assert rows[[row[0] for row in rows].index("Commitments that cost least") + 1][0] == "term"
    assert cells in rows
    assert ["3y", "no savings plan", "0.000", "0.00", "0.10", "-", "-", "-"] in rows
    assert f"| {' | '.join(cells)} |" in markdown.replace("\\", "")
    assert all(cell in page for cell in cells)


def test_csv_has_a_row_for_each_hour():
    simulated = sample()
    rows = list(csv.DictReader(io.StringIO(simulate_csv(simulated))))
    assert [row["hour"][-9:] for row in rows] == ["12:00:00Z", "13:00:00Z"]
    assert float(rows[0]["usd"]) + float(rows[1]["usd"]) == round(simulated.result.totals.usd, 4)
    assert all(row["usd"] == row["usd default on-demand"] for row in rows)
    assert [float(row["pods"]) for row in rows][1] == 9


def test_a_page_has_charts_commands_and_nodes():
    page = simulate_html(sample(1.5, "a note"))
    assert page.count('<svg class="chart"') == 6
    assert "single-node consolidation" in page
    assert "a note" in page
    assert "By day" not in page


def test_a_page_of_several_days_has_charts_of_each():
    page = simulate_html(sample(49))
    assert page.count('<svg class="chart"') == 4 * 6
    assert page.count("<details>") == 3


def test_commands_are_summed_up_by_kind_and_by_the_hour():
    """One command of each kind is dropped; an hour of a run has all of its commands, wherever they begin."""
    result = sample().result
    records = [*result.commands, *(replace(command, outcome="dropped: churn") for command in result.commands)]
    kinds = command_kinds(records)
    assert [(k.method, k.decision, k.executed, k.dropped) for k in kinds] == [
        ("provisioning", "launch", 1, 1),
        ("single-node consolidation", "replace", 1, 1),
    ]
    assert kinds[1].savings == sum(command.savings for command in result.commands) > 0
    assert kinds[1].text == "single-node consolidation: replace; 1 cancelled"
    by_hour = commands_by_hour(replace(result, commands=records))
    assert by_hour == {"launch": [1, 0], "replace": [1, 0], "dropped": [2, 0]}


def test_a_page_of_many_commands_has_a_line_for_each_and_sums_up_nodes():
    """Rows of tables would make such pages large and slow."""
    page = simulate_html(many_commands())
    assert page.count('<details class="log">') == 2
    assert "Monday, 2026-01-05: 720 commands" in page
    assert "12:00:00 provisioning: launch &#8594; &lt;b&gt;0\n12:01:00 provisioning" in page
    assert 'id="command-table"' not in page
    assert page.count("<tr><th") < 20
    assert '<td class="n">1,001</td>' in page
    assert 'id="command-table"' in simulate_html(sample())


def test_a_page_shows_a_dozen_commands_and_nodes_until_it_is_asked_for_more():
    """On a phone, where each row is a card, a page of all of them would be too long to read."""
    few = sample()
    result = replace(few.result, commands=few.result.commands * 10, lives=few.result.lives * 10)
    page = simulate_html(replace(few, result=result))
    for table, rows in (("command-table", result.commands), ("node-table", result.lives)):
        first, rest = page.split(f'<table id="{table}">')[1].split("</table>")[0].split("<tbody hidden>", 1)
        assert first.split("<tbody>")[1].count("<tr>") == 12
        assert rest.count("<tr>") == len(rows) - 12
        assert f'<button type="button" data-table="{table}" hidden>Show the other {len(rows) - 12} rows</button>' in page


def test_a_chart_has_steps_upon_each_other():
    """The scale ends at a round number; what is empty is not drawn; the axis has days or hours."""
    chart = hours_chart("Cost", "$/hour", [Layer("a", False, [1.0, 3.0]), Layer("b", True, [2.0, 1.0])], MONDAY)
    assert 'aria-label="Cost, $/hour: from 3.00 to 4.00, 3.50 on average."' in chart
    lower, upper = re.findall(r'class="layer (\w+) o0" d="(M[^"]+)"', chart)
    assert lower == ("demand", "M64.0 155.0V155.0H300.0V81.0H536.0V192.0V192.0H300.0V192.0H64.0Z")
    assert upper == ("spot", "M64.0 81.0V81.0H300.0V44.0H536.0V81.0V81.0H300.0V155.0H64.0Z")
    assert re.findall(r">(\d\d:\d\d)<", chart) == ["00:00", "01:00", "02:00"]
    assert "Jan 6" in hours_chart("Cost", "$/hour", [Layer("a", False, [1.0] * 168)], MONDAY)
    assert hours_chart("Cost", "$/hour", [Layer("a", False, [0.0])], MONDAY).count("<path") == 0
    assert "no hours" in hours_chart("Cost", "$/hour", [], MONDAY)


def test_a_legend_names_what_it_has_room_for():
    """The last entry says how many more there are; names do not lie on each other, and none is cut by the frame."""
    layers = [Layer(f"node-pool-number-{n} spot", True, [1.0]) for n in range(9)]
    texts = re.findall(r'<text x="(\d+)" y="30">([^<]*)<', hours_chart("Cost", "$/hour", layers, MONDAY))
    assert texts[-1][1].endswith(f" and {9 - len(texts)} more")
    ends = [int(x) + len(text) * 7 for x, text in texts]
    assert all(end <= int(after) for end, (after, _) in zip(ends, texts[1:], strict=False))
    assert ends[-1] <= 560


def test_days_of_a_page_are_titled_by_weekday():
    """With the time at which they begin where that is not midnight."""
    simulated = sample(50)
    midnight = replace(
        simulated.result, series=[replace(h, at=MONDAY + 3600 * n) for n, h in enumerate(simulated.result.series)]
    )
    assert "<summary>Tuesday, 2026-01-06</summary>" in simulate_html(replace(simulated, result=midnight))
    assert re.search(r"<summary>\w+, [\d-]+ from 12:00Z</summary>", simulate_html(simulated))
