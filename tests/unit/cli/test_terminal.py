"""What a terminal, a pipe and a reader that left get."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest

_SCREEN = """
import sys
sys.path.insert(0, ".")
from dataclasses import replace
from types import SimpleNamespace
from tests.unit.report.samples import PLAN
from cutlist_cli import input_options, main, plan
catalog = SimpleNamespace(offerings_known=True)
inputs = SimpleNamespace(has_workloads=True, documents=(), catalog=catalog, on_day=lambda _: inputs)
input_options.read_inputs = lambda *_, **__: inputs
plan.plan = plan.bounded_plan = lambda *_: replace(PLAN, nodes=PLAN.nodes * int(sys.argv[1]))
plan.with_further_prices = lambda answer, *_: answer
main(["plan", "-f", "x", "--region", "us-west-2"])
"""


@cache
def _screen(encoding="utf-8"):
    environment = {"PATH": "/usr/bin:/bin", "PYTHONIOENCODING": encoding, "TERM": "xterm-256color"}
    done = subprocess.run([sys.executable, "-c", _SCREEN, "1"], capture_output=True, env=environment, check=True)
    return done.stdout


@pytest.mark.slow
def test_a_closed_pipe_ends_quietly():
    """A real pipe whose reader has left: exit code 141, and the interpreter has nothing to say about it either."""
    command = [sys.executable, "-c", _SCREEN, "300"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 141)


@pytest.mark.slow
def test_a_pipe_gets_no_colour_and_a_hundred_columns():
    """What is piped is plain text of the default width."""
    text = _screen().decode()
    assert "\x1b" not in text
    assert "$/month" in text
    assert max(len(line) for line in text.splitlines()) <= 100


@pytest.mark.slow
def test_a_terminal_without_unicode_gets_the_same_columns():
    """Bars and marks become ASCII characters of the same width."""
    plain = _screen("ascii").decode("ascii")
    assert "#########" in plain
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in _screen().decode().splitlines()]


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


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_note_is_wrapped_where_somebody_reads_it(monkeypatch, capsys, is_terminal):
    """A file or a pipe has it on one line, where programs find it."""
    from cutlist_cli import terminal

    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    terminal.write_note("defined several times: " + ", ".join(f"Deployment web-{n} (apps/web-{n}.yaml:1)" for n in range(4)))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == (4 if is_terminal else 1)
    assert all(len(line) <= 60 for line in lines) is is_terminal
