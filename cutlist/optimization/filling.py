"""What one node can carry: the most valuable pods that fit on it together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cutlist.optimization.linear_programme import Entries, Floats, LinearProgramme
from cutlist.optimization.supply import Amounts, Market, Option

_WHOLE: Final = 1e-9
"""How far the solver's value may be below a whole number to count as one."""


@dataclass(frozen=True, slots=True)
class Filling:
    """Numbers of pods by demand, and a worth that no filling of the same node exceeds."""

    pods: Floats
    most_worth: float


@dataclass(frozen=True, slots=True)
class Room:
    """The room of one option for the demands that it suits: the part of each resource that one pod takes, and how many pods it
    may have at most. `size` is the number of all demands."""

    demands: NDArray[np.int_]
    parts: Floats
    counts: Floats
    size: int

    @staticmethod
    def of(market: Market, option: Option, most: Sequence[int]) -> Room:
        """Return the room of an option; `most` is how many pods of each demand it may have."""
        demands = np.array([d for d in range(len(market.demands)) if option.suits >> d & 1], dtype=int)
        requests = np.array([market.requests[d] for d in demands], dtype=float).reshape(len(demands), -1)
        # Resources that no pod here requests could have a room of 0, by which nothing can be divided.
        used = (requests > 0).any(axis=0)
        parts = requests[:, used] / np.array(option.room, dtype=float)[used]
        counts = np.array([float(most[d]) for d in demands])
        return Room(demands, parts, counts, len(market.demands))

    def most_worth(self, worth: Floats) -> float:
        """Return the most that fractions of pods on the node are worth; `worth` is that of one pod of each demand."""
        if len(self.demands) == 1:
            largest = float(self.parts.max(initial=0.0))
            pods = min(float(self.counts[0]), 1 / largest if largest else inf)
            return pods * float(worth[self.demands[0]])
        return self.filled(worth).most_worth

    def filled(self, worth: Floats) -> Filling:
        """Return the best filling with fractions of pods. `worth` is that of one pod of each demand."""
        solution = self._knapsack(worth).solve()
        return self._filling(solution.values, -solution.value)

    def of_one_demand(self, place: int) -> Filling:
        """Return the filling with as many pods as fit of one demand only, given by its place among those of the room."""
        pods = np.zeros(len(self.demands))
        pods[place] = self.counts[place]
        # Its worth is not known here, and nobody asks for it: the filling only starts the master.
        return self._filling(pods, 0.0)

    def rounded(self, filling: Filling, worth: Floats) -> Filling:
        """Return a filling with whole pods near one with fractions: the fractions are left out, and the free room gets the pods
        that are worth most for their part of it."""
        # A filling has to be possible for whole pods, or the master would mix fractions that no node can hold.
        pods = np.floor(filling.pods[self.demands] + _WHOLE)
        free = 1 - pods @ self.parts
        order = np.argsort(-worth[self.demands] / np.maximum(self.parts.max(axis=1), np.finfo(float).tiny), kind="stable")
        for number in order.tolist():
            parts = self.parts[number]
            taken = parts > 0
            more = min(self.counts[number] - pods[number], np.floor((free[taken] / parts[taken] + _WHOLE).min(initial=np.inf)))
            if more > 0 and worth[self.demands[number]] > 0:
                pods[number] += more
                free = free - more * parts
        return self._filling(pods, filling.most_worth)

    def filled_whole(self, worth: Floats, branches: int) -> Filling:
        """Return a filling with whole pods, the best one unless the search for it takes more branches than allowed."""
        # The bound of the search counts, not its best solution: no filling is worth more, even if the search ended early.
        solution = self._knapsack(worth).solve_whole(len(self.demands), branches)
        return self._filling(np.round(solution.values), -solution.bound)

    def _knapsack(self, worth: Floats) -> LinearProgramme:
        pods, resources = self.parts.shape
        entries = Entries(np.tile(np.arange(resources), pods), np.repeat(np.arange(pods), resources), self.parts.ravel())
        return LinearProgramme(-worth[self.demands], self.counts, np.full(resources, -np.inf), np.ones(resources), entries)

    def _filling(self, pods: Floats, most_worth: float) -> Filling:
        filling = np.zeros(self.size)
        filling[self.demands] = pods
        return Filling(filling, most_worth)


def efficiencies(market: Market, options: Sequence[Option], worth: Sequence[float]) -> list[float]:
    """Return for each option the most that pods on one node are worth, divided by its price: 1 for the options of a cheapest
    covering, less for the others. `worth` is that of one pod of each demand. Options that cost nothing have the best value.
    """
    values, counts = np.array(worth), [d.count for d in market.demands]
    known: dict[tuple[Amounts, int], float] = {}  # many NodePools offer the same node

    def efficiency(option: Option) -> float:
        node = option.room, option.suits
        if node not in known:
            known[node] = Room.of(market, option, counts).most_worth(values)
        return known[node] / option.price

    return [1.0 if option.price <= 0 else efficiency(option) for option in options]
