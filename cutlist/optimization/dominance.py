"""Options that no cheapest covering needs, removed before anything is solved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutlist.optimization.rooms_by_suits import RoomsBySuits
from cutlist.optimization.supply import Option


def without_dominated(options: Sequence[Option], *, shared: bool) -> list[Option]:
    """Return the options that no other option dominates, and the cheapest of equal ones.

    An option dominates another that suits no further demand, costs at least as much and has no more room. If nodes may be
    `shared` out in any parts, as in a linear programme, rooms are compared per dollar: two halves are one node. Options that
    are free or limited in number neither dominate nor are removed.
    """
    limited = [o for o in options if o.most is not None or o.price <= 0]
    free = sorted((o for o in options if o.most is None and o.price > 0), key=lambda o: (o.price, o.instance_type, o.zone))
    kept = _kept(free, shared=shared) if free else []
    return [*limited, *kept]


def _kept(options: Sequence[Option], *, shared: bool) -> list[Option]:
    prices = np.array([o.price for o in options])
    rooms = np.array([o.room for o in options], dtype=float).reshape(len(options), -1)
    worth = rooms / prices[:, None] if shared else rooms
    # The options that dominate another come before it. lexsort takes the last key first; where rooms are per dollar, the price
    # is in them already.
    order = np.lexsort((-worth.sum(axis=1), np.zeros(len(options)) if shared else prices))
    kept: list[int] = []
    known = RoomsBySuits()
    rows = [tuple(row) for row in worth.tolist()]
    for number in order.tolist():
        suits = options[number].suits
        if not known.have_as_much(rows[number], suits):
            known.add(rows[number], suits)
            kept.append(number)
    return [options[number] for number in sorted(kept)]
