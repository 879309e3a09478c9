"""The questions of the cases for whoever answers like an API server, and the record of the answers.

`questions` writes a JSON line for each case, with its name and object. The program of `oracle/kubernetes`, or a live API server
asked by a server-side dry run with strict fields, answers each with a line that has `name`, `accepted` and `causes`, each cause
with `path` and `message`. `write` records these lines and names the cases whose answer is another one now.

    python -m tests.unit.workloads.validation.record questions | .oracle/kubernetes > answers.jsonl
    python -m tests.unit.workloads.validation.record write 35 < answers.jsonl          # the minor version of Kubernetes
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.unit.workloads.validation.cases import CASES

MINORS: Final = (35, 37)
"""The minor versions of Kubernetes whose answers are recorded."""


def answers(minor: int) -> Mapping[str, list[str] | None]:
    """The recorded paths of what is refused, by case; None for what cannot be decoded, which has no path."""
    recorded: dict[str, list[str] | None] = json.loads(_file(minor).read_text("utf-8"))
    return recorded


def _file(minor: int) -> Path:
    return Path(__file__).with_name(f"answers-1.{minor}.json")


def questions() -> str:
    """One JSON line for each case."""
    return "".join(json.dumps({"name": case.name, "object": case.manifest}) + "\n" for case in CASES)


def recorded(lines: Iterable[str]) -> dict[str, list[str] | None]:
    """The answers to record: no path where the object is taken."""
    answer_of: dict[str, Any] = {answer["name"]: answer for answer in map(json.loads, lines)}
    return {case.name: paths_of_answer(answer_of[case.name]) for case in CASES}


def paths_of_answer(answer: Mapping[str, Any]) -> list[str] | None:
    if answer["accepted"]:
        return []
    return sorted({cause["path"] for cause in answer.get("causes") or ()}) or None


def main(command: str, minor: str = "") -> None:
    """Write the questions, or record the answers of standard input."""
    if command == "questions":
        sys.stdout.write(questions())
        return
    file = _file(int(minor))
    new, old = recorded(sys.stdin), answers(int(minor)) if file.exists() else {}
    different = [name for name, paths in new.items() if old.get(name, paths) != paths]
    file.write_text(json.dumps(new, indent=1) + "\n", "utf-8")
    sys.stdout.write("".join(f"another answer: {name}\n" for name in different) + f"{len(new)} answers\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
