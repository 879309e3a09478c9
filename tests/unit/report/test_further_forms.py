"""Markdown, CSV and YAML of validate, interrupt, history and upgrade: what they hold, and that no name breaks them."""

from __future__ import annotations

import csv
import io
import json

import pytest
import yaml
from click.testing import CliRunner

from cutlist.core.errors import Place, Problem
from cutlist.core.notes import Note
from cutlist.verbs.history.answer import history
from cutlist.verbs.history.csv import history_csv
from cutlist.verbs.history.markdown import history_markdown
from cutlist.verbs.validate.answer import Validation
from cutlist.verbs.validate.columns import csv as validate_csv
from cutlist.verbs.validate.markdown import validate_markdown
from cutlist_cli import main
from tests.sample import MANIFESTS, POOLS, SNAPSHOT
from tests.unit.report.full_answers import _LOG, AT

CLUSTER = ("-f", str(POOLS), "-f", str(SNAPSHOT), "--region", "us-west-2")
HOSTILE = "<b>|`@team` [x](http://x) =1+1\n# head\x1b[31m"
LOG = "\n".join(json.dumps({"time": AT, **line}) for line in _LOG)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, [*arguments])
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    "command", [("validate", *MANIFESTS), ("disrupt", *CLUSTER, "--spot-ends"), ("upgrade", "--from=1.14.1", "--target=1.15.1")]
)
def test_yaml_holds_what_json_holds(command):
    assert yaml.safe_load(run(*command, "-o", "yaml")) == json.loads(run(*command, "-o", "json"))


def test_a_loss_of_spot_is_a_comment_and_a_table():
    comment = run("disrupt", *CLUSTER, "--spot-ends", "-o", "markdown")
    assert "2 nodes with 1 pod lost" in comment
    assert "About $453 -> $411 a month (-$52 to -$34)." in comment
    assert len(comment.splitlines()) < 60
    lost = rows(run("disrupt", *CLUSTER, "--spot-ends", "-o", "csv"))
    assert [(row["kind"], row["instance_type"], row["pods"]) for row in lost] == [
        ("lost", "m7a.large", "1"),
        ("lost", "c6a.large", "0"),
    ]


def test_mistakes_are_a_table_in_a_comment_and_rows_of_csv():
    problem = Problem(Place("pools.yaml", 1, 4, "spec.limits"), "is wrong", "0 and more", "cpu", "schema")
    checked = Validation({"NodePool": 1}, (problem,) * 40, warnings=(Note("x", "a warning"),))
    comment = validate_markdown(checked)
    assert "**40 mistakes**: 1 NodePool." in comment
    assert "| `pools.yaml:4 spec.limits` | is wrong | schema | 0 and more; did you mean cpu? |" in comment
    assert "And 10 more mistakes." in comment
    assert "- warning: a warning" in comment
    assert len(comment.splitlines()) < 60
    first, *_, last = rows(validate_csv(checked))
    assert (first["kind"], first["line"], first["path"], first["refused_by"]) == ("mistake", "4", "spec.limits", "schema")
    assert (last["kind"], last["message"]) == ("warning", "a warning")


def test_nothing_wrong_is_said():
    assert "Nothing is wrong: 2 Deployment, 1 EC2NodeClass, 1 NodePool.\n" in run("validate", *MANIFESTS, "-o", "markdown")


def test_a_history_is_a_comment_and_rows():
    answer = history(LOG)
    comment = history_markdown(answer)
    assert comment.startswith("### 1 command of Karpenter ended 1 node\n")
    assert "failed**" in comment
    assert [row["kind"] for row in rows(history_csv(answer))] == ["ended", "failed"]


def test_of_many_commands_the_last_are_shown():
    answer = history(LOG)
    many = type(answer)(answer.stories * 50, 0)
    comment = history_markdown(many)
    assert "The last 12 commands" in comment
    assert len(comment.splitlines()) < 60


@pytest.mark.parametrize("view", [validate_markdown, validate_csv])
def test_no_name_breaks_a_form(view):
    checked = Validation({HOSTILE: 1}, (Problem(Place(HOSTILE, 1, 1, HOSTILE), HOSTILE, HOSTILE, HOSTILE),))
    shown = view(checked)
    assert "\x1b" not in shown
    assert "\n# head" not in shown
    if view is validate_csv:
        assert all(not row["message"].startswith("=") for row in rows(shown))
    else:
        assert "<b>|" not in shown
