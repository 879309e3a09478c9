"""What can be read only once: standard input, which a command may name with `-f -`, and process substitutions."""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any, Final

import click

from cutlist.core.errors import InputError
from cutlist.documents.files import MAX_BYTES, is_stream, special_file

_STDIN: Final = "cutlist.stdin"
_DESCRIPTOR: Final = re.compile(r"/(?:dev|proc/self)/fd/(\d+)$")
_STANDARD: Final = 2
"""The last descriptor that is standard input, output or error."""


def stdin_of(files: Sequence[str]) -> bytes | None:
    """Return the contents of standard input if `-` is among the files; if that is more than a file may hold, only enough to be
    refused. The contents are kept, since they can be read only once and a command may need them several times.
    """
    if "-" not in files or not sys.stdin:
        return None
    meta: dict[str, Any] = click.get_current_context().meta
    if _STDIN not in meta:
        meta[_STDIN] = sys.stdin.buffer.read(MAX_BYTES + 1)
    content: bytes = meta[_STDIN]
    return content


def refuse_streams(files: Sequence[str], what: str) -> None:
    """Refuse standard input and pipes, which cannot be read again when they change."""
    stream = next(filter(is_stream, files), None)
    if stream is not None:
        shown = "standard input (-)" if stream == "-" else f"{stream}, a pipe of the shell,"
        raise click.UsageError(f"{what} reads files again when they change; {shown} can be read once only")
    special = [problem for problem in map(special_file, files) if problem is not None]
    if special:
        raise InputError(special)


def keep_pipes(words: Iterable[str]) -> None:
    """Put what the shell's pipes among the arguments hold (`<(...)`) into files behind the same descriptors.

    A command may read a file several times, such as one that both sides of a comparison share.
    """
    for word in words:
        descriptor = _DESCRIPTOR.search(word)
        if descriptor is not None and int(descriptor[1]) > _STANDARD:
            _keep_pipe(int(descriptor[1]))


def _keep_pipe(descriptor: int) -> None:
    try:
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return
        with open(descriptor, "rb", closefd=False) as pipe, tempfile.TemporaryFile() as file:
            file.write(pipe.read(MAX_BYTES + 1))
            file.flush()
            os.dup2(file.fileno(), descriptor)
        os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError:  # no such descriptor: the command says so where it reads it
        return
