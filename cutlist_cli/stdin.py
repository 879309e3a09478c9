"""Standard input, which a command may name with `-f -`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

import click

_STDIN: Final = "cutlist.stdin"


def stdin_of(files: Sequence[str]) -> bytes | None:
    """Return the contents of standard input if `-` is among the files.

    The contents are kept, since they can be read only once and a command may need them several times.
    """
    if "-" not in files or not sys.stdin:
        return None
    meta: dict[str, Any] = click.get_current_context().meta
    if _STDIN not in meta:
        meta[_STDIN] = sys.stdin.buffer.read()
    content: bytes = meta[_STDIN]
    return content


def refuse_stdin(files: Sequence[str], what: str) -> None:
    """Refuse standard input, which cannot be read again when it changes."""
    if "-" in files:
        raise click.UsageError(f"{what} reads files again when they change; standard input (-f -) can be read once only")
