"""Karpenter's log and events as commands read them: from files, or from standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from cutlist.core.errors import Place, Problems
from cutlist.documents.files import STDIN, sources, special_file, unreadable

_MAX_BYTES: Final = 128 * 2**20
"""Size of a log that is read: months of a busy controller."""


def read_logs(files: Sequence[str], *, allow_empty: bool = False) -> str:
    """Return the text of all files, `-` being standard input. Raises InputError with every file that cannot be read or is
    empty. Bytes that are not UTF-8 become replacement characters, so that the rest of a log can be read.
    """
    problems, texts = Problems(allow_empty=allow_empty), []
    for name in files:
        special = special_file(name)
        if special is not None:
            problems.extend([special])
            continue
        try:
            data = sys.stdin.buffer.read(_MAX_BYTES + 1) if name == STDIN else _content_of(name)
        except OSError as error:
            problems.extend([unreadable(name, error)])
        else:
            if len(data) > _MAX_BYTES:
                problems.add(Place(sources([name])), f"is larger than {_MAX_BYTES // 2**20} MiB; split it")
                continue
            texts.append(data.decode("utf-8", "replace"))
            if not texts[-1].strip():
                problems.add_absence(Place(sources([name])), "the log is empty", "lines of Karpenter's log, or events")
    problems.raise_if_any()
    return "\n".join(texts)


def _content_of(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read(_MAX_BYTES + 1)
