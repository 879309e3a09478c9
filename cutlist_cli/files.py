"""Writing of files by commands."""

from __future__ import annotations

import os
import shutil
import tempfile

from cutlist.core.errors import InputError, Place


def write_file(path: str, text: str) -> None:
    """Write all of a text or nothing, so that no file is left half written. Raises InputError when it cannot be written."""
    target = os.path.realpath(path)
    try:
        with open(target, "a", encoding="utf-8") as pipe:
            if not os.path.isfile(target):  # a pipe or a terminal
                pipe.write(text)
                return
        with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(target), encoding="utf-8", newline="", delete=False) as file:
            file.write(text)
        shutil.copymode(target, file.name)
        os.replace(file.name, target)
    except OSError as error:
        raise InputError.one(Place(path), f"cannot be written: {(error.strerror or str(error)).lower()}") from None
