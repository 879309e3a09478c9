"""How far a search for NodePools has come, for somebody who waits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

T = TypeVar("T")
CANDIDATES: Final = "candidates"
RESTRICTIONS: Final = "NodePools without a restriction"


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """What is planned, and how many of it are, of how many. Of candidates that is the most: a search may find earlier that
    nothing is left to try."""

    what: str
    done: int
    of: int


Watch = Callable[[SearchProgress], None]


def unwatched(_: SearchProgress) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class SearchWatch:
    """Counts what a search plans, and tells a watcher. `most` is how many candidates it plans at most."""

    most: int
    watch: Watch = unwatched
    _planned: int = 0

    def candidates(self, planned: Iterable[T]) -> Iterator[T]:
        """Yield planned candidates, and count them with those before."""
        for one in planned:
            self._planned += 1
            self.watch(SearchProgress(CANDIDATES, self._planned, self.most))
            yield one

    def restrictions(self, planned: Iterable[T], of: int) -> Iterator[T]:
        """Yield plans without a restriction, of which there are that many."""
        for number, one in enumerate(planned, 1):
            self.watch(SearchProgress(RESTRICTIONS, number, of))
            yield one
