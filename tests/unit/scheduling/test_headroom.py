"""The index of claims by room: it may name a claim too many, never one too few."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutlist.scheduling.headroom import HeadroomIndex

REQUESTS = [(1, 2), (2, 2), (5, 0), (3, 9)]
headrooms = st.lists(st.tuples(st.integers(-1, 10), st.integers(-1, 10)), max_size=8)


def filed(frees: list[tuple[int, int]]) -> HeadroomIndex:
    index = HeadroomIndex(REQUESTS, 2)
    for free in frees:
        index.add(free)
    return index


def large_enough(frees: list[tuple[int, int]], requests: tuple[int, int]) -> int:
    return sum(1 << n for n, free in enumerate(frees) if all(f >= a or a == 0 for f, a in zip(free, requests, strict=True)))


def test_nothing_is_free_without_claims():
    """No claim, no candidate."""
    assert filed([]).candidates((1, 2)) == 0


def test_a_claim_without_room_for_one_resource_is_left_out():
    """Plenty of the first does not make up for the second."""
    assert filed([(9, 1), (9, 2)]).candidates((1, 2)) == 0b10


def test_what_is_not_asked_for_does_not_matter():
    """A claim without any of the second takes a pod that asks for none."""
    assert filed([(5, -1)]).candidates((5, 0)) == 0b1


def test_a_claim_is_filed_anew_when_it_has_taken_pods():
    """Less room, fewer questions."""
    index = filed([(9, 9)])
    index.update(0, (2, 9))
    assert [index.candidates(requests) for requests in REQUESTS] == [1, 1, 0, 0]


@given(headrooms, st.data())
def test_candidates_are_the_claims_with_room_of_each_resource(frees: list[tuple[int, int]], data: st.DataObject):
    """After any history, exactly the claims with enough of each resource by itself are named."""
    index = filed(frees)
    for claim in range(len(frees)):
        frees[claim] = data.draw(st.tuples(st.integers(-1, 10), st.integers(-1, 10)))
        index.update(claim, frees[claim])
        for requests in REQUESTS:
            assert index.candidates(requests) == large_enough(frees, requests)


@given(headrooms, headrooms, st.data())
def test_nodes_may_be_inserted_between_others(frees: list[tuple[int, int]], more: list[tuple[int, int]], data: st.DataObject):
    """Those behind them move up by one."""
    index = filed(frees)
    for free in more:
        place = data.draw(st.integers(0, len(frees)))
        index.insert(place, free)
        frees.insert(place, free)
    assert [index.candidates(r) for r in REQUESTS] == [large_enough(frees, r) for r in REQUESTS]
