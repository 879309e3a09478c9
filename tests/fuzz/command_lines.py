"""Commands as real processes in hostile surroundings: closed and full streams, other locales, words that name no file, signals.

What a process may do is answer, refuse or be interrupted, with a code that says which. It may not show a traceback, hang, or
end with success where nobody got the answer.
"""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Final

from tests.fuzz import seeds

SECONDS: Final = 60
REFUSED: Final = 2
INTERRUPTED: Final = 130
READER_GONE: Final = 141
_ENDS: Final = (0, 1, 2)
_BAD_WORDS: Final = ("Traceback", "Exception ignored", "should not have happened", "object at 0x", "lost sys.stderr")
_OURS: Final = re.compile(r"cutlist_cli/(?!__init__)")
_AT: Final = "2026-06-01T12:00:00Z"

COMMANDS: Final[Mapping[str, str]] = {
    "plan": "plan -f pools.yaml -f app.yaml --region us-west-2",
    "plan as JSON": "plan -f pools.yaml -f app.yaml --region us-west-2 -o json",
    "plan as a page": "plan -f pools.yaml -f app.yaml --region us-west-2 -o html",
    "validate": "validate -f pools.yaml -f app.yaml",
    "types": "types -f pools.yaml --region us-west-2",
    "explain": "explain -f pools.yaml -f app.yaml --region us-west-2 Deployment/shop/web",
    "gate": "gate -f pools.yaml -f app.yaml --region us-west-2",
    "gate to files": "gate -f pools.yaml -f app.yaml --region us-west-2 --also-to json=gate.json --also-to sarif=gate.sarif",
    "diff": "diff -f app.yaml pools.yaml pools.yaml --region us-west-2",
    "disrupt": f"disrupt -f pools.yaml -f app.yaml --region us-west-2 --from-plan plan.json --at {_AT}",
    "nodes": "nodes -f pools.yaml -f app.yaml --region us-west-2 --from-plan plan.json",
    "interrupt": f"interrupt -f pools.yaml -f app.yaml --region us-west-2 --from-plan plan.json --at {_AT}",
    "budgets": "budgets -f pools.yaml",
    "suggest": "suggest -f pools.yaml -f app.yaml --region us-west-2 --allow-empty",
    "userdata": "userdata -f pools.yaml --cluster-name demo --endpoint https://demo.example --service-cidr 10.100.0.0/16",
    "snapshot": "snapshot --context demo --to cluster.yaml",
    "preview": "preview --stack dev",
    "gate of a stack": "gate --stack dev --also-to junit=gate.xml",
    "diff of a stack": "diff dev pools.yaml --region us-west-2 --time-limit 50",
    "new": "new qa --like dev",
    "history": "history -f karpenter.log",
    "convert": "convert -f pools.yaml",
    "schema": "schema NodePool",
    "upgrade": "upgrade --from 1.14.1 --target 1.15.1",
    "rules": "gate --rules",
    "help": "--help",
}
"""The commands by names; words that end in .yaml, .json or .log are files."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around a process: variables, None for one that is not set, and what a shell does with its streams.

    `ends` are the codes with which it may end; `is_silent` says that what it writes cannot be seen.
    """

    name: str
    variables: Mapping[str, str | None] = field(default_factory=dict)
    script: str = 'exec "$@"'
    ends: tuple[int, ...] = _ENDS
    is_silent: bool = False


SURROUNDINGS: Final = (
    Surroundings("nothing special"),
    Surroundings("LANG=C", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    Surroundings("LC_ALL=POSIX", {"LC_ALL": "POSIX", "LANG": None}),
    Surroundings("a Turkish locale", {"LC_ALL": "tr_TR.UTF-8"}),
    Surroundings("ASCII alone", {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}),
    Surroundings("UTF-16", {"PYTHONIOENCODING": "utf-16"}),
    Surroundings("a time zone that does not exist", {"TZ": "Mars/Base"}),
    Surroundings("no HOME", {"HOME": None}),
    Surroundings("a HOME that is not there", {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent/cache"}),
    Surroundings("a HOME that takes nothing", {"HOME": "/proc"}),
    Surroundings("no temporary folder", {"TMPDIR": "/nonexistent"}),
    Surroundings("one column", {"COLUMNS": "1"}),
    Surroundings("20 columns", {"COLUMNS": "20", "LINES": "1"}),
    Surroundings("10,000 columns", {"COLUMNS": "10000"}),
    Surroundings("columns that are not a number", {"COLUMNS": "wide", "LINES": "-1"}),
    Surroundings("no colour", {"NO_COLOR": "1"}),
    Surroundings("a dumb terminal", {"TERM": "dumb"}),
    Surroundings("no terminal", {"TERM": None}),
    Surroundings("no PATH", {"PATH": ""}),
    Surroundings("standard input is closed", script='exec "$@" <&-'),
    Surroundings("standard error is closed", script='exec "$@" 2>&-', is_silent=True),
    Surroundings("standard output is closed", script='exec "$@" >&-', ends=(2,), is_silent=True),
    Surroundings("standard output and error are closed", script='exec "$@" >&- 2>&-', ends=(2,), is_silent=True),
    Surroundings("a full disk", script='exec "$@" >/dev/full', ends=(2,), is_silent=True),
    Surroundings("a full disk for errors", script='exec "$@" 2>/dev/full', is_silent=True),
    Surroundings("a reader that leaves", script='{ "$@"; printf "\\n%s\\n" "$?" >&3; } 3>&2 | head -c 1', is_silent=True),
    Surroundings(
        "a reader that has left", script='{ sleep 0.05; "$@"; printf "\\n%s\\n" "$?" >&3; } 3>&2 | true', is_silent=True
    ),
    Surroundings("the working folder is removed", script='mkdir gone && cd gone && rmdir ../gone && exec "$@"', ends=_ENDS),
    Surroundings("few open files", script='ulimit -n 24; exec "$@"', ends=_ENDS),
)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command in its surroundings; `interrupted` is after how many seconds it gets SIGINT."""

    words: tuple[str, ...]
    surroundings: Surroundings
    interrupted: float | None = None

    def __str__(self) -> str:
        when = "" if self.interrupted is None else f", SIGINT after {self.interrupted:.2f} s"
        return f"{self.surroundings.name}{when}: cutlist {' '.join(self.words)}"


def command_lines(count: int, seed: str = "") -> Iterator[CommandLine]:
    """Yield this many command lines, the same ones for the same seed: each kind in its turn, and of the first all surroundings
    and all commands in theirs."""
    chance = random.Random(seed)  # noqa: S311 - reproducible on purpose
    surroundings = cycle(chance.sample(SURROUNDINGS, len(SURROUNDINGS)))
    commands = cycle(chance.sample([*COMMANDS.values()], len(COMMANDS)))
    plain = SURROUNDINGS[0]
    for number in range(count):
        if number % 3 == 0:
            yield CommandLine(tuple(next(commands).split()), next(surroundings))
            continue
        words = chance.choice(list(COMMANDS.values()))
        if number % 3 == 1:
            yield CommandLine(tuple(words.split()), plain, chance.random() * 1.2)
        else:
            yield CommandLine(_with_no_file(words.split(), chance), plain)


_NO_FILES: Final = (
    *(
        "pipe",
        "socket",
        "folder",
        "/dev/zero",
        "/dev/random",
        "/dev/full",
        "/dev/null",
        "/dev/tty",
        "/proc/self/mem",
        "/proc/kmsg",
    ),
    *(
        "/proc/self/environ",
        "/proc/self/fd/0",
        "/dev/fd/9",
        "",
        "missing.yaml",
        "loop.yaml",
        "/",
        "closed.yaml",
        "a" * 300,
        "-",
        "--",
    ),
    *("/sys/kernel/notes", "dangling.yaml", "empty.yaml", "\udcff.yaml"),
)


def _with_no_file(words: Sequence[str], chance: random.Random) -> tuple[str, ...]:
    """Return words in which one file is something else; words without files get one."""
    places = [number for number, word in enumerate(words) if word.endswith((".yaml", ".json", ".log")) and "=" not in word]
    other = chance.choice(_NO_FILES)
    if not places:
        return (*words, other)
    at = chance.choice(places)
    return (*words[:at], other, *words[at + 1 :])


_PROGRAM: Final = """
import pulumi
from pulumi_cutlist.plan import NodePlan

NodePlan("nodes", {"region": "us-west-2", "sources": ["pools.yaml", "app.yaml"]})
pulumi.export("token", pulumi.Output.secret("a"))
"""


def prepare(folder: Path) -> None:
    """Write the files of the commands into a folder, and what no command can read."""
    texts = {"pools.yaml": seeds.POOLS, "app.yaml": seeds.PODS, "karpenter.log": seeds.LOG, "empty.yaml": ""}
    texts |= {"Pulumi.yaml": "{name: demo, runtime: python}", "Pulumi.dev.yaml": "config: {}", "__main__.py": _PROGRAM}
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "plan.json").write_bytes(seeds.plan())
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "loop.yaml").symlink_to("loop.yaml")
    (folder / "dangling.yaml").symlink_to("nothing.yaml")
    (folder / "closed.yaml").write_text("")
    (folder / "closed.yaml").chmod(0)
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        os.chdir(folder)  # the path of a socket has to be short
        bound.bind("socket")
        os.chdir(here)


def failure_of(line: CommandLine, folder: Path) -> str:
    """Run a command line in a folder; return what is wrong with its end, or nothing."""
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1", **line.surroundings.variables}
    present = {name: value for name, value in variables.items() if value is not None}
    before = _entries()
    words = ["/bin/sh", "-c", line.surroundings.script, "sh", sys.executable, "-m", "cutlist_cli", *line.words]
    process = subprocess.Popen(
        words, cwd=folder, env=present, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        if line.interrupted is not None:
            time.sleep(line.interrupted)
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return f"does not end within {SECONDS} s"
    return _fault(line, process.returncode, (out + err).decode("utf-8", "replace")) or _left(before)


def _fault(line: CommandLine, code: int, text: str) -> str:
    bad = next((words for words in _BAD_WORDS if words in text), "")
    if bad and not (line.interrupted is not None and not _OURS.search(text)):  # Python itself, before it reads our code
        at = text.index(bad)
        return f"ends with {code} and says {text[at : at + 1500]!r}"
    if "|" in line.surroundings.script:  # its code is the last line of standard error
        last = text.strip().splitlines()[-1:]
        return "" if last and last[0] in {str(code) for code in (*_ENDS, READER_GONE)} else f"ends with {last}"
    ends = line.surroundings.ends if line.interrupted is None else (*_ENDS, INTERRUPTED, -signal.SIGINT)
    if code not in ends:
        return f"ends with {code}, not {ends}: {text[:600]!r}"
    if code and not text.strip() and not line.surroundings.is_silent and code != -signal.SIGINT:
        return f"ends with {code} and says nothing"
    return ""


def _entries() -> set[str]:
    return {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("cutlist-")}


def _left(before: set[str]) -> str:
    """Return what a command left in the folder of temporary files, or nothing."""
    left = sorted(name for name in _entries() - before if not name.startswith("cutlist-fuzz-"))
    return f"leaves {left[0]} behind" if left else ""
