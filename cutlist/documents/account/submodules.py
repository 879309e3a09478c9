"""Submodules of git whose files are not here, as after a clone without them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Final

from cutlist.core.ledger import Ledger, OpenInput
from cutlist.documents.beginnings import beginning_of

_NAME: Final = ".gitmodules"
_PATH: Final = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_WHY: Final = "a submodule of git whose files are not here"


def leave_submodules_open(files: Iterable[str], ledger: Ledger) -> None:
    """Leave each submodule open that the files of a folder name and of which nothing is checked out."""
    for path in _missing(files):
        ledger.leave_open(OpenInput(path, "submodule", _WHY, f"git submodule update --init {path}"))


def _missing(files: Iterable[str]) -> Iterator[str]:
    for file in (file for file in files if os.path.basename(file) == _NAME):
        for written in _PATH.findall(beginning_of(file)):
            path = os.path.normpath(os.path.join(os.path.dirname(file), written.strip('"')))
            if not os.path.isdir(path) or not os.listdir(path):
                yield path
