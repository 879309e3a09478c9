"""Passes and rounds of random simulations with the oracle's answers in one small file, for a test that needs no oracle.

    python -m tests.conformance.stored_rounds --programs 1.14=FOLDER --programs 1.15=FOLDER

writes `recorded_rounds.jsonl.xz`, a scenario and its answer a line. Folders have the programs `schedule` and `disrupt`. Nothing
is written where a run, or Cutlist by a recorded scenario, decided something else.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cutlist.simulation.recording.recorder import DISRUPT, SCHEDULE, Recording
from tests.conformance.fuzz import say
from tests.conformance.oracle import Object, Oracle
from tests.conformance.recorded_runs import Judged, answered, plain, write
from tests.conformance.simulations import KARPENTERS, chosen, recordings

FILE: Final = Path(__file__).with_name("recorded_rounds.jsonl.xz")
SEEDS, HOURS, ROUNDS = range(1, 10), 1.5, 12
"""The runs, and how many passes and rounds are taken of each, half of them passes."""
LONGEST: Final = 90_000
REPEATS: Final = (8, 60)


def read(part: int = 0, parts: int = 1) -> Iterator[Object]:
    """Yield the rows, or those of one of several parts: kind, karpenter, seed, scenario and answer of each."""
    with lzma.open(FILE, "rt") as lines:
        yield from map(json.loads, islice(lines, part, None, parts))


def rows(programs: Mapping[str, Path]) -> Iterator[Object]:
    """Yield a row for each pass and each round whose scenario is short. Raises SystemExit for one that differs."""
    for karpenter, folder in programs.items():
        for seed in SEEDS:
            recorded = [r for r in recordings(seed, karpenter, HOURS) if len(json.dumps(r.scenario)) <= LONGEST]
            picked = chosen(recorded, ROUNDS)
            for recording, answer in _answers(picked, folder, f"{karpenter}, seed {seed}"):
                about = {"kind": recording.kind, "karpenter": karpenter, "seed": seed}
                yield {**about, "scenario": _whole(recording), "answer": answer}
            say(f"{karpenter}, seed {seed}: {len(picked)}")


def _answers(recorded: Sequence[Recording], programs: Path, run: str) -> Iterator[tuple[Recording, Object]]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        for recording in recorded:
            write(recording, folder)
        for kind in (SCHEDULE, DISRUPT):
            of_kind, oracle = [r for r in recorded if r.kind == kind], Oracle(programs / kind, folder)
            rights = oracle.ask([plain(r.scenario) for r in of_kind], 1)
            for recording, right in zip(of_kind, rights, strict=True):
                where, repeats = f"{run}, {recording.name}", list(REPEATS)
                while said := _differences(recording, folder, right):
                    if not repeats:
                        sys.exit(f"{where}: {said[0]}")
                    [right] = oracle.ask([plain(recording.scenario)], repeats.pop(0))
                if isinstance(right, dict):
                    yield recording, right


def _differences(recording: Recording, folder: Path, right: Object | str) -> list[str]:
    if isinstance(right, str):
        return [right]
    judged, file = Judged.of(recording.kind, recording.scenario), folder / f"{recording.name}.json"
    return [*judged.of_run(right, plain(recording.answer)), *judged.of_file(right, answered(file, recording.kind))]


def _whole(recording: Recording) -> Object:
    """Return a scenario with the content of the files that it names."""
    scenario, files = plain(recording.scenario), recording.files
    provider = files["providers.json"][scenario["provider"]]
    types = {pool: files[name] for pool, name in scenario["instanceTypesByNodePool"].items()}
    return {**scenario, "provider": provider, "instanceTypesByNodePool": types}


def _programs(text: str) -> tuple[str, Path]:
    version, _, folder = text.partition("=")
    if version not in KARPENTERS or not all((Path(folder) / kind).is_file() for kind in (SCHEDULE, DISRUPT)):
        versions = ", ".join(KARPENTERS)
        raise argparse.ArgumentTypeError(f"{text!r} is no version ({versions}) and folder with {SCHEDULE} and {DISRUPT}")
    return version, Path(folder)


def main(arguments: Sequence[str]) -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=_programs, action="append", required=True, metavar="VERSION=FOLDER")
    stored = list(rows(dict(parser.parse_args(arguments).programs)))
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in stored)
    FILE.write_bytes(lzma.compress(text.encode(), preset=9))
    kinds = {kind: sum(row["kind"] == kind for row in stored) for kind in (SCHEDULE, DISRUPT)}
    sys.stdout.write(f"{FILE.name}: {kinds}, {FILE.stat().st_size:,} bytes of {len(text):,}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
