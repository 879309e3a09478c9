"""The linear programme of node fillings: the least price of nodes that are each filled with whole pods in one of all possible
ways.

    minimise   sum of price[f] * nodes[f]                  over fillings f, each of one option
    such that  sum over f of pods[d, f] * nodes[f] >= count[d]       for each demand d
               sum over the fillings f of o of nodes[f] <= most[o]   for each option o with a limited number

There are far too many fillings to write down, so they are made when needed (Gilmore and Gomory): the dual prices give the worth
of a pod, and a knapsack for each option shows whether a node of it can carry pods that are worth more than its price. If none
can, the optimum is reached. The result also holds before that (Farley): the worth of pods is lowered until no node carries more
than its price. Rules about other pods are left out: they only remove fillings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cutlist.optimization.covering import Covering
from cutlist.optimization.filling import Filling, Room
from cutlist.optimization.linear_programme import Entries, Floats, LinearProgramme
from cutlist.optimization.supply import Market, Option

_WORK: Final = 300_000
"""How many pairs of a demand and an option all rounds examine together, unless that makes too few rounds or more than
enough."""
_ROUNDS: Final = (5, 60)
_WHOLE_WORK: Final = 5_000
"""How many demands all searches for fillings with whole pods may have together."""
_BRANCHES: Final = 50
"""How many branches one such search may take."""
_NEAR: Final = 2e-4
"""The distance from the optimum, as a fraction of it, at which the search ends."""
_INWARD: Final = 0.8
"""How far the prices for new fillings are moved toward the best proven ones: the master's own prices jump from round to
round."""
_WORTH_MORE: Final = 1 + 1e-7


@dataclass(frozen=True, slots=True)
class _Duals:
    """The worth of one pod of each demand, and by how much the price of each option rises because its number is limited."""

    worth: Floats
    scarcity: Floats

    def toward(self, other: _Duals, part: float) -> _Duals:
        """Return duals that lie this part of the way toward others."""
        worth, scarcity = ((1 - part) * a + part * b for a, b in ((self.worth, other.worth), (self.scarcity, other.scarcity)))
        return _Duals(worth, scarcity)


@dataclass(frozen=True, slots=True)
class _Proven:
    """A bound in USD/hour, and the duals that prove it."""

    bound: float
    duals: _Duals


@dataclass(frozen=True, slots=True)
class _Supply:
    """Options in numbers; `suits` says by option and demand whether a pod fits, `counts` how many pods each demand has that fit
    on some option."""

    prices: Floats
    most: Floats
    suits: NDArray[np.bool_]
    counts: Floats
    rooms: tuple[Room, ...]

    @staticmethod
    def of(market: Market, options: Sequence[Option]) -> _Supply:
        demands = range(len(market.demands))
        suits = np.array([[bool(o.suits >> d & 1) for d in demands] for o in options], dtype=bool).reshape(-1, len(demands))
        return _Supply(
            prices=np.array([o.price for o in options]),
            most=np.array([np.inf if o.most is None else float(o.most) for o in options]),
            suits=suits,
            counts=np.array([float(d.count) for d in market.demands]) * suits.any(axis=0),
            rooms=tuple(Room.of(market, o, [market.whole_pods(o, d) for d in demands]) for o in options),
        )

    def relaxed(self, duals: _Duals) -> list[Filling]:
        """Return the best filling of each option with fractions of pods."""
        return [room.filled(duals.worth) for room in self.rooms]

    def rounded(self, relaxed: Sequence[Filling], duals: _Duals) -> list[Filling]:
        """Return fillings with whole pods near relaxed ones. Options with a limited number keep fractions, since one may be
        several nodes that are counted as one."""
        return [
            room.rounded(filling, duals.worth) if np.isinf(most) else filling
            for room, filling, most in zip(self.rooms, relaxed, self.most, strict=True)
        ]

    def whole(self, relaxed: Sequence[Filling], duals: _Duals, work: _Work) -> list[Filling]:
        """Return the best filling with whole pods of each option whose relaxed one carries more than its node costs, as far as
        the work left allows."""
        fillings = []
        for room, filling, cost, most in zip(self.rooms, relaxed, self.prices + duals.scarcity, self.most, strict=True):
            if filling.most_worth > cost * _WORTH_MORE and np.isinf(most) and work.takes(len(room.demands)):
                whole = room.filled_whole(duals.worth, _BRANCHES)
                # Both bounds hold, so the lower one does.
                fillings.append(Filling(whole.pods, min(whole.most_worth, filling.most_worth)))
            else:
                fillings.append(filling)
        return fillings

    def proven(self, duals: _Duals, fillings: Sequence[Filling]) -> _Proven:
        """Return the bound that duals with these best fillings prove, and the lowered duals that prove it."""
        # The bounds of the knapsacks and not their solutions: only with these is every filling covered, also those not found.
        carried = np.array([filling.most_worth for filling in fillings])
        # By these duals a node may carry more than it costs. Lowering the worth of its pods until it does not makes the duals
        # feasible, and what they pay a bound.
        scale = np.minimum(1.0, (self.prices + duals.scarcity) / np.maximum(carried, np.finfo(float).tiny))
        worth = np.where(self.suits, duals.worth * scale[:, None], np.inf).min(axis=0, initial=np.inf)
        worth = np.where(np.isfinite(worth), worth, 0.0)
        limited = np.isfinite(self.most)
        paid = (self.counts * worth).sum() - (duals.scarcity[limited] * self.most[limited]).sum()
        return _Proven(float(paid), _Duals(worth, duals.scarcity))


class _Work:
    """The work that is left, counted in demands of knapsacks."""

    def __init__(self, left: int, may_go_on: Callable[[], bool]) -> None:
        self._left = left
        self._may_go_on = may_go_on

    def takes(self, demands: int) -> bool:
        """Tell whether a knapsack of this many demands may be solved, and count it if so."""
        self._left -= demands
        return self._left >= 0 and self._may_go_on()


class _Master:
    """The programme over the fillings so far: at first those of a single demand, on the nodes that are cheapest for it. Pods of
    a demand may also go without a node, at a price above that of any node.
    """

    def __init__(self, supply: _Supply) -> None:
        self._supply = supply
        self._limited = np.flatnonzero(np.isfinite(supply.most))
        demands = len(supply.counts)
        # Above any node's price, so that it is only paid while fillings are missing; with it the master always has a solution.
        self._prices = [2 * float(supply.prices.max(initial=1.0))] * demands
        self._columns: list[Floats] = [*np.hstack([np.eye(demands), np.zeros((demands, len(self._limited)))])]
        cheapest: dict[int, tuple[float, int, int]] = {}
        for option, (room, price) in enumerate(zip(supply.rooms, supply.prices.tolist(), strict=True)):
            for place, (demand, count) in enumerate(zip(room.demands.tolist(), room.counts.tolist(), strict=True)):
                # A limited option may have too few nodes for all pods of a demand, so it is not a safe start.
                if np.isinf(supply.most[option]):
                    cheapest[demand] = min(cheapest.get(demand, (np.inf, 0, 0)), (price / count, option, place))
        for _, option, place in cheapest.values():
            self.add(option, supply.rooms[option].of_one_demand(place))

    def add(self, option: int, filling: Filling) -> None:
        self._prices.append(float(self._supply.prices[option]))
        self._columns.append(np.concatenate([filling.pods, (self._limited == option).astype(float)]))

    def add_wanted(self, fillings: Sequence[Filling], duals: _Duals) -> bool:
        """Add the fillings, given one for each option, that carry more than their nodes cost by these duals; tell whether there
        was one."""
        costs = self._supply.prices + duals.scarcity
        wanted = [n for n, f in enumerate(fillings) if f.pods @ duals.worth > costs[n] * _WORTH_MORE]
        for number in wanted:
            self.add(number, fillings[number])
        return bool(wanted)

    def solve(self) -> tuple[float, _Duals]:
        """Return the value of the optimum, and its dual prices."""
        matrix = np.array(self._columns)
        columns, rows = np.nonzero(matrix)
        demands, limited = len(self._supply.counts), len(self._limited)
        solution = LinearProgramme(
            costs=np.array(self._prices),
            most=np.full(len(matrix), np.inf),
            row_least=np.concatenate([self._supply.counts, np.full(limited, -np.inf)]),
            row_most=np.concatenate([np.full(demands, np.inf), self._supply.most[self._limited]]),
            entries=Entries(rows, columns, matrix[columns, rows]),
        ).solve()
        scarcity = np.zeros(len(self._supply.prices))
        scarcity[self._limited] = np.maximum(-solution.of_rows[demands:], 0.0)
        return solution.value, _Duals(np.maximum(solution.of_rows[:demands], 0.0), scarcity)


def bound_by_fillings(market: Market, options: Sequence[Option], start: Covering, may_go_on: Callable[[], bool]) -> float:
    """Return the USD/hour that every packing of the demands costs at least.

    `start` is the covering of the same market by fractions of nodes; the result is never below its bound. The search ends near
    the optimum, after enough work, or when `may_go_on` returns False.
    """
    supply, work = _Supply.of(market, options), _Work(_WHOLE_WORK, may_go_on)
    scarcity = np.zeros(len(options))
    scarcity[np.isfinite(supply.most)] = start.scarcity
    best = _Proven(start.bound, _Duals(np.array(start.worth), scarcity))
    master = _Master(supply)
    rounds = _WORK // max(1, int(supply.suits.sum()))
    for _ in range(min(_ROUNDS[1], max(_ROUNDS[0], rounds))):
        value, duals = master.solve()
        # The master's value is never below the optimum and the proven bound never above it: near each other, nothing is left to
        # gain.
        if value - best.bound <= _NEAR * value or not may_go_on():
            return best.bound
        best, is_new = _round(supply, master, duals, best, work)
        if not is_new:
            return best.bound
    between = duals.toward(best.duals, _INWARD)
    whole = supply.whole(supply.relaxed(between), between, work)
    return max(best.bound, supply.proven(between, whole).bound)


def _round(supply: _Supply, master: _Master, duals: _Duals, best: _Proven, work: _Work) -> tuple[_Proven, bool]:
    """Make fillings for the master's duals; return the best bound, and whether a filling is new.

    Whole pods first come from rounding; a search for the best ones only follows if that gives no new filling.
    """
    # The master's duals swing from round to round. Fillings for duals nearer to the best ones are better for the bound; the
    # master's own come only if these give nothing new.
    for part in (_INWARD, 0.0):
        between = duals.toward(best.duals, part)
        relaxed = supply.relaxed(between)
        best = max(best, supply.proven(between, relaxed), key=lambda proven: proven.bound)
        if master.add_wanted(supply.rounded(relaxed, between), duals):
            return best, True
        whole = supply.whole(relaxed, between, work)
        best = max(best, supply.proven(between, whole), key=lambda proven: proven.bound)
        if master.add_wanted(supply.rounded(whole, between), duals):
            return best, True
    return best, False
