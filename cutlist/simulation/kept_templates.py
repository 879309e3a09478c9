"""How much kube-scheduler keeps from look to look: something for pairs of a pod template and a node, up to a limit."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Final, Generic, TypeVar

MOST_PAIRS: Final = 1_000_000
"""For how many pairs something is kept, in about 200 bytes each."""
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class KeptTemplates(Generic[K, V]):
    """What is known for templates, each with its number of pairs. Beyond the limit, what was used longest ago is dropped:
    nothing is lost but time, since it is computed again when it is asked for."""

    __slots__ = ("_known", "_pairs")

    def __init__(self) -> None:
        self._known: dict[K, tuple[V, int]] = {}
        self._pairs = 0

    def __iter__(self) -> Iterator[V]:
        """Iterate over what is known, what was used longest ago first."""
        return (value for value, _ in self._known.values())

    def take(self, template: K) -> V | None:
        """Return what is known for a template, which its next user keeps again, or None for a new one."""
        known = self._known.pop(template, None)
        if known is None:
            return None
        self._pairs -= known[1]
        return known[0]

    def keep(self, template: K, value: V, pairs: int) -> None:
        """Keep what is known for a template, the latest from now on, whatever its number of pairs."""
        while self._known and self._pairs + pairs > MOST_PAIRS:
            self.take(next(iter(self._known)))
        self._known[template] = value, pairs
        self._pairs += pairs

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()
        self._pairs = 0
