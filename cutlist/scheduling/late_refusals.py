"""Refusals that are worked out when somebody reads them: most passes are asked only whether pods were placed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from cutlist.scheduling.refusals import Refusal

Refusals = tuple[tuple[str, Refusal], ...]
"""The names of NodePools, in order, each with why it refused a pod."""


class LateRefusals(Sequence[tuple[str, Refusal]]):
    """The refusals that a function returns, which is called once, at the first look; equal to the tuple of them."""

    __slots__ = ("_ask", "_found")

    def __init__(self, ask: Callable[[], Refusals]) -> None:
        self._ask: Callable[[], Refusals] | None = ask
        self._found: Refusals = ()

    @property
    def found(self) -> Refusals:
        """Return the refusals."""
        if self._ask is not None:
            self._found, self._ask = self._ask(), None  # what the function holds is free from now on
        return self._found

    @overload
    def __getitem__(self, index: int) -> tuple[str, Refusal]: ...

    @overload
    def __getitem__(self, index: slice) -> Refusals: ...

    def __getitem__(self, index: int | slice) -> tuple[str, Refusal] | Refusals:
        return self.found[index]

    def __iter__(self) -> Iterator[tuple[str, Refusal]]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __eq__(self, other: object) -> bool:
        return self.found == (other.found if isinstance(other, LateRefusals) else other)

    def __hash__(self) -> int:
        return hash(self.found)

    def __repr__(self) -> str:
        return repr(self.found)

    def __reduce__(self) -> tuple[type[tuple[object, ...]], tuple[Refusals]]:
        return tuple, (self.found,)
