"""Asking Karpenter's own code about scenarios, through the programs of the oracle, and judging answers."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.conformance import devices
from tests.conformance.judges import devices as judge
from tests.conformance.schedule import answer as without_devices

Object = dict[str, Any]
MOST_REPEATS: Final = 200
"""How often the oracle is asked one question at most: what it has not answered by then may still be an answer of Karpenter's,
but more questions would hardly show it."""
FREE: Final = 8
"""From so many different answers on Karpenter is assumed to be free, when Cutlist's is not among them."""


@dataclass(frozen=True)
class Oracle:
    """The program, and the folder of vectors in which it finds type files."""

    program: Path
    vectors: Path

    def ask(self, scenarios: Sequence[Object], repeats: int) -> list[Object | str]:
        """Return the answer to each scenario, or what the program had to say instead.

        Each is asked `repeats` times; answers that differ from the first stand under its `alternatives`. A scenario on which
        the program breaks off does not take those after it along.
        """
        answers: list[Object | str] = []
        while len(answers) < len(scenarios):
            answers += self._ask(scenarios[len(answers) :], repeats)
        return answers

    def _ask(self, scenarios: Sequence[Object], repeats: int) -> list[Object | str]:
        """Return answers up to the first scenario on which the program breaks off, at least one."""
        found: list[Object | str] = []
        with TemporaryDirectory() as folder:
            files = [Path(folder) / f"{i}.json" for i in range(len(scenarios))]
            for file, scenario in zip(files, scenarios, strict=True):
                file.write_text(json.dumps(scenario))
            command = ["nice", self.program, "-write", f"-repeat={repeats}", *files]
            environment = {**os.environ, "CUTLIST_VECTORS": str(self.vectors)}
            run = subprocess.run(command, capture_output=True, text=True, env=environment)
            for file in files:
                answer = file.with_suffix(".answer.json")
                said = [line for line in run.stderr.splitlines() if f"{file}:" in line]
                if not answer.is_file() and not said:
                    return [*found, f"broke off: {run.stderr.partition('panic:')[2][:300].strip()}"]
                found.append(json.loads(answer.read_text()) if answer.is_file() else said[0])
        return found


@dataclass(frozen=True)
class Subject:
    """What is asked about: how Cutlist answers, what sets an answer apart from the right one, and how many right ones the
    oracle has reported besides. `repeats` is how often it is asked again, as long as none of its answers is Cutlist's."""

    answered: Callable[[Mapping[str, Any], Path], Object]
    differences: Callable[[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]], list[str]]
    alternatives: Callable[[Mapping[str, Any]], int]
    repeats: tuple[int, ...]

    def unmatched(self, right: Mapping[str, Any]) -> str:
        """Return the verdict on an answer of Cutlist's that differs from all that the oracle gave when asked most often.

        `different` when Karpenter always gave the same answer, `tie` when it gave a few, `free` when many.
        """
        alternatives = self.alternatives(right)
        return "different" if not alternatives else "tie" if alternatives < FREE else "free"


def answer(file: Path) -> Object:
    """Cutlist's answer to a scenario for scheduling, with devices or candidates of disruption, or without."""
    asked = json.loads(file.read_text())
    return devices.answer(file) if asked.get("deviceClasses") or asked.get("candidates") else without_devices(file)


def cutlist(scenario: Mapping[str, Any], folder: Path, answer: Callable[[Path], Object] = answer) -> Object:
    """Cutlist's answer to a scenario, through a file in this folder."""
    file = folder / "scenario.json"
    file.write_text(json.dumps(scenario))
    said: Object = json.loads(json.dumps(answer(file)))
    return said


def differences(scenario: Mapping[str, Any], right: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Return what sets an answer apart from the right one and its alternatives; empty when it is one of them."""
    return list(judge.compare(with_virtual_pods(scenario), right, given))


def with_virtual_pods(scenario: Mapping[str, Any]) -> Object:
    """Return the scenario with the pods of its CapacityBuffers as entries: then they may stand for one another like others."""
    buffers = [o for o in scenario.get("objects", []) if o["kind"] == "CapacityBuffer"]
    entries = [
        {
            "count": (o.get("status") or {}).get("replicas", 0) + 1,
            "pod": {"metadata": {**o["metadata"], "name": f"capacity-buffer-{o['metadata']['name']}"}},
        }
        for o in buffers
    ]
    return {**scenario, "pods": [*scenario.get("pods", []), *entries]}


def alternatives(right: Mapping[str, Any]) -> int:
    """Return how many other answers the oracle has given."""
    return len(right.get("alternatives") or [])


SCHEDULING = Subject(cutlist, differences, alternatives, (6, 30, 120, MOST_REPEATS))
