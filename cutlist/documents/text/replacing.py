"""Replace files as a whole: a reader finds the old text or the new one, even when writing is interrupted."""

from __future__ import annotations

import contextlib
import os
import shutil


def replace_file(target: str, text: str | bytes, mode: int = 0o666) -> None:
    """Write all of a text, or of what it was packed into, or leave the file unchanged, with nothing beside it.

    `mode` is that of a new file, before the umask; a file that exists keeps its own. Raises OSError.
    """
    is_there = os.path.isfile(target)
    if is_there:
        with open(target, "a", encoding="utf-8"):  # a file that may not be changed is not replaced either
            pass
    part = os.path.join(os.path.dirname(target), f".cutlist-{os.urandom(8).hex()}.part")
    try:
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(text.encode() if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        if is_there:
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
