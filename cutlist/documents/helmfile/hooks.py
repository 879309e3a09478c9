"""Hooks of helmfiles, left out of a copy before it is rendered: helmfile ends where one would be run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Final

from cutlist.documents.account.forms import files_below
from cutlist.documents.account.helmfile import is_helmfile

_HOOKS: Final = re.compile(
    r"^(?P<indent>[ ]*)hooks:[ \t]*(?:\[[^\n]*\][ \t]*|#[^\n]*)?\n"
    r"(?:(?P=indent)(?:[ ]+[^\n]*|-[^\n]*)\n|[ \t]*\n)*",
    re.MULTILINE,
)
"""A member of hooks with what is indented below it. What a template puts elsewhere stays, and is refused by helmfile."""


def leave_out_hooks(root: str, named: Iterable[str]) -> list[str]:
    """Write the helmfiles below a folder, and other files that they name, without hooks; return the files that had some.

    The folder is a copy, whose files may be links to those of a checkout.
    """
    paths = {path for path in files_below(root, recursive=True) if is_helmfile(path)}.union(filter(os.path.isfile, named))
    had: list[str] = []
    for path in sorted(paths):
        with open(path, encoding="utf-8", errors="surrogateescape") as read:
            text = read.read()
        without = _HOOKS.sub("", text)
        if without != text and not os.path.islink(path):
            os.unlink(path)
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(without)
            had.append(path)
    return had
