"""Offers that are no better than another are left out of the quick bound, and only these."""

from __future__ import annotations

from operator import ge
from random import Random

import pytest

from cutlist.optimization.offers import Offer, without_worse


def _offer(number: int, random: Random) -> Offer:
    room = (random.randint(1, 6), random.randint(1, 6))
    most = random.choice((None, None, None, 2))
    return Offer(number, random.choice((1, 2, 3)), room, random.randint(1, 5) / 10, f"t{number // 2}", "spot", "a", most)


def _is_worse(one: Offer, other: Offer) -> bool:
    """Tell whether an offer is no cheaper and no larger than another for the same pods. Of equal ones the first is better."""
    if one.held & ~other.held or one.most is not None or other.most is not None:
        return False
    is_no_better = one.price >= other.price and all(map(ge, other.room, one.room))
    return is_no_better and ((one.price, one.room) != (other.price, other.room) or other.place < one.place)


@pytest.mark.parametrize("seed", range(30))
def test_what_another_is_as_good_as_is_left_out(seed: int):
    random = Random(seed)  # noqa: S311 - the same offers on every run
    offers = [_offer(number, random) for number in range(24)]
    listed = [offers[start : start + 2] for start in range(0, 24, 2)]
    expected = [offer for offer in offers if not any(_is_worse(offer, other) for other in offers)]
    assert [offer for of_type in without_worse(listed) for offer in of_type] == expected
    assert 0 < len(expected) < len(offers)
