"""The settings of `mcp`."""

from __future__ import annotations

from typing import Final

from cutlist.core.setting import Kind, Setting

ROOTS: Final = Setting(
    "roots",
    "Folder whose files may be read.",
    Kind.PATH,
    several=True,
    otherwise="the working directory",
    metavar="DIR",
    option="root",
)
