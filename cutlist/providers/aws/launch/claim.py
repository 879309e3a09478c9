"""The parts of a NodeClaim that a launch reads, and why a claim is not launched (spec: AWS 5.1, 5.2, 5.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from cutlist.core.identity import SameObject
from cutlist.core.labels import AWS, CAPACITY_TYPE, RESERVED
from cutlist.core.requirement import Expression
from cutlist.core.requirements import Requirements
from cutlist.providers.instance_types import Offering


class RefusalKind(StrEnum):
    """How Karpenter reacts: without capacity and with an unready NodeClass it deletes the claim and plans again."""

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
        """Return the refusal if no offering is left."""
        return Refusal(RefusalKind.INSUFFICIENT_CAPACITY, message)

    @staticmethod
    def not_ready(message: str) -> Refusal:
        """Return the refusal if the NodeClass cannot be used as it is."""
        return Refusal(RefusalKind.NODE_CLASS_NOT_READY, message)

    @staticmethod
    def create(message: str, reason: str = "LaunchFailed") -> Refusal:
        """Return the refusal for any other reason."""
        return Refusal(RefusalKind.CREATE, message, reason)


class Claim(Protocol):
    """A NodeClaim: requirements as written, requests in nano-units, and its labels and annotations."""

    @property
    def requirements(self) -> tuple[Expression, ...]:
        """Return the requirements on the node."""

    @property
    def requests(self) -> Mapping[str, int]:
        """Return the requests of its pods and daemons in nano-units; a request of 0 counts as a request."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Return its labels, including the NodePool."""

    @property
    def annotations(self) -> Mapping[str, str]:
        """Return its annotations, including those of node overlays and of relaxed minValues."""


@dataclass(frozen=True, slots=True)
class ClaimRequirements:
    """A claim's requirements, with cached answers about offerings, which repeat among types."""

    requirements: Requirements
    _fits: dict[Requirements, bool] = field(default_factory=dict, init=False, compare=False, repr=False)
    _open: dict[SameObject, tuple[Offering, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)
    _reserved: dict[SameObject, tuple[Offering, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)

    @staticmethod
    def of(claim: Claim) -> ClaimRequirements:
        """Return the requirements of a NodeClaim."""
        return ClaimRequirements(Requirements.of_expressions(claim.requirements, AWS))

    def fits(self, offered: Requirements) -> bool:
        """Tell whether a node with these labels may be launched for the claim; well-known labels may be undefined."""
        cached = self._fits.get(offered)
        if cached is None:
            cached = self._fits[offered] = self.requirements.compatible(offered, AWS.well_known)
        return cached

    def open(self, offerings: tuple[Offering, ...]) -> tuple[Offering, ...]:
        """Return the offerings that fit and can be launched: a full reservation may be available but has no instance left.

        Each filter asks the same of those that earlier ones leave.
        """
        key = SameObject(offerings)
        if key not in self._open:
            self._open[key] = tuple([o for o in offerings if o.available and self.fits(o.requirements) and o.launchable])
        return self._open[key]

    def reserved(self, offerings: tuple[Offering, ...]) -> tuple[Offering, ...]:
        """Return those of the open offerings that are reservations."""
        key = SameObject(offerings)
        if key not in self._reserved:
            self._reserved[key] = tuple([o for o in self.open(offerings) if o.capacity_type == RESERVED])
        return self._reserved[key]

    def allows(self, capacity_type: str) -> bool:
        """Tell whether the claim allows a capacity type; a claim that names none allows all (A-55)."""
        return self.requirements.get_or_any(CAPACITY_TYPE).has(capacity_type)

    @property
    def has_min_values(self) -> bool:
        """Tell whether some requirement demands a minimum number of distinct values."""
        return self.requirements.has_min_values
