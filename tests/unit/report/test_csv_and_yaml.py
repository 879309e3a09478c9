"""Plans for spreadsheets and for programs that read YAML: every row whole, nothing that acts on who opens it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
import yaml as pyyaml
from hypothesis import given

from cutlist.core.records import json_of
from cutlist.planning.model import FilledNode, Plan, PodShare
from cutlist.planning.model.comparison import Comparison
from cutlist.planning.model.explanation import Explanations
from cutlist.report import yaml
from cutlist.report.csv import rows_csv
from cutlist.verbs.diff.csv import diff_csv
from cutlist.verbs.disrupt.columns import csv as disrupt_csv
from cutlist.verbs.explain.csv import explain_csv
from cutlist.verbs.nodes.columns import csv as nodes_csv
from cutlist.verbs.plan.csv import plan_csv
from cutlist.verbs.plan.json import plan_json
from cutlist.verbs.types.answer import AllowedTypes
from cutlist.verbs.types.columns import csv as types_csv
from tests.examples import examples
from tests.unit.report.forecasts import hostile_forecast, hostile_nodes
from tests.unit.report.hostile import ALL, hostile_plan, hostile_types, texts
from tests.unit.report.samples import LAUNCHED, PLAN, SPOT, TYPES
from tests.unit.report.test_diff_and_explain import DIFFERENCE, EXPLANATION, LABELS, hostile


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_a_plan_as_csv_has_a_row_for_alike_nodes_and_one_for_each_pending_workload():
    first, *_, last, _total = _rows(plan_csv(PLAN))
    assert [row["kind"] for row in _rows(plan_csv(PLAN))] == ["node", "node", "node", "pending", "total"]
    assert (first["node_pool"], first["count"], first["instance_type"]) == ("general", "2", "m7g.large")
    assert (first["price_per_hour"], first["price_source"]) == ("0.0312", "spot estimate June 2025")
    assert (first["cpu_requested"], first["cpu_allocatable"], first["memory_allocatable"]) == ("1580m", "1930m", "6903Mi")
    assert first["pods"] == "4 x deployment/web; 2 x shop/deployment/api"
    assert (last["workload"], last["count"]) == ("deployment/trainer", "2")
    assert last["reason"].startswith("No NodePool offers")


def test_an_unknown_price_is_an_empty_cell_and_not_zero():
    assert [row["price_per_hour"] for row in _rows(plan_csv(PLAN))] == ["0.0312", "0.145", "", "", "0.2074"]


def test_the_total_as_csv_has_the_range_that_the_headline_has():
    (row,) = [row for row in _rows(plan_csv(PLAN)) if row["kind"] == "total"]
    of = PLAN.totals.price_range
    assert of is not None
    assert (float(row["price_per_hour_low"]), float(row["price_per_hour_high"])) == pytest.approx((of.low, of.high))
    assert of.low < float(row["price_per_hour"]) < of.high


def test_types_as_csv_have_both_prices_and_whether_they_are_estimates():
    rows = _rows(types_csv(AllowedTypes("us-west-2", TYPES)))
    assert [row["instance_type"] for row in rows] == [t.name for pool in TYPES for t in pool.types]
    assert (rows[0]["on_demand_per_hour"], rows[0]["on_demand_estimated"]) == ("0.0363", "false")
    assert (rows[0]["spot_per_hour"], rows[0]["spot_estimated"]) == ("0.0148", "true")
    assert (rows[3]["on_demand_per_hour"], rows[3]["spot_per_hour"]) == ("", "")


def test_a_limit_is_kept_for_each_node_pool():
    twice = (TYPES[0], replace(TYPES[0], node_pool="second"))
    rows = _rows(types_csv(AllowedTypes("us-west-2", twice, limit=2)))
    assert [row["node_pool"] for row in rows] == ["general", "general", "second", "second"]


def test_an_explanation_as_csv_has_a_row_for_each_thing_that_decides():
    rows = _rows(explain_csv(Explanations("us-west-2", (EXPLANATION,))))
    kinds = ["node", "existing", "refusing", "refusing", "pending", "node_pool", "node_pool", "given_up", "given_up", "spot"]
    assert [row["kind"] for row in rows] == kinds
    assert {row["workload"] for row in rows} == {"shop/deployment/web"}
    assert (rows[0]["node_pool"], rows[0]["nodes"], rows[0]["instance_type"]) == ("general", "2", "m7g.large")
    assert (rows[2]["nodes"], rows[2]["reason"]) == ("3", "there is no room for 1 cpu")
    assert (rows[5]["node_pool"], rows[5]["pods"], rows[5]["remedy"]) == ("gpu", "0", "with a toleration it fits")
    assert rows[7]["reason"] == "preferred node affinity kubernetes.io/arch In arm64 (weight 7)"


def test_pods_of_other_workloads_on_the_same_nodes_are_not_counted():
    of_one = replace(EXPLANATION, workload="shop/deployment/api")
    assert _rows(explain_csv(Explanations("us-west-2", (of_one,))))[0]["pods"] == "4"  # two on each of two nodes


def test_a_difference_as_csv_has_a_row_for_each_change_and_for_each_node_that_it_replaces():
    rows = _rows(diff_csv(DIFFERENCE))
    kinds = [
        *["nodes"] * 3,
        *["field"] * 3,
        *["object"] * 2,
        *["deleted"] * 2,
        *["replaced"] * 4,
        "possible",
        "before",
        "spared",
        "trap",
        "month",
        *["node_pool"] * 2,
        *["edit"] * 6,
        "together",
    ]
    assert [row["kind"] for row in rows] == kinds
    removed, field, replaced = rows[0], rows[5], rows[11]
    assert (field["object"], field["members"], field["before"], field["now"]) == ("NodePool general", "spec.weight", "1", "10")
    assert rows[6]["reason"] == "removed: its nodes are deleted at once, regardless of budgets"
    assert (removed["change"], removed["instance_type"], removed["before"], removed["now"]) == (
        "removed",
        "c7g.xlarge",
        "1",
        "0",
    )
    assert (removed["price_per_hour_before"], removed["price_per_hour_now"]) == ("0.145", "0.0")
    assert (replaced["node_claim"], replaced["node"], replaced["reason"]) == ("general-b", "ip-10-0-1-2", "RequirementsDrifted")
    assert (replaced["members"], replaced["starts"]) == (LABELS, "2026-01-05 13:00:00Z")
    assert rows[13]["starts"] == ""  # never
    assert rows[13]["why"] == "Pdb prevents pod evictions (PodDisruptionBudget=[shop/cache])"
    assert (rows[16]["kind"], rows[16]["node_claim"]) == ("spared", "general-f")
    trap, month, training, edit = rows[17], rows[18], rows[19], rows[21]
    assert (trap["node_pool"], trap["fix"]) == ("general", "allow more")
    assert (month["price_per_month_before"], month["price_per_month_now"]) == ("151.4", "68.33")
    assert (training["node_pool"], training["price_per_month_before"]) == ("training", "")
    assert (edit["edit"], edit["price_per_month_change"]) == ("NodePool old removed", "-90.0")
    assert (rows[27]["kind"], rows[27]["price_per_month_change"]) == ("together", "1.93")


def test_a_difference_of_plans_alone_has_no_node_claims():
    alone = replace(
        DIFFERENCE, comparison=Comparison.of(PLAN, replace(PLAN, pending=(), existing=_TAKING)), blast=None, objects=None
    )
    existing, pending, *_ = rows = _rows(diff_csv(replace(alone, because=None, traps=())))
    assert {row["kind"] for row in rows} == {"existing", "pending", "month", "node_pool"}
    assert (existing["kind"], existing["node"], existing["workload"], existing["now"]) == ("existing", "ip-1", "web", "2")
    assert (pending["kind"], pending["change"], pending["workload"]) == ("pending", "removed", "deployment/trainer")
    assert pending["reason"].startswith("No NodePool offers")


_TAKING = (FilledNode("ip-1", (PodShare("web", 2),)),)
_HOSTILE: dict[str, Callable[[str], str]] = {
    "plan": lambda text: plan_csv(hostile_plan(text)),
    "types": lambda text: types_csv(AllowedTypes("us-west-2", hostile_types(text))),
    "explain": lambda text: explain_csv(Explanations("us-west-2", (hostile(text)[1],))),
    "diff": lambda text: diff_csv(hostile(text)[0]),
    "nodes": lambda text: nodes_csv(hostile_nodes(text)),
    "disrupt": lambda text: disrupt_csv(hostile_forecast(text)),
}


@pytest.mark.slow
@examples(0.4)
@given(texts)
def test_every_row_has_every_column_whatever_names_hold(text):
    for answer in _HOSTILE.values():
        rows = _rows(answer(text))
        assert len(rows) == len(_rows(answer("x")))
        assert all(None not in row and None not in row.values() for row in rows)
    assert [row["kind"] for row in _rows(_HOSTILE["plan"](text))] == [
        *("node", "node group", "volume", "volume"),
        *("pending", "pending", "total"),
    ]


@pytest.mark.parametrize("answer", _HOSTILE)
@pytest.mark.parametrize("text", [*ALL, "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_is_a_formula_or_moves_a_cursor(answer, text):
    """A cell that a spreadsheet would work out is marked as text, and what acts on a terminal is spelled out."""
    written = _HOSTILE[answer](text)
    assert written.replace("\n", "").isprintable()
    rows = list(csv.DictReader(io.StringIO(written)))
    changes = [amount for row in rows if (amount := row.pop("price_per_month_change", ""))]
    assert all(re.fullmatch(r"-?\d+(\.\d+)?", amount) for amount in changes)
    cells = [cell for row in rows for cell in (*row, *row.values())]
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


@pytest.mark.parametrize(
    "text",
    [
        "::error file=x::y",
        "x ##vso[task.complete] ##[error]z",
        "several\n::error::lines\n  ##[group]x",
        f"{'long ' * 30}::error::x {'::error::y ' * 30}",
        "it's 'quoted' ::error::x",
        "\x9b2J \u202e \x85 \U0001f600 ::/0",
    ],
)
def test_no_line_of_yaml_is_a_command_of_a_build_server(text):
    """Nor does it hold anything that acts on a terminal; it reads back as the same values."""
    data = {text: [text, {"a": text}], "b": {text: text}}
    shown = yaml.from_json(json.dumps(data))
    assert shown.isascii()
    assert not re.search(r"##(\[|vso\[)|^\s*::[a-z]", shown, re.MULTILINE)
    assert pyyaml.safe_load(shown) == data


def test_types_as_yaml_are_those_of_json():
    text = json_of(AllowedTypes("us-west-2", TYPES))
    assert pyyaml.safe_load(yaml.from_json(text)) == json.loads(text)


def test_csv_of_nothing_is_its_titles():
    assert plan_csv(Plan("us-west-2")).count("\n") == 1
    assert plan_csv(replace(PLAN, nodes=(SPOT,), pending=())).count("\n") == 3


@pytest.mark.parametrize("cell", ["=1+1", " =1", "\t=1", "\r=1", "+1", "-1", "@x", "\uff1d1", "\uff0b1"])
def test_no_cell_begins_a_formula(cell: str):
    (row,) = _rows(rows_csv(["a"], [[cell]]))
    assert row["a"].startswith(("'", "\\"))
