"""Why a NodeClaim is not launched (spec: AWS 5.1, 5.2, 5.6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
        """No way to buy is left."""
        return Refusal(RefusalKind.INSUFFICIENT_CAPACITY, message)

    @staticmethod
    def not_ready(message: str) -> Refusal:
        """The NodeClass cannot be used as it is."""
        return Refusal(RefusalKind.NODE_CLASS_NOT_READY, message)

    @staticmethod
    def create(message: str, reason: str = "LaunchFailed") -> Refusal:
        """Anything else."""
        return Refusal(RefusalKind.CREATE, message, reason)
