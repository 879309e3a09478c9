"""Inputs that are wrong use, and no verdict: exit code 2, and a message with the option or the file as the user wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist.core.errors import Place, Problem
from cutlist.report.plan.json import plan_json
from cutlist_cli import main
from cutlist_cli.failures import BadInput
from tests.recorded import PROJECT
from tests.unit.report.samples import PLAN

_POOLS = str(PROJECT / "docs" / "examples" / "pools.yaml")
_GATE = ("gate", "-f", _POOLS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory, so that names are as short as users write them."""
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=stdin)


def refused(*arguments: str, stdin: str | None = None) -> str:
    """What the command says on standard error, in one line; nothing is answered."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    return " ".join(result.stderr.split())


@pytest.mark.parametrize("option", ["-f", "--before"])
def test_a_file_that_cannot_be_opened_is_not_validated(option: str):
    """Nothing is known of what is in it, whatever else was read."""
    assert refused("validate", "-f", _POOLS, option, "no.yaml").startswith("no.yaml: cannot be read: no such file")


@pytest.mark.parametrize("text", ["", "rules: [\n", "- NP-01\n", "just text\n"])
def test_a_file_without_gates_gives_no_verdict(text: str):
    """The gates that were meant are unknown, so none are applied."""
    Path("gates.yaml").write_text(text)
    assert refused(*_GATE, "--gates", "gates.yaml").startswith("gates.yaml:")


@pytest.mark.parametrize("option", ["--gates", "--before", "--catalog"])
def test_an_empty_name_is_not_taken_for_no_option(option: str):
    """As where a variable of a script is not set."""
    if option == "--catalog":
        assert "''" in refused("types", "-f", _POOLS, "--region", "us-west-2", option, "")
    else:
        assert "'': cannot be read" in refused(*_GATE, option, "")


@pytest.mark.parametrize(
    ("option", "value", "near"),
    [("--region", "us-wset-2", "us-west-2"), ("--zone", "us-west-2z", "us-west-2a"), ("--built-in-pool", "sytem", "system")],
)
def test_a_gate_names_the_option_that_is_wrong(option: str, value: str, near: str):
    """Not the parameter that it is passed as, and not as a violation of the files."""
    message = refused(*_GATE, "--region", "us-west-2", option, value)
    assert message.startswith(f"{option}: ")
    assert near in message


@pytest.mark.parametrize("text", ["", "just text\n", "{}\n", "- 1\n", "kind: Pod\n"])
@pytest.mark.parametrize(
    "arguments", [("nodes", "--from-plan"), (*_GATE, "--before"), ("plan", "-f", _POOLS, "-o", "html", "--before")]
)
def test_what_is_no_plan_is_said_in_the_same_words(arguments: tuple[str, ...], text: str):
    """Wherever a plan is read, without those of a parser."""
    Path("plan.json").write_text(text)
    region = () if arguments[0] == "nodes" else ("--region", "us-west-2")
    message = refused(*arguments, "plan.json", *region, "--allow-empty")
    assert message.startswith("plan.json:")
    assert "char 0" not in message


def test_a_plan_may_come_from_standard_input():
    """As `cutlist plan -o json | cutlist nodes --from-plan -` has it."""
    nodes = run("nodes", "--from-plan", "-", stdin=plan_json(PLAN))
    assert (nodes.exit_code, nodes.stdout.splitlines()[0]) == (0, f"Cluster in {PLAN.region}")


def test_an_absence_without_further_words_names_the_option_that_allows_it():
    [problem] = BadInput([Problem(Place("a.yaml"), "is empty", is_absence=True)]).problems
    assert problem.allowed == "--allow-empty"


@pytest.mark.parametrize(("name", "said"), [("nowhere", "there is no such folder"), ("a.yaml", "is a file, not the folder")])
def test_a_catalogue_that_is_no_folder_is_said_to_be_none(name: str, said: str):
    Path("a.yaml").write_text("")
    assert said in refused("catalog", "diff", "embedded", name)
