"""What a plan for EKS Auto Mode may be told beyond the objects (spec: api-objects 8.4, 8.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from cutlist.catalog import Price
from cutlist.providers.eks_auto.overhead import DEFAULT_PROFILE, overhead_profile


@dataclass(frozen=True, slots=True)
class AutoSettings:
    """`overhead_profile` names the estimate of what agents take of a node; InputError for an unknown one.

    `fees` are management fees of the price list by instance type; types that are not there get an estimate.
    """

    overhead_profile: str = DEFAULT_PROFILE
    fees: Mapping[str, Price] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        overhead_profile(self.overhead_profile)
