"""A checkout with a chart, in which a test runs, and a `helm` that only records what it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.delivery.checkouts import CHART, checkout, stand_in


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of the checkout, which is the working directory."""
    monkeypatch.chdir(checkout(tmp_path / "deploy", CHART))
    return Path()


@pytest.fixture
def helm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which the stand-in of `helm` keeps its words."""
    folder = stand_in(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return folder
