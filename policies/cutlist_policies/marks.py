"""The texts that an engine marks as secret: it sends the marks, and the SDK removes them before a policy sees a resource."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pulumi_policy.policy
from pulumi_cutlist.recorded.policy_resources import marked_texts, unmarked_texts


@dataclass(slots=True)
class Marks:
    """Collects the marked texts of everything that an engine shows to a pack, and those that stand unmarked as well."""

    _marked: set[str] = field(default_factory=set)
    _unmarked: set[str] = field(default_factory=set)

    def keep(self, properties: Any) -> None:
        """Keep the marks in properties as they came over the wire."""
        self._marked.update(marked_texts(properties))
        self._unmarked.update(unmarked_texts(properties))

    def secrets(self, names: Iterable[str] = ()) -> frozenset[str]:
        """Return the texts that are marked wherever they stand, except these names."""
        return frozenset((self._marked - self._unmarked).difference(names))


def keep_marks(marks: Marks) -> None:
    """Have the SDK show each request to `marks` before it removes the marks: it has no other way to ask for them."""
    module = vars(pulumi_policy.policy)
    without_marks = module["deserialize_properties"]

    def deserialize_properties(props: dict[str, Any], proxy_secrets: bool = False) -> Any:
        marks.keep(props)
        return without_marks(props, proxy_secrets)

    module["deserialize_properties"] = deserialize_properties
