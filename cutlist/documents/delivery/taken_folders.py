"""The folders whose files are not read by themselves, since an object takes them, waits to, or leaves them out."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_LEFT_OUT: Final = "left out, since what takes the folder around them does not name them: {who}"
_NOT_APPLIED: Final = "left out, since what takes the folder around them is not applied: {who}"
_EXCLUDED: Final = "left out, since an ApplicationSet excludes their folder and nothing else takes it: {who}"


@dataclass(slots=True)
class TakenFolders:
    """Real paths of folders: those that are `covered` by what was rendered, in the order of that; those that are `withheld`
    with an object that is not rendered; those that an ApplicationSet leaves out (`excluded`); and those that an object which is
    not rendered names, although what lies there is read by itself (`named`)."""

    covered: dict[str, None] = field(default_factory=dict)
    withheld: set[str] = field(default_factory=set)
    excluded: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    _folder: dict[str, str] = field(default_factory=dict)
    _apart: dict[str, int] = field(default_factory=dict)
    """The folders that are below none of them, each with how many of them it was compared with."""

    def has(self, folder: str) -> bool:
        """Tell whether a folder, by its real path, is one of them or below one."""
        size = len(self.covered) + len(self.withheld) + len(self.excluded)
        # Each object that is delivered asks for the folder of every other object.
        if self._apart.get(folder) == size:
            return False
        is_below = self.is_taken(folder) or _is_below(folder, self.excluded)
        if not is_below:
            self._apart[folder] = size
        return is_below

    def has_file(self, file: str) -> bool:
        """Tell whether a file is below one of them."""
        return self.has(self._folder_of(file))

    def is_taken(self, folder: str) -> bool:
        """Tell whether an object takes a folder, or waits to."""
        return _is_below(folder, self.covered) or _is_below(folder, self.withheld)

    def is_named(self, folder: str) -> bool:
        """Tell whether an object that is not rendered names a folder, or one around it."""
        return _is_below(folder, self.named)

    def why_left_out(self, file: str) -> str:
        """Return why a file below one of them is not in the answer, as the text of a note."""
        folder = self._folder_of(file)
        if _is_below(folder, self.covered):
            return _LEFT_OUT
        return _NOT_APPLIED if _is_below(folder, self.withheld) else _EXCLUDED

    def _folder_of(self, file: str) -> str:
        if file not in self._folder:
            self._folder[file] = os.path.dirname(os.path.realpath(file))
        return self._folder[file]


def _is_below(folder: str, folders: Collection[str]) -> bool:
    # Looked up from the folder upward: there may be as many folders as there are objects.
    return folder in folders or any(str(above) in folders for above in Path(folder).parents)
