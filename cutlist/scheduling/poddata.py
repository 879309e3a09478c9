"""Pods prepared for a pass; equal pods share one entry (Karpenter's `PodData`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cutlist.core.labels import LabelRegistry
from cutlist.core.requirements import Requirements
from cutlist.core.taints import HostPort
from cutlist.scheduling.requirement_space import EMPTY, RequirementSpace
from cutlist.state.volumes import NO_VOLUMES, Attachment, PodVolumes
from cutlist.workloads.pod_requirements import full_requirements, strict_requirements
from cutlist.workloads.pods import Pod

Amounts = tuple[int, ...]


@dataclass(slots=True, eq=False)
class PodData:
    """A pod's constraints, prepared for a pass: requirement sets by number, requests in the pass's order of resources.

    `requirements` include the preferred term of highest weight where preferences are respected, `strict_requirements` never do.
    `volume_requirements` are alternatives for where its volumes can be used, tried in order; `(EMPTY,)` for none.
    `attached` are the volumes themselves, if instance types limit how many are attached.
    """

    number: int
    pod: Pod
    requirements: int
    strict_requirements: int
    requests: Amounts
    host_ports: frozenset[HostPort]
    volume_requirements: tuple[int, ...] = (EMPTY,)
    attached: frozenset[Attachment] = frozenset()


class PodDataCache:
    """Prepares pods. Under `respect_preferences` the preferred node-affinity term of highest weight counts as a requirement
    (S-28). `minds_attachments` says that instance types limit how many volumes are attached."""

    __slots__ = ("_cached", "_minds_attachments", "_registry", "_resources", "_respect_preferences", "_space", "_within")

    def __init__(
        self,
        space: RequirementSpace,
        resources: Sequence[str],
        registry: LabelRegistry,
        *,
        respect_preferences: bool,
        minds_attachments: bool = False,
    ) -> None:
        self._space = space
        self._resources = tuple(resources)
        self._registry = registry
        self._respect_preferences = respect_preferences
        self._minds_attachments = minds_attachments
        self._cached: dict[tuple[Pod, tuple[Requirements, ...], frozenset[Attachment]], PodData] = {}
        self._within: dict[tuple[int, int], PodData] = {}

    def of(self, pod: Pod, volumes: PodVolumes = NO_VOLUMES) -> PodData:
        """Return the data of a pod with these volumes."""
        # Left out of the key where nobody counts volumes: pods that differ only in these share an entry.
        attached = volumes.attached if self._minds_attachments else frozenset()
        key = (pod, volumes.alternatives, attached)
        cached = self._cached.get(key)
        if cached is None:
            strict = self._space.number(strict_requirements(pod, self._registry))
            full = self._space.number(full_requirements(pod, self._registry)) if self._respect_preferences else strict
            cached = self._cached[key] = PodData(
                number=len(self._cached) + len(self._within),
                pod=pod,
                requirements=full,
                strict_requirements=strict,
                requests=tuple(pod.requests.get(r, 0) for r in self._resources),
                host_ports=pod.host_ports,
                volume_requirements=tuple(self._space.number(v) for v in volumes.alternatives) or (EMPTY,),
                attached=attached,
            )
        return cached

    def within(self, pod_data: PodData, requirements: int) -> PodData:
        """Return the data of a pod without volumes where it has to meet further requirements besides."""
        key = pod_data.number, requirements
        cached = self._within.get(key)
        if cached is None:
            number = len(self._cached) + len(self._within)
            cached = self._within[key] = replace(pod_data, number=number, volume_requirements=(requirements,))
        return cached
