"""`python -m tests.fuzz [readers|processes]`: broken inputs for every reader, and commands in hostile surroundings.

Prints what was tried and what failed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from cutlist.runners import in_order
from cutlist_cli.runner_options import RunnerOptions
from tests.fuzz.command_lines import command_lines, failure_of, prepare
from tests.fuzz.readers import READERS, Tally
from tests.fuzz.tallies import Mutants, nothing, tally_of


def main() -> int:
    """Run the chosen part, print counts and failures, and return 1 if there is a failure."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("part", nargs="?", choices=sorted(_PARTS), help="what is tried; all without it")
    parser.add_argument("--count", type=int, help="inputs of each reader, or processes")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant; bombs come only with 0")
    parser.add_argument("--only", default="", help="readers, or command lines, whose names contain this")
    parser.add_argument("--workers", type=int, default=1, help="processes that try readers")
    parser.add_argument("--dask", help="address of a Dask scheduler whose workers try readers")
    options = parser.parse_args()
    failed = 0
    for part in [options.part] if options.part else sorted(_PARTS, reverse=True):
        for line, is_failure in _PARTS[part](options):
            failed += is_failure
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    return int(bool(failed))


def _readers(options: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    """Yield a line for each reader, and one for each of its failures: each reader has its own process."""
    chosen = [number for number, reader in enumerate(READERS) if options.only in reader.name]
    count, total, failed = options.count or 600, 0, 0
    jobs = [Mutants(number, options.first, count) for number in chosen]
    where = RunnerOptions(None if options.dask else options.workers, options.dask)
    with where.started(len(jobs)) as runner, runner.team(nothing, None) as team:
        for number, outcome in zip(chosen, in_order(team.outcomes(tally_of, jobs)), strict=True):
            tally = outcome.value
            total, failed = total + tally.count, failed + len(tally.failures)
            yield _summary(READERS[number].name, tally), False
            yield from ((f"  {name}: {failure}", True) for name, failure in tally.failures)
    yield f"{total:,} inputs, {failed} failed", False


def _summary(name: str, tally: Tally) -> str:
    seconds, slowest = tally.slowest
    figures = f"slowest {seconds:.1f} s ({slowest}), grew by at most {tally.grown // 2**20} MiB"
    return f"{name}: {tally.count:,} inputs, {len(tally.failures)} failed; {figures}"


def _processes(options: argparse.Namespace) -> Iterator[tuple[str, bool]]:
    """Yield a line for each command line that ends as it may not, and one with the counts."""
    lines = [line for line in command_lines(options.count or 300, str(options.first)) if options.only in str(line)]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="cutlist-fuzz-") as folder:
        prepare(Path(folder))
        for line in lines:
            failure = failure_of(line, Path(folder))
            if failure:
                failed += 1
                yield f"  {str(line)!r}: {failure}", True
    yield f"{len(lines):,} processes, {failed} failed", False


_PARTS: Final[dict[str, Callable[[argparse.Namespace], Iterator[tuple[str, bool]]]]] = {
    "readers": _readers,
    "processes": _processes,
}


if __name__ == "__main__":
    sys.exit(main())
