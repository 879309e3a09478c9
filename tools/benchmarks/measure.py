"""Measurement of one case in its own process, so that peak memory and caches are not shared with other cases."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Measured:
    """The cost of one case. Seconds are medians over the runs; memory is the peak of the whole process, reading included.

    `prepare` is the work before the first pod, `solve` the placing of pods, `finish` the closing of claims.
    """

    pods: int
    placed: int
    claims: int
    prepare: float
    solve: float
    finish: float
    peak_memory_mib: float

    @property
    def whole(self) -> float:
        """Return the seconds of the whole pass."""
        return self.prepare + self.solve + self.finish

    @property
    def pods_per_second(self) -> float:
        """Return the pods per second of the solve."""
        return self.pods / self.solve


class MeasuringError(Exception):
    """A case could not be measured; the text is the output of its process."""


def ended(program: str, done: subprocess.CompletedProcess[str]) -> str:
    """Return how a program ended that did not answer, with the end of its output."""
    return f"{program} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}"


def in_child(kind: str, name: str, runs: int) -> Measured:
    """Measure a case (`file` or `case`) in a fresh interpreter."""
    return Measured(**_ask("measure", kind, name, str(runs)))


def seconds_in_child(runs: int, *what: str) -> float:
    """Return the median of single measurements, each in a fresh interpreter: `catalogue`, `types`, or `import` with modules."""
    return median(float(_ask(*what)["seconds"]) for _ in range(runs))


def simulation_in_child(deployments: int, replicas: int, days: float, cores: int, trace: Path) -> Mapping[str, float]:
    """Return the processor seconds, the peak memory and the size of a simulation, made in a fresh interpreter."""
    return _ask("simulate", str(deployments), str(replicas), str(days), str(cores), str(trace))


def _ask(*arguments: str) -> Mapping[str, Any]:
    command = [sys.executable, "-m", "tools.benchmarks.child", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MeasuringError(done.stderr.strip() or f"{' '.join(command)} ended with {done.returncode}")
    answer: Mapping[str, Any] = json.loads(done.stdout)
    return answer
