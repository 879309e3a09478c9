"""Semantic versions and ranges of them, as Helm and Flux choose tags: `~1.4`, `1.x`, `>=1.2 <2`, `^2 || 3.1.0`."""  # FE-5

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_VERSION: Final = re.compile(
    r"v?(?P<major>0|[1-9]\d*)(?:\.(?P<minor>0|[1-9]\d*))?(?:\.(?P<patch>0|[1-9]\d*))?"
    r"(?:-(?P<pre>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?"
)
_PART: Final = r"(?:\d+|[xX*])"
_TERM: Final = re.compile(
    rf"\s*(?P<operator>=>|=<|>=|<=|!=|~>|[=<>~^])?\s*v?(?P<major>{_PART})(?:\.(?P<minor>{_PART}))?(?:\.(?P<patch>{_PART}))?"
    r"(?:-(?P<pre>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?\s*,?\s*"
)
_HYPHEN: Final = re.compile(r"(\S+)\s+-\s+(\S+)")
_ANY: Final = frozenset("xX*")

_Numbers = tuple[int, int, int]
_Pre = tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A version: its numbers and, for a version before a release, the identifiers after the dash."""

    numbers: _Numbers
    pre: str = ""

    @staticmethod
    def of(text: str) -> Version | None:
        """Return the version that a tag is, or None for other texts."""
        match = _VERSION.fullmatch(text)
        if match is None:
            return None
        numbers = (int(match["major"]), int(match["minor"] or 0), int(match["patch"] or 0))
        return Version(numbers, match["pre"] or "")

    @property
    def order(self) -> tuple[_Numbers, bool, _Pre]:
        """Return what versions are compared by: numbers, then a release after what precedes it, then its identifiers."""
        identifiers = (
            (0, int(part), "") if part.isdigit() else (1, 0, part) for part in (self.pre.split(".") if self.pre else ())
        )
        return self.numbers, not self.pre, tuple(identifiers)


@dataclass(frozen=True, slots=True)
class _Term:
    """One comparison of a range; `known` is how many of its numbers are given."""

    operator: str
    version: Version
    known: int

    def has(self, version: Version) -> bool:
        """Tell whether a version is within it."""
        low, at = self.version.order, version.order
        match self.operator:
            case ">":
                return at > low if self.known == 3 else version.numbers >= _next(self.version.numbers, self.known)
            case ">=" | "=>":
                return at >= low
            case "<":
                return at < low
            case "<=" | "=<":
                return at <= low if self.known == 3 else version.numbers < _next(self.version.numbers, self.known)
            case "!=":
                return at != low if self.known == 3 else not self._alike(version, self.known)
            case "^":
                return at >= low and version.numbers < _next(self.version.numbers, self._caret())
            case "~" | "~>":
                return at >= low and self._alike(version, min(self.known, 2))
        return at == low if self.known == 3 else self._alike(version, self.known)

    def _alike(self, version: Version, count: int) -> bool:
        return version.numbers[:count] == self.version.numbers[:count]

    def _caret(self) -> int:
        """Return how many numbers a caret keeps: up to the first one that is not zero, of those that are given."""
        numbers = self.version.numbers[: self.known]
        return next((index + 1 for index, number in enumerate(numbers) if number), max(self.known, 1))


def _next(numbers: _Numbers, count: int) -> _Numbers:
    """Return the first version beyond those whose first `count` numbers are the same."""
    if not count:
        return (2**63, 0, 0)
    padded = [*numbers[: count - 1], numbers[count - 1] + 1, 0, 0]
    return padded[0], padded[1], padded[2]


@dataclass(frozen=True, slots=True)
class Range:
    """A range of versions: alternatives, each of which is terms that hold together."""

    alternatives: tuple[tuple[_Term, ...], ...]

    @staticmethod
    def of(text: str) -> Range:
        """Return the range that a text is; empty means any release. Raises ValueError."""
        return Range(tuple(_terms(part) for part in (text.strip() or "*").split("||")))

    def has(self, version: Version) -> bool:
        """Tell whether a version is in the range: one before a release only in alternatives that name such a version."""
        fitting = (terms for terms in self.alternatives if not version.pre or any(term.version.pre for term in terms))
        return any(all(term.has(version) for term in terms) for terms in fitting)

    def highest(self, tags: Iterable[str]) -> str | None:
        """Return the tag with the highest version in the range, or None. Of equal versions the last name counts."""
        versions = ((Version.of(tag), tag) for tag in tags)
        within = [(version.order, tag) for version, tag in versions if version is not None and self.has(version)]
        return max(within)[1] if within else None


def _terms(text: str) -> tuple[_Term, ...]:
    rest, terms, at = _HYPHEN.sub(r">=\1 <=\2", text), list[_Term](), 0
    while at < len(rest):
        match = _TERM.match(rest, at)
        if match is None or match.end() == at:
            raise ValueError(f"{text.strip()!r} is not a range of versions")
        terms.append(_term(match))
        at = match.end()
    if not terms:
        raise ValueError("a range of versions has an empty part")
    return tuple(terms)


def _term(match: re.Match[str]) -> _Term:
    parts = [match[name] for name in ("major", "minor", "patch")]
    known = next((index for index, part in enumerate(parts) if part is None or part in _ANY), 3)
    numbers = [int(part) for part in parts[:known]] + [0] * (3 - known)
    return _Term(match["operator"] or "=", Version((numbers[0], numbers[1], numbers[2]), match["pre"] or ""), known)
