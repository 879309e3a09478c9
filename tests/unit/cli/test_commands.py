"""The list of commands: our own and those of other packages, found by name and imported when they run."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from cutlist_cli import commands, main


def run(*arguments, **options):
    return CliRunner().invoke(main, [*arguments], **options)


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_help_shows_an_example(name):
    """Every command's help has an example, and begins with the line that the list of commands has."""
    text = run(name, "--help").stdout
    assert re.search(rf"  cutlist {name}\s", text)
    assert commands.COMMANDS[name] in " ".join(text.split())


def test_without_a_command_the_list_of_commands_is_shown():
    """As `--help` shows it, but as a mistake."""
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.strip() == run("--help").stdout.strip()


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

    monkeypatch.setattr(importlib.metadata, "entry_points", found)


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


def test_a_command_that_lacks_its_extra_only_when_it_runs_is_named(monkeypatch):
    """The sentence begins with the command, not with the program."""
    monkeypatch.setitem(sys.modules, "anyio", None)
    result = run("mcp")
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert " mcp needs an optional part of Cutlist" in said
    assert "pip install 'cutlist[mcp]'" in said


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
def test_a_misspelt_command_is_reported_with_the_nearest(written, said):
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
    """In its own process, `cutlist --help` leaves the core, rich and YAML alone: that is what keeps it quick."""
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
