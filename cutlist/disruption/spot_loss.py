"""The consequences when all spot capacity of a zone, or everywhere, ends at once (spec: disruption 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cutlist.disruption.aftermath import launched_node, placed
from cutlist.disruption.cluster_state import ClusterState, InstanceTypesByPool
from cutlist.disruption.command import Replacement
from cutlist.disruption.interruption import while_sold_out, without_spot
from cutlist.disruption.simulation import SimulatedPass, Simulator
from cutlist.scheduling.instancetypes import InstanceTypeIndexes
from cutlist.scheduling.launched import Purchase, cheapest_purchase
from cutlist.scheduling.results import PlacedClaim
from cutlist.scheduling.static_claims import bare_claim, missing_nodes
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class SpotLoss:
    """The nodes that are lost, by name, and where their pods are placed while no more spot capacity is sold there.

    `before` is the present cluster, `after` the resulting one. `simulation` placed the pods, on `replacements` as well.
    """

    zone: str
    before: ClusterState
    lost: tuple[StateNode, ...]
    simulation: SimulatedPass
    replacements: tuple[Replacement, ...]
    after: ClusterState

    @property
    def displaced(self) -> int:
        """Return how many pods lose their node and need another one."""
        return sum(p.reschedulable for n in self.lost for p in n.pods)

    @property
    def moved(self) -> int:
        """Return how many pods move to existing nodes."""
        return sum(self.simulation.moved.values())

    @property
    def launched(self) -> tuple[StateNode, ...]:
        """Return the new nodes, each as the cheapest type that its NodeClaim lists."""
        names = {n.name for n in self.before.nodes}
        return tuple(n for n in self.after.nodes if n.name not in names)

    @property
    def error(self) -> str:
        """Return why no pod could be placed again; empty where some could, or where there was none to place."""
        return self.simulation.error if self.displaced else ""

    @property
    def pending(self) -> Mapping[str, tuple[int, str]]:
        """Return the pods that cannot be placed, by namespace and name, with their number and the reason."""
        unplaced: dict[str, tuple[int, str]] = {}
        for number, why in self.simulation.errors.items():
            batch = self.simulation.batches[number]
            if batch.virtual:
                continue
            taken = sum(c.pods.get(number, 0) for c in self.simulation.claims)
            taken += sum(pods.get(number, 0) for pods in self.simulation.moves.values())
            namespace = f"{batch.pod.namespace}/"  # pods of a plan have it in the name of their workload
            unplaced[namespace + batch.name.removeprefix(namespace)] = (batch.count - taken, why)
        return unplaced


def lose_spot(cluster: ClusterState, zone: str = "") -> SpotLoss:
    """Remove every spot node of a zone, or without a zone all spot nodes, and place their pods again.

    Nothing is drained first and no budget applies, as when capacity really ends. The remaining nodes accept what they can; the
    other pods get new nodes, none of them spot in that zone. Static NodePools then make as many nodes as they lack.
    """
    interrupted = without_spot(cluster.nodes, cluster.now, zone)
    pairs = [(before, after is not before) for before, after in zip(cluster.nodes, interrupted.nodes, strict=True)]
    lost = tuple(node for node, is_lost in pairs if is_lost)
    types = {pool: while_sold_out(listed, interrupted.sold_out, cluster.now) for pool, listed in cluster.types.items()}
    left = replace(
        cluster,
        nodes=[node for node, is_lost in pairs if not is_lost],
        displaced=(*cluster.displaced, *(p for n in lost for p in n.pods if p.reschedulable)),
        types=InstanceTypesByPool(types),
    )
    left = replace(left, nodes=sorted([*left.nodes, *_static_nodes(left)], key=lambda node: node.name))
    simulation = Simulator(left).without((), resting=False)
    replacements = tuple(map(Replacement.of, simulation.claims))
    return SpotLoss(zone, cluster, lost, simulation, replacements, placed(left, simulation, replacements, "new"))


def _static_nodes(left: ClusterState) -> Iterator[StateNode]:
    """Yield the nodes that static NodePools make where some of theirs are lost, each as the cheapest type (V-63, V-64)."""
    tables = InstanceTypeIndexes(left.types, left.options.karpenter)
    states = [node.state for node in left.nodes]

    def purchase(claim: PlacedClaim) -> Purchase:
        return cheapest_purchase(claim, left.registry)

    for pool in sorted(left.pools.values(), key=lambda pool: pool.name):
        missing = missing_nodes(pool, states)
        table = tables.of(pool.name, left.registry.well_known)
        claim = bare_claim(pool, left.registry, left.daemons, table, purchase) if missing else None
        if claim is not None:
            replacement = Replacement.of(claim)
            yield from (launched_node(f"new-{pool.name}-{n}", claim, replacement, (), (), left) for n in range(missing))
