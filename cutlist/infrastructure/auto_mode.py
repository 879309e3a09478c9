"""EKS Auto Mode: the plain facts of its settings, and the mistakes in them (spec: aws-infrastructure 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cutlist.api.built_in import AUTO_POOLS
from cutlist.core.errors import Problem
from cutlist.infrastructure.add_ons import BUILT_IN
from cutlist.infrastructure.inputs import Places, one_of

NODE_POLICY: Final = "AmazonEKSAutoNodePolicy"
"""The access policy for roles of Auto Mode's nodes."""


@dataclass(frozen=True, slots=True)
class AutoModeFacts:
    """Which parts of Auto Mode are on. `add_ons` are the requested ones, `other_nodes` says that there are nodes besides Auto
    Mode's."""

    enabled: bool = True
    built_in_pools: Sequence[str] = AUTO_POOLS
    add_ons: Sequence[str] = ()
    other_nodes: bool = False

    @property
    def pools(self) -> tuple[str, ...]:
        """Return the built-in pools that are on: none when Auto Mode is off."""
        return tuple(self.built_in_pools) if self.enabled else ()

    @property
    def needs_access_entry(self) -> bool:
        """Tell whether the component creates the node role's access entry: EKS creates one only for the role of built-in
        pools."""
        return self.enabled and not self.pools


def problems(facts: AutoModeFacts, custom_roles: Mapping[str, object], at: Places) -> Iterable[Problem]:
    """Yield a problem for each setting that EKS would refuse, or that conflicts with Auto Mode's built-in parts."""
    place = at.member("builtInPools")
    for pool in facts.built_in_pools:
        yield from one_of(pool, AUTO_POOLS, place)
    for pool in sorted({p for p in facts.built_in_pools if list(facts.built_in_pools).count(p) > 1}):
        yield Problem(place, f"{pool!r} twice", "each pool once")
    if facts.enabled and not facts.other_nodes:
        for name in sorted(set(facts.add_ons) & set(BUILT_IN)):
            message = f"add-on {name!r} is built into the nodes of Auto Mode"
            yield Problem(
                at.member("addOns").member(name),
                message,
                "leave it out, or say otherNodes where there are nodes of other kinds",
            )
    if not facts.enabled and custom_roles:
        yield Problem(
            at.member("customNodeRoles"), "roles for nodes of Auto Mode, which is off", "remove them with their NodePools"
        )
