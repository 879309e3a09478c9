"""Everything that an evaluation of disruption depends on (spec: disruption 0, 1.8, 5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cutlist.api import NodePool
from cutlist.core.instants import instant_text
from cutlist.core.labels import CAPACITY_TYPE, CORE, INSTANCE_TYPE, NODEPOOL, ZONE, LabelRegistry
from cutlist.disruption.conditions import is_settling
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.nodeoverlays import NodeOverlay, overlay
from cutlist.scheduling.provisioner import SchedulerOptions
from cutlist.scheduling.queue import PodBatch
from cutlist.state.pods import RunningPod
from cutlist.state.statenode import StateNode, newest_time
from cutlist.state.volumes import Storage
from cutlist.workloads.objects import EvictionBudgets
from cutlist.workloads.pods import Pod

NOMINATED_FOR: Final = 20.0
"""How long a node stays nominated, in seconds, with Karpenter's default batch of ten seconds (spec 1.8)."""


@dataclass(frozen=True, slots=True)
class FeatureGates:
    """Karpenter's feature gates that disruption asks for."""

    spot_to_spot: bool = False
    static_capacity: bool = False
    node_repair: bool = False


@dataclass(frozen=True, slots=True)
class ControllerMemory:
    """What Karpenter remembers of machines, by name: the instant of their nomination (seconds since 1970), those that belong
    to a running command, and how many virtual pods of capacity buffers they hold."""

    nominated: Mapping[str, float] = field(default_factory=dict)
    queued: frozenset[str] = frozenset()
    buffered: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClusterState:
    """A cluster at an instant `now` (seconds since 1970), with what Karpenter knows and remembers of it.

    `pools` are the provider's NodePools by name, `types` what each may launch. `launching` are NodeClaims without a machine,
    `pending` and `homeless` pods without a node, of which the latter had one before; `daemons` are one pod for each DaemonSet.
    `machines` are in the order of their names.
    """

    now: float
    nodes: Sequence[StateNode]
    pools: Mapping[str, NodePool]
    types: Mapping[str, Sequence[InstanceType]]
    launching: Sequence[str] = ()
    pending: Sequence[PodBatch] = ()
    displaced: Sequence[RunningPod] = ()
    daemons: Sequence[Pod] = ()
    evictions: EvictionBudgets = field(default_factory=EvictionBudgets)
    storage: Storage = field(default_factory=Storage)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    overlays: Sequence[NodeOverlay] = ()
    registry: LabelRegistry = CORE
    options: SchedulerOptions = field(default_factory=SchedulerOptions)
    feature_gates: FeatureGates = field(default_factory=FeatureGates)
    controller_memory: ControllerMemory = field(default_factory=ControllerMemory)
    _by_name: dict[int, dict[str, InstanceType]] = field(default_factory=dict, compare=False, repr=False)

    def overlaid(self) -> ClusterState:
        """The same world with the types as NodeOverlays make them: candidates have the prices of overlays, too."""
        if not (self.options.node_overlay and self.overlays):
            return self
        types = overlay(self.overlays, self.pools.values(), self.types, self.registry).types
        return replace(self, types=types, overlays=(), _by_name={})

    @property
    def synced(self) -> bool:
        """Whether Karpenter's picture is whole: a NodeClaim that is being launched pauses all graceful disruption (D-15)."""
        return not self.launching

    def nominated(self, node: StateNode) -> bool:
        """Whether a pending pod is expected on a machine (D-13)."""
        since = self.controller_memory.nominated.get(node.name)
        return since is not None and self.now - since < NOMINATED_FOR

    def rests(self, node: StateNode) -> bool:
        """Whether a machine is within its pool's `consolidateAfter`, and so no place for consolidated pods (spec 5.1)."""
        pool = self.pools.get(node.pool)
        if pool is None or node.claim is None or pool.is_static:
            return False
        return is_settling(node.claim, pool, self.now)

    def type_of(self, node: StateNode) -> InstanceType | None:
        """The instance type of a machine, where its NodePool still lists it."""
        return self._sold(node.pool).get(node.instance_type)

    def price_of(self, node: StateNode) -> float:
        """What a machine costs an hour in USD by its labels; 0 when unknown."""
        return self.price_by(node.state.labels)

    def price_by(self, labels: Mapping[str, str]) -> float:
        """What a machine with these labels costs an hour in USD; 0 when unknown (spec 1.10).

        It is the price of its type's first offering in its zone and capacity type, to be had or not.
        """
        sold = self._sold(labels.get(NODEPOOL, "")).get(labels.get(INSTANCE_TYPE, ""))
        zone, capacity_type = labels.get(ZONE, ""), labels.get(CAPACITY_TYPE, "")
        same = (o for o in (sold.offerings if sold else ()) if o.zone == zone and o.capacity_type == capacity_type)
        offering = next(same, None)
        price = offering.price if offering is not None else None
        return price if price is not None and price == price else 0.0

    def _sold(self, pool: str) -> Mapping[str, InstanceType]:
        """The types of a pool by name."""
        listed = self.types.get(pool, ())
        by_name = self._by_name.get(id(listed))
        if by_name is None:
            by_name = self._by_name[id(listed)] = {t.name: t for t in listed}
        return by_name


_DAY: Final = 24 * 3600.0


AHEAD: Final = _DAY
"""Seconds by which the newest time of a machine is ahead of those of all others before it is called odd."""


def odd_times(nodes: Sequence[StateNode], now: float) -> tuple[str, ...]:
    """What is odd about the times of some machines and their pods, seen from an instant (seconds since 1970)."""
    newest = sorted((newest_time([node]), node.name) for node in nodes)
    told = []
    if len(newest) > 1 and newest[-1][0] - newest[-2][0] > AHEAD:
        at, name = newest[-1]
        days = (at - newest[-2][0]) / _DAY
        told.append(f"{name} tells of {instant_text(at)}, {days:,.0f} days after all others; a clock may run ahead (--at)")
    later = [name for at, name in newest if at > now]
    if later:
        text = f"{len(later)} machine{'s' if len(later) > 1 else ''} tell{'' if len(later) > 1 else 's'}"
        told.append(f"{text} of times after {instant_text(now)}, such as {later[-1]}; what they did then counts as done")
    return tuple(told)
