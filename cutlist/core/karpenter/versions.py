"""Versions of Karpenter, which are those of its charts as well."""

from __future__ import annotations

import re
from typing import Annotated, Final, NamedTuple

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.records import form_of

_EXACT: Final = re.compile(r"v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)
_CHOSEN: Final = re.compile(r"v?(0|[1-9]\d*)\.(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?", re.ASCII)
_PART: Final = re.compile(r"\d+", re.ASCII)
_INPUT: Final = Place(path="karpenterVersion")


class Minor(NamedTuple):
    """A minor version, such as 1.14."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


class KarpenterVersion(NamedTuple):
    """A version such as 1.14.1; versions compare by their numbers."""

    major: int
    minor: int
    patch: int

    @property
    def line(self) -> Minor:
        """Return the minor version that it is a patch of, such as 1.14."""
        return Minor(self.major, self.minor)

    def is_within(self, since: KarpenterVersion, until: KarpenterVersion | None) -> bool:
        """Tell whether it is at least `since`, and below `until` if that is given."""
        return since <= self and (until is None or self < until)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


WrittenVersion = Annotated[KarpenterVersion, form_of(str).through(str)]
"""A version; a text in JSON."""


NEWEST: Final = KarpenterVersion(1, 15, 2)
"""The newest known version, one of the AWS provider: charts, permissions and metrics are known up to it."""


def read_version(text: object, place: Place = _INPUT) -> KarpenterVersion:
    """Return the version that a text names. Raises InputError for a range, a part of a version or anything else."""
    written = str(text).strip()
    exact = _EXACT.fullmatch(written)
    if exact is None or not isinstance(text, str):
        parts = [*_PART.findall(written), "0", "0"][:3]
        near = ".".join(str(int(part)) for part in parts) if _PART.match(written.lstrip("^~=>v ")) else ""
        message, allowed = f"{text!r} is not an exact version of Karpenter", f"one such as {NEWEST}, no range"
        raise InputError.one(place, message, allowed, near)
    return KarpenterVersion(*(int(part) for part in exact.groups()))


def read_chosen(text: str) -> tuple[Minor, int | None] | None:
    """Return the minor, and any patch, that a text such as `1.15` or `v1.15.1` names, or None for other texts."""
    match = _CHOSEN.fullmatch(text.strip())
    if match is None:
        return None
    major, minor, patch = match.groups()
    return Minor(int(major), int(minor)), None if patch is None else int(patch)


def noted_version(text: object, place: Place, problems: Problems) -> KarpenterVersion | None:
    """Return the version that a text names; None, with a problem added, for any other text."""
    try:
        return read_version(text, place)
    except InputError as error:
        problems.extend(error.problems)
        return None


FIRST_RELEASE: Final = Minor(0, 1)
"""The first minor version that was released."""
FIRST: Final = Minor(1, 0)
LATEST: Final = NEWEST.line


def known_minor(text: str, place: Place, problems: Problems) -> Minor:
    """Return the minor of an exact version such as `1.14.1`. A mistake is reported, and the latest version replaces one whose
    permissions are unknown."""
    version = noted_version(text, place, problems)
    if version is None:
        return LATEST
    if not FIRST <= version.line <= LATEST:
        problems.add(place, f"the permissions of Karpenter {version} are not known", f"{FIRST} to {LATEST}")
        return LATEST
    return version.line
