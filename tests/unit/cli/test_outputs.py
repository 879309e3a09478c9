"""The forms of an answer: each command gives what it gives in every form it names."""

from __future__ import annotations

import csv
import io
import json
import re
from functools import cache
from pathlib import Path

import click
import pytest
import yaml
from click.testing import CliRunner

from cutlist.planning.model import Plan
from cutlist_cli import main
from tests.sample import MANIFESTS, POOLS, SHOP, SNAPSHOT, WORKLOADS

_REGION = ("--region", "us-west-2")
_PLAN = ("plan", *MANIFESTS, *_REGION)
_TYPES = ("types", *MANIFESTS, *_REGION, "--limit", "3")
_NODES = ("nodes", "-f", str(SNAPSHOT), *_REGION)
_DISRUPT = ("disrupt", "-f", str(POOLS), *_NODES[1:])
_EXPLAIN = ("explain", "deployment/web", *_PLAN[1:])
_DIFF = (
    *("diff", str(POOLS), str(SHOP / "next" / "pools.yaml")),
    *("--cluster", str(SNAPSHOT), *_REGION),
)
_COMMANDS = {"plan": _PLAN, "types": _TYPES, "explain": _EXPLAIN, "diff": _DIFF, "disrupt": _DISRUPT, "nodes": _NODES}
_FORMS = ("text", "markdown", "html", "json", "yaml", "csv")
_each = pytest.mark.parametrize("command", _COMMANDS.values(), ids=_COMMANDS)


@cache
def answer(*arguments: str) -> str:
    result = CliRunner().invoke(main, [*arguments])
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


@pytest.mark.sampled(one_in=3)
@pytest.mark.slow
@_each
def test_yaml_is_json_in_another_spelling(command):
    assert yaml.safe_load(answer(*command, "-o", "yaml")) == json.loads(answer(*command, "-o", "json"))


@_each
def test_every_answer_has_every_form_and_text_by_default(command):
    """Types are a chart of their own as well."""
    (option,) = (p for p in main.get_command(click.Context(main), command[0]).params if p.name == "output")
    assert tuple(option.type.choices) == (*_FORMS, *(("svg",) if command == _TYPES else ()))
    assert option.default == "text"


@pytest.mark.sampled(one_in=3)
@pytest.mark.slow
@_each
def test_markdown_is_a_comment_and_html_is_a_page(command):
    """The comment is short and begins with its title; the page is one file."""
    comment = answer(*command, "-o", "markdown")
    assert comment.startswith("### ")
    assert len(comment.splitlines()) < 60
    page = answer(*command, "-o", "html")
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")


@pytest.mark.parametrize("command", [_PLAN, _TYPES, _NODES, _DISRUPT], ids=["plan", "types", "nodes", "disrupt"])
def test_csv_has_a_row_for_each_thing(command):
    """As many rows as JSON has nodes, types or pending workloads; those of a plan's sums come last."""
    rows = list(csv.DictReader(io.StringIO(answer(*command, "-o", "csv"))))
    rows = [row for row in rows if row.get("kind", "node") not in ("total", "bound")]
    data = json.loads(answer(*command, "-o", "json"))
    things = data.get("nodes") or [t for pool in data["nodePools"] for t in pool["types"]]
    assert len(rows) == len(things) + len(data.get("pending") or ())


@pytest.mark.thorough
@pytest.mark.slow
def test_csv_of_an_explanation_and_of_a_difference_tells_what_a_row_is():
    """What decides, and what changes, is of several kinds."""
    kinds = {
        command: [row["kind"] for row in csv.DictReader(io.StringIO(answer(*command, "-o", "csv")))]
        for command in (_EXPLAIN, _DIFF)
    }
    assert kinds[_EXPLAIN] == ["node", "node_pool"]
    assert kinds[_DIFF] == ["field"] * 3 + ["replaced"] * 4


def test_markdown_is_for_a_comment_on_a_pull_request():
    """It begins with the price of a month, and what that buys."""
    comment = answer(*_PLAN, "-o", "markdown")
    assert re.match(r"### Node plan for us-west-2\n\n\*\*From about [^\n]+ a month [^\n]+\*\*: 1 node for 12 pods", comment)


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_a_plan_compares_with_one_of_before(tmp_path, form):
    """What `-o json` and `-o yaml` write down is what `--before` reads; there the change comes first."""
    before = tmp_path / f"before.{form}"
    before.write_text(answer("plan", "-f", str(POOLS), "-f", str(_app(tmp_path)), *_REGION, "-o", form))
    text = answer(*_PLAN, "-o", "markdown", "--before", str(before))
    assert text.splitlines()[2].endswith("1 more pending pod.**")
    assert "- `deployment/trainer`: 1 pod pending" in text


def _app(folder: Path) -> Path:
    """The example without the Deployment that finds no node."""
    web, *_ = yaml.safe_load_all(WORKLOADS.read_text())
    file = folder / "app.yaml"
    file.write_text(yaml.safe_dump(web | {"spec": web["spec"] | {"replicas": 3}}))
    return file


def test_html_is_a_page_with_a_chart_of_the_types_that_are_allowed():
    page = answer(*_PLAN, "-o", "html")
    assert page.startswith("<!doctype html>")
    assert re.search("<title>[^<]+: Plan for us-west-2</title>", page)
    assert "NodePool general: 667 types" in page


def test_a_page_compares_with_a_plan_of_before(tmp_path):
    before = tmp_path / "before.json"
    before.write_text(answer(*_PLAN, "-o", "json"))
    assert "No change: nodes, price and pending pods are as before." in answer(*_PLAN, "-o", "html", "--before", str(before))


def test_the_weeks_of_budgets_are_a_page_too():
    assert answer("budgets", *_DISRUPT[1:5], "-o", "html").startswith("<!doctype html>")


def test_svg_is_a_chart_of_all_types_with_what_a_plan_takes():
    """`--limit` shortens lists; a chart without most of its points would say something else."""
    chart = answer(*_TYPES, "-o", "svg")
    assert chart.startswith("<svg")
    assert "NodePool general: 667 types" in chart
    assert [f'class="chosen" {text}' in chart for text in ('x="0" y="324">c6a<', 'x="370" y="324">1 &#215; 2xlarge<')] == [
        True,
        True,
    ]


def test_a_plan_as_json_reads_back():
    made = Plan.from_dict(json.loads(answer(*_PLAN, "-o", "json")))
    assert [(size.workload, size.requests["cpu"]) for size in made.pod_sizes] == [("deployment/web", 500 * 10**6)]


def test_before_is_refused_where_it_is_not_shown(tmp_path):
    """An option that would do nothing is a mistake, and says where it does something."""
    result = CliRunner().invoke(main, [*_PLAN, "-o", "csv", "--before", str(tmp_path / "plan.json")])
    assert result.exit_code == 2
    assert "-o markdown" in result.stderr


def test_a_plan_of_before_that_is_none_is_refused_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("before.json").write_text("{}")
    result = CliRunner().invoke(main, [*_PLAN, "-o", "markdown", "--before", "before.json"])
    assert result.exit_code == 2
    assert "before.json" in result.stderr
    assert "Traceback" not in result.output
