"""Every row of the table is judged as wanted, without an engine and by the pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tests import evidence
from tests.gates import sources
from tests.gates.trick import Trick
from tests.gates.tricks import CLASSES, wrong

PARTS = 5
"""Of each class a fifth is judged at each change, with its first row: rows beside each other are variants of one idea."""


def _parts() -> Iterator[object]:
    for name, tricks in CLASSES.items():
        for part in range(min(PARTS, len(tricks))):
            yield pytest.param(tricks[part::PARTS], id=f"{name}-{part}", marks=[pytest.mark.thorough] * (part > 0))


@pytest.mark.parametrize("tricks", list(_parts()))
def test_rows_are_judged_as_wanted(tricks: Sequence[Trick]):
    assert {trick.name: lines for trick in tricks if (lines := list(wrong(trick)))} == {}


@pytest.mark.parametrize("name", CLASSES)
def test_rows_of_a_class_have_names_of_their_own(name: str):
    names = [trick.name for trick in CLASSES[name]]
    assert len(set(names)) == len(names)


@pytest.mark.thorough
def test_the_page_on_what_gates_see_has_the_table_of_sources():
    assert sources.table() in sources.PAGE.read_text("utf-8"), "python -m tests.gates.sources"


def test_the_page_on_how_we_know_has_the_figures_of_the_table():
    assert evidence.gates() in evidence.PAGE.read_text("utf-8"), "python -m tests.evidence > docs/how-we-know.md"
