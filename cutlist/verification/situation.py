"""All evidence on why a cluster differs from its plan: both sides, the declared objects, the log, today's prices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from cutlist.logs import EndedClaim
from cutlist.planning.model import Plan
from cutlist.verification.evidence import Declared, LogEvidence, PriceNow, lost_nodes, no_prices
from cutlist.verification.live import LiveCluster, LiveNode
from cutlist.verification.matching import Matching, Slot, match

REPLACED_WITHIN: Final = 900.0
"""Seconds within which the replacement of a node is launched."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A plan and a cluster, matched, with all evidence. `before` are the nodes that existed before the plan, by name, and
    `foreign` those that Karpenter does not manage; neither was matched. `explained_pods` are the workloads of nodes that are
    missing or unplanned for a known cause.

    `ended` are the nodes that were removed since the plan, and `lost` those of them that missing ones may have been, by the
    number of the planned node. `arrivals` are the first and the last creation time of each workload's pods. Pods on nodes that
    are not compared count as `pods_apart` unless they ran there before: as declared, or else because they are older than
    `first_pod`, the first pod that was created for the plan. `smallest` are the least amounts that machines have for pods, by
    NodePool and instance type.
    """

    plan: Plan
    cluster: LiveCluster
    matching: Matching
    before: tuple[LiveNode, ...] = ()
    foreign: tuple[LiveNode, ...] = ()
    log: LogEvidence = field(default_factory=LogEvidence)
    declared: Declared = field(default_factory=Declared)
    price_now: PriceNow = no_prices
    planned_pods: Mapping[str, int] = field(default_factory=dict)
    placed_on_existing: Mapping[str, int] = field(default_factory=dict)
    pods_on_new_nodes: Mapping[str, int] = field(default_factory=dict)
    pods_apart: Mapping[str, int] = field(default_factory=dict)
    first_pod: float = 0
    explained_pods: frozenset[str] = frozenset()
    ended: tuple[EndedClaim, ...] = ()
    lost: Mapping[int, EndedClaim] = field(default_factory=dict)
    arrivals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    smallest: Mapping[tuple[str, str], Mapping[str, int]] = field(default_factory=dict)

    @staticmethod
    def of(
        plan: Plan,
        cluster: LiveCluster,
        *,
        log: LogEvidence | None = None,
        declared: Declared | None = None,
        price_now: PriceNow = no_prices,
        since: float | None = None,
    ) -> Situation:
        """Return the situation with the planned nodes matched to the cluster's. The match leaves out nodes without a NodeClaim
        and those that the declared objects or the plan name as existing. With `since`, the instant at which the plan was
        applied (seconds since 1970), it also leaves out nodes that were created earlier.
        """
        known, evidence = declared or Declared(), log or LogEvidence()
        names = known.existing.keys() | {node.name for node in plan.existing}
        foreign = tuple(node for node in cluster.nodes if not node.is_of_karpenter)
        ours = [node for node in cluster.nodes if node.is_of_karpenter]
        before = tuple(node for node in ours if node.name in names or (since is not None and node.created < since))
        apart = {node.name for node in before}
        compared = [node for node in ours if node.name not in apart]
        matching = match(plan, compared)
        first = since or _first_pod(compared)
        ended = _ended_since(evidence.ended, compared, since)
        planned = [(share.workload, node.count * share.count) for node in plan.nodes for share in node.pods]
        on_existing = [(share.workload, share.count) for existing in plan.existing for share in existing.pods]
        on_existing += [(share.workload, share.count) for group in plan.node_groups for share in group.pods]
        waiting = [(pending.workload, pending.count) for pending in plan.pending]
        return Situation(
            plan=plan,
            cluster=cluster,
            matching=matching,
            before=before,
            foreign=foreign,
            log=evidence,
            declared=known,
            price_now=price_now,
            planned_pods=_summed([*planned, *on_existing, *waiting]),
            placed_on_existing=_summed(on_existing),
            pods_on_new_nodes=_summed((w, n) for node in compared for w, n in node.pods.items()),
            pods_apart=_summed((w, n) for node in (*before, *foreign) for w, n in _later(node, known, first).items()),
            first_pod=first,
            ended=ended,
            lost=lost_nodes(matching.missing, ended),
            arrivals=_arrivals(compared),
            smallest=_smallest(cluster.nodes),
        )

    def surplus(self, workload: str) -> int:
        """Return how many more pods of a workload run on new nodes or wait than were planned, or 0.

        Pods on earlier nodes count only up to the number that the plan places there: others ran there before.
        """
        on_existing = min(self.pods_apart.get(workload, 0), self.placed_on_existing.get(workload, 0))
        pods = self.pods_on_new_nodes.get(workload, 0) + self.cluster.waiting.get(workload, 0) + on_existing
        return max(0, pods - self.planned_pods.get(workload, 0))

    def pods_since_plan(self, node: LiveNode) -> dict[str, int]:
        """Return by workload the pods that a node outside the comparison got since the plan was made."""
        return _later(node, self.declared, self.first_pod)

    def lacking(self, workload: str) -> int:
        """Return how many of the planned pods of a workload are not in the cluster at all, or 0."""
        running = self.pods_on_new_nodes.get(workload, 0) + self.pods_apart.get(workload, 0)
        waiting = self.cluster.waiting.get(workload, 0)
        return max(0, self.planned_pods.get(workload, 0) - running - waiting)

    @property
    def compared(self) -> tuple[LiveNode, ...]:
        """Return the nodes that are compared with the plan."""
        return (*(node for _, node in self.matching.pairs), *self.matching.unplanned)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Return the planned nodes."""
        return (*(slot for slot, _ in self.matching.pairs), *self.matching.missing)


def _summed(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for workload, count in counts:
        sums[workload] += count
    return dict(sums)


def _ended_since(ended: Iterable[EndedClaim], compared: Iterable[LiveNode], since: float | None) -> tuple[EndedClaim, ...]:
    """Return the nodes that were removed since the plan: one removed earlier was not planned."""
    created = [node.created for node in compared if node.created]
    beginning = min(created, default=0.0) - REPLACED_WITHIN if since is None else since
    return tuple(claim for claim in ended if claim.at >= beginning)


def _first_pod(nodes: Iterable[LiveNode]) -> float:
    """Return the creation time of the oldest pod on some nodes, or 0 if none is known."""
    return min((times[0] for node in nodes for times in node.pods_since.values() if times), default=0.0)


def _later(node: LiveNode, declared: Declared, first: float) -> dict[str, int]:
    """Return the pods of a node that did not run there before: as declared, or else those that are not older."""
    older: Mapping[str, int] = {workload: sum(at < first for at in times) for workload, times in node.pods_since.items()}
    known = declared.existing.get(node.name, older)
    return {workload: max(0, count - known.get(workload, 0)) for workload, count in node.pods.items()}


def _arrivals(nodes: Iterable[LiveNode]) -> dict[str, tuple[float, float]]:
    """Return the first and the last creation time of each workload's pods, or of their nodes if the pods have none."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    for node in nodes:
        for workload in node.pods:
            times[workload] += node.pods_since.get(workload) or ((node.created,) if node.created else ())
    return {workload: (min(of), max(of)) for workload, of in times.items() if of}


def _smallest(nodes: Iterable[LiveNode]) -> dict[tuple[str, str], dict[str, int]]:
    smallest: dict[tuple[str, str], dict[str, int]] = {}
    for node in nodes:
        known = smallest.setdefault((node.node_pool, node.instance_type), dict(node.allocatable))
        for name, amount in node.allocatable.items():
            known[name] = min(amount, known.get(name, amount))
    return smallest
