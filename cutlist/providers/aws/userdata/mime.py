"""Multipart archives of user data: written as Karpenter writes them, read as its libraries read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from cutlist.core.errors import UserDataError

SHELL_SCRIPT: Final = 'text/x-shellscript; charset="us-ascii"'
NODE_CONFIG: Final = "application/node.eks.aws"
CONTENT_TYPE: Final = "Content-Type"

_BOUNDARY: Final = "//"
_ENCODING: Final = "Content-Transfer-Encoding"
_BLANKS: Final = b" \t"
_TOKEN: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"  # noqa: S105 - a syntax, no secret
_MEDIA_TYPE: Final = re.compile(rf"({_TOKEN})/({_TOKEN})")
_PARAMETER: Final = re.compile(rf'\s*;\s*({_TOKEN})\s*=\s*(?:({_TOKEN})|"((?:[^"\\\r\n]|\\.)*)")')
_TOKENS: Final = re.compile(_TOKEN)
_NAME: Final = re.compile(rf"{_TOKEN}(?: |{_TOKEN})*")
_QUOTED: Final = re.compile(rb"=(?:([0-9A-Fa-f]{2})|\r?\n)")  # quoted-printable: a byte, or a line that continues
_TRAILING_BLANKS: Final = re.compile(rb"[ \t]+(?=\r?\n|\Z)")

Field = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an archive: header fields in order, and its text."""

    header: tuple[Field, ...]
    text: str

    @staticmethod
    def of(content_type: str, text: str) -> Part:
        """Return a part with only a content type."""
        return Part(((CONTENT_TYPE, content_type),), text)

    @property
    def content_type(self) -> str:
        """Return the part's content type, or an empty string if it has none."""
        return next((value for key, value in self.header if key == CONTENT_TYPE), "")


def is_archive(text: str) -> bool:
    """Tell whether user data declares itself an archive, by its first words."""
    return text.strip().startswith(("MIME-Version:", f"{CONTENT_TYPE}:"))


def write_archive(parts: Iterable[Part]) -> str:
    """Return the archive. Carriage returns are dropped everywhere, including the user's own text."""
    lines = ["MIME-Version: 1.0", f'{CONTENT_TYPE}: multipart/mixed; boundary="{_BOUNDARY}"', ""]
    for part in parts:
        lines.append(f"--{_BOUNDARY}")
        lines.extend(f"{key}: {value}" for key, value in sorted(part.header, key=lambda field: field[0]))
        lines.extend(("", part.text))
    lines.extend((f"--{_BOUNDARY}--", ""))
    return "\n".join(lines).replace("\r", "")


def read_archive(text: str) -> tuple[Part, ...]:
    """Return the parts of an archive. Raises UserDataError for a text that is not an archive."""
    header, body = _header(text.encode(), _field)
    boundary = _boundary(next((value for key, value in header if key == CONTENT_TYPE), ""))
    return _parts(body or b"", boundary.encode())


def _boundary(content_type: str) -> str:
    """Return the boundary that a content type names."""
    if not content_type.strip():
        raise UserDataError("it begins like a MIME archive, but has no Content-Type header before its first empty line")
    kind, rest = _media_type(content_type)
    if not kind.startswith("multipart/"):
        raise UserDataError(f"its Content-Type is {kind}, and only multipart archives can be merged")
    parameters: dict[str, str] = {}
    while rest.strip() not in ("", ";"):
        parameter = _PARAMETER.match(rest)
        name = parameter[1].lower() if parameter else ""
        if parameter is None or name in parameters:
            raise UserDataError(f"its Content-Type cannot be read: {content_type}")
        parameters[name] = parameter[2] or re.sub(r"\\(.)", r"\1", parameter[3] or "")
        rest = rest[parameter.end() :]
    if not parameters.get("boundary"):
        raise UserDataError("its Content-Type names no boundary between the parts")
    return parameters["boundary"]


def _media_type(content_type: str) -> tuple[str, str]:
    kind, sign, rest = content_type.partition(";")
    kind = kind.strip().lower()
    if not _MEDIA_TYPE.fullmatch(kind):
        raise UserDataError(f"its Content-Type cannot be read: {content_type}")
    return kind, sign + rest


def _parts(body: bytes, boundary: bytes) -> tuple[Part, ...]:
    """Split the body at the boundaries. The first one decides whether lines end in CRLF or in LF."""
    dashes, newline = b"--" + boundary, b"\r\n"
    parts: list[Part] = []
    separated = False
    while True:
        line, line_end, rest = body.partition(b"\n")
        line += line_end
        after = line[len(dashes) :].lstrip(_BLANKS) if line.startswith(dashes) else None
        if after == b"\n" and not parts:
            newline = b"\n"
        if not line_end or _is_end(line, dashes, newline):
            return tuple(parts)
        if after == newline:
            body = _part(rest, newline + dashes, parts)
            separated = False
        elif not parts or (line == newline and not separated):
            separated = bool(parts)
            body = rest
        else:
            raise UserDataError(f"a boundary is expected in the archive, found: {line.decode(errors='replace').strip()[:60]}")


def _is_end(line: bytes, dashes: bytes, newline: bytes) -> bool:
    end = dashes + b"--"
    return line.startswith(end) and line[len(end) :].lstrip(_BLANKS) in (b"", newline)


def _part(body: bytes, delimiter: bytes, parts: list[Part]) -> bytes:
    """Add the part that begins here, and return the rest, which begins with the separator after it."""
    header, content = _header(body, _strict_field)
    if content is None:
        return b""
    end = _end_of_part(content, delimiter)
    text = content[:end]
    if any(key == _ENCODING and value.lower() == "quoted-printable" for key, value in header):
        header = tuple(field for field in header if field[0] != _ENCODING)
        text = _QUOTED.sub(lambda match: bytes.fromhex((match[1] or b"").decode()), _TRAILING_BLANKS.sub(b"", text))
    parts.append(Part(header, text.decode(errors="replace")))
    return content[end:]


def _end_of_part(content: bytes, delimiter: bytes) -> int:
    """Return where the next boundary begins, its line break included."""
    dashes = delimiter[delimiter.index(b"--") :]
    if content.startswith(dashes) and _ends_boundary(content[len(dashes) :]):
        return 0
    at = content.find(delimiter)
    while at >= 0:
        if _ends_boundary(content[at + len(delimiter) :]):
            return at
        at = content.find(delimiter, at + 1)
    raise UserDataError(f"its last part is not closed; the archive must end with {dashes.decode(errors='replace')}--")


def _ends_boundary(rest: bytes) -> bool:
    return not rest or rest.startswith((b" ", b"\t", b"\r", b"\n", b"--"))


def _header(text: bytes, read: Callable[[str], Field]) -> tuple[tuple[Field, ...], bytes | None]:
    """Return header fields up to the first empty line, and what follows it, or None if the text ends before."""
    fields: list[Field] = []
    rest = text
    while rest:
        line, _, rest = rest.partition(b"\n")
        line = line.removesuffix(b"\r")
        if not line:
            return tuple(fields), rest
        if line[:1] in (b" ", b"\t"):
            if not fields:
                raise UserDataError("a header of the archive begins with a blank")
            key, value = fields.pop()
            fields.append((key, f"{value} {line.strip().decode(errors='replace')}".strip()))
            continue
        fields.append(read(line.decode(errors="replace")))
    return tuple(fields), None


def _field(line: str) -> Field:
    key, sign, value = line.partition(":")
    if not sign:
        raise UserDataError(f"a header of the archive has a line that is not a field: {line[:60]}")
    name = "-".join(word[:1].upper() + word[1:].lower() for word in key.split("-")) if _TOKENS.fullmatch(key) else key
    return name, value.strip()


def _strict_field(line: str) -> Field:
    """Return a field of a part, which unlike those of the archive must have a proper name."""
    if not _NAME.fullmatch(line.partition(":")[0]):
        raise UserDataError(f"the header of a part has a line that is not a field: {line[:60]}")
    return _field(line)
