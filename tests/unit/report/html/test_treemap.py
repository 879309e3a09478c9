"""Treemaps: areas are what they stand for, side by side in the frame."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.report.html.treemap import Box, treemap
from tests.examples import examples

_FRAME = Box(10.0, 20.0, 300.0, 200.0)


@examples(0.5)
@given(st.lists(st.floats(0.01, 1e4), min_size=1, max_size=25))
def test_areas_are_in_proportion_and_fill_the_frame_without_overlap(sizes):
    boxes = treemap(sizes, _FRAME)
    whole = sum(sizes)
    for size, box in zip(sizes, boxes, strict=True):
        assert box.width * box.height == pytest.approx(size / whole * 60_000, rel=1e-6, abs=1e-3)
        assert box.x >= 10 - 1e-6
        assert box.y >= 20 - 1e-6
        assert box.x + box.width <= 310 + 1e-6
        assert box.y + box.height <= 220 + 1e-6
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            assert min(across, down) < 1e-6


def test_parts_are_nearly_square():
    """The example of the paper: six by four, and no part more than three times as long as wide."""
    boxes = treemap([6, 6, 4, 3, 2, 2, 1], Box(0.0, 0.0, 6.0, 4.0))
    assert [(round(b.width, 2), round(b.height, 2)) for b in boxes[:3]] == [(3, 2), (3, 2), (1.71, 2.33)]
    assert max(max(b.width / b.height, b.height / b.width) for b in boxes) < 3


def test_without_sizes_or_room_there_are_parts_without_area():
    assert treemap([], _FRAME) == []
    assert [box.width * box.height for box in treemap([1.0, 2.0], Box(0.0, 0.0, 0.0, 5.0))] == [0.0, 0.0]
    assert _FRAME.inside(400.0) == Box(160.0, 220.0, 0.0, 0.0)
