"""What the instance types of a NodePool have, collected once: the remedies of thousands of pods ask for the same."""

from __future__ import annotations

from functools import cached_property

from cutlist.core.bits import bits
from cutlist.planning.remedies.spelling import values_of
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate


class KnownTypes:
    """The types of the node class of a NodePool, and those among them that the NodePool allows."""

    def __init__(self, template: NodeClaimTemplate) -> None:
        self._template = template
        self._values: dict[str, frozenset[str]] = {}

    def values(self, key: str) -> frozenset[str]:
        """Return the values of a label that types of the class have, or their offerings where these decide."""
        if key not in self._values:
            self._values[key] = values_of(self._template.instance_types.types, key)
        return self._values[key]

    @cached_property
    def resources(self) -> frozenset[str]:
        """Return the resources that types of the class have, whether or not the NodePool allows them."""
        types = self._template.instance_types.types
        return frozenset(resource for t in types for resource, amount in t.capacity.items() if amount)

    @cached_property
    def allowed(self) -> tuple[InstanceType, ...]:
        """Return the types that the NodePool allows."""
        types = self._template.instance_types.types
        return tuple(types[number] for number in bits(self._template.mask))

    @cached_property
    def extended(self) -> tuple[str, ...]:
        """Return the resources with a domain that the allowed types have, in alphabetical order."""
        held = {resource for t in self.allowed for resource, amount in t.capacity.items() if amount}
        return tuple(sorted(resource for resource in held if "/" in resource))
