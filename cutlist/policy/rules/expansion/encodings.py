"""Encodings of texts besides base64: base85, uuencode, quoted-printable, and dumps of bytes.

Most texts are in none of these. So a part is only decoded if its beginning decodes to a text, or to something that is packed.
"""

from __future__ import annotations

import quopri
import re
from base64 import a85decode, b85decode
from binascii import Error as EncodingError
from binascii import a2b_uu
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

LONGEST: Final = 1024**2
"""The most letters of base85 that are decoded: it takes longer than other encodings."""
_MOST: Final = 200
"""How many words, or dumps, of a text are looked at."""
_SAMPLE: Final = 60
_LINE: Final = 40
"""The fewest letters of a line of an encoded text that is written in several."""
_WORD: Final = re.compile(r"\S+")
_BASE85: Final = re.compile(r"[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+")
_ASCII85: Final = re.compile(r"[!-uz]+")
_Z85: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_PYTHONS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
_OF_Z85: Final = str.maketrans(_Z85, _PYTHONS)
_IN_Z85: Final = re.compile(f"[{re.escape(_Z85)}]+")
_ONLY_LETTERS: Final = re.compile(r"[A-Za-z0-9+/=_.:-]+")
"""A word of these alone is base64, a name or an address."""
_UUENCODED: Final = re.compile(r"^begin [0-7]{3,4} .*\n", re.MULTILINE)
_END: Final = "\nend"
_PRINTED: Final = re.compile(r"=(?:0A|0D|09|20|3A|3D|\r?\n)")
_FEW: Final = 4
_DUMP: Final = re.compile(r"(?:^[0-9a-fA-F]{4,8}:?[ \t]+(?:[0-9a-fA-F]{2,4} {1,2}){2,16}.*(?:\n|\Z)){4,}", re.MULTILINE)
_BYTES: Final = re.compile(r"^[0-9a-fA-F]{4,8}:?[ \t]+((?:[0-9a-fA-F]{2,4} {1,2}){1,16})", re.MULTILINE)
_PACKED: Final = (
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"\x78\x01",
    b"\x78\x5e",
    b"\x78\x9c",
    b"\x78\xda",
    b"PK\x03\x04",
    b"\x28\xb5\x2f\xfd",
)
_TEXT: Final = frozenset((*b"\t\n\r", *range(32, 127)))


def decoded(text: str) -> Iterator[bytes | None]:
    """Yield what parts of a text hold in one of these encodings; None for a part that is too long to be decoded."""
    for word in _words(text):
        yield from _of_base85(word)
    for match in islice(_UUENCODED.finditer(text), _MOST if _END in text else 0):
        yield from _tried(_of_lines, text[match.end() : text.find(_END, match.end())])
    if len(list(islice(_PRINTED.finditer(text), _FEW))) == _FEW:
        yield quopri.decodestring(text.encode())
    for match in islice(_DUMP.finditer(text), _MOST):
        yield from _tried(bytes.fromhex, " ".join(_BYTES.findall(match[0])))


def _words(text: str) -> Iterator[str]:
    """Yield the long words of a text, and all of it as one if it is nothing but long lines."""
    words = [match[0] for match in islice(_WORD.finditer(text), _MOST + 1)]
    if len(words) > 1 and all(len(word) >= _LINE for word in words[:-1]):
        yield "".join(text.split())
    yield from (word for word in words[:_MOST] if len(word) >= _SAMPLE)


def _of_base85(word: str) -> Iterator[bytes | None]:
    whole = word.removeprefix("<~").removesuffix("~>")
    if _ONLY_LETTERS.fullmatch(whole) and ":" not in whole:
        return
    for alphabet, decode in _DECODERS:
        if alphabet.fullmatch(whole) and any(map(_is_meant, _tried(decode, whole[:_SAMPLE]))):
            yield from _tried(decode, whole) if len(whole) <= LONGEST else (None,)


def _is_meant(data: bytes) -> bool:
    """Tell whether the beginning of what was decoded is a text, or packed."""
    return data.startswith(_PACKED) or _TEXT.issuperset(data)


def _of_lines(uuencoded: str) -> bytes:
    return b"".join(map(a2b_uu, uuencoded.splitlines()))


def _tried(decode: Callable[[str], bytes], text: str) -> Iterator[bytes]:
    try:
        yield decode(text)
    except (EncodingError, ValueError, OverflowError):
        return


_DECODERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...]] = (
    (_BASE85, b85decode),
    (_ASCII85, a85decode),
    (_IN_Z85, lambda text: b85decode(text.translate(_OF_Z85))),
)
