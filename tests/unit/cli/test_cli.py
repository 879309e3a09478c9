"""The command line: options in, one answer out, an exit code, and never a traceback.

What the commands call is replaced here by functions that give what they are told; whether a plan is right is shown elsewhere.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import click
import pytest
from click.testing import CliRunner

from cutlist.core.errors import InputError, Place, Problem
from cutlist.planning.model import Plan
from cutlist_cli import commands, main
from tests.unit.report.samples import PLAN, TYPES

_ARGUMENTS = ["-f", "pools.yaml", "--region", "us-west-2"]


class Engine:
    """Stands for reading and planning: gives `result`, or raises it; keeps what it was asked."""

    def __init__(self) -> None:
        self.result: Any = PLAN
        self.asked: dict[str, Any] = {}

    def read(self, paths, **options):
        self.asked = {"paths": tuple(paths), **options}
        return self.asked

    def answer(self, _):
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result


@pytest.fixture
def engine(monkeypatch):
    made = Engine()
    inputs, plan = ModuleType("cutlist.planning.read_inputs"), ModuleType("cutlist.answers.plan")
    types = ModuleType("cutlist.answers.types")
    inputs.read_inputs = made.read
    plan.plan = made.answer
    types.types = made.answer
    plan.with_launches, types.pool_notes = lambda planned, _: planned, lambda _: ()
    monkeypatch.setitem(sys.modules, "cutlist.planning.read_inputs", inputs)
    monkeypatch.setitem(sys.modules, "cutlist.answers.plan", plan)
    monkeypatch.setitem(sys.modules, "cutlist.answers.types", types)
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return made


def run(*arguments, **options):
    return CliRunner().invoke(main, [*arguments], **options)


def test_plan_prints_the_plan(engine):
    """The answer goes to standard output, nothing to standard error, exit code 0."""
    result = run("plan", *_ARGUMENTS)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Plan for us-west-2\n")


@pytest.mark.parametrize(("options", "launches"), [((), 0), (("--launch",), 1), (("-o", "json"), 1)])
def test_launches_are_worked_out_when_they_are_shown(engine, monkeypatch, options, launches):
    """`--launch` and JSON have the fleet requests; a plan as text alone does not work them out."""
    asked = []
    monkeypatch.setattr(sys.modules["cutlist.answers.plan"], "with_launches", lambda plan, _: asked.append(plan) or plan)
    assert run("plan", *_ARGUMENTS, *options).exit_code == 0
    assert len(asked) == launches


def test_options_reach_the_reader(engine):
    """Files in the order given, zones and the region are passed on as they are."""
    run(
        "plan",
        "-f",
        "b.yaml",
        "--file",
        "a.yaml",
        "--region",
        "eu-west-1",
        "--zone",
        "eu-west-1b",
        "--zone",
        "eu-west-1a",
        "--catalog",
        "c",
        "--built-in-pool",
        "system",
        "--overhead-profile",
        "2025-node",
    )
    assert engine.asked == {
        "paths": ("b.yaml", "a.yaml"),
        "region": "eu-west-1",
        "zones": ("eu-west-1b", "eu-west-1a"),
        "stdin": None,
        "catalog": "c",
        "built_in_pools": ("system",),
        "overhead_profile": "2025-node",
    }


def test_a_dash_reads_standard_input(engine):
    """With `-f -` the manifests come from standard input, byte by byte as they are."""
    run("plan", "-f", "-", "--region", "us-west-2", input="kind: Pod\n")
    assert engine.asked["stdin"] == b"kind: Pod\n"


@pytest.mark.parametrize("variable", ["AWS_REGION", "AWS_DEFAULT_REGION"])
def test_the_region_comes_from_the_environment(engine, monkeypatch, variable):
    """Without --region the variables of the AWS tools are looked at."""
    monkeypatch.setenv(variable, "eu-north-1")
    run("plan", "-f", "pools.yaml")
    assert engine.asked["region"] == "eu-north-1"


def test_the_option_wins_over_the_environment(engine, monkeypatch):
    """What is typed counts more than what is set."""
    monkeypatch.setenv("AWS_REGION", "eu-north-1")
    run("plan", *_ARGUMENTS)
    assert engine.asked["region"] == "us-west-2"


def test_a_missing_region_is_told_with_all_other_mistakes(engine, monkeypatch):
    """The regions that there are, and what else is wrong, in one run."""
    catalog = ModuleType("cutlist.catalog")
    catalog.chosen_regions = lambda _: ("eu-west-1", "us-west-2")
    monkeypatch.setitem(sys.modules, "cutlist.catalog", catalog)

    def refuse(*_, **__):
        raise InputError.one(Place("pools.yaml", 1, 3), "bad")

    monkeypatch.setattr(sys.modules["cutlist.planning.read_inputs"], "read_inputs", refuse)
    result = run("plan", "-f", "pools.yaml")
    assert result.exit_code == 2
    assert "no region is given" in result.stderr
    assert "allowed: eu-west-1, us-west-2" in result.stderr
    assert "pools.yaml:3: bad" in result.stderr
    assert "Found 2 problems." in result.stderr


def test_json_is_the_plan(engine):
    """`-o json` prints what `Plan.from_dict` reads."""
    result = run("plan", *_ARGUMENTS, "-o", "json")
    assert Plan.from_dict(json.loads(result.stdout)) == PLAN


def test_json_is_ascii(engine):
    """Names with control or right-to-left characters reach no terminal through JSON either."""
    engine.result = Plan("\x1b[31m\u202e\x9b")
    result = run("plan", *_ARGUMENTS, "-o", "json")
    assert result.stdout.replace("\n", "").isprintable()
    assert result.stdout.isascii()


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--strict"], 1)])
def test_pending_pods_fail_only_a_strict_run(engine, options, code):
    """Exit code 1 is for pending pods under --strict; the plan is printed all the same."""
    result = run("plan", *_ARGUMENTS, *options)
    assert result.exit_code == code
    assert "deployment/trainer" in result.stdout


def test_a_strict_run_without_pending_pods_is_fine(engine):
    """Nothing pending, nothing to fail."""
    engine.result = Plan("us-west-2")
    assert run("plan", *_ARGUMENTS, "--strict").exit_code == 0


def test_width_is_kept(engine):
    """--width sets the columns; narrower than 40 is refused."""
    assert max(len(line) for line in run("plan", *_ARGUMENTS, "--width", "60").stdout.splitlines()) <= 60
    assert run("plan", *_ARGUMENTS, "--width", "39").exit_code == 2


def test_all_mistakes_are_shown_together(engine):
    """Bad input prints every problem to standard error, nothing to standard output, and exits with 2."""
    engine.result = InputError([Problem(Place("a.yaml", 1, 2), "one"), Problem(Place("b.yaml"), "two", nearest="three")])
    result = run("plan", *_ARGUMENTS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "a.yaml:2: one\nb.yaml: two\n    did you mean three?\n\nFound 2 problems.\n"


@pytest.mark.parametrize("arguments", [["plan"], ["plan", "--region", "x", "-f"], ["plann"], ["plan", "-f", "a", "-o", "xml"]])
def test_wrong_usage_is_bad_input(engine, arguments):
    """Missing and unknown options and commands exit with 2 and say so."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error:" in result.stderr


def test_an_unexpected_error_is_one_line(engine):
    """A mistake in Cutlist shows one line with a hint, exit code 70, and no character that acts on the terminal."""
    engine.result = RuntimeError("boom\n\x1b[31mred")
    result = run("plan", *_ARGUMENTS)
    assert result.exit_code == 70
    assert result.stderr.count("\n") == 1
    assert "RuntimeError: boom \\x1b[31mred" in result.stderr
    assert "--debug" in result.stderr


def test_a_file_that_the_system_refuses_is_named(engine):
    """A folder that is read-only, or a disk that is full, is no mistake of Cutlist."""
    engine.result = PermissionError(13, "Permission denied", "stacks/Pulumi.qa.yaml")
    result = run("plan", *_ARGUMENTS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "stacks/Pulumi.qa.yaml: cannot be used: permission denied\n\nFound 1 problem.\n"


@pytest.mark.parametrize("arguments", [["--debug", "plan", *_ARGUMENTS], ["plan", *_ARGUMENTS, "--debug"]])
def test_debug_lets_the_error_through(engine, arguments):
    """With --debug, wherever it stands, the traceback is there to be reported."""
    engine.result = RuntimeError("boom")
    assert isinstance(run(*arguments).exception, RuntimeError)


def test_an_interrupt_is_no_mistake(engine):
    """Ctrl-C exits with 130, which no other outcome has."""
    engine.result = KeyboardInterrupt()
    assert run("plan", *_ARGUMENTS).exit_code == 130


def test_a_reader_that_goes_away_is_no_mistake(engine):
    """`cutlist plan | head` ends quietly."""
    engine.result = BrokenPipeError()
    result = run("plan", *_ARGUMENTS)
    assert (result.exit_code, result.output) == (141, "")


def test_types_prints_the_types(engine):
    """`cutlist types` shows each NodePool's types, as many as asked for."""
    engine.result = TYPES
    result = run("types", *_ARGUMENTS, "--limit", "1")
    assert result.exit_code == 0
    assert "c7g.medium" in result.stdout
    assert "m7g.large" not in result.stdout
    assert "and 641 more" in result.stdout


def test_types_as_json(engine):
    """JSON holds the same rows with their sources."""
    engine.result = TYPES
    pool = json.loads(run("types", *_ARGUMENTS, "-o", "json", "--limit", "2").stdout)["nodePools"][0]
    assert (pool["total"], [t["instanceType"] for t in pool["types"]]) == (642, ["c7g.medium", "m7g.large"])
    assert pool["types"][1]["allocatable"] == {"cpu": "1930m", "memory": "6903Mi", "pods": "29"}
    assert (pool["types"][1]["spotEstimated"], pool["types"][1]["onDemandEstimated"]) == (True, False)


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_help_shows_an_example(name):
    """Every command's help has an example, and begins with the line that the list of commands has."""
    text = run(name, "--help").stdout
    assert f"  cutlist {name} " in text
    assert commands.COMMANDS[name] in " ".join(text.split())


class _Point:
    """An entry point whose command needs a module that is not installed."""

    name = "acme"

    def __init__(self, missing: str) -> None:
        self._missing = missing

    def load(self):
        raise ModuleNotFoundError(f"No module named '{self._missing}'", name=self._missing)


def _register(monkeypatch, point):
    def found(group, name=None):
        assert group == "cutlist.commands"
        return [point] if name in (None, point.name) else []

    monkeypatch.setattr(commands, "entry_points", found)


@pytest.mark.parametrize(("missing", "extra"), [("pulumi", "kubernetes"), ("pulumi_aws.eks", "aws")])
def test_a_missing_extra_is_named(monkeypatch, missing, extra):
    """A command whose dependencies are not there says what to install, whatever it is called with."""
    _register(monkeypatch, _Point(missing))
    for arguments in (["acme"], ["acme", "--stack", "dev"], ["acme", "--help"]):
        result = run(*arguments)
        assert result.exit_code == 2
        assert f"pip install 'cutlist[{extra}]'" in result.stderr


def test_a_command_of_ours_without_its_extra_names_it(monkeypatch):
    """Its help needs no extra; running it does."""
    monkeypatch.setitem(sys.modules, "pulumi", None)
    for name in [name for name in sys.modules if name.split(".")[0] == "pulumi_cutlist"]:
        monkeypatch.delitem(sys.modules, name)
    assert run("preview", "--help").exit_code == 0
    result = run("preview", "--stack", "dev")
    assert result.exit_code == 2
    assert "pip install 'cutlist[kubernetes]'" in " ".join(result.stderr.split())


def test_a_module_missing_for_another_reason_is_a_mistake(monkeypatch):
    """What no extra brings is not blamed on one."""
    _register(monkeypatch, _Point("cutlist.nowhere"))
    result = run("acme")
    assert result.exit_code == 70
    assert "pip install" not in result.stderr


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("pln", "No such command 'pln'. Did you mean 'plan'?"),
        ("prevew", "No such command 'prevew'. Did you mean 'preview'?"),
        ("xyzzy", "No such command 'xyzzy'."),
    ],
)
def test_a_misspelt_command_is_told_with_the_nearest(written, said):
    """Those of other packages included."""
    result = CliRunner().invoke(main, [written])
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"Error: {said}"


def test_registered_commands_are_listed_without_import(monkeypatch):
    """The list of commands names those of other packages and imports none of them."""
    _register(monkeypatch, _Point("pulumi"))
    assert re.search("acme +Comes from another installed package", run("--help").stdout)


def test_a_registered_command_runs(monkeypatch):
    """A command of another package runs as if it were one of the core's."""

    @click.command("acme")
    def acme():
        click.echo("previewed")

    class Point:
        name = "acme"

        def load(self):
            return acme

    _register(monkeypatch, Point())
    assert run("acme").stdout == "previewed\n"


def test_help_imports_little():
    """In a process of its own, `cutlist --help` leaves the core, rich and YAML alone: that is what keeps it quick."""
    code = (
        "import sys\n"
        "from cutlist_cli import main\n"
        "try:\n    main(['--help'])\n"
        "except SystemExit as end:\n"
        "    heavy = {'rich', 'yaml', 'pydantic', 'pulumi', 'cutlist.planning', 'cutlist.scheduling'} & set(sys.modules)\n"
        "    sys.exit(f'{sorted(heavy)}' if heavy else end.code)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Show which instance types each NodePool allows" in done.stdout


_SCREEN = """
import sys
sys.path.insert(0, ".")
from dataclasses import replace
from types import ModuleType
from tests.unit.report.samples import PLAN
inputs, plan = ModuleType("cutlist.planning.read_inputs"), ModuleType("cutlist.answers.plan")
inputs.read_inputs = lambda *_, **__: None
plan.plan = lambda _: replace(PLAN, nodes=PLAN.nodes * int(sys.argv[1]))
sys.modules.update({"cutlist.planning.read_inputs": inputs, "cutlist.answers.plan": plan})
from cutlist_cli import main
main(["plan", "-f", "x", "--region", "us-west-2"])
"""


def _screen(environment, encoding="utf-8"):
    environment = {"PATH": "/usr/bin:/bin", "PYTHONIOENCODING": encoding, **environment}
    done = subprocess.run([sys.executable, "-c", _SCREEN, "1"], capture_output=True, env=environment, check=True)
    return done.stdout


def test_a_closed_pipe_ends_quietly():
    """A real pipe whose reader has left: exit code 141, and the interpreter has nothing to say about it either."""
    command = [sys.executable, "-c", _SCREEN, "300"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 141)


def test_a_pipe_gets_no_colour_and_a_hundred_columns():
    """What is piped is plain text of the default width."""
    text = _screen({"TERM": "xterm-256color"}).decode()
    assert "\x1b" not in text
    assert "$/month" in text
    assert max(len(line) for line in text.splitlines()) <= 100


def test_a_terminal_without_unicode_gets_the_same_columns():
    """Bars and marks become ASCII characters of the same width."""
    plain = _screen({}, encoding="ascii").decode("ascii")
    assert "#########" in plain
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in _screen({}).decode().splitlines()]


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_follows_the_terminal(monkeypatch, environment, coloured):
    """A terminal gets colour unless NO_COLOR or a dumb terminal speaks against it."""
    from cutlist_cli import terminal

    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert terminal.has_colour() is coloured
