"""The quick bound looks closely only at options that may decide what a pod is worth, and is the same as with all of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from cutlist.optimization import dual_ascent
from cutlist.optimization.demand import Demand
from cutlist.optimization.dual_ascent import quick_bound
from cutlist.optimization.supply import Market, Option

_RESOURCES = ("cpu", "memory")


def _market(random: Random, demands: int, options: int) -> Market:
    """Return a market of demands of which most suit the same options."""
    requests = [[random.randint(0, 4_000), random.randint(1, 9_000)] for _ in range(demands)]
    market = Market.of([Demand(tuple(zip(_RESOURCES, r, strict=True)), (), (), random.randint(1, 3)) for r in requests])
    # Of each two rooms one has more of a resource and less of the other, so none is better for every pod.
    rooms = [(4_000 + 5_000 * n, 256_000 - 20_000 * n) for n in range(options)]
    every = (1 << demands) - 1
    suits = [market.fitting(every if n else random.getrandbits(demands), room) for n, room in enumerate(rooms)]
    made = [Option(random.randint(300, 400) / 100, room, of) for room, of in zip(rooms, suits, strict=True)]
    return replace(market, options=tuple(made))


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_and_the_worth_of_pods_are_those_with_every_option(seed: int, monkeypatch: pytest.MonkeyPatch):
    random = Random(seed)  # noqa: S311 - the same at each run
    market = _market(random, random.choice([3, 30, 60]), random.choice([2, 9]))
    with_few = quick_bound(market)
    assert with_few[0] > 0
    monkeypatch.setattr(dual_ascent, "_deciding", lambda _problem, _shares, options: options)
    assert quick_bound(market) == with_few


def test_most_options_are_left_out_for_many_demands(monkeypatch: pytest.MonkeyPatch):
    """Each round compares options, not every demand with every option."""
    looked_at: list[tuple[int, int]] = []
    deciding = dual_ascent._deciding

    def counted(problem: dual_ascent._Problem, shares: list[tuple[float, ...]], options: tuple[int, ...]) -> list[int]:
        numbers = deciding(problem, shares, options)
        looked_at.append((len(numbers), len(options)))
        return numbers

    monkeypatch.setattr(dual_ascent, "_deciding", counted)
    quick_bound(_market(Random(1), 200, 12))  # noqa: S311 - the same at each run
    few, all_of_them = map(sum, zip(*looked_at, strict=True))
    assert 0 < 2 * few < all_of_them
