"""Where a file is that a scenario names: its instance types, what its provider registers, the records of EC2."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tests.recorded import VECTORS


def find_file(scenario: Path, name: str) -> Path:
    """Return the file that a scenario names.

    It is looked for beside the scenario and in each folder above it (there also in `vectors` and `shared/vectors`), then in
    `$CUTLIST_VECTORS`, then among the project's own answers. Raises FileNotFoundError.
    """
    for candidate in _candidates(scenario, name):
        if candidate.is_file():
            return candidate
    raise FileNotFoundError(
        f"{name}: not beside {scenario} or above it, not in $CUTLIST_VECTORS, not among the recorded answers"
    )


def _candidates(scenario: Path, name: str) -> Iterator[Path]:
    for folder in scenario.resolve().parents:
        yield from (folder / name, folder / "vectors" / name, folder / "shared" / "vectors" / name)
    parts = [part for part in PurePosixPath(name).parts if part != ".."]
    inner = parts[1:] if parts[:1] == ["vectors"] else parts
    roots = [Path(os.environ["CUTLIST_VECTORS"])] if os.environ.get("CUTLIST_VECTORS") else []
    for root in (*roots, VECTORS):
        yield root.joinpath(*inner)
        yield from (root / folder / inner[-1] for folder in ("aws", "types"))
