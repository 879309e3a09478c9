"""Files that hold a packed manifest or archive, which whoever applies it unpacks first."""

from __future__ import annotations

import bz2
import io
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from base64 import b64decode
from binascii import Error as EncodingError
from collections.abc import Iterator
from itertools import islice
from typing import Final

from cutlist.core.ledger import OpenInput
from cutlist.documents.beginnings import KARPENTERS, LONGEST
from cutlist.documents.files import FILE_SUFFIXES

PACKED: Final = "packed"
WHY: Final = "packed, with an object of Karpenter in it; unpack it, and pass what it holds"
_SEALED_WHY: Final = "packed in a form that is not read; unpack it, and pass what it holds"
_SEALED: Final = (".zst", ".7z", ".rar", ".lz4", ".lz", ".br", ".Z", ".sz", ".age", ".gpg", ".asc", ".enc", ".b85", ".uu")
"""Endings that, after that of a manifest, say that the file is one, which only another program reads."""
_ENCODED: Final = re.compile(rb"[A-Za-z0-9+/\s]+={0,2}\s*")
_DIGITS: Final = re.compile(rb"[0-9a-fA-F\s]+")
_MOST_MEMBERS: Final = 200
_TAR: Final = slice(257, 262)


def packed_file(path: str) -> OpenInput | None:
    """Return a file as open if what it unpacks to has an object of Karpenter, or if its name is that of a packed manifest that
    cannot be unpacked; None for any other file. Not more than the beginning is read."""
    inner, ending = os.path.splitext(path)
    if ending in _SEALED and inner.endswith(FILE_SUFFIXES):
        return OpenInput(path, PACKED, _SEALED_WHY)
    try:
        with open(path, "rb") as file:
            raw = file.read(LONGEST)
    except OSError:
        return None
    is_found = any(KARPENTERS.search(text.decode("utf-8", "replace")) for text in _unpacked(raw))
    return OpenInput(path, PACKED, WHY) if is_found else None


def _unpacked(raw: bytes) -> Iterator[bytes]:
    """Yield what bytes unpack to, as far as it is read; nothing if they are not packed."""
    inner = _decompressed(raw) or _decoded(raw)
    data = raw if inner is None else inner
    if inner is not None:
        yield inner
        yield from _unpacked(inner) if len(inner) < len(raw) else ()
    yield from _members(data)


def _decompressed(raw: bytes) -> bytes | None:
    try:
        if raw.startswith(b"\x1f\x8b"):
            return zlib.decompressobj(31).decompress(raw, LONGEST)
        if raw.startswith(b"BZh"):
            return bz2.BZ2Decompressor().decompress(raw, LONGEST)
        if raw.startswith(b"\xfd7zXZ"):
            return lzma.LZMADecompressor().decompress(raw, LONGEST)
    except (zlib.error, OSError, lzma.LZMAError, EOFError):
        return None
    return None


def _decoded(raw: bytes) -> bytes | None:
    if not raw.strip():
        return None
    try:
        if _DIGITS.fullmatch(raw):
            return bytes.fromhex(raw.decode())
        return b64decode(raw) if _ENCODED.fullmatch(raw) else None
    except (EncodingError, ValueError):
        return None


def _members(data: bytes) -> Iterator[bytes]:
    """Yield the beginnings of the files in an archive; of one that is cut off, those that are whole."""
    try:
        if data.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for info in archive.infolist()[:_MOST_MEMBERS]:
                    with archive.open(info) as member:
                        yield member.read(LONGEST)
        elif data[_TAR] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
                files = (tar.extractfile(member) for member in islice(tar, _MOST_MEMBERS) if member.isfile())
                yield from (file.read(LONGEST) for file in files if file is not None)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError):
        return
