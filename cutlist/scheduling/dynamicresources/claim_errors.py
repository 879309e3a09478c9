"""Why claims for devices cannot be met, in Karpenter's words and as what these are about."""

from __future__ import annotations

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


class ClaimError(Exception):
    """Raised for a claim that no node can meet, with the reason in Karpenter's words and its cause."""

    def __init__(self, reason: str, cause: ClaimCause | None = None) -> None:
        super().__init__(reason)
        self.cause: ClaimCause = OtherCause(reason) if cause is None else cause


class OutOfTimeError(ClaimError):
    """Raised when the search for a claim's devices takes longer than Karpenter allows (R-126)."""
