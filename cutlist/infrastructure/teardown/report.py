"""What a sweep found and did (spec: aws-infrastructure 8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.cluster_state import ClusterState
from cutlist.infrastructure.teardown.leftovers import Leftover


class Result(StrEnum):
    """What became of a leftover."""

    REMOVED = "removed"
    TO_REMOVE = "to be removed"
    KEPT = "kept"
    REPORTED = "left to you"
    FAILED = "failed"
    DENIED = "not permitted"


@dataclass(frozen=True, slots=True)
class Finding:
    """A leftover, what became of it, and why when it is still there."""

    leftover: Leftover
    result: Result
    reason: str = ""


class Stop(StrEnum):
    """Why a sweep ended before its end."""

    REFUSED = "refused"
    DENIED = "not permitted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SweepReport:
    """One sweep of one cluster. `state` is None when the sweep ended before the cluster was looked at.

    `stop` and `why` tell what ended the sweep early; `unseen` names what could not be looked at, with the reason.
    """

    facts: ClusterFacts
    state: ClusterState | None
    now: datetime
    findings: tuple[Finding, ...] = ()
    unseen: tuple[str, ...] = ()
    stop: Stop | None = None
    why: str = ""

    def of(self, *results: Result) -> tuple[Finding, ...]:
        """Return the findings with one of these results, in their order."""
        return tuple(finding for finding in self.findings if finding.result in results)

    @property
    def exit_code(self) -> int:
        """Return 0 when nothing is left over, 1 something is, 2 a guard refused, 3 something is not permitted.

        What a living cluster uses and what is only reported are not left over.
        """
        if self.stop is Stop.REFUSED:
            return 2
        if self.stop is Stop.DENIED or self.of(Result.DENIED):
            return 3
        return 1 if self.stop or self.of(Result.FAILED, Result.TO_REMOVE) else 0
