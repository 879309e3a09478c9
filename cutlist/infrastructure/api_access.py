"""How the identity that updates a stack reaches the API of its cluster, which is private by default (spec: aws-infrastructure
1.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cutlist.core.errors import Problem
from cutlist.infrastructure.inputs import Places, one_of


class ReachableFrom(StrEnum):
    """How a private API is reached."""

    VPN = "vpn"
    INSIDE = "inside"
    TWO_STEPS = "two-steps"


_WAYS: Final = (
    "publicAccessCidrs with the addresses of whoever updates; or reachableFrom: two-steps (now the network and the cluster, "
    "then the rest from inside), inside (updates run in the VPC) or vpn (a VPN, peering or Direct Connect leads into it)"
)


@dataclass(frozen=True, slots=True)
class ApiAccess:
    """The facts about access to the API: whether the cluster is for production, from which addresses outside the VPC the API is
    reached, or in which other way, and whether the same update creates the VPC."""

    production: bool
    public_access_cidrs: Sequence[str]
    reachable_from: str | None
    makes_network: bool

    @property
    def is_first_step(self) -> bool:
        """Tell whether nothing is created in the cluster yet."""
        return self.reachable_from == ReachableFrom.TWO_STEPS

    @property
    def is_undeclared(self) -> bool:
        """Tell whether no input names a way to reach the API."""
        return not self.public_access_cidrs and self.reachable_from is None

    @property
    def message(self) -> str:
        """Return why an update from outside would not reach the API."""
        whose = "production's API" if self.production else "the API"
        where = "a VPC that the same update makes" if self.makes_network else "its VPC"
        return f"{whose} is private, inside {where}, and no input names a way for the update to reach it"

    def problems(self, at: Places) -> Iterator[Problem]:
        """Yield the mistakes in the inputs, which are `at` these places."""
        place = at.member("reachableFrom")
        if self.reachable_from is not None:
            yield from one_of(self.reachable_from, ReachableFrom, place)
        if self.is_first_step and self.public_access_cidrs:
            yield Problem(place, "the API is reached from publicAccessCidrs, so nothing has to wait", "leave it out")
        if self.production and self.is_undeclared:
            yield Problem(place, self.message, _WAYS)

    @property
    def warning(self) -> str:
        """Return a warning, or an empty string: an update from outside that also creates the VPC cannot reach the API."""
        return f"reachableFrom: {self.message}; {_WAYS}" if self.is_undeclared and self.makes_network else ""
