"""Texts that tools unpack before they apply them: base64, base32, hexadecimal digits, escapes of shells, addresses and pages,
gzip and other compression, UTF-16, and archives.

What cannot be unpacked as a whole is said, since objects may be in the rest.
"""

from __future__ import annotations

import bz2
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from base64 import b32decode, b32hexdecode, b64decode
from binascii import Error as EncodingError
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from html import unescape
from itertools import islice
from typing import Any, Final
from urllib.parse import unquote

from cutlist.policy.rules.expansion.encodings import decoded

MOST_BYTES: Final = 4 * 1024 * 1024
"""How much of one text is unpacked."""
MOST_LAYERS: Final = 6
_SMALL: Final = 256 * 1024
_MOST_TIMES: Final = 200
"""What is larger and unpacks to more than this is made to cost time: texts that people write become a tenth to a hundredth."""
_MOST_TEXTS: Final = 200
_MOST_MEMBERS: Final = 50
_ENCODINGS: Final = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp037")
_LEAST: Final = 40
_SHORT: Final = 500
"""The most letters of a text of which it is remembered that it holds nothing."""
_VERSION: Final = b"apiVersion"
_ALPHABET: Final = r"[A-Za-z0-9+/_-]"
_ENCODED: Final = re.compile(rf"{_ALPHABET}{{16,}}(?:\s+{_ALPHABET}{{4,}})*={{0,2}}")
_ONLY_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2,3}={0,2})?")
_ESCAPES: Final = re.compile(
    r"(?:\\x[0-9a-fA-F]{2}|\\[0-3][0-7]{2}|\\u00[0-9a-fA-F]{2}|[%=][0-9a-fA-F]{2}|&#(?:[1-9]\d|1[01]\d|12[0-7]);){8,}"
)
_ESCAPE: Final = re.compile(r"(?:\\(?:x|u00)|[%=])([0-9a-fA-F]{2})|\\([0-3][0-7]{2})|&#(\d+);")
_OF_ADDRESSES: Final = re.compile(r"%(?:0[Aa]|20|22|3[Aa]|7[Bb])")
_DATA: Final = re.compile(r"\bdata:[\w/;=+.-]*,")
"""What begins an address that has the data itself."""
_ENTITIES: Final = re.compile(r"&(?:#\w+|quot|colon|NewLine);")
_QUOTED: Final = re.compile(r"\\(?:([nrt])|([\"'\\/]))")
_WHITE: Final = {"n": "\n", "r": "\r", "t": "\t"}
_PAIRS: Final = re.compile(r"(?:[0-9a-fA-F]{2}[: ,-]){20,}[0-9a-fA-F]{2}")
_PREFIXED: Final = re.compile(r"0[xX](?=[0-9a-fA-F]+$)")
_FEW: Final = 4
_HEX: Final = re.compile(r"[0-9a-fA-F]+")
_BASE32: Final = re.compile(r"[A-Z2-7]+")
_BASE32_HEX: Final = re.compile(r"[0-9A-V]+")
_ZLIB: Final = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_WIDE: Final = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"a\0\0\0p": "utf-32-le",
    b"\0\0\0a\0\0\0p": "utf-32-be",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"a\0p\0i\0": "utf-16-le",
    b"\0a\0p\0i": "utf-16-be",
}
_SEALED: Final = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
    b"\x1f\x9d": "compress",
    b"\x89LZO": "lzop",
    b"\xff\x06\0\0sNaPpY": "snappy",
}


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A text that was inside another one; `why` it cannot be read as a whole, empty if it can."""

    text: str = ""
    why: str = ""


@dataclass(slots=True)
class Budget:
    """How many bytes may still be unpacked, of a text and all that is in it."""

    left: int = 2 * MOST_BYTES

    def allows(self, text: str) -> bool:
        """Take a text from what is left, and tell whether there was enough."""
        self.left -= len(text)
        return self.left >= 0


def unpacked(text: str, budget: Budget) -> Iterator[Unpacked]:
    """Yield what the encoded parts of a text hold, one layer down, and why a part cannot be read."""
    if len(text) <= _SHORT and _holds_nothing(text):
        return
    for inner in _unpacked(text):
        if not budget.allows(inner.text):
            yield Unpacked(why=f"unpacked it has more than {MOST_BYTES // 1024**2} MB, of which the rest is not read")
            return
        yield inner


@lru_cache(maxsize=2**16)
def _holds_nothing(text: str) -> bool:
    """Tell whether nothing is packed in a text. A cluster has the same words thousands of times, and several rules ask."""
    return next(_unpacked(text), None) is None


def _unpacked(text: str) -> Iterator[Unpacked]:
    if _ONLY_BASE64.fullmatch(alone := text.strip()):  # as short as it may be, since nothing else is in the text
        yield from _of_encoded(alone)
        return
    found = list(islice(_ENCODED.finditer(text), _MOST_TEXTS + 1))
    for match in found[:_MOST_TEXTS]:
        whole = "".join(match[0].split())
        if len(whole) >= _LEAST:
            yield from _of_encoded(whole)
        words = match[0].split()
        for word in words[:_MOST_TEXTS] if len(words) > 1 else ():
            if len(word) >= _LEAST:
                yield from _of_encoded(word)
    for match in islice(_ESCAPES.finditer(text), _MOST_TEXTS):
        yield from _of_bytes(bytes(map(_byte, _ESCAPE.finditer(match[0]))))
    for match in islice(_PAIRS.finditer(text), _MOST_TEXTS):
        yield from _of_bytes(bytes.fromhex(re.sub(r"[: ,-]", "", match[0])))
    for data in decoded(text):
        yield from _of_bytes(data) if data is not None else (Unpacked(why="it is in base85, and too long to be read"),)
    if _VERSION.decode() in text:
        yield from map(Unpacked, _written_otherwise(text))


def _byte(escape: re.Match[str]) -> int:
    hexadecimal, octal, decimal = escape.groups()
    return int(hexadecimal, 16) if hexadecimal else int(octal, 8) if octal else int(decimal)


def _written_otherwise(text: str) -> Iterator[str]:
    """Yield a text without the escapes of addresses, of pages, and of a text in quotes, where it has some."""
    if len(list(islice(_OF_ADDRESSES.finditer(text), _FEW))) == _FEW:
        yield unquote(_DATA.sub("\n", text))
    if len(list(islice(_ENTITIES.finditer(text), _FEW))) == _FEW:
        yield unescape(text)
    if len(list(islice(_QUOTED.finditer(text), _FEW))) == _FEW:
        yield _QUOTED.sub(lambda match: _WHITE[match[1]] if match[1] else match[2], text.strip().strip("\"'"))


def why_sealed(text: str, layers: int = MOST_LAYERS, budget: Budget | None = None) -> str:
    """Return why a text cannot be read as a whole, through all of its layers; empty if it can."""
    budget = Budget() if budget is None else budget
    for inner in unpacked(text, budget):
        if inner.why:
            return inner.why
        if inner.text and not layers and _says_something(inner.text):
            return f"it is packed in more than {MOST_LAYERS} layers"
        if inner.text and layers and (why := why_sealed(inner.text, layers - 1, budget)):
            return why
    return ""


def _says_something(text: str) -> bool:
    """Tell whether a text that was decoded is one that somebody wrote, and not a name that happens to be in an alphabet."""
    return text.isprintable() or "\n" in text


def _of_encoded(word: str) -> Iterator[Unpacked]:
    digits = _PREFIXED.sub("", word)
    if _HEX.fullmatch(digits) and len(digits) % 2 == 0:
        yield from _of_bytes(bytes.fromhex(digits))
    bare = word.rstrip("=")
    for alphabet, decode in ((_BASE32, b32decode), (_BASE32_HEX, b32hexdecode)):
        if alphabet.fullmatch(bare):
            padded = bare + "=" * (-len(bare) % 8)
            yield from _of_decoder(partial(decode, padded))
    plain = word.rstrip("=").replace("-", "+").replace("_", "/")
    yield from _of_decoder(lambda: b64decode(plain + "=" * (-len(plain) % 4)))


def _of_decoder(decode: Callable[[], bytes]) -> Iterator[Unpacked]:
    try:
        data = decode()
    except (EncodingError, ValueError):
        return
    yield from _of_bytes(data)


def _of_bytes(data: bytes) -> Iterator[Unpacked]:
    """Yield the text of bytes, decompressed; nothing for bytes of any other kind."""
    decompressor = _decompressor_of(data)
    if decompressor is not None:
        inner, is_whole = _decompressed(data, decompressor)
        if len(inner) > _SMALL and len(inner) > _MOST_TIMES * len(data):
            yield Unpacked(why=f"unpacked it has more than {_MOST_TIMES} times its size, and is not read")
            return
        if inner and is_whole:
            yield from _of_bytes(inner) if _decompressor_of(inner) is not None else _texts_of(inner)
        if not is_whole:
            yield Unpacked(why=f"unpacked it has more than {MOST_BYTES // 1024**2} MB, of which the rest is not read")
    elif sealed := next((name for magic, name in _SEALED.items() if data.startswith(magic)), ""):
        yield Unpacked(why=f"it is {sealed}, which is not read")
    else:
        yield from _texts_of(data)


def _texts_of(data: bytes) -> Iterator[Unpacked]:
    members = _members(data)
    if members is not None:
        for member in members:
            yield from _of_bytes(member)
        return
    encoding = next((name for start, name in _WIDE.items() if data.startswith(start)), "utf-8")
    try:
        yield Unpacked(data.decode(encoding).replace("\0", "\n"))
    except UnicodeDecodeError:
        yield from map(Unpacked, _inflated(data))
        if any(_VERSION.decode().encode(of) in data for of in _ENCODINGS):
            yield Unpacked(data.decode("latin-1"), "it has a manifest among bytes that are no text")


def _inflated(data: bytes) -> Iterator[str]:
    """Yield the text of bytes that are deflated without a header."""
    inner, is_whole = _decompressed(data, lambda: _Zlib(-15))
    if is_whole and len(inner) <= max(_SMALL, _MOST_TIMES * len(data)) and _VERSION in inner:
        yield inner.decode("utf-8", "replace")


def _members(data: bytes) -> list[bytes] | None:
    """Return the files of an archive, or None for anything else. Archives are small, as what they were unpacked from is."""
    try:
        if data.startswith(b"PK\x03\x04"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                small = [i for i in archive.infolist()[:_MOST_MEMBERS] if i.file_size <= MOST_BYTES and not i.flag_bits & 1]
                return [archive.read(info) for info in small]
        if data[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
                files = (tar.extractfile(member) for member in islice(tar, _MOST_MEMBERS) if member.isfile())
                return [file.read() for file in files if file is not None]
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, NotImplementedError, EOFError, OSError):
        return None
    return None


def _decompressor_of(data: bytes) -> Callable[[], Any] | None:
    """Return what makes a decompressor for bytes, or None for bytes that are not compressed."""
    if data.startswith(b"\x1f\x8b"):
        return lambda: _Zlib(31)
    if data.startswith(_ZLIB):
        return lambda: _Zlib(15)
    if data.startswith(b"BZh"):
        return bz2.BZ2Decompressor
    if data.startswith((b"\xfd7zXZ", b"\x5d\x00\x00")):
        return lzma.LZMADecompressor
    return None


class _Zlib:
    """A decompressor of zlib with the methods that those of bz2 and lzma have."""

    __slots__ = ("_inner",)

    def __init__(self, window: int) -> None:
        self._inner = zlib.decompressobj(window)

    def decompress(self, data: bytes, most: int) -> bytes:
        return self._inner.decompress(data, most)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data


def _decompressed(data: bytes, make: Callable[[], Any]) -> tuple[bytes, bool]:
    """Return what compressed bytes hold, member after member as gunzip does, and whether that is all of it."""
    parts: list[bytes] = []
    left = MOST_BYTES
    while data:
        decompressor = make()
        try:
            part = decompressor.decompress(data, left + 1)
        except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError):
            break  # no further member, or nothing of this kind at all
        parts.append(part)
        left -= len(part)
        if left < 0:
            return b"".join(parts)[:MOST_BYTES], False
        if not decompressor.eof:
            break
        data = decompressor.unused_data
    return b"".join(parts), True
