"""Inputs that are wrong use, and no verdict: exit code 2, and a message with the option or the file as the user wrote it."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cutlist.core.errors import Place, Problem
from cutlist.settings.planning import PlanSettings
from cutlist.verbs.gate.answer import default_gates, gate
from cutlist.verbs.plan.json import plan_json
from cutlist_cli import main
from cutlist_cli.failures import BadInput
from tests.sample import POOLS, SHOP
from tests.unit.report.samples import PLAN

_POOLS = str(POOLS)
_REGION = ("--region", "us-west-2")
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


@pytest.mark.parametrize("others", [(), ("-f", _POOLS)])
def test_a_gate_on_a_file_that_cannot_be_opened_is_no_verdict(others: tuple[str, ...]):
    """Its report has the file as a violation, and the exit code is that of wrong use, as of every command."""
    result = run("gate", *others, "-f", "no.yaml", "--region", "us-west-2", "-o", "json")
    assert result.exit_code == 2
    assert result.stderr.startswith("no.yaml: cannot be read")
    assert ("GT-04", "no.yaml") in {(o["rule"], o["object"]) for o in json.loads(result.stdout)["outcomes"] if o["stops"]}


def test_a_gate_on_a_file_with_a_mistake_is_a_verdict():
    Path("pools.yaml").write_text("kind: [\n")
    result = run("gate", "-f", "pools.yaml", "--region", "us-west-2")
    assert (result.exit_code, result.stderr) == (1, "")


@pytest.fixture
def pipe() -> Iterator[Callable[[str], str]]:
    """What a shell puts in place of `<(...)` that prints a text."""
    opened: list[int] = []

    def path_of(text: str) -> str:
        reader, writer = os.pipe()
        os.write(writer, text.encode())
        os.close(writer)
        opened.append(reader)
        return f"/dev/fd/{reader}"

    yield path_of
    for descriptor in opened:
        os.close(descriptor)


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    "arguments",
    [
        ("gate", "-f", "pools.yaml", *_REGION),
        ("gate", "-f", "pools.yaml", *_REGION, "--write"),
        ("validate", "-f", "pools.yaml"),
        ("types", "-f", "pools.yaml", *_REGION),
        ("diff", "pools.yaml", "pools.yaml", "-f", "workloads.yaml", *_REGION),
        ("convert", "-f", "pools.yaml"),
    ],
    ids=" ".join,
)
def test_a_process_substitution_is_read(pipe: Callable[[str], str], arguments: tuple[str, ...]):
    """Also where a command reads its files several times, and the answer is that of the file itself."""
    texts = {name: (SHOP / name).read_text() for name in ("pools.yaml", "workloads.yaml")}
    for name, text in texts.items():
        Path(name).write_text(text)
    of_files = run(*arguments)
    of_pipes = run(*[pipe(texts[argument]) if argument in texts else argument for argument in arguments])
    shown = re.sub(r"/dev/fd/\d+", "pools.yaml", of_pipes.output)
    assert (of_pipes.exit_code, shown.split()) == (of_files.exit_code, of_files.output.split())


def test_a_gate_reads_its_documents_once(pipe: Callable[[str], str]):
    """A pipe has its contents only once."""
    result = gate([pipe(Path(_POOLS).read_text())], default_gates(), date(2026, 1, 5), PlanSettings(region="us-west-2"))
    assert result.report.looked_at == 3
    assert len(result.plans) == 1


@pytest.mark.parametrize("kind", ["socket", "device"])
def test_what_has_no_contents_is_refused(kind: str):
    """A device may go on forever, and a socket cannot be opened."""
    path = "/dev/full"
    if kind == "socket":
        path = "here.sock"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
    assert f"{path}: is a {kind}, which is not read" in refused("validate", "-f", path)


def test_what_follows_files_refuses_a_pipe():
    message = refused("plan", "-f", "/dev/fd/63", "--region", "us-west-2", "--watch")
    assert "/dev/fd/63, a pipe of the shell, can be read once only" in message


@pytest.mark.parametrize(
    "arguments",
    [
        ("budgets", "-f", _POOLS, "--nodes"),
        ("types", "-f", _POOLS, *_REGION, "--limit"),
        ("plan", "-f", _POOLS, *_REGION, "--width"),
        ("serve", "-f", _POOLS, *_REGION, "--port"),
        ("sweep", "shop", *_REGION, "--max-instances"),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-1]}",
)
@pytest.mark.parametrize("value", ["-1", "1.5", "x", ""])
def test_a_number_that_is_none_is_refused_with_its_option(arguments: tuple[str, ...], value: str):
    message = refused(*arguments, value)
    assert f"Invalid value for '{arguments[-1]}': " in message
    assert ("-1 is not in the range" if value == "-1" else f"{value!r} is not a valid whole number") in message


def test_an_unknown_region_of_validate_is_that_of_its_option():
    message = refused("validate", "-f", _POOLS, "--region", "us-wset-2")
    assert message.startswith("--region: ")
    assert "did you mean us-west-2?" in message


@pytest.mark.parametrize("more", [(), ("--allow-empty",)])
def test_an_input_without_workloads_has_none_to_explain(more: tuple[str, ...]):
    """What it holds instead is said, since the file with the workload was probably forgotten."""
    message = refused("explain", "deployment/web", "-f", _POOLS, *_REGION, *more)
    assert "no workload is in the input, only 1 EC2NodeClass, 1 NodePool allowed: Deployments" in message


@pytest.mark.parametrize(("account", "said"), [("11112222333", "has 11 digits"), ("shop", "is not a number of twelve digits")])
def test_a_wrong_account_says_what_is_wrong_with_it(account: str, said: str):
    message = refused("sweep", "shop", *_REGION, "--account", account)
    assert message.startswith(f"--account: account {account!r} {said} allowed: the twelve digits")


@pytest.mark.parametrize("command", ["preview", "gate"])
def test_a_stack_is_named_as_for_pulumi(command: str):
    """`pulumi preview -s dev`."""
    assert refused(command, "-s", "dev") == refused(command, "--stack", "dev")
    assert "no Pulumi.yaml here" in refused(command, "-s", "dev")


@pytest.mark.parametrize("name", ["pools.yaml", "./pools.yaml"])
def test_values_of_a_chart_do_not_replace_an_input(name: str):
    """The option names a file that is written, not one that is read."""
    text = Path(_POOLS).read_text()
    Path("pools.yaml").write_text(text)
    message = refused("convert", "-f", "pools.yaml", "--values", name)
    assert message.startswith(f"--values: {name} is one of the files that are read allowed: another file")
    assert Path("pools.yaml").read_text() == text


def test_use_counts_among_restrictions_alone():
    """explain shows the plan of requests as they are written, so that measured use would otherwise change nothing."""
    result = run("explain", "deployment/web", "-f", _POOLS, *_REGION, "--usage", "use.csv")
    assert (result.exit_code, "--usage is only for --restrictions" in result.stderr) == (2, True)


def test_tables_of_rates_that_are_wrong_are_named_with_their_lines(tmp_path):
    (tmp_path / "rates.csv").write_text("family,region,term,discount\nc6a,*,5y,20%\n")
    result = run("suggest", "-f", _POOLS, *_REGION, "--rates", "rates.csv")
    assert (result.exit_code, "rates.csv:2: '5y' is not a term" in result.stderr) == (2, True)


def test_kinds_of_bounds_are_named():
    result = run("plan", "-f", _POOLS, *_REGION, "--bound", "tight")
    assert (result.exit_code, "'none', 'quick', 'linear', 'strong'" in result.stderr) == (2, True)
