"""Limits of NodePools that no number of allowed nodes fills, or that leave out every node (spec: scheduling S-67, S-68)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from cutlist.core.errors import nearest
from cutlist.core.identity import OncePerObject
from cutlist.core.notes import Note
from cutlist.core.quantity import NANO, amount_text
from cutlist.core.wording import first_of
from cutlist.planning.traps.setup import PoolSetup, Setup
from cutlist.providers.instance_types import EPHEMERAL_STORAGE, MEMORY
from cutlist.providers.type_list import ChosenTypes
from cutlist.state.scheduling_node import NODES

UNREACHABLE: Final = "limit-never-reached"
"""The code of the note on a limit of which a part can never be used."""
ROUND: Final = "limit-partly-unused"
"""The code of the note on a round limit of which less than a tenth can never be used: it was probably meant as a cap."""
TOO_LOW: Final = "limit-below-smallest-node"
"""The code of the note on a limit that is smaller than any node of the NodePool."""
WITHOUT_EFFECT: Final = "limit-without-effect"
"""The code of the note on a limit on a resource that no node of the NodePool has."""
_ESTIMATED: Final = (MEMORY, EPHEMERAL_STORAGE)  # no sum of these is exact
_ROUND: Final = 10 * NANO
_SEARCHED: Final = 50_000  # from so many units on, every multiple of the common divisor is a sum
_NAMED: Final = 3


def odd_limits(setup: Setup) -> Iterator[Note]:
    """Yield a note for each limit of a NodePool that does not do what it seems to."""
    sizes = OncePerObject(_sizes)
    for pool in setup.pools:
        for resource, limit in sorted(pool.pool.limits.items()):
            if pool.types and resource != NODES and limit.nanos > 0:
                yield from _odd_limit(pool, resource, limit.nanos, sizes(pool.types, resource), setup.overlaid)


def _sizes(types: ChosenTypes, resource: str) -> list[int]:
    """Return the amounts of a resource that types have, smallest first."""
    return sorted(types.capacities(resource))


def _odd_limit(pool: PoolSetup, resource: str, limit: int, sizes: list[int], overlaid: frozenset[str]) -> Iterator[Note]:
    where = f"NodePool {pool.name}: limits.{resource} {amount_text(resource, limit)}"
    if not any(sizes):
        if resource not in overlaid:
            known = sorted({name for t in pool.class_types[:1] for name in t.capacity} - {resource})
            hint = nearest(resource, known)
            fix = f"write {hint}" if hint else "remove it, or allow instance types that have some"
            yield Note(WITHOUT_EFFECT, f"{where} limits nothing, because no instance type that it allows has {resource}; {fix}")
        return
    if sizes[0] > limit:
        smallest = amount_text(resource, sizes[0])
        text = (
            f"{where} is less than its smallest node has ({_named(pool, resource, sizes[:1])}: {smallest}), so it launches none"
        )
        yield Note(TOO_LOW, f"{text}; raise it to {smallest} or more, or allow smaller instance types")
    elif resource not in _ESTIMATED and 0 not in sizes and (rest := limit - largest_sum(sizes, limit)):
        is_cap = limit % _ROUND == 0 and rest * 10 < limit
        yield Note(ROUND if is_cap else UNREACHABLE, _unreachable(pool, resource, sizes, limit, rest, where))


def _unreachable(pool: PoolSetup, resource: str, sizes: list[int], limit: int, rest: int, where: str) -> str:
    below = limit - rest
    above = next(total for total in range(limit + NANO - limit % NANO, limit + sizes[0] + NANO, NANO) if _is_sum(sizes, total))
    unused, most = amount_text(resource, rest), amount_text(resource, below)
    each = " or ".join(amount_text(resource, size) for size in sizes[:_NAMED])
    text = f"{where}: {unused} {resource} of it can never be used: its nodes have {each} each ({_named(pool, resource, sizes)})"
    return f"{text}, {most} at most together; write {_plain(below)} or {_plain(above)}"


def _plain(amount: int) -> str:
    return str(amount // NANO)


def _named(pool: PoolSetup, resource: str, sizes: Iterable[int]) -> str:
    wanted = set(sizes)
    return first_of(sorted(t.name for t in pool.types if t.capacity.get(resource, 0) in wanted), _NAMED)


def _is_sum(sizes: list[int], total: int) -> bool:
    return largest_sum(sizes, total) == total


def largest_sum(sizes: list[int], most: int) -> int:
    """Return the largest amount up to `most` that some nodes of these sizes have together.

    Beyond some tens of thousands of units, only the common divisor of the sizes matters.
    """
    unit = math.gcd(*sizes)
    units, parts = most // unit, sorted({size // unit for size in sizes})
    if parts[0] == 1 or units > _SEARCHED or any(units % part == 0 for part in parts):
        return units * unit
    reached, everything = 1, (1 << (units + 1)) - 1
    for part in parts:
        step = part
        while step <= units:
            reached |= (reached << step) & everything
            step *= 2
    return (reached.bit_length() - 1) * unit
