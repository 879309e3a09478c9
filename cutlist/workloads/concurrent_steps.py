"""Which steps run at one time, and which of these sets of pods requests the most."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations, product
from math import prod
from typing import Any, Final

from cutlist.core.errors import QuantityError
from cutlist.core.quantity import nanos
from cutlist.workloads.ruled_pods import PLACING

Manifest = Mapping[str, Any]
Moment = Counter[str]
"""How many pods of each template run at one time."""

_MOST_TASKS: Final = 12
_MOST_MOMENTS: Final = 256


class UndecidedError(Exception):
    """The error for a spec that leaves open which pods run together."""


def side_by_side(after: Mapping[str, set[str]]) -> list[tuple[str, ...]]:
    """Return the largest sets of tasks in which none waits for another."""
    if len(after) > _MOST_TASKS or any(not names <= after.keys() for names in after.values()):
        raise UndecidedError
    waits = {task: set(names) for task, names in after.items()}
    # As many rounds as there are tasks reach the end of the longest chain.
    for _ in waits:
        for names in waits.values():
            names |= {further for name in names for further in waits[name]}
    if any(task in names for task, names in waits.items()):
        raise UndecidedError
    sets: list[tuple[str, ...]] = []
    for size in range(len(after), 0, -1):
        for chosen in combinations(after, size):
            # From the largest sets down: a part of one that is known adds nothing.
            is_covered = any(set(chosen) <= set(larger) for larger in sets)
            if not is_covered and not any(waits[task] & set(chosen) for task in chosen):
                sets.append(chosen)
    return sets


def together(parts: Iterable[list[Moment]]) -> list[Moment]:
    """Return the moments of parts that run at the same time, with every combination of the parts' own moments."""
    chosen = list(parts)
    if prod(map(len, chosen)) > _MOST_MOMENTS:
        raise UndecidedError
    return [sum(moments, Counter[str]()) for moments in product(*chosen)]


def peak_of(moments: list[Moment], specs: Mapping[str, Manifest]) -> Moment:
    """Return the moment whose pods request at least as much of everything as those of every other one, wherever they are
    placed."""
    totals = [_total(moment, specs) for moment in moments]
    for moment, most in zip(moments, totals, strict=True):
        if all(most[key] >= amount for other in totals for key, amount in other.items()) and moment:
            return moment
    raise UndecidedError


def _total(moment: Moment, specs: Mapping[str, Manifest]) -> Counter[tuple[str, str]]:
    total: Counter[tuple[str, str]] = Counter()
    for name, count in moment.items():
        where = json.dumps({k: v for k, v in specs[name].items() if k in (*PLACING, "volumes")}, sort_keys=True, default=str)
        total[where, "pods"] += count
        for resource, amount in _requests(specs[name]).items():
            total[where, resource] += count * amount
    return total


def _requests(spec: Manifest) -> Counter[str]:
    """Return what the containers of a pod request together, in nano-units."""
    amounts: Counter[str] = Counter()
    for container in spec["containers"]:
        resources = container.get("resources") or {}
        for resource, amount in {**(resources.get("limits") or {}), **(resources.get("requests") or {})}.items():
            try:
                amounts[resource] += nanos(str(amount))
            except QuantityError as error:
                raise UndecidedError from error
    return amounts
