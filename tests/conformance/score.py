"""Asks a command all recorded questions, and says how many of its answers are right.

    python -m tests.conformance.score [--root FOLDER] [--show N] [--json] [KIND ...] -- COMMAND...

COMMAND is run as `COMMAND KIND FILE...`, for example `.venv/bin/python -m tests.conformance`. For each file, in any order, it
prints one line of JSON, {"file": as given, "answer": ...}; a file without an answer counts as wrong. What an answer looks like:

    algebra        by index of a case, the members that are not its input
    schedule       as tools/oracle/core/FORMAT.md describes it
    disrupt        likewise
    aws-types      by name of a case, a list of instance types, or {"refused": text}
    aws-launch     by name of a case, an answer in the form of `expected`
    aws-userdata   likewise
    validate       by name of a case, accepted, errors, defaulted, ready, runtime, hash, allowed
    hash           by name of a case, hash
    convert        by name of a case, fromAccepted, accepted, result

Without --root the project's own answers are asked: those of Karpenter 1.14, and in folders named after their minor those of
later ones, whose questions say which Karpenter they ask (`"karpenter": "1.15.0"`). Exit code 0 when all answers are
right, 1 when not.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conformance.judges import api, disrupt, launch, schedule, since_1_15, types
from tests.recorded import VECTORS

KINDS = {
    "algebra": "algebra",
    "schedule": "scheduling",
    "disrupt": "disruption",
    "aws-types": "aws",
    "aws-launch": "aws-launch",
    "aws-userdata": "aws-userdata",
    "validate": "api/*",
    "hash": "api/hash",
    "convert": "api/convert",
}
"""The folder of each kind's files."""
INPUTS = {"in", "a", "b", "c", "pod", "first", "second", "taints", "tolerations", "price", "change"}
BATCH = 200
_WITH_PARTS = ("validate", "convert", "algebra")


def files_of(kind: str, root: Path) -> list[Path]:
    """Return the files of a kind."""
    files = sorted(path for path in root.glob(f"{KINDS[kind]}/*.json") if not path.name.endswith(".answer.json"))
    return [path for path in files if kind != "validate" or path.parent.name not in ("hash", "convert")]


def ask(command: Sequence[str], kind: str, files: Sequence[Path], timeout: int) -> dict[str, Any]:
    """Return the answers of a command, by file."""
    answers: dict[str, Any] = {}
    for start in range(0, len(files), BATCH):
        batch = [str(path) for path in files[start : start + BATCH]]
        try:
            run = subprocess.run([*command, kind, *batch], capture_output=True, text=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            sys.stderr.write(f"{kind}: no answer in {timeout} s\n")
            continue
        if run.returncode:
            sys.stderr.write(f"{kind}: exit code {run.returncode}: {''.join(run.stderr.strip().splitlines()[-1:])}\n")
        answers |= {row["file"]: row.get("answer") for row in map(_row, run.stdout.splitlines()) if "file" in row}
    return answers


def _row(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def in_any_order(value: Any) -> Any:
    """Return a message with the words of each bracketed list in a fixed order: Go prints sets as their maps lie."""
    if not isinstance(value, str):
        return value
    return re.sub(r"\[([^][]+)\]", lambda match: f"[{' '.join(sorted(match[1].split()))}]", value)


def cases_of(kind: str, path: str | Path, answer: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield each case of a file, with what sets its answer apart from the recorded one."""
    path = Path(path)
    document = json.loads(path.read_text())
    if kind in ("schedule", "disrupt"):
        expected = json.loads(path.with_name(f"{path.stem}.answer.json").read_text())
        if answer is None:
            yield path.name, ["no answer"]
        elif kind == "schedule":
            yield path.name, [*schedule.compare(document, expected, answer), *since_1_15.compare(expected, answer)]
        else:
            messages = document.get("karpenter") is not None  # texts changed with 1.15
            yield path.name, [*disrupt.compare(expected, answer, messages), *since_1_15.compare(expected, answer)]
    elif kind == "algebra":
        for number, case in enumerate(document):
            yield f"{path.name}[{number}]", list(_algebra(case, (answer or {}).get(str(number)) or {}))
    elif kind.startswith("aws-"):
        judge = types if kind == "aws-types" else launch
        for case in document["cases"]:
            yield case["name"], judge.diff_cases({**document, "cases": [case]}, answer or {})
    else:
        levels = {"validate": api.validate, "hash": api.hashes, "convert": api.convert}[kind]
        for case in document:
            judged = levels(case, (answer or {}).get(case["name"]) or {})
            yield case["name"], [f"{level}: {json.dumps(detail)[:400]}" for level, right, detail in judged if not right]


def _algebra(case: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[str]:
    for name, expected in case.items():
        if name not in INPUTS and in_any_order(answer.get(name)) != in_any_order(expected):
            yield f"{name}: {answer.get(name)!r}, expected {expected!r}"


def score(kind: str, root: Path, command: Sequence[str], show: int, timeout: int) -> dict[str, Any]:
    """Return how many answers of a kind are right; the first wrong ones are shown."""
    files, started = files_of(kind, root), time.monotonic()
    answers = ask(command, kind, files, timeout)
    seconds, total = round(time.monotonic() - started, 2), 0
    wrong: Counter[str] = Counter()
    for path in files:
        try:
            judged = list(cases_of(kind, path, answers.get(str(path))))
        except Exception as problem:  # a malformed answer is a wrong answer
            judged = [(path.name, [f"unreadable answer: {problem!r}"])]
        for case, differences in judged:
            total += 1
            if differences:
                if wrong.total() < show:
                    rows = "\n    ".join(str(difference)[:300] for difference in differences[:4])
                    sys.stdout.write(f"{kind} {path.relative_to(root)} {case}\n    {rows}\n")
                wrong[differences[0].split(":")[0] if kind in _WITH_PARTS else "case"] += 1
    right = total - wrong.total()
    return {"kind": kind, "right": right, "total": total, "files": len(files), "seconds": seconds, "wrong_by": dict(wrong)}


def main(arguments: Sequence[str]) -> int:
    """Print a line for each kind."""
    if "--" not in arguments:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    cut = list(arguments).index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--root", type=Path, default=VECTORS)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--timeout", type=int, default=900)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments[:cut])
    root, command = options.root.resolve(), arguments[cut + 1 :]
    rows = [
        {**score(kind, folder, command, options.show, options.timeout), "karpenter": folder.name if folder != root else ""}
        for folder in (root, *sorted(root.glob("[0-9]*.[0-9]*")))
        for kind in options.kinds or KINDS
        if files_of(kind, folder)
    ]
    if options.json:
        sys.stdout.write(f"{json.dumps(rows)}\n")
    for row in () if options.json else rows:
        parts = ", ".join(f"{part} {count}" for part, count in row["wrong_by"].items())
        name = f"{row['kind']} {row['karpenter']}"
        line = f"{name:18} {row['right']:6} of {row['total']:6} right   {row['seconds']:7.2f} s   {parts}"
        sys.stdout.write(f"{line.rstrip()}\n")
    return 0 if rows and all(row["right"] == row["total"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
