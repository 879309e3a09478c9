"""Passes and rounds of simulations, recorded as scenarios: Karpenter's own code decides the same, and so does Cutlist later."""

from __future__ import annotations

import json

import pytest

from tests.conformance import stored_rounds
from tests.conformance.recorded_runs import Judged, answered, plain, write
from tests.conformance.simulations import KARPENTERS, chosen, is_validated, recordings

PARTS = 8


@pytest.mark.slow
@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("part", range(PARTS))
def test_recorded_decisions_of_random_runs_are_those_of_karpenter(tmp_path, part):
    """What the oracle said of each, Cutlist decides from the same file. The runs decided it too, or they would not be here."""
    differences = {}
    for row in stored_rounds.read(part, PARTS):
        kind, scenario = row["kind"], row["scenario"]
        file = tmp_path / "scenario.json"
        file.write_text(json.dumps(scenario))
        if said := Judged.of(kind, scenario).of_file(row["answer"], answered(file, kind)):
            differences[row["karpenter"], row["seed"], scenario["name"]] = said
    assert differences == {}


@pytest.mark.sampled(one_in=2)
@pytest.mark.slow
@pytest.mark.parametrize("karpenter", KARPENTERS)
def test_a_run_decides_what_is_decided_from_its_file(tmp_path, karpenter):
    """What a run keeps from round to round leads to the same decisions as the cluster read from scratch."""
    recorded = chosen(recordings(3, karpenter, 0.7), 16)
    for recording in recorded:
        file = write(recording, tmp_path)
        judged, from_file = Judged.of(recording.kind, plain(recording.scenario)), answered(file, recording.kind)
        assert judged.of_run(from_file, plain(recording.answer)) == [], recording.name
    assert len(recorded) == 16
    assert any(map(is_validated, recorded))
