"""Regular expressions that are compiled when they are first used, our own and those of other packages.

PyYAML compiles nine patterns when it is imported, to resolve scalars that Cutlist resolves itself: a tenth of the time of a
small plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any, cast


class _LatePattern:
    """Stands for a pattern until something asks for one of its members, by which it is compiled. Keeps members that were asked
    for, so that they are found as fast as those of a pattern."""

    def __init__(self, compile_: Callable[[], re.Pattern[Any]]) -> None:
        self._compile = compile_
        self._compiled: re.Pattern[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        """Return a member of the pattern."""
        if self._compiled is None:
            self._compiled = self._compile()
        member = self.__dict__[name] = getattr(self._compiled, name)
        return member


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what can be used like a pattern, and is compiled when it is first used. It is for patterns of modules that every
    plan imports and few plans use: a small plan compiled fifty of them without need."""
    return cast("re.Pattern[str]", _LatePattern(lambda: re.compile(pattern, flags)))


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
