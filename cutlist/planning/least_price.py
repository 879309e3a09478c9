"""What pods would cost at least: a bound below every way of placing them on some machines.

Whatever weights are put on resources, what the pods ask for in all, so weighed, has to be bought at no better a price than that
of the machine with the most for its money. Each set of weights thus gives a bound; the highest of many is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_STEPS: Final = 64
"""Between all weight on cpu and all on memory."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What one machine has for pods, in nano-units, DaemonSets aside, and what it costs an hour in USD."""

    room: Mapping[str, int]
    price: float


def least_price(asked: Mapping[str, int], machines: Iterable[Machine]) -> float | None:
    """USD per hour below which no mix of the machines holds so much; None without machines of a known price."""
    usable = [m for m in machines if m.price >= 0]
    if not usable:
        return None
    single = (_bound({resource: 1.0}, asked, usable) for resource in asked)
    return max((*single, *(_bound(weights, asked, usable) for weights in _mixed(asked))), default=0.0)


def _mixed(asked: Mapping[str, int]) -> Iterable[Mapping[str, float]]:
    cpu, memory = asked.get("cpu", 0), asked.get("memory", 0)
    if cpu and memory:
        for step in range(1, _STEPS):
            share = step / _STEPS
            yield {"cpu": share / cpu, "memory": (1 - share) / memory}


def _bound(weights: Mapping[str, float], asked: Mapping[str, int], machines: Sequence[Machine]) -> float:
    wanted = sum(weight * asked.get(resource, 0) for resource, weight in weights.items())
    held = ((sum(weight * m.room.get(resource, 0) for resource, weight in weights.items()), m.price) for m in machines)
    prices = [price / room for room, price in held if room > 0]
    return wanted * min(prices) if prices and wanted else 0.0
