"""How much of what is rendered is done, for somebody who waits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

Rendered = Callable[[int, int], None]
"""Takes how many charts and objects of controllers are rendered, and how many are known so far."""
Rendering = Callable[[], AbstractContextManager[Rendered]]
"""Is entered while there is something to render."""


def unwatched() -> AbstractContextManager[Rendered]:
    """Tell nobody."""
    return nullcontext(_nobody)


def _nobody(done: int, known: int) -> None:
    pass


@dataclass(slots=True)
class RenderingCount:
    """Counts what is rendered, and what is found to be rendered."""

    tell: Rendered = _nobody
    known: int = 0
    done: int = 0

    def one(self, inner: int = 0) -> None:
        """Count one that is rendered, in which as many further ones were found."""
        self.done += 1
        self.known += inner
        self.tell(self.done, self.known)
