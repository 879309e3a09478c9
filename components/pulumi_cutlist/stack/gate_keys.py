"""Where a stack's configuration has its gates, and how their values arrive: as JSON in a text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from cutlist.core.errors import nearest

GATES: Final = "gates"
GATE_DEFAULTS: Final = "gateDefaults"
_NAMES: Final = (GATES, GATE_DEFAULTS)
OWN_NAME: Final = "cutlist"
"""The name of the project that pages have in their examples."""


def json_value(written: str | None) -> Any:
    """Return a configuration value that is not text, as data: None without one, and the text itself where it is not JSON."""
    try:
        return None if written is None else json.loads(written)
    except (json.JSONDecodeError, RecursionError):
        return written


def stray_keys(keys: Iterable[str], project: str, declared: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Yield the qualified keys that look as if they were meant for gates and are not read, each with the one that is.

    These are those of Cutlist's own project in another one, and misspelt ones that the project does not declare.
    """
    for key in keys:
        package, _, name = key.rpartition(":")
        if name in _NAMES:
            if package == OWN_NAME != project:
                yield key, f"{project}:{name}"
        elif package == project and key not in declared and (meant := nearest(name, _NAMES)):
            yield key, f"{project}:{meant}"
