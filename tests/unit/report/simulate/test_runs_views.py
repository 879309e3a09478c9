"""Runs with several seeds as text, Markdown, CSV and a page."""

from __future__ import annotations

import csv
import io

import pytest

from cutlist.report.simulate.runs_csv import simulate_runs_csv
from cutlist.report.simulate.runs_html import simulate_runs_html
from cutlist.report.simulate.runs_markdown import simulate_runs_markdown
from cutlist.report.simulate.runs_text import render_simulate_runs
from cutlist.report.simulate.runs_words import verdict
from tests.unit.report.simulate.runs import simulation_runs


def test_text_has_means_beside_those_of_the_other_cluster():
    """102.50 has a margin of 12.706 * 2.12 / sqrt(2): with two runs little is known of the mean, but all of the difference."""
    text = render_simulate_runs(simulation_runs(1, 2))
    lines = [line.split() for line in text.splitlines()]
    assert text.startswith("7 days, 2 runs with seeds 1 to 2 in us-west-2")
    assert ["cost,", "$", "102.50", "±", "19.06", "90.00", "±", "19.06", "-12.50", "±", "0.00"] in lines
    assert "against     $12.50 ± 0.00 less" in text
    assert ["deployment/batch", "0.00", "±", "0.00", "1.00", "±", "0.00", "+1.00", "±", "0.00"] in lines
    assert "note        a `note`" in text


def test_without_another_cluster_there_is_one_column():
    text = render_simulate_runs(simulation_runs(3, 4, 5, alone=True))
    assert "AGAINST" not in text
    assert "against" not in text
    assert "3 runs with seeds 3 to 5" in text
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


def test_chance_is_no_verdict():
    """One week costs $2 less and the next one $1 more."""
    runs = simulation_runs(1, 2)
    first, second = simulation_runs(1, less=2).others, simulation_runs(2, less=-1).others
    assert verdict(type(runs)("us-west-2", runs.start, runs.end, runs.runs, (*first, *second))) == (
        "no certain difference of cost: -0.50 ± 19.06 $"
    )


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
        ("1", "against", "88.5"),
        ("2", "against", "91.5"),
    ]
    assert [row["evictions deployment/web"] for row in rows] == ["1", "2", "2", "4"]


def test_a_page_has_the_means_and_each_run():
    page = simulate_runs_html(simulation_runs(1, 2))
    assert "$12.50 &#177; 0.00 less" in page
    assert page.count("<td>against</td>") == 2
    assert "deployment/batch" in page
    assert "Difference" not in simulate_runs_html(simulation_runs(1, 2, alone=True))
