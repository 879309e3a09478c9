"""Everything that an evaluation of disruption depends on (spec: disruption 0, 1.8, 5.1)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.catalog.prices import Price, usd
from cutlist.core.instants import instant_text
from cutlist.core.karpenter.baselines import Baseline
from cutlist.core.karpenter.behaviours import Behaviour
from cutlist.core.labels import CAPACITY_TYPE, CORE, INSTANCE_TYPE, NODEPOOL, ZONE, LabelRegistry
from cutlist.devices.inventory import NO_INVENTORY, DeviceInventory
from cutlist.disruption.conditions import is_settling
from cutlist.disruption.costs import CostAnnotations
from cutlist.disruption.feature_gates import FeatureGates
from cutlist.disruption.reasons import Reason
from cutlist.providers.instance_types import InstanceType, Offering
from cutlist.providers.node_repair import RepairPolicy
from cutlist.scheduling.inputs import SchedulerOptions, takes_part
from cutlist.scheduling.nodeoverlays import NodeOverlay, overlay
from cutlist.scheduling.queue import PodBatch
from cutlist.settings.cluster import AT
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode, newest_time
from cutlist.state.volumes import Storage
from cutlist.workloads.default_selectors import NO_SOURCES, SelectorSources
from cutlist.workloads.objects import EvictionBudgets
from cutlist.workloads.pods import Pod

NOMINATED_FOR: Final = 20.0
"""How long a node stays nominated, in seconds, with Karpenter's default batch of ten seconds (spec 1.8)."""
_DAY: Final = 24 * 3600.0
_name_of: Final = attrgetter("state.name")
MOST_AHEAD: Final = _DAY
"""Number of seconds by which the newest time of a node may be ahead of all others before it is reported as odd."""


@dataclass(frozen=True, slots=True)
class ControllerMemory:
    """What Karpenter remembers about nodes, by name: when they were nominated (seconds since 1970), which belong to a running
    command, and how many virtual pods of capacity buffers they hold. `reboots` are the instants at which repair handed a
    reboot of a node over before, by the name of its NodeClaim."""

    nominated: Mapping[str, float] = field(default_factory=dict)
    queued: frozenset[str] = frozenset()
    buffered: Mapping[str, int] = field(default_factory=dict)
    reboots: Mapping[str, Sequence[float]] = field(default_factory=dict)


class InstanceTypesByPool(Mapping[str, Sequence[InstanceType]]):
    """The instance types that each NodePool may launch, by the pool's name; those of a pool can also be looked up by name, and
    their offerings by zone and capacity type."""

    __slots__ = ("_by_name", "_listed", "_offerings")

    def __init__(self, listed: Mapping[str, Sequence[InstanceType]]) -> None:
        self._listed = {pool: tuple(types) for pool, types in listed.items()}
        self._by_name: dict[str, Mapping[str, InstanceType]] = {}
        self._offerings: dict[tuple[str, str, str, str], Offering | None] = {}

    def __getitem__(self, pool: str) -> Sequence[InstanceType]:
        """Return the types of a pool in order."""
        return self._listed[pool]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the pools."""
        return iter(self._listed)

    def __len__(self) -> int:
        """Return the number of pools."""
        return len(self._listed)

    def by_name(self, pool: str) -> Mapping[str, InstanceType]:
        """Return the types of a pool by name; none for an unknown pool."""
        cached = self._by_name.get(pool)
        if cached is None:
            cached = self._by_name[pool] = {t.name: t for t in self._listed.get(pool, ())}
        return cached

    def offering(self, pool: str, instance_type: str, zone: str, capacity_type: str) -> Offering | None:
        """Return the first offering of a type in a zone and a capacity type, available or not, or None without one."""
        key = pool, instance_type, zone, capacity_type
        if key not in self._offerings:
            named = self.by_name(pool).get(instance_type)
            offerings = named.offerings if named is not None else ()
            found = (o for o in offerings if o.zone == zone and o.capacity_type == capacity_type)
            self._offerings[key] = next(found, None)
        return self._offerings[key]


@dataclass(frozen=True, slots=True)
class ClusterState:
    """A cluster at an instant `now` (seconds since 1970), with what Karpenter knows and remembers about it.

    `nodes` are in the order of their names, `pools` are the provider's NodePools by name, `types` the types that each may
    launch. `launching` are NodeClaims without an instance, `pending` and `displaced` pods without a node, the latter had one
    before; `buffers` are the virtual pods of CapacityBuffers, which take room and never run; `daemons` are one pod for each
    DaemonSet. `disk_prices` give the price of a node's disks per hour by its type, for each NodePool whose class is known; no
    decision depends on it.
    """

    now: float
    nodes: Sequence[StateNode]
    pools: Mapping[str, NodePool]
    types: InstanceTypesByPool
    disk_prices: Mapping[str, Callable[[str], Price | None]] = field(default_factory=dict)
    launching: Sequence[str] = ()
    pending: Sequence[PodBatch] = ()
    displaced: Sequence[RunningPod] = ()
    buffers: Sequence[PodBatch] = ()
    daemons: Sequence[Pod] = ()
    evictions: EvictionBudgets = field(default_factory=EvictionBudgets)
    storage: Storage = field(default_factory=Storage)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    overlays: Sequence[NodeOverlay] = ()
    selectors: SelectorSources = NO_SOURCES
    devices: DeviceInventory = NO_INVENTORY
    registry: LabelRegistry = CORE
    options: SchedulerOptions = field(default_factory=SchedulerOptions)
    feature_gates: FeatureGates = field(default_factory=FeatureGates)
    controller_memory: ControllerMemory = field(default_factory=ControllerMemory)
    repair_policies: tuple[RepairPolicy, ...] = ()

    @property
    def karpenter(self) -> Baseline:
        """Return what the Karpenter of this cluster does."""
        return self.options.karpenter

    @property
    def repairs(self) -> bool:
        """Tell whether repair of unhealthy nodes is one of the disruption methods (V15-42)."""
        gates = self.feature_gates
        is_method = self.karpenter.does(Behaviour.REPAIR_IS_A_DISRUPTION_METHOD)
        return is_method and gates.node_repair and not gates.legacy_node_repair

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Return the reasons for which nodes of this cluster may be disrupted."""
        return tuple(reason for reason in Reason if reason is not Reason.UNHEALTHY or self.repairs)

    @property
    def cost_annotations(self) -> CostAnnotations:
        """Return the annotations of pods that set the cost of moving them."""
        return CostAnnotations(self.karpenter, self.feature_gates.pod_deletion_cost_management)

    def overlaid(self) -> ClusterState:
        """Return the cluster with NodeOverlays applied to its types, which changes the candidates' prices as well."""
        if not (self.options.node_overlay and self.overlays):
            return self
        types = overlay(self.overlays, self.pools.values(), self.types, self.registry).types
        return replace(self, types=InstanceTypesByPool(types), overlays=())

    @property
    def synced(self) -> bool:
        """Tell whether Karpenter's view is complete: a NodeClaim that is launching pauses all graceful disruption (D-15)."""
        return not self.launching

    def node_of(self, name: str) -> StateNode | None:
        """Return the node of a name, or None without one."""
        place = bisect_left(self.nodes, name, key=_name_of)
        return node if place < len(self.nodes) and (node := self.nodes[place]).state.name == name else None

    def nominated(self, node: StateNode) -> bool:
        """Tell whether a pending pod is expected on a node (D-13)."""
        since = self.controller_memory.nominated.get(node.name)
        return since is not None and self.now - since < NOMINATED_FOR

    def is_settling(self, node: StateNode) -> bool:
        """Tell whether a node is within its pool's `consolidateAfter`, and so accepts no consolidated pods (spec 5.1).

        The scheduler knows only pools that take part: nodes of others accept them.
        """
        pool = self.pools.get(node.pool)
        if pool is None or node.claim is None or not takes_part(pool):
            return False
        return is_settling(node.claim, pool, self.now)

    def type_of(self, node: StateNode) -> InstanceType | None:
        """Return the instance type of a node, where its NodePool still lists it."""
        return self.types.by_name(node.pool).get(node.instance_type)

    def price_of(self, node: StateNode) -> float:
        """Return the price of a node in USD per hour by its labels, or 0 if unknown."""
        return self.price_by(node.state.labels)

    def price_by(self, labels: Mapping[str, str]) -> float:
        """Return the price of a node with these labels in USD per hour, or 0 if unknown (spec 1.10).

        It is the price of its type's first offering in its zone and capacity type, available or not.
        """
        offering = self._offering_by(labels)
        price = offering.price if offering is not None else None
        # NaN differs from itself, and no sum of prices would survive it.
        return price if price is not None and price == price else 0.0

    def bill_of(self, node: StateNode) -> float:
        """Return what a node costs in USD per hour, or 0 if unknown: its price with fees, such as the licence of Windows.

        Karpenter decides by the price alone.
        """
        cost = usd(self.paid_for(node))
        return cost if cost is not None and cost == cost else 0.0

    def paid_for(self, node: StateNode) -> Price | None:
        """Return the same with its source, whether it is an estimate, and its range, or None if it is unknown."""
        offering = self._offering_by(node.state.labels)
        return offering.paid if offering is not None else None

    def disk_price_of(self, node: StateNode) -> Price | None:
        """Return the price of a node's disks, as its NodePool's class has them, or None if unknown."""
        return self.disk_price_by(node.pool, node.instance_type)

    def disk_price_by(self, pool: str, instance_type: str) -> Price | None:
        """Return the price of the disks of a NodePool's node of a type, or None if unknown."""
        prices = self.disk_prices.get(pool)
        return prices(instance_type) if prices is not None and instance_type else None

    def _offering_by(self, labels: Mapping[str, str]) -> Offering | None:
        return self.types.offering(*(labels.get(key, "") for key in (NODEPOOL, INSTANCE_TYPE, ZONE, CAPACITY_TYPE)))


def odd_times(nodes: Sequence[StateNode], now: float) -> tuple[str, ...]:
    """Return descriptions of odd times of some nodes and their pods, seen from an instant (seconds since 1970)."""
    newest = sorted((newest_time([node]), node.name) for node in nodes)
    oddities = []
    if len(newest) > 1 and newest[-1][0] - newest[-2][0] > MOST_AHEAD:
        at, name = newest[-1]
        days = (at - newest[-2][0]) / _DAY
        oddities.append(
            f"{name} has a time of {instant_text(at)}, {days:,.0f} days after all others; a clock may run ahead ({AT.flag})"
        )
    later = [name for at, name in newest if at > now]
    if later:
        machines = "1 machine has" if len(later) == 1 else f"{len(later)} machines have"
        oddities.append(f"{machines} times after {instant_text(now)}, such as {later[-1]}; what they did then counts as done")
    return tuple(oddities)
