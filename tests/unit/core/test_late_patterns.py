"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from cutlist.core.late_patterns import late_pattern


def test_a_late_pattern_is_used_like_any_other():
    digits = late_pattern(r"(\d+)([a-z])", re.IGNORECASE)
    assert (digits.fullmatch("12K").groups(), digits.sub(r"\2", "3m"), digits.pattern) == (("12", "K"), "m", r"(\d+)([a-z])")
    assert digits.fullmatch is digits.fullmatch


def test_a_broken_pattern_is_refused_when_it_is_used():
    broken = late_pattern("(")
    with pytest.raises(re.error, match="unterminated"):
        broken.match("")
