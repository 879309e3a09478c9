"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
from typing import Any, Final, cast

_COMPILE: Final = re.compile  # bound once, since another one is in its place while PyYAML is imported


class _LatePattern:
    """Stands for a pattern until something asks for one of its members, by which it is compiled. Keeps members that were asked
    for, so that they are found as fast as those of a pattern."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = pattern, flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        """Return a member of the pattern."""
        if self._compiled is None:
            self._compiled = _COMPILE(*self._source)
        member = self.__dict__[name] = getattr(self._compiled, name)
        return member


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what can be used like a pattern, and is compiled when it is first used. It is for patterns of modules that every
    plan imports and few plans use: a small plan compiled fifty of them without need."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))
