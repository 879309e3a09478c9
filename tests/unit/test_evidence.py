"""The page about how answers are known to be right has the figures of today; tests/gates holds the part about gates."""

from __future__ import annotations

import re

import pytest

from tests import evidence

SAYS = "regenerate it: python -m tests.evidence > docs/how-we-know.md"


@pytest.mark.thorough
def test_the_page_has_the_figures_of_what_is_recorded():
    page = evidence.PAGE.read_text("utf-8")
    counted = {name: section() for name, section in evidence.SECTIONS.items() if name != "gates"}
    assert [name for name, section in counted.items() if section not in page] == [], SAYS


def test_the_page_has_all_sections_in_order_and_nothing_else():
    """So a section that was renamed does not stay."""
    headings = re.findall(r"^## (.*)$", evidence.PAGE.read_text("utf-8"), re.MULTILINE)
    assert headings == evidence.headings(), SAYS


def test_counts_that_grow_are_rounded_down():
    assert [evidence.about(count) for count in (9, 76, 194, 1852, 13630)] == ["0", "70", "190", "1,800", "13,000"]
