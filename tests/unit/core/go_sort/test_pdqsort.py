"""The unstable sort of the Go standard library (spec: scheduling Appendix A)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.go_sort import sort_by_key
from tests.unit.core.go_sort.plain_sort import plain_order, plain_sort


def last_first(n: int) -> list[int]:
    return [n - 1, *range(n - 1)]


def first_last(n: int) -> list[int]:
    return [*range(1, n), 0]


@pytest.mark.parametrize("n", [0, 1, 2, 12, 13, 49, 50, 500])
def test_equal_keys_stay_in_place(n):
    """Elements that are all equal are not moved."""
    assert sort_by_key([7] * n) == list(range(n))


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (12, last_first(12)),
        (13, [12, 6, 2, 3, 4, 5, 0, 7, 8, 9, 10, 11, 1]),
        (20, [19, 10, 11, 3, 0, 5, 6, 7, 8, 2, 9, 4, 12, 13, 14, 15, 16, 17, 18, 1]),
        (50, last_first(50)),
        (60, last_first(60)),
    ],
)
def test_smallest_comes_last(n, expected):
    """The appendix's vectors with equal keys and a smaller one at the end: shuffled between 13 and 49 elements."""
    assert sort_by_key([2] * (n - 1) + [1]) == expected


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (13, [6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 0]),
        (20, [10, 1, 2, 3, 4, 5, 6, 7, 9, 8, 12, 11, 19, 13, 14, 15, 16, 17, 18, 0]),
        (50, first_last(50)),
        (60, first_last(60)),
    ],
)
def test_largest_comes_first(n, expected):
    """The appendix's vectors with equal keys and a larger one at the start."""
    assert sort_by_key([2] + [1] * (n - 1)) == expected


def test_keys_are_left_alone():
    """The caller's list of keys is not sorted with the rest."""
    keys = [3, 1, 2] * 10
    sort_by_key(keys)
    assert keys == [3, 1, 2] * 10


def killer(n: int) -> list[int]:
    """Keys of which this sort chooses bad pivots again and again (McIlroy's adversary), until it turns to a heap sort."""
    value: list[int | None] = [None] * n
    solid, candidate = 0, -1

    def less(a: int, b: int) -> bool:
        nonlocal solid, candidate
        if value[a] is None and value[b] is None:
            value[b if b == candidate else a] = solid
            solid += 1
        if value[a] is None:
            candidate = a
        elif value[b] is None:
            candidate = b
        return (n if value[a] is None else value[a]) < (n if value[b] is None else value[b])

    plain_sort(list(range(n)), less)
    return [n if v is None else v for v in value]


@pytest.mark.parametrize("n", [20, 100, 300, 1000])
def test_bad_pivots_end_in_the_same_heap_sort(n):
    """Keys made against the choice of pivots, the upper half in threes, go through scattering and a heap sort alike."""
    half = n // 2
    keys = [key if key < half else half + (key - half) // 3 for key in killer(n)]
    assert sort_by_key(keys) == plain_order(keys)


@given(st.lists(st.integers(-3, 3), min_size=30, max_size=45), st.integers(150, 300))
def test_descending_keys_with_an_odd_stretch_as_the_plain_algorithm(stretch, size):
    """A descending list is turned over first; what was out of order is then sorted from the mirrored pivot."""
    keys = list(range(size, 0, -1))
    keys[: len(stretch)] = [size // 2 + n for n in stretch]
    assert sort_by_key(keys) == plain_order(keys)


@given(st.lists(st.integers(0, 5), max_size=130))
def test_few_keys_as_the_plain_algorithm(keys):
    """Lists with many equal keys come out as from the plain algorithm."""
    assert sort_by_key(keys) == plain_order(keys)


@given(st.lists(st.integers(), max_size=300))
def test_any_keys_as_the_plain_algorithm(keys):
    """Lists of any keys come out as from the plain algorithm."""
    assert sort_by_key(keys) == plain_order(keys)


@given(
    st.lists(st.integers(0, 3), min_size=13, max_size=400),
    st.lists(st.tuples(st.integers(0, 399), st.integers(-2, 2)), max_size=8),
    st.booleans(),
)
def test_nearly_sorted_keys_as_the_plain_algorithm(keys, changes, descending):
    """Sorted lists, up or down, with a few keys changed come out as from the plain algorithm."""
    keys.sort(reverse=descending)
    for place, by in changes:
        keys[place % len(keys)] += by
    assert sort_by_key(keys) == plain_order(keys)


@pytest.mark.parametrize("by", [1, -1])
def test_one_change_in_a_long_list_as_the_plain_algorithm(by):
    """What scheduling does most, one count changed among thousands in order, is the plain algorithm's result."""
    keys = sorted(n % 7 for n in range(5000))
    for place in range(0, 5000, 499):
        changed = [*keys[:place], keys[place] + by, *keys[place + 1 :]]
        assert sort_by_key(changed) == plain_order(changed)
