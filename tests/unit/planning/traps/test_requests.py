"""Tests of requests without which a plan means little, and of classes one letter off."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.planning.model.plan import NO_REQUESTS
from cutlist.planning.traps.requests import SOME_WITHOUT, WRONG_UNIT
from cutlist.verbs.validate.answer import validate
from cutlist.verbs.validate.text import render_validate
from cutlist.verbs.validate.warnings import MISSPELT_CLASS
from tests.unit.planning.traps.inputs import M5, NODE_CLASS, deployment, pool, validated

POOL = pool(requirements=f"[{M5}]")


def test_validation_names_workloads_without_requests_as_a_plan_does(tmp_path: Path) -> None:
    (said,) = validated(tmp_path, POOL, deployment(requests="{}"))[NO_REQUESTS]
    assert said.startswith("no pod of the input requests cpu or memory")
    (said,) = validated(tmp_path, POOL, deployment("api"), deployment(requests="{}"))[SOME_WITHOUT]
    assert said.endswith(": deployment/web; give their containers requests")


@pytest.mark.parametrize(
    ("requests", "said"),
    [
        ("{memory: 512m}", "requests memory 512m, which is 0.512 bytes; write 512Mi"),
        ("{memory: 256}", "requests memory 256, which is 256 bytes; write 256Mi"),
        ("{cpu: 500}", "requests cpu 500, which is 500 cores; no instance type here has more than 4; write 500m"),
    ],
)
def test_an_amount_in_a_wrong_unit_is_named_with_the_right_one(tmp_path: Path, requests: str, said: str) -> None:
    assert validated(tmp_path, POOL, deployment(requests=requests))[WRONG_UNIT] == [f"deployment/web: container app {said}"]


def test_amounts_in_their_units_are_no_trap(tmp_path: Path) -> None:
    assert WRONG_UNIT not in validated(tmp_path, POOL, deployment(requests="{cpu: 0.5, memory: 134217728}"))


def misspelt(tmp_path: Path, name: str) -> Path:
    file = tmp_path / "pools.yaml"
    file.write_text(f"{NODE_CLASS}\n---\n{POOL.replace('name: default}', f'name: {name}}}')}")
    return file


def test_a_class_one_letter_off_is_a_warning_that_names_the_real_one(tmp_path: Path) -> None:
    checked = validate([misspelt(tmp_path, "defualt")])
    (said,) = (note.text for note in checked.warnings if note.code == MISSPELT_CLASS)
    assert "did you mean default?" in said
    assert checked.missing_classes == ()
    assert render_validate(checked).startswith("No mistake, but 1 warning:")


def test_a_class_of_another_name_is_elsewhere(tmp_path: Path) -> None:
    checked = validate([misspelt(tmp_path, "gpu-nodes")])
    assert [missing.name for missing in checked.missing_classes] == ["gpu-nodes"]
    assert MISSPELT_CLASS not in {note.code for note in checked.warnings}
