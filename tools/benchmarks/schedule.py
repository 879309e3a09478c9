"""`python -m tools.benchmarks schedule FILE...`: one line of JSON per scenario."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from tools.benchmarks.measure import Measured, MeasuringError, in_child


def report(files: Sequence[str], runs: int) -> int:
    """Print a line for each file as it is measured; return 1 when one could not be measured, whose line then has an `error`."""
    failed = 0
    for file in files:
        try:
            row = line(file, in_child("file", file, runs))
        except MeasuringError as problem:
            failed, row = 1, {"file": file, "error": str(problem)}
        print(json.dumps(row))
        sys.stdout.flush()
    return failed


def line(file: str, measured: Measured) -> dict[str, object]:
    """Return the members of a line. `seconds` are those of the solve only."""
    return {
        "file": file,
        "pods": measured.pods,
        "claims": measured.claims,
        "seconds": round(measured.solve, 6),
        "podsPerSecond": round(measured.pods_per_second),
        "peakMemoryMiB": round(measured.peak_memory_mib, 1),
    }
