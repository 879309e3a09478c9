"""What a pass depends on, and which of its pods and NodePools take part (spec: scheduling 0.3, 4.3, 4.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.api.terms import term_problems
from cutlist.core.karpenter.baselines import DEFAULT, Baseline
from cutlist.core.labels import CORE, NODEPOOL, LabelRegistry
from cutlist.core.requirement import Expression, Operator
from cutlist.devices.inventory import NO_INVENTORY, DeviceInventory
from cutlist.providers.instance_types import InstanceType
from cutlist.scheduling.dynamicresources.allocation import GivenDevices
from cutlist.scheduling.nodeoverlays import NodeOverlay
from cutlist.scheduling.queue import PodBatch
from cutlist.scheduling.reservationmanager import ReservedOfferingMode
from cutlist.state.full_nodes import FullNodes
from cutlist.state.pods import TopologyPods
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.state.volumes import NO_VOLUMES, PodVolumes
from cutlist.workloads.default_selectors import NO_SOURCES, SelectorSources
from cutlist.workloads.pod_requirements import full_requirements
from cutlist.workloads.pods import Pod, SpreadConstraint

_READY_RESTS_ON: Final = {"ValidationSucceeded", "NodeClassReady"}


@dataclass(frozen=True, slots=True)
class SchedulerOptions:
    """Karpenter's version and settings, as far as they change what a pass decides (spec 4.6).

    `default_spread` are the default constraints of `--scheduler-config`, which 1.14 does not have. `reservation_credits` are
    units by reservation that count as free: those of nodes that would be terminated first (V15-27). With
    `ignore_dra_requests` pods with claims for devices are not placed (R-1).
    """

    karpenter: Baseline = DEFAULT
    respect_preferences: bool = True
    strict_min_values: bool = True
    reserved_capacity: bool = True
    reserved_mode: ReservedOfferingMode = ReservedOfferingMode.STRICT
    node_overlay: bool = False
    reservation_credits: Mapping[str, int] = field(default_factory=dict)
    default_spread: tuple[SpreadConstraint, ...] = ()
    ignore_dra_requests: bool = True


@dataclass(frozen=True, slots=True)
class SchedulerInputs:
    """Everything that a pass depends on (spec 0.3).

    `types` are the instance types of each NodePool by name; pools that share a list should share the object. `daemons` are one
    pod for each DaemonSet. `nodes` exist already, or are being launched; `bound` are the pods that run. `volumes` are the
    constraints of volumes by index of the batch, and `moving` the batches that are placed again because their node is removed:
    Karpenter tries them unchecked. The `settled` among them run on a node that is only being considered: nodes that are resting
    do not accept them. From `selectors` those of default spread constraints are deduced.
    `devices` are the objects of dynamic resource allocation; pods that are placed again are `leaving` by UID, and so give their
    devices back. `given` are devices that earlier passes have given to pods on nodes that are being launched.
    `full` are launched nodes besides `nodes` that have no room for any pod.
    """

    pools: Sequence[NodePool]
    types: Mapping[str, Sequence[InstanceType]]
    batches: Sequence[PodBatch]
    daemons: Sequence[Pod] = ()
    registry: LabelRegistry = CORE
    options: SchedulerOptions = field(default_factory=SchedulerOptions)
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    nodes: Sequence[SchedulingNode] = ()
    bound: Sequence[TopologyPods] = ()
    volumes: Mapping[int, PodVolumes] = field(default_factory=dict)
    moving: frozenset[int] = frozenset()
    settled: frozenset[int] = frozenset()
    overlays: Sequence[NodeOverlay] = ()
    selectors: SelectorSources = NO_SOURCES
    devices: DeviceInventory = NO_INVENTORY
    leaving: frozenset[str] = frozenset()
    given: tuple[GivenDevices, ...] = ()
    full: tuple[FullNodes, ...] = ()

    @property
    def node_count(self) -> int:
        """Return how many nodes there are."""
        return len(self.nodes) + sum(len(of.numbers) for of in self.full)


def ignored_because(pod: Pod, registry: LabelRegistry) -> str | None:
    """Return why Karpenter ignores a pending pod before it considers any NodePool, or None if it does not (S-41, S-123).

    Preferred terms are ignored, except that the one of highest weight must not exclude every NodePool.
    """
    # Karpenter's validation reads a node selector as such requirements.
    selectors = [Expression(key, Operator.IN, (value,)) for key, value in pod.node_selector.items()]
    terms = (e for term in pod.required or () for e in term)
    problems = [problem for expression in (*selectors, *terms) for problem in term_problems(expression, registry)]
    if pod.uses_match_fields:
        problems.append("node selector term with matchFields is not supported")
    if problems:
        return "; ".join(problems)
    if runs_elsewhere(pod, registry):
        nodepool = full_requirements(pod, registry)[NODEPOOL]
        return f"configured to not run on a Karpenter provisioned node (requirement={nodepool})"
    return None


def runs_elsewhere(pod: Pod, registry: LabelRegistry) -> bool:
    """Tell whether a pod refuses every node of Karpenter, by a requirement that there be no label of a NodePool."""
    # Full, so with the preferred term of highest weight: Karpenter asks before any preference is relaxed.
    nodepool = full_requirements(pod, registry).get(NODEPOOL)
    return nodepool is not None and nodepool.operator is Operator.DOES_NOT_EXIST


def ignored_in(inputs: SchedulerInputs, number: int) -> str | None:
    """Return why the pods of a batch are ignored, or None if they are not.

    Moving pods were accepted earlier; virtual pods are added after that check (spec 11.2).
    """
    batch = inputs.batches[number]
    if number in inputs.moving or batch.virtual:
        return None
    return ignored_because(batch.pod, inputs.registry) or inputs.volumes.get(number, NO_VOLUMES).problem


def takes_part(pool: NodePool) -> bool:
    """Tell whether the pool may open claims: not static, not being deleted, and not known to be unready (S-31).

    A pool without conditions has not met a controller yet and counts as ready. Once it has some, those that Ready depends on
    have to be among them, or Karpenter treats Ready itself as unknown.
    """
    return is_ready(pool) and not pool.is_static


def is_ready(pool: NodePool) -> bool:
    """Tell whether Karpenter makes nodes of a pool at all: it is not being deleted, and not known to be unready."""
    status = {c.type: c.status for c in pool.conditions}
    ready = not status or (status.get("Ready") == "True" and status.keys() >= _READY_RESTS_ON)
    return ready and not pool.deleting
