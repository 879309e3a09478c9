"""The examples in the help of commands: their options exist, and so do the files that they read, in the sample project."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from cutlist_cli import commands
from cutlist_cli.application import main

_SHOP: Final = Path(__file__).resolve().parents[3] / "examples" / "shop"
_NAMED: Final = re.compile(r"(?<![\w/.-])[\w./-]+\.(?:yaml|json|csv|log)\b|(?<![\w/.-])[\w-]+/(?= |$)", re.ASCII)
_WRITTEN: Final = frozenset(
    {"plan.json", "last.json", "before.json", "after.json", "state.json", "production.json", "run.json", "paid.tsv"}
)
"""Files that another example or page writes, or that only the user has: earlier plans, a state, a snapshot."""
_WRITES: Final = re.compile(r"(?:>|--to|--values|--record|--record-lookups|--save|--resume|--overlays-to) \S+")
_ELSEWHERE: Final = frozenset(
    {"catalog", "diff", "help", "mcp", "new", "preview", "serve", "snapshot", "suggest", "sweep", "verify"}
)
"""Commands whose first example needs a checkout, an account, a cluster or an earlier plan, that do not end, or that other tests
run as a whole."""


def _examples(name: str) -> list[str]:
    """Return the commands that the help of a command shows, a continued one on one line."""
    command = commands.load(name)
    assert command is not None
    context = click.Context(main)
    subcommands = (
        [command.get_command(context, one) for one in command.list_commands(context)]
        if isinstance(command, click.Group)
        else []
    )
    texts = [(one.help or "").replace("\\\n", "") for one in (command, *subcommands) if one is not None]
    return [line.strip() for text in texts for line in text.partition("Examples:")[2].splitlines() if line.strip()]


@pytest.mark.parametrize("name", sorted(commands.COMMANDS))
def test_files_of_examples_are_in_the_sample_project(name):
    """So a reader can run them there."""
    examples = _examples(name)
    assert examples
    named = {file for line in examples for file in _NAMED.findall(_WRITES.sub("", line))}
    assert sorted(file for file in named - _WRITTEN if not (_SHOP / file).exists()) == []


@pytest.mark.parametrize("name", sorted(commands.COMMANDS))
def test_options_of_examples_exist(name, monkeypatch):
    monkeypatch.chdir(_SHOP)
    for line in _examples(name):
        words = shlex.split(re.sub(r" > \S+$", "", line.split("| kubectl")[0].rpartition("| cutlist ")[2] or line))
        words = words[1:] if words[0] == "cutlist" else words
        command: click.Command | None = main
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            command, words = command.get_command(click.Context(command), words[0]), words[1:]
        assert command is not None, line
        command.make_context(command.name, words)


@pytest.mark.parametrize("name", sorted(commands.COMMANDS.keys() - _ELSEWHERE))
def test_the_first_example_runs_in_the_sample_project(name, tmp_path, monkeypatch):
    """Of the gates, it is the first of files: the sample project breaks a rule."""
    shop = tmp_path / "shop"
    shutil.copytree(_SHOP, shop)
    monkeypatch.chdir(shop)
    example = next(line for line in _examples(name) if line.startswith("cutlist ") and "--stack" not in line)
    result = CliRunner().invoke(main, shlex.split(example.partition(" > ")[0])[1:])
    assert result.exit_code == (1 if name == "gate" else 0), result.output
    assert result.output or name in ("convert", "schema", "permissions")
