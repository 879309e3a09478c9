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

    def make(self, kind: Callable[..., C], part: str, given: Mapping[str, Any], *needs: pulumi.Resource) -> C:
        """One part, made after all that it needs and gone before any of that."""
        providers = None if self.provider is None else {"kubernetes": self.provider}
        options = pulumi.ResourceOptions(parent=self.parent, depends_on=list(needs) or None, providers=providers)
        return kind(f"{self.name}-{part}", given, options)
