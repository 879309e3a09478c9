"""How well each type would serve the pods at best: what it can carry, valued by the bound, for each dollar of its price."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutlist.optimization.linear_programme import Entries, Floats, LinearProgramme
from cutlist.optimization.supply import Market, Option


def efficiencies(market: Market, options: Sequence[Option], worth: Sequence[float]) -> list[float]:
    """Return for each option the most that pods on one node are worth, divided by its price: 1 for what a cheapest covering
    uses, less for the others.

    `worth` is that of one pod of each demand. Options that cost nothing are as good as can be.
    """
    requests = np.array(market.requests, dtype=float)
    counts = np.array([d.count for d in market.demands], dtype=float)
    values = np.array(worth)
    return [_efficiency(option, requests, counts, values) for option in options]


def _efficiency(option: Option, requests: Floats, counts: Floats, values: Floats) -> float:
    if option.price <= 0:
        return 1.0
    suited = np.array([option.suits >> d & 1 for d in range(len(counts))], dtype=bool)
    room = np.array(option.room, dtype=float)
    used = (requests[suited] > 0).any(axis=0)
    return _most_worth(requests[suited][:, used] / room[used], counts[suited], values[suited]) / option.price


def _most_worth(shares: Floats, counts: Floats, values: Floats) -> float:
    """Return the most that fractions of pods are worth whose shares of each resource add up to one at most."""
    pods, resources = shares.shape
    entries = Entries(np.tile(np.arange(resources), pods), np.repeat(np.arange(pods), resources), shares.ravel())
    return -LinearProgramme(-values, counts, np.full(resources, -np.inf), np.ones(resources), entries).solve().value
