"""Expressions that select devices, and what the API servers of Kubernetes 1.35 and 1.37 say to them.

python -m tests.unit.workloads.validation.expressions questions | .oracle/kubernetes > answers.jsonl
python -m tests.unit.workloads.validation.expressions write 35 < answers.jsonl
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.unit.workloads.validation.record import MINORS

ANSWERS: Final = Path(__file__).with_name("expressions.json")


def answers() -> Mapping[str, Mapping[str, bool | None]]:
    """Whether an API server takes an expression, by its minor version; None where it was not asked."""
    recorded: dict[str, dict[str, bool | None]] = json.loads(ANSWERS.read_text("utf-8"))
    return recorded


def device_class(expression: str) -> dict[str, Any]:
    """A class of the devices that an expression selects."""
    selectors = [{"cel": {"expression": expression}}]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "a"},
        "spec": {"selectors": selectors},
    }


def main(command: str, minor: str = "") -> None:
    """Write the questions, or record the answers of standard input. A new expression gets an empty mapping in the file."""
    known = answers()
    if command == "questions":
        for expression in known:
            sys.stdout.write(json.dumps({"name": expression, "object": device_class(expression)}) + "\n")
        return
    taken = {answer["name"]: answer["accepted"] for answer in map(json.loads, sys.stdin)}
    written = {
        expression: {str(asked): taken[expression] if str(asked) == minor else said.get(str(asked)) for asked in MINORS}
        for expression, said in known.items()
    }
    rows = ",\n".join(f" {json.dumps(expression)}: {json.dumps(said)}" for expression, said in written.items())
    ANSWERS.write_text(f"{{\n{rows}\n}}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
