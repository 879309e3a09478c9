"""Requirements on one label key (spec: scheduling 2, S-13 to S-25; Karpenter's `Requirement`).

A `Requirement` is the set of values that one label key may take. It is a value: nothing here changes in place.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from cutlist.core.identity import KeptHash

MAX_INT64: Final = 2**63 - 1


MIN_INT64: Final = -(2**63)


_INTEGER: Final = re.compile(r"([+-]?)0*([0-9]+)", re.ASCII)


_MOST_DIGITS: Final = len(str(MAX_INT64))


_NO_VALUES: Final[frozenset[str]] = frozenset()


_SHOWN_VALUES: Final = 5  # a printed requirement names this many values and gives a count of the others (spec 2.10)


class Operator(StrEnum):
    """How a requirement constrains its key."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GT = "Gt"
    LT = "Lt"
    GTE = "Gte"
    LTE = "Lte"


def integer(text: str) -> int | None:
    """Return a label value as a signed 64-bit decimal: sign and ASCII digits, nothing else (S-22). None for any other value."""
    number = _saturated(text)
    return number if number is not None and MIN_INT64 <= number <= MAX_INT64 else None


def _saturated(text: str) -> int | None:
    """Return the number in a text; one with too many digits for 64 bits becomes a number just outside the limits."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    sign, digits = match.groups()
    number = int(digits) if len(digits) <= _MOST_DIGITS else MAX_INT64 + 2
    return -number if sign == "-" else number


@dataclass(frozen=True, slots=True)
class Expression:
    """A requirement as users write it and as a NodeClaim carries it."""

    key: str
    operator: str
    values: tuple[str, ...] = ()
    min_values: int | None = None

    @staticmethod
    def read(raw: Mapping[str, Any]) -> Expression:
        """Return an expression read from its form in a manifest: `key`, `operator`, `values`, `minValues`."""
        return Expression(raw["key"], raw["operator"], tuple(raw.get("values") or ()), raw.get("minValues"))

    def manifest(self) -> dict[str, Any]:
        """Return the expression as a manifest writes it; empty members are left out."""
        out: dict[str, Any] = {"key": self.key, "operator": self.operator}
        if self.values:
            out["values"] = list(self.values)
        if self.min_values is not None:
            out["minValues"] = self.min_values
        return out


@dataclass(frozen=True, slots=True)
class Requirement(KeptHash):
    """The values one key may take: `values`, or everything but them (`complement`), within inclusive integer bounds."""

    key: str
    complement: bool
    values: frozenset[str] = _NO_VALUES
    gte: int | None = None
    lte: int | None = None
    min_values: int | None = None

    __hash__ = KeptHash.__hash__  # sets of thousands of pods share the requirements of a NodePool

    @staticmethod
    def of(key: str, operator: str, values: Iterable[str] = (), min_values: int | None = None) -> Requirement:
        """Return the requirement of an expression's parts. The key is not translated; `Requirements.of_expressions`
        translates old keys.

        A bound is one whole number, by default 0. Raises ValueError for an unknown operator.
        """
        listed = tuple(values)
        match operator:
            case Operator.IN:
                return Requirement(key, False, frozenset(listed), min_values=min_values)
            case Operator.NOT_IN:
                return Requirement(key, True, frozenset(listed), min_values=min_values)
            case Operator.EXISTS:
                return Requirement(key, True, min_values=min_values)
            case Operator.DOES_NOT_EXIST:
                return Requirement(key, False, min_values=min_values)
            case Operator.GT | Operator.LT | Operator.GTE | Operator.LTE:
                return _bounded(key, operator, _operand(listed[0]) if listed else 0, min_values)
        raise ValueError(f"unknown operator {operator!r}; allowed: {', '.join(Operator)}")

    @staticmethod
    def exists(key: str) -> Requirement:
        """Return a requirement that any value meets: the reading of an undefined key."""
        return Requirement(key, True)

    def has(self, value: str) -> bool:
        """Tell whether the value is allowed."""
        return (value in self.values) != self.complement and self.within_bounds(value)

    def within_bounds(self, value: str) -> bool:
        """Tell whether the value lies within the bounds; without bounds every value does, with them only integers can."""
        return _inside(value, self.gte, self.lte)

    def any_value(self) -> str:
        """Return a value that is allowed, or an empty string if none is (spec 2.2).

        Karpenter picks one at random, from all integers if no values are listed. This returns the first: alphabetically, or the
        smallest integer from 0 on.
        """
        if not self.complement:
            return min(self.values, default="")
        least = self.gte if self.gte is not None else 0
        least = max(least, 0) if self.lte is None or self.lte >= 0 else min(least, self.lte)
        for step in (1, -1):
            free = least
            while str(free) in self.values:
                free += step
            if self.within_bounds(str(free)):
                return str(free)
        return str(least)

    def __len__(self) -> int:
        """Return how many values are allowed, regardless of bounds; a complement counts down from the largest integer."""
        return MAX_INT64 - len(self.values) if self.complement else len(self.values)

    def __bool__(self) -> bool:
        return True  # it has a length, and without values it would be false

    @property
    def operator(self) -> Operator:
        """Return the plain operator: bounds report Exists, or NotIn when values are excluded too."""
        if self.complement:
            return Operator.NOT_IN if self.values else Operator.EXISTS
        return Operator.IN if self.values else Operator.DOES_NOT_EXIST

    @property
    def is_negative(self) -> bool:
        """Tell whether it is NotIn or DoesNotExist: satisfied by a node without the label."""
        return self.complement == bool(self.values)

    def __and__(self, other: Requirement) -> Requirement:
        """Return the values that both allow. An empty result is DoesNotExist: a contradiction reads as absence (S-16, S-23)."""
        gte = _larger(self.gte, other.gte)
        lte = _smaller(self.lte, other.lte)
        floor = _larger(self.min_values, other.min_values)
        if gte is not None and lte is not None and gte > lte:
            return Requirement(self.key, False, min_values=floor)
        complement = self.complement and other.complement
        if complement:
            values = self.values | other.values
        elif self.complement:
            values = other.values - self.values
        elif other.complement:
            values = self.values - other.values
        else:
            values = self.values & other.values
        if gte is not None or lte is not None:
            values = frozenset([v for v in values if _inside(v, gte, lte)])
        # A list of values has been cut to the bounds and needs them no longer (spec 2.4).
        if not complement:
            gte = lte = None
        return Requirement(self.key, complement, values, gte, lte, floor)

    def intersects(self, other: Requirement) -> bool:
        """Tell whether both allow some value. Two complements always do, unless their bounds exclude each other (S-25)."""
        if self.gte is None and self.lte is None and other.gte is None and other.lte is None:
            if self.complement:
                return other.complement or not other.values <= self.values
            return not (self.values <= other.values if other.complement else self.values.isdisjoint(other.values))
        gte = _larger(self.gte, other.gte)
        lte = _smaller(self.lte, other.lte)
        if gte is not None and lte is not None and gte > lte:
            return False
        if self.complement and other.complement:
            return True
        concrete, beside = (other, self) if self.complement else (self, other)
        return any((v in beside.values) != beside.complement and _inside(v, gte, lte) for v in concrete.values)

    def expressions(self) -> list[Expression]:
        """Return the entries that a NodeClaim writes back: two for two bounds, values sorted (spec 2.9, S-13, S-15)."""
        bounds = ((Operator.GTE, self.gte), (Operator.LTE, self.lte))
        bounded = [Expression(self.key, op, (str(at),), self.min_values) for op, at in bounds if at is not None]
        return bounded or [Expression(self.key, self.operator, tuple(sorted(self.values)), self.min_values)]

    def __str__(self) -> str:
        text = f"{self.key} {self.operator}"
        if self.values:
            shown = sorted(self.values)
            hidden = len(shown) - _SHOWN_VALUES
            more = f" and {hidden} others" if hidden > 0 else ""
            text += f" [{' '.join(shown[:_SHOWN_VALUES])}{more}]"
        for sign, bound in ((">=", self.gte), ("<=", self.lte)):
            if bound is not None:
                text += f" {sign}{bound}"
        return text if self.min_values is None else f"{text} minValues {self.min_values}"


def _operand(text: str) -> int:
    """Return a bound as Karpenter reads it: a text that is not a number acts as 0, one too large as the largest (smallest)
    number."""
    return min(max(_saturated(text) or 0, MIN_INT64), MAX_INT64)


def _bounded(key: str, operator: str, bound: int, min_values: int | None) -> Requirement:
    match operator:
        case Operator.GT:
            if bound == MAX_INT64:  # no integer is larger; Karpenter loses minValues here too (spec 2.1)
                return Requirement(key, False)
            return Requirement(key, True, gte=bound + 1, min_values=min_values)
        case Operator.LT:  # Karpenter's subtraction overflows to the largest integer
            return Requirement(key, True, lte=bound - 1 if bound > MIN_INT64 else MAX_INT64, min_values=min_values)
        case Operator.GTE:
            return Requirement(key, True, gte=bound, min_values=min_values)
        case _:
            return Requirement(key, True, lte=bound, min_values=min_values)


def _inside(value: str, gte: int | None, lte: int | None) -> bool:
    if gte is None and lte is None:
        return True
    number = integer(value)
    return number is not None and (gte is None or number >= gte) and (lte is None or number <= lte)


def _larger(a: int | None, b: int | None) -> int | None:
    if a is None:
        return b
    return a if b is None or a >= b else b


def _smaller(a: int | None, b: int | None) -> int | None:
    if a is None:
        return b
    return a if b is None or a <= b else b
