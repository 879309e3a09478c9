"""The consequences when all spot capacity of a zone, or everywhere, ends at once (spec: disruption 10)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Annotated, Literal

from cutlist.catalog.ages import PRICE_AGE, PriceAge
from cutlist.catalog.prices import is_estimate, usd
from cutlist.catalog.ranges import PriceRange
from cutlist.core.records import HIDDEN, SPARSE, After, Count, Instant, Key, Price, TextOrNull, Usd, about, computed, form_of
from cutlist.core.services import OF_ANSWER, RunningService
from cutlist.disruption.aftermath import placed
from cutlist.disruption.cluster_state import ClusterState, InstanceTypesByPool
from cutlist.disruption.command import NAMES, MovedPods, Replacement
from cutlist.disruption.disk_costs import deviations, has_estimates, nodes_without_disks, price, unpriced_nodes
from cutlist.disruption.interruption import while_sold_out, without_spot
from cutlist.disruption.simulation import SimulatedPass, Simulator
from cutlist.disruption.static_nodes import missing_static_nodes, static_nodes
from cutlist.state.statenode import StateNode


@dataclass(frozen=True, slots=True)
class LaunchedNode:
    """A new node, as the cheapest type that its NodeClaim lists."""

    name: str
    node_pool: str
    instance_type: str
    capacity_type: str
    zone: str
    price_per_hour: Price
    price_estimated: bool
    disk_price_per_hour: Annotated[Price, about("USD for its disks, which come on top of its price; null where unknown.")]
    pods: Count


@dataclass(frozen=True, slots=True)
class UnplacedPods:
    """Pods that cannot be placed, by namespace and name, with their number and the reason."""

    pod: str
    count: Count
    why: str


@dataclass(frozen=True, slots=True)
class ClusterPrices:
    """What all nodes of Karpenter cost, with disks where their price is known."""

    before: Usd
    after: Usd
    estimated: Annotated[bool, about("Whether the price of a node before or after is an estimate.")]
    nodes_without_disk_price: Annotated[Count, about("Priced nodes afterwards whose disks are not in the price.")]
    unpriced_nodes: Annotated[Count, about("Nodes before that are not in the price, for theirs is unknown.")]
    range_before: Annotated[PriceRange | None, HIDDEN] = None
    range_after: Annotated[PriceRange | None, HIDDEN] = None
    range_of_change: Annotated[PriceRange | None, HIDDEN] = None
    currency: Annotated[str, HIDDEN] = "USD"


@dataclass(frozen=True, slots=True)
class SpotLoss:
    """What comes of a cluster when all spot capacity of a zone ends.

    `before` is the present cluster, `after` the resulting one. `lost` are the nodes that are lost, by name. `simulation` placed
    their pods, on `replacements` as well, while no more spot capacity is sold there.
    """

    region: str
    zone: Annotated[TextOrNull, about("Where spot capacity ends; null for everywhere."), After("at")]
    before: Annotated[ClusterState, HIDDEN]
    lost: Annotated[tuple[StateNode, ...], NAMES]
    simulation: Annotated[SimulatedPass, form_of(MovedPods).through(attrgetter("moved")), Key("moves"), After("displaced")]
    replacements: Annotated[tuple[Replacement, ...], After("new_nodes")]
    after: Annotated[ClusterState, HIDDEN]
    price_age: Annotated[PriceAge | None, SPARSE, PRICE_AGE] = None
    services: Annotated[tuple[RunningService, ...] | None, SPARSE, OF_ANSWER] = None
    version: Annotated[Literal[1], After("")] = 1

    @property
    @computed(after="region")
    def at(self) -> Instant:
        """Return the instant of the loss, in seconds since 1970."""
        return self.before.now

    @property
    @computed(after="lost")
    def displaced(self) -> Annotated[Count, Key("displacedPods")]:
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
    @computed(after="simulation")
    def new_nodes(self) -> Annotated[tuple[LaunchedNode, ...], Key("launched")]:
        """Return the new nodes with what they cost."""
        return tuple(self._new_node(node) for node in self.launched)

    def _new_node(self, node: StateNode) -> LaunchedNode:
        return LaunchedNode(
            *(node.name, node.pool, node.instance_type, node.capacity_type, node.zone),
            price_per_hour=self.after.bill_of(node) or None,
            price_estimated=is_estimate(self.after.paid_for(node)),
            disk_price_per_hour=usd(self.after.disk_price_of(node)),
            pods=len(node.pods),
        )

    @property
    @computed(after="prices")
    def error(self) -> Annotated[str | None, SPARSE, about("Why no pod could be placed again; only then.")]:
        """Return why no pod could be placed again; None where some could, or where there was none to place."""
        return self.simulation.error or None if self.displaced else None

    @property
    @computed(after="pending")
    def prices(self) -> Annotated[ClusterPrices, Key("pricePerHour")]:
        """Return what all nodes of Karpenter cost before and after."""
        before, after = price(self.before), price(self.after)
        doubt = deviations(self.before), deviations(self.after)
        paid = [self.before.paid_for(node) for node in self.before.nodes]
        return ClusterPrices(
            before,
            after,
            has_estimates(self.before) or has_estimates(self.after),
            nodes_without_disks(self.after),
            unpriced_nodes(self.before),
            doubt[0].around(before),
            doubt[1].around(after),
            doubt[1].minus(doubt[0]).around(after - before),
            next((known.currency for known in paid if known is not None), "USD"),
        )

    @property
    def waiting(self) -> int:
        """Return how many pods cannot be placed."""
        return sum(pods.count for pods in self.pending)

    @property
    @computed(after="replacements")
    def pending(self) -> tuple[UnplacedPods, ...]:
        """Return the pods that cannot be placed, by namespace and name."""
        unplaced: dict[str, UnplacedPods] = {}
        for number, why in self.simulation.errors.items():
            batch = self.simulation.batches[number]
            if batch.virtual:
                continue
            taken = sum(c.pods.get(number, 0) for c in self.simulation.claims)
            taken += sum(pods.get(number, 0) for pods in self.simulation.moves.values())
            namespace = f"{batch.pod.namespace}/"  # pods of a plan have it in the name of their workload
            pod = namespace + batch.name.removeprefix(namespace)
            unplaced[pod] = UnplacedPods(pod, batch.count - taken, why)
        return tuple(unplaced[pod] for pod in sorted(unplaced))


def lose_spot(cluster: ClusterState, zone: str = "", *, region: str = "") -> SpotLoss:
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
    # Before the pods are placed: static pools do not wait for pending pods, and their new nodes take some.
    made_again = static_nodes(left, missing_static_nodes(left), "new")
    left = replace(left, nodes=sorted([*left.nodes, *made_again], key=lambda node: node.name))
    simulation = Simulator(left).without((), resting=False)
    replacements = tuple(map(Replacement.of, simulation.claims))
    after = placed(left, simulation, replacements, "new")
    return SpotLoss(region, zone, cluster, lost, simulation, replacements, after)
