"""Errors of commands: a message, an exit code, and never a traceback."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from cutlist.core.errors import InputError, Place, Problem
from cutlist_cli import main

_ARGUMENTS = ["-f", "pools.yaml", "--region", "us-west-2"]


def run(*arguments, **options):
    return CliRunner().invoke(main, [*arguments], **options)


def test_all_mistakes_are_shown_together(engine):
    """Bad input prints every problem to standard error, nothing to standard output, and exits with 2."""
    engine.result = InputError([Problem(Place("a.yaml", 1, 2), "one"), Problem(Place("b.yaml"), "two", nearest="three")])
    result = run("plan", *_ARGUMENTS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "a.yaml:2: one\nb.yaml: two\n    did you mean three?\n\nFound 2 problems.\n"


@pytest.mark.parametrize("arguments", [["plan"], ["plan", "--region", "x", "-f"], ["plann"], ["plan", "-f", "a", "-o", "xml"]])
def test_wrong_usage_is_bad_input(engine, arguments, monkeypatch, tmp_path):
    """Missing and unknown options and commands exit with 2 and say so."""
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error:" in result.stderr


HOSTILE = "=k\x9b\u202e ::error::k ##vso[a]"
REPEATED = (
    (HOSTILE,),
    (f"--{HOSTILE}",),
    ("plan", f"--{HOSTILE}"),
    ("plan", "--x\n::error::y"),
    ("plan", "-f", "a", "-o", HOSTILE),
    ("plan", "-f", "a", "--width", HOSTILE),
    ("plan", f"{HOSTILE}.yaml"),
    ("plan", "-f", f"{HOSTILE}.yaml", "--region", "us-west-2"),
    ("disrupt", "-f", "a", "--at", HOSTILE),
    ("catalog", HOSTILE),
    ("schema", HOSTILE),
    ("new", HOSTILE, "--like", HOSTILE),
)


@pytest.mark.parametrize("arguments", REPEATED, ids=lambda arguments: " ".join(arguments).encode("ascii", "replace").decode())
def test_an_argument_is_repeated_in_safe_characters(arguments: tuple[str, ...]):
    """Nothing in it acts on a terminal, and no build server takes it for a command."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|##vso\[|^\s*::", result.stderr, re.MULTILINE)


def test_an_unexpected_error_is_one_line(engine):
    """A mistake in Cutlist shows one line with a hint, exit code 70, and no character that acts on the terminal."""
    engine.result = RuntimeError("boom\n\x1b[31mred")
    result = run("plan", *_ARGUMENTS)
    assert result.exit_code == 70
    assert result.stderr.count("\n") == 1
    assert "RuntimeError: boom \\x1b[31mred" in result.stderr
    assert "--debug" in result.stderr


def test_a_file_that_the_system_refuses_is_named(engine):
    """A folder that is read-only, or a disk that is full, is not a mistake of Cutlist."""
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
