"""Sets of requirements: the algebra of label constraints that scheduling rests on (spec: scheduling 2, S-13 to S-29).

A `Requirements` holds at most one `Requirement` per key; combining intersects. It is a value: nothing here changes in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from cutlist.core.labels import CORE, HOSTNAME, LabelRegistry
from cutlist.core.requirement import Expression, Requirement


@dataclass(frozen=True, slots=True)
class Conflict:
    """One key on which two requirement sets cannot agree."""

    incoming: Requirement
    existing: Requirement

    def __str__(self) -> str:
        return f"key {self.incoming.key}, {self.incoming} not in {self.existing}"


@dataclass(frozen=True, slots=True)
class Undefined:
    """A key that must be known but is not; `hint` is a known key that may have been meant (spec 2.7)."""

    key: str
    hint: str | None = None

    def __str__(self) -> str:
        typo = f' (typo of "{self.hint}"?)' if self.hint else ""
        return f'label "{self.key}" does not have known values{typo}'


class Requirements(Mapping[str, Requirement]):
    """A set of requirements, one per key. Reading an undefined key with `get_or_any` gives Exists."""

    __slots__ = ("__dict__", "_by_key")

    def __init__(self, requirements: Iterable[Requirement] = ()) -> None:
        by_key: dict[str, Requirement] = {}
        for r in requirements:
            old = by_key.get(r.key)
            by_key[r.key] = r if old is None else old & r
        self._by_key = by_key

    @staticmethod
    def of_labels(labels: Mapping[str, str], registry: LabelRegistry = CORE) -> Requirements:
        """Return each label as the requirement `In [value]`, with old keys in today's spelling."""
        return Requirements(
            Requirement(registry.normalize(k), False, frozenset(registry.normalize_values(k, (v,)))) for k, v in labels.items()
        )

    @staticmethod
    def of_expressions(expressions: Iterable[Expression], registry: LabelRegistry = CORE) -> Requirements:
        """Return the requirements of expressions together; those on one key intersect, and old keys are translated (S-21,
        S-27)."""
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

    def __reduce__(self) -> tuple[type[Requirements], tuple[tuple[Requirement, ...]]]:
        """Leave the hash behind: another process has another one."""
        return Requirements, (tuple(self._by_key.values()),)

    def __eq__(self, other: object) -> bool:
        return self._by_key == other._by_key if isinstance(other, Requirements) else NotImplemented

    def get_or_any(self, key: str) -> Requirement:
        """Return the requirement on a key, or Exists without one."""
        return self._by_key.get(key) or Requirement.exists(key)

    def __and__(self, other: Requirements) -> Requirements:
        """Return both sets combined, key by key."""
        if not other._by_key:
            return self
        if not self._by_key:
            return other
        both = dict(self._by_key)
        for key, r in other._by_key.items():
            old = both.get(key)
            both[key] = r if old is None else old & r
        return _of_dict(both)

    def single_values(self) -> Mapping[str, str]:
        """Return the labels that these requirements restrict to a single value."""
        return self._single_values

    @cached_property
    def _single_values(self) -> dict[str, str]:
        return {r.key: next(iter(r.values)) for r in self._by_key.values() if not r.complement and len(r.values) == 1}

    def single_value(self, key: str) -> str:
        """Return the value of a label that these requirements restrict to that value, or an empty string."""
        return self._single_values.get(key, "")

    def without(self, *keys: str) -> Requirements:
        """Return this set without some keys."""
        return _of_dict({k: r for k, r in self._by_key.items() if k not in keys})

    def replaced(self, requirement: Requirement) -> Requirements:
        """Return this set with one key's requirement replaced."""
        return _of_dict({**self._by_key, requirement.key: requirement})

    def conflicts(self, incoming: Requirements) -> list[Conflict]:
        """Return the conflicts: keys of both sets without a value that both allow. Two negative requirements never
        conflict (S-19)."""
        return [Conflict(incoming._by_key[key], self._by_key[key]) for key in self._disagreements(incoming)]

    def intersects(self, other: Requirements) -> bool:
        """Tell whether no key of both sets conflicts; keys of only one set never matter."""
        return next(self._disagreements(other), None) is None

    def undefined(self, incoming: Requirements, allowed: frozenset[str] = frozenset()) -> Undefined | None:
        """Return the first key for which `incoming` needs a value and which is neither defined nor `allowed` to be
        undefined."""
        key = next(self._unknown(incoming, allowed), None)
        return None if key is None else Undefined(key, self._hint(key, allowed))

    def incompatibility(self, incoming: Requirements, allowed: frozenset[str] = frozenset()) -> Undefined | list[Conflict]:
        """Return why a pod with requirements `incoming` may not run where `self` holds, or an empty list if it may (spec 2.6).

        `allowed` are the keys that may be undefined here: the well-known ones for nodes that do not exist yet, none for
        existing nodes (S-17, S-18).
        """
        return self.undefined(incoming, allowed) or self.conflicts(incoming)

    def compatible(self, incoming: Requirements, allowed: frozenset[str] = frozenset()) -> bool:
        """Tell whether a pod with requirements `incoming` may run where `self` holds."""
        own = self._by_key  # one walk without generators: hundreds of workloads are compared with hundreds of NodePools
        for key, theirs in incoming._by_key.items():
            mine = own.get(key)
            if mine is None:
                if key not in allowed and not theirs.is_negative:
                    return False
            elif not mine.intersects(theirs) and not (mine.is_negative and theirs.is_negative):
                return False
        return True

    @property
    def has_min_values(self) -> bool:
        """Tell whether some requirement demands a minimum number of distinct values."""
        return any(r.min_values is not None for r in self._by_key.values())

    def expressions(self) -> list[Expression]:
        """Return all requirements, by key, as a NodeClaim writes them."""
        return [e for key in sorted(self._by_key) for e in self._by_key[key].expressions()]

    def _disagreements(self, other: Requirements) -> Iterator[str]:
        # Conflict is symmetric and needs a key of both sets, so the smaller one is walked.
        small, large = (self._by_key, other._by_key) if len(self) <= len(other) else (other._by_key, self._by_key)
        for key, mine in small.items():
            theirs = large.get(key)
            if theirs is not None and not mine.intersects(theirs) and not (mine.is_negative and theirs.is_negative):
                yield key

    def _unknown(self, incoming: Requirements, allowed: frozenset[str]) -> Iterator[str]:
        for key, r in incoming._by_key.items():
            if key not in self._by_key and key not in allowed and not r.is_negative:
                yield key

    def _hint(self, key: str, allowed: frozenset[str]) -> str | None:
        ending = key.split("/", 1)[1] if "/" in key else key
        for candidates in (allowed, self._by_key):
            alike = [c for c in candidates if key in c or c.endswith(ending)]
            if alike:  # Karpenter takes any of them; the one with the same name is the most helpful
                return min(alike, key=lambda c: (not c.endswith(f"/{ending}"), c))
        return None

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        return ", ".join(sorted(str(r) for k, r in self._by_key.items() if k != HOSTNAME))

    def __repr__(self) -> str:
        return f"Requirements({self})"


def _of_dict(by_key: dict[str, Requirement]) -> Requirements:
    out = Requirements()
    out._by_key = by_key
    return out
