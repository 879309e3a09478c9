"""How a component makes the components that it joins."""

from __future__ import annotations

from dataclasses import dataclass

import pulumi


@dataclass(frozen=True, slots=True)
class PartMaker:
    """Names and options of parts under one component; on a cluster's Kubernetes provider where there is one."""

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
