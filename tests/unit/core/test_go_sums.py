"""Sums are those of Go, with every version of Python."""

from __future__ import annotations

from cutlist.core.go_sums import sum_in_turn


def test_numbers_are_added_one_after_the_other():
    """Of 0.1 that is rounded after each of eight additions, 0.7999999999999999 is left; the exact sum is nearer to 0.8."""
    assert sum_in_turn([0.1] * 8) == 0.7999999999999999
    assert (sum_in_turn([1e16, 1.0, -1e16]), sum_in_turn([])) == (0.0, 0.0)
