"""The recorded disruption scenarios, one test each, judged by the vectors' own comparison.

What Cutlist is known to get wrong stands in pending_disrupt.txt, a list that can only become shorter.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.disrupt import answer
from tests.conformance.judges import disrupt as judge
from tests.recorded import SCENARIOS, VECTORS

PENDING_FILE = Path(__file__).with_name("pending_disrupt.txt")


def answer_file(scenario: Path) -> Path:
    return scenario.with_name(f"{scenario.stem}.answer.json")


def scenarios() -> dict[str, Path]:
    """Scenario files by name: the vectors, and the seeds' replays of a disruption as `seed/name`."""
    vectors = {p.stem: p for p in sorted((VECTORS / "disruption").glob("*.json"))}
    replays = {f"{p.parts[-3]}/{p.stem}": p for p in sorted(SCENARIOS.glob("*/replay/disrupt-*.json"))}
    return {name: path for name, path in {**vectors, **replays}.items() if answer_file(path).is_file()}


RECORDED = scenarios()


def pending() -> dict[str, str]:
    """By scenario what its right answer waits for."""
    lines = (line.strip() for line in PENDING_FILE.read_text().splitlines())
    pairs = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {name.strip(): reason.strip() for name, _, reason in pairs}


PENDING = pending()


def case(name: str) -> object:
    marks = [pytest.mark.xfail(reason=PENDING[name], strict=True)] if name in PENDING else []
    return pytest.param(name, marks=marks)


def recorded(scenario: Path) -> dict[str, Any]:
    answers: dict[str, Any] = json.loads(answer_file(scenario).read_text())
    return answers


@pytest.mark.sampled(one_in=6, kinds=True)
@pytest.mark.parametrize("name", [case(name) for name in RECORDED])
def test_a_scenario_is_answered_as_karpenter_answers_it(name: str):
    """Candidates, commands, costs, budgets, events with their words, and conditions, or what ties allow as well."""
    # D-80
    ours = json.loads(json.dumps(answer(RECORDED[name])))
    assert judge.compare(recorded(RECORDED[name]), ours, messages=True) == []


def test_the_judge_can_say_no():
    """A spoilt answer is found wrong, so that the test above can fail."""
    right = recorded(next(iter(RECORDED.values())))
    compare = judge.compare
    assert compare(right, right) == []
    assert compare(right, {**right, "first": "never", "nodes": {"other": {}}}) != []


def test_every_pending_scenario_exists():
    """The list names scenarios that exist, each with what it waits for."""
    assert set(PENDING) <= set(RECORDED)
    assert all(PENDING.values())
