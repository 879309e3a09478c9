"""The nodes that static NodePools make again for those that they lose, each as the cheapest type (spec: scheduling 3.10; V-63,
V-64)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cutlist.disruption.aftermath import launched_node
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Replacement
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.launched import Purchase, cheapest_purchase
from cutlist.scheduling.results import PlacedClaim
from cutlist.scheduling.static_claims import bare_claim, missing_nodes
from cutlist.state.statenode import StateNode


def missing_static_nodes(cluster: ClusterState) -> Mapping[str, int]:
    """Return how many nodes each static NodePool lacks and may make, by name."""
    states = [node.state for node in cluster.nodes]
    return {name: missing_nodes(cluster.pools[name], states) for name in sorted(cluster.pools)}


def static_nodes(cluster: ClusterState, missing: Mapping[str, int], prefix: str) -> Iterator[StateNode]:
    """Yield this many nodes of static NodePools, by name; none of one that may launch nothing.

    They are named by the prefix, the NodePool and a number.
    """
    tables = InstanceTypeIndexes(cluster.types, cluster.options.karpenter)

    def purchase(claim: PlacedClaim) -> Purchase:
        return cheapest_purchase(claim, cluster.registry)

    for name, count in missing.items():
        pool, table = cluster.pools[name], tables.of(name, cluster.registry.well_known)
        claim = bare_claim(pool, cluster.registry, cluster.daemons, table, purchase) if count else None
        if claim is not None:
            replacement = Replacement.of(claim)
            yield from (launched_node(f"{prefix}-{name}-{n}", claim, replacement, (), (), cluster) for n in range(count))
