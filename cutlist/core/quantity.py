"""Resource quantities, and lists of them (spec: scheduling 1.1 to 1.4, S-1 to S-6).

A `Quantity` is an exact number of nano-units with the format it was written in. Decisions use only the number, so most of
Cutlist carries plain `int` nano-units (one cpu, one byte and one pod are 10**9 each); a `Quantity` is kept where the text is
printed again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeVar

from cutlist.core.errors import QuantityError

NANO: Final = 10**9
MILLI: Final = 10**6  # nano-units in a thousandth
MEBI: Final = 2**20 * NANO

_MAX_BINARY: Final = (2**63 - 1) * NANO  # binary amounts are capped to 64 bits of units (spec 1.1)
_MAX_TEXT: Final = 1024  # longer texts and exponents are mistakes, and slow to compute
_MAX_EXPONENT: Final = 4096
_DECIMAL_SUFFIXES: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_NAMES: Final = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_SUFFIXES: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_BINARY_NAMES: Final = ("", *_BINARY_SUFFIXES)
_TEXT: Final = re.compile(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+)|([numkMGTPE]?|[KMGTPE]i))", re.ASCII)


class Format(StrEnum):
    """How a quantity is printed; it plays no part in comparisons."""

    DECIMAL_SI = "DecimalSI"
    BINARY_SI = "BinarySI"
    DECIMAL_EXPONENT = "DecimalExponent"


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """An exact amount in units of 10**-9 (`nanos`), the format to print it in, and the text it was read from if it prints the
    same.

    Equal and ordered by the amount alone: `1000m` equals `1` (S-4).
    """

    nanos: int
    format: Format = Format.DECIMAL_SI
    text: str | None = None

    @staticmethod
    def parse(text: str | int | float) -> Quantity:
        """Read a quantity as Kubernetes does; surrounding spaces are allowed. Raises QuantityError for any other text (S-2)."""
        if isinstance(text, str):
            return _parse(text.strip())
        if isinstance(text, bool) or not isinstance(text, int | float):
            raise QuantityError(f"{text!r} is not a quantity; write a number with an optional suffix, such as 500m, 2 or 1.5Gi")
        return _parse(str(text))

    def canonical(self) -> str:
        """Return the shortest text of the amount in its format, regardless of what it was read from (spec 1.3)."""
        if not self.nanos:
            return "0"
        if self.format is Format.BINARY_SI and abs(self.nanos) >= 1024 * NANO and self.nanos % NANO == 0:
            return _binary(self.nanos // NANO)
        return _decimal(self.nanos, self.format)

    def value(self) -> int:
        """Return the amount in whole units, rounded up."""
        return -(-self.nanos // NANO)

    def __str__(self) -> str:
        return self.canonical() if self.text is None else self.text

    def __add__(self, other: Quantity) -> Quantity:
        return Quantity(self.nanos + other.nanos, self._format_with(other))

    def __sub__(self, other: Quantity) -> Quantity:
        return Quantity(self.nanos - other.nanos, self._format_with(other))

    def __pos__(self) -> Quantity:
        return Quantity(self.nanos, self.format)

    def __neg__(self) -> Quantity:
        return Quantity(-self.nanos, self.format)

    def __bool__(self) -> bool:
        return self.nanos != 0

    def __eq__(self, other: object) -> bool:
        return self.nanos == other.nanos if isinstance(other, Quantity) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.nanos)

    def __lt__(self, other: Quantity) -> bool:
        return self.nanos < other.nanos

    def __le__(self, other: Quantity) -> bool:
        return self.nanos <= other.nanos

    def __gt__(self, other: Quantity) -> bool:
        return self.nanos > other.nanos

    def __ge__(self, other: Quantity) -> bool:
        return self.nanos >= other.nanos

    def _format_with(self, other: Quantity) -> Format:
        return self.format if self.nanos else other.format  # a zero on the left does not count (spec 1.2)


@lru_cache(maxsize=65536)
def _parse(text: str) -> Quantity:
    match = _TEXT.fullmatch(text) if text and len(text) <= _MAX_TEXT else None
    if match is None:
        shown = text if len(text) <= 40 else text[:40] + "..."
        raise QuantityError(f"{shown!r} is not a quantity; write a number with an optional suffix, such as 500m, 2 or 1.5Gi")
    sign, whole, fraction, exponent, suffix = match.groups()
    digits = (whole or "0") + (fraction or "")
    places = len(fraction or "")
    bits = _BINARY_SUFFIXES.get(suffix or "")
    if bits is not None:
        format_, nanos = Format.BINARY_SI, _scaled(int(digits) << bits, -places)
        if 0 < nanos < NANO:
            format_ = Format.DECIMAL_SI
        nanos = min(nanos, _MAX_BINARY)
        kept = _keeps_binary_text(digits, places, bits)
    else:
        power = _DECIMAL_SUFFIXES[suffix] if exponent is None else int(exponent)
        if abs(power) > _MAX_EXPONENT:
            raise QuantityError(f"{text!r} is not a quantity that can be worked with; exponents go up to {_MAX_EXPONENT}")
        format_ = Format.DECIMAL_SI if exponent is None else Format.DECIMAL_EXPONENT
        nanos = _scaled(int(digits), power - places)
        kept = _keeps_decimal_text(digits, power - places)
    return Quantity(-nanos if sign == "-" else nanos, format_, text if kept else None)


def _scaled(number: int, power: int) -> int:
    """Return `number * 10**power` in nano-units; finer fractions are rounded away from zero (S-3)."""
    factor: int = 10 ** abs(power + 9)
    return number * factor if power >= -9 else -(-number // factor)


def _keeps_binary_text(digits: str, places: int, bits: int) -> bool:
    # Kubernetes takes short whole numbers that are not multiples of 8 as canonical without a further check.
    return not places and len(digits) + bits * 3 // 10 < 15 and int(digits) & 7 != 0


def _keeps_decimal_text(digits: str, scale: int) -> bool:
    fits = len(digits) <= 18 and scale >= -9
    return fits and scale % 3 == 0 and digits[0] != "0" and not digits.endswith("000")


def _binary(units: int) -> str:
    step = 0
    while units % 1024 == 0 and step < len(_BINARY_NAMES) - 1:
        units //= 1024
        step += 1
    return f"{units}{_BINARY_NAMES[step]}"


def _decimal(nanos: int, format_: Format) -> str:
    exponent = -9
    last = 18 if format_ is not Format.DECIMAL_EXPONENT else None  # no suffix exists beyond E
    while nanos % 1000 == 0 and exponent != last:
        nanos //= 1000
        exponent += 3
    if format_ is Format.DECIMAL_EXPONENT:
        return f"{nanos}e{exponent}" if exponent else str(nanos)
    return f"{nanos}{_DECIMAL_NAMES[exponent]}"


def nanos(text: str | int | float) -> int:
    """Return the text of a quantity in nano-units. Raises QuantityError when it is not a quantity."""
    return Quantity.parse(text).nanos


def whole(nanos: int) -> int:
    """Return an amount in whole units, rounded up."""
    return -(-nanos // NANO)


def is_quantity(text: str) -> bool:
    """Tell whether a text is a quantity, without spaces around it."""
    try:
        nanos(text)
    except QuantityError:
        return False
    return text == text.strip()


def amounts(texts: Mapping[str, str | int | float]) -> dict[str, int]:
    """Return a resource list of a manifest in nano-units."""
    return {name: nanos(text) for name, text in texts.items()}


# Spec 1.4 says what the operations below do with entries that one side lacks.
Amount = TypeVar("Amount", int, Quantity)


def merge(*lists: Mapping[str, Amount]) -> dict[str, Amount]:
    """Return the sum of the lists, resource by resource."""
    out: dict[str, Amount] = {}
    for each in lists:
        for name, amount in each.items():
            out[name] = out[name] + amount if name in out else +amount
    return out


def subtract(a: Mapping[str, Amount], b: Mapping[str, Amount]) -> dict[str, Amount]:
    """Return `a` minus `b`; resources that only `b` has are ignored."""
    return {name: amount - b[name] if name in b else +amount for name, amount in a.items()}


def subtract_all(a: Mapping[str, Amount], b: Mapping[str, Amount]) -> dict[str, Amount]:
    """Return `a` minus all of `b`, negative for resources that only `b` has."""
    out = dict(a)
    for name, amount in b.items():
        out[name] = out[name] - amount if name in out else -amount
    return out


def maximum(*lists: Mapping[str, Amount]) -> dict[str, Amount]:
    """Return the largest amount of each resource that any of the lists has."""
    out: dict[str, Amount] = {}
    for each in lists:
        for name, amount in each.items():
            if name not in out or out[name] < amount:
                out[name] = amount
    return out


def fits(candidate: Mapping[str, Amount], total: Mapping[str, Amount]) -> bool:
    """Tell whether the candidate fits: a negative total refuses everything (S-5), a missing total is 0, so zero fits (S-6)."""
    if any(_negative(amount) for amount in total.values()):
        return False
    return all(amount <= total[name] if name in total else not _negative(-amount) for name, amount in candidate.items())


def _negative(amount: Amount) -> bool:
    return amount < -amount  # true for amounts below zero, in any number type


def cores(nanos: int) -> str:
    """Return a cpu amount as people write it: `1930m`, or `4` for whole cores. Fractions of a thousandth are cut off."""
    thousandths = abs(nanos) // MILLI
    sign = "-" if nanos < 0 else ""
    if nanos and not thousandths:
        return Quantity(nanos).canonical()
    return f"{sign}{thousandths}m" if thousandths % 1000 else f"{sign}{thousandths // 1000}"


def memory(nanos: int) -> str:
    """Return an amount of bytes as people write it: whole `Mi`, or a larger unit that divides it evenly. Fractions are cut
    off."""
    if abs(nanos) < MEBI:
        return Quantity(nanos, Format.BINARY_SI).canonical()
    whole = abs(nanos) // MEBI * MEBI
    return Quantity(whole if nanos > 0 else -whole, Format.BINARY_SI).canonical()


def is_bytes(resource: str) -> bool:
    """Tell whether amounts of a pod's resource are bytes."""
    return resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-")


def amount_text(resource: str, nanos: int) -> str:
    """Return an amount in the customary unit of its resource: cores, bytes, or a plain count."""
    if resource == "cpu":
        return cores(nanos)
    if is_bytes(resource):
        return memory(nanos)
    return str(nanos // NANO) if nanos % NANO == 0 else Quantity(nanos).canonical()
