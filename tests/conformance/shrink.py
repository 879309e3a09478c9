"""Makes a scenario small while it still shows something."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

Object = dict[str, Any]
Shows = Callable[[Object], bool]

SCENARIO = {"name", "about", "karpenter", "provider", "instanceTypes", "pods", "nodePools"}
OBJECT = {"metadata", "name", "namespace", "kind", "apiVersion", "pod", "spec", "template", "containers"}
RULE = {"key", "operator", "topologyKey", "maxSkew", "effect", "nodeSelectorTerms", "podAffinityTerm", "preference", "weight"}
STATE = {
    "nodeClassRef",
    "group",
    "type",
    "status",
    "reason",
    "lastTransitionTime",
    "conditions",
    "podTemplateRef",
    "providerID",
}
KEPT = SCENARIO | OBJECT | RULE | STATE
"""Members without which a scenario, an object or a rule would no longer be one."""


def shrink(scenario: Object, shows: Shows, tries: int = 400) -> Object:
    """Return the smallest scenario found, by dropping parts and lowering counts, for which `shows` still holds."""
    best, left = scenario, tries
    smaller = True
    while smaller and left > 0:
        smaller = False
        for candidate in candidates(best):
            left -= 1
            if left < 0:
                break
            if shows(candidate):
                best, smaller = candidate, True
                break
    return best


def candidates(scenario: Object) -> Iterator[Object]:
    """Scenarios with a little less, those with much less first."""
    for key in ("pods", "objects", "nodePools"):
        items = scenario.get(key) or []
        step = max(1, len(items) // 2)
        while items and step:
            for start in range(0, len(items), step):
                rest = items[:start] + items[start + step :]
                if rest or key == "objects":
                    yield {**scenario, key: rest}
            step //= 2
    yield from _lower_counts(scenario)
    for path in sorted(_paths(scenario), key=len):
        yield _without(scenario, path)


def _lower_counts(scenario: Object) -> Iterator[Object]:
    for i, entry in enumerate(scenario.get("pods", [])):
        count = entry.get("count") or 1
        for lower in sorted({1, count // 2, count - 1}):
            if 1 <= lower < count:
                yield {**scenario, "pods": [{**e, "count": lower} if i == j else e for j, e in enumerate(scenario["pods"])]}


def _paths(of: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield every part that could be left out. The last of a list stays: an empty list means something else than none."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(of, dict):
        items = list(of.items())
    elif isinstance(of, list):
        items = list(enumerate(of))
    for key, value in items:
        if key not in KEPT and not (isinstance(key, int) and (len(path) == 1 or len(of) == 1)):
            yield (*path, key)
        yield from _paths(value, (*path, key))


def _without(scenario: Object, path: tuple[str | int, ...]) -> Object:
    made = copy.deepcopy(scenario)
    of: Any = made
    for part in path[:-1]:
        of = of[part]
    del of[path[-1]]
    return made


def size(scenario: Object) -> int:
    """Return how long a scenario is, for comparing two."""
    return len(json.dumps(scenario))
