"""Minor versions of the controller: what permissions are told by."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from cutlist.errors import InputError, Place

_VERSION: Final = re.compile(r"v?(\d+)\.(\d+)(\.\d+)?(-[0-9A-Za-z.-]+)?", re.ASCII)


class Minor(NamedTuple):
    """A minor version, such as 1.14."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


FIRST: Final = Minor(1, 0)
LATEST: Final = Minor(1, 14)


def minor_of(version: str, place: Place) -> Minor:
    """The minor of a version such as `1.14.1`. Raises InputError for one whose permissions are not known here."""
    found = _VERSION.fullmatch(version)
    minor = Minor(int(found[1]), int(found[2])) if found else None
    if minor is None or not FIRST <= minor <= LATEST:
        allowed = f"{FIRST} to {LATEST}, such as {LATEST}.1"
        raise InputError.one(place, f"the permissions of controller version {version!r} are not known", allowed)
    return minor
