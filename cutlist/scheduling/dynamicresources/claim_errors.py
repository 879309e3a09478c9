"""Why claims for devices cannot be met, in Karpenter's words and as what these are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class MissingClaim(NamedTuple):
    """A pod names a ResourceClaim that does not exist (R-48)."""

    claim: str


class MissingClass(NamedTuple):
    """A request names a DeviceClass that does not exist (R-19)."""

    request: str
    device_class: str


class HeldByAnother(NamedTuple):
    """A claim has devices of another node that is being launched (R-46)."""

    claim: str


class DistinctAttribute(NamedTuple):
    """A claim has a constraint that Karpenter does not know yet (R-44)."""

    claim: str


class NoTypeLeft(NamedTuple):
    """No instance type has devices for all claims (R-10)."""


class OtherCause(NamedTuple):
    """Anything else, in Karpenter's words."""

    reason: str


ClaimCause = MissingClaim | MissingClass | HeldByAnother | DistinctAttribute | NoTypeLeft | OtherCause


@dataclass(frozen=True, slots=True)
class RequestShortage:
    """A request of a claim that no type can meet by itself. `claim` is the pod's name for the claim.

    `of_class` types have devices of its class, `chosen` types have some that all selectors choose, and the most of these that
    a type has are `most`, on `most_type`. Where none is chosen, `selector` is the first that chooses none of the class, and
    `values` are what the class has of the attribute or capacity `attribute` in it. `wanted` is 0 for all devices.
    """

    claim: str
    request: str
    device_class: str
    wanted: int
    of_class: int = 0
    chosen: int = 0
    most: int = 0
    most_type: str = ""
    selector: str = ""
    attribute: str = ""
    values: tuple[str, ...] = ()


class ClaimError(Exception):
    """Raised for a claim that no node can meet, with the reason in Karpenter's words and its cause."""

    def __init__(self, reason: str, cause: ClaimCause | None = None) -> None:
        super().__init__(reason)
        self.cause: ClaimCause = OtherCause(reason) if cause is None else cause


class OutOfTimeError(ClaimError):
    """Raised when the search for a claim's devices takes longer than Karpenter allows (R-126)."""
