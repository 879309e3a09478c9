"""Every row of the table is judged as wanted, without an engine and by the pack."""

from __future__ import annotations

import pytest

from tests.gates.trick import Trick
from tests.gates.tricks import CLASSES, wrong


@pytest.mark.parametrize("trick", [pytest.param(t, id=f"{c}/{t.name}") for c, tricks in CLASSES.items() for t in tricks])
def test_a_row_is_judged_as_wanted(trick: Trick):
    assert list(wrong(trick)) == []


@pytest.mark.parametrize("name", CLASSES)
def test_rows_of_a_class_have_names_of_their_own(name: str):
    names = [trick.name for trick in CLASSES[name]]
    assert len(set(names)) == len(names)
