"""`--to`: the answer goes to a file, in the form that its name ends in, and never over what is read. `help` and `version`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main


def run(*arguments: str):
    return CliRunner().invoke(main, [*arguments])


def plan(*more: str):
    return run("plan", "-f", "pools.yaml", "--region", "us-west-2", *more)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, engine):
    """A folder that holds one file, which is read by nobody: the plan is the sample."""
    monkeypatch.chdir(tmp_path)
    Path("pools.yaml").write_text("kind: NodePool\n")
    return tmp_path


_FORMS = {
    "plan.txt": "From about $152",
    "plan": "From about $152",
    "plan.md": "### Node plan",
    "plan.json": "{",
    "plan.csv": "kind,node_pool,",
}


@pytest.mark.parametrize(("name", "begins"), _FORMS.items())
def test_the_name_of_the_file_chooses_the_form(name, begins):
    result = plan("--to", name)
    assert (result.exit_code, result.stdout) == (0, "")
    assert Path(name).read_text().startswith(begins)


def test_the_form_that_is_given_counts_more_than_the_name():
    assert plan("--to", "plan.txt", "-o", "json").exit_code == 0
    assert json.loads(Path("plan.txt").read_text())["region"] == "us-west-2"


def test_text_in_a_file_has_no_width_of_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    plan("--to", "plan.txt")
    assert max(map(len, Path("plan.txt").read_text().splitlines())) > 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "plan.svg"], "has no form svg, but text, markdown, html, json, yaml, csv"),
        (["--to", "pools.yaml"], "pools.yaml is one of the files that are read"),
        (["--to", "plan.txt", "--watch"], "--watch shows the answer on the terminal; leave out --to"),
        (["--to", "nowhere/plan.txt"], "no such file or directory"),
    ],
)
def test_what_cannot_be_written_is_refused(arguments, message):
    result = plan(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert Path("pools.yaml").read_text() == "kind: NodePool\n"


def test_a_manifest_is_not_written_into_a_folder_that_is_read(folder):
    result = run("plan", "-f", ".", "--region", "us-west-2", "--to", "plan.json")
    assert result.exit_code == 2
    assert "plan.json is in ., whose files are read" in result.stderr
    assert run("plan", "-f", ".", "--region", "us-west-2", "--to", "plan.html", "-o", "text").exit_code == 0


@pytest.mark.parametrize("names", [("plan",), ("catalog", "update"), ()], ids=" ".join)
def test_help_is_what_the_option_shows(names):
    assert run("help", *names).stdout == run(*names, "--help").stdout


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("plam",), "has no command 'plam'. Did you mean 'plan'?"),
        (("catalog", "dif"), "catalog has no command 'dif'. Did you mean 'diff'?"),
        (("plan", "diff"), "plan has no command 'diff'."),
    ],
)
def test_help_of_nothing_names_what_there_is(names, message):
    result = run("help", *names)
    assert result.exit_code == 2
    assert message in result.stderr


def test_help_is_in_no_list_of_commands():
    """It says what `--help` of each command says."""
    assert "\n  help " not in run("--help").stdout
    assert run("help", "plan").stdout == run("plan", "--help").stdout
