"""What a list of instance types declares about labels: a set of types is one integer, whose bit i is the i-th type."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from cutlist.core.identity import SameObjects
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.providers.type_list import TypeList


class DeclaredLabels:
    """The labels of a list of types, with the answers about them. Node classes seldom change labels, so most lists share
    one."""

    __slots__ = ("_compatible", "_declared", "_labels", "_matching", "everything")

    def __init__(self, labels: tuple[Requirements, ...]) -> None:
        self._labels = labels
        self.everything = (1 << len(labels)) - 1
        self._declared: dict[str, dict[Requirement, int]] = {}
        self._matching: dict[Requirement, int] = {}
        self._compatible: dict[Requirements, int] = {}

    @staticmethod
    def of(types: TypeList) -> DeclaredLabels:
        """Return the labels of a list of types: one object for lists of types with the identical labels."""
        return _of_labels(SameObjects(types.sold.labels))

    def declared(self, key: str) -> dict[Requirement, int]:
        """Return what the types declare about a label: each distinct requirement with the types that have it."""
        cached = self._declared.get(key)
        if cached is None:
            cached = self._declared[key] = {}
            for index, labels in enumerate(self._labels):
                r = labels.get(key)
                if r is not None:
                    cached[r] = cached.get(r, 0) | 1 << index
        return cached

    def matching(self, wanted: Requirement) -> int:
        """Return the types that may have a label as wanted; a type that declares nothing about the label passes (spec 2.6)."""
        cached = self._matching.get(wanted)
        if cached is None:
            cached = self.everything
            # Hundreds of types declare few different things about a label, so each of these is compared once.
            for r, mask in self.declared(wanted.key).items():
                # Two sets that only exclude values are compatible even if nothing is left between them (spec 2.6).
                if not r.intersects(wanted) and not (r.is_negative and wanted.is_negative):
                    cached &= ~mask
            self._matching[wanted] = cached
        return cached

    def compatible(self, wanted: Requirements) -> int:
        """Return the types whose labels are compatible with all requirements."""
        cached = self._compatible.get(wanted)
        if cached is None:
            cached = self.everything
            for r in wanted.values():
                cached &= self.matching(r)
            self._compatible[wanted] = cached
        return cached


@lru_cache(maxsize=64)
def _of_labels(labels: SameObjects) -> DeclaredLabels:
    return DeclaredLabels(cast("tuple[Requirements, ...]", labels.of))
