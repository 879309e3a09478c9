"""Pods prepared for a pass; equal pods share one shape."""

from __future__ import annotations

from collections.abc import Sequence

from cutlist.core.labels import LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.scheduling.admission import PodData
from cutlist.scheduling.requirement_space import EMPTY, RequirementSpace
from cutlist.workloads.pod_requirements import full_requirements, strict_requirements
from cutlist.workloads.pods import Pod


class PodDataCache:
    """Makes shapes. Under `respect_preferences` the heaviest preferred node-affinity term counts as a requirement (S-28)."""

    __slots__ = ("_known", "_registry", "_resources", "_respect_preferences", "_space")

    def __init__(
        self, space: RequirementSpace, resources: Sequence[str], registry: LabelRegistry, *, respect_preferences: bool
    ) -> None:
        self._space = space
        self._resources = tuple(resources)
        self._registry = registry
        self._respect_preferences = respect_preferences
        self._known: dict[tuple[Pod, tuple[Requirements, ...]], PodData] = {}

    def of(self, pod: Pod, volumes: Sequence[Requirements] = ()) -> PodData:
        """The shape of a pod whose volumes can be used in any of the given ways."""
        key = (pod, tuple(volumes))
        found = self._known.get(key)
        if found is None:
            strict = self._space.number(strict_requirements(pod, self._registry))
            full = self._space.number(full_requirements(pod, self._registry)) if self._respect_preferences else strict
            found = self._known[key] = PodData(
                number=len(self._known),
                pod=pod,
                full=full,
                strict=strict,
                needs=tuple(pod.requests.get(r, 0) for r in self._resources),
                ports=pod.host_ports,
                volumes=tuple(self._space.number(v) for v in volumes) or (EMPTY,),
            )
        return found
