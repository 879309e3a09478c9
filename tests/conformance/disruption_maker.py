"""What makes the parts of a random disruption scenario."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.conformance.scenario_words import Object, Words

DO_NOT_DISRUPT: Final = "karpenter.sh/do-not-disrupt"
BORN: Final = "2026-01-05T06:00:00Z"


@dataclass(frozen=True)
class Maker:
    """Makes the parts of one scenario with the features that it has."""

    rng: Random
    words: Words
    features: Collection[str]

    def chance(self, feature: str, probability: float) -> bool:
        """Tell whether something gets something of a feature."""
        return feature in self.features and self.rng.random() < probability

    def minute(self, before: int, *, least: int = 0) -> str:
        """Return an instant in some last minutes before noon."""
        ago = self.rng.randint(least * 60, before * 60)
        return f"2026-01-05T{11 - (ago - 1) // 3600:02d}:{(59 - (ago - 1) // 60) % 60:02d}:{(60 - ago % 60) % 60:02d}Z"


def condition(kind: str, status: str = "True", *, reason: str = "", since: str = BORN) -> Object:
    """Return a status condition."""
    return {"type": kind, "status": status, "reason": reason or kind, "message": reason, "lastTransitionTime": since}


def cores(amount: str) -> float:
    """Return an amount of cpu as a number."""
    return float(amount[:-1]) / 1000 if amount.endswith("m") else float(amount)
