"""Recordings of simulations, compared with the answers of the oracle: what the run decided, and what its file leads to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cutlist.simulation.recording.recorder import SCHEDULE, Recording
from tests.conformance import disrupt, fuzz_disruption, schedule
from tests.conformance.judges import disrupt as judge_disrupt
from tests.conformance.judges import schedule as judge_schedule
from tests.conformance.oracle import Object

COMPARED: Final = ("candidates", "commands")
"""What a run says about a method. Its texts are left out: a run does not simulate removals of which nothing can come."""


def write(recording: Recording, folder: Path) -> Path:
    """Write a recording with its other files into a folder; return the file of the scenario."""
    for path, content in recording.files.items():
        if not (folder / path).exists():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(json.dumps(content))
    file = folder / f"{recording.name}.json"
    file.write_text(json.dumps(recording.scenario))
    return file


def read(folder: Path) -> list[Recording]:
    """Return the recordings in a folder, in their order, without the other files that they name."""
    return [
        Recording(
            name=file.stem,
            kind=file.stem.rpartition("-")[2],
            scenario=json.loads(file.read_text()),
            answer=json.loads(file.with_suffix(".run.json").read_text()),
            files={},
        )
        for file in sorted(folder.glob("*-*.json"))
        if file.with_suffix(".run.json").is_file()
    ]


def answered(file: Path, kind: str) -> Object:
    """Return Cutlist's answer to a scenario file."""
    answer: Object = (schedule.answer if kind == SCHEDULE else disrupt.answer)(file)
    return plain(answer)


def plain(answer: Mapping[str, Any]) -> Object:
    """Return an answer as JSON reads it back."""
    read: Object = json.loads(json.dumps(answer))
    return read


@dataclass(frozen=True)
class Judged:
    """A scenario whose pods have names by which equal ones are alike, to compare answers with."""

    kind: str
    scenario: Object
    names: Mapping[str, str]

    @staticmethod
    def of(recording_kind: str, scenario: Mapping[str, Any]) -> Judged:
        """Return what answers to a scenario are compared by."""
        numbers: Counter[str] = Counter()
        classes: dict[str, str] = {}
        names: dict[str, str] = {}
        for pod in _pods(scenario):
            key = _class_key(pod)
            name = classes.setdefault(key, f"alike-{len(classes)}")
            of_pod = _name(pod, short=recording_kind == SCHEDULE)
            names[of_pod] = f"{name}-{numbers[name]}" if recording_kind == SCHEDULE else name
            numbers[name] += 1
        for name, count in _virtual(scenario):
            names |= {f"{name}-{n}": f"{name}-{n - 1}" if recording_kind == SCHEDULE else name for n in range(1, count + 1)}
            numbers[name] = count
        entries = [{"count": count, "pod": {"metadata": {"name": name}}} for name, count in numbers.items()]
        return Judged(recording_kind, {"pods": entries}, names)

    def of_run(self, right: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
        """Return how the run's own answer differs from the right one."""
        if self.kind == SCHEDULE:
            return self.of_file(right, answer)
        asked = {name: method for name, method in right["methods"].items() if name in answer["methods"]}
        expected = self._renamed({"methods": asked})
        return list(judge_disrupt.compare(expected, self._renamed(answer), parts=COMPARED))

    def of_file(self, right: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
        """Return how the answer to the file differs from the right one."""
        expected, other = self._renamed(right), self._renamed(answer)
        if self.kind == SCHEDULE:
            return list(judge_schedule.compare(self.scenario, expected, other))
        return list(fuzz_disruption.differences({}, expected, other))

    def _renamed(self, value: Any, member: str = "") -> Any:
        if isinstance(value, list):
            return [self.names.get(v, v) if isinstance(v, str) else self._renamed(v) for v in value]
        if not isinstance(value, dict):
            return value
        if member in ("errors", "ignored", "podErrors", "podEvents"):
            return {self.names.get(name, name): text for name, text in value.items()}
        return {name: self._renamed(inner, name) for name, inner in value.items()}


def _virtual(scenario: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield the names and numbers of virtual pods, those of one CapacityBuffer together."""
    for of in scenario["objects"]:
        if of["kind"] == "CapacityBuffer":
            yield f"capacity-buffer-{of['metadata']['name']}", of["spec"]["replicas"]


def _pods(scenario: Mapping[str, Any]) -> Iterator[Object]:
    yield from (entry["pod"] for entry in scenario["pods"])
    yield from (o for o in scenario["objects"] if o["kind"] == "Pod")


def _name(pod: Mapping[str, Any], *, short: bool) -> str:
    metadata = pod["metadata"]
    namespace = metadata.get("namespace", "default")
    return metadata["name"] if short and namespace == "default" else f"{namespace}/{metadata['name']}"


def _class_key(pod: Mapping[str, Any]) -> str:
    metadata = pod["metadata"]
    spec = {name: value for name, value in pod["spec"].items() if name not in ("nodeName", "terminationGracePeriodSeconds")}
    return json.dumps([metadata.get("namespace"), metadata.get("labels"), spec], sort_keys=True)
