"""The result of a sweep: what it found and what it did (spec: aws-infrastructure 8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from cutlist.infrastructure.names import ClusterFacts
from cutlist.infrastructure.teardown.cluster_state import ClusterState
from cutlist.infrastructure.teardown.leftovers import Leftover


class Result(StrEnum):
    """What happened to a leftover."""

    REMOVED = "removed"
    TO_REMOVE = "to be removed"
    KEPT = "kept"
    REPORTED = "left to you"
    FAILED = "failed"
    DENIED = "not permitted"


@dataclass(frozen=True, slots=True)
class SweptLeftover:
    """A leftover, what happened to it, and why it still exists if it does."""

    leftover: Leftover
    result: Result
    reason: str = ""


class Stop(StrEnum):
    """Why a sweep ended early."""

    REFUSED = "refused"
    DENIED = "not permitted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SweepReport:
    """One sweep of one cluster. `state` is None when the sweep ended before the cluster was examined.

    `stop` and `why` say why the sweep ended early; `unseen` names the kinds that could not be examined, with the reason.
    """

    facts: ClusterFacts
    state: ClusterState | None
    now: datetime
    findings: tuple[SweptLeftover, ...] = ()
    unseen: tuple[str, ...] = ()
    stop: Stop | None = None
    why: str = ""

    def of(self, *results: Result) -> tuple[SweptLeftover, ...]:
        """Return the findings with one of these results, in order."""
        return tuple(finding for finding in self.findings if finding.result in results)

    @property
    def exit_code(self) -> int:
        """Return 0 if nothing is left over, 1 if something is, 2 if a guard refused, 3 if something is not permitted. Resources
        that a running cluster uses, and those that are only reported, do not count.
        """
        if self.stop is Stop.REFUSED:
            return 2
        if self.stop is Stop.DENIED or self.of(Result.DENIED):
            return 3
        return 1 if self.stop or self.of(Result.FAILED, Result.TO_REMOVE) else 0
