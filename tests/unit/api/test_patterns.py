"""Patterns of CRDs match what the API server's engine matches, in linear time."""

from __future__ import annotations

import time
from random import Random

import pytest

from cutlist.api import patterns as patterns

PIECES = (*"07smh%.-_/aekT:\n", "12", "100", "Never", "Zz", "E+1", "Ki", "Gi")


@pytest.mark.parametrize("pattern", sorted(patterns._UNAMBIGUOUS))
def test_both_engines_agree(pattern):
    random = Random(pattern)  # noqa: S311
    slow = patterns._matcher(pattern)
    texts = ["", "\ud800", "é", "٣s", "2025-02-28T12:00:00Z", "2025-02-28t12:00:00.5+01:00", "1h30m", "1h30m0s"]
    texts += ["".join(random.choices(PIECES, k=random.randint(1, 6))) for _ in range(3000)]
    differing = [text for text in texts if patterns.matches(pattern, text) != slow.isinstance_python(text)]
    assert differing == []
    assert {patterns.matches(pattern, text) for text in texts} == {True, False}


@pytest.mark.parametrize("pattern", sorted(patterns._UNAMBIGUOUS))
@pytest.mark.parametrize("piece", ["0", "a", "a.", "a-", "1h", "1.", "1e", "-"])
def test_long_texts_take_linear_time(pattern, piece):
    patterns.matches(pattern, "")
    began = time.process_time()
    patterns.matches(pattern, piece * 50_000 + "!")
    assert time.process_time() - began < 0.5  # a quadratic match takes minutes
