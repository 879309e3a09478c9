"""Inputs of benchmarks that are recorded in the project, by name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.recorded import VECTORS


def located(files: Iterable[str]) -> list[str]:
    """Return each file as it is, or the recorded input of its name, unpacked, where no such file is here."""
    recorded = VECTORS / "bench"
    return [str(recorded / file) if not Path(file).exists() and (recorded / file).is_file() else file for file in files]
