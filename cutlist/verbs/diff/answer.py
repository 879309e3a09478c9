"""Two sides compared: their plans, and what the second does to the nodes that the first left running.

A side is a set of manifests, a stored plan, or a cluster: what runs there against what a proposal would launch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Final

from cutlist.core.errors import InputError, Place, Problems
from cutlist.core.records import FLAT, SPARSE, After, Key, TextOrNull, about, computed, form_of
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.disruption.edits import Reach
from cutlist.documents.collecting import collect_documents
from cutlist.documents.folders import PLAIN, Reading
from cutlist.planning.cloud import KeptPredictions
from cutlist.planning.inputs import PlanInputs
from cutlist.planning.model import DETERMINED, UNKNOWN_PRICE, PendingPods, Plan, PlannedNode, PodShare
from cutlist.planning.model.comparison import Comparison
from cutlist.state.cluster import Cluster
from cutlist.state.statenode import StateNode, state_nodes
from cutlist.verbs.cluster_state import newest_time
from cutlist.verbs.diff.because import Because, because, because_of_clusters, because_of_proposal
from cutlist.verbs.diff.edits import Edits
from cutlist.verbs.diff.money import MonthlyPrice, PoolPrice, monthly_price, pool_prices
from cutlist.verbs.diff.nodes import BlastRadius, blast_radius
from cutlist.verbs.diff.objects import ObjectChange, object_changes
from cutlist.verbs.diff.sides import Paths, Reader, Scope, Scopes, Side, StackPlanner, no_stacks, read_side, side_of
from cutlist.verbs.diff.traps.finding import traps_of
from cutlist.verbs.diff.traps.trap import Change as TriedChange
from cutlist.verbs.diff.traps.trap import Trap
from cutlist.verbs.diff.volumes import VolumePrices, volume_prices
from cutlist.verbs.nodes.roster import NodeRow, roster
from cutlist.verbs.plan.answer import plan
from cutlist.verbs.plan.nodes_alone import nodes_alone
from cutlist.workloads.groups import workload_name

__all__ = ["Difference", "diff", "diff_paths", "diff_sides"]

_WAITS: Final = "is pending in the cluster"


def _scopes(before: Side, after: Side) -> tuple[Scope, Scope]:
    """Return what can be compared. If neither side has a pod, NodePools with replicas are enough for both."""
    scopes, pods = (before.scope, after.scope), (before.has_pods, after.has_pods)
    workloads = pods if any(pods) else (scopes[0].workloads or scopes[1].workloads,) * 2
    return replace(scopes[0], workloads=workloads[0]), replace(scopes[1], workloads=workloads[1])


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different between two sides, and which nodes are replaced by it.

    `blast` is what happens to the nodes, if there are any. `objects` are those that differ.
    """

    before: Annotated[str, Key("old")]
    after: Annotated[str, Key("new")]
    comparison: Annotated[Comparison, FLAT]
    blast: Annotated[BlastRadius | None, Key("drift"), about("Null without nodes of a cluster."), After("objects")] = None
    objects: Annotated[
        tuple[ObjectChange, ...] | None,
        about("Every field that changes; null where a side is a plan in a file."),
        After("scopes"),
    ] = None
    scopes: Annotated[
        tuple[Scope, Scope],
        form_of(Scopes),
        Key("scope"),
        about("What each side has: without it plans cannot be compared."),
    ] = (Scope(), Scope())
    because: Annotated[
        Because | None,
        After("node_pools"),
        about("Each edit with its part of the difference in price; null without any node, and for plans in files."),
    ] = None
    traps: Annotated[
        tuple[Trap, ...], After("because"), about("What the change does besides what its author may have meant.")
    ] = ()
    compared: Annotated[TextOrNull, about("What was compared, where the sides do not say so."), After("after")] = ""
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None

    @property
    @computed(after="comparison")
    def is_none(self) -> Annotated[bool, Key("same")]:
        """Tell whether nothing differs: all pods get the same nodes and volumes at the same price, and no edit has a node
        replaced."""
        return self.comparison.is_same and not self.reaches_nodes and not (self.volumes is not None and self.volumes.changes)

    @property
    @computed(after="is_none")
    def month(self) -> Annotated[MonthlyPrice, Key("perMonth"), about("What all new nodes cost a month, in USD.")]:
        """Return what all new nodes cost before and after."""
        return monthly_price(self.comparison)

    @property
    @computed(after="month")
    def node_pools(self) -> Annotated[tuple[PoolPrice, ...], Key("byNodePool"), about("By the size of the difference.")]:
        """Return what the new nodes of each NodePool cost a month before and after, in USD, and what they are."""
        return pool_prices(self.comparison)

    @property
    @computed(after="node_pools")
    def volumes(self) -> Annotated[VolumePrices | None, about("What claimed volumes cost a month; null if there are none.")]:
        """Return what the volumes that pods claim cost a month before and after."""
        return volume_prices(self.comparison)

    @property
    def reaches_nodes(self) -> bool:
        """Tell whether nodes are replaced or may be: those of a cluster, else any that the NodePools may have."""
        if self.blast is not None:
            return not self.blast.changes_nothing
        return any(change.reach is not Reach.NONE for change in self.objects or ())


def diff(before: PlanInputs, after: PlanInputs, now: float | None = None) -> Difference:
    """Return the differences between the plans of two inputs, and what the second does to its nodes.

    With nodes in `after` it says which of them are replaced once its NodePools and node classes are applied, at an instant
    (seconds since 1970), by default the newest one in the nodes.

    >>> from cutlist import diff, read_inputs
    >>> before = read_inputs(["examples/shop/pools.yaml", "examples/shop/snapshot.yaml"], region="us-west-2")
    >>> after = read_inputs(["examples/shop/next/pools.yaml"], cluster=["examples/shop/snapshot.yaml"], region="us-west-2")
    >>> [node.claim for node in diff(before, after).blast.replaced]
    ['general-1x11', 'general-1x12', 'general-2x21', 'general-3x31']
    """
    return diff_sides(side_of("before", before), side_of("after", after), now)


def diff_paths(
    old: str,
    new: str,
    common: Paths,
    read: Reader,
    now: float | None = None,
    stacks: StackPlanner = no_stacks,
    reading: Reading = PLAIN,
) -> Difference:
    """Return the differences between two paths; one that contains nodes is a cluster, and counts as running.

    If only the first is a cluster, the second is a proposal for it: it takes the cluster's objects where it has none of its
    own, and its plan has new nodes for all pods of the existing nodes. Raises InputError as `read_side` and `diff_sides` do.
    """
    before = read_side(old, common, (), read, stacks=stacks)
    if not before.is_cluster:
        return diff_sides(before, read_side(new, common, (), read, stacks=stacks), now)
    alone = any(d.kind == "NodeClaim" for d in collect_documents((new,), Problems(), None, reading))
    after = read_side(new, common, () if alone else (old,), read, stacks=stacks)
    if before.inputs is None or after.inputs is None:
        raise _no_objects(after)
    planned = _what_runs(after.inputs) if alone else _all_replanned(after.inputs)
    objects = object_changes(before.inputs, after.inputs, karpenter_alone=not alone)
    comparison = Comparison.of(_what_runs(before.inputs), planned)
    reasons = _because_of_cluster(before.inputs, after.inputs, comparison, of_both=alone)
    return Difference(
        old,
        new,
        comparison,
        _blast(before, after, now),
        objects,
        _scopes(before, after),
        reasons,
        services=_services(comparison),
    )


def diff_sides(before: Side, after: Side, now: float | None = None) -> Difference:
    """Return the differences between two sides, for existing nodes at an instant (by default the newest in their data).

    Raises InputError for nodes together with a plan in a file, which does not say what the nodes were made from.
    """
    blast = _blast(before, after, now)
    objects = None
    if before.inputs is not None and after.inputs is not None:
        objects = object_changes(before.inputs, after.inputs)
    comparison = Comparison.of(before.make(), after.make())
    scopes = _scopes(before, after)
    reasons = _because(before, after, comparison, objects) if any(scope.workloads for scope in scopes) else None
    found = _traps(before, after, comparison, objects)
    return Difference(
        before.label, after.label, comparison, blast, objects, scopes, reasons, found, services=_services(comparison)
    )


def _services(comparison: Comparison) -> tuple[RunningService, ...] | None:
    """Return the services that run Karpenter on either side, each once; None without any."""
    return tuple(dict.fromkeys((*comparison.after.services, *comparison.before.services))) or None


def _traps(before: Side, after: Side, comparison: Comparison, objects: Sequence[ObjectChange] | None) -> tuple[Trap, ...]:
    """Return the traps in the change; none for plans in files, and where no object differs."""
    if before.inputs is None or after.inputs is None or not objects:
        return ()
    return traps_of(TriedChange((before.inputs, after.inputs), (comparison.before, comparison.after), objects, plan))


def _because(before: Side, after: Side, comparison: Comparison, objects: Sequence[ObjectChange] | None) -> Because | None:
    """Return each edit with its part of the difference; None for a plan in a file, which has no objects, and without any new
    node, whose price could differ."""
    if before.inputs is None or after.inputs is None or objects is None:
        return None
    if not (comparison.before.nodes or comparison.after.nodes):
        return None
    return because(
        Edits.between(before.inputs, after.inputs, objects), comparison, partial(nodes_alone, kept=KeptPredictions())
    )


def _because_of_cluster(before: PlanInputs, after: PlanInputs, comparison: Comparison, *, of_both: bool) -> Because | None:
    """Return each edit between a cluster and a proposal for it, or another cluster, with its part of the difference; None
    without any node, whose price could differ."""
    if not (comparison.before.nodes or comparison.after.nodes):
        return None
    changes, kept = object_changes(before, after), KeptPredictions()

    def placed_again(inputs: PlanInputs) -> Plan:
        return nodes_alone(_without_nodes(inputs), kept)

    if not of_both:
        return because_of_proposal(Edits.between(before, after, changes), comparison, placed_again)
    edits = Edits.between_clusters(before, after, changes)
    if comparison.is_same and not edits.all:
        return None
    return because_of_clusters(edits, comparison, placed_again)


def _blast(before: Side, after: Side, now: float | None) -> BlastRadius | None:
    if not after.is_cluster:
        return None
    if before.inputs is None or after.inputs is None:
        raise _no_objects(before if before.inputs is None else after)
    return blast_radius(before.inputs, after.inputs, newest_time(after.inputs) if now is None else now)


def _no_objects(side: Side) -> InputError:
    text = "a plan does not hold the NodePools and node classes that decide which nodes are replaced"
    return InputError.one(Place(side.label), text, "the manifests that it was made from")


def _managed(cluster: Cluster) -> Iterator[StateNode]:
    return (m for m in state_nodes(cluster) if m.claim is not None)


def _all_replanned(inputs: PlanInputs) -> Plan:
    """Return the plan for all pods of Karpenter's nodes as if these were removed; the cluster's other nodes are left out."""
    replanned = plan(_without_nodes(inputs))
    return replace(replanned, nodes=tuple(replace(node, candidates=()) for node in replanned.nodes))


def _without_nodes(inputs: PlanInputs) -> PlanInputs:
    """Return the inputs as if Karpenter's nodes were removed, so that all their pods are placed again."""
    return replace(inputs, cluster=inputs.cluster.without({m.name for m in _managed(inputs.cluster)}))


def _what_runs(inputs: PlanInputs) -> Plan:
    """Return Karpenter's nodes as if they had been planned, and the waiting pods."""
    rows = {row.name: row for row in roster(inputs.cluster, inputs.catalog, inputs.figures).nodes}
    planned = (_as_planned(m, rows[m.name]) for m in _managed(inputs.cluster))
    nodes = sorted(planned, key=lambda n: (n.node_pool, n.instance_type))
    pending = (PendingPods(g.workload, g.count, _WAITS) for g in inputs.workloads.groups)
    return Plan(inputs.catalog.region, tuple(nodes), tuple(pending))


def _as_planned(node: StateNode, row: NodeRow) -> PlannedNode:
    pods = [p for p in node.pods if p.reschedulable]
    return PlannedNode(
        node_pool=row.pool,
        count=1,
        instance_type=row.instance_type,
        certainty=UNKNOWN_PRICE if row.price is None else DETERMINED,
        capacity_type=row.capacity_type,
        capacity_types=(row.capacity_type,) if row.capacity_type else (),
        zones=(row.zone,) if row.zone else (),
        price=row.price,
        requests=row.requested,
        allocatable=row.allocatable,
        pods=tuple(PodShare(workload_name("Pod", p.pod.namespace, p.name), 1) for p in pods),
        candidates=(),
        requirements=(),
    )
