"""The page of a first cluster, typed through: its files in an empty folder, and its commands that need no account."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.documentation import section

PAGE = section("karpenter-cluster.md", "Your first cluster")
FILES = dict(re.findall(r"^`([^`]+)`:\n\n```\w+\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))
OLD = "20250228"
SHOWN = [block for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL) if block.startswith("$ cutlist ")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the page and nothing else."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.slow
def test_the_commands_of_the_page_print_what_it_shows(folder: Path):
    """Line by line and in order; where the page has dots, more is printed."""
    assert sorted(FILES) == ["Pulumi.dev.yaml", "Pulumi.yaml", "__main__.py", "web.yaml"]
    for block in SHOWN:
        command, *shown = block.splitlines()
        result = CliRunner().invoke(main, shlex.split(command)[2:])
        assert result.exit_code == 0, result.output
        printed = iter(result.stdout.splitlines())
        assert [line for line in shown if line != "..." and line not in printed] == []
    assert len(SHOWN) == 1


def test_the_mistake_that_the_page_proposes_is_reported(folder: Path):
    program = folder / "__main__.py"
    program.write_text(program.read_text().replace("al2023@v20260625", "al2023@v" + OLD))
    result = CliRunner().invoke(main, ["preview", "--stack", "dev"])
    assert result.exit_code == 2
    assert OLD in result.stderr
