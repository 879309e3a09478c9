"""The recorded scheduling scenarios, one test each, judged by the vectors' own comparison.

What Cutlist does not plan yet is skipped with the harness' reason; what it is known to get wrong stands in
pending_schedule.txt, a list that can only become shorter.
"""

from __future__ import annotations

import importlib.util
import json
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import pytest

from tests.conformance.schedule import NotBuiltError, answer
from tests.shared import SHARED, VECTORS, needs_shared

pytestmark = needs_shared

PENDING_FILE = Path(__file__).with_name("pending_schedule.txt")


def answer_file(scenario: Path) -> Path:
    return scenario.with_name(f"{scenario.stem}.answer.json")


def scenarios() -> dict[str, Path]:
    """Scenario files by name: the vectors, and the seeds' replays of a pass as `seed/name`."""
    if SHARED is None or VECTORS is None:
        return {}
    vectors = {p.stem: p for p in sorted((VECTORS / "scheduling").glob("*.json"))}
    replays = {f"{p.parts[-3]}/{p.stem}": p for p in sorted(SHARED.glob("seeds/*/replay/*.json")) if "disrupt-" not in p.name}
    return {name: path for name, path in {**vectors, **replays}.items() if answer_file(path).is_file()}


SCENARIOS = scenarios()


def pending() -> dict[str, str]:
    """By scenario what its right answer waits for."""
    lines = (line.strip() for line in PENDING_FILE.read_text().splitlines())
    pairs = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {name.strip(): feature.strip() for name, _, feature in pairs}


PENDING = pending()


def case(name: str) -> object:
    marks = [pytest.mark.xfail(reason=PENDING[name], strict=True)] if name in PENDING else []
    return pytest.param(name, marks=marks)


@lru_cache(maxsize=1)
def judge() -> ModuleType:
    """The comparison that comes with the vectors: the definition of an equal answer."""
    program = SHARED / "tools" / "compare.py" if SHARED else None
    if program is None or not program.is_file():
        pytest.skip("the comparison is not beside the vectors (tools/compare.py)")
    spec = importlib.util.spec_from_file_location("compare_schedule", program)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def differences(scenario: Path, given: object) -> list[str]:
    """What sets an answer apart from the recorded one; empty when it is right."""
    asked, recorded = (json.loads(path.read_text()) for path in (scenario, answer_file(scenario)))
    return list(judge().compare(asked, recorded, json.loads(json.dumps(given))))


@pytest.mark.parametrize("name", [case(name) for name in SCENARIOS])
def test_a_scenario_is_answered_as_karpenter_answers_it(name: str):
    """The answer equals the recorded one, or one of those that Karpenter may give as well."""
    try:
        given = answer(SCENARIOS[name])
    except NotBuiltError as missing:
        pytest.skip(f"not planned yet: {missing}")
    assert differences(SCENARIOS[name], given) == []


def test_the_judge_can_say_no():
    """A spoilt answer is found wrong, so that the test above can fail."""
    scenario = next(iter(SCENARIOS.values()))
    recorded = json.loads(answer_file(scenario).read_text())
    assert differences(scenario, recorded) == []
    assert differences(scenario, {**recorded, "claims": [], "errors": {}}) != []


def test_every_pending_scenario_exists():
    """The list names scenarios that are there, each with what it waits for."""
    assert set(PENDING) <= set(SCENARIOS)
    assert all(PENDING.values())
