"""Folders that are not part of a cluster: those whose names say that nothing in them is in use (`archived`, `old`), and those
of examples beside a cluster's own files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Final

from cutlist.documents.beginnings import beginning_of
from cutlist.documents.files import FILE_SUFFIXES
from cutlist.documents.folders import CONFIGURATIONS

ARCHIVED: Final = "archived"
NOT_IN_USE: Final = "not read, because the name of their folder says that it is not in use; -f with the folder reads it: {who}"
EXAMPLES: Final = "examples"
BESIDE: Final = "not read, because they are examples beside NodePools and workloads; -f with the folder reads them: {who}"
_NAMES: Final = re.compile(
    r"(?<![^/])[._-]?(?:archived?|attic|deprecated|disabled|obsolete|old|retired|unused)(?![^/])", re.IGNORECASE
)
_OF_EXAMPLES: Final = re.compile(r"(?<![^/])[._-]?(?:examples?|samples?|testdata|fixtures?)(?![^/])", re.IGNORECASE)
_POOL: Final = "NodePool"
_WORKLOADS: Final = frozenset(("Deployment", "StatefulSet", "HelmRelease", "Application"))
_KIND: Final = re.compile(r"""^["']?kind["']?\s*:\s*["']?(\w+)""", re.MULTILINE)
_KIND_IN_HCL: Final = re.compile(r"""^\s*["']?kind["']?\s*[:=]\s*["']?(\w+)""", re.MULTILINE)
_OF_CHARTS: Final = f"{os.sep}templates{os.sep}"


def archived_around(folder: str, root: str) -> str:
    """Return the outermost folder that is not in use: a folder or one around it, below a root that a call names; empty if there
    is none."""
    return _around(_NAMES, folder, root)


def examples_among(files: Iterable[str], roots: Iterable[str]) -> dict[str, str]:
    """Return the folders of examples among those of files, each with the outermost one around it; none unless files elsewhere
    hold NodePools and workloads."""
    listed, tops = list(files), list(roots)
    around = {folder: _seen_from_each(folder, tops) for folder in {os.path.dirname(path) for path in listed}}
    examples = {folder: top for folder, top in around.items() if top}
    if not examples:
        return {}
    kinds: set[str] = set()
    for path in (path for path in listed if os.path.dirname(path) not in examples and _OF_CHARTS not in path):
        if path.endswith((*FILE_SUFFIXES, *CONFIGURATIONS)):
            kinds.update((_KIND_IN_HCL if path.endswith(CONFIGURATIONS) else _KIND).findall(beginning_of(path)))
        if _POOL in kinds and not kinds.isdisjoint(_WORKLOADS):
            return examples
    return {}


def _seen_from_each(folder: str, roots: Iterable[str]) -> str:
    """Return the outermost folder of examples around a folder, if it is in one seen from each root that it is in."""
    found = [_around(_OF_EXAMPLES, folder, root) for root in roots if _is_in(folder, root)]
    return found[0] if found and all(found) else ""


def _around(names: re.Pattern[str], folder: str, root: str) -> str:
    top, shown = os.path.normpath(root), os.path.normpath(folder)
    begin = 0 if top == os.curdir else len(top) + 1
    found = names.search(shown, begin)
    return shown[: found.end()] if found else ""


def _is_in(folder: str, root: str) -> bool:
    return root == os.curdir or folder == root or folder.startswith(root + os.sep)


def is_archived(folder: str, roots: Iterable[str]) -> bool:
    """Tell whether a folder is not in use, seen from each of the roots that it is in."""
    around = [root for root in roots if _is_in(folder, root)]
    return bool(around) and all(archived_around(folder, root) for root in around)
