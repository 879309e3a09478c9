"""What a launch reads of a NodeClaim, and why one is not launched (spec: AWS 5.1, 5.2, 5.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from cutlist.core.labels import AWS, CAPACITY_TYPE
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import Offering


class RefusalKind(StrEnum):
    """What Karpenter makes of it: without capacity and with an unready NodeClass it deletes the claim and plans anew."""

    INSUFFICIENT_CAPACITY = "InsufficientCapacity"
    NODE_CLASS_NOT_READY = "NodeClassNotReady"
    CREATE = "Create"  # tried again, with the reason on the claim's condition Launched


@dataclass(frozen=True, slots=True)
class Refusal:
    """A launch that fails. `reason` is that of the claim's condition, only for the kind Create."""

    kind: RefusalKind
    message: str
    reason: str = ""

    @staticmethod
    def no_capacity(message: str) -> Refusal:
        """Return no way to buy is left."""
        return Refusal(RefusalKind.INSUFFICIENT_CAPACITY, message)

    @staticmethod
    def not_ready(message: str) -> Refusal:
        """Return the NodeClass cannot be used as it is."""
        return Refusal(RefusalKind.NODE_CLASS_NOT_READY, message)

    @staticmethod
    def create(message: str, reason: str = "LaunchFailed") -> Refusal:
        """Return anything else."""
        return Refusal(RefusalKind.CREATE, message, reason)


class Claim(Protocol):
    """A NodeClaim: requirements as written, requests in nano-units, and its labels and annotations."""

    @property
    def requirements(self) -> tuple[Expression, ...]:
        """Return what the node must be."""

    @property
    def requests(self) -> Mapping[str, int]:
        """Return what its pods and daemons ask for; a resource asked for with 0 is asked for, too."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Return its labels, among them the NodePool."""

    @property
    def annotations(self) -> Mapping[str, str]:
        """Return its annotations, among them what node overlays and relaxed minValues left."""


@dataclass(frozen=True, slots=True)
class ClaimRequirements:
    """A claim's requirements, asked again and again about offerings, which repeat among types."""

    requirements: Requirements
    _fits: dict[Requirements, bool] = field(default_factory=dict, init=False, compare=False, repr=False)

    @staticmethod
    def of(claim: Claim) -> ClaimRequirements:
        """Read the requirements of a NodeClaim."""
        return ClaimRequirements(Requirements.of_expressions(claim.requirements, AWS))

    def fits(self, offered: Requirements) -> bool:
        """Tell whether something with these labels may be launched for the claim; well-known labels may stay unsaid."""
        cached = self._fits.get(offered)
        if cached is None:
            cached = self._fits[offered] = self.requirements.compatible(offered, AWS.well_known)
        return cached

    def open(self, offerings: Iterable[Offering]) -> list[Offering]:
        """Return the available offerings that fit."""
        return [o for o in offerings if o.available and self.fits(o.requirements)]

    def allows(self, capacity_type: str) -> bool:
        """Tell whether the claim may be bought this way; one that names no capacity type may be bought in any (A-55)."""
        return self.requirements.get_or_any(CAPACITY_TYPE).has(capacity_type)

    @property
    def has_min_values(self) -> bool:
        """Tell whether some requirement asks for a number of distinct values."""
        return self.requirements.has_min_values
