"""A few of the command lines; `python -m tests.fuzz` runs all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.command_lines import (
    COMMANDS,
    INTERRUPTED,
    SURROUNDINGS,
    CommandLine,
    Surroundings,
    command_lines,
    failure_of,
    prepare,
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        CommandLine(("upgrade", "--from", "1.14.1", "--target", "1.15.1"), around)
        for around in SURROUNDINGS
        if around.name in ("standard output is closed", "a full disk")
    ],
    ids=str,
)
def test_a_process_answers_or_says_why_not(line: CommandLine, tmp_path: Path):
    assert failure_of(line, tmp_path) == ""


@pytest.mark.slow
def test_a_process_that_is_interrupted_shows_no_traceback(tmp_path: Path):
    """While it still imports what it needs: half of its time."""
    line = CommandLine(tuple(COMMANDS["upgrade"].split()), SURROUNDINGS[0], 0.2)
    assert failure_of(line, tmp_path) == ""
    assert INTERRUPTED > 0


def test_wrong_ends_are_reported(tmp_path: Path):
    """The judge of processes can find fault."""
    loud = CommandLine((), Surroundings("loud", script="echo Traceback; exit 0"))
    silent = CommandLine((), Surroundings("silent", script="exit 1"))
    odd = CommandLine((), Surroundings("odd", script="echo why; exit 70"))
    assert "Traceback" in failure_of(loud, tmp_path)
    assert failure_of(silent, tmp_path) == "ends with 1 and says nothing"
    assert failure_of(odd, tmp_path).startswith("ends with 70")


def test_every_kind_of_command_line_is_among_them():
    lines = list(command_lines(300))
    assert len(lines) == 300
    assert {line.surroundings.name for line in lines} == {around.name for around in SURROUNDINGS}
    assert sum(line.interrupted is not None for line in lines) == 100
    assert any("pipe" in line.words for line in lines)
    assert any("/dev/zero" in line.words for line in lines)


def test_what_no_command_can_read_is_there(tmp_path: Path):
    prepare(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} >= {"pipe", "socket", "folder", "loop.yaml", "dangling.yaml", "plan.json"}
