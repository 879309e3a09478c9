"""What was meant by a label or a value that no instance type has: one that is spelled nearly like it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cutlist.core.errors import nearest
from cutlist.core.labels import CAPACITY_TYPE, ZONE
from cutlist.providers.instance_types import InstanceType


def values_of(types: Iterable[InstanceType], key: str) -> frozenset[str]:
    """Return the values of a label that instance types have, or their offerings where these decide."""
    if key in (ZONE, CAPACITY_TYPE):
        of_offerings = (o.requirements[key].values for t in types for o in t.offerings if key in o.requirements)
        return frozenset().union(*of_offerings)
    return frozenset().union(*(t.requirements[key].values for t in types if key in t.requirements))


def meant(value: str, known: Iterable[str]) -> str:
    """Return the known value that is spelled nearly like another, or the only one that ends with it, as `northeurope-1` does
    with `1`; empty if there is none."""
    names = sorted(known)
    ended = [name for name in names if value and name.endswith(value)]
    return nearest(value, names) or (ended[0] if len(ended) == 1 else "")


def same_name(key: str, known: Iterable[str]) -> Sequence[str]:
    """Return the labels that have the name of another one in another domain."""
    name = key.rpartition("/")[2]
    return sorted(other for other in known if other != key and other.rpartition("/")[2] == name)
