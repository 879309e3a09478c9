"""Tests that no trap is found in inputs as experienced teams write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutlist.verbs.validate.answer import validate
from tests.unit.planning.traps.test_page import codes_of_traps

_SANE = sorted((Path(__file__).resolve().parents[3] / "sane").glob("*.yaml"))


@pytest.mark.parametrize("file", _SANE, ids=lambda file: file.stem)
def test_no_trap_is_found_in_a_sane_input(file: Path) -> None:
    checked = validate([file])
    assert [note for note in (*checked.warnings, *checked.notes) if note.code in codes_of_traps()] == []


def test_there_are_sane_inputs_of_both_clouds() -> None:
    assert len(_SANE) > 30
    assert any("aks" in file.stem for file in _SANE)
