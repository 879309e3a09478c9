"""Objects as keys of a dict, distinguished by identity."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

V = TypeVar("V")


class KeptHash:
    """Keeps the hash of a frozen dataclass, for values that are looked up again and again.

    The class itself says `__hash__ = KeptHash.__hash__`: otherwise the decorator gives it one that is not kept.
    """

    __slots__ = ("_hash",)
    __match_args__: tuple[str, ...]
    _hash: int

    def __hash__(self) -> int:
        """Return the hash of all fields."""
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash(tuple(getattr(self, name) for name in self.__match_args__)))
            return self._hash


class SameObject:
    """A key that equals another only if both hold the identical object. It keeps the object alive. Use it for objects that are
    costly to compare or have no hash.

    >>> zones = ["a", "b"]
    >>> SameObject(zones) == SameObject(zones), SameObject(zones) == SameObject(["a", "b"])
    (True, False)
    """

    __slots__ = ("of",)

    def __init__(self, of: object) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObject) and self.of is other.of

    def __hash__(self) -> int:
        return id(self.of)


class OncePerObject(Generic[V]):
    """Gives what a function says of objects. Of the identical object, with equal further arguments, it is asked once.

    >>> asked = []
    >>> longest = OncePerObject(lambda words: asked.append(words) or max(words, key=len))
    >>> words = ["node", "pool", "claim"]
    >>> longest(words), longest(words), len(asked)
    ('claim', 'claim', 1)
    """

    __slots__ = ("_function", "_known")

    def __init__(self, function: Callable[..., V]) -> None:
        self._function = function
        self._known: dict[tuple[SameObject, tuple[Hashable, ...]], V] = {}

    def __call__(self, of: object, *more: Hashable) -> V:
        """Return what the function says of an object."""
        key = SameObject(of), more
        if key not in self._known:
            self._known[key] = self._function(of, *more)
        return self._known[key]


class SameObjects:
    """A key that equals another only if both hold the identical objects in the same order. It keeps them alive.

    >>> pool, other = ["a"], ["a"]
    >>> SameObjects([pool, other]) == SameObjects([pool, other]), SameObjects([pool, pool]) == SameObjects([pool, other])
    (True, False)
    """

    __slots__ = ("_identities", "of")

    def __init__(self, of: Iterable[object]) -> None:
        self.of = tuple(of)
        self._identities = tuple(map(id, self.of))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObjects) and self._identities == other._identities

    def __hash__(self) -> int:
        return hash(self._identities)
