"""PyYAML, imported without compiling what only its own resolver of scalars needs: nine patterns, which cost a fortieth of a
small plan. Cutlist resolves scalars itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident

from cutlist.core.late_patterns import late_pattern

__all__ = ["yaml"]


@contextmanager
def patterns_compiled_late() -> Iterator[None]:
    """Make packages that this thread imports inside the block compile their patterns when they are first used."""
    compile_, thread = re.compile, get_ident()

    def late(pattern: str, flags: int = 0) -> re.Pattern[str]:
        return late_pattern(pattern, flags) if get_ident() == thread else compile_(pattern, flags)

    re.compile = late  # type: ignore[assignment]
    try:
        yield
    finally:
        re.compile = compile_


with patterns_compiled_late():
    import yaml
