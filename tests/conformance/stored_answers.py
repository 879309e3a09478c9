"""Random scenarios with Karpenter's answers in one small file, for a test that needs no oracle.

    python -m tests.conformance.stored_answers --seed 1 --count 420 --oracle PROGRAM

writes `random_scenarios.jsonl.gz`, a scenario and its answer a line. What Karpenter decides freely, or what is long, is left
out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.conformance.oracle import Object, Oracle, cutlist, differences
from tests.conformance.scenarios import scenario
from tests.recorded import VECTORS

FILE: Final = Path(__file__).with_name("random_scenarios.jsonl.gz")
LONGEST: Final = 25_000
REPEATS, MOST_ALTERNATIVES = (8, 60), 3


def read(file: Path = FILE) -> Iterator[tuple[Object, Object]]:
    """Yield the scenarios with their answers."""
    with gzip.open(file, "rt") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["scenario"], row["answer"]


def rows(oracle: Oracle, seeds: Sequence[int], folder: Path) -> Iterator[str]:
    """Yield a line for each seed whose answer is short and certain."""
    for start in range(0, len(seeds), 40):
        asked = [scenario(seed, oracle.vectors) for seed in seeds[start : start + 40]]
        for made, first in zip(asked, oracle.ask(asked, REPEATS[0]), strict=True):
            answer = first
            if isinstance(first, dict) and differences(made, first, cutlist(made, folder)):
                answer = oracle.ask([made], REPEATS[1])[0]  # what Karpenter says seldom is right as well
            line = json.dumps({"scenario": made, "answer": answer}, separators=(",", ":"))
            certain = isinstance(answer, dict) and len(answer.get("alternatives") or []) <= MOST_ALTERNATIVES
            if certain and len(line) <= LONGEST:
                yield line


def main(arguments: Sequence[str]) -> int:
    """Regenerate the file; exit code 2 without an oracle or vectors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=420)
    parser.add_argument("--oracle", type=Path, default=os.environ.get("CUTLIST_ORACLE"))
    args = parser.parse_args(arguments)
    if args.oracle is None or VECTORS is None:
        sys.stderr.write("needs the oracle (--oracle or $CUTLIST_ORACLE) and the vectors\n")
        return 2
    os.environ["CUTLIST_VECTORS"] = str(VECTORS)
    with TemporaryDirectory() as folder:
        found = rows(Oracle(args.oracle, VECTORS), range(args.seed, args.seed + args.count), Path(folder))
        text = "\n".join(found) + "\n"
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    sys.stdout.write(f"{FILE.name}: {text.count(chr(10))} scenarios, {FILE.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
