"""Claims of static NodePools: how many nodes such a pool lacks, and the bare claim for each (spec: scheduling 3.10, api-objects
1.7; V-63, V-64)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from cutlist.api.nodepool import NodePool
from cutlist.core.labels import HOSTNAME, INITIALIZED, NODEPOOL, REGISTERED, LabelRegistry
from cutlist.core.quantity import NANO
from cutlist.scheduling.inputs import is_ready
from cutlist.scheduling.instancetype_options import InstanceTypeOptionsCache
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.launched import Purchase
from cutlist.scheduling.nodeclaimtemplate import DaemonPods, NodeClaimTemplate, daemon_groups, fresh_requirements, prefilter
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.scheduling.results import PlacedClaim
from cutlist.state.scheduling_node import NODES, SchedulingNode
from cutlist.workloads.pods import Pod


def missing_nodes(pool: NodePool, nodes: Sequence[SchedulingNode]) -> int:
    """Return how many nodes Karpenter makes for a NodePool because of its replicas, within its limit on nodes."""
    if pool.replicas is None or not is_ready(pool):
        return 0
    staying, leaving = own_nodes(pool, nodes)
    limit = pool.limits.get(NODES)
    # Nodes that are being removed count against the limit as long as they exist.
    room = pool.replicas if limit is None else limit.nanos // NANO - staying - leaving
    return max(0, min(pool.replicas - staying, room))


def own_nodes(pool: NodePool, nodes: Sequence[SchedulingNode]) -> tuple[int, int]:
    """Return how many nodes a NodePool has that stay, and how many that are being removed."""
    own = [node for node in nodes if node.labels.get(NODEPOOL) == pool.name]
    return sum(node.in_pass for node in own), sum(node.removed for node in own)


def bare_claim(
    pool: NodePool,
    registry: LabelRegistry,
    daemons: Sequence[Pod],
    table: InstanceTypeIndex,
    purchase: Callable[[PlacedClaim], Purchase],
) -> PlacedClaim | None:
    """Return the claim of a NodePool's template with what DaemonSets request on it, or None if it may launch nothing."""
    wanted = fresh_requirements(pool, registry)
    mask = prefilter(table, wanted)
    if not mask:
        return None
    space = RequirementSpace(registry.well_known)
    template = NodeClaimTemplate(0, pool, table, mask, space.number(wanted))
    final = wanted.without(HOSTNAME, REGISTERED, INITIALIZED)
    candidates = InstanceTypeOptionsCache().of(template, final, mask)
    claim = PlacedClaim(pool.name, {}, final, {}, candidates)
    # Which daemons run is known only once the type is, so the requests come last.
    number = table.numbers[purchase(claim).type.name]
    overheads = (g.overhead for g in daemon_groups(template, DaemonPods(daemons, registry), space) if g.mask >> number & 1)
    return replace(claim, requests=dict(next(overheads, {})))
