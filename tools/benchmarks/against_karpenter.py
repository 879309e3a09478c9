"""`python -m tools.benchmarks against-karpenter FILE...`: Cutlist and Karpenter's own Solve, run in turn on the same inputs."""

from __future__ import annotations

import gzip
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tools.benchmarks.karpenter import VECTORS, vectors_of
from tools.benchmarks.measure import MeasuringError, ended, in_child

VARIABLE = "CUTLIST_ORACLE_BENCH"
HOW = f"""\
The program that asks Karpenter is not there. Build it where the oracle's sources are (Go 1.26 or newer):

    go build -p 2 -o "$BIN"/ ./cmd/bench

and name it: python -m tools.benchmarks against-karpenter --bench "$BIN"/bench FILE...   (or {VARIABLE}="$BIN"/bench)
"""
_TITLES = (
    *("input", "pods", "claims", "Cutlist", "Karpenter", "Cutlist pods/s", "Karpenter pods/s", "ratio", "runs"),
    *("Cutlist, processor", "Karpenter, processor"),
)
_LINE = re.compile(r"placed=(?P<placed>\d+) claims=(?P<claims>\d+).* solve=(?P<solve>[\d.]+)s")


@dataclass(frozen=True, slots=True)
class Solved:
    """One run of either side: pods placed, claims opened, seconds of the solve only, processor time of the whole process."""

    placed: int
    claims: int
    seconds: float
    processor: float


def report(bench: str | None, files: Sequence[str], runs: int) -> int:
    """Print a row per file; return 2 without the program, 1 when a run failed or the two did not open the same number of
    claims."""
    program = bench or os.environ.get(VARIABLE)
    if not program or not Path(program).is_file():
        sys.stderr.write((f"{program} is not a file. " if program else "") + HOW)
        return 2
    print(f"| {' | '.join(_TITLES)} |")
    print("|---" * len(_TITLES) + "|")
    return max([_row(program, file, runs) for file in files], default=0)


def _row(program: str, file: str, runs: int) -> int:
    ours: list[Solved] = []
    theirs: list[Solved] = []
    try:
        for _ in range(runs):
            before = _processor_of_children()
            m = in_child("file", file, 1)
            ours.append(Solved(m.placed, m.claims, m.solve, _processor_of_children() - before))
            theirs.append(_karpenter(program, file))
    except (MeasuringError, OSError) as problem:
        sys.stderr.write(f"{file}: {problem}\n")
        return 1
    mine, other = median(s.seconds for s in ours), median(s.seconds for s in theirs)
    busy, other_busy = (median(s.processor for s in side) for side in (ours, theirs))
    a, b = ours[0], theirs[0]
    same = (a.placed, a.claims) == (b.placed, b.claims)
    claims = f"{a.claims:,}" if same else f"{a.claims:,} with {a.placed:,} pods, Karpenter {b.claims:,} with {b.placed:,}"
    print(
        f"| {Path(file).name} | {m.pods:,} | {claims} | {mine:.4f} s | {other:.3f} s "
        f"| {m.pods / mine:,.0f} | {m.pods / other:,.0f} | x {other / mine:,.1f} | {runs} | {busy:.2f} s | {other_busy:.2f} s |"
    )
    sys.stdout.flush()
    return 0 if same else 1


def _karpenter(program: str, file: str) -> Solved:
    before = _processor_of_children()
    with _readable(Path(file)) as (scenario, environment):
        done = subprocess.run([program, str(scenario)], capture_output=True, text=True, env=environment, check=False)
    match = _LINE.search(done.stdout)
    if done.returncode or match is None:
        raise MeasuringError(ended(program, done))
    return Solved(int(match["placed"]), int(match["claims"]), float(match["solve"]), _processor_of_children() - before)


def _processor_of_children() -> float:
    """Return the processor time of all processes that ended so far, of all their cores: other work does not count in it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _readable(file: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield the file as the program can read it: unpacked, with the type files where it will find them."""
    environment = dict(os.environ)
    if file.suffix != ".gz":
        yield file, environment
        return
    environment.setdefault(VECTORS, str(vectors_of(file)))
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder) / file.stem
        unpacked.write_bytes(gzip.decompress(file.read_bytes()))
        yield unpacked, environment
