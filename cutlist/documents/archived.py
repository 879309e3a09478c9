"""Folders whose names say that nothing in them is in use: `archived`, `old` and the like."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Final

ARCHIVED: Final = "archived"
NOT_IN_USE: Final = "not read, because the name of their folder says that it is not in use; -f with the folder reads it: {who}"
_NAMES: Final = re.compile(
    r"(?<![^/])[._-]?(?:archived?|attic|deprecated|disabled|obsolete|old|retired|unused)(?![^/])", re.IGNORECASE
)


def archived_around(folder: str, root: str) -> str:
    """Return the outermost folder that is not in use: a folder or one around it, below a root that a call names; empty if there
    is none."""
    top, shown = os.path.normpath(root), os.path.normpath(folder)
    begin = 0 if top == os.curdir else len(top) + 1
    found = _NAMES.search(shown, begin)
    return shown[: found.end()] if found else ""


def is_archived(folder: str, roots: Iterable[str]) -> bool:
    """Tell whether a folder is not in use, seen from each of the roots that it is in."""
    around = [root for root in roots if root == os.curdir or folder == root or folder.startswith(root + os.sep)]
    return bool(around) and all(archived_around(folder, root) for root in around)
