"""What a live Karpenter did, held against Cutlist's answers to the same clusters, without a cluster."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from tests.live.comparing import differences
from tests.live.recording import Recording
from tests.live.recordings import archives, recorded
from tests.live.scenarios import ALL

PARTS = 4
"""In how many tests the recordings of an archive are checked, so that several processes share them."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("archive", archives(), ids=lambda archive: archive.name.removesuffix(".tar.xz"))
def test_cutlist_answers_as_a_live_karpenter_acted(archive: Path, part: int):
    """Every recording of an archive is answered alike, but for ties that Karpenter breaks at random."""
    held = [recording for recording in recorded(archive)[part::PARTS] if recording.free is None]
    different = {recording.name: lines for recording in held if (lines := differences(recording))}
    assert different == {}


def test_a_recording_that_is_spoilt_is_found_wrong():
    """The comparison can say no."""
    recording = next(each for each in recorded(_archive("scheduling-1.14")) if each.answer["claims"])
    claims = copy.deepcopy(recording.answer["claims"])
    claims[0]["requests"]["cpu"] = "77"
    spoilt = Recording(
        recording.name, recording.version, recording.kind, recording.scenario, {**recording.answer, "claims": claims}
    )
    assert any("requests" in line for line in differences(spoilt))


def test_every_scenario_is_recorded_with_each_karpenter_that_it_is_for():
    """No scenario is only written down, and no recording is of a scenario that was removed."""
    wanted = {(each.kind, version, each.name) for each in ALL.values() for version in each.versions}
    present = {(each.kind, each.version, each.name) for archive in archives() for each in recorded(archive)}
    assert sorted(present - wanted) == []


def _archive(name: str) -> Path:
    return next(archive for archive in archives() if archive.name == f"{name}.tar.xz")
