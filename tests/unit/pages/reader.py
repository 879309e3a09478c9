"""Somebody who does what a page says, command by command, in a copy of the sample project."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import yaml
from click import Context
from click.testing import CliRunner

from cutlist_cli import main
from cutlist_cli.terminal import DEFAULT_WIDTH
from tests.sample import SHOP
from tests.unit.pages.blocks import PROJECT, Command, Pipeline, Shown, contents
from tests.unit.pages.elsewhere import ELSEWHERE, Elsewhere, printed_by

_ENVIRONMENT: Final = {
    "CUTLIST_TODAY": "2026-11-23",
    "COLUMNS": str(DEFAULT_WIDTH),
    "AWS_REGION": None,
    "AWS_DEFAULT_REGION": None,
}
"""A terminal as wide as what goes into a file, and no region but those on the page."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command printed, what it wrote to standard error, and its exit code; None if it was not run."""

    output: str
    errors: str = ""
    status: int | None = None


@contextlib.contextmanager
def sample_project(folder: Path) -> Iterator[None]:
    """Work in a copy of the sample project: a repository whose only branch is `main`, which has all of it."""
    shutil.copytree(SHOP, folder, dirs_exist_ok=True)
    with contextlib.chdir(folder):
        yield


def reading(page: Path, folder: Path) -> Iterator[tuple[Command | Shown, Answer]]:
    """Do what a page says; yield each command with its answer, and each block that shows something with the answer it shows."""
    answer = Answer("")
    with sample_project(folder):
        for part in contents(page):
            if isinstance(part, Shown):
                yield part, Answer(Path(part.file).read_text("utf-8")) if part.file else answer
                continue
            answer = run(part) or answer
            if part.is_own:
                yield part, answer


def run(command: Command) -> Answer | None:
    """Return the answer of a line: that of its first command of Cutlist that fails, else that of the last; None without one."""
    answer = None
    for pipeline in command.pipelines:
        printed = _piped(pipeline)
        if pipeline.is_own:
            answer = printed
            if answer.status:
                break
    return answer


def _piped(pipeline: Pipeline) -> Answer:
    first, *others = pipeline.programs
    answer = _own(first.arguments, "") if first.arguments else Answer(_printed(first.words))
    for program in others:
        if program.arguments and not answer.status:
            answer = _own(program.arguments, answer.output)
    if pipeline.target is not None and answer.output:
        Path(pipeline.target).write_text(answer.output, "utf-8")
    return answer


def _own(arguments: Sequence[str], text: str) -> Answer:
    other = next((other for other in ELSEWHERE if other.covers(arguments)), None)
    if other is not None:
        understood(arguments)
        assert [file for file in _files(arguments) if not file.exists()] == []
        return Answer(_left(other, arguments))
    if {"--git", "--base", "--gates-from"} & {*arguments} or tuple(arguments[:2]) in (("diff",), ("new", "ci")):
        _commit()
    result = CliRunner(env=_ENVIRONMENT).invoke(main, list(arguments), input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Answer(result.stdout, result.stderr, result.exit_code)


def _files(arguments: Sequence[str]) -> list[Path]:
    """Return the files that a command reads: those that it names, and those of the stack that it names."""
    named = [Path(value) for option, value in pairwise(arguments) if option == "-f" and value != "-"]
    stacks = [value for option, value in pairwise(arguments) if option in ("--stack", "--like")]
    return [*named, *(PROJECT / "stacks" / f"Pulumi.{stack}.yaml" for stack in stacks)]


def understood(arguments: Sequence[str]) -> Context:
    """Return what click makes of the arguments; raise its error where a command or an option does not exist."""
    name, *rest = arguments
    command = main.get_command(Context(main), name)
    assert command is not None, name
    return command.make_context(name, rest)


def _left(other: Elsewhere, arguments: Sequence[str]) -> str:
    """Write the files that a command would write, unless the sample project has them; return what it would print."""
    for name, source in other.leaves.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / source, name)
    text = _joined(other.prints)
    if other.name != "snapshot":
        return text
    target = Path(arguments[arguments.index("--to") + 1] if "--to" in arguments else "cluster.yaml")
    if target.name == "-":
        return text
    if not target.exists():
        target.write_text(text, "utf-8")
    return ""


def _printed(words: Sequence[str]) -> str:
    """Return what another program would print; nothing for one that is not known, which is not run."""
    if words[0] == "cp":
        subprocess.run(words, check=True)
    text = _joined(printed_by(words))
    if not text or "json" not in words or text.startswith("{"):
        return text
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(yaml.safe_load_all(text))})


def _joined(names: Sequence[str]) -> str:
    return "---\n".join(Path(name).read_text("utf-8") for name in names)


def _commit() -> None:
    """Make the folder a repository, so that an earlier revision can be compared with it."""
    if not Path(".git").exists():
        identity = ("-c", "user.name=shop", "-c", "user.email=shop@example.com")
        for arguments in (("init", "-q", "-b", "main"), ("add", "."), (*identity, "commit", "-qm", "The shop")):
            subprocess.run(["git", *arguments], check=True, capture_output=True)
        subprocess.run(["git", "update-ref", "refs/remotes/origin/main", "main"], check=True, capture_output=True)
