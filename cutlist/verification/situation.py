"""All evidence on why a cluster differs from its plan: both sides, the declared objects, the log, the prices of today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from cutlist.logs import EndedClaim, FailedLaunch, UnavailableOffering
from cutlist.planning.model import Plan
from cutlist.verification.live import LiveCluster, LiveNode
from cutlist.verification.matching import Matching, Slot, match

PriceNow = Callable[[str, str, str], float | None]
"""Returns today's price of an instance type by capacity type and zone, in USD per hour, or None if it is unknown."""


@dataclass(frozen=True, slots=True)
class LogEvidence:
    """What the log and the events say, in order of time; `version` is that of the running Karpenter, empty if not named."""

    failed: tuple[FailedLaunch, ...] = ()
    unavailable: tuple[UnavailableOffering, ...] = ()
    ended: tuple[EndedClaim, ...] = ()
    version: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A field of a NodePool or node class that is not as declared, of a whole object where `path` is empty.

    `node_pools` are those whose nodes it concerns.
    """

    kind: str
    name: str
    path: str
    what: str
    node_pools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Declared:
    """What is known of the plan's inputs beyond the plan itself.

    `daemons` are the DaemonSets, None where they are unknown. `existing` are nodes that were there before, by name. `gates` are
    sentences on feature gates that are not in the cluster as the plan took them.
    """

    daemons: frozenset[str] | None = None
    existing: frozenset[str] = frozenset()
    edits: tuple[Edit, ...] = ()
    gates: tuple[str, ...] = ()


def no_prices(_instance_type: str, _capacity_type: str, _zone: str) -> float | None:
    """Return None: without a catalogue no price of today is known."""
    return None


@dataclass(frozen=True, slots=True)
class Situation:
    """A plan and a cluster, matched, with all evidence.

    `before` are the nodes that were there before the plan, by name, and `foreign` those that Karpenter does not manage; neither
    was matched. `since` is when the plan was applied (seconds since 1970), None where that is unknown. `explained_pods` are the
    workloads of nodes that are missing or unplanned for a known cause.
    """

    plan: Plan
    cluster: LiveCluster
    matching: Matching
    before: tuple[LiveNode, ...] = ()
    foreign: tuple[LiveNode, ...] = ()
    log: LogEvidence = field(default_factory=LogEvidence)
    declared: Declared = field(default_factory=Declared)
    price_now: PriceNow = no_prices
    since: float | None = None
    planned_pods: Mapping[str, int] = field(default_factory=dict)
    placed_on_existing: Mapping[str, int] = field(default_factory=dict)
    running_pods: Mapping[str, int] = field(default_factory=dict)
    pods_apart: Mapping[str, int] = field(default_factory=dict)
    explained_pods: frozenset[str] = frozenset()

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
        """Return the situation with the planned nodes matched to the cluster's.

        Left out of the match are nodes without a NodeClaim, those that the declared objects or the plan name as existing, and,
        with `since`, those that were created earlier.
        """
        known = declared or Declared()
        names = known.existing | {node.name for node in plan.existing}
        foreign = tuple(node for node in cluster.nodes if not node.is_of_karpenter)
        ours = [node for node in cluster.nodes if node.is_of_karpenter]
        before = tuple(node for node in ours if node.name in names or (since is not None and node.created < since))
        apart = {node.name for node in before}
        planned = [(share.workload, node.count * share.count) for node in plan.nodes for share in node.pods]
        on_existing = [(share.workload, share.count) for existing in plan.existing for share in existing.pods]
        waiting = [(pending.workload, pending.count) for pending in plan.pending]
        return Situation(
            plan=plan,
            cluster=cluster,
            matching=match(plan, [node for node in ours if node.name not in apart]),
            before=before,
            foreign=foreign,
            log=log or LogEvidence(),
            declared=known,
            price_now=price_now,
            since=since,
            planned_pods=_summed([*planned, *on_existing, *waiting]),
            placed_on_existing=_summed(on_existing),
            running_pods=_summed((w, n) for node in cluster.nodes for w, n in node.pods.items()),
            pods_apart=_summed((w, n) for node in (*before, *foreign) for w, n in node.pods.items()),
        )

    def surplus(self, workload: str) -> int:
        """Return how many more pods of a workload run on new nodes or wait than were planned, or 0.

        Pods on nodes of before count only as far as the plan places pods there: others ran there already.
        """
        on_existing = min(self.pods_apart.get(workload, 0), self.placed_on_existing.get(workload, 0))
        there = self.pods_on_new_nodes(workload) + self.cluster.waiting.get(workload, 0) + on_existing
        return max(0, there - self.planned_pods.get(workload, 0))

    def lacking(self, workload: str) -> int:
        """Return how many of the planned pods of a workload are not in the cluster at all, or 0."""
        there = self.running_pods.get(workload, 0) + self.cluster.waiting.get(workload, 0)
        return max(0, self.planned_pods.get(workload, 0) - there)

    def pods_on_new_nodes(self, workload: str) -> int:
        """Return how many pods of a workload run on nodes that the plan is compared with."""
        return self.running_pods.get(workload, 0) - self.pods_apart.get(workload, 0)

    @property
    def compared(self) -> tuple[LiveNode, ...]:
        """Return the nodes that the plan is compared with."""
        return (*(node for _, node in self.matching.pairs), *self.matching.unplanned)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Return the planned nodes."""
        return (*(slot for slot, _ in self.matching.pairs), *self.matching.missing)

    def slots_of_pool(self, node_pool: str) -> tuple[Slot, ...]:
        """Return the planned nodes of a NodePool."""
        return tuple(slot for slot in self.slots if slot.node.node_pool == node_pool)


def _summed(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for workload, count in counts:
        sums[workload] += count
    return dict(sums)
