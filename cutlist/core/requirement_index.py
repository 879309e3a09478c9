"""Many sets of requirements, few of which are compatible with another: hundreds of workloads select hundreds of NodePools."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements


class RequirementIndex:
    """Sets of requirements by the values that they ask for.

    >>> asked = [Requirements.of_labels({"team": team}) for team in ("red", "blue")]
    >>> RequirementIndex(asked).compatible_with(Requirements.of_labels({"team": "blue", "tier": "web"}))
    [1]
    """

    __slots__ = ("_allowed", "_by_key", "_others", "_sets")

    def __init__(self, sets: Sequence[Requirements], allowed: frozenset[str] = frozenset()) -> None:
        """Index sets; `allowed` are the keys that may be undefined where they are looked for."""
        self._sets = sets
        self._allowed = allowed
        self._by_key: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._others: list[int] = []
        for number, requirements in enumerate(sets):
            # Any label with listed values decides as well as another; one that a node has to have excludes most.
            listed = [r for r in requirements.values() if _is_list(r)]
            chosen = min(listed, key=lambda r: (r.key in allowed, len(r.values), r.key), default=None)
            if chosen is None:
                self._others.append(number)
                continue
            for value in chosen.values:
                self._by_key[chosen.key][value].append(number)

    def compatible_with(self, held: Requirements) -> list[int]:
        """Return the numbers of the sets that are compatible where `held` holds, in order."""
        return [n for n in sorted(set(self._possible(held))) if held.compatible(self._sets[n], self._allowed)]

    def _possible(self, held: Requirements) -> Iterator[int]:
        yield from self._others
        for key, by_value in self._by_key.items():
            own = held.get(key)
            if own is None and key not in self._allowed:
                continue
            values = own.values if own is not None and _is_list(own) else by_value
            for value in values:
                yield from by_value.get(value, ())


def _is_list(r: Requirement) -> bool:
    """Tell whether a requirement lists the values that it allows."""
    return not r.complement and bool(r.values) and r.gte is None and r.lte is None
