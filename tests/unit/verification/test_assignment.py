"""The assignment of greatest weight, compared with trying everything."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from cutlist.verification.assignment import heaviest_pairs
from tests.examples import examples

matrices = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 9), min_size=width, max_size=width), min_size=1, max_size=4)
)


def weight_of_all(weights: list[list[int]]) -> int:
    """The greatest weight of all assignments."""
    rows = weights if len(weights) <= len(weights[0]) else [list(column) for column in zip(*weights, strict=True)]
    return max(
        sum(row[at] for row, at in zip(rows, chosen, strict=True)) for chosen in permutations(range(len(rows[0])), len(rows))
    )


@examples(0.5)
@given(matrices)
def test_no_assignment_is_heavier(weights):
    pairs = heaviest_pairs(weights)
    assert sum(weights[row][column] for row, column in pairs) == weight_of_all(weights)
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    assert all(weights[row][column] for row, column in pairs)


def test_nothing_is_assigned_where_nothing_speaks_for_it():
    assert heaviest_pairs([[0, 0], [0, 5]]) == [(1, 1)]
    assert heaviest_pairs([]) == heaviest_pairs([[]]) == []


def test_the_sum_counts_and_not_the_heaviest_pair():
    assert heaviest_pairs([[9, 8], [8, 0]]) == [(0, 1), (1, 0)]


def test_between_equals_the_first_columns_are_taken():
    assert heaviest_pairs([[1, 1, 1], [1, 1, 1]]) == [(0, 0), (1, 1)]
