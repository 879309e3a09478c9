"""The recorded scenarios with devices, one test each: what Karpenter 1.15 does with ResourceClaims."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conformance.devices import answer
from tests.conformance.judges import devices as judge
from tests.recorded import SPEC, VECTORS

ROOT = VECTORS / "devices"
RECORDED: Mapping[str, Path] = {p.stem: p for p in sorted(ROOT.glob("*.json")) if p.with_suffix(".answer.json").is_file()}


def differences(name: str, given: object, *, messages: bool = False) -> list[str]:
    """What sets an answer apart from the recorded one; empty when it is right."""
    path = RECORDED[name]
    asked, recorded = (json.loads(p.read_text()) for p in (path, path.with_suffix(".answer.json")))
    return judge.compare(asked, recorded, json.loads(json.dumps(given)), messages=messages)


@pytest.mark.sampled(one_in=6)
@pytest.mark.parametrize("name", RECORDED)
def test_a_scenario_is_answered_as_karpenter_answers_it(name: str) -> None:
    """Which NodeClaims for which pods, with which devices: R-1 to R-128, as the scenarios name them."""
    assert differences(name, answer(RECORDED[name])) == []


def test_each_statement_is_shown_by_a_scenario() -> None:
    """The scenarios that a statement names exist, and name the statement."""
    lines = re.findall(r"^- \*\*(R-\d+)\*\* .*\[(.*)\]$", (SPEC / "devices.md").read_text("utf-8"), re.MULTILINE)
    shown = {statement: re.findall(r"`([^`]+)`", names) for statement, names in lines}
    rules = {name: json.loads(path.read_text()).get("rules") or [] for name, path in RECORDED.items()}
    assert len(shown) == 128
    assert {s: [n for n in names if s not in rules.get(n, ())] for s, names in shown.items() if names} == {
        s: [] for s, names in shown.items() if names
    }


@pytest.mark.parametrize(
    "name",
    [
        "cel-all-missing",
        "cel-broken",
        "min-values-devices",
        "min-values-fallback",
        "min-values-pack",
        "cel-not-bool",
        "cel-undeclared",
        "class-broken",
        "class-missing",
        "limit-33",
        "limit-all",
        "distinct",
        "cel-sign",
        "class-empty-invalid-version",
        "claim-missing",
        "allocated-two-zones",
        "shared-claim-too-big",
        "cpu-and-devices-disjoint",
        "too-big-for-types",
        "slices-duplicate-all",
        "fabric-pod-selector",
    ],
)
def test_a_refusal_has_the_words_of_karpenter(name: str) -> None:
    """Claims that cannot be met, devices that are elsewhere, expressions that fail."""
    assert differences(name, answer(RECORDED[name]), messages=True) == []


def test_the_judge_can_say_no() -> None:
    """A spoilt answer is found wrong, so that the tests above can fail."""
    given = answer(RECORDED["count-two"])
    (claim,) = given["devices"].values()
    ((first, *others),) = list(claim["devices"].values())[:1]
    assert others
    spoilt = {**given, "devices": {"a": {**claim, "devices": {"g-8": [{**first, "device": "gpu-9"}]}}}}
    assert differences("count-two", spoilt) != []
    assert differences("drivers", {**answer(RECORDED["drivers"]), "devices": {}}) != []
