"""The numbered statements on scheduling, on AWS and on disruption have tests that name them."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent.parent
SCHEDULING = range(1, 125)
AWS = range(1, 75)
# What a controller does with templates over time, and whose images a look-up by name finds: nothing here does either.
NOT_SHOWN = {64, 70}
DISRUPTION = range(1, 81)


def named(letter: str) -> set[int]:
    """The statements of one page that tests name in a comment."""
    pattern = re.compile(rf"#.*?\b{letter}-\d+.*")
    comments = (m[0] for f in TESTS.rglob("*.py") for m in pattern.finditer(f.read_text("utf-8")))
    return {int(n) for comment in comments for n in re.findall(rf"\b{letter}-(\d+)", comment)}


def test_each_statement_on_scheduling_is_named_by_a_test() -> None:
    """The list of those without is empty."""
    assert sorted(set(SCHEDULING) - named("S")) == []


def test_each_statement_on_aws_is_named_by_a_test() -> None:
    """Those without are told here, and why."""
    assert set(AWS) - named("A") == NOT_SHOWN


def test_each_statement_on_disruption_is_named_by_a_test() -> None:
    """The list of those without is empty."""
    assert sorted(set(DISRUPTION) - named("D")) == []
