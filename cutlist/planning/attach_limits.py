"""How many volumes the nodes of each NodePool attach: what is set, else what nodes that run report, else the type's number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cutlist.api.nodepool import NodePool
from cutlist.api.read import NodeClass, kind_of
from cutlist.core.labels import INSTANCE_TYPE, NODEPOOL, LabelRegistry
from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.planning.attach_settings import AttachSetting
from cutlist.planning.cloud import Cloud
from cutlist.scheduling.nodeclaimtemplate import pool_requirements
from cutlist.state.scheduling_node import SchedulingNode
from cutlist.workloads.pod_requirements import strict_requirements

_ByDriver = Mapping[str, int]
_Type = tuple[str, str, str]
"""The kind and the name of a node class, and an instance type."""


@dataclass(slots=True)
class PoolAttachLimits:
    """Answers for a NodePool and an instance type, each once (VL-1 to VL-5, VL-15, VL-16).

    A CSINode of a node that runs says the number for its type and node class; of several, the lowest counts.
    """

    cloud: Cloud
    pools: Mapping[str, NodePool]
    classes: Mapping[str, NodeClass]
    registry: LabelRegistry
    settings: Sequence[AttachSetting] = ()
    reported: Mapping[_Type, _ByDriver] = field(default_factory=dict)
    _known: dict[tuple[str, str], _ByDriver] = field(default_factory=dict)

    def of(self, node_pool: str, instance_type: str) -> _ByDriver:
        """Return how many volumes a NodePool's node of a type attaches, by CSI driver."""
        key = node_pool, instance_type
        if key not in self._known:
            self._known[key] = self._limits(node_pool, instance_type)
        return self._known[key]

    def _limits(self, node_pool: str, instance_type: str) -> _ByDriver:
        node_class = self.classes.get(node_pool)
        settings = [s for s in self.settings if self._is_for(s, node_pool, instance_type)]
        reserved = {s.driver: s.reserved for s in reversed(settings) if s.reserved is not None}
        limits = dict(self.cloud.attach_limits(node_class, instance_type, reserved))
        if node_class is not None:
            limits |= self.reported.get((*kind_and_name(node_class), instance_type), {})
        return limits | {s.driver: s.limit for s in reversed(settings) if s.limit is not None}

    def _is_for(self, setting: AttachSetting, node_pool: str, instance_type: str) -> bool:
        """Tell whether the driver's pod of a setting runs on such nodes."""
        pool = self.pools.get(node_pool)
        if setting.pod is None or pool is None:
            return True
        of_type = Requirement(INSTANCE_TYPE, False, frozenset((instance_type,)))
        held = pool_requirements(pool, self.registry) & Requirements((of_type,))
        return held.compatible(strict_requirements(setting.pod, self.registry), self.registry.well_known)


def kind_and_name(node_class: NodeClass) -> tuple[str, str]:
    """Return what a node class is referred to by."""
    return kind_of(node_class), node_class.name


def reported_limits(nodes: Iterable[SchedulingNode], classes: Mapping[str, NodeClass]) -> dict[_Type, dict[str, int]]:
    """Return the numbers that the CSINodes of NodePools' nodes report, by node class and instance type. `classes` are by
    NodePool."""
    reported: dict[_Type, dict[str, int]] = {}
    for node in nodes:
        node_class = classes.get(node.labels.get(NODEPOOL, ""))
        if node_class is None or not node.attach_limits:
            continue
        known = reported.setdefault((*kind_and_name(node_class), node.labels.get(INSTANCE_TYPE, "")), {})
        for driver, count in node.attach_limits.items():
            if count is not None:
                known[driver] = min(count, known.get(driver, count))
    return reported
