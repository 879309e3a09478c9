"""The recorded scheduling scenarios, one test each, judged by the vectors' own comparison.

What Cutlist does not plan yet is skipped with the harness' reason; what it is known to get wrong stands in
pending_schedule.txt, a list that can only become shorter.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.judges import schedule as judge
from tests.conformance.judges import since_1_15
from tests.conformance.scenario_file import NotBuiltError
from tests.conformance.schedule import answer
from tests.recorded import SCENARIOS, VECTORS

PENDING_FILE = Path(__file__).with_name("pending_schedule.txt")


def answer_file(scenario: Path) -> Path:
    return scenario.with_name(f"{scenario.stem}.answer.json")


def scenarios() -> dict[str, Path]:
    """Scenario files by name: the vectors, those of Karpenter 1.15, and the seeds' replays of a pass as `seed/name`."""
    vectors = {p.stem: p for p in sorted((VECTORS / "scheduling").glob("*.json"))}
    later = {f"1.15/{p.stem}": p for p in sorted((VECTORS / "1.15" / "scheduling").glob("*.json"))}
    replays = {f"{p.parts[-3]}/{p.stem}": p for p in sorted(SCENARIOS.glob("*/replay/*.json")) if "disrupt-" not in p.name}
    return {name: path for name, path in {**vectors, **later, **replays}.items() if answer_file(path).is_file()}


RECORDED = scenarios()


def pending() -> dict[str, str]:
    """By scenario what its right answer waits for."""
    lines = (line.strip() for line in PENDING_FILE.read_text().splitlines())
    pairs = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {name.strip(): feature.strip() for name, _, feature in pairs}


PENDING = pending()


def case(name: str) -> object:
    marks = [pytest.mark.xfail(reason=PENDING[name], strict=True)] if name in PENDING else []
    return pytest.param(name, marks=marks)


def differences(scenario: Path, given: object) -> list[str]:
    """What sets an answer apart from the recorded one; empty when it is right."""
    asked, recorded = (json.loads(path.read_text()) for path in (scenario, answer_file(scenario)))
    answer = json.loads(json.dumps(given))
    return [*judge.compare(asked, recorded, answer), *since_1_15.compare(recorded, answer)]


@pytest.mark.sampled(one_in=6, kinds=True)
@pytest.mark.parametrize("name", [case(name) for name in RECORDED])
def test_a_scenario_is_answered_as_karpenter_answers_it(name: str):
    """The answer equals the recorded one, or one of those that Karpenter may give as well."""
    try:
        given = answer(RECORDED[name])
    except NotBuiltError as missing:
        pytest.skip(f"not planned yet: {missing}")
    assert differences(RECORDED[name], given) == []


def test_the_judge_can_say_no():
    """A spoilt answer is found wrong, so that the test above can fail."""
    scenario = next(iter(RECORDED.values()))
    recorded = json.loads(answer_file(scenario).read_text())
    assert differences(scenario, recorded) == []
    assert differences(scenario, {**recorded, "claims": [], "errors": {}}) != []


def test_every_pending_scenario_exists():
    """The list names scenarios that exist, each with what it waits for."""
    assert set(PENDING) <= set(RECORDED)
    assert all(PENDING.values())


@pytest.mark.parametrize(
    "name",
    [
        "mix-gpu-02024",  # volumes
        "s116-allowed-topologies",
        "s016-crossed-bounds-pool",  # a NodePool that may launch nothing
        "s021-spread-key-not-normalised",
        "s026-typo-hint",
        "s031-static-only",
        "s056-joined-errors",
        "s069-node-limit-zero",
        "s087-existing-only-zone",
        "s106-own",
    ],
)
def test_a_refusal_has_the_words_of_karpenter(name: str):
    """The domains that a pod and a node may use, the pool whose limit is reached, requirements of volumes."""
    asked, recorded = (json.loads(path.read_text()) for path in (RECORDED[name], answer_file(RECORDED[name])))
    assert judge.compare(asked, recorded, json.loads(json.dumps(answer(RECORDED[name]))), messages=True) == []
