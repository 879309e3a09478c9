"""What API server and controller would say of an object: the same findings, in their words and with what each one hides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cutlist.api.findings import Finding, Reported, Stage

_BY_CONTROLLERS: Final = (Stage.RUNTIME, Stage.TYPED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the API server takes an object, what it says when not, and what the controllers say when it does."""

    accepted: bool
    errors: tuple[Reported, ...]
    runtime: tuple[Reported, ...]

    @property
    def ready(self) -> bool:
        """Tell whether an object that was taken has an effect."""
        return self.accepted and not self.runtime


def verdict(findings: Iterable[Finding]) -> Verdict:
    """Return the verdict on an object with these findings.

    What cannot be decoded hides all else, and a field that is not known hides all but its like.
    """
    said = list(dict.fromkeys(line for finding in findings for line in finding.reported))
    refusals = [line for line in said if line.stage not in _BY_CONTROLLERS]
    first = next((stage for stage in (Stage.DECODE, Stage.STRICT) if any(line.stage == stage for line in refusals)), None)
    errors = tuple(line for line in refusals if first is None or line.stage == first)
    runtime = () if errors else tuple(line for line in said if line.stage in _BY_CONTROLLERS)
    return Verdict(not errors, errors, runtime)
