"""Which modules a program brings itself, and their import: always from source.

A program that is edited twice within a second, to the same length, would otherwise run from old bytecode. Bytecode of what
is installed is read and written as usual: compiling the modules of an SDK takes longer than everything else in a run.
"""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, ExtensionFileLoader, FileFinder, SourceFileLoader
from pathlib import Path
from typing import Any, Final

import cutlist
import pulumi_cutlist

_FOLDERS: Final = (
    *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    *(Path(package.__path__[0]) for package in (cutlist, pulumi_cutlist)),
)
_LIBRARIES: Final = tuple(f"{folder.resolve()}{os.sep}" for folder in _FOLDERS)


class _FromSource(SourceFileLoader):
    """A loader that finds no time of change in a source file, so that bytecode is neither read nor written."""

    def path_stats(self, path: Any) -> Any:
        """Refuse to say when a file was changed."""
        raise OSError(f"the bytecode of {path} is not used")


_from_source: Final = FileFinder.path_hook((ExtensionFileLoader, EXTENSION_SUFFIXES), (_FromSource, SOURCE_SUFFIXES))


def is_installed(file: str) -> bool:
    """Tell whether a file or folder is Python's own, an installed package's or Cutlist's."""
    # Nearly all are as they are written; following links for each takes a sixth of the time of a small program.
    return _is_below(file) or "site-packages" in Path(file).parts or _is_below(str(Path(file).resolve()))


def _is_below(file: str) -> bool:
    path = f"{file}{os.sep}"
    return path.startswith(_LIBRARIES) and f"{os.sep}..{os.sep}" not in path


@contextlib.contextmanager
def from_source() -> Iterator[None]:
    """Import what is not installed from its source while the block runs, without bytecode beside it."""
    sys.path_hooks.insert(0, _hook)
    _forget()
    try:
        yield
    finally:
        sys.path_hooks.remove(_hook)
        _forget()


def _hook(folder: str) -> Any:
    """Return the finder of a folder of the program's. Raises ImportError for another, which is left to other finders."""
    if is_installed(folder or "."):
        raise ImportError(f"{folder}is not part of the program")
    return _from_source(folder)


def _forget() -> None:
    """Forget the finders of folders that are not installed."""
    for folder in list(sys.path_importer_cache):
        if not is_installed(folder or "."):
            del sys.path_importer_cache[folder]
