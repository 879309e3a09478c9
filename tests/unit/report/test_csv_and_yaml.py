"""Plans for spreadsheets and for programs that read YAML: every row whole, nothing that acts on who opens it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
import yaml as pyyaml
from hypothesis import given, settings

from cutlist.planned import Plan
from cutlist.report import yaml
from cutlist.report.csv import plan_csv, types_csv
from cutlist.report.json import plan_json, types_json
from tests.unit.report.hostile import ALL, hostile_plan, texts
from tests.unit.report.samples import LAUNCHED, PLAN, SPOT, TYPES


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_a_plan_as_csv_has_a_row_for_alike_nodes_and_one_for_each_pending_workload():
    first, *_, last = _rows(plan_csv(PLAN))
    assert [row["kind"] for row in _rows(plan_csv(PLAN))] == ["node", "node", "node", "pending"]
    assert (first["node_pool"], first["count"], first["instance_type"]) == ("general", "2", "m7g.large")
    assert (first["price_per_hour"], first["price_source"]) == ("0.0312", "spot estimate June 2025")
    assert (first["cpu_requested"], first["cpu_allocatable"], first["memory_allocatable"]) == ("1580m", "1930m", "6903Mi")
    assert first["pods"] == "4 x deployment/web; 2 x shop/deployment/api"
    assert (last["workload"], last["count"]) == ("deployment/trainer", "2")
    assert last["reason"].startswith("No NodePool offers")


def test_an_unknown_price_is_an_empty_cell_and_not_zero():
    assert [row["price_per_hour"] for row in _rows(plan_csv(PLAN))] == ["0.0312", "0.145", "", ""]


def test_types_as_csv_have_both_prices_and_whether_they_are_estimates():
    rows = _rows(types_csv(TYPES))
    assert [row["instance_type"] for row in rows] == [t.name for pool in TYPES for t in pool.types]
    assert (rows[0]["on_demand_per_hour"], rows[0]["on_demand_estimated"]) == ("0.0363", "false")
    assert (rows[0]["spot_per_hour"], rows[0]["spot_estimated"]) == ("0.0148", "true")
    assert (rows[3]["on_demand_per_hour"], rows[3]["spot_per_hour"]) == ("", "")


def test_a_limit_is_kept_for_each_node_pool():
    twice = (TYPES[0], replace(TYPES[0], node_pool="second"))
    assert [row["node_pool"] for row in _rows(types_csv(twice, limit=2))] == ["general", "general", "second", "second"]


@settings(max_examples=80)
@given(texts)
def test_every_row_has_every_column_whatever_names_hold(text):
    rows = _rows(plan_csv(hostile_plan(text)))
    assert [row["kind"] for row in rows] == ["node", "pending", "pending"]
    assert all(None not in row and None not in row.values() for row in rows)


@pytest.mark.parametrize("text", [*ALL, "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_is_a_formula_or_moves_a_cursor(text):
    """A cell that a spreadsheet would work out is marked as text, and what acts on a terminal is spelled out."""
    written = plan_csv(hostile_plan(text))
    assert written.replace("\n", "").isprintable()
    cells = [cell for row in csv.reader(io.StringIO(written)) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize("plan", [PLAN, LAUNCHED, Plan("us-west-2"), *map(hostile_plan, ALL)])
def test_yaml_says_what_json_says(plan):
    """The same data in the same order, in ASCII without anything that acts on a terminal."""
    text = yaml.from_json(plan_json(plan))
    assert text.replace("\n", "").isprintable()
    assert text.isascii()
    found = pyyaml.safe_load(text)
    assert found == json.loads(plan_json(plan))
    assert list(found) == list(json.loads(plan_json(plan)))


@pytest.mark.parametrize("text", ALL)
def test_json_is_ascii_and_reads_back(text):
    plan = hostile_plan(text)
    assert plan_json(plan).replace("\n", "").isprintable()
    assert plan_json(plan).isascii()
    assert Plan.from_dict(json.loads(plan_json(plan))) == plan


def test_types_as_yaml_are_those_of_json():
    text = types_json(TYPES, "us-west-2")
    assert pyyaml.safe_load(yaml.from_json(text)) == json.loads(text)


def test_csv_of_nothing_is_its_titles():
    assert plan_csv(Plan("us-west-2")).count("\n") == 1
    assert plan_csv(replace(PLAN, nodes=(SPOT,), pending=())).count("\n") == 2
