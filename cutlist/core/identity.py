"""Objects as keys of a dict, distinguished by identity."""

from __future__ import annotations


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
