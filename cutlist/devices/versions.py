"""Semantic versions, ordered as selectors compare them (spec: R-22; semver.org 2.0.0, rule 11)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_NUMBER: Final = r"(0|[1-9][0-9]*)"
_NAMES: Final = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_VERSION: Final = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_NAMES}))?(?:\+({_NAMES}))?", re.ASCII)
_MOST: Final = 2**64 - 1  # the library of Kubernetes keeps each number in 64 bits


@dataclass(frozen=True, slots=True)
class Version:
    """A version; what stands after `+` plays no part in comparisons."""

    major: int
    minor: int
    patch: int
    before: tuple[str, ...] = ()

    def compare(self, other: Version) -> int:
        """Return -1, 0 or 1 if it is lower, equal or higher."""
        mine, theirs = self._order(), other._order()
        return (mine > theirs) - (mine < theirs)

    def _order(self) -> tuple[object, ...]:
        # A version without a pre-release is higher than any of its pre-releases; numbers are lower than names.
        parts = tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in self.before)
        return (self.major, self.minor, self.patch, not self.before, parts)


@lru_cache(maxsize=4096)
def parse_version(text: str) -> Version | None:
    """Return a version, or None if the text is not one."""
    version = _version(text)
    return None if version is None or max(version.major, version.minor, version.patch) > _MOST else version


def is_version(text: str) -> bool:
    """Tell whether a text is a semantic version, however large its numbers are."""
    return _version(text) is not None


def _version(text: str) -> Version | None:
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    before = tuple(match[4].split(".")) if match[4] else ()
    if any(p.isdigit() and len(p) > 1 and p.startswith("0") for p in before):
        return None
    return Version(int(match[1]), int(match[2]), int(match[3]), before)


def normalised(text: str) -> str:
    """Return a text as `semver(text, true)` reads it: without a leading `v` and leading zeros, and with missing numbers added.

    A short version with a part after `-` or `+` stays short, and so is no version.
    """
    parts = [_without_zeros(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3 and not any(sign in parts[-1] for sign in "+-"):
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _without_zeros(part: str) -> str:
    if len(part) < 2:
        return part
    left = part.lstrip("0")
    return left if left[:1].isdigit() else f"0{left}"
