"""The numbered statements that the product keeps have tests that name them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
# Each page's letter, how many statements it has, and those that cannot be shown here.
PAGES = [
    ("S", 124, set()),
    ("D", 80, set()),
    ("A", 74, {64}),  # what launch templates are called and when they go: a controller's alone
    ("I", 82, set()),  # what only an account can tell is listed in docs/karpenter-cluster.md
    ("V", 137, set()),  # V-68 but for owner and finalizer: one needs the uid of a NodePool, the other comes later
    ("Z", 69, set()),  # of Z-59 the second half: its keys are of a price list that other sources have replaced
]


def named(letter: str) -> set[int]:
    """The statements of one page that tests name, alone or in a row such as `V-1 to V-9`."""
    texts = [f.read_text("utf-8") for f in TESTS.rglob("*.py") if f != Path(__file__)]
    alone = {int(n) for text in texts for n in re.findall(rf"\b{letter}-(\d+)", text)}
    rows = [(int(a), int(b)) for text in texts for a, b in re.findall(rf"\b{letter}-(\d+) to (?:{letter}-)?(\d+)", text)]
    return alone.union(*(range(first, last + 1) for first, last in rows))


@pytest.mark.parametrize(("letter", "count", "not_shown"), PAGES)
def test_each_statement_is_named_by_a_test(letter: str, count: int, not_shown: set[int]) -> None:
    """Those without are told above, and why; a statement that gets its test leaves the list."""
    assert set(range(1, count + 1)) - named(letter) == not_shown
