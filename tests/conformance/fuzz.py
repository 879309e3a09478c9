"""Ask Karpenter's own code and Cutlist the same random scenarios, and keep the small form of every difference.

    python -m tests.conformance.fuzz --seed 1 --count 1000 [--features pods,affinity] [--oracle PROGRAM] [--keep FOLDER]
    python -m tests.conformance.fuzz --karpenter 1.15 --oracle PROGRAM ...
    python -m tests.conformance.fuzz --oracle PROGRAM --workers 4, or --dask ADDRESS

The program `schedule` of the oracle is named by --oracle or $CUTLIST_ORACLE; with --karpenter 1.15 it is that of
one built for 1.15, and scenarios have what came with it; half have devices, which --features can leave out. Where Karpenter
itself answers differently from run to run any of its answers is right; a scenario in which it never stops finding new ones is
counted as free.
With --workers batches of scenarios are judged in this many processes, with --dask on a Dask cluster whose workers see the same
files; what is found is the same. A tie in which none of 200 answers is Cutlist's is counted and named as a tie: it is neither
asked about again nor made smaller.
Exit code 1 when there is a difference.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from cutlist.core.errors import InputError
from cutlist.runners import Runner, in_order
from cutlist_cli.runner_options import RunnerOptions
from tests.conformance.oracle import SCHEDULING, Object, Oracle, Subject
from tests.conformance.scenario_file import NotBuiltError
from tests.conformance.scenarios import BASIC, FEATURES, scenario
from tests.conformance.scenarios_1_15 import with_later_features
from tests.conformance.scenarios_crowds import CROWDS, has_crowds, with_crowds
from tests.conformance.scenarios_devices import DEVICES, with_devices
from tests.conformance.shrink import shrink
from tests.recorded import VECTORS

BATCH = 40
FINDINGS = ("different", "failed")
TIE = "tie"
FREE = 8
"""From so many different answers on Karpenter is assumed to be free, when Cutlist's is not among them."""
ALL = frozenset({*FEATURES, DEVICES, CROWDS})
Scenarios = Callable[[int, Path, Collection[str]], Object]


@dataclass
class Run:
    """Fuzzing with one oracle. `counts` says what happened to the scenarios, `found` and `ties` hold the names of those
    that differ and those that are undecided."""

    oracle: Oracle
    folder: Path
    keep: Path | None = None
    say: Callable[[str], object] = print
    subject: Subject = SCHEDULING
    counts: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    ties: list[str] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """Return what happened to the scenarios so far."""
        return summary(self.counts, self.ties)

    def batch(self, scenarios: Sequence[Object]) -> None:
        """Judge some scenarios."""
        for asked, right in zip(scenarios, self.oracle.ask(scenarios, 1), strict=True):
            verdict, answers = self._verdict(asked, right)
            self.counts[verdict] += 1
            if verdict in FINDINGS:
                self._report(asked, verdict)
            if verdict == TIE and isinstance(answers, dict):
                self._report_tie(asked, answers)

    def _verdict(self, asked: Object, right: Object | str) -> tuple[str, Object | str]:
        """Return the verdict on Cutlist's answer, and all answers of the oracle that it rests on."""
        if isinstance(right, str):
            self.say(f"{asked['name']}: the oracle did not answer: {right}")
            return "unanswered", right
        try:
            given = self.subject.answered(asked, self.folder)
        except NotBuiltError:
            return "not built", right
        except InputError as problem:  # an object that no API server would have taken
            self.say(f"{asked['name']}: {problem}")
            return "refused", right
        except Exception as problem:  # whatever it is, it is a finding
            self.say(f"{asked['name']}: {type(problem).__name__}: {problem}")
            return "failed", right
        if not self.subject.differences(asked, right, given):
            return "equal", right
        for repeats in self.subject.repeats:
            right = self._all_answers(asked, repeats)
            if isinstance(right, str):
                self.say(f"{asked['name']}: the oracle no longer answers: {right}")
                return "unanswered", right
            if not self.subject.differences(asked, right, given):
                return "equal", right
            if self.subject.alternatives(right) >= repeats / 3:
                return "free", right
        return self.subject.unmatched(right), right

    def _report_tie(self, asked: Object, right: Object) -> None:
        """Name a tie, and keep it as it is: each try to make it smaller would ask as often again."""
        number = self.subject.alternatives(right) + 1
        said = self.subject.differences(asked, right, self.subject.answered(asked, self.folder))
        text = f"none of {number} answers of Karpenter in {self.subject.repeats[-1]} is Cutlist's"
        self.say(f"TIE {asked['name']} ({asked['about']}): {text}\n  " + "\n  ".join(said[:6]))
        self.ties.append(asked["name"])
        self._keep(asked, right)

    def _all_answers(self, asked: Object, repeats: int) -> Object | str:
        """Return the oracle's answer with all that it says as well when asked so often, or why it has none.

        Karpenter panics now and then over a scenario that it answers otherwise: then each run is asked for by itself.
        """
        right = self.oracle.ask([asked], repeats)[0]
        if isinstance(right, dict):
            return right
        one_by_one = (self.oracle.ask([asked], 1)[0] for _ in range(repeats))
        different: list[Object] = []
        for answer in one_by_one:
            if isinstance(answer, dict) and answer not in different:
                different.append(answer)
        return {**different[0], "alternatives": different[1:]} if different else right

    def shows(self, asked: Object, finding: str) -> bool:
        """Tell whether a scenario shows a finding: a difference beyond Karpenter's own freedom, or a failure."""
        right = self.oracle.ask([asked], 1)[0]
        if isinstance(right, str):
            return False
        say, self.say = self.say, lambda _: None
        try:
            return self._verdict(asked, right)[0] == finding
        finally:
            self.say = say

    def _report(self, asked: Object, finding: str) -> None:
        small = shrink(asked, lambda candidate: self.shows(candidate, finding))
        right = self._all_answers(small, self.subject.repeats[1])
        if isinstance(right, str):
            right = {"claims": [], "errors": {"": right}}
        try:
            said = self.subject.differences(small, right, self.subject.answered(small, self.folder))
        except Exception as problem:  # reported as it is
            said = [f"{type(problem).__name__}: {problem}"]
        self.found.append(asked["name"])
        self.say(f"{finding.upper()} {asked['name']} ({asked['about']})\n  " + "\n  ".join(said[:6]))
        self._keep(small, right)

    def _keep(self, asked: Object, right: Object) -> None:
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{asked['name']}.json").write_text(json.dumps(asked, indent=1) + "\n")
            (self.keep / f"{asked['name']}.answer.json").write_text(json.dumps(right, indent=1) + "\n")


@dataclass(frozen=True)
class Asking:
    """What batches of scenarios are judged with: the program, the folder of vectors, what is asked about, and which scenarios
    are made, with which features."""

    oracle: Path
    vectors: Path
    subject: Subject
    scenario: Scenarios
    features: Collection[str]


@dataclass(frozen=True)
class Found:
    """What was found in a batch: how many scenarios have each verdict, the names of those that differ and of ties, what was
    said, and the files that are kept."""

    counts: Mapping[str, int]
    different: Sequence[str]
    ties: Sequence[str]
    said: Sequence[str]
    kept: Mapping[str, str]


def summary(counts: Counter[str], ties: Sequence[str]) -> str:
    """Return what happened to scenarios, with the names of those that are undecided."""
    counted = ", ".join(f"{n} {what}" for what, n in counts.most_common())
    return f"{counted} ({', '.join(ties)})" if ties else counted


def judged(asking: Asking, seeds: Sequence[int]) -> Found:
    """Return what is found in the scenarios of some seeds."""
    os.environ["CUTLIST_VECTORS"] = str(asking.vectors)
    said: list[str] = []
    with TemporaryDirectory() as folder:
        keep = Path(folder, "keep")
        run = Run(Oracle(asking.oracle, asking.vectors), Path(folder), keep, said.append, asking.subject)
        run.batch([asking.scenario(seed, asking.vectors, asking.features) for seed in seeds])
        kept = {file.name: file.read_text() for file in sorted(keep.glob("*.json"))}
    return Found(run.counts, run.found, run.ties, said, kept)


def judged_in_batches(asking: Asking, batches: Sequence[Sequence[int]], runner: Runner) -> Iterator[Found]:
    """Yield what is found in batches of seeds, in their order, wherever they are judged."""
    with runner.team(_asked, asking) as team:
        yield from (outcome.value for outcome in in_order(team.outcomes(judged, batches)))


def _asked(asking: Asking) -> Asking:
    return asking


def features(text: str) -> frozenset[str]:
    """Return the named features; `basic` stands for all without an existing cluster, `all` for all."""
    found: set[str] = set()
    for name in filter(None, text.split(",")):
        if name not in {*ALL, "basic", "all", "pods"}:
            known = f"pods, basic, all, {', '.join(FEATURES)}, {CROWDS}, and {DEVICES} of 1.15"
            raise argparse.ArgumentTypeError(f"unknown feature {name!r}; there are: {known}")
        found |= {"basic": BASIC, "all": ALL}.get(name, {name})
    return frozenset(found)


def say(text: str) -> None:
    """Show a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> int:
    """Run; exit code 1 when a difference was found, 2 when there is nothing to ask."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("--features", type=features, default=ALL)
    return fuzz(parser.parse_args(arguments), SCHEDULING, {"1.14": earlier_scenario, "1.15": later_scenario})


def parser_of(text: str) -> argparse.ArgumentParser:
    """Return the options of every fuzzer."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the first scenario; each further one has the next")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--oracle", type=Path, default=os.environ.get("CUTLIST_ORACLE"))
    parser.add_argument("--karpenter", choices=("1.14", "1.15"), default="1.14", help="which Karpenter the oracle asks")
    parser.add_argument("--keep", type=Path, help="folder for small forms of the differences")
    parser.add_argument("--workers", type=int, default=1, help="processes that judge batches")
    parser.add_argument("--dask", help="address of a Dask scheduler whose workers judge batches")
    return parser


def earlier_scenario(seed: int, vectors: Path, allowed: Collection[str]) -> Object:
    """Return the scenario of a seed for Karpenter 1.14."""
    made = scenario(seed, vectors, allowed)
    return with_crowds(made, seed) if CROWDS in allowed and has_crowds(seed) else made


def later_scenario(seed: int, vectors: Path, allowed: Collection[str]) -> Object:
    """Return the scenario of a seed for Karpenter 1.15."""
    made = with_later_features(earlier_scenario(seed, vectors, allowed), seed, vectors)
    return with_devices(made, seed, vectors) if DEVICES in allowed and has_devices(seed) else made


def has_devices(seed: int) -> bool:
    """Tell whether the scenario of a seed has devices where it may: half of them do."""
    return seed % 2 == 1


def fuzz(args: argparse.Namespace, subject: Subject, scenarios: Mapping[str, Scenarios]) -> int:
    """Run over the seeds of the arguments, with the scenarios of the version of Karpenter; the exit code."""
    if args.oracle is None or VECTORS is None:
        sys.stderr.write(
            "needs the oracle (--oracle or $CUTLIST_ORACLE) and the vectors (shared/vectors or $CUTLIST_VECTORS)\n"
        )
        return 2
    started, end = time.monotonic(), args.seed + args.count
    asking = Asking(args.oracle, VECTORS, subject, scenarios[args.karpenter], args.features)
    batches = [range(start, min(start + BATCH, end)) for start in range(args.seed, end, BATCH)]
    counts, ties, differs = Counter[str](), list[str](), False
    with RunnerOptions(None if args.dask else args.workers, args.dask).started(len(batches)) as runner:
        for seeds, found in zip(batches, judged_in_batches(asking, batches, runner), strict=True):
            counts.update(found.counts)
            ties += found.ties
            differs |= bool(found.different)
            _tell(found, args.keep)
            if seeds.stop == end or (seeds.stop - args.seed) % (10 * BATCH) == 0:
                passed = time.monotonic() - started
                say(f"seeds {args.seed} to {seeds.stop - 1}: {summary(counts, ties)}; {passed:.0f} s")
    return int(differs)


def _tell(found: Found, keep: Path | None) -> None:
    for line in found.said:
        say(line)
    if keep is not None and found.kept:
        keep.mkdir(parents=True, exist_ok=True)
        for name, text in found.kept.items():
            (keep / name).write_text(text)


if __name__ == "__main__":
    from tests.conformance import fuzz as named  # so that other processes find the functions by their names

    sys.exit(named.main(sys.argv[1:]))
