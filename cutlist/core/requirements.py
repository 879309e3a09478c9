"""Requirements: the algebra of label constraints that scheduling stands on (spec: scheduling 2, S-13 to S-29).

A `Requirement` is the set of values that one label key may take. A `Requirements` holds at most one of them a key; combining
intersects. Both are values: nothing here changes in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from cutlist.core.labels import CORE, HOSTNAME, LabelRegistry

MAX_INT64: Final = 2**63 - 1
MIN_INT64: Final = -(2**63)
_INTEGER: Final = re.compile(r"([+-]?)0*([0-9]+)", re.ASCII)
_MOST_DIGITS: Final = len(str(MAX_INT64))
_NO_VALUES: Final[frozenset[str]] = frozenset()
_SHOWN_VALUES: Final = 5  # a printed requirement names this many values and counts the others (spec 2.10)


class Operator(StrEnum):
    """How an expression constrains its key."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GT = "Gt"
    LT = "Lt"
    GTE = "Gte"
    LTE = "Lte"


def integer(text: str) -> int | None:
    """A label value read as a signed 64-bit decimal: sign and ASCII digits, nothing else (S-22). None when it is not one."""
    number = _saturated(text)
    return number if number is not None and MIN_INT64 <= number <= MAX_INT64 else None


def _saturated(text: str) -> int | None:
    """The number that a text says; of one with too many digits for 64 bits only that it is beyond them."""
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
        """From the form of a manifest: `key`, `operator`, `values`, `minValues`."""
        return Expression(raw["key"], raw["operator"], tuple(raw.get("values") or ()), raw.get("minValues"))

    def manifest(self) -> dict[str, Any]:
        """As a manifest has it; empty members left out."""
        out: dict[str, Any] = {"key": self.key, "operator": self.operator}
        if self.values:
            out["values"] = list(self.values)
        if self.min_values is not None:
            out["minValues"] = self.min_values
        return out


@dataclass(frozen=True, slots=True)
class Requirement:
    """The values one key may take: `values`, or everything but them (`complement`), within inclusive integer bounds."""

    key: str
    complement: bool
    values: frozenset[str] = _NO_VALUES
    gte: int | None = None
    lte: int | None = None
    min_values: int | None = None

    @staticmethod
    def of(key: str, operator: str, values: Iterable[str] = (), min_values: int | None = None) -> Requirement:
        """Build one from an expression's parts. The key is taken as it is; `Requirements.of_expressions` reads old spellings.

        A bound is one whole number; without one it is 0. Raises ValueError for an operator that is none.
        """
        given = tuple(values)
        match operator:
            case Operator.IN:
                return Requirement(key, False, frozenset(given), min_values=min_values)
            case Operator.NOT_IN:
                return Requirement(key, True, frozenset(given), min_values=min_values)
            case Operator.EXISTS:
                return Requirement(key, True, min_values=min_values)
            case Operator.DOES_NOT_EXIST:
                return Requirement(key, False, min_values=min_values)
            case Operator.GT | Operator.LT | Operator.GTE | Operator.LTE:
                return _bounded(key, operator, _operand(given[0]) if given else 0, min_values)
        raise ValueError(f"unknown operator {operator!r}; allowed: {', '.join(Operator)}")

    @staticmethod
    def exists(key: str) -> Requirement:
        """Any value: what an undefined key reads as."""
        return Requirement(key, True)

    def has(self, value: str) -> bool:
        """Whether the value is allowed."""
        return (value in self.values) != self.complement and self.within_bounds(value)

    def within_bounds(self, value: str) -> bool:
        """Whether the value lies in the bounds; without bounds anything does, with them only integers can."""
        return _inside(value, self.gte, self.lte)

    def any_value(self) -> str:
        """Return a value that is allowed; empty where none is (spec 2.2).

        Karpenter takes a random one, of any integers where no values are listed. Here it is the first: by the alphabet, or the
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
        """How many values are allowed; bounds are not looked at, and a complement counts down from the largest integer."""
        return MAX_INT64 - len(self.values) if self.complement else len(self.values)

    def __bool__(self) -> bool:
        return True

    @property
    def operator(self) -> Operator:
        """The plain operator: bounds report Exists, or NotIn when values are excluded too."""
        if self.complement:
            return Operator.NOT_IN if self.values else Operator.EXISTS
        return Operator.IN if self.values else Operator.DOES_NOT_EXIST

    @property
    def is_negative(self) -> bool:
        """NotIn or DoesNotExist: satisfied by a node without the label."""
        return self.complement == bool(self.values)

    def __and__(self, other: Requirement) -> Requirement:
        """What both allow. An empty result is DoesNotExist: contradiction reads as absence (S-16, S-23)."""
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
        if not complement:
            gte = lte = None
        return Requirement(self.key, complement, values, gte, lte, floor)

    def intersects(self, other: Requirement) -> bool:
        """Whether some value is allowed by both. Two complements always do, unless their bounds cross (S-25)."""
        gte = _larger(self.gte, other.gte)
        lte = _smaller(self.lte, other.lte)
        if gte is not None and lte is not None and gte > lte:
            return False
        if self.complement and other.complement:
            return True
        if gte is None and lte is None:
            if self.complement:
                return not other.values <= self.values
            if other.complement:
                return not self.values <= other.values
            return not self.values.isdisjoint(other.values)
        concrete, beside = (other, self) if self.complement else (self, other)
        return any((v in beside.values) != beside.complement and _inside(v, gte, lte) for v in concrete.values)

    def expressions(self) -> list[Expression]:
        """As a NodeClaim writes it back: two entries for two bounds, values sorted (spec 2.9, S-13, S-15)."""
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
    """A bound as Karpenter reads it: what is no number acts as 0, what is too large as the largest (or smallest) number."""
    return min(max(_saturated(text) or 0, MIN_INT64), MAX_INT64)


def _bounded(key: str, operator: str, bound: int, min_values: int | None) -> Requirement:
    match operator:
        case Operator.GT:
            if bound == MAX_INT64:  # nothing is larger; Karpenter loses minValues here too (spec 2.1)
                return Requirement(key, False)
            return Requirement(key, True, gte=bound + 1, min_values=min_values)
        case Operator.LT:  # below the smallest integer Karpenter comes out at the largest
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


@dataclass(frozen=True, slots=True)
class Conflict:
    """One key on which two requirement sets cannot agree."""

    incoming: Requirement
    existing: Requirement

    def __str__(self) -> str:
        return f"key {self.incoming.key}, {self.incoming} not in {self.existing}"


@dataclass(frozen=True, slots=True)
class Undefined:
    """A key that must be known and is not; `hint` is the known key that was perhaps meant (spec 2.7)."""

    key: str
    hint: str | None = None

    def __str__(self) -> str:
        typo = f' (typo of "{self.hint}"?)' if self.hint else ""
        return f'label "{self.key}" does not have known values{typo}'


class Requirements(Mapping[str, Requirement]):
    """A set of requirements, one a key. Reading an undefined key with `get_or_any` gives Exists."""

    __slots__ = ("__dict__", "_by_key")

    def __init__(self, requirements: Iterable[Requirement] = ()) -> None:
        by_key: dict[str, Requirement] = {}
        for r in requirements:
            old = by_key.get(r.key)
            by_key[r.key] = r if old is None else old & r
        self._by_key = by_key

    @staticmethod
    def of_labels(labels: Mapping[str, str], registry: LabelRegistry = CORE) -> Requirements:
        """Each label as `In [value]`, old keys in today's spelling."""
        return Requirements(
            Requirement(registry.normalize(k), False, frozenset(registry.normalize_values(k, (v,)))) for k, v in labels.items()
        )

    @staticmethod
    def of_expressions(expressions: Iterable[Expression], registry: LabelRegistry = CORE) -> Requirements:
        """Expressions combined; several of one key intersect, old keys read as today's (S-21, S-27)."""
        return Requirements(
            Requirement.of(registry.normalize(e.key), e.operator, registry.normalize_values(e.key, e.values), e.min_values)
            for e in expressions
        )

    def __getitem__(self, key: str) -> Requirement:
        return self._by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)

    def __contains__(self, key: object) -> bool:
        return key in self._by_key

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self._by_key.values()))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self._by_key == other._by_key if isinstance(other, Requirements) else NotImplemented

    def get_or_any(self, key: str) -> Requirement:
        """The requirement on a key; Exists when there is none."""
        return self._by_key.get(key) or Requirement.exists(key)

    def __and__(self, other: Requirements) -> Requirements:
        """Both sets together, key by key."""
        if not other._by_key:
            return self
        if not self._by_key:
            return other
        both = dict(self._by_key)
        for key, r in other._by_key.items():
            old = both.get(key)
            both[key] = r if old is None else old & r
        return _of_dict(both)

    def single_values(self) -> dict[str, str]:
        """The labels that these requirements leave no choice about."""
        return {r.key: next(iter(r.values)) for r in self.values() if not r.complement and len(r.values) == 1}

    def without(self, *keys: str) -> Requirements:
        """This set without some keys."""
        return _of_dict({k: r for k, r in self._by_key.items() if k not in keys})

    def replaced(self, requirement: Requirement) -> Requirements:
        """This set with one key's requirement put in place of what was there."""
        return _of_dict({**self._by_key, requirement.key: requirement})

    def conflicts(self, incoming: Requirements) -> list[Conflict]:
        """The keys defined in both on which no value fits both. Two negative requirements never conflict (S-19)."""
        return [Conflict(incoming._by_key[key], self._by_key[key]) for key in self._disagreements(incoming)]

    def intersects(self, other: Requirements) -> bool:
        """Whether no key that both define conflicts; keys of one side alone never matter."""
        return next(self._disagreements(other), None) is None

    def undefined(self, incoming: Requirements, allowed: frozenset[str] = frozenset()) -> Undefined | None:
        """The first key that `incoming` needs a value of and that is neither defined here nor `allowed` to be undefined."""
        key = next(self._unknown(incoming, allowed), None)
        return None if key is None else Undefined(key, self._hint(key, allowed))

    def incompatibility(self, incoming: Requirements, allowed: frozenset[str] = frozenset()) -> Undefined | list[Conflict]:
        """Why a pod with requirements `incoming` may not go where `self` holds; empty when it may (spec 2.6).

        `allowed` are the keys that may be undefined here: the well-known ones for nodes that do not exist yet, none for nodes
        that do (S-17, S-18).
        """
        return self.undefined(incoming, allowed) or self.conflicts(incoming)

    def compatible(self, incoming: Requirements, allowed: frozenset[str] = frozenset()) -> bool:
        """Whether `incoming` may go where `self` holds."""
        return next(self._unknown(incoming, allowed), None) is None and self.intersects(incoming)

    @property
    def has_min_values(self) -> bool:
        """Whether some requirement asks for a number of distinct values."""
        return any(r.min_values is not None for r in self._by_key.values())

    def expressions(self) -> list[Expression]:
        """All requirements as a NodeClaim writes them, by key."""
        return [e for key in sorted(self._by_key) for e in self._by_key[key].expressions()]

    def _disagreements(self, other: Requirements) -> Iterator[str]:
        small, large = (self._by_key, other._by_key) if len(self) <= len(other) else (other._by_key, self._by_key)
        for key, one in small.items():
            two = large.get(key)
            if two is not None and not one.intersects(two) and not (one.is_negative and two.is_negative):
                yield key

    def _unknown(self, incoming: Requirements, allowed: frozenset[str]) -> Iterator[str]:
        for key, r in incoming._by_key.items():
            if key not in self._by_key and key not in allowed and not r.is_negative:
                yield key

    def _hint(self, key: str, allowed: frozenset[str]) -> str | None:
        ending = key.split("/", 1)[1] if "/" in key else key
        for candidates in (allowed, self._by_key):
            found = [c for c in candidates if key in c or c.endswith(ending)]
            if found:  # Karpenter takes any of them; the one whose name is the same says most
                return min(found, key=lambda c: (not c.endswith(f"/{ending}"), c))
        return None

    def __str__(self) -> str:
        return ", ".join(sorted(str(r) for k, r in self._by_key.items() if k != HOSTNAME))

    def __repr__(self) -> str:
        return f"Requirements({self})"


def _of_dict(by_key: dict[str, Requirement]) -> Requirements:
    out = Requirements()
    out._by_key = by_key
    return out
