"""How a component makes the components that it joins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import pulumi

C = TypeVar("C", bound=pulumi.ComponentResource)


@dataclass(frozen=True, slots=True)
class PartMaker:
    """Makes parts under one component; on a cluster's Kubernetes provider where one is given."""

    name: str
    parent: pulumi.Resource
    provider: pulumi.ProviderResource | None = None

    def name_of(self, part: str) -> str:
        """Return the name of a part in the program."""
        return f"{self.name}-{part}"

    def options(self, *needs: pulumi.Resource) -> pulumi.ResourceOptions:
        """Return the options of a part that is made after all that it needs and deleted before any of that."""
        providers = None if self.provider is None else {"kubernetes": self.provider}
        return pulumi.ResourceOptions(parent=self.parent, depends_on=list(needs) or None, providers=providers)

    def make(self, kind: Callable[..., C], part: str, given: Mapping[str, Any], *needs: pulumi.Resource) -> C:
        """Make one part of its inputs, in the same order."""
        return kind(self.name_of(part), given, self.options(*needs))
