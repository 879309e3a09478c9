"""The choices of a launch that apply to the whole request: capacity type, tenancy, one subnet per zone (spec: AWS 5.4, 5.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from cutlist.core.labels import AWS_GROUP, ON_DEMAND, RESERVED, SPOT
from cutlist.providers.aws.launch.claim import ClaimRequirements
from cutlist.providers.aws.launch.filters import RemainingType

if TYPE_CHECKING:
    from cutlist.api.ec2nodeclass_status import Subnet

TENANCY: Final = f"{AWS_GROUP}/instance-tenancy"
_TENANCIES: Final = ("default", "dedicated")


def capacity_type(types: Iterable[RemainingType], wanted: ClaimRequirements) -> str:
    """Return the single capacity type of the request: reserved if available, else spot, else on-demand (A-55)."""
    to_be_had = {o.capacity_type for r in types for o in wanted.open(r.offerings)}
    return next((preferred for preferred in (RESERVED, SPOT) if wanted.allows(preferred) and preferred in to_be_had), ON_DEMAND)


def tenancy(wanted: ClaimRequirements) -> str:
    """Return `default` unless the claim excludes it (A-59)."""
    allowed = wanted.requirements.get_or_any(TENANCY)
    return next((value for value in _TENANCIES if allowed.has(value)), _TENANCIES[0])


def chosen_subnets(subnets: Iterable[Subnet], free_addresses: Mapping[str, int]) -> dict[str, str]:
    """Return by zone the id of the subnet with the most free addresses, the first among equals; one without any is chosen, too
    (A-58).

    `free_addresses` are counts by subnet id; a missing one counts as 0.
    """
    chosen: dict[str, str] = {}
    for subnet in subnets:
        present = chosen.get(subnet.zone)
        if present is None or free_addresses.get(subnet.id, 0) > free_addresses.get(present, 0):
            chosen[subnet.zone] = subnet.id
    return chosen
