"""Record random simulations, and ask Karpenter's own code about each pass and each round of disruption.

    python -m tests.conformance.fuzz_simulation --seed 1 --count 10 --programs FOLDER [--karpenter 1.15] [--keep FOLDER]
    python -m tests.conformance.fuzz_simulation --recorded FOLDER --programs FOLDER

The folder of --programs has the programs `schedule` and `disrupt` of the oracle, that of --recorded what `cutlist simulate
--record` wrote. Both what Cutlist decided in the run and what it decides from the recorded scenario have to be an answer of
Karpenter's. Exit code 1 when there is a difference.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cutlist.simulation.recording.recorder import DISRUPT, SCHEDULE, Recording
from tests.conformance import fuzz_disruption
from tests.conformance.fuzz import TIE, say
from tests.conformance.oracle import MOST_REPEATS, SCHEDULING, Object, Oracle
from tests.conformance.recorded_runs import Judged, answered, plain, read, write
from tests.conformance.simulations import KARPENTERS, chosen, recordings

REPEATS: Final = (8, 60, MOST_REPEATS)


@dataclass
class Fuzzer:
    """Asks the programs in a folder about recordings, and counts the verdicts by kind."""

    programs: Path
    keep: Path | None = None
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def run(self, seed: int, recorded: Sequence[Recording]) -> None:
        """Judge the recordings of the run of a seed."""
        with TemporaryDirectory() as folder:
            for recording in recorded:
                write(recording, Path(folder))
            self.judge(f"seed {seed}", recorded, Path(folder))

    def judge(self, run: str, recorded: Sequence[Recording], folder: Path) -> None:
        """Judge the recordings of a run, which lie in a folder."""
        for kind in (SCHEDULE, DISRUPT):
            of_kind = [recording for recording in recorded if recording.kind == kind]
            oracle = Oracle(self.programs / kind, folder)
            rights = oracle.ask([plain(r.scenario) for r in of_kind], 1)
            for recording, right in zip(of_kind, rights, strict=True):
                verdict, said = self._verdict(oracle, recording, folder / f"{recording.name}.json", right)
                self.counts[kind, verdict] += 1
                if verdict not in ("equal", "free"):
                    self._report(run, recording, right, verdict, said)

    def _verdict(self, oracle: Oracle, recording: Recording, file: Path, right: Object | str) -> tuple[str, list[str]]:
        if isinstance(right, str):
            return "unanswered", [right]
        judged = Judged.of(recording.kind, recording.scenario)
        in_run, from_file = plain(recording.answer), answered(file, recording.kind)
        subject = SCHEDULING if recording.kind == SCHEDULE else fuzz_disruption.DISRUPTION
        for repeats in (1, *REPEATS):
            if repeats > 1:
                [right] = oracle.ask([plain(recording.scenario)], repeats)
            if isinstance(right, str):
                return "unanswered", [right]
            said = [f"in the run: {line}" for line in judged.of_run(right, in_run)]
            said += [f"from the file: {line}" for line in judged.of_file(right, from_file)]
            if not said:
                return "equal", []
        return subject.unmatched(right), said

    def _report(self, run: str, recording: Recording, right: Object | str, verdict: str, said: Sequence[str]) -> None:
        say(f"{verdict.upper()} {run} {recording.name}\n  " + "\n  ".join(said[:6]))
        if self.keep is not None:
            folder = self.keep / run.replace(" ", "-")
            folder.mkdir(parents=True, exist_ok=True)
            write(recording, folder)
            (folder / f"{recording.name}.answer.json").write_text(json.dumps(right, indent=1))
            (folder / f"{recording.name}.run.json").write_text(json.dumps(recording.answer, indent=1))

    @property
    def summary(self) -> str:
        """Return the counts of the recordings so far."""
        return ", ".join(f"{kind}: {count} {verdict}" for (kind, verdict), count in sorted(self.counts.items()))

    @property
    def failed(self) -> bool:
        """Tell whether something was different, or not answered."""
        return any(verdict not in ("equal", "free", TIE) for _, verdict in self.counts)


def main(arguments: Sequence[str]) -> int:
    """Run; exit code 1 when a difference was found, 2 without the programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the first simulation; each further one has the next")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=60, help="most passes and rounds of one simulation that are asked about")
    parser.add_argument("--recorded", type=Path, help="folder of `cutlist simulate --record`, in place of random simulations")
    parser.add_argument("--programs", type=Path, required=True, help="folder with the oracle's programs schedule and disrupt")
    parser.add_argument("--karpenter", choices=tuple(KARPENTERS), default="1.14", help="which Karpenter they ask")
    parser.add_argument("--keep", type=Path, help="folder for the scenarios that differ")
    args = parser.parse_args(arguments)
    if not all((args.programs / kind).is_file() for kind in (SCHEDULE, DISRUPT)):
        sys.stderr.write(f"{args.programs} has no programs {SCHEDULE} and {DISRUPT}\n")
        return 2
    fuzzer, started = Fuzzer(args.programs, args.keep), time.monotonic()
    if args.recorded is not None:
        fuzzer.judge(args.recorded.name, read(args.recorded), args.recorded)
        say(f"{args.recorded}: {fuzzer.summary}; {time.monotonic() - started:.0f} s")
        return 1 if fuzzer.failed else 0
    for seed in range(args.seed, args.seed + args.count):
        fuzzer.run(seed, chosen(recordings(seed, args.karpenter), args.rounds))
        say(f"seed {seed}: {fuzzer.summary}; {time.monotonic() - started:.0f} s")
    return 1 if fuzzer.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
