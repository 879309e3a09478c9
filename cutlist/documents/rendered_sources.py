"""The places of objects that helm renders: the file that has them, with the release that they are from."""

from __future__ import annotations

import re
from typing import Final

_RELEASE: Final = re.compile(r" \(helm, release [^)]*\)$")


def rendered_source(file: str, release: str) -> str:
    """Return the source of an object that a release renders from a file."""
    return f"{file} (helm, release {release})"


def file_of(source: str) -> str:
    """Return the file of a source: of one that was rendered, its template."""
    return _RELEASE.sub("", source)
