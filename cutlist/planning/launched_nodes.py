"""The nodes that the claims of one controller become between the passes of a plan."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from cutlist.core.identity import SameObject
from cutlist.core.requirements import Requirements
from cutlist.planning.pass_cluster import PassCluster
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.launched import Purchase, launched, with_daemons
from cutlist.scheduling.node_terms import ExpectedDaemons
from cutlist.scheduling.nodeclaimtemplate import DaemonPods
from cutlist.scheduling.results import PlacedClaim
from cutlist.state.full_nodes import named
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import PodVolumes
from cutlist.workloads.pods import Pod


class Launcher:
    """Turns claims of one controller into nodes of the cluster."""

    def __init__(self, first: SchedulerInputs, cluster: PassCluster) -> None:
        self._registry = first.registry
        self._taints = {pool.name: pool.taints for pool in first.pools}
        self._daemons = ExpectedDaemons(DaemonPods(first.daemons, first.registry).pods, first.registry)
        self._cluster = cluster
        self._alike: dict[Hashable, _Launched] = {}

    def launch(
        self,
        name: str,
        claim: PlacedClaim,
        purchase: Purchase,
        attach_limits: Mapping[str, int],
        volumes: Mapping[int, PodVolumes],
    ) -> None:
        """Add the node of a claim to the cluster, with its daemons, and its pods with their volumes."""
        alike = self._launched(claim, purchase)
        node = replace(named(alike.node, name), attach_limits=attach_limits)
        self._cluster.add(node, alike.daemons, self._cluster.real(claim.pods), volumes)

    def is_full(self, claim: PlacedClaim, purchase: Purchase) -> bool:
        """Tell whether it is enough to count the node of a claim: no pod that waits has room on it."""
        return self._cluster.is_full(self._launched(claim, purchase).node)

    def count(self, numbers: range, claim: PlacedClaim, purchase: Purchase, attach_limits: Mapping[str, int]) -> None:
        """Add the full nodes of equal claims of these numbers."""
        alike = self._launched(claim, purchase)
        self._cluster.count(
            replace(alike.node, attach_limits=attach_limits), alike.daemons, claim.pods, claim.node_pool, numbers
        )

    def _launched(self, claim: PlacedClaim, purchase: Purchase) -> _Launched:
        """Return the node of a claim and its daemons; those of equal claims differ only in the name."""
        key = (claim.node_pool, claim.requirements, SameObject(claim.candidates), tuple(claim.pods.items()))
        cached = self._alike.get(key)
        if cached is None:
            taints = self._taints[claim.node_pool]
            node = launched("", claim, taints, self._cluster.batches, self._registry, purchase)
            daemons = self._daemons.on(Requirements.of_labels(node.labels, self._registry), node.taints)
            # Karpenter looks again while they start, and tries nodes that run first (S-50).
            starting = replace(with_daemons(node, daemons), initialized=False)
            cached = self._alike[key] = _Launched(starting, daemons)
        return cached


@dataclass(frozen=True, slots=True)
class _Launched:
    """A node of a claim without a name, and the daemons that run on it."""

    node: SchedulingNode
    daemons: Sequence[Pod]
