"""Which NodePool was meant for pods that all of them refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cutlist.api.nodepool import NodePool
from cutlist.core.bits import bits
from cutlist.core.identity import OncePerObject
from cutlist.core.labels import NODEPOOL
from cutlist.core.requirements import Requirements
from cutlist.core.taints import untolerated
from cutlist.planning.reasons import NOTHING_LAUNCHES, PoolRemarks, named_reason
from cutlist.scheduling.inputs import SchedulerInputs
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaimtemplate import fresh_requirements, prefilter
from cutlist.scheduling.refusals import (
    Incompatible,
    IncompatibleDevices,
    InvalidClaim,
    LimitsExceeded,
    NodesExhausted,
    NoDevices,
    NoDynamicResources,
    NoReservation,
    NoTopology,
    NotTolerated,
    NoType,
    NoTypeWithDevices,
    OnlyFullReservations,
    PassEnded,
    PassesStopped,
    Refusal,
    TooFewValues,
    TooManyVolumes,
    UnresolvedClaims,
    UnresolvedVolumes,
    beyond_limits,
)
from cutlist.workloads.pod_requirements import strict_requirements
from cutlist.workloads.pods import Pod

# The refusal that came closest to acceptance explains most: a pool that only lacks room says more than one that was never
# meant.
_NEAREST_FIRST: Final = (
    InvalidClaim,
    TooFewValues,
    LimitsExceeded,
    NodesExhausted,
    NoReservation,
    NoTopology,
    TooManyVolumes,
    NoType,
    NoTypeWithDevices,
    PassEnded,
    PassesStopped,
    NoDevices,
    IncompatibleDevices,
    OnlyFullReservations,
    NotTolerated,
    Incompatible,
    NoDynamicResources,
    UnresolvedClaims,
    UnresolvedVolumes,
)


@dataclass(frozen=True, slots=True)
class MeantPools:
    """Ranks the NodePools of a controller by how likely each was meant for a pod.

    A pool that the pod names, by a label of the user or by a device that only some pools have, was meant. Else it is one whose
    taints the pod tolerates; among these, the one with the fewest contradictions, and then the one that came closest.
    """

    inputs: SchedulerInputs
    types_of: Callable[[str], InstanceTypeIndex]
    _pools: Mapping[str, NodePool] = field(init=False, repr=False, compare=False)
    _held: OncePerObject[Requirements] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look pools up by name, and read each one's requirements once for all pods that ask."""
        object.__setattr__(self, "_pools", {pool.name: pool for pool in self.inputs.pools})
        object.__setattr__(self, "_held", OncePerObject(lambda pool: fresh_requirements(pool, self.inputs.registry)))

    def ranked(self, pod: Pod, refusals: Sequence[tuple[str, Refusal]]) -> list[list[tuple[str, Refusal]]]:
        """Return the refusals in groups of pools that are equally likely, the likeliest first, each in order of nearness."""
        groups: dict[tuple[bool, bool], list[tuple[str, Refusal]]] = {}
        for name, refusal in refusals:
            pool = self._pools.get(name)
            rank = (False, False) if pool is None else (not self.is_named(pod, pool), not _tolerates(pod, pool))
            groups.setdefault(rank, []).append((name, refusal))
        return [sorted(groups[rank], key=lambda r: _distance(r[1])) for rank in sorted(groups)]

    def reason(self, pod: Pod, refusals: Sequence[tuple[str, Refusal]]) -> str:
        """Return why the likeliest pool refuses a pod, in words."""
        groups = self.ranked(pod, refusals)
        return named_reason(*groups[0][0], PoolRemarks()) if groups else NOTHING_LAUNCHES

    def is_named(self, pod: Pod, pool: NodePool) -> bool:
        """Tell whether a pod asks for something that its owner gave this NodePool: a label of its own, or a device."""
        registry = self.inputs.registry
        wanted = strict_requirements(pod, registry)
        own = [key for key in wanted if key == NODEPOOL or key not in registry.well_known]
        devices = [r for r, amount in pod.requests.items() if amount and "/" in r]
        if not own and not devices:
            return False
        held = self._held(pool)
        if any(key in held and wanted[key].intersects(held[key]) for key in own):
            return True
        if not devices:
            return False
        table = self.types_of(pool.name)
        types = [table.types[number] for number in bits(prefilter(table, held))]
        return all(any(t.capacity.get(device) for t in types) for device in devices)


def _tolerates(pod: Pod, pool: NodePool) -> bool:
    return not untolerated(pool.taints, pod.tolerations)


def _distance(refusal: Refusal) -> tuple[int, int]:
    refusal = beyond_limits(refusal)
    rank = _NEAREST_FIRST.index(type(refusal))
    # A type that exists but is too small comes before one that no requirement allows.
    far = rank * 2 + int(isinstance(refusal, NoType) and not refusal.compatible)
    return far, _contradictions(refusal)


def _contradictions(refusal: Refusal) -> int:
    """Return how many things would have to change."""
    match refusal:
        case Incompatible(cause) if isinstance(cause, Sequence):
            return len(cause)
        case NotTolerated(taints):
            return len(taints)
        case NoType(shortfall=shortfall):
            return len(shortfall)
    return 0
