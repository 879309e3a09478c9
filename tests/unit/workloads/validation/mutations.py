"""Objects of `resource.k8s.io` and pods in which one member is another than it was; what an API server says is recorded.

    python -m tests.unit.workloads.validation.mutations questions | .oracle/kubernetes > answers.jsonl
    python -m tests.unit.workloads.validation.mutations write 1.35 FOLDER < answers.jsonl

The folder is packed by `python -m tests.recorded pack FOLDER tests/conformance/answers/kubernetes.tar.xz`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.recorded import VECTORS
from tests.unit.workloads.validation.mutation_bases import BASES
from tests.unit.workloads.validation.record import paths_of_answer

GONE: Final = object()
_TEXTS: Final = ("", "A b", "a_b", "x" * 70, "a.b/c", "a/b/c", "3", "-1", 5, None, {}, GONE)
_NUMBERS: Final = (-1, 0, 1, 33, 10**6, 2**40, 1.5, "2", None, GONE)
_TRUTHS: Final = (True, False, "true", None, GONE)
_MAPS: Final = ({}, None, [], "x", GONE, {"a b": {}}, {"a": "b"})


class Mutation(NamedTuple):
    """An object with one member changed, by the name under which its answer is recorded."""

    name: str
    manifest: dict[str, Any]


def mutations() -> Iterator[Mutation]:
    """All changed objects, and the unchanged ones."""
    for name, base in BASES.items():
        yield Mutation(name, dict(base))
        for path, value in _members(base["spec"], ("spec",)):
            for index, odd in enumerate(_odd(value)):
                yield Mutation(f"{name} {'/'.join(map(str, path))} #{index}", _with(base, path, odd))


def _members(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in items:
        yield from _members(member, (*path, key))


def _odd(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return _TRUTHS
    if isinstance(value, int):
        return _NUMBERS
    if isinstance(value, str):
        return _TEXTS
    if isinstance(value, list):
        return ([], [None], None, "x", {}, GONE, value * 2, value * 40)
    return _MAPS


def _with(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    """A copy in which the member at a path is an odd one, or missing."""
    first, *rest = path
    if isinstance(value, dict):
        changed = {key: _with(member, tuple(rest), odd) if key == first and rest else member for key, member in value.items()}
        if not rest:
            changed = {key: odd if key == first else member for key, member in value.items()}
        return {key: member for key, member in changed.items() if member is not GONE}
    items = [_with(item, tuple(rest), odd) if index == first and rest else item for index, item in enumerate(value)]
    if not rest:
        items[first] = odd
    return [item for item in items if item is not GONE]


def answers(version: str) -> Mapping[str, list[str] | None]:
    """The recorded paths of what is refused, by name; None for what cannot be decoded."""
    recorded: dict[str, list[str] | None] = json.loads((VECTORS / "kubernetes" / f"{version}.json").read_text("utf-8"))
    return recorded


def main(command: str, version: str = "", folder: str = "") -> None:
    """Write the questions, or the answers of standard input as a file of a folder."""
    if command == "questions":
        sys.stdout.writelines(json.dumps({"name": m.name, "object": m.manifest}) + "\n" for m in mutations())
        return
    said = [answer for answer in map(json.loads, sys.stdin) if not (answer.get("error") or "").startswith("panic")]
    found = {answer["name"]: paths_of_answer(answer) for answer in said}
    path = Path(folder) / f"{version}.json"
    path.write_text(json.dumps({m.name: found[m.name] for m in mutations() if m.name in found}, indent=0) + "\n", "utf-8")
    sys.stdout.write(f"{len(found)} answers\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
