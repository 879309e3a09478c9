"""Texts that are not manifests, from files or standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cutlist.core.errors import Problems
from cutlist.documents import STDIN, unreadable


def read_texts(files: Sequence[str]) -> list[str]:
    """The text of each file, `-` being standard input. Raises InputError with every one that cannot be read.

    What is no UTF-8 is kept as marks: a log is read for what can be read of it.
    """
    problems, texts = Problems(), []
    for name in files:
        try:
            data = sys.stdin.buffer.read() if name == STDIN else _bytes(name)
        except OSError as error:
            problems.extend([unreadable(name, error)])
        else:
            texts.append(data.decode("utf-8", "replace"))
    problems.raise_if_any()
    return texts


def _bytes(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()
