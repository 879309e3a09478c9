"""The differences between a planned node and its node in the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from cutlist.core.quantity import amount_text
from cutlist.core.records import HIDDEN, TextOrNull
from cutlist.verification.live import LiveNode, LiveState
from cutlist.verification.matching import Slot, zones_of


class Aspect(StrEnum):
    """The aspect of a node that differs; `MISSING` and `UNPLANNED` are the whole node."""

    MISSING = "missing"
    UNPLANNED = "unplanned"
    NODE_POOL = "NodePool"
    INSTANCE_TYPE = "instance type"
    CAPACITY_TYPE = "capacity type"
    ZONE = "zone"
    PODS = "pods"
    STATE = "state"
    ALLOCATABLE = "allocatable"


LAUNCH: Final = frozenset({Aspect.NODE_POOL, Aspect.INSTANCE_TYPE, Aspect.CAPACITY_TYPE, Aspect.ZONE})
"""Aspects that the launch of a node decides."""
PLACING: Final = frozenset({Aspect.MISSING, Aspect.UNPLANNED, Aspect.INSTANCE_TYPE, Aspect.PODS})
"""Aspects that depend on which pods have to be placed, and when."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """A difference between the plan and the cluster: of a planned node, of a node of the cluster, or between both."""

    aspect: Aspect
    planned: TextOrNull
    actual: TextOrNull
    slot: Annotated[Slot | None, HIDDEN] = None
    node: Annotated[LiveNode | None, HIDDEN] = None

    @property
    def text(self) -> str:
        """Return what differs: `instance type: m6g.large instead of m7g.large`."""
        match self.aspect:
            case Aspect.MISSING:
                return f"planned for {self.planned}"
            case Aspect.UNPLANNED:
                return f"has {self.actual}"
            case _:
                return f"{self.aspect}: {self.actual or 'none'} instead of {self.planned or 'none'}"


def deviations(slot: Slot, node: LiveNode) -> tuple[Deviation, ...]:
    """Return the differences between a planned node and its node in the cluster; the amounts for pods come last."""
    return tuple(Deviation(aspect, planned, actual, slot, node) for aspect, planned, actual in _differences(slot, node))


def missing(slot: Slot) -> Deviation:
    """Return the deviation of a planned node that is missing."""
    return Deviation(Aspect.MISSING, pods_text(slot.pods), "", slot=slot)


def unplanned(node: LiveNode) -> Deviation:
    """Return the deviation of a node that was not planned."""
    return Deviation(Aspect.UNPLANNED, "", pods_text(node.pods), node=node)


def pods_text(pods: Mapping[str, int]) -> str:
    """Return pods by workload: `3 deployment/web, 1 job/load`; `no pods` without any."""
    return ", ".join(f"{count:,} {workload}" for workload, count in sorted(pods.items())) or "no pods"


def amounts_that_differ(slot: Slot, node: LiveNode) -> dict[str, tuple[int, int]]:
    """Return the resources of which a machine of the planned type has another amount for pods, with both amounts."""
    planned, real = slot.node.allocatable, node.allocatable
    if node.instance_type != slot.node.instance_type or not real:
        return {}
    names = sorted(name for name in planned.keys() & real.keys() if planned[name] != real[name])
    return {name: (planned[name], real[name]) for name in names}


def _differences(slot: Slot, node: LiveNode) -> Iterator[tuple[Aspect, str, str]]:
    planned = slot.node
    if node.node_pool != planned.node_pool:
        yield Aspect.NODE_POOL, planned.node_pool, node.node_pool
    if node.instance_type and node.instance_type != planned.instance_type:
        yield Aspect.INSTANCE_TYPE, planned.instance_type, node.instance_type
    if node.capacity_type and node.capacity_type != planned.capacity_type:
        yield Aspect.CAPACITY_TYPE, planned.capacity_type, node.capacity_type
    zones = zones_of(planned, node.instance_type) or frozenset(planned.zones)
    if node.zone and zones and node.zone not in zones:
        yield Aspect.ZONE, " or ".join(sorted(zones)), node.zone
    if node.has_known_pods and node.pods != slot.pods:
        yield Aspect.PODS, pods_text(slot.pods), pods_text(node.pods)
    if node.state is not LiveState.READY:
        yield Aspect.STATE, str(LiveState.READY), f"{node.state} ({node.reason})" if node.reason else str(node.state)
    if amounts := amounts_that_differ(slot, node):
        both = [[f"{name} {amount_text(name, pair[side])}" for name, pair in amounts.items()] for side in (0, 1)]
        yield Aspect.ALLOCATABLE, ", ".join(both[0]), ", ".join(both[1])
