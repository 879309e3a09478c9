"""A lower bound without a solver, in some ten milliseconds and usually within 1% of the linear one.

Each option divides its price among the resources of its room. A pod is then worth its use of the option that values it least,
so the pods on one node are worth at most its price, and all pods together at most the price of any packing. That holds for
every division; the search for a good one gives more of an option's price to the resources that decide, in smaller and smaller
steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from math import exp
from operator import ge, le, mul
from typing import Final, NamedTuple

from cutlist.core.bits import bits
from cutlist.optimization.rooms_by_suits import RoomsBySuits
from cutlist.optimization.supply import Amounts, Market, Option

_WORK: Final = 250_000
"""How many pairs of a demand and an option all rounds examine together, unless that makes too few rounds or more than
enough."""
_ROUNDS: Final = (24, 100)
_FIRST_STEP: Final = 8.0
_LAST_STEP: Final = 0.16
_CERTAINLY: Final = 1 - 1e-9
"""The part of a number that is less than it, whatever sums are rounded to."""


class _Use(NamedTuple):
    """The use that one pod makes of an option: its part of the room by resource, in dollars of the option's price."""

    option: int
    parts: tuple[float, ...]


class _Problem:
    """The rooms per dollar of the options that matter, and the demands that some of them suit: their numbers of pods and their
    numbers in the market. `alike` are the places of demands by the options that suit them."""

    __slots__ = ("_parts", "_requests", "alike", "counts", "demands", "pairs", "rooms")

    def __init__(self, market: Market, rooms: Sequence[tuple[float, ...]], suiting: Sequence[Sequence[int]]) -> None:
        self.rooms = rooms
        self.demands = [demand for demand, options in enumerate(suiting) if options]
        self.counts = [market.demands[demand].count for demand in self.demands]
        self.alike: dict[tuple[int, ...], list[int]] = {}
        for place, demand in enumerate(self.demands):
            self.alike.setdefault(tuple(suiting[demand]), []).append(place)
        self.pairs = sum(map(len, suiting))
        self._requests = [market.requests[demand] for demand in self.demands]
        self._parts: dict[tuple[tuple[int, ...], int], list[tuple[float, ...]]] = {}

    def parts(self, options: tuple[int, ...], option: int) -> list[tuple[float, ...]]:
        """Return the parts of an option that one pod uses, for each demand that these options suit."""
        if (options, option) not in self._parts:  # of most options nobody asks
            room = self.rooms[option]
            self._parts[options, option] = [_parts(self._requests[place], room) for place in self.alike[options]]
        return self._parts[options, option]


def quick_bound(market: Market) -> tuple[float, tuple[float, ...]]:
    """Return a lower bound in USD/hour on the cost of any packing of the demands, without what is `fixed`, and the worth of one
    pod of each demand by it."""
    problem = _problem(market)
    worth = [0.0] * len(market.demands)
    if not problem.pairs:
        return 0.0, tuple(worth)
    shares, values = _best_shares(problem)
    for demand, value in zip(problem.demands, values, strict=True):
        worth[demand] = value
    # Correctly rounded sums, so that the bound does not depend on the order of the demands.
    paid = math.fsum(map(mul, problem.counts, values)) - math.fsum(_gains(market, problem, shares, worth))
    return max(0.0, paid), tuple(worth)


def _problem(market: Market) -> _Problem:
    """Return the data of the search; pods that fit on a free node, or on none, are worth nothing."""
    unlimited = [option for option in market.options if option.most is None]
    free = 0
    for option in unlimited:
        # A pod that may run for nothing raises no bound.
        free |= option.suits if option.price <= 0 else 0
    usable = _UsableRoom(market)
    rooms = [
        (tuple(amount / option.price for amount in usable.of(option)), option.suits) for option in unlimited if option.price > 0
    ]
    # Whatever a dominated option holds, the other holds for the same money, so leaving it out makes no packing cheaper.
    kept = _without_dominated(rooms)
    suiting: list[list[int]] = [[] for _ in market.requests]
    for number, (_, suits) in enumerate(kept):
        for demand in bits(suits & ~free):
            suiting[demand].append(number)
    return _Problem(market, [room for room, _ in kept], suiting)


class _UsableRoom:
    """The room of options, with no more of each resource than all pods request that fit on such a node.

    Room that no pods can fill would make its resource look cheap. Without it each pod's part is larger and the bound higher,
    and every packing still fits.
    """

    __slots__ = ("_market", "_of_one_each")

    def __init__(self, market: Market) -> None:
        self._market = market
        self._of_one_each: dict[int, list[int]] = {}

    def of(self, option: Option) -> Amounts:
        """Return the room of an option that pods can use."""
        if all(map(ge, self._one_each(option.suits), option.room)):
            return option.room
        totals = [0] * len(option.room)
        for number in bits(option.suits):
            pods = self._market.whole_pods(option, number)
            totals = [total + pods * request for total, request in zip(totals, self._market.requests[number], strict=True)]
            # Enough pods for every resource: the room counts as it is, whatever the other demands add.
            if all(map(ge, totals, option.room)):
                return option.room
        return tuple(map(min, option.room, totals))

    def _one_each(self, suits: int) -> list[int]:
        """Return what one pod of each of these demands requests, together: where this is enough, no pods have to be counted."""
        if suits not in self._of_one_each:
            demands, requests = self._market.demands, self._market.requests
            each = [requests[number] for number in bits(suits) if demands[number].count and demands[number].on_a_node != 0]
            self._of_one_each[suits] = list(map(sum, zip(*each, strict=True))) or [0] * len(self._market.resources)
        return self._of_one_each[suits]


def _without_dominated(rooms: Sequence[tuple[tuple[float, ...], int]]) -> list[tuple[tuple[float, ...], int]]:
    """Return the options that no other dominates, by room per dollar and the demands that they suit."""
    # In the order of size an option comes after all that dominate it, so one comparison with those that are kept is enough.
    largest = [max(amounts) or 1.0 for amounts in zip(*(room for room, _ in rooms), strict=True)]
    ordered = sorted(rooms, key=lambda r: -math.fsum(amount / most for amount, most in zip(r[0], largest, strict=True)))
    kept: list[tuple[tuple[float, ...], int]] = []
    known = RoomsBySuits()
    for room, suits in ordered:
        if not known.have_as_much(room, suits):
            kept.append((room, suits))
            known.add(room, suits)
    return kept


def _parts(requests: Amounts, room: Sequence[float]) -> tuple[float, ...]:
    return tuple([request / amount if request else 0.0 for request, amount in zip(requests, room, strict=True)])


def _best_shares(problem: _Problem) -> tuple[list[tuple[float, ...]], list[float]]:
    """Return the best division of each option's price that was found, and the worth of one pod of each demand by it."""
    totals = [math.fsum(column) or 1.0 for column in zip(*problem.rooms, strict=True)]
    shares = [_normal([amount / total for amount, total in zip(room, totals, strict=True)]) for room in problem.rooms]
    # Every division gives a valid bound, so the best one that was seen is kept; a round may be worse than the one before.
    best, best_shares, best_values = -1.0, shares, [0.0] * len(problem.demands)
    for step in _steps(problem.pairs):
        values, cheapest = _values(problem, shares)
        value = math.fsum(map(mul, problem.counts, values))
        if value > best:
            best, best_shares, best_values = value, shares, values
        shares = _moved(problem, shares, cheapest, step)
    return best_shares, best_values


def _steps(pairs: int) -> Iterator[float]:
    least, most = _ROUNDS
    # Large steps leave the start quickly, small ones settle near the best division.
    rounds = min(most, max(least, _WORK // pairs))
    yield from (_FIRST_STEP * (_LAST_STEP / _FIRST_STEP) ** (number / rounds) for number in range(rounds))


def _values(problem: _Problem, shares: Sequence[tuple[float, ...]]) -> tuple[list[float], list[_Use]]:
    """Return the worth of one pod of each demand, and the use that decides it."""
    values, cheapest = [0.0] * len(problem.demands), [_Use(0, ())] * len(problem.demands)
    for options, places in problem.alike.items():
        # Comparing options with each other pays where they have more demands than there are options.
        deciding = _deciding(problem, shares, options) if len(places) > len(options) else options
        parts = [problem.parts(options, option) for option in deciding]
        worth = [[math.fsum(map(mul, shares[option], of)) for of in used] for option, used in zip(deciding, parts, strict=True)]
        for number, (place, of_options) in enumerate(zip(places, zip(*worth, strict=True), strict=True)):
            values[place] = min(of_options)
            least = of_options.index(values[place])
            cheapest[place] = _Use(deciding[least], parts[least][number])
    return values, cheapest


def _deciding(problem: _Problem, shares: Sequence[tuple[float, ...]], options: Sequence[int]) -> list[int]:
    """Return the options that may decide what some pod is worth: those for which no other has a lower price of every resource,
    by more than the error of a sum."""
    kept: list[tuple[int, list[float]]] = []
    for option in options:
        amounts = zip(shares[option], problem.rooms[option], strict=True)
        prices = [share / amount if amount else 0.0 for share, amount in amounts]
        less = [price * _CERTAINLY for price in prices]
        if not any(all(map(le, others, less)) for _, others in kept):
            kept = [(o, of) for o, of in kept if not all(map(le, prices, (price * _CERTAINLY for price in of)))]
            kept.append((option, prices))
    return [option for option, _ in kept]


def _moved(
    problem: _Problem, shares: Sequence[tuple[float, ...]], cheapest: Sequence[_Use], step: float
) -> list[tuple[float, ...]]:
    """Return shares that give more to the resources that pods use of the options that decide their worth."""
    # The bound is a sum of minima of linear functions of the shares, so it is concave, and what pods use of the options that
    # decide is its slope. Multiplying by powers, not adding, keeps every share positive.
    pulls = [[0.0] * len(share) for share in shares]
    for (option, parts), count in zip(cheapest, problem.counts, strict=True):
        pull = pulls[option]
        for resource, part in enumerate(parts):
            pull[resource] += count * part
    strongest = max(map(max, pulls)) or 1.0
    return [
        _normal([part * exp(step * force / strongest) for part, force in zip(share, pull, strict=True)]) if any(pull) else share
        for share, pull in zip(shares, pulls, strict=True)
    ]


def _normal(parts: Sequence[float]) -> tuple[float, ...]:
    total = math.fsum(parts)
    return tuple(part / total for part in parts)


def _gains(market: Market, problem: _Problem, shares: Sequence[tuple[float, ...]], worth: Sequence[float]) -> Iterator[float]:
    """Yield, for options with a limited number, the most that their pods are worth beyond their prices."""
    # Options of which there are only some are not among those that decide what a pod is worth, so their pods may be worth more
    # than their price. Taking off the most that this can come to keeps the bound valid.
    prices = [
        [share / amount if amount else 0.0 for share, amount in zip(of, room, strict=True)]
        for of, room in zip(shares, problem.rooms, strict=True)
    ]
    usable = _UsableRoom(market)
    for option in market.options:
        if option.most is not None:
            room = usable.of(option)
            held = [number for number, value in enumerate(worth) if value and option.suits >> number & 1]
            values = (_value_of_room(room, of, [(market.requests[n], worth[n]) for n in held]) for of in prices)
            yield option.most * max(0.0, min(values) - option.price) if held else 0.0


def _value_of_room(room: Amounts, prices: Sequence[float], pods: Sequence[tuple[Amounts, float]]) -> float:
    """Return the most that the pods in a room are worth, by prices of resources that rise until no pod is worth more."""
    raised = 0.0
    for requests, worth in pods:
        price = math.fsum(map(mul, prices, requests))
        if price <= 0:
            return float("inf")  # these prices prove nothing about the pod; those of another option may
        raised = max(raised, worth / price)
    # At these prices each pod uses room for at least what it is worth, and together they use no more than the whole room.
    return raised * math.fsum(map(mul, prices, room))
