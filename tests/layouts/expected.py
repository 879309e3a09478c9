"""What EXPECTED.md of a layout says that its commands answer, and which of these statements hold."""

from __future__ import annotations

import json
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from cutlist_cli import main

FOLDER = Path(__file__).parent
_BLOCK = re.compile(r"```json check\n(.*?)\n```", re.DOTALL)
_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    ">=": lambda seen, value: seen is not None and seen >= value,
    "<=": lambda seen, value: seen is not None and seen <= value,
    "matches": lambda seen, value: re.search(value, seen if isinstance(seen, str) else json.dumps(seen)) is not None,
    "lacks": lambda seen, value: re.search(value, seen if isinstance(seen, str) else json.dumps(seen)) is None,
}


@dataclass(frozen=True)
class Run:
    """One command, and the statements about its answer. `either` holds alternatives, one of which has to hold as a whole."""

    layout: str
    name: str
    words: tuple[str, ...]
    statements: Mapping[str, Any]

    @property
    def needs_plan(self) -> bool:
        """Whether a statement is about the plan as data."""
        parts = [self.statements, *self.statements.get("either", ())]
        return any(key in part for part in parts for key in ("counted", "placed", "absent", "pools", "json"))


@dataclass(frozen=True)
class Answer:
    """What a command says, and its plan as data."""

    exit_code: int
    text: str
    plan: Mapping[str, Any]

    def pods(self, *, pending: bool = True) -> dict[str, int]:
        """Return the pods of each workload, by kind and name, on nodes and, with `pending`, pending ones too."""
        counts: Counter[str] = Counter()
        for workload, count in pods_of(self.plan, pending=pending).items():
            counts["/".join(workload.split("/")[-2:])] += count
        return counts


def pods_of(plan: Mapping[str, Any], *, pending: bool = True) -> Counter[str]:
    """Return the pods of each workload of a plan, on nodes and, with `pending`, pending ones too."""
    parts = [(part, node["count"]) for node in plan.get("nodes", ()) for part in node["pods"]]
    parts += [(part, 1) for node in plan.get("existing", ()) for part in node["pods"]]
    parts += [(part, 1) for part in plan.get("pending", ())] if pending else []
    counts: Counter[str] = Counter()
    for part, nodes in parts:
        counts[part["workload"]] += part["count"] * nodes
    return counts


def expected(layout: str) -> tuple[str, tuple[Run, ...]]:
    """Return the remote of a layout's checkout, and the commands that are run in it."""
    block = _BLOCK.search((FOLDER / layout / "EXPECTED.md").read_text("utf-8"))
    assert block is not None, f"{layout}/EXPECTED.md has no block"
    data = json.loads(block[1])
    runs = (Run(layout, run["name"], tuple(run["argv"]), run) for run in data["runs"])
    return data["git"], tuple(runs)


def layouts() -> list[str]:
    """Return the names of the layouts."""
    return sorted(path.parent.name for path in FOLDER.glob("*/EXPECTED.md"))


def options(run: Run) -> tuple[str, ...]:
    """Return the words of a command; what it has rendered is fetched as well."""
    return (*run.words, "--fetch") if "--helm" in run.words else run.words


def answer(words: tuple[str, ...], *, with_plan: bool) -> Answer:
    """Run a command in the current folder; a second time for its data."""
    said = CliRunner().invoke(main, list(words))
    plan = CliRunner().invoke(main, [*words, "-o", "json"]).stdout if with_plan else ""
    return Answer(said.exit_code, said.output, json.loads(plan) if plan.startswith("{") else {})


def broken(statements: Mapping[str, Any], given: Answer) -> list[str]:
    """Return the statements that do not hold, in words."""
    wrong = [words for words, holds in _checked(statements, given) if not holds]
    alternatives = [broken(part, given) for part in statements.get("either", ())]
    return wrong + (min(alternatives, key=len) if alternatives else [])


def _checked(statements: Mapping[str, Any], given: Answer) -> Iterator[tuple[str, bool]]:
    """Yield each statement with whether it holds."""
    if "exit" in statements:
        yield f"exit {statements['exit']}, not {given.exit_code}", given.exit_code in statements["exit"]
    for pattern in statements.get("must", ()):
        yield f"says /{pattern}/", re.search(pattern, given.text, re.MULTILINE | re.DOTALL) is not None
    for pattern in statements.get("mustNot", ()):
        yield f"does not say /{pattern}/", re.search(pattern, given.text, re.MULTILINE | re.DOTALL) is None
    for key, pending in (("counted", True), ("placed", False)):
        pods = given.pods(pending=pending)
        for workload, count in statements.get(key, {}).items():
            yield f"{key} {workload} {count}, not {pods.get(workload, 0)}", pods.get(workload, 0) == count
    for workload in statements.get("absent", ()):
        yield f"{workload} is not counted", workload not in given.pods()
    for pool in statements.get("pools", ()):
        yield f"nodes of NodePool {pool}", pool in {node["nodePool"] for node in given.plan.get("nodes", ())}
    for path, name, value in statements.get("json", ()):
        yield f"{path} {name} {value}", _OPERATORS[name](_at(given.plan, path), value)


def _at(data: Any, path: str) -> Any:
    """Return what lies at a path; None if there is nothing."""
    for part in path.split("."):
        try:
            data = data[int(part) if isinstance(data, list) else part]
        except (KeyError, IndexError):
            return None
    return data
