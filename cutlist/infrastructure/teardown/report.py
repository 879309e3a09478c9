"""The result of a sweep: what it found and what it did (spec: aws-infrastructure 8.5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from cutlist.core.records import FLAT, HIDDEN, After, Key, More, about, computed
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

    leftover: Annotated[Leftover, FLAT]
    result: Result
    reason: str = ""


class Stop(StrEnum):
    """Why a sweep ended early."""

    REFUSED = "refused"
    DENIED = "not permitted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why a sweep ended early: who ended it, and the reason."""

    by: Stop
    why: str


@dataclass(frozen=True, slots=True)
class SweepReport:
    """What Karpenter left of a cluster, and what happened to it.

    `state` is None when the sweep ended before the cluster was examined; `unseen` names the kinds that could not be examined,
    with the reason.
    """

    facts: Annotated[ClusterFacts, FLAT]
    state: Annotated[ClusterState | None, about("Null when the cluster was not looked at.")]
    now: Annotated[datetime, HIDDEN]
    findings: Annotated[tuple[SweptLeftover, ...], After("stopped")] = ()
    unseen: Annotated[tuple[str, ...], Key("notLookedAt"), After("findings")] = ()
    stopped: Annotated[Stopped | None, about("What ended it early."), After("exit_code")] = None
    version: Annotated[Literal[1], After("")] = 1

    def of(self, *results: Result) -> tuple[SweptLeftover, ...]:
        """Return the findings with one of these results, in order."""
        return tuple(finding for finding in self.findings if finding.result in results)

    @property
    @computed(after="state")
    def exit_code(self) -> Annotated[int, More(enum=[0, 1, 2, 3])]:
        """Return 0 if nothing is left over, 1 if something is, 2 if a guard refused or the cluster could not be looked at, 3 if
        something is not permitted. Resources that a running cluster uses, and those that are only reported, do not count.
        """
        stop = self.stopped and self.stopped.by
        if stop is Stop.REFUSED or (stop is Stop.FAILED and self.state is None):
            return 2
        if stop is Stop.DENIED or self.of(Result.DENIED):
            return 3
        return 1 if stop or self.of(Result.FAILED, Result.TO_REMOVE) else 0
