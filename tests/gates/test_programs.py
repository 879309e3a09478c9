"""Programs that end early, hang, or lay hands on what watches them: no gate lets one pass, and each says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gates.programs import PROGRAMS, Hostile


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize("hostile", PROGRAMS, ids=lambda hostile: hostile.name)
def test_a_hostile_program_passes_no_gate(tmp_path: Path, hostile: Hostile) -> None:
    assert list(hostile.wrong(tmp_path)) == []


def test_programs_have_names_of_their_own() -> None:
    names = [hostile.name for hostile in PROGRAMS]
    assert len(set(names)) == len(names)
