"""The recorded disruption scenarios, as far as no simulation is needed: conditions, hashes, expiry, repair and drain."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from cutlist.api.durations import seconds
from cutlist.disruption.conditions import with_conditions
from tests.conformance.do_not_disrupt import said_of_annotation
from tests.conformance.forceful import Forceful, conditions
from tests.conformance.scenario_file import Scenario
from tests.recorded import VECTORS


@lru_cache
def recorded() -> dict[Path, dict[str, Any]]:
    """The answers by scenario file."""
    answers = sorted((VECTORS / "disruption").glob("*.answer.json"))
    return {f.with_name(f"{f.name.removesuffix('.answer.json')}.json"): json.loads(f.read_text()) for f in answers}


def that_answer(part: str) -> list[Any]:
    """The scenarios whose answer has a part."""
    return [pytest.param(path, answer, id=path.stem) for path, answer in recorded().items() if part in answer]


@pytest.mark.parametrize(("path", "answer"), that_answer("conditions"))
def test_conditions_are_those_that_karpenter_sets(path: Path, answer: dict[str, Any]):
    """Consolidatable, Drifted with its reason, and the time of the last pod event, of every NodeClaim."""
    # D-16, D-17, D-18, D-67, D-68, D-69, D-71
    scenario = Forceful(Scenario(path))
    assert conditions(scenario.judged(scenario.claims, scenario.now)) == answer["conditions"]


@pytest.mark.parametrize(("path", "answer"), that_answer("conditions"))
def test_nodes_say_what_their_claims_say(path: Path, answer: dict[str, Any]):
    """The NodeClaims of nodes get the same conditions as NodeClaims alone."""
    scenario = Forceful(Scenario(path))
    before = tuple(m if m.claim is None else replace(m, claim=scenario.claims[m.claim.name]) for m in scenario.nodes)
    after = with_conditions(before, scenario.around, scenario.now)
    ours = conditions({m.claim.name: m.claim for m in after if m.claim is not None})
    assert ours == {name: said for name, said in answer["conditions"].items() if name in ours}


@pytest.mark.parametrize(("path", "answer"), that_answer("hashes"))
def test_hashes_of_nodepools(path: Path, answer: dict[str, Any]):
    """Every NodePool of a scenario has the hash that Karpenter gives it."""
    # D-67
    assert Forceful(Scenario(path)).hashes() == answer["hashes"]


@pytest.mark.parametrize(("path", "answer"), that_answer("expiry"))
def test_expiry(path: Path, answer: dict[str, Any]):
    """Which claims are deleted for their age, and when the others will be."""
    # D-35, D-74
    assert Forceful(Scenario(path)).expiry() == answer["expiry"]


@pytest.mark.parametrize(("path", "answer"), that_answer("repair"))
def test_repair(path: Path, answer: dict[str, Any]):
    """Which sick nodes are replaced, which wait and why."""
    # D-35, D-77
    assert Forceful(Scenario(path)).repair() == {"after": {}, **answer["repair"]}


@pytest.mark.parametrize(("path", "answer"), that_answer("drain"))
def test_drain(path: Path, answer: dict[str, Any]):
    """What one pass of a drain evicts, deletes forcibly and waits for."""
    # D-75, D-76
    assert Forceful(Scenario(path)).drain() == {"delete": {}, **answer["drain"]}


@pytest.mark.parametrize(("path", "answer"), that_answer("podEvents"))
def test_what_is_said_of_annotations(path: Path, answer: dict[str, Any]):
    """Each event about do-not-disrupt has Karpenter's words."""
    # D-7
    scenario = Forceful(Scenario(path))
    expected = {name: [text for text in texts if "DoNotDisrupt" in text] for name, texts in answer["podEvents"].items()}
    expected = {name: texts for name, texts in expected.items() if texts}
    ours = {name: said_of_annotation(scenario.pod(name), scenario.now) for name in expected}
    assert {name: [f"{said.reason}: {said.message}"] for name, said in ours.items() if said is not None} == expected


QUIET = {"advance", "computeConditions"}


def quiet() -> list[Any]:
    """The scenarios of several steps in which nothing happens but time."""
    steps = {path: json.loads(path.read_text())["disruption"]["steps"] for path, said in recorded().items() if "steps" in said}
    judged = [p for p in steps if any("conditions" in said for said in recorded()[p]["steps"])]
    return [pytest.param(p, recorded()[p], id=p.stem) for p in judged if all(set(step) <= QUIET for step in steps[p])]


@pytest.mark.parametrize(("path", "answer"), quiet())
def test_conditions_as_time_goes_by(path: Path, answer: dict[str, Any]):
    """Claims that nothing but time touches become Consolidatable when their window ends."""
    # D-16, D-42
    scenario = Forceful(Scenario(path))
    now, claims = scenario.now, scenario.judged(scenario.claims, scenario.now) if "conditions" in answer else scenario.claims
    for step, said in zip(scenario.settings["steps"], answer["steps"], strict=True):
        now += seconds(step.get("advance", "0s")) or 0
        if "conditions" in said:
            claims = scenario.judged(claims, now)
            assert conditions(claims) == said["conditions"]
