"""The least that a mix of machines costs which holds some requests, by the rate at which each machine sells them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_STEPS: Final = 64
"""The steps from all weight on cpu to all weight on memory."""


@dataclass(frozen=True, slots=True)
class FittingMachine:
    """The amounts that one machine has for pods, in nano-units, without DaemonSets, and its price per hour in USD."""

    room: Mapping[str, int]
    price: float


def weighed_together(requests: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Yield the resources that `least_price` looks at together: each alone, and cpu with memory."""
    yield from ((resource,) for resource in requests)
    if requests.get("cpu", 0) and requests.get("memory", 0):
        yield "cpu", "memory"


def least_price(requests: Mapping[str, int], machines: Iterable[FittingMachine]) -> float | None:
    """Return the USD per hour below which no mix of the machines can hold the requests, or None if no machine has a price.

    For any weights of the resources, the weighted requests cannot be bought at a better rate than that of the machine with the
    most weighted resources for its price. So each set of weights gives a lower bound; the highest of many is returned.
    """
    usable = [m for m in machines if m.price >= 0]
    if not usable:
        return None
    single = (_price_bound({resource: 1.0}, requests, usable) for resource in requests)
    return max((*single, *(_price_bound(weights, requests, usable) for weights in _cpu_memory_weights(requests))), default=0.0)


def _cpu_memory_weights(requests: Mapping[str, int]) -> Iterable[Mapping[str, float]]:
    cpu, memory = requests.get("cpu", 0), requests.get("memory", 0)
    if cpu and memory:
        for step in range(1, _STEPS):
            share = step / _STEPS
            yield {"cpu": share / cpu, "memory": (1 - share) / memory}


def _price_bound(weights: Mapping[str, float], requests: Mapping[str, int], machines: Sequence[FittingMachine]) -> float:
    wanted = math.fsum(weight * requests.get(resource, 0) for resource, weight in weights.items())
    columns = ([weight * m.room.get(resource, 0) for m in machines] for resource, weight in weights.items())
    rooms = map(math.fsum, zip(*columns, strict=True))
    prices = [m.price / room for m, room in zip(machines, rooms, strict=True) if room > 0]
    return wanted * min(prices) if prices and wanted else 0.0
