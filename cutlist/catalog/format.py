"""The catalogue's file format: tab-separated text under a header that states its content, sources and size.

    # cutlist catalogue 1
    # vendor: aws
    # content: region
    # source P: 2026-02-17 | AWS public price list
    # rows: 1350
    # sha256: <of everything below the header>
    type<TAB>zones<TAB>...
    a1.large<TAB>usw2-az2+usw2-az3<TAB>...

Empty cell: unknown or not applicable, never zero. Lists inside a cell are joined with `+`. Rows are sorted by their first cell,
so that two versions of a file show as a small diff.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import InputError, Place
from cutlist.core.source import Source as Source

VERSION: Final = "1"
_TITLE: Final = "# cutlist catalogue "
_ROWS: Final = "rows"
_CHECKSUM: Final = "sha256"
_SOURCE: Final = "source "
_FORBIDDEN: Final = ("\t", "\n", "\r")


@dataclass(frozen=True, slots=True)
class Table:
    """A catalogue file: header entries in order, sources by their code, column names, rows with as many cells."""

    header: Mapping[str, str]
    sources: Mapping[str, Source]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def write_table(
    header: Mapping[str, str], sources: Mapping[str, Source], columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> str:
    """Return the text of a catalogue file.

    Row count and checksum are added to the header; rows are sorted by their first cell.
    """
    ordered = sorted((tuple(row) for row in rows), key=lambda row: row[0])
    for row in ordered:
        if len(row) != len(columns) or any(mark in cell for cell in row for mark in _FORBIDDEN):
            raise ValueError(f"a row needs {len(columns)} cells without tabs and line ends: {row}")
    body = "".join("\t".join(row) + "\n" for row in (tuple(columns), *ordered))
    entries = {
        **header,
        **{_SOURCE + code: f"{source.date} | {source.text}" for code, source in sources.items()},
        _ROWS: str(len(ordered)),
        _CHECKSUM: _checksum(body),
    }
    return "\n".join([_TITLE + VERSION, *(f"# {key}: {value}" for key, value in entries.items()), body])


def read_table(text: str, place: Place) -> Table:
    """Return the contents of a catalogue file as written. Raises InputError saying what is wrong with a damaged or foreign
    file."""
    head, body = _split(text, place)
    entries = _entries(head, place)
    if entries.get(_CHECKSUM) != _checksum(body):
        raise _damaged(place, "its content does not match the checksum in its header")
    columns, *rows = (tuple(line.split("\t")) for line in body.removesuffix("\n").split("\n"))
    if entries.get(_ROWS) != str(len(rows)):
        raise _damaged(place, f"it has {len(rows)} rows, its header says {entries.get(_ROWS, 'nothing')}")
    ragged = next((number for number, row in enumerate(rows, 1) if len(row) != len(columns)), None)
    if ragged is not None:
        raise _damaged(place, f"row {ragged} does not have {len(columns)} cells")
    return Table(_plain(entries), _sources(entries, place), columns, tuple(rows))


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _split(text: str, place: Place) -> tuple[list[str], str]:
    if not text.startswith(_TITLE):
        raise InputError.one(place, "this is not a catalogue file", allowed=f"a file that begins with {_TITLE + VERSION!r}")
    end = 0
    while text.startswith("#", end):
        newline = text.find("\n", end)
        end = len(text) if newline < 0 else newline + 1
    head = text[:end].removesuffix("\n").split("\n")
    version = head[0].removeprefix(_TITLE)
    if version != VERSION:
        raise InputError.one(place, f"catalogue format {version} is not known", allowed=VERSION)
    if end == len(text):
        raise _damaged(place, "nothing follows its header")
    return head[1:], text[end:]


def _entries(head: Sequence[str], place: Place) -> dict[str, str]:
    entries: dict[str, str] = {}
    for number, line in enumerate(head, 2):
        key, colon, value = line.removeprefix("# ").partition(": ")
        if not colon or key in entries:
            raise _damaged(place, f"line {number} of its header is not a new '# key: value'")
        entries[key] = value
    return entries


def _plain(entries: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in entries.items() if not key.startswith(_SOURCE) and key not in (_ROWS, _CHECKSUM)}


def _sources(entries: Mapping[str, str], place: Place) -> dict[str, Source]:
    sources: dict[str, Source] = {}
    for key, value in entries.items():
        if key.startswith(_SOURCE):
            date, bar, text = value.partition(" | ")
            if not bar:
                raise _damaged(place, f"'{key}' of its header has no date")
            sources[key.removeprefix(_SOURCE)] = Source(date, text)
    return sources


def _damaged(place: Place, what: str) -> InputError:
    return InputError.one(
        place, f"the catalogue file is damaged: {what}", allowed="a file as it was written; install it again or regenerate it"
    )
