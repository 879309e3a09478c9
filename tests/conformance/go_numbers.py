"""How Go holds a Kubernetes quantity, for the members of vectors that show it: places of `exact`, 64-bit `value` and `milli`.

None of this takes part in a decision, so none of it is in the product. A short number is a 64-bit integer times a power of ten,
any other a big decimal; which of the two it is shows in the number of zeros printed and in how overflow and negative fractions
come out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cutlist.core.quantity import Format, Quantity

_TEXT = re.compile(r"[+-]?0*([0-9]*)(?:\.([0-9]*))?(.*)")
_BITS = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_POWERS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_CAP = 2**63 - 1
NANO_PLACES = 9


@dataclass(frozen=True)
class GoNumber:
    """`unscaled * 10**-places`, as a 64-bit integer (`short`) or as a big decimal."""

    unscaled: int
    places: int
    short: bool

    @staticmethod
    def of(text: str) -> GoNumber:
        """Return the number that Kubernetes makes of a quantity text."""
        nanos = Quantity.parse(text).nanos
        whole, fraction, suffix = _TEXT.fullmatch(text.strip()).groups()
        length = len(whole or "0") + len(fraction or "")
        if suffix in _BITS:
            bits = _BITS[suffix]
            places = 0
            short = not fraction and 14 - length - bits * 3 // 10 >= 0
        else:
            places = len(fraction or "") - (_POWERS[suffix] if suffix in _POWERS else int(suffix[1:]))
            short = length <= 18 and places <= NANO_PLACES
        if short:
            return GoNumber(_rescaled(nanos, NANO_PLACES, places), places, True)
        if suffix in _BITS and abs(nanos) == _CAP * 10**NANO_PLACES:
            return GoNumber(nanos // 10**NANO_PLACES, 0, False)
        return GoNumber(nanos, NANO_PLACES, False) if nanos else GoNumber(0, places, False)

    def __add__(self, other: GoNumber) -> GoNumber:
        if self.short and other.short and not (self.unscaled and other.unscaled):
            return self if self.unscaled or not other.unscaled else other
        places = max(self.places, other.places)
        total = _rescaled(self.unscaled, self.places, places) + _rescaled(other.unscaled, other.places, places)
        return GoNumber(total, places, self.short and other.short and _wrapped(total) == total)

    def __neg__(self) -> GoNumber:
        return GoNumber(-self.unscaled, self.places, self.short)

    def exact(self) -> str:
        """Return the number with all its decimal places, zeros too."""
        sign, digits = "-" if self.unscaled < 0 else "", str(abs(self.unscaled))
        if self.places <= 0:
            return sign + (digits + "0" * -self.places if self.unscaled else "0")
        digits = digits.rjust(self.places + 1, "0")
        return f"{sign}{digits[: -self.places]}.{digits[-self.places :]}"

    def in_units(self, places: int) -> int:
        """Return the number in units of `10**-places`, with the overflow and the rounding of Go."""
        finer = self.places - places
        if self.short:
            if finer > 0:
                magnitude = -(-abs(self.unscaled) // 10**finer)
                return magnitude if self.unscaled > 0 else -magnitude
            scaled = self.unscaled * 10**-finer
            at_once = -finer <= 3 or -finer in (6, 9)  # these scales multiply once and keep what overflow leaves
            return _wrapped(scaled) if at_once or _wrapped(scaled) == scaled else 0
        if finer <= 0:
            return _wrapped(_low_bits(self.unscaled) * 10**-finer)
        if self.unscaled < _CAP and finer < 19:
            low = _low_bits(self.unscaled)
            quotient = abs(low) // 10**finer
            return (quotient if low >= 0 else -quotient) + (low % 10**finer != 0)
        return _low_bits(self.unscaled // 10**finer) + (self.unscaled % 10**finer != 0)


def go_text(q: Quantity) -> str:
    """Return the text of a quantity with Kubernetes' gap: beyond E there is no suffix, so it prints none and `1000E` becomes
    `1`."""
    text = str(q)
    beyond = re.fullmatch(r"(-?[0-9]+?)(?:000)+E", text) if q.format is Format.DECIMAL_SI and q.text is None else None
    return beyond.group(1) if beyond else text


def _rescaled(unscaled: int, places: int, to: int) -> int:
    return unscaled * 10 ** (to - places) if to >= places else unscaled // 10 ** (places - to)


def _wrapped(number: int) -> int:
    return (number + 2**63) % 2**64 - 2**63


def _low_bits(number: int) -> int:
    low = _wrapped(abs(number) % 2**64)
    return low if number >= 0 else _wrapped(-low)
