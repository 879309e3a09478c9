"""Static NodePools: their nodes are launched and removed by replicas, regardless of pods.

(spec: scheduling 3.10; disruption 8.5; D-81)
"""

from __future__ import annotations

from typing import Final

from cutlist.core.identity import SameObject
from cutlist.disruption.static_scale_in import surplus
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.results import PlacedClaim
from cutlist.scheduling.static_claims import bare_claim, missing_nodes
from cutlist.simulation.draining import Draining
from cutlist.simulation.ledger import CommandRecord
from cutlist.simulation.provisioning import Launcher
from cutlist.simulation.world import World

SCALED_IN: Final = "ScaledIn"
"""Why a node of a static NodePool is removed that has more nodes than replicas."""
_METHOD: Final = "static NodePool"


class StaticPools:
    """The controllers of static NodePools, which act as soon as nodes or replicas have changed."""

    __slots__ = ("_claims", "_draining", "_indexed", "_indexes", "_launcher", "_looked", "_world")
    NOT_SAVED: Final = frozenset(("_claims", "_indexed", "_indexes"))

    def __init__(self, world: World, launcher: Launcher, draining: Draining) -> None:
        self._world = world
        self._launcher = launcher
        self._draining = draining
        self._looked = -1
        self._indexed: SameObject | None = None
        self._indexes: InstanceTypeIndexes | None = None
        self._claims: dict[str, PlacedClaim | None] = {}

    def notice(self) -> None:
        """Launch missing nodes, and remove surplus ones, if something has changed."""
        cluster = self._world.cluster
        if cluster.changes == self._looked:
            return
        self._looked = cluster.changes
        pools = [pool for name, pool in sorted(cluster.base.pools.items()) if pool.is_static]
        if not pools:
            return
        self._scale_in()
        nodes = [node.state for node in cluster.nodes.values()]
        for pool in pools:
            claim = self.claim(pool.name) if (missing := missing_nodes(pool, nodes)) else None
            if claim is not None:
                self._record("launch", (), tuple(filter(None, (self._launcher.launch(claim) for _ in range(missing)))))
        self._looked = cluster.changes

    def claim(self, pool: str) -> PlacedClaim | None:
        """Return the claim of a NodePool's template, or None if it may launch nothing now or was deleted."""
        base = self._world.cluster.base
        if pool not in base.pools:
            return None
        # Another edition of the cluster has other types.
        if self._indexed != SameObject(base) or self._indexes is None:
            self._indexed, self._claims = SameObject(base), {}
            self._indexes = InstanceTypeIndexes(base.types, base.karpenter)
        if pool not in self._claims:
            table = self._indexes.of(pool, base.registry.well_known)
            buys = self._launcher.predicted
            self._claims[pool] = bare_claim(base.pools[pool], base.registry, base.daemons, table, buys)
        return self._claims[pool]

    def _scale_in(self) -> None:
        names = tuple(node.name for node in surplus(self._world.cluster.state()))
        if names:
            self._record("delete", names, ())
        for name in names:
            self._draining.begin(name, SCALED_IN)

    def _record(self, decision: str, nodes: tuple[str, ...], launched: tuple[str, ...]) -> None:
        if nodes or launched:
            record = CommandRecord(self._world.now, _METHOD, "replicas", decision, nodes, launched)
            self._world.ledger.commands.append(record)
