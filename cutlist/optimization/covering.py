"""The linear programme of covering: the least price of fractions of nodes whose room covers the requests of all pods.

    minimise   sum of price[o] * nodes[o]
    such that  sum over o of pods[d, o] >= count[d]                                for each demand d
               sum over d of requests[d, r] * pods[d, o] <= room[o, r] * nodes[o]  for each option o and resource r
               pods[d, o] <= whole[d, o] * nodes[o]                                where whole pods are counted
               nodes[o] <= most[o]

`whole` is how many whole pods of a demand one node holds, at most all pods of it: without that, a tenth of a large node would
be as good as a small one. Any packing of whole pods on whole nodes is a solution, so the value is a lower bound of the price of
every plan.

The result is not the solver's value but the bound that its dual prices prove: by them, the room of a node is worth at most its
price, and each pod as much as the cheapest room for it. That holds for any tolerances of the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cutlist.optimization.linear_programme import Entries, Floats, LinearProgramme, Solution
from cutlist.optimization.supply import Market, Option

_WHOLE_GAP: Final = 1e-3
"""The distance of whole numbers of nodes from their bound, as a part of it, at which the search ends."""
_NEAR: Final = 0.1
"""How far above the bound of fractions, as a part of it, whole nodes are searched."""


@dataclass(frozen=True, slots=True)
class Covering:
    """A proven bound in USD/hour, the worth of one pod of each demand in it, and by how much the price of each option rises
    because its number is limited. `nodes` is about how many nodes the solution has, existing ones left out. A solution with a
    whole node of an option costs at least its `slack` more than the bound."""

    bound: float
    worth: tuple[float, ...]
    scarcity: tuple[float, ...]
    slack: tuple[float, ...]
    nodes: float = 0.0


@dataclass(frozen=True, slots=True)
class Programme:
    """A market in numbers that a solver takes: amounts as parts of the largest room of each resource."""

    prices: Floats
    rooms: Floats
    requests: Floats
    counts: Floats
    most: Floats
    pairs: NDArray[np.int_]
    """Which demand may use which option: one row (option, demand) for each pair."""
    whole: Floats
    """How many pods of the demand one node holds, by pair; empty if fractions of nodes may hold any number."""
    optional: Floats
    reward: Floats
    """How many more pods of each demand there may be, and what is subtracted for each of them."""

    @staticmethod
    def of(market: Market, options: Sequence[Option], *, whole_pods: bool) -> Programme:
        """Return the programme of some options; demands that none suit are left out."""
        rooms = np.array([o.room for o in options], dtype=float).reshape(len(options), -1)
        requests = np.array(market.requests, dtype=float)
        # Bytes and cores differ by ten orders of magnitude, which the solver's tolerances would not survive.
        unit = np.maximum(rooms.max(axis=0, initial=0.0), 1.0)
        suits = [(n, d) for n, o in enumerate(options) for d in range(len(market.demands)) if o.suits >> d & 1]
        whole = [market.whole_pods(options[n], d) for n, d in suits] if whole_pods else []
        covered = {d for _, d in suits}
        return Programme(
            prices=np.array([o.price for o in options]),
            rooms=rooms / unit,
            requests=requests / unit,
            counts=np.array([float(d.count) * (n in covered) for n, d in enumerate(market.demands)]),
            most=np.array([np.inf if o.most is None else float(o.most) for o in options]),
            pairs=np.array(suits, dtype=int).reshape(-1, 2),
            whole=np.array(whole, dtype=float),
            optional=np.zeros(len(market.demands)),
            reward=np.zeros(len(market.demands)),
        )

    def solve(self) -> Covering:
        """Return the bound of the programme, and the worth of pods."""
        solution = _linear_programme(self).solve()
        bought = solution.values[: len(self.prices)][self.prices > 0]
        return replace(self.proven(*_duals(self, solution)), nodes=float(bought.sum()))

    def bound_of_whole_nodes(self, covering: Covering, branches: int, may_go_on: Callable[[], bool] | None = None) -> float:
        """Return the USD/hour that every packing costs at least, as far as a search for whole numbers of nodes proves it in
        this many branches and while it may go on, within a thousandth. `covering` is the solution with fractions of nodes."""
        slack = np.array(covering.slack)
        is_near = (slack <= _NEAR * max(0.0, covering.bound)) | np.isfinite(self.most)
        # A solution with a node of any other option costs at least this much.
        elsewhere = covering.bound + slack[~is_near].min(initial=np.inf)
        near = self._of_options(is_near)
        if not set(np.flatnonzero(self.counts > 0)) <= set(near.pairs[:, 1]):
            return float(elsewhere)
        whole = _linear_programme(near).solve_whole(len(near.prices), branches, _WHOLE_GAP, may_go_on)
        return min(float(elsewhere), whole.bound)

    def _of_options(self, kept: NDArray[np.bool_]) -> Programme:
        """Return the programme with some of the options."""
        of_pairs = kept[self.pairs[:, 0]]
        pairs = self.pairs[of_pairs]
        numbers = np.cumsum(kept) - 1
        return replace(
            self,
            prices=self.prices[kept],
            rooms=self.rooms[kept],
            most=self.most[kept],
            pairs=np.column_stack([numbers[pairs[:, 0]], pairs[:, 1]]),
            whole=self.whole[of_pairs] if len(self.whole) else self.whole,
        )

    def proven(self, values: Floats, extra: Floats, scarcity: Floats) -> Covering:
        """Return the bound that dual prices prove: those of room by option and resource, of whole pods by pair, and of options
        with a limited number."""
        option, demand = self.pairs[:, 0], self.pairs[:, 1]
        # A solver may return duals that are slightly negative. Any duals that are not prove a bound, so these are cut at 0.
        values, extra = np.maximum(values, 0.0), np.maximum(extra, 0.0)
        limited = np.isfinite(self.most)
        scarcity = np.where(limited, np.maximum(scarcity, 0.0), 0.0)
        of_node = (values * self.rooms).sum(axis=1)
        np.add.at(of_node, option, extra * self.whole if len(self.whole) else 0.0)
        # Where the room of a node is worth more than the node, all its prices are lowered until it is not: then the duals are
        # feasible exactly, not within a tolerance.
        price = self.prices + scarcity
        scale = np.divide(price, of_node, out=np.ones_like(price), where=of_node > price)
        of_pairs = (values[option] * self.requests[demand]).sum(axis=1) + extra
        worth = np.full(len(self.counts), np.inf)
        np.minimum.at(worth, demand, of_pairs * scale[option])
        worth = np.where(np.isfinite(worth), worth, 0.0)
        # What limited options are worth beyond their price is paid back as often as there are nodes of them.
        paid = (self.counts * worth).sum() - (scarcity[limited] * self.most[limited]).sum()
        # An optional pod is taken where its reward is above its worth.
        paid += (np.minimum(worth - self.reward, 0.0) * self.optional).sum()
        bound = float(paid) if self.optional.any() else max(0.0, float(paid))
        slack = price - of_node * scale
        return Covering(bound, tuple(worth.tolist()), tuple(scarcity[limited].tolist()), tuple(slack.tolist()))


def _duals(programme: Programme, solution: Solution) -> tuple[Floats, Floats, Floats]:
    """Return the solver's dual prices: of room by option and resource, of whole pods by pair, of limited options."""
    options, resources = programme.rooms.shape
    demands = len(programme.counts)
    rooms = demands + options * resources
    values = solution.of_rows[demands:rooms].reshape(options, resources)
    extra = solution.of_rows[rooms:] if len(programme.whole) else np.zeros(len(programme.pairs))
    # HiGHS gives reduced costs, which are negative where a column is at its upper limit.
    return values, extra, -solution.of_columns[:options]


def _linear_programme(programme: Programme) -> LinearProgramme:
    """Return the programme as a solver takes it: the nodes of each option, the pods of each pair, then optional pods."""
    demands, pairs = len(programme.counts), len(programme.pairs)
    rows = demands + programme.rooms.size + len(programme.whole)
    more = programme.optional > 0
    return LinearProgramme(
        costs=np.concatenate([programme.prices, np.zeros(pairs), -programme.reward[more]]),
        most=np.concatenate([programme.most, np.full(pairs, np.inf), programme.optional[more]]),
        row_least=np.concatenate([programme.counts, np.zeros(rows - demands)]),
        row_most=np.full(rows, np.inf),
        entries=_entries(programme),
    )


def _entries(programme: Programme) -> Entries:
    """Return the matrix: the pods of demands, the room and the whole pods of nodes, and how much of both pods take."""
    options, resources = programme.rooms.shape
    demands, pairs = len(programme.counts), len(programme.pairs)
    option, demand = programme.pairs[:, 0], programme.pairs[:, 1]
    room_rows = demands + np.arange(options * resources).reshape(options, resources)
    whole_rows = demands + options * resources + np.arange(len(programme.whole))
    pods = options + np.arange(pairs)
    parts = [
        (room_rows.ravel(), np.repeat(np.arange(options), resources), programme.rooms.ravel()),
        (demand, pods, np.ones(pairs)),
        (room_rows[option].ravel(), np.repeat(pods, resources), -programme.requests[demand].ravel()),
    ]
    optional = np.flatnonzero(programme.optional > 0)
    parts.append((optional, options + pairs + np.arange(len(optional)), -np.ones(len(optional))))
    if len(whole_rows):
        parts += [(whole_rows, option, programme.whole), (whole_rows, pods, -np.ones(pairs))]
    return Entries(*(np.concatenate(part) for part in zip(*parts, strict=True)))
