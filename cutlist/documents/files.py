"""Files and standard input as texts, with what keeps one from being read."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import stat
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from cutlist.core.errors import Place, Problem, Problems, nearest

STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"
NO_NAME: Final = "''"
YAML_SUFFIXES: Final = (".yaml", ".yml")
FILE_SUFFIXES: Final = (*YAML_SUFFIXES, ".json")
"""File name extensions of manifests in a folder."""
TEMPLATE_SUFFIXES: Final = (
    *(".tpl", ".tftpl", ".tmpl", ".j2", ".jinja", ".jinja2", ".gotmpl", ".erb", ".mustache", ".hbs", ".handlebars"),
    *(".template", ".ejs", ".epp", ".mako", ".envsubst"),
)
"""Those of templates, from which another program makes manifests."""
MAX_BYTES: Final = 128 * 2**20
"""How much of a file is read at most, once it is unpacked: twice what a cluster of 10,000 nodes with their pods takes."""
PACKED: Final = ".gz"
"""The end of the names of files that are compressed with gzip."""
_PIECE: Final = 2**16
_GZIP: Final = b"\x1f\x8b"
_DESCRIPTOR: Final = re.compile(r"/dev/(stdin|fd/\d+)|/proc/(self|thread-self|\d+)/fd/\d+")
"""Paths of open files, as a shell names what it puts in place of `<(...)`."""

_MADE_UP: Final = ("/proc", "/sys")
"""File systems of the system itself: what they show as files has no end, no size, or other effects than reading."""

_KINDS: Final = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True, slots=True)
class SourceText:
    """The contents of a file: its name in messages, and its text."""

    source: str
    text: str


def sources(paths: Iterable[str | os.PathLike[str]]) -> str:
    """Return one name for several files, folders and standard input, for messages."""
    named = {STDIN: STDIN_NAME, "": NO_NAME}
    return ", ".join(dict.fromkeys(named.get(os.fspath(path), os.fspath(path)) for path in paths))


def unreadable(path: str | os.PathLike[str], error: OSError) -> Problem:
    """Return the problem of a file or folder that cannot be read; for a missing one, with the nearest name beside it."""
    other = _neighbour(os.fspath(path)) if isinstance(error, FileNotFoundError) else ""
    text = f"cannot be read: {(error.strerror or str(error)).lower()}"
    return Problem(Place(sources([path])), text, nearest=other, is_unread=True)


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is standard input or an open file, such as the pipe of `<(...)`, and no file to keep."""
    path = os.fspath(path)
    return path == STDIN or _DESCRIPTOR.fullmatch(path) is not None


def special_file(path: str | os.PathLike[str]) -> Problem | None:
    """Return the problem that a path is not a file with contents, such as a named pipe, on which reading might never end.

    None for files and folders, missing ones, the null device, and the open files of a process; files in /proc and /sys count as
    special.
    """
    path = os.fspath(path)
    if path == os.devnull:
        return None
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    is_open = _DESCRIPTOR.fullmatch(path) is not None
    kind = "" if is_open else next((name for is_kind, name in _KINDS if is_kind(status.st_mode)), "")
    if stat.S_ISREG(status.st_mode) and any(_is_on(status.st_dev, folder) for folder in _MADE_UP):
        kind = "a file of the system"
    allowed = "a file, a folder, or - for standard input"
    return Problem(Place(path), f"is {kind}, which is not read", allowed, is_unread=True) if kind else None


def _is_on(device: int, folder: str) -> bool:
    """Tell whether a device is the file system that is mounted at a folder: that identifies its files whichever links lead
    there."""
    try:
        return os.stat(folder).st_dev == device and os.path.ismount(folder)
    except OSError:
        return False


def stdin_text(stdin: str | bytes | None, problems: Problems) -> str | None:
    """Return what standard input holds, or None, with a problem added, if nothing was given or it is not text."""
    if stdin is None:
        problems.add_absence(Place(STDIN_NAME), "nothing was given on standard input")
        return None
    return stdin if isinstance(stdin, str) else _unpacked_text(stdin, STDIN_NAME, problems)


_LFS: Final = b"version https://git-lfs.github.com/spec/"
POINTER: Final = "a pointer of Git LFS, and its content is elsewhere"


def file_text(path: str | os.PathLike[str], problems: Problems) -> str | None:
    """Return the text of one file, unpacked if it is compressed with gzip, or None, with a problem added, if it cannot be
    read."""
    raw = _contents(path, problems)
    if raw is not None and is_pointer(raw):
        problems.add(Place(os.fspath(path)), f"is {POINTER}", "what git lfs pull puts in its place")
        return None
    return None if raw is None else _unpacked_text(raw, os.fspath(path), problems)


def is_pointer(raw: bytes) -> bool:
    """Tell whether a content is a pointer of Git LFS."""
    return raw.startswith(_LFS)


def _unpacked_text(raw: bytes, source: str, problems: Problems) -> str | None:
    if raw.startswith(_GZIP):
        try:
            raw = gzip.GzipFile(fileobj=BytesIO(raw)).read(MAX_BYTES + 1)
        except (EOFError, OSError, zlib.error) as error:
            fault = "ends early" if isinstance(error, EOFError) else "is damaged"
            problems.add(Place(source), f"is compressed with gzip, and {fault}", "a whole file")
            return None
    return _bounded_text(raw, source, problems)


def _contents(path: str | os.PathLike[str], problems: Problems) -> bytes | None:
    """Return what a file holds, up to one byte more than is read of any, or None, with a problem added."""
    path = os.fspath(path)
    special = special_file(path)
    if special is not None:
        problems.extend([special])
        return None
    try:
        with open(path, "rb") as file:
            raw = file.read(_PIECE)  # most files are small, and room for the largest takes long to get
            return raw + (file.read(MAX_BYTES + 1 - _PIECE) if len(raw) == _PIECE else b"")
    except OSError as error:
        problems.extend([unreadable(path, error)])
        return None


def _neighbour(path: str) -> str:
    missing = Path(path)
    try:
        others = sorted(p for p in missing.parent.iterdir() if p.suffix in (missing.suffix, *FILE_SUFFIXES))
        stems = {p.stem: p.name for p in others if p.name != missing.name}
        return stems.get(nearest(missing.stem, stems), "")
    except OSError:
        return ""


def _bounded_text(raw: bytes, source: str, problems: Problems) -> str | None:
    if len(raw) > MAX_BYTES:
        problems.add(Place(source), f"is larger than {MAX_BYTES // 2**20} MiB; split it")
        return None
    return _text(raw, source, problems)


def _text(raw: bytes, source: str, problems: Problems) -> str | None:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        problems.add(Place(source), "is text in UTF-16, as PowerShell writes it", "text in UTF-8")
        return None
    if b"\0" in raw:
        problems.add(Place(source), "is a binary file, not YAML or JSON text")
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problems.add(Place(source, line=line), f"is not text in UTF-8: byte 0x{raw[error.start]:02x}")
        return None
