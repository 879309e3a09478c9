"""Detection of file changes. Needs the extra `watch`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from threading import Event
from typing import Final

from cutlist.catalog.folder import SUFFIX
from cutlist.documents.collecting import files_behind
from cutlist.documents.files import FILE_SUFFIXES

_SUFFIXES: Final = (*FILE_SUFFIXES, SUFFIX)
_STEP: Final = 50  # milliseconds without a further change, since one save is often several changes
_LONGEST: Final = 1000  # milliseconds after which changes are reported although more follow
_LOOK: Final = 200  # milliseconds between two checks whether to stop


def changes(paths: Sequence[str], stop: Event | None = None) -> Iterator[None]:
    """Yield once at the start, and then each time that one of the files or something in one of the folders has changed.

    Files and folders that kustomizations build on count too, wherever they are, and so do those that links lead to.
    Folders are watched, not files, so that a file that an editor replaces is still watched, and a file that does not exist yet,
    or a folder that is removed and made again, is noticed when it appears. Changes while the caller is busy are yielded at its
    next call. Ends when `stop` is set.
    """
    from watchfiles import watch  # needs the extra watch

    stopped = Event() if stop is None else stop
    watched = _WatchedPaths(paths)
    while not stopped.is_set():
        folders = watched.folders()
        batches = watch(
            *folders,
            watch_filter=lambda _, path: watched.has(path),
            step=_STEP,
            debounce=_LONGEST,
            rust_timeout=_LOOK,
            yield_on_timeout=True,
            stop_event=stopped,
            recursive=False,
        )
        try:
            next(batches, None)  # the folders are watched only from here on
        except FileNotFoundError:  # a folder was removed in between
            continue
        yield
        for batch in batches:
            if batch and watched.folders() != folders:
                break
            if batch:
                yield


class _WatchedPaths:
    """The paths being watched: each file, and all manifests and catalogue files in and below each folder.

    What the files build on is looked up again by `folders`, since a change may name another base.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = tuple(paths)
        self._files = {place for path in paths if not os.path.isdir(path) for place in _places(path)}
        self._roots = [os.path.realpath(path) for path in paths if os.path.isdir(path)]
        self._named: frozenset[str] = frozenset()

    def has(self, path: str) -> bool:
        """Tell whether a change of this path matters; a change of a folder does, since it may add files."""
        real = os.path.realpath(path)
        if not {real, os.path.abspath(path)}.isdisjoint((*self._files, *self._roots, *self._named)):
            return True
        return any(real.startswith(root + os.sep) for root in self._roots) and (
            real.endswith(_SUFFIXES) or "." not in os.path.basename(real)
        )

    def folders(self) -> list[str]:
        """Return every folder in which something may change now."""
        self._named = frozenset(files_behind(self._paths))
        below = {folder for root in self._roots for folder, _, _ in os.walk(root)}
        files = (*self._files, *self._roots, *self._named)
        return sorted(below | {_existing(os.path.dirname(path)) for path in files})


def _places(path: str) -> tuple[str, str]:
    """Return the path of a file as named and without links."""
    return os.path.abspath(path), os.path.realpath(path)


def _existing(folder: str) -> str:
    """Return the folder, or the nearest folder above it that exists."""
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return folder
