"""A file of lines that several stand-ins write at the same time, and read while others write."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def append(file: Path, line: Mapping[str, Any]) -> None:
    """Write a line of JSON to the end. Nobody reads half of it, and it follows whole lines alone."""
    with file.open("a") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        opened.write(json.dumps(line) + "\n")
        opened.flush()  # before the lock ends with the file


def lines(file: Path) -> list[dict[str, Any]]:
    """Return the lines of a file; none where there is no file yet."""
    try:
        with file.open() as opened:
            fcntl.flock(opened, fcntl.LOCK_SH)
            return [json.loads(line) for line in opened]
    except FileNotFoundError:
        return []
