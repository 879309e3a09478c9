"""How near the best possible suggested NodePools come, and whether each holds what it promises: `python -m tools.benchmarks
suggest`, on 50 made sets of workloads and twelve like those in public repositories.

What an option promises is looked at from outside: its YAML is written into files, which are read, planned and judged by the
gates again, with the replicas in the manifests multiplied. Seconds are of the processor, so that other work on the machine
does not count.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any, Final

import yaml

from cutlist import Allowances, InputError, PlanSettings, default_gates, gate, plan, read_inputs, suggest
from cutlist.documents.files import SourceText
from cutlist.optimization.evaluation import CostAndRisk, more_pending
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import Plan
from cutlist.policy.gates import Verdict
from cutlist.verbs.suggest.edits import unwritten, written
from cutlist.verbs.suggest.suggestions import Suggestion, Suggestions
from tools.benchmarks.public_sets import PublicSet, public_sets
from tools.benchmarks.workload_sets import KINDS, five_thousand_pods, set_manifests

SETS: Final = 50
_TIMES: Final = (1, 2, 3, 4, 8)
"""The multiples of the replicas in which pending pods are compared."""
_JUDGED: Final = (1, 2, 4)
"""Those that are scenarios; in the others pods wait that have room today."""
_SCALED: Final = ("Deployment", "StatefulSet")
_DAY: Final = date(2026, 1, 5)
_EXACT: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one set: best and mean as multiples of their bounds, USD/hour before and at best, and what does not hold."""

    name: str
    before: float
    best: float
    above: float
    mean_above: float
    seconds: float
    plans: int
    options: int
    wrong: tuple[str, ...]
    edits: tuple[str, ...] = ()


@dataclass(slots=True)
class _Checked:
    """What does not hold of the options of one answer, looked at through files."""

    of: PublicSet
    folder: Path
    wrong: list[str] = field(default_factory=list)

    def look(self, answer: Suggestions) -> None:
        """Compare each option with the given files."""
        texts = [SourceText("all.yaml", _text(self.of.manifests))]
        today = {times: self._plan(texts, times) for times in _TIMES}
        broken = self._broken(texts)
        for number, option in enumerate(answer.options, 1):
            edited = [written(option.written, text) for text in texts]
            if missing := unwritten(option.written, edited):
                self.wrong.append(f"{number}: {missing} not written")
                continue
            files = [SourceText(text.source, text.text) for text in edited]
            then = {times: self._plan(files, times) for times in _TIMES}
            self._compare(number, option, answer, today, then)
            self.wrong += [f"{number}: {rule} {about}" for rule, about in sorted(self._broken(files) - broken)]
            self._limits(number, option)

    def _compare(
        self, number: int, option: Suggestion, answer: Suggestions, today: dict[int, Plan], then: dict[int, Plan]
    ) -> None:
        price = then[1].totals.price_per_hour or 0.0
        if abs(price - (option.figures.price or 0.0)) > _EXACT:
            self.wrong.append(f"{number}: {option.figures.price} is said, {price} is planned")
        if price > (today[1].totals.price_per_hour or 0.0) + _EXACT:
            self.wrong.append(f"{number}: costs more than today")
        if price < answer.bound - _EXACT or option.expected < answer.outlook.bound - _EXACT:
            self.wrong.append(f"{number}: below the bound")
        for times in _TIMES:
            more = more_pending(CostAndRisk.of(then[times]), CostAndRisk.of(today[times]))
            has_room = not more_pending(CostAndRisk.of(today[times]), CostAndRisk.of(today[1]))
            for workload, pods in more.items() if times in _JUDGED or has_room else ():
                self.wrong.append(f"{number}: {pods} more pods of {workload} pending at {times} times the replicas")

    def _limits(self, number: int, option: Suggestion) -> None:
        """Compare the limits of what changes with those that were there: together the same, in one proportion."""
        given = {m["metadata"]["name"]: m["spec"].get("limits") or {} for m in self.of.manifests if m["kind"] == "NodePool"}
        for pool in option.pools:
            own = given.get(pool.name.removesuffix("-first"), {})
            if set(pool.limits) != set(own):
                self.wrong.append(f"{number}: {pool.name} has other limits than today")

    def _plan(self, texts: Sequence[SourceText], times: int) -> Plan:
        return plan(self.read(self.copy_of(texts, times)))

    def read(self, path: str) -> PlanInputs:
        if self.of.karpenter is None:
            return read_inputs([path], region=self.of.region, zones=self.of.zones)
        return read_inputs([path], region=self.of.region, zones=self.of.zones, karpenter=self.of.karpenter)

    def _broken(self, texts: Sequence[SourceText]) -> set[tuple[str, str]]:
        settings = PlanSettings(region=self.of.region, zones=self.of.zones)
        if self.of.karpenter is not None:
            settings["karpenter"] = self.of.karpenter
        report = gate([self.copy_of(texts, 1)], default_gates(), _DAY, settings).report
        return {(o.rule, o.about) for o in report.outcomes if o.verdict is Verdict.VIOLATED and o.level.stops}

    def copy_of(self, texts: Sequence[SourceText], times: int) -> str:
        path = self.folder / f"times-{times}.yaml"
        path.write_text("\n---\n".join(_multiplied(text.text, times) for text in texts))
        return str(path)


def _multiplied(text: str, times: int) -> str:
    if times == 1:
        return text
    objects = list(yaml.safe_load_all(text))
    for each in objects:
        if each and each.get("kind") in _SCALED:
            each["spec"]["replicas"] = each["spec"].get("replicas", 1) * times
    return _text(objects)


def _text(objects: Sequence[Any]) -> str:
    return yaml.safe_dump_all([each for each in objects if each], sort_keys=False)


def report(sets: int, plans: int) -> int:
    """Print a line for each set, then the medians and the set of 5,000 pods; exit code 1 where something does not hold."""
    print("| set | $/hour before | best | best / bound | mean / bound | plans | options | seconds | what does not hold |")
    print("|---|---|---|---|---|---|---|---|---|")
    made = [_shown(_outcome(each, plans)) for each in _made(sets)]
    public = [_shown(_outcome(each, plans)) for each in public_sets()]
    for what, some in (("made sets", made), ("public-like sets", public)):
        if some:
            now, mean = median(o.above for o in some), median(o.mean_above for o in some)
            print(f"\n{what}: median of best / bound {now:.3f} now, {mean:.3f} on average, over {len(some)}")
    wrong = sum(bool(o.wrong) for o in (*made, *public))
    print(f"sets in which something does not hold: {wrong} of {len(made) + len(public)}")
    began = time.process_time()
    large = suggest(five_thousand_pods(), Allowances(), plans=plans)
    took = time.process_time() - began
    print(f"5,000 mixed pods: {large.plans} candidates in {took:.0f} s")
    return 1 if wrong else 0


def _made(sets: int) -> Iterator[PublicSet]:
    for number in range(sets):
        kind = list(KINDS)[number % len(KINDS)]
        yield PublicSet(f"{kind} {number // len(KINDS)}", tuple(set_manifests(kind, number // len(KINDS))))


def _outcome(of: PublicSet, plans: int) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        checked = _Checked(of, Path(folder))
        inputs = checked.read(checked.copy_of([SourceText("all.yaml", _text(of.manifests))], 1))
        began = time.process_time()
        try:
            answer = suggest(inputs, Allowances(), plans=plans)
        except InputError as error:
            return Outcome(of.name, 0.0, 0.0, 1.0, 1.0, 0.0, 0, 0, (str(error),))
        took = time.process_time() - began
        checked.look(answer)
    now, least = answer.current.price or 0.0, min(answer.options, key=lambda option: option.figures.price or 0.0)
    above = answer.above_bound(least.figures, least)
    mean_above = answer.above_expected_bound(answer.options[0].expected, answer.options[0])
    return Outcome(
        of.name,
        now,
        least.figures.price or 0.0,
        1 + (above or 0.0),
        1 + (mean_above or 0.0),
        took,
        answer.plans,
        len(answer.options),
        tuple(checked.wrong),
        tuple(edit.words for edit in answer.best.edits),
    )


def _shown(o: Outcome) -> Outcome:
    cells = (o.name, f"{o.before:.2f}", f"{o.best:.2f}", f"{o.above:.3f}", f"{o.mean_above:.3f}", o.plans, o.options)
    print(f"| {' | '.join(map(str, cells))} | {o.seconds:.1f} | {'; '.join(o.wrong) or '-'} |", flush=True)
    return o
