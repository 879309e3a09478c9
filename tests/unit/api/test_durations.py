"""Durations as Karpenter's objects write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.api import durations


@pytest.mark.parametrize(
    ("text", "length", "canonical"),
    [
        ("720h", 2_592_000, "720h0m0s"),
        ("24h", 86_400, "24h0m0s"),
        ("1h30m", 5_400, "1h30m0s"),
        ("90m", 5_400, "1h30m0s"),
        ("30s", 30, "30s"),
        ("30m1h", 5_400, "1h30m0s"),
        ("0s", 0, "0s"),
        ("Never", None, "Never"),
    ],
)
def test_lengths_and_canonical_forms(text: str, length: int | None, canonical: str) -> None:
    """In whole seconds; `Never` has none."""
    assert durations.seconds(text) == length
    assert durations.canonical(text) == canonical


@pytest.mark.parametrize("text", ["", "1.5h", "-1s", "1d", "500ms", "never", "5", "h"])
def test_other_texts_are_refused(text: str) -> None:
    """With what would be right."""
    with pytest.raises(ValueError, match="write whole numbers with s, m or h"):
        durations.seconds(text)


@given(st.integers(0, 10**9))
def test_the_canonical_form_keeps_the_length(length: int) -> None:
    """seconds(canonical(x)) = seconds(x), and it is its own canonical form."""
    text = durations.canonical(f"{length}s")
    assert durations.seconds(text) == length
    assert durations.canonical(text) == text


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("1m30s", True), ("1.5h", True), ("500ms", True), ("0", True), ("1d", False), ("", False), ("10", False)],
)
def test_durations_as_go_reads_them(text: str, is_one: bool) -> None:
    """Kubelet settings take these."""
    assert durations.is_go_duration(text) is is_one
