"""A sweep as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.records import InstantText, More, Price, about, json_of
from cutlist.infrastructure.teardown.cluster_state import ClusterState
from cutlist.infrastructure.teardown.leftovers import LeftoverKind
from cutlist.infrastructure.teardown.report import Result, Stop, SweepReport, SweptLeftover

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class _Stopped:
    by: Stop
    why: str


@dataclass(frozen=True, slots=True)
class _Finding:
    kind: LeftoverKind
    id: str
    name: str
    matched: Annotated[tuple[str, ...], about("By what it was recognised.")]
    created: InstantText | None
    usd_per_hour: Price
    result: Result
    reason: str


@dataclass(frozen=True, slots=True)
class SweepRecord:
    """What Karpenter left of a cluster, and what happened to it."""

    version: Literal[1]
    cluster: str
    region: str
    account: str
    state: Annotated[ClusterState | None, about("Null when the cluster was not looked at.")]
    exit_code: Annotated[int, More(enum=[0, 1, 2, 3])]
    stopped: Annotated[_Stopped | None, about("What ended it early.")]
    findings: tuple[_Finding, ...]
    not_looked_at: tuple[str, ...]


def sweep_json(report: SweepReport) -> str:
    """Return a sweep as JSON: times in ISO 8601, prices in USD per hour, null for unknown values."""
    record = SweepRecord(
        version=VERSION,
        cluster=report.facts.cluster,
        region=report.facts.region,
        account=report.facts.account,
        state=report.state,
        exit_code=report.exit_code,
        stopped=_Stopped(report.stop, report.why) if report.stop else None,
        findings=tuple(_finding(finding) for finding in report.findings),
        not_looked_at=report.unseen,
    )
    return json_of(record)


def _finding(finding: SweptLeftover) -> _Finding:
    leftover = finding.leftover
    return _Finding(
        kind=leftover.kind,
        id=leftover.id,
        name=leftover.name,
        matched=tuple(leftover.matched),
        created=leftover.created.isoformat() if leftover.created else None,
        usd_per_hour=leftover.usd_per_hour,
        result=finding.result,
        reason=finding.reason,
    )
