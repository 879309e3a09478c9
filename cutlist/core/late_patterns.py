"""Regular expressions of other packages, compiled when they are first used.

PyYAML compiles nine patterns when it is imported, to resolve scalars that Cutlist resolves itself: a tenth of the time of a
small plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any


class _LatePattern:
    """A pattern that is compiled when one of its members is first used."""

    __slots__ = ("_compile", "_compiled")

    def __init__(self, compile_: Callable[[], re.Pattern[Any]]) -> None:
        self._compile = compile_
        self._compiled: re.Pattern[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        """Return a member of the pattern."""
        if self._compiled is None:
            self._compiled = self._compile()
        return getattr(self._compiled, name)


@contextmanager
def late_patterns() -> Iterator[None]:
    """Make packages that this thread imports inside the block compile their patterns late."""
    compile_, thread = re.compile, get_ident()

    def late(*arguments: Any, **named: Any) -> Any:
        if get_ident() != thread:
            return compile_(*arguments, **named)
        return _LatePattern(lambda: compile_(*arguments, **named))

    re.compile = late
    try:
        yield
    finally:
        re.compile = compile_
