"""Sane sets pass the profile that everybody begins with, and their twins with one defect are stopped by a right rule."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

import pytest

from cutlist import PlanSettings, gate
from cutlist.policy.gates import Report, read_gates
from cutlist.policy.registry import ALL
from cutlist.policy.rules import Profile

_FOLDER: Final = Path(__file__).resolve().parent.parent / "sane"
_SANE: Final = sorted(path.stem for path in _FOLDER.glob("*.yaml"))
_REGIONS: Final = {
    **dict.fromkeys(("weekday-window", "auto-spot"), "eu-west-1"),
    **dict.fromkeys(("aks-system-surge", "aks-postgres"), "japaneast"),
    "efa-training": "us-east-2",
    "aks-gpu": "eastus",
    "aks-zones": "westeurope",
    "aks-window": "northeurope",
}
_STOPPED_AT_ONCE: Final = {
    "ack-node-role": "IF-21",
    "aks-gpu": "NP-01",
    "aks-system-surge": "NP-15",
    "aks-window": "NP-07",
    "aks-zones": "PL-03",
    "auto-gpu": "OB-01",
    "auto-spot": "NP-10",
    "balanced": "NP-23",
    "bottlerocket": "NC-01",
    "capacity-buffer": "PL-03",
    "ci-runners": "NP-16",
    "custom-ami": "NC-04",
    "getting-started": "NP-01",
    "imds-locked": "NC-01",
    "kubelet-reserved": "PL-03",
    "multi-az": "PL-03",
    "mysql": "NP-07",
    "od-spot-split": "NP-01",
    "overlay-savings": "NP-19",
    "reserved-capacity": "NC-08",
    "system-pool": "NP-15",
    "userdata-shell": "NC-12",
    "weekday-window": "NP-07",
}
"""The rule that stops a defect in every profile."""
_STOPPED_LATER: Final = {
    "aks-postgres": "PL-13",
    "arm64-migration": "NP-13",
    "efa-training": "NC-09",
    "gpu-inference": "NP-09",
    "overprovisioning": "PL-14",
    "scylla-nvme": "PL-11",
}
"""The rule that stops a defect from the profile `recommended` on."""
_NEEDS_A_FIGURE: Final = "static-capacity"
"""Its defect is too many nodes, of which only a team knows how many."""


def judged(path: Path, profile: Profile, **rules: object) -> Report:
    gates = read_gates({"rules": rules}, ALL, profile=profile)
    return gate([path], gates, date(2026, 11, 29), PlanSettings(region=_REGIONS.get(path.stem, "us-west-2"))).report


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", _SANE)
def test_a_sane_set_passes_the_profile_to_start_with(name: str) -> None:
    assert judged(_FOLDER / f"{name}.yaml", Profile.START).stopping == ()


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(
    ("name", "profile", "rule"),
    [
        *((name, Profile.START, rule) for name, rule in _STOPPED_AT_ONCE.items()),
        *((name, Profile.RECOMMENDED, rule) for name, rule in _STOPPED_LATER.items()),
    ],
)
def test_a_defect_is_stopped_by_a_right_rule(name: str, profile: Profile, rule: str) -> None:
    assert rule in {outcome.rule for outcome in judged(_FOLDER / "defects" / f"{name}.yaml", profile).stopping}


def test_too_many_nodes_are_stopped_where_a_team_says_how_many_there_may_be() -> None:
    found = judged(_FOLDER / "defects" / f"{_NEEDS_A_FIGURE}.yaml", Profile.START, **{"PL-02": {"nodes": 50}})
    assert "PL-02" in {outcome.rule for outcome in found.stopping}


def test_every_defect_is_in_a_table() -> None:
    defects = {path.stem for path in (_FOLDER / "defects").glob("*.yaml")}
    assert defects == {*_STOPPED_AT_ONCE, *_STOPPED_LATER, _NEEDS_A_FIGURE}
    assert defects <= set(_SANE)
