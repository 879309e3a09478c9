"""The verdict on each node: as planned or not, and for which causes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter
from typing import Annotated, Literal

from cutlist.core.quantity import memory
from cutlist.core.records import FLAT, AmountTexts, Count, Key, TextOrNull, about, computed, form_of
from cutlist.verification.causes import CAUSES, Cause
from cutlist.verification.deviations import Aspect, Deviation, deviations, missing, unplanned
from cutlist.verification.live import LiveNode
from cutlist.verification.matching import Slot
from cutlist.verification.situation import Situation

_MemoryByType = Annotated[
    Mapping[str, int],
    form_of(AmountTexts).through(lambda amounts: {name: memory(amount) for name, amount in amounts.items()}),
    about("Memory by instance type, as a document of kind Figures takes it."),
]


class NodeOutcome(StrEnum):
    """What happened to a node."""

    AS_PLANNED = "as planned"
    DIFFERENT = "different"
    MISSING = "missing"
    UNPLANNED = "unplanned"
    BEFORE = "there before"
    FOREIGN = "not Karpenter's"


@dataclass(frozen=True, slots=True)
class NamedCause:
    """A cause of a deviation, with its evidence."""

    cause: Annotated[Cause, form_of(str).through(attrgetter("id")), Key("id"), about("One of docs/causes.md.")]
    because: Annotated[str, about("What shows it.")]


@dataclass(frozen=True, slots=True)
class ExplainedDeviation:
    """A deviation and its causes; none if no known cause holds."""

    deviation: Annotated[Deviation, FLAT]
    causes: Annotated[tuple[NamedCause, ...], about("Empty where no known cause holds.")]

    @property
    def is_explained(self) -> bool:
        """Tell whether some cause is known."""
        return bool(self.causes)


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """A planned node, a node of the cluster, or both, with what differs.

    A node is as planned if at most its amounts for pods differ.
    """

    outcome: NodeOutcome
    slot: Annotated[Slot | None, Key("planned")] = None
    node: LiveNode | None = None
    findings: tuple[ExplainedDeviation, ...] = ()

    @property
    def planned_text(self) -> str:
        """Return the planned node without its pods: `general: m7g.large spot`; empty for an unplanned one."""
        if self.slot is None:
            return ""
        planned = self.slot.node
        return f"{planned.node_pool}: {planned.instance_type} {planned.capacity_type}"

    @property
    def node_text(self) -> str:
        """Return the actual node without its pods: `general: m6g.large spot us-west-2a`; empty for a missing one."""
        if self.node is None:
            return ""
        bought = " ".join(filter(None, (self.node.instance_type, self.node.capacity_type, self.node.zone)))
        return ": ".join(filter(None, (self.node.node_pool, bought)))

    @property
    def is_explained(self) -> bool:
        """Tell whether everything that differs has a cause."""
        return all(finding.is_explained for finding in self.findings)


@dataclass(frozen=True, slots=True)
class NodeCounts:
    """Nodes by outcome; those of before and those of others are not compared."""

    as_planned: Count
    different: Count
    missing: Count
    unplanned: Count
    before: Count
    foreign: Count


@dataclass(frozen=True, slots=True)
class ExplainingCause:
    """A cause of some differences: how many it explains, and what to do about it."""

    id: str
    title: str
    differences: Count
    remedy: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What happened to a plan: each planned node and each node of the cluster, what differs, and why.

    The verdicts are on planned nodes, in the plan's order, then on unplanned ones, earlier ones and those that are not
    Karpenter's. `karpenter` is the release of the plan, `running` the one that the log names; either is empty if unknown.
    `memory` is the least capacity in nano-bytes that machines of a planned type report, for types where it differs from the
    estimate.
    """

    region: str
    karpenter: Annotated[TextOrNull, about("Release whose rules the plan applied.")]
    running: Annotated[TextOrNull, about("Release that the log names.")]
    memory: _MemoryByType
    verdicts: tuple[NodeVerdict, ...]

    @property
    @computed(after="")
    def version(self) -> Literal[1]:
        """Return the version of the JSON."""
        return 1

    def of(self, *outcomes: NodeOutcome) -> tuple[NodeVerdict, ...]:
        """Return the verdicts with one of these outcomes."""
        return tuple(verdict for verdict in self.verdicts if verdict.outcome in outcomes)

    @property
    def alike(self) -> tuple[tuple[NodeVerdict, ...], ...]:
        """Return the verdicts on compared nodes, grouped by what differs and for which causes."""
        groups: dict[object, list[NodeVerdict]] = {}
        for verdict in self.of(NodeOutcome.DIFFERENT, NodeOutcome.MISSING, NodeOutcome.UNPLANNED, NodeOutcome.AS_PLANNED):
            groups.setdefault(_likeness(verdict), []).append(verdict)
        return tuple(map(tuple, groups.values()))

    @property
    def findings(self) -> tuple[ExplainedDeviation, ...]:
        """Return everything that differs."""
        return tuple(finding for verdict in self.verdicts for finding in verdict.findings)

    @property
    @computed(after="is_strictly_right")
    def nodes(self) -> NodeCounts:
        """Return how many nodes have each outcome."""
        return NodeCounts(*(len(self.of(outcome)) for outcome in NodeOutcome))

    @property
    @computed(after="nodes")
    def unexplained(
        self,
    ) -> Annotated[tuple[ExplainedDeviation, ...], form_of(Count).through(len), about("Differences without a known cause.")]:
        """Return what differs without a known cause."""
        return tuple(finding for finding in self.findings if not finding.is_explained)

    @property
    def causes(self) -> dict[str, int]:
        """Return how many deviations each cause explains, by its id, in the order of the causes."""
        return {cause.id: cause.differences for cause in self.explaining}

    @property
    @computed(after="unexplained")
    def explaining(
        self,
    ) -> Annotated[tuple[ExplainingCause, ...], Key("causes"), about("Those that are named, with the number of differences.")]:
        """Return the causes of deviations, in the order of all causes."""
        ids = [named.cause.id for finding in self.findings for named in finding.causes]
        return tuple(ExplainingCause(c.id, c.title, ids.count(c.id), c.remedy) for c in CAUSES if c.id in ids)

    @property
    def summary(self) -> str:
        """Return one sentence on all nodes, without its full stop."""
        nodes = self.nodes
        compared = nodes.as_planned + nodes.different + nodes.missing
        counts = {"different": nodes.different, "missing": nodes.missing, "unplanned": nodes.unplanned}
        others = "".join(f", {count:,} {outcome}" for outcome, count in counts.items() if count)
        return f"{nodes.as_planned:,} of {compared:,} planned nodes are as planned{others}"

    @property
    @computed(after="running")
    def is_strictly_right(
        self,
    ) -> Annotated[bool, Key("strictlyRight"), about("Whether nothing is unplanned and nothing differs without a cause.")]:
        """Tell whether the plan foresaw every node, and every difference has a cause."""
        return not self.unexplained and not self.of(NodeOutcome.UNPLANNED)


def verdicts(situation: Situation) -> Verification:
    """Return what happened to the nodes of a plan."""
    matching = situation.matching
    not_there = [
        NodeVerdict(NodeOutcome.MISSING, slot=s, findings=_findings([missing(s)], situation)) for s in matching.missing
    ]
    new = [
        NodeVerdict(NodeOutcome.UNPLANNED, node=n, findings=_findings([unplanned(n)], situation)) for n in matching.unplanned
    ]
    explained = frozenset(
        workload for verdict in (*not_there, *new) if verdict.is_explained for workload in _workloads(verdict)
    )
    with_explained = replace(situation, explained_pods=explained)
    matched = [_matched(slot, node, with_explained) for slot, node in matching.pairs]
    planned = sorted((*matched, *not_there), key=lambda verdict: verdict.slot.number if verdict.slot is not None else 0)
    apart = [NodeVerdict(NodeOutcome.BEFORE, node=node) for node in situation.before]
    apart += [NodeVerdict(NodeOutcome.FOREIGN, node=node) for node in situation.foreign]
    return Verification(
        region=situation.plan.region,
        karpenter=situation.plan.karpenter,
        running=situation.log.version,
        memory=_measured_memory(situation),
        verdicts=(*planned, *new, *apart),
    )


def _matched(slot: Slot, node: LiveNode, situation: Situation) -> NodeVerdict:
    findings = _findings(deviations(slot, node), situation)
    differs = any(finding.deviation.aspect is not Aspect.ALLOCATABLE for finding in findings)
    return NodeVerdict(NodeOutcome.DIFFERENT if differs else NodeOutcome.AS_PLANNED, slot, node, findings)


def _findings(differences: Iterable[Deviation], situation: Situation) -> tuple[ExplainedDeviation, ...]:
    return tuple(ExplainedDeviation(deviation, _causes(deviation, situation)) for deviation in differences)


def _causes(deviation: Deviation, situation: Situation) -> tuple[NamedCause, ...]:
    """Return the causes that hold; weak ones only where no other does."""
    for weak in (False, True):
        held = [NamedCause(of, because) for of in CAUSES if of.weak is weak and (because := of.of(deviation, situation))]
        if held:
            return tuple(held)
    return ()


def _likeness(verdict: NodeVerdict) -> object:
    """Return a value that is equal for nodes that differ alike."""
    what = (
        (f.deviation.aspect, f.deviation.planned, f.deviation.actual, *(n.cause.id for n in f.causes)) for f in verdict.findings
    )
    return verdict.outcome, verdict.planned_text, tuple(what)


def _workloads(verdict: NodeVerdict) -> Iterable[str]:
    return verdict.slot.pods if verdict.slot is not None else verdict.node.pods if verdict.node is not None else ()


def _measured_memory(situation: Situation) -> dict[str, int]:
    """Return the least memory that machines of each planned type report, if the plan's amount for pods differs."""
    measured: dict[str, int] = {}
    for slot, node in situation.matching.pairs:
        planned, memory = slot.node, node.capacity.get("memory")
        differs = planned.allocatable.get("memory") != node.allocatable.get("memory")
        if memory and node.instance_type == planned.instance_type and differs:
            measured[node.instance_type] = min(memory, measured.get(node.instance_type, memory))
    return dict(sorted(measured.items()))
