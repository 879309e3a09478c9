"""The published forms of answers, for tests that hold an answer against them."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner
from jsonschema import Draft202012Validator

from cutlist.verbs.schemas import ANSWERS
from cutlist_cli import main


def published(name: str) -> dict[str, Any]:
    """Return the schema as `cutlist schema` prints it."""
    result = CliRunner().invoke(main, ["schema", name])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    return found


def faults(name: str, data: Any) -> list[str]:
    """Return what the schema of an answer refuses in the data."""
    return [error.message for error in Draft202012Validator(ANSWERS[name]).iter_errors(data)]
