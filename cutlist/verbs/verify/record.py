"""What happened to a plan, as JSON: stable keys in a stable order, byte-identical for equal input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from cutlist.core.instants import instant_text
from cutlist.core.quantity import memory
from cutlist.core.records import AmountTexts, Count, InstantText, TextOrNull, about, form_of, json_of
from cutlist.verification.causes import CAUSES
from cutlist.verification.deviations import Aspect
from cutlist.verification.live import LiveNode, LiveState
from cutlist.verification.matching import Slot
from cutlist.verification.verdicts import ExplainedDeviation, NodeOutcome, NodeVerdict, Verification

VERSION: Final = 1

_MaybeInstant = Annotated[float, form_of(InstantText | None).through(lambda at: instant_text(at) if at else None)]


@dataclass(frozen=True, slots=True)
class _Cause:
    id: Annotated[str, about("One of docs/causes.md.")]
    because: Annotated[str, about("What shows it.")]


@dataclass(frozen=True, slots=True)
class _NamedCause:
    id: str
    title: str
    differences: Count
    remedy: str


@dataclass(frozen=True, slots=True)
class _Finding:
    aspect: Aspect
    planned: TextOrNull
    actual: TextOrNull
    causes: Annotated[tuple[_Cause, ...], about("Empty where no known cause holds.")]


@dataclass(frozen=True, slots=True)
class _Pods:
    workload: str
    count: Count


@dataclass(frozen=True, slots=True)
class _Planned:
    number: Annotated[Count, about("From 1, in the order of the plan's nodes.")]
    node_pool: str
    instance_type: str
    capacity_type: str
    zones: tuple[str, ...]
    pods: Annotated[tuple[_Pods, ...], about("DaemonSets aside.")]


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    node_claim: TextOrNull
    node_pool: TextOrNull
    instance_type: TextOrNull
    capacity_type: TextOrNull
    zone: TextOrNull
    created: _MaybeInstant
    state: LiveState
    pods: Annotated[tuple[_Pods, ...], about("DaemonSets aside.")]


@dataclass(frozen=True, slots=True)
class _Verdict:
    outcome: NodeOutcome
    planned: _Planned | None
    node: _Node | None
    findings: tuple[_Finding, ...]


@dataclass(frozen=True, slots=True)
class _Outcomes:
    """Nodes by outcome; those of before and those of others are not compared."""

    as_planned: Count
    different: Count
    missing: Count
    unplanned: Count
    before: Count
    foreign: Count


@dataclass(frozen=True, slots=True)
class VerificationRecord:
    """What happened to a plan: each planned node and each node of the cluster, what differs, and why."""

    version: Literal[1]
    region: str
    karpenter: Annotated[TextOrNull, about("Release whose rules the plan applied.")]
    running: Annotated[TextOrNull, about("Release that the log names.")]
    strictly_right: Annotated[bool, about("Whether nothing is unplanned and nothing differs without a cause.")]
    nodes: _Outcomes
    unexplained: Annotated[Count, about("Differences without a known cause.")]
    causes: Annotated[tuple[_NamedCause, ...], about("Those that are named, with the number of differences.")]
    memory: Annotated[AmountTexts, about("Memory by instance type, as a document of kind Figures takes it.")]
    verdicts: tuple[_Verdict, ...]


def verify_json(answer: Verification) -> str:
    """Return the verdicts as indented JSON that ends in a newline."""
    counts = answer.causes
    record = VerificationRecord(
        version=VERSION,
        region=answer.region,
        karpenter=answer.karpenter,
        running=answer.running,
        strictly_right=answer.is_strictly_right,
        nodes=_Outcomes(*(len(answer.of(outcome)) for outcome in NodeOutcome)),
        unexplained=len(answer.unexplained),
        causes=tuple(_NamedCause(c.id, c.title, counts[c.id], c.remedy) for c in CAUSES if c.id in counts),
        memory={name: memory(amount) for name, amount in answer.memory.items()},
        verdicts=tuple(map(_verdict, answer.verdicts)),
    )
    return json_of(record)


def _verdict(verdict: NodeVerdict) -> _Verdict:
    planned = None if verdict.slot is None else _planned(verdict.slot)
    node = None if verdict.node is None else _node(verdict.node)
    return _Verdict(verdict.outcome, planned, node, tuple(map(_finding, verdict.findings)))


def _planned(slot: Slot) -> _Planned:
    node = slot.node
    return _Planned(slot.number, node.node_pool, node.instance_type, node.capacity_type, node.zones, _pods(slot.pods))


def _node(node: LiveNode) -> _Node:
    return _Node(
        name=node.name,
        node_claim=node.claim,
        node_pool=node.node_pool,
        instance_type=node.instance_type,
        capacity_type=node.capacity_type,
        zone=node.zone,
        created=node.created,
        state=node.state,
        pods=_pods(node.pods),
    )


def _pods(pods: Mapping[str, int]) -> tuple[_Pods, ...]:
    return tuple(_Pods(workload, count) for workload, count in sorted(pods.items()))


def _finding(finding: ExplainedDeviation) -> _Finding:
    deviation = finding.deviation
    causes = tuple(_Cause(named.cause.id, named.because) for named in finding.causes)
    return _Finding(deviation.aspect, deviation.planned, deviation.actual, causes)
