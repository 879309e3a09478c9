"""Everything that a scheduling pass depends on (spec: scheduling 0.3, 4.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.api import NodePool
from cutlist.core.labels import CORE, LabelRegistry
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.reservationmanager import ReservedOfferingMode
from cutlist.state.pods import BoundPod
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import PodVolumes
from cutlist.workloads.pods import Pod


@dataclass(frozen=True, slots=True)
class SchedulerOptions:
    """Karpenter's settings that change what a pass decides (spec 4.6)."""

    respect_preferences: bool = True
    strict_min_values: bool = True
    reserved_capacity: bool = True
    reserved_mode: ReservedOfferingMode = ReservedOfferingMode.STRICT
    node_overlay: bool = False


@dataclass(frozen=True, slots=True)
class SchedulerInputs:
    """Everything that a pass depends on.

    `types` are the instance types of each NodePool by name; pools that share a list should share the object. `daemons` are one
    pod for each DaemonSet. `nodes` exist already, or are on their way; `bound` are the pods that run. By index of a batch,
    `volumes` are what its volumes mean, and `moving` those placed anew because their node goes: Karpenter tries them unchecked.
    Of these the `settled` run on a node that is only being considered: nodes that are resting do not take them.
    """

    pools: Sequence[NodePool]
    types: Mapping[str, Sequence[InstanceType]]
    batches: Sequence[PodBatch]
    daemons: Sequence[Pod] = ()
    registry: LabelRegistry = CORE
    options: SchedulerOptions = field(default_factory=SchedulerOptions)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    nodes: Sequence[SchedulingNode] = ()
    bound: Sequence[BoundPod] = ()
    volumes: Mapping[int, PodVolumes] = field(default_factory=dict)
    moving: frozenset[int] = frozenset()
    settled: frozenset[int] = frozenset()
    overlays: Sequence[NodeOverlay] = ()
