"""The tables of all NodePools of a cluster: one a list of types, for every question that is asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.instancetypes import InstanceTypeIndex


class InstanceTypeIndexes:
    """The types of NodePools by name, each list as a table that is made when it is first asked for.

    Pools that share a list share the table, with all that was once found in it.
    """

    __slots__ = ("_made", "types")

    def __init__(self, types: Mapping[str, Sequence[InstanceType]]) -> None:
        self.types = types
        self._made: dict[tuple[int, frozenset[str]], InstanceTypeIndex] = {}

    def of(self, pool: str, well_known: frozenset[str]) -> InstanceTypeIndex:
        """The table of a NodePool whose controller knows these labels; an empty one for a pool that has no types."""
        listed = self.types.get(pool, ())
        key = id(listed), well_known  # lists that are equal and not the same are rare, and comparing them is dear
        if key not in self._made:
            self._made[key] = InstanceTypeIndex(listed, well_known)
        return self._made[key]
