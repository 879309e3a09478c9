"""Runs with several seeds as text, Markdown, CSV and a page."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html import unescape

import pytest

from cutlist.verbs.simulate.html import simulate_runs_html
from cutlist.verbs.simulate.markdown import simulate_runs_markdown
from cutlist.verbs.simulate.record import simulate_runs_json
from cutlist.verbs.simulate.runs import OtherRuns
from cutlist.verbs.simulate.runs_columns import csv as simulate_runs_csv
from cutlist.verbs.simulate.runs_words import verdict
from cutlist.verbs.simulate.text import render_simulate_runs
from tests.unit.report.simulate.runs import compared, several, simulation_runs, with_rates, with_unplaced


def test_text_has_means_beside_those_of_the_other_cluster():
    """102.50 has a margin of 12.706 * 2.12 / sqrt(2): with two runs little is known of the mean, but all of the difference."""
    text = render_simulate_runs(simulation_runs(1, 2))
    lines = [line.split() for line in text.splitlines()]
    assert text.startswith("$102.50 ± 19.06 for 7 days in us-west-2, the mean of 2 runs with seeds 1 to 2\n")
    assert ["cost,", "$", "102.50", "±", "19.06", "90.00", "±", "19.06", "-12.50", "±", "0.00"] in lines
    assert "against     $12.50 ± 0.00 less" in text
    assert ["deployment/batch", "0.00", "±", "0.00", "1.00", "±", "0.00", "+1.00", "±", "0.00"] in lines
    assert "note        a `note`" in text


def test_without_another_cluster_there_is_one_column():
    text = render_simulate_runs(simulation_runs(3, 4, 5, alone=True))
    assert "against" not in text
    assert "the mean of 3 runs with seeds 3 to 5" in text
    assert "in us-west-2, a single run with seed 3\n" in render_simulate_runs(simulation_runs(3, alone=True))
    assert simulate_runs_markdown(simulation_runs(3, alone=True)).startswith("### us-west-2: $109.00\n")


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        (simulation_runs(1), "$12.50 less in a single run"),
        (simulation_runs(1, less=-3), "$3.00 more in a single run"),
        (simulation_runs(1, less=0), "the same cost in a single run"),
        (simulation_runs(1, 2, less=-3), "$3.00 ± 0.00 more"),
        (simulation_runs(1, 2, less=0), "the same cost"),
        (simulation_runs(1, 2, alone=True), ""),
    ],
)
def test_the_verdict_says_what_is_certain(runs, words):
    assert verdict(runs) == words


def test_pods_without_a_node_are_listed_with_the_reason():
    """In one of two runs: half of its pods on average."""
    runs = with_unplaced(simulation_runs(1, 2, alone=True))
    said = "in 1 of 2 runs, 1.5 still waiting, 0.5 deleted before on average, for up to 2h00m: no `GPU`"
    assert f"  job/train: {said}" in render_simulate_runs(runs, width=120)
    assert "| `job/train` | 1 of 2 runs | 1.5 | 0.5 | 2h00m | no \\`GPU\\` |" in simulate_runs_markdown(runs)
    assert "no `GPU`" in unescape(simulate_runs_html(runs))
    (row,) = json.loads(simulate_runs_json(runs))["cluster"]["unplaced"]
    assert (row["runs"], row["pending"], row["neverRan"], row["reason"]) == (1, 1.5, 0.5, "no `GPU`")
    assert "Without a node" not in render_simulate_runs(simulation_runs(1, 2))


def test_pods_without_a_node_of_several_clusters_come_with_their_cluster():
    alone = with_unplaced(simulation_runs(1, 2, alone=True))
    runs = replace(alone, others=(OtherRuns("other", alone.runs),))
    text = render_simulate_runs(runs, width=120)
    assert "  these files, job/train: in 1 of 2 runs" in text
    assert "  other, job/train: in 1 of 2 runs" in text
    assert len(json.loads(simulate_runs_json(runs))["against"][0]["unplaced"]) == 1


def test_chance_is_no_verdict():
    """One week costs $2 less and the next one $1 more."""
    runs = simulation_runs(1, 2)
    others = (*compared(runs.runs[:1], 2), *compared(runs.runs[1:], -1))
    mixed = replace(runs, others=(OtherRuns("mixed", others),))
    assert verdict(mixed) == "no certain difference of cost: -0.50 ± 19.06 $"


def test_of_several_other_clusters_the_cheapest_comes_first():
    """Each has a row, and the columns beside the means are not there."""
    runs = several(-3, 12.5, *[1.0] * 12)
    assert verdict(runs) == "pools-1, the cheapest of 14: $12.50 ± 0.00 less"
    text = render_simulate_runs(runs, width=120)
    rows = [line.split() for line in text.splitlines() if line.startswith("pools-")]
    assert [row[0] for row in rows[:2]] == ["pools-1", "pools-2"]
    assert rows[-1] == ["pools-0", "105.50", "±", "19.06", "+3.00", "±", "0.00", "+2.50", "±", "6.35", "0.00", "±", "0.00"]
    assert "difference, $" in text
    assert "these files" in text
    markdown = simulate_runs_markdown(runs)
    assert markdown.startswith("### us-west-2: pools-1, the cheapest of 14: $12.50 ± 0.00 less\n")
    assert "| `pools-1` | 90.00 ± 19.06 | -12.50 ± 0.00 | +2.50 ± 6.35 | 0.00 ± 0.00 |" in markdown
    assert "| 2 more |" in markdown
    page = simulate_runs_html(runs)
    assert page.index("pools-1") < page.index("pools-2")
    assert page.count("<td>pools-3</td>") == 2
    assert [o["name"] for o in json.loads(simulate_runs_json(runs))["against"]][:2] == ["pools-0", "pools-1"]


def test_markdown_folds_the_evictions():
    text = simulate_runs_markdown(simulation_runs(1, 2))
    assert text.startswith("### us-west-2: $12.50 ± 0.00 less\n")
    assert "| cost, $ | 102.50 ± 19.06 | 90.00 ± 19.06 | -12.50 ± 0.00 |" in text
    assert "| `deployment/batch` | 0.00 ± 0.00 | 1.00 ± 0.00 | +1.00 ± 0.00 |" in text
    assert "- a \\`note\\`" in text


def test_csv_has_a_row_for_each_run():
    rows = list(csv.DictReader(io.StringIO(simulate_runs_csv(simulation_runs(1, 2)))))
    assert [(row["seed"], row["cluster"], row["usd"]) for row in rows] == [
        ("1", "these files", "101.0"),
        ("2", "these files", "104.0"),
        ("1", "other-pools", "88.5"),
        ("2", "other-pools", "91.5"),
    ]
    assert [row["evictions deployment/web"] for row in rows] == ["1", "2", "2", "4"]


def test_a_page_has_the_means_and_each_run():
    page = simulate_runs_html(simulation_runs(1, 2))
    assert "$12.50 &#177; 0.00 less" in page
    assert page.count("<td>other-pools</td>") == 2
    assert "deployment/batch" in page
    assert "Difference" not in simulate_runs_html(simulation_runs(1, 2, alone=True))


def test_a_commitment_that_changes_nothing_has_no_row():
    """The plain cost is there once, and a note says that commitments do not change it."""
    rated = with_rates(simulation_runs(1, 2))
    same = [replace(run, committed={**run.committed, "3y savings plan": run.usd}) for run in rated.runs]
    others = tuple(
        replace(other, runs=tuple(replace(run, committed={**run.committed, "3y savings plan": run.usd}) for run in other.runs))
        for other in rated.others
    )
    some = replace(rated, runs=tuple(same), others=others)
    for text in (render_simulate_runs(some), simulate_runs_markdown(some), unescape(simulate_runs_html(some))):
        assert "cost with 1y savings plan, $" in text
        assert "cost with 3y savings plan, $" not in text
        assert "the cost is the same with 3y savings plan" in text
    none = replace(some, runs=tuple(replace(run, committed={"3y savings plan": run.usd}) for run in same), others=())
    assert "cost with" not in render_simulate_runs(none)
    assert "no commitment changes the cost" in render_simulate_runs(none)


def test_commitments_have_the_mean_and_the_worst_run():
    """A dollar an hour covers two on demand: the first run uses half of it and saves nothing, the second one saves a dollar."""
    runs = with_rates(simulation_runs(1, 2))
    text, markdown = render_simulate_runs(runs, width=150), simulate_runs_markdown(runs)
    page = unescape(simulate_runs_html(runs))
    rows = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    cells = ["1y", "savings plan", "1.00", "0.50 to 2.00", "0.50 ± 6.35", "0.00", "75%", "40% of the use", "a list, 2026"]
    assert cells in rows
    assert ["cost with 1y savings plan, $", "92.25 ± 17.15", "81.00 ± 17.15", "-11.25 ± 0.00"] in rows
    assert f"| {' | '.join(cells)} |" in markdown.replace("\\", "")
    assert '<td class="n">0.50 ± 6.35</td>' in page
    data = json.loads(simulate_runs_json(runs))
    assert data["commitments"][0]["savedUsdByRun"] == [0.0, 1.0]
    assert data["commitments"][0]["bestUsdPerHour"] == [0.5, 2.0]
    assert data["against"][0]["difference"]["committedUsd"][0]["mean"] == pytest.approx(-11.25)
    header, first, *_ = csv.reader(io.StringIO(simulate_runs_csv(runs)))
    assert first[header.index("usd with 1y savings plan")] == "90.9"


def test_the_cheapest_cluster_with_commitments_is_named():
    runs = with_rates(several(-3, 12.5))
    assert "with 1y savings plan: pools-1: $11.25 ± 0.00 less" in render_simulate_runs(runs)
    assert "with 1y savings plan: pools-1: $11.25 ± 0.00 less" in simulate_runs_markdown(runs)
    assert "with 1y savings plan: pools-1: $11.25 ± 0.00 less" in unescape(simulate_runs_html(runs))
