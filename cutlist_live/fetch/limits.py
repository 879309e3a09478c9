"""How much may be fetched: seconds, bytes and files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one fetch.

    `seconds` is the time for a program, and `transferred` the bytes that it may write. `unpacked` and `files` are the bytes and
    the count of files in an archive or a repository. `memory` is what a program may hold, where the system can limit that.
    """

    seconds: float = 300
    transferred: int = 512 * 2**20
    unpacked: int = 512 * 2**20
    files: int = 50_000
    memory: int = 4 * 2**30
