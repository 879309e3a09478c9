"""The first of some claims, remembered from one question to the next, is the one that going through all in order finds."""

from __future__ import annotations

from random import Random

import pytest

from cutlist.core.go_sort import ClaimOrder, FirstClaims


def _changed(order: ClaimOrder, random: Random) -> None:
    """Open a claim, or give one or several some pods."""
    claims = len(order)
    match random.randrange(8):
        case 0:
            order.open()
        case 1:
            order.fill(random.getrandbits(claims), lambda claim: 1 + claim % 3, random.randint(1, 2 * claims))
        case _:
            order.grow(random.randrange(claims), random.randint(1, 3))


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("claims", [1, 12, 30, 50, 120])
def test_the_first_is_the_one_in_front(seed: int, claims: int):
    random = Random(seed)  # noqa: S311 - the same claims on every run
    order = ClaimOrder()
    order.open_alike(claims, 1)
    firsts = FirstClaims(order)
    for _ in range(120):
        _changed(order, random)
        accepting = random.getrandbits(len(order)) & random.getrandbits(len(order))
        assert firsts.of(accepting) == order.first(accepting)
    assert firsts.of(0) is None


class Counted(ClaimOrder):
    """Counts how often the place of a claim is looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_up = 0

    def place(self, claim: int) -> tuple[int, int]:
        self.looked_up += 1
        return super().place(claim)


@pytest.mark.parametrize("in_front", [10, 1_000])
def test_what_is_in_front_costs_nothing(in_front: int):
    """A thousand claims that refuse a pod cost no more than ten."""
    order = Counted()
    order.open_alike(in_front + 100, 1)
    firsts, accepting = FirstClaims(order), ((1 << 100) - 1) << in_front
    for _ in range(50):
        first = firsts.of(accepting)
        assert first is not None
        order.grow(first, 1)
    assert order.looked_up < 4 * (100 + 50)
