"""What a live Karpenter did, compared with Cutlist's answers to the same clusters, without a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.live.comparing import differences, with_zones_told_apart
from tests.live.recording import Recording
from tests.live.recordings import archives, recorded
from tests.live.scenarios import ALL
from tests.live.zone_names import exchanged_back, exchanges, with_names_exchanged

PARTS = 4
"""In how many tests the recordings of an archive are checked, so that several processes share them."""


@pytest.mark.sampled(one_in=5, kinds=True)
@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("archive", archives(), ids=lambda archive: archive.name.removesuffix(".tar.xz"))
def test_cutlist_answers_as_a_live_karpenter_acted(archive: Path, part: int):
    """Every recording of an archive is answered alike, but for ties that Karpenter breaks at random: there nodes that are alike
    may be exchanged, and passes are not compared."""
    held = [each for each in recorded(archive)[part::PARTS] if each.free is None or each.kind == "disruption"]
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


def test_an_end_that_is_spoilt_is_found_wrong():
    """What a cluster comes to is compared too: its nodes, and the pods that wait."""
    recording = next(each for each in recorded(_archive("scheduling-1.14")) if each.answer.get("end", {}).get("pending"))
    answer = {**recording.answer, "end": {**recording.answer["end"], "pending": {"nobody": 1}}}
    assert differences(recording) == []
    assert [line.split(":")[0] for line in differences(replace(recording, answer=answer))] == ["pending in the end"]


def test_a_reason_of_before_may_hold_no_longer():
    """Karpenter's word on a node counts, unless it is of an earlier phase."""
    recording = next(each for each in recorded(_archive("disruption-1.14")) if each.name == "drift-kept-by-its-annotation")
    node = next(about for about in recording.evidence["events"] if about.startswith("Node/"))
    old = 'Unconsolidatable: NodePool "default" has consolidation disabled'
    events = {**recording.evidence["events"], node: [*recording.evidence["events"][node], old]}
    said = replace(recording, evidence={**recording.evidence, "events": events})
    assert differences(said) == [f"reason: wanted {node}: {old}"]
    assert differences(replace(said, evidence={**said.evidence, "earlier": {node: [old]}})) == []


def test_zones_that_are_alike_are_told_apart_by_their_names_alone():
    """A recording says with which names Cutlist's answer is Karpenter's; without them it differs in zones and nothing else."""
    recording = next(each for each in recorded(_archive("scheduling-1.14")) if each.evidence.get("zones"))
    unnamed = replace(recording, evidence={**recording.evidence, "zones": None})
    assert all('requirements: wanted ["topology.kubernetes.io/zone In' in line for line in differences(unnamed))
    assert differences(with_zones_told_apart(unnamed)) == []


def test_names_that_are_exchanged_back_are_what_they_were():
    """Every way to exchange them has its way back."""
    value = {"zones": ["test-zone-a", "test-zone-d"], "test-zone-b": {"text": "in test-zone-c and test-zone-a"}}
    ways = [with_names_exchanged(value, names) for names in exchanges()]
    assert (len(ways), ways.count(value)) == (24, 1)
    assert all(exchanged_back(way, names) == value for way, names in zip(ways, exchanges(), strict=True))


def test_every_scenario_is_recorded_with_each_karpenter_that_it_is_for():
    """No scenario is only written down, and no recording is of a scenario that was removed."""
    wanted = {(each.kind, version, each.name) for each in ALL.values() for version in each.versions}
    present = {(each.kind, each.version, each.name) for archive in archives() for each in recorded(archive)}
    assert sorted(wanted - present) == []
    assert sorted(present - wanted) == []


def _archive(name: str) -> Path:
    return next(archive for archive in archives() if archive.name == f"{name}.tar.xz")
