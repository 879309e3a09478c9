"""How well each type could serve the pods: what it can carry, valued by the bound, per dollar of its price."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutlist.optimization.filling import Room
from cutlist.optimization.supply import Market, Option


def efficiencies(market: Market, options: Sequence[Option], worth: Sequence[float]) -> list[float]:
    """Return for each option the most that pods on one node are worth, divided by its price: 1 for the options of a cheapest
    covering, less for the others. `worth` is that of one pod of each demand. Options that cost nothing have the best value.
    """
    values, counts = np.array(worth), [d.count for d in market.demands]
    return [1.0 if o.price <= 0 else Room.of(market, o, counts).filled(values).most_worth / o.price for o in options]
