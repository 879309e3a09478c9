"""Every reader of files with mutants of what it takes, in this process, through the commands that a user would call.

A mutant is refused in words or answered. What it may not do is end in an unexpected exception, take longer than `SECONDS`, or
more memory than `MEMORY`.
"""

from __future__ import annotations

import hashlib
import json
import re
import resource
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from click.testing import CliRunner
from pulumi_cutlist.stack import stack_file
from pulumi_cutlist.stack.gate import gates_of_stack

from cutlist.core.errors import InputError
from cutlist.policy.gates import judge
from cutlist.policy.registry import known_rules
from cutlist.policy.rules import Resource
from cutlist.verbs.gate.answer import default_gates
from cutlist.verbs.gate.junit import gate_junit
from cutlist.verbs.gate.markdown import gate_markdown
from cutlist.verbs.gate.sarif import gate_sarif
from cutlist.verbs.gate.text import render_gate
from cutlist_cli import main
from cutlist_cli.failures import INTERNAL
from tests.fuzz import seeds
from tests.fuzz.mutations import bombs, mutant
from tests.sample import MANIFESTS, SHOP

SECONDS: Final = 10
MEMORY: Final = 2**30
"""Bytes by which one input may make the process grow."""
TODAY: Final = date(2026, 6, 1)
_AT: Final = "2026-06-01T12:00:00Z"
_REGION: Final = ("--region", seeds.REGION)
_VERIFIED: Final = str(SHOP / "after.yaml")
_SEAL: Final = re.compile(r"^# (rows|sha256): .*$", re.MULTILINE)


class Unexpected(Exception):
    """A command ended in a way that no input may cause; the text says how."""


class _TooLong(BaseException):
    """An input takes longer than it may; no handler of exceptions catches it by accident."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A kind of input: texts that are right, and what reads a text from a file in an empty folder.

    `choose` picks one of several, such as a form of output, as the mutant's number says.
    """

    name: str
    seeds: Callable[[], tuple[bytes, ...]]
    read: Callable[[bytes, Path, Random], None]
    takes_bombs: bool = True


@dataclass(slots=True)
class Tally:
    """What one reader did with its mutants."""

    count: int = 0
    slowest: tuple[float, str] = (0.0, "")
    grown: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)


def run(reader: Reader, first: int, count: int) -> Tally:
    """Return what a reader does with `count` mutants from number `first` on; bombs count as the first ones."""
    tally, peak = Tally(), _peak()
    for name, text, random in _inputs(reader, first, count):
        started = time.process_time()
        failure = _failure(reader, text, random)
        tally.slowest = max(tally.slowest, (time.process_time() - started, name))
        tally.count += 1
        grown = _peak() - peak
        tally.grown = max(tally.grown, grown)
        peak += grown
        if failure or grown > MEMORY:
            tally.failures.append((name, failure or f"the process grew by {grown // 2**20} MiB"))
    return tally


def text_of(reader: Reader, number: int) -> bytes:
    """Return the mutant of a reader that has this number."""
    return mutant(reader.seeds(), Random(f"{reader.name}:{number}"))  # noqa: S311 - reproducible on purpose


def _inputs(reader: Reader, first: int, count: int) -> Iterator[tuple[str, bytes, Random]]:
    numbered = enumerate(bombs() if reader.takes_bombs else ())
    listed = [(f"bomb: {name}", text, Random(number)) for number, (name, text) in numbered] if first == 0 else []  # noqa: S311
    yield from listed[:count]
    for number in range(first, first + count - len(listed)):
        random = Random(f"{reader.name}:{number}")  # noqa: S311
        yield str(number), mutant(reader.seeds(), random), random


def _failure(reader: Reader, text: bytes, random: Random) -> str:
    """Return how a reader fails over a text, or nothing."""
    with tempfile.TemporaryDirectory(prefix="cutlist-fuzz-") as folder:
        try:
            with _at_most(SECONDS):
                reader.read(text, Path(folder), random)
        except InputError:
            return ""
        except _TooLong as error:
            return f"takes longer than {SECONDS} s: {_innermost(error)}"
        except Exception as error:
            return f"{type(error).__name__}: {str(error)[:300]} {_innermost(error)}"
    return ""


def _innermost(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/cutlist" in frame.filename or "pulumi_cutlist" in frame.filename]
    return " <- ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(own[-4:]))


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise _TooLong in whatever runs after this many seconds of processor time."""

    def stop(*_: Any) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def command(*words: str) -> str:
    """Return what a command prints. Raises Unexpected when it ends in anything but an answer, a verdict or a refusal."""
    result = CliRunner().invoke(main, list(words), env={"AWS_REGION": "", "AWS_DEFAULT_REGION": ""})
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        raise error
    if result.exit_code == INTERNAL:
        cause = error.__context__.__cause__ if error is not None and error.__context__ is not None else None
        raise Unexpected(f"{words[0]}: {result.stderr.strip()[:300]}").with_traceback(cause and cause.__traceback__)
    if result.stderr.startswith("Usage:"):
        raise Unexpected(f"{words[0]}: {result.stderr[-300:]}")
    if result.exit_code not in (0, 1, 2):
        raise Unexpected(f"{words[0]} ends with {result.exit_code}")
    if result.exit_code and not result.output.strip():
        raise Unexpected(f"{words[0]} ends with {result.exit_code} and says nothing")
    return result.stdout


_MANIFESTS: Final = (
    ("plan", *_REGION, "-o", "text"),
    ("plan", *_REGION, "-o", "json"),
    ("plan", *_REGION, "-o", "markdown"),
    ("plan", *_REGION, "-o", "html"),
    ("validate",),
    ("validate", "-o", "json"),
    ("types", *_REGION, "-o", "markdown"),
    ("explain", "Deployment/shop/web", *_REGION),
    ("gate", *_REGION, "-o", "markdown"),
    ("gate", *_REGION, "-o", "junit"),
    ("gate", *_REGION, "-o", "sarif"),
    ("userdata", "--cluster-name", "demo", "--endpoint", "https://demo.example", "--service-cidr", "10.100.0.0/16"),
)


def _with_pools(text: bytes, folder: Path, random: Random) -> None:
    others = folder / "others.yaml"
    others.write_text(seeds.POOLS)
    _manifests(text, folder, random, "-f", str(others))


def _with_pods(text: bytes, folder: Path, random: Random) -> None:
    others = folder / "others.yaml"
    others.write_text(seeds.PODS)
    _manifests(text, folder, random, "-f", str(others))


def _with_both(text: bytes, folder: Path, random: Random) -> None:
    others = folder / "others.yaml"
    others.write_text(f"{seeds.POOLS}---\n{seeds.PODS}")
    _manifests(text, folder, random, "-f", str(others))


def _manifests(text: bytes, folder: Path, random: Random, *others: str) -> None:
    is_json = text.lstrip()[:1] in (b"{", b"[")
    file = folder / random.choice(("input.json" if is_json else "input.yaml", "input.yml"))
    file.write_bytes(text)
    name, *options = random.choice(_MANIFESTS)
    command(name, "-f", str(file), *others, *options)


def _pools(text: bytes, folder: Path, random: Random) -> None:
    if random.random() < 0.2:
        (folder / "input.yaml").write_bytes(text)
        command(random.choice(("budgets", "convert")), "-f", str(folder / "input.yaml"))
    else:
        _with_pods(text, folder, random)


def _azure(text: bytes, folder: Path, random: Random) -> None:
    (folder / "input.yaml").write_bytes(text)
    form = random.choice(("text", "json", "html"))
    command("plan", "-f", str(folder / "input.yaml"), "--region", "eastus", "-o", form)


def _snapshot(text: bytes, folder: Path, random: Random) -> None:
    file = str(folder / "cluster.yaml")
    Path(file).write_bytes(text)
    options = ("-f", file, "--region", "ap-northeast-2")
    forms = random.choice(("text", "json", "markdown", "html"))
    name = random.choice(("nodes", "disrupt", "interrupt", "plan", "upgrade", "diff"))
    if name == "diff":
        command(name, file, file, "--region", "ap-northeast-2", "-o", forms)
    elif name == "upgrade":
        command(name, *options, "--from", "1.14.1", "--to", "1.15.1", "-o", forms)
    elif name == "interrupt":
        command(name, *options, "--at", _AT)
    else:
        command(name, *options, *(("--at", _AT) if name == "disrupt" else ()), "-o", forms)


def _plan_file(text: bytes, folder: Path, random: Random) -> None:
    file, manifests = folder / "plan.json", folder / "input.yaml"
    file.write_bytes(text)
    manifests.write_text(f"{seeds.POOLS}---\n{seeds.PODS}")
    options = ("-f", str(manifests), *_REGION)
    calls = (
        ("disrupt", *options, "--from-plan", str(file), "--at", _AT),
        ("nodes", *options, "--from-plan", str(file)),
        ("interrupt", *options, "--from-plan", str(file), "--at", _AT, "--allow-empty"),
        ("plan", *options, "--before", str(file), "-o", "markdown"),
        ("plan", *options, "--before", str(file), "-o", "html"),
        ("gate", *options, "--before", str(file)),
        ("history", "-f", str(_log(folder)), "--plan", str(file)),
        ("verify", "--plan", str(file), "--cluster", _VERIFIED, "--log", str(_log(folder))),
    )
    command(*random.choice(calls))


def _log(folder: Path) -> Path:
    path = folder / "karpenter.log"
    path.write_text(seeds.LOG)
    return path


def _history(text: bytes, folder: Path, random: Random) -> None:
    (folder / "karpenter.log").write_bytes(text)
    calls = (
        ("history", "-f", str(folder / "karpenter.log"), "-o", random.choice(("text", "json"))),
        ("verify", *MANIFESTS, "--region", "us-west-2", "--cluster", _VERIFIED, "--log", str(folder / "karpenter.log")),
    )
    command(*random.choice(calls))


def _gates(text: bytes, folder: Path, random: Random) -> None:
    manifests = folder / "input.yaml"
    manifests.write_text(f"{seeds.POOLS}---\n{seeds.PODS}")
    (folder / "gates.yaml").write_bytes(text)
    form = random.choice(("text", "json", "markdown", "sarif", "junit"))
    command("gate", "-f", str(manifests), "--gates", str(folder / "gates.yaml"), *_REGION, "-o", form)


def _scheduler_config(text: bytes, folder: Path, random: Random) -> None:
    del random
    manifests = folder / "input.yaml"
    manifests.write_text(f"{seeds.POOLS}---\n{seeds.PODS}")
    (folder / "config.yaml").write_bytes(text)
    command("plan", "-f", str(manifests), "--scheduler-config", str(folder / "config.yaml"), *_REGION)


def _usage(name: str) -> Callable[[bytes, Path, Random], None]:
    def read(text: bytes, folder: Path, random: Random) -> None:
        del random
        manifests = folder / "input.yaml"
        manifests.write_text(f"{seeds.POOLS}---\n{seeds.PODS}")
        (folder / name).write_bytes(text)
        resource = "cpu=" if name.endswith(".json") else ""
        command("plan", "-f", str(manifests), *_REGION, "--usage", f"{resource}{folder / name}")

    return read


def _kustomization(text: bytes, folder: Path, random: Random) -> None:
    (folder / random.choice(("kustomization.yaml", "kustomization.yml", "Kustomization"))).write_bytes(text)
    (folder / "app.yaml").write_text(seeds.PODS)
    pools = folder / "pools/pools.yaml"
    pools.parent.mkdir()
    pools.write_text(seeds.POOLS)
    command("plan", "-f", str(folder), "-f", str(pools), *_REGION)


def _stack(text: bytes, folder: Path, random: Random) -> None:
    del random
    _write_stack(folder, seeds.PROJECT.encode(), text)
    with stack_file.working_in(folder):
        gates_of_stack(stack_file.load(Path(), "dev"), known_rules())


def _project(text: bytes, folder: Path, random: Random) -> None:
    del random
    _write_stack(folder, text, seeds.STACK.encode())
    with stack_file.working_in(folder):
        gates_of_stack(stack_file.load(Path(), "dev"), known_rules())


def _write_stack(folder: Path, project: bytes, stack: bytes) -> None:
    (folder / "Pulumi.yaml").write_bytes(project)
    (folder / "Pulumi.dev.yaml").write_bytes(stack)


def _policy(text: bytes, folder: Path, random: Random) -> None:
    """Judge a document of IAM, as a text and as the data that it holds, in a role's policy, a trust and a queue."""
    del folder
    written: Any = text.decode("utf-8", "replace")
    if random.random() < 0.3:
        try:
            written = json.loads(written)
        except (ValueError, RecursionError):
            return
    kinds = (
        ("aws:iam/rolePolicy:RolePolicy", "policy"),
        ("aws:iam/role:Role", "assumeRolePolicy"),
        ("aws:sqs/queuePolicy:QueuePolicy", "policy"),
        ("aws-native:iam:ManagedPolicy", "policyDocument"),
        ("aws:kms/key:Key", "policy"),
    )
    registered = [
        Resource(kind, "fuzz", {member: written}, urn=f"urn:pulumi:dev::demo::{kind}::fuzz") for kind, member in kinds
    ]
    report = judge(registered, _default_gates(), TODAY)
    random.choice((gate_junit, gate_markdown, gate_sarif, render_gate))(report)


@cache
def _default_gates() -> Any:
    return default_gates()


def _catalogue(name: str) -> Callable[[bytes, Path, Random], None]:
    def read(text: bytes, folder: Path, random: Random) -> None:
        for other, content in seeds.catalogue().items():
            path = folder / "catalogue/aws" / other
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_sealed(text if other == name else content, always=other != name or random.random() < 0.8))
        manifests = folder / "input.yaml"
        manifests.write_text(f"{seeds.POOLS}---\n{seeds.PODS}")
        options = ("--catalog", str(folder / "catalogue"), *_REGION)
        call = random.choice(
            (("plan", "-f", str(manifests), *options), ("types", "-f", str(manifests), *options, "-o", "html"))
        )
        command(*call)

    return read


def _sealed(text: bytes, *, always: bool) -> bytes:
    """Return a catalogue file with the count of rows and the checksum that fit what it holds, so that it is read further."""
    if not always:
        return text
    lines = text.decode("utf-8", "replace").splitlines(keepends=True)
    head = [line for line in lines if line.startswith("#")]
    body = "".join(line for line in lines if not line.startswith("#"))
    seals: Mapping[str, object] = {
        "rows": len(body.removesuffix("\n").split("\n")) - 1,
        "sha256": hashlib.sha256(body.encode()).hexdigest(),
    }
    return (_SEAL.sub(lambda match: f"# {match[1]}: {seals[match[1]]}", "".join(head)) + body).encode()


def _texts(*texts: str) -> Callable[[], tuple[bytes, ...]]:
    encoded = tuple(text.encode() for text in texts)
    return lambda: encoded


def _both_forms(*texts: str) -> Callable[[], tuple[bytes, ...]]:
    """Return texts as YAML and as JSON."""
    return lambda: (*(text.encode() for text in texts), *map(seeds.as_json, texts))


READERS: Final = (
    Reader("pods", _both_forms(seeds.PODS, f"{seeds.PODS}---\n{seeds.SCALERS}"), _with_pools),
    Reader("NodePools and node classes", _both_forms(seeds.POOLS), _pools),
    Reader("objects of AKS", _both_forms(seeds.AZURE), _azure),
    Reader("overlays and buffers", _both_forms(seeds.OVERLAYS), _with_both),
    Reader("autoscalers", _both_forms(seeds.SCALERS), _with_both),
    Reader("own figures", _both_forms(seeds.FIGURES), _with_both),
    Reader("a cluster", lambda: (seeds.snapshot(),), _snapshot),
    Reader("a plan", lambda: (seeds.plan(),), _plan_file),
    Reader("Karpenter's log", _texts(seeds.LOG), _history),
    Reader("gates", _texts(seeds.GATES), _gates),
    Reader("a stack's file", _texts(seeds.STACK), _stack),
    Reader("a project's file", _texts(seeds.PROJECT), _project),
    Reader("a kustomization", _texts(seeds.KUSTOMIZATION), _kustomization),
    Reader("the scheduler's configuration", _texts(seeds.SCHEDULER_CONFIG), _scheduler_config),
    Reader("a table of measured use", _texts(seeds.USAGE_TABLE), _usage("use.csv")),
    Reader("the answer of a query", _texts(seeds.USAGE_QUERY), _usage("cpu.json")),
    Reader("recommendations", _both_forms(seeds.RECOMMENDATIONS), _usage("use.yaml")),
    Reader("a document of IAM", _texts(seeds.POLICY), _policy),
    Reader("machines", lambda: (seeds.catalogue()["machines.tsv"],), _catalogue("machines.tsv")),
    Reader("a region", lambda: (seeds.catalogue()[f"regions/{seeds.REGION}.tsv"],), _catalogue(f"regions/{seeds.REGION}.tsv")),
    Reader("prices of services", lambda: (seeds.catalogue()["services.tsv"],), _catalogue("services.tsv")),
)
