"""What a live Karpenter did, held against Cutlist's answers to the same clusters, without a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

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


def _spoilt_claim(recording: dict[str, Any]) -> None:
    recording["answer"]["claims"][0]["requests"]["cpu"] = "77"


def _spoilt_pods(recording: dict[str, Any]) -> None:
    recording["answer"]["claims"][0]["pods"].pop()


def _spoilt_label(recording: dict[str, Any]) -> None:
    recording["evidence"]["nodeClaims"][0]["labels"]["karpenter.kwok.sh/kwoknodeclass"] = "other"


def _spoilt_annotation(recording: dict[str, Any]) -> None:
    recording["evidence"]["nodeClaims"][0]["annotations"].clear()


def _spoilt_taint(recording: dict[str, Any]) -> None:
    recording["evidence"]["nodeClaims"][0]["startupTaints"].append({"key": "late", "effect": "NoExecute"})


def _spoilt_hash(recording: dict[str, Any]) -> None:
    recording["scenario"]["nodePools"][0]["metadata"]["annotations"]["karpenter.sh/nodepool-hash"] = "1"


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (_spoilt_claim, "requests: wanted ['cpu 77.0']"),
        (_spoilt_pods, "pods: wanted"),
        (_spoilt_label, "labels: wanted karpenter.kwok.sh/kwoknodeclass=other, got default"),
        (_spoilt_annotation, "annotations: wanted karpenter.sh/nodeclaim-min-values-relaxed=None, got false"),
        (_spoilt_taint, "startupTaints: wanted ['late=:NoExecute'], got []"),
        (_spoilt_hash, "NodePool default: wanted the hash 1, got "),
    ],
)
def test_a_recording_that_is_spoilt_is_found_wrong(spoil: Callable[[dict[str, Any]], None], text: str):
    """Whatever is compared can be found different, and the line says in what."""
    recording = asdict(next(each for each in recorded(_archive("scheduling-1.14")) if each.name == "plain"))
    spoil(recording)
    assert text in "\n".join(differences(Recording(**recording)))


def test_every_scenario_is_recorded_with_each_karpenter_that_it_is_for():
    """No scenario is only written down, and no recording is of a scenario that was removed."""
    wanted = {(each.kind, version, each.name) for each in ALL.values() for version in each.versions}
    present = {(each.kind, each.version, each.name) for archive in archives() for each in recorded(archive)}
    assert sorted(present - wanted) == []


def _archive(name: str) -> Path:
    return next(archive for archive in archives() if archive.name == f"{name}.tar.xz")
