"""The package's version as engines and tags write it."""

from __future__ import annotations

import re
from typing import Final

_VERSION: Final = re.compile(r"(?P<release>\d+\.\d+\.\d+)(?:(?P<phase>a|b|rc)(?P<number>\d+))?")
_PHASES: Final = {"a": "alpha", "b": "beta", "rc": "rc"}


def semantic_version(version: str) -> str:
    """Return a version of Python's form as a semantic version, which is what engines read: 1.0.0rc1 as 1.0.0-rc.1. Raises
    ValueError for one that has no such form."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise ValueError(f"{version!r} is not a version of three numbers, with a1, b1, rc1 or nothing after them")
    phase = match["phase"]
    return match["release"] if phase is None else f"{match['release']}-{_PHASES[phase]}.{match['number']}"
