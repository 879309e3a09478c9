"""The fenced blocks of a page: the commands that it shows, and what it shows of files and of the output of commands.

A comment above a block says where its text is from:

    <!-- output -->                                 what the last command above it prints
    <!-- output from "Causes" up to "Pending" -->   of that, the lines from one that begins so to before one that begins so
    <!-- errors -->                                 what it writes to standard error
    <!-- file week.csv -->                          how a file of the sample project ends
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[3]
PAGES: Final = (
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "examples/shop/README.md")),
    *sorted(page for page in (PROJECT / "docs").glob("*.md") if page.name != "tutorial.md"),
)
"""The pages for users. The specification and the decisions show no commands; `test_tutorial` walks the tutorial."""

_BLOCK: Final = re.compile(r"(?:^<!-- (?P<comment>[^>\n]*) -->\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
_SOURCE: Final = re.compile(
    r'(?P<what>output|errors|file (?P<file>\S+))(?: from "(?P<first>[^"]+)")?(?: up to "(?P<end>[^"]+)")?'
)
_IMAGE: Final = "cutlist:local"
_STATUS: Final = re.compile(r"# exit code (\d)")


@dataclass(frozen=True, slots=True)
class Program:
    """One program of a pipeline, with its arguments."""

    words: tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...] | None:
        """The arguments of Cutlist; None for another program."""
        name = _IMAGE if self.words[:2] == ("docker", "run") else "cutlist"
        return self.words[self.words.index(name) + 1 :] if name in self.words else None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Programs of which each reads what the one before it prints, and the file that gets what the last one prints."""

    programs: tuple[Program, ...]
    target: str | None

    @property
    def is_own(self) -> bool:
        """Whether one of the programs is Cutlist."""
        return any(program.arguments for program in self.programs)


@dataclass(frozen=True, slots=True)
class Command:
    """A line after a prompt, and the exit code that the page says it has."""

    page: str
    line: str
    pipelines: tuple[Pipeline, ...]
    status: int = 0

    @property
    def programs(self) -> tuple[Program, ...]:
        """All programs of the line."""
        return tuple(program for pipeline in self.pipelines for program in pipeline.programs)

    @property
    def is_own(self) -> bool:
        """Whether one of the programs is Cutlist."""
        return any(pipeline.is_own for pipeline in self.pipelines)


@dataclass(frozen=True, slots=True)
class Shown:
    """A block that shows output, or a file: where its text stands in the page, and of what it is."""

    start: int
    text: str
    is_error: bool
    file: str | None
    first: str
    end: str

    def part(self, text: str) -> str:
        """Return what a block like this one shows of a text."""
        lines = text.splitlines(keepends=True)
        begin = _index(lines, self.first, 0) if self.first else 0
        end = _index(lines, self.end, begin + 1) if self.end else len(lines)
        return "".join(lines[begin:end]).rstrip() + "\n"


def _index(lines: list[str], beginning: str, start: int) -> int:
    for index in range(start, len(lines)):
        if lines[index].startswith(beginning):
            return index
    raise AssertionError(f"no line begins with {beginning!r}")


def contents(page: Path) -> list[Command | Shown]:
    """Return the commands of a page and what it shows, in the order in which they stand there."""
    parts: list[Command | Shown] = []
    name = page.relative_to(PROJECT).as_posix()
    for block in _BLOCK.finditer(page.read_text("utf-8")):
        source = _SOURCE.fullmatch(block["comment"] or "")
        if source is not None:
            parts.append(
                Shown(
                    block.start("text"),
                    block["text"],
                    source["what"] == "errors",
                    source["file"],
                    source["first"] or "",
                    source["end"] or "",
                )
            )
        elif block["language"] == "console":
            parts += _commands(name, block["text"].splitlines())
    return parts


def commands(page: Path) -> list[Command]:
    """Return the commands of a page."""
    return [part for part in contents(page) if isinstance(part, Command)]


def _commands(page: str, lines: list[str]) -> list[Command]:
    found: list[Command] = []
    for at, line in enumerate(lines):
        if line == "$ echo $?":
            last = found.pop()
            found.append(Command(page, last.line, last.pipelines, int(lines[at + 1])))
        elif line.startswith("$ "):
            status = _STATUS.search(line)
            found.append(Command(page, line[2:], _pipelines(line[2:]), int(status[1]) if status else 0))
    return found


def _pipelines(line: str) -> tuple[Pipeline, ...]:
    """Return what a shell makes of a line, as far as pages use it: `&&`, `|`, `>` and comments."""
    reader = shlex.shlex(line, posix=True, punctuation_chars="|&>")
    reader.whitespace_split = True
    pipelines: list[Pipeline] = []
    programs: list[Program] = []
    words: list[str] = []
    target: str | None = None
    rest = iter((*reader, "&&"))
    for word in rest:
        if word == ">":
            target = next(rest)
        elif word in ("|", "&&"):
            programs.append(Program(tuple(words)))
            words = []
        else:
            words.append(word)
        if word == "&&":
            pipelines.append(Pipeline(tuple(programs), target))
            programs, target = [], None
    return tuple(pipelines)
