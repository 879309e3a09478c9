"""The assignment of greatest weight: which rows go with which columns so that the sum of the weights is greatest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_UNREACHED: Final = 1 << 62


def heaviest_pairs(weights: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return pairs of row and column, each in at most one, whose weights have the greatest sum; in the order of the rows.

    Weights are not negative, and pairs of weight zero are left out. Equal weights give the same pairs each time: the first
    columns are preferred. The time grows with the cube of the smaller side (the Hungarian method with potentials).
    """
    if not weights or not weights[0]:
        return []
    if len(weights) > len(weights[0]):
        turned = [list(column) for column in zip(*weights, strict=True)]
        return sorted((row, column) for column, row in heaviest_pairs(turned))
    row_of = _row_of_each_column(weights)
    return sorted((row, column) for column, row in enumerate(row_of) if row >= 0 and weights[row][column] > 0)


def _row_of_each_column(weights: Sequence[Sequence[int]]) -> list[int]:
    """Return the row of each column, -1 for none; there may be no more rows than columns."""
    width = len(weights[0])
    root = width  # an extra column, where each search begins
    row_of = [-1] * (width + 1)
    of_rows, of_columns = [0] * len(weights), [0] * (width + 1)
    for row in range(len(weights)):
        row_of[root] = row
        way_back, column = _search(weights, row_of, of_rows, of_columns)
        while column != root:
            row_of[column] = row_of[way_back[column]]
            column = way_back[column]
    return row_of[:width]


def _search(
    weights: Sequence[Sequence[int]], row_of: Sequence[int], of_rows: list[int], of_columns: list[int]
) -> tuple[list[int], int]:
    """Return the way back from a free column to the row without one, and that column. Updates the potentials on the way."""
    width = len(weights[0])
    least, way_back = [_UNREACHED] * width, [width] * width
    open_columns = list(range(width))
    visited = [width]
    column = width
    # Distances are reduced by the potentials and never negative, so the nearest open column is final, as in Dijkstra's search.
    while row_of[column] >= 0:
        row = row_of[column]
        row_weights, of_row = weights[row], of_rows[row]
        nearest, delta = -1, _UNREACHED
        for at in open_columns:
            # The method finds the least sum, so weights are negated.
            distance = -row_weights[at] - of_row - of_columns[at]
            if distance < least[at]:
                least[at], way_back[at] = distance, column
            if least[at] < delta:
                nearest, delta = at, least[at]
        # Pairs that are assigned, or on a way back, keep distance zero; so every assignment is the best one for its rows.
        for at in visited:
            of_rows[row_of[at]] += delta
            of_columns[at] -= delta
        for at in open_columns:
            least[at] -= delta
        open_columns.remove(nearest)
        visited.append(nearest)
        column = nearest
    return way_back, column
