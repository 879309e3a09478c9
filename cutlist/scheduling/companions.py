"""Pods that follow others into domains such as zones: once there are some of these, all further pods may go where they are.

Pods with an affinity are placed one by one, because the first of them decides on a domain. But a pod that joins others fills no
new domain: the domains that its like may use stay the same, and only room decides on the open claims. `Companions` gives such
pods the domains as a requirement. A new claim is opened for a single pod as ever.
"""

from __future__ import annotations

from dataclasses import dataclass

from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.scheduling.poddata import PodData, PodDataCache
from cutlist.scheduling.requirement_space import EMPTY, RequirementSpace
from cutlist.scheduling.topology import PodTopology
from cutlist.scheduling.topologygroup import TopologyType


@dataclass(frozen=True, slots=True)
class Companions:
    """Finds pods that do no more than join others."""

    space: RequirementSpace
    cached_pod_data: PodDataCache

    def of(self, pod_data: PodData, pod_topology: PodTopology) -> PodData | None:
        """Return pods that require the domains of those that they follow, or None where other rules examine single pods."""
        if len(pod_topology.obeyed) != 1 or pod_data.volume_requirements != (EMPTY,):
            return None
        (group,) = pod_topology.obeyed
        if group.kind is not TopologyType.AFFINITY or group.by_host:
            return None
        wanted = self.space.sets[pod_data.strict_requirements].get_or_any(group.key)
        joined = frozenset(d for d, count in group.domains.items() if count and isinstance(d, str) and wanted.has(d))
        if not joined:
            return None
        within = self.space.number(Requirements((Requirement(group.key, False, joined),)))
        return self.cached_pod_data.within(pod_data, within)
