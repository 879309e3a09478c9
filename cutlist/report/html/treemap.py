"""Rectangles whose areas are given sizes: a squarified treemap, after Bruls, Huizing and van Wijk (2000)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its left upper corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def shorter(self) -> float:
        """Return the length of the shorter side."""
        return min(self.width, self.height)

    def inside(self, gap: float, top: float = 0.0) -> Box:
        """Return the rectangle without a border of this width, and without some more at the top; never negative."""
        width, height = max(self.width - 2 * gap, 0.0), max(self.height - 2 * gap - top, 0.0)
        return Box(self.x + min(gap, self.width / 2), self.y + min(gap + top, self.height), width, height)


def treemap(sizes: Sequence[float], box: Box) -> list[Box]:
    """Return a part of the box for each size, in proportion and as near to a square as they get.

    Sizes must be positive; parts are squarest if sizes descend.
    """
    total = math.fsum(sizes)
    if not sizes or not total:
        return [Box(box.x, box.y, 0.0, 0.0) for _ in sizes]
    scale = box.width * box.height / total
    areas = [size * scale for size in sizes]
    boxes: list[Box] = []
    rest, start = box, 0
    while start < len(areas):
        end = start + 1
        while end < len(areas) and _worst(areas[start : end + 1], rest.shorter) <= _worst(areas[start:end], rest.shorter):
            end += 1
        row, rest = _row(areas[start:end], rest)
        boxes += row
        start = end
    return boxes


def _worst(areas: Sequence[float], side: float) -> float:
    """Return the ratio of the sides of the least square part of a row along this side."""
    total = math.fsum(areas)
    if not side or not min(areas):
        return math.inf
    return max(side * side * max(areas) / total**2, total**2 / (side * side * min(areas)))


def _row(areas: Sequence[float], box: Box) -> tuple[list[Box], Box]:
    """Return the parts of a row along the shorter side, and the rest of the box."""
    total = math.fsum(areas)
    depth = total / box.shorter if box.shorter else 0.0
    parts, at = [], 0.0
    for area in areas:
        length = area / depth if depth else 0.0
        if box.width >= box.height:
            parts.append(Box(box.x, box.y + at, depth, length))
        else:
            parts.append(Box(box.x + at, box.y, length, depth))
        at += length
    if box.width >= box.height:
        return parts, Box(box.x + depth, box.y, max(box.width - depth, 0.0), box.height)
    return parts, Box(box.x, box.y + depth, box.width, max(box.height - depth, 0.0))
