"""The programs that render layouts, where they are installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.recorded import PROJECT


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return what skips a test unless the programs are installed, which are then on the path of a user with an empty home."""
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", os.pathsep.join((str(PROJECT / ".engine/bin"), os.environ["PATH"])))

    def need(*names: str) -> None:
        missing = [name for name in names if shutil.which(name) is None]
        if missing:
            pytest.skip(f"not installed: {', '.join(missing)}; `make helm kustomize` builds them")

    return need
