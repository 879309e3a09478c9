"""The order of claims against a plain reading of the rule: sort all claims by count before each pod, take the first."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cutlist.core.bits import bits, mask_of
from cutlist.core.go_sort import ClaimOrder, sort_by_key
from tests.examples import examples


class PlainOrder:
    """A list that is sorted again for each pod."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        self.order: list[int] = []

    def sort(self) -> None:
        self.order = [self.order[i] for i in sort_by_key([self.counts[c] for c in self.order])]

    def open(self) -> int:
        self.sort()
        self.counts.append(1)
        self.order.append(len(self.counts) - 1)
        return len(self.counts) - 1

    def fill(self, room: dict[int, int], pods: int) -> dict[int, int]:
        left, taken = dict(room), {}
        for _ in range(pods):
            self.sort()
            claim = next((c for c in self.order if left.get(c)), None)
            if claim is None:
                break
            self.counts[claim] += 1
            left[claim] -= 1
            taken[claim] = taken.get(claim, 0) + 1
        return taken


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[int, list[int], int]]:
    """Rounds of: claims opened, room of each open claim for the next pods, number of pods."""
    rounds = []
    claims = 0
    for _ in range(draw(st.integers(1, 8))):
        opened = draw(st.integers(0, 40))
        claims += opened
        rooms = draw(st.lists(st.sampled_from([0, 0, 1, 2, 3, 7, 30]), min_size=claims, max_size=claims))
        rounds.append((opened, rooms, draw(st.integers(0, 120))))
    return rounds


def play(each: tuple[int, list[int], int], plain: PlainOrder, quick: ClaimOrder) -> None:
    """Open and fill the claims of one round in both orders."""
    opened, rooms, pods = each
    for _ in range(opened):
        plain.open(), quick.open()
    plain.fill({claim: room for claim, room in enumerate(rooms) if room}, pods)
    quick.fill(sum(1 << claim for claim in range(len(rooms))), rooms.__getitem__, pods)


@pytest.mark.slow
@given(histories())
@examples(3)
def test_filling_by_arithmetic_is_sorting_before_each_pod(history: list[tuple[int, list[int], int]]) -> None:
    """Every claim gets as many pods as when the list is sorted for each single pod, and the order afterwards is the same."""
    # S-51, S-52
    plain, quick = PlainOrder(), ClaimOrder()
    for opened, rooms, pods in history:
        for _ in range(opened):
            assert plain.open() == quick.open()
        room = {claim: r for claim, r in enumerate(rooms) if r}
        candidates = sum(1 << claim for claim in range(len(rooms)))
        assert quick.fill(candidates, rooms.__getitem__, pods) == plain.fill(room, pods)
        plain.sort()
        assert quick.sequence() == plain.order
        assert quick.counts == plain.counts


@pytest.mark.slow
@given(histories())
@examples(3)
def test_claims_that_rise_together_stand_where_they_would_pod_by_pod(history: list[tuple[int, list[int], int]]) -> None:
    """Level by level, for as many rounds as all of a level have room and pods suffice."""
    plain, quick = PlainOrder(), ClaimOrder()
    for opened, rooms, pods in history:
        for _ in range(opened):
            plain.open(), quick.open()
        plain.fill({claim: room for claim, room in enumerate(rooms) if room}, pods)
        left, wanted = {claim: room for claim, room in enumerate(rooms) if room}, pods
        while left and wanted:
            lowest, distance = quick.lowest(mask_of(left))
            rounds = max(1, min(wanted // lowest.bit_count(), distance, *(left[claim] for claim in bits(lowest))))
            raised, each = quick.raise_together(lowest, wanted, rounds)
            wanted -= each * raised.bit_count()
            left = {claim: room - each * (raised >> claim & 1) for claim, room in left.items()}
            left = {claim: room for claim, room in left.items() if room}
        plain.sort()
        assert (quick.sequence(), quick.counts) == (plain.order, plain.counts)


@pytest.mark.slow
@given(histories(), st.data())
@examples(2)
def test_one_claim_that_grows_alone_passes_the_others(history: list[tuple[int, list[int], int]], data: st.DataObject) -> None:
    """A claim that takes many pods in a row ends where repeated sorting would leave it."""
    plain, quick = PlainOrder(), ClaimOrder()
    for opened, _, pods in history:
        for _ in range(opened):
            plain.open(), quick.open()
        if plain.counts:
            claim = data.draw(st.integers(0, len(plain.counts) - 1))
            plain.fill({claim: pods}, pods)
            quick.grow(claim, pods)
            plain.sort()
            assert quick.sequence() == plain.order


# The sort carries the last new claim on by one place and then exchanges it with the last of its level.
HALFWAY = [(33, [7, 1, 3, 0, 30, 1, 30, 30, 1, 2, 2, 0, 3, 0, 1, 0, 1, 30, 3, 0, 2, 3, 0, 0, 30, 2, 3, 7, 0, 30, 0, 0, 2], 96)]


@pytest.mark.slow
@example(HALFWAY, [(21, 12), (7, 1), (20, 9)])
@given(histories(), st.lists(st.tuples(st.integers(1, 30), st.integers(1, 12)), min_size=1, max_size=6))
@examples(2)
def test_claims_opened_at_once_stand_where_they_would_one_by_one(
    history: list[tuple[int, list[int], int]], openings: list[tuple[int, int]]
) -> None:
    """Each new claim is filled before the next is opened; opening many together ends the same."""
    plain, quick = PlainOrder(), ClaimOrder()
    for each in history:
        play(each, plain, quick)
    for claims, pods in openings:
        for _ in range(claims):
            claim = plain.open()
            plain.fill({claim: pods - 1}, pods - 1)
        plain.sort()
        assert list(quick.open_alike(claims, pods)) == list(range(len(plain.counts) - claims, len(plain.counts)))
        assert quick.sequence() == plain.order


@pytest.mark.slow
@given(histories(), st.data())
@examples(3)
def test_claims_that_take_turns_stand_where_they_would_pod_by_pod(
    history: list[tuple[int, list[int], int]], data: st.DataObject
) -> None:
    """In each round each of some claims gets one pod, the first in order first."""
    # S-51, S-52
    plain, quick = PlainOrder(), ClaimOrder()
    for each in history:
        play(each, plain, quick)
        if plain.counts:
            some = st.lists(st.integers(0, len(plain.counts) - 1), min_size=1, max_size=5, unique=True)
            claims, rounds = data.draw(some), data.draw(st.integers(1, 20))
            for _ in range(rounds):
                plain.fill(dict.fromkeys(claims, 1), len(claims))
            quick.grow_in_turns(claims, rounds)
        plain.sort()
        assert quick.sequence() == plain.order
        assert quick.counts == plain.counts
