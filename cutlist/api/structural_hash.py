"""The 64-bit hash by which Karpenter detects that an object has changed (spec: hash 1, 2).

A kind of value is a function from the value, as a manifest has it, to its hash. Structs are described by their fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Any, Final

from cutlist.core.quantity import Quantity

Kind = Callable[[Any], int]

_OFFSET: Final = 14695981039346656037
_PRIME: Final = 1099511628211
_64_BITS: Final = 2**64 - 1


def fnv(data: bytes) -> int:
    """Return the 64-bit FNV-1 hash: multiply, then xor."""
    digest = _OFFSET
    for byte in data:
        digest = (digest * _PRIME & _64_BITS) ^ byte
    return digest


def text(value: Any) -> int:
    """Hash a text."""
    return fnv(str(value).encode())


def switch(value: Any) -> int:
    """Hash a boolean."""
    return fnv(bytes([bool(value)]))


def integer(width: int) -> Kind:
    """Return the function that hashes a whole number of 4 or 8 bytes."""
    return lambda value: fnv(int(value).to_bytes(width, "little", signed=True))


def quantity(value: Any) -> int:
    """Hash a resource quantity, in its canonical spelling."""
    return text(Quantity.parse(value).canonical())


def listed(kind: Kind) -> Kind:
    """Return the function that hashes a list. Its order does not matter, and equal elements cancel in pairs."""
    return lambda values: _xor(map(kind, values))


def mapped(kind: Kind) -> Kind:
    """Return the function that hashes a map from texts."""
    return lambda entries: _seal(_xor(_pair(text(key), kind(value)) for key, value in entries.items()))


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct: its name in the hash, its name in a manifest, and its kind.

    A `plain` one is left out if it is zero, empty or false, any other only if it is absent.
    """

    name: str
    key: str
    kind: Kind
    plain: bool = False

    def is_left_out(self, of: Mapping[str, Any]) -> bool:
        """Tell whether this object's hash leaves the field out."""
        value = of.get(self.key)
        return not value if self.plain else value is None


def struct(name: str, fields: Sequence[Field]) -> Kind:
    """Return the function that hashes a struct; the order of its fields matters."""

    def hashed(value: Mapping[str, Any]) -> int:
        digest = text(name)
        for field in fields:
            if not field.is_left_out(value):
                digest = _seal(digest ^ _pair(text(field.name), field.kind(value[field.key])))
        return digest

    return hashed


_NEVER_DURATION: Final = struct("NillableDuration", [Field("Duration", "nanos", integer(8))])
_DURATION: Final = struct("Duration", [Field("Duration", "nanos", integer(8), plain=True)])


def duration(nanos: int) -> int:
    """Hash a duration in nanoseconds."""
    return _DURATION({"nanos": nanos})


def never_duration(nanos: int) -> int:
    """Hash a duration in nanoseconds of a field that also accepts `Never`; unlike elsewhere, zero is hashed, too."""
    return _NEVER_DURATION({"nanos": nanos})


def _xor(hashes: Iterable[int]) -> int:
    return reduce(xor, hashes, 0)


def _pair(a: int, b: int) -> int:
    return fnv(a.to_bytes(8, "little") + b.to_bytes(8, "little"))


def _seal(a: int) -> int:
    return fnv(a.to_bytes(8, "little"))
