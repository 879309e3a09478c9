"""A row that is sorted but for one grown element is sorted as a list of its keys is."""

from __future__ import annotations

import random
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from cutlist.core.go_sort import sort_by_key
from cutlist.core.go_sort.nearly_sorted import NearlySortedClaims
from cutlist.core.go_sort.pdqsort import pdqsort
from tests.examples import examples


def both(sizes: list[int], gaps: list[int], place: int) -> tuple[list[int], list[int]]:
    """Which element stands where, by the row and by the list of keys."""
    heights = list(accumulate(gaps))
    starts = [0, *accumulate(sizes)]
    keys = [height for height, size in zip(heights, sizes, strict=True) for _ in range(size)]
    claims = NearlySortedClaims(heights, starts[:-1], len(keys), place)
    keys[place] += 1
    pdqsort(claims, len(keys))
    return [claims.element(p) for p in range(len(keys))], sort_by_key(keys)


@given(st.data())
@examples(3)
def test_the_levels_end_as_the_list_does(data: st.DataObject) -> None:
    """Whatever the levels and whichever element has grown."""
    sizes = data.draw(st.lists(st.integers(1, 40), min_size=4, max_size=20).filter(lambda s: sum(s) >= 50))
    gaps = data.draw(st.lists(st.sampled_from([1, 1, 1, 2, 5]), min_size=len(sizes), max_size=len(sizes)))
    place = data.draw(st.integers(0, sum(sizes) - 1))
    levels, plain = both(sizes, gaps, place)
    assert levels == plain


def test_places_that_the_sort_looks_at_are_tried_on_purpose() -> None:
    """Elements where the pivot is chosen, at the edges of levels, and in rows of one large level."""
    draw = random.Random(7)  # noqa: S311 - the same rows on every run, not secrets
    for _ in range(400):
        sizes = [draw.choice([1, 2, 3, 10, 60, 200]) for _ in range(draw.randint(1, 12))]
        length = sum(sizes)
        if length < 50:
            continue
        gaps = [draw.choice([1, 1, 3]) for _ in sizes]
        quarter = length // 4
        edges = list(accumulate(sizes))[:-1]
        places = [k * quarter - b for k in (1, 2, 3) for b in (0, 1)] + [e - 1 for e in edges] + edges
        for place in draw.sample(places, min(4, len(places))):
            levels, plain = both(sizes, gaps, place)
            assert levels == plain, (sizes, gaps, place)
