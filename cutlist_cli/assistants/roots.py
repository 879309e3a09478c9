"""The folders that assistants may read, with everything below them once `..` and symbolic links are resolved."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cutlist.core.errors import Place, Problem, Problems
from cutlist.settings.mcp import ROOTS


@dataclass(frozen=True, slots=True)
class Roots:
    """Folders, without symbolic links in their names. Relative names of files start at the first folder."""

    folders: tuple[str, ...]

    @property
    def first(self) -> str:
        """Return the folder at which relative names start."""
        return self.folders[0]

    def resolved(self, path: str) -> str:
        """Return what a path leads to."""
        return os.path.realpath(os.path.join(self.first, path))

    def has(self, path: str) -> bool:
        """Tell whether a path leads to one of the folders or below it."""
        return is_below(self.resolved(path), self.folders)


def read_roots(paths: Sequence[str]) -> Roots:
    """Return the roots that a command names. Raises InputError for each that is not a folder."""
    problems = Problems()
    for path in paths:
        if not os.path.isdir(path):
            problems.add(Place.of(ROOTS), f"{path} is not a folder", "a folder whose files may be read")
    problems.raise_if_any()
    return Roots(tuple(dict.fromkeys(os.path.realpath(path) for path in paths)))


def misplaced(roots: Roots, name: str, paths: Iterable[str], *, must_exist: bool = False) -> Iterator[Problem]:
    """Yield what is wrong with the paths of an input: standard input, and paths that are not below the roots. With `must_exist`
    also missing paths, whose names a command would take for something else.
    """
    place, allowed = Place(path=name), f"a file or folder below {' or '.join(roots.folders)}"
    for path in paths:
        if path == "-":
            yield Problem(place, "standard input is not for manifests here", allowed)
        elif not roots.has(path):
            yield Problem(place, f"{path} is outside of the folders that may be read", allowed)
        elif must_exist and not os.path.exists(roots.resolved(path)):
            yield Problem(place, f"{path} does not exist", allowed)


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Tell whether a path is one of the folders or below it, all of them resolved."""
    return any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)
