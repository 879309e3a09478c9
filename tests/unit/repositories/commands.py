"""Commands that are run in a repository as its owner would run them first."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cutlist_cli import main
from tests.layouts.expected import FOLDER as FOLDER
from tests.layouts.expected import pods_of


@dataclass(frozen=True)
class Answer:
    """What a command wrote, and its exit code."""

    exit_code: int
    text: str

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.text)

    def pods(self) -> dict[str, int]:
        """The pods by workload, with those that stay pending."""
        return pods_of(self.data)


def run_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Answer:
    """Run a command in a folder; standard output and standard error together, unless it writes JSON."""
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, list(words))
    return Answer(result.exit_code, result.stdout if "json" in words else result.output)
