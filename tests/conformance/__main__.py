"""Answer vectors: `python -m tests.conformance KIND FILE...` prints one line of JSON a file.

A line is {"file": as given, "answer": ...}, or {"file", "error"} for a file that cannot be answered; the run then goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

KINDS = {
    "algebra": "tests.conformance.algebra",
    "schedule": "tests.conformance.schedule",
    "disrupt": "tests.conformance.disrupt",
    "aws-types": "tests.conformance.aws_types",
    "aws-launch": "tests.conformance.aws_launch",
    "aws-userdata": "tests.conformance.aws_userdata",
    "validate": "tests.conformance.api_validate",
    "hash": "tests.conformance.api_hash",
    "convert": "tests.conformance.convert",
}
"""The module of each kind; it has a function `answer(path)`."""


def answers(kind: str, files: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield a row for each file, in the given order."""
    answer: Callable[[Path], Any] = import_module(KINDS[kind]).answer
    for file in files:
        try:
            yield {"file": file, "answer": answer(Path(file))}
        except Exception as problem:  # one file must not end the run
            yield {"file": file, "error": f"{type(problem).__name__}: {problem}"}


def main(arguments: Sequence[str]) -> int:
    """Print the answers; exit code 2 when asked for something that does not exist."""
    if not arguments or arguments[0] not in KINDS:
        found = f"unknown kind {arguments[0]!r}; " if arguments else ""
        sys.stderr.write(f"{found}usage: python -m tests.conformance KIND FILE... with KIND one of: {', '.join(KINDS)}\n")
        return 2
    for row in answers(arguments[0], arguments[1:]):
        sys.stdout.write(json.dumps(row) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
