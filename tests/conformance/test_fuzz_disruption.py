"""Random disruption scenarios, and those that once showed a difference.

The full run asks the oracle: `python -m tests.conformance.fuzz_disruption`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import fuzz, fuzz_disruption
from tests.conformance.disruption_scenarios import FEATURES, scenario
from tests.conformance.fuzz_disruption import DISRUPTION, alternatives, answered, comparable, differences, later_scenario
from tests.conformance.oracle import FREE
from tests.recorded import VECTORS

KEPT = sorted(p for p in Path(__file__).with_name("kept_disruption").glob("*.json") if not p.name.endswith(".answer.json"))


@pytest.fixture(autouse=True)
def type_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenarios in temporary folders find their type files."""
    monkeypatch.setenv("CUTLIST_VECTORS", str(VECTORS))


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_what_once_differed_is_answered_right(file, tmp_path):
    """A scenario that the fuzzer found and shrank keeps its right answer."""
    data = json.loads(file.read_text())
    right = json.loads(file.with_suffix(".answer.json").read_text())
    assert differences(data, right, answered(data, tmp_path)) == []
    assert differences(data, right, {**right, "first": "never", "methods": {}}) != []


@cache
def later(seed: int) -> dict[str, Any]:
    return later_scenario(seed, VECTORS, tuple(FEATURES))


def test_a_seed_always_makes_the_same_scenario():
    """Scenarios are a function of seed and features; different seeds make different ones."""
    assert scenario(7, VECTORS) == scenario(7, VECTORS)
    assert len({json.dumps(scenario(seed, VECTORS)) for seed in range(20)}) == 20


def test_scenarios_have_only_allowed_features():
    """Without the feature there is nothing of it."""
    made = [json.dumps(scenario(seed, VECTORS, ["pools"])) for seed in range(30)]
    words = ("topologySpreadConstraints", "PodDisruptionBudget", "Drifted", "nominated", "steps", "Balanced", '"spot"], ')
    assert [word for word in words if any(word in text for text in made)] == []


def test_every_feature_shows():
    """What may be in a scenario is in some: none of the features is an empty word."""
    plain = [scenario(seed, VECTORS, []) for seed in range(60)]
    for feature in FEATURES:
        assert any(scenario(seed, VECTORS, [feature]) != plain[seed] for seed in range(60)), feature


def test_a_seed_always_makes_the_same_later_scenario():
    """What 1.15 adds comes on top, also a function of the seed."""
    assert later(7) == later_scenario(7, VECTORS, tuple(FEATURES))
    assert len({json.dumps(later(seed)) for seed in range(20)}) == 20


@pytest.mark.parametrize(
    "word",
    [
        "terminateFirstDrift",
        "repairPolicies",
        "legacyNodeRepair",
        "RebootNode",
        "do-not-repair",
        '"Rebooting"',
        '"reboots"',
        '"provider": {',
        "deletionCosts",
        "karpenter.sh/disruption-cost",
        "podDeletionCostManagement",
        '"Unhealthy"',
        '"reservationCapacity": 0',
    ],
)
def test_later_scenarios_have_what_1_15_adds(word):
    """Each word is in some of them, and in none for 1.14."""
    assert any(word in json.dumps(later(seed)) for seed in range(80))
    assert not any(word in json.dumps(scenario(seed, VECTORS)) for seed in range(20))


def test_why_pods_have_no_place_does_not_count():
    """The text follows from the order of equal pods; which pods have none counts."""
    right = {"podErrors": {"default/a": "x"}, "podEvents": {"default/b": ["FailedScheduling: y", "DoNotDisruptUntil: z"]}}
    events = {"default/b": ["FailedScheduling", "DoNotDisruptUntil: z"]}
    assert comparable([right]) == [{"podErrors": {"default/a": ""}, "podEvents": events}]
    assert comparable({"instanceTypes": ["a", "b"], "list": "a, b"}) == {"instanceTypes": ["a", "b"]}


def test_a_wrong_answer_is_found_and_shrunk(tmp_path):
    """The fuzzer reports a scenario for which the oracle says something else, in its smallest form."""

    class Wrong:
        def ask(self, scenarios: list[dict[str, Any]], repeats: int) -> list[dict[str, Any]]:
            return [{"synced": True, "first": "drift", "methods": {}} for _ in scenarios]

    said: list[str] = []
    keep = tmp_path / "keep"
    run = fuzz.Run(Wrong(), tmp_path, keep, said.append, DISRUPTION)  # type: ignore[arg-type]
    run.batch([scenario(3, VECTORS, ["pods"])])
    assert run.counts == {"different": 1}
    assert said[0].startswith("DIFFERENT disruption-3 ")
    small = json.loads((keep / "disruption-3.json").read_text())
    assert "objects" not in small or small["objects"] == []


def test_answers_that_karpenter_is_free_to_give_are_counted():
    """By the method with the most; where there are more than are listed, by more than any limit."""
    assert alternatives({"methods": {"multi": {"alternatives": [[], []]}, "single": {}}}) == 2
    assert alternatives({"methods": {}, "steps": [{"methods": {"drift": {"alternatives": [[]]}}}]}) == 1
    assert alternatives({"methods": {"multi": {"moreAlternatives": True}}}) > FREE


def test_unknown_features_are_refused(capsys):
    """A misspelt feature ends with exit code 2 and the list of features."""
    with pytest.raises(SystemExit) as end:
        fuzz_disruption.main(["--features", "spred"])
    assert end.value.code == 2
    shown = capsys.readouterr().err
    assert all(name in shown for name in FEATURES)
