"""How a list of instance types is sold: which types have an offering with which labels, and which offerings change amounts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

from cutlist.core.bits import bits
from cutlist.core.identity import SameObjects
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import Offering
from cutlist.providers.type_list import SoldTypeList

Changes = tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]]


@dataclass(frozen=True, slots=True)
class SoldTypes:
    """The available offerings of types, by number: `plain` has the labels of those that leave amounts alone with their types as
    bits; `changing` has by type the others, together where they change the same.
    """

    plain: Mapping[Requirements, int]
    changing: Mapping[int, tuple[tuple[Offering, ...], ...]] = field(default_factory=dict)

    @staticmethod
    def of(sold: SoldTypeList, mask: int) -> SoldTypes:
        """Return how some types of a list are sold: one object for types with the identical offerings."""
        return _of_list(sold, mask)


@lru_cache(maxsize=64)
def _of_list(sold: SoldTypeList, mask: int) -> SoldTypes:
    return _of_offerings(SameObjects(sold.offerings[number] for number in bits(mask)), mask)


@lru_cache(maxsize=64)
def _of_offerings(offerings: SameObjects, mask: int) -> SoldTypes:
    plain: dict[Requirements, int] = {}
    changing: dict[int, tuple[tuple[Offering, ...], ...]] = {}
    for number, of_type in zip(bits(mask), cast("tuple[tuple[Offering, ...], ...]", offerings.of), strict=True):
        kinds: dict[Changes, list[Offering]] = {}
        for o in of_type:
            # Karpenter groups available offerings only, so overrides of others change no amounts (spec 6.7).
            if not o.available:
                continue
            if o.capacity_override or o.overhead_override:
                kind = frozenset(o.capacity_override.items()), frozenset(o.overhead_override.items())
                kinds.setdefault(kind, []).append(o)
            else:
                plain[o.requirements] = plain.get(o.requirements, 0) | 1 << number
        if kinds:
            changing[number] = tuple(map(tuple, kinds.values()))
    return SoldTypes(plain, changing)
