"""What if all spot capacity of a zone, or everywhere, goes at once: the cluster once it rests again (spec: disruption 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cutlist.disruption.aftermath import placed
from cutlist.disruption.cluster_state import ClusterState
from cutlist.disruption.command import Replacement
from cutlist.disruption.interruption import while_sold_out, without_spot
from cutlist.disruption.simulation import Simulation, Simulator
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class SpotLoss:
    """The machines that go, in the order of their names, and what comes of their pods while no more spot is sold there.

    `before` is the cluster as it is, `after` the one that results. `simulation` placed the pods, on `replacements` as well.
    """

    zone: str
    before: ClusterState
    lost: tuple[StateNode, ...]
    simulation: Simulation
    replacements: tuple[Replacement, ...]
    after: ClusterState

    @property
    def displaced(self) -> int:
        """How many pods lose their node and need another one."""
        return sum(p.reschedulable for m in self.lost for p in m.pods)

    @property
    def moved(self) -> int:
        """How many pods go to nodes that are there already."""
        return sum(sum(pods.values()) for pods in self.simulation.moves.values())

    @property
    def launched(self) -> tuple[StateNode, ...]:
        """The new machines as the cheapest of what their claims list."""
        there = {m.name for m in self.before.nodes}
        return tuple(m for m in self.after.nodes if m.name not in there)

    @property
    def pending(self) -> Mapping[str, tuple[int, str]]:
        """The pods that find no place, by namespace and name, with their number and why."""
        found: dict[str, tuple[int, str]] = {}
        for number, why in self.simulation.errors.items():
            batch = self.simulation.batches[number]
            taken = sum(c.pods.get(number, 0) for c in self.simulation.claims)
            taken += sum(pods.get(number, 0) for pods in self.simulation.moves.values())
            found[f"{batch.pod.namespace}/{batch.name}"] = (batch.count - taken, why)
        return found


def lose_spot(cluster: ClusterState, zone: str = "") -> SpotLoss:
    """Take away every spot node of a zone, or without one of all zones, and place its pods anew.

    Nothing is drained first and no budget holds it back: that is how capacity ends. Nodes that are left take what they can;
    the rest gets new ones, none of them spot in that zone.
    """
    told = without_spot(cluster.nodes, cluster.now, zone)
    kept = {id(m) for m in told.nodes}
    lost = tuple(m for m in cluster.nodes if id(m) not in kept)
    left = replace(
        cluster,
        nodes=[m for m in cluster.nodes if id(m) in kept],
        displaced=(*cluster.displaced, *(p for m in lost for p in m.pods if p.reschedulable)),
        types={pool: while_sold_out(types, told.sold_out, cluster.now) for pool, types in cluster.types.items()},
    )
    simulation = Simulator(left).without((), resting=False)
    replacements = tuple(map(Replacement.of, simulation.claims))
    return SpotLoss(zone, cluster, lost, simulation, replacements, placed(left, simulation, replacements, "new"))
