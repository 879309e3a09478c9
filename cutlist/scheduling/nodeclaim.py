"""In-flight NodeClaims and what they admit (spec: scheduling 6; Karpenter's `NodeClaim.CanAdd`).

An `InFlightClaim` holds everything that decides about further pods: the remaining types, the requirements, and the requests of
its pods so far. It is a value that nodes share: nodes with the same history have the same claim, and each step is computed only
once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from cutlist.core.requirement import Requirement
from cutlist.core.requirements import Requirements
from cutlist.core.taints import HostPort, untolerated
from cutlist.scheduling.dynamicresources.allocation import Allocation
from cutlist.scheduling.instancetypes import InstanceTypeIndex
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.poddata import Amounts, PodData
from cutlist.scheduling.requirement_space import RequirementSpace
from cutlist.scheduling.resource_thresholds import AllocatableLayer, ResourceThreshold
from cutlist.state.volumes import Attachment

_NO_PORTS: Final[frozenset[HostPort]] = frozenset()
_NO_VOLUMES: Final[frozenset[Attachment]] = frozenset()
_NO_COUNTS: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(slots=True, eq=False)
class InFlightClaim:
    """A node that will be launched, as far as admission is concerned. `requests` are those of its pods, without daemons.

    `mask` are the remaining types, `requirements` is the number of its set, `attached` are the volumes of its pods, if types
    limit these. `is_new` is True before its first pod; `relaxed` says that it was just opened with fewer distinct values than
    its NodePool demands (spec 6.8). `allocation` are the devices that its latest pod would take, if that pod has claims.
    Results computed for it are kept in `room`, `additions` and `headroom`.
    """

    template: NodeClaimTemplate
    requirements: int
    mask: int
    requests: Amounts
    ports: frozenset[HostPort] = _NO_PORTS
    attached: frozenset[Attachment] = _NO_VOLUMES
    is_new: bool = False
    relaxed: bool = False
    allocation: Allocation | None = None
    room: dict[int, tuple[int, int]] = field(default_factory=dict)
    additions: dict[tuple[int, int, int], InFlightClaim | None] = field(default_factory=dict)
    headroom: Amounts | None = None


@dataclass(frozen=True, slots=True)
class DaemonOverhead:
    """A daemon group with its overhead in the pass's order of resources."""

    mask: int
    overhead: Amounts
    ports: frozenset[HostPort]


class ClaimAdmission:
    """Decides whether claims accept pods. `resources` are all resources that some pod or daemon of the pass requests."""

    __slots__ = ("_groups", "_new_claims", "_thresholds", "_tolerated", "_usable", "lenient_min_values", "resources", "space")

    def __init__(
        self,
        space: RequirementSpace,
        resources: Sequence[str],
        templates: Sequence[NodeClaimTemplate],
        *,
        lenient_min_values: bool,
    ) -> None:
        self.space = space
        self.resources = tuple(resources)
        self.lenient_min_values = lenient_min_values
        self._groups = {
            t.index: tuple(DaemonOverhead(g.mask, self.amounts(g.overhead), g.ports) for g in t.groups) for t in templates
        }
        self._thresholds: dict[AllocatableLayer, tuple[ResourceThreshold, ...]] = {}
        self._usable: dict[tuple[InstanceTypeIndex, int], tuple[int, ...]] = {}
        self._new_claims: dict[tuple[int, int], InFlightClaim] = {}
        self._tolerated: dict[tuple[int, int], bool] = {}

    def amounts(self, requests: Mapping[str, int]) -> Amounts:
        """Return requests in the pass's order of resources."""
        return tuple(requests.get(r, 0) for r in self.resources)

    def new_claim(self, template: NodeClaimTemplate, mask: int) -> InFlightClaim:
        """Return a claim of a template without pods, with the types that its limits allow."""
        cached = self._new_claims.get((template.index, mask))
        if cached is None:
            # Daemons are added when types are compared: which ones run depends on the type.
            nothing = (0,) * len(self.resources)
            cached = InFlightClaim(template, template.requirements, mask, nothing, is_new=True)
            self._new_claims[template.index, mask] = cached
        return cached

    def narrow(self, claim: InFlightClaim, pod_data: PodData) -> Iterator[int]:
        """Yield the claim's requirements combined with the pod's, for each compatible alternative of its volumes (spec 6.3,
        6.4)."""
        return (narrowed for narrowed in self.alternatives(claim, pod_data) if narrowed is not None)

    def alternatives(self, claim: InFlightClaim, pod_data: PodData) -> Iterator[int | None]:
        """Yield the same for every alternative, None for an incompatible one: the last one's outcome is reported."""
        held = self.space.meet(claim.requirements, pod_data.requirements)
        if held is not None and self._tolerates(claim.template, pod_data):
            for alternative in pod_data.volume_requirements:
                yield self.space.meet(held, alternative)

    def add(self, claim: InFlightClaim, pod_data: PodData, requirements: int, pods: int = 1) -> InFlightClaim | None:
        """Return the claim with this many more of these pods, its requirements narrowed, or None if no type is left (spec
        6.6)."""
        # A claim is a value, so the same addition to it always gives the same claim.
        key = (pod_data.number, requirements, pods)
        if key not in claim.additions:
            claim.additions[key] = self._add(claim, pod_data, requirements, pods)
        return claim.additions[key]

    def alone(self, template: NodeClaimTemplate, pod_data: PodData) -> InFlightClaim | None:
        """Return a new claim of a template with one pod, limits aside, or None if it accepts none."""
        claim = self.new_claim(template, template.mask)
        settled = (self.add(claim, pod_data, narrowed) for narrowed in self.narrow(claim, pod_data))
        return next((after for after in settled if after is not None), None)

    def room(self, claim: InFlightClaim, pod_data: PodData, wanted: int) -> int:
        """Return how many of `wanted` pods a claim accepts, where no rule or choice of volumes examines single pods."""
        limit, room = claim.room.get(pod_data.number, (0, 0))
        # An answer below its limit is the whole room; otherwise there may be more.
        if wanted > limit and room == limit:
            narrowed = next(self.narrow(claim, pod_data), None)
            room = 0 if narrowed is None else self._search_room(claim, pod_data, narrowed, wanted)
            claim.room[pod_data.number] = (wanted, room)
        return min(room, wanted)

    def headroom(self, claim: InFlightClaim) -> Amounts:
        """Return for each resource the most that any remaining type still has free: an upper bound for requests."""
        if claim.headroom is None:
            best = [-1] * len(self.resources)
            template = claim.template
            usable_types = self._usable_types(template, claim.requirements)
            for layer, usable in zip(template.instance_types.layers, usable_types, strict=True):
                for group in self._groups[template.index]:
                    part = claim.mask & usable & group.mask
                    if part:
                        for i, threshold in enumerate(self.layer_thresholds(layer)):
                            free = (threshold.largest(part) or 0) - group.overhead[i] - claim.requests[i]
                            if free > best[i]:
                                best[i] = free
            claim.headroom = tuple(best)
        return claim.headroom

    def _add(self, claim: InFlightClaim, pod_data: PodData, requirements: int, pods: int) -> InFlightClaim | None:
        requests = requests_with(claim.requests, pod_data.requests, pods)
        attached = claim.attached | pod_data.attached if pod_data.attached else claim.attached
        mask = self.survivors(claim, requirements, requests, self.open_groups(claim, pod_data))
        mask &= self.attaching(claim, pod_data)
        if not mask:
            return None
        # BestEffort lowers minValues for a new claim only; one in flight stays as it is (spec 6.8).
        missing = self.too_few_values(claim.template, requirements, mask)
        if missing:
            if not (self.lenient_min_values and claim.is_new):
                return None
            requirements = self._with_fewer_values(requirements, missing)
        ports = claim.ports | pod_data.host_ports if pod_data.host_ports else claim.ports
        return InFlightClaim(claim.template, requirements, mask, requests, ports, attached, relaxed=bool(missing))

    def _search_room(self, claim: InFlightClaim, pod_data: PodData, requirements: int, wanted: int) -> int:
        """Return the largest number up to `wanted` for which a type remains.

        Each pod makes it harder, so the limit is found by bisection.
        """
        groups, attaching = self.open_groups(claim, pod_data), self.attaching(claim, pod_data)

        def fits(pods: int) -> bool:
            requests = requests_with(claim.requests, pod_data.requests, pods)
            mask = self.survivors(claim, requirements, requests, groups) & attaching
            return bool(mask) and not self.too_few_values(claim.template, requirements, mask)

        if not fits(1):
            return 0
        # Equal pods want equal ports, so a claim takes one of them at most.
        if pod_data.host_ports or wanted == 1:
            return 1
        # The claim accepted one, so what is free of each resource bounds the rest; `pods` is always among the resources.
        bounds = (free // need for free, need in zip(self.headroom(claim), pod_data.requests, strict=True) if need > 0)
        most = min(wanted, *bounds)
        if fits(most):
            return most
        # `low` fits and `high` does not, at every step.
        low, high = 1, most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        return low

    def _tolerates(self, template: NodeClaimTemplate, pod_data: PodData) -> bool:
        key = (template.index, pod_data.number)
        cached = self._tolerated.get(key)
        if cached is None:
            cached = self._tolerated[key] = not untolerated(template.pool.taints, pod_data.pod.tolerations)
        return cached

    def open_groups(self, claim: InFlightClaim, pod_data: PodData) -> Sequence[DaemonOverhead]:
        """Return the daemon groups whose ports do not conflict with the pod's (spec 6.2, S-37)."""
        groups = self._groups[claim.template.index]
        if not pod_data.host_ports:
            return groups
        return [g for g in groups if not any(a.conflicts(b) for a in pod_data.host_ports for b in (*claim.ports, *g.ports))]

    def attaching(self, claim: InFlightClaim, pod_data: PodData) -> int:
        """Return the remaining types that may attach the volumes of the claim's pods and of one more; all for a pod without
        volumes (V15-12)."""
        if not pod_data.attached:
            return claim.mask
        volumes = Counter(driver for driver, _ in claim.attached | pod_data.attached)
        return claim.mask & claim.template.instance_types.attaching(volumes)

    def survivors(self, claim: InFlightClaim, requirements: int, requests: Amounts, groups: Sequence[DaemonOverhead]) -> int:
        """Return the remaining types that have room for these requests beside one of the daemon groups."""
        template, survivors = claim.template, 0
        usable_types = self._usable_types(template, requirements)
        for layer, usable in zip(template.instance_types.layers, usable_types, strict=True):
            candidates = usable & claim.mask
            if candidates:
                thresholds = self.layer_thresholds(layer)
                for group in groups:
                    survivors |= fitting(thresholds, candidates & group.mask, requests, group.overhead)
        return survivors

    def _usable_types(self, template: NodeClaimTemplate, requirements: int) -> tuple[int, ...]:
        """Return for each layer the types whose labels are compatible and that are available under the requirements."""
        key = (template.instance_types, requirements)
        cached = self._usable.get(key)
        if cached is None:
            wanted, instance_types = self.space.sets[requirements], template.instance_types
            compatible = instance_types.compatible(wanted)
            offered = instance_types.offered(wanted)
            cached = tuple(compatible & o & layer.alive for o, layer in zip(offered, instance_types.layers, strict=True))
            self._usable[key] = cached
        return cached

    def layer_thresholds(self, layer: AllocatableLayer) -> tuple[ResourceThreshold, ...]:
        """Return for each resource of the pass which types of the layer have how much of it."""
        cached = self._thresholds.get(layer)
        if cached is None:
            cached = self._thresholds[layer] = tuple(layer.threshold(r) for r in self.resources)
        return cached

    def too_few_values(self, template: NodeClaimTemplate, requirements: int, mask: int) -> Mapping[str, int]:
        """Return the labels for which the remaining types declare fewer values than `minValues`, with that number (spec
        6.8)."""
        min_values = self.space.min_values(requirements)
        if not min_values:
            return _NO_COUNTS
        declared, held = template.instance_types.distinct_values, self.space.sets[requirements]
        return {key: count for key, least in min_values if (count := declared(held[key], mask)) < least}

    def _with_fewer_values(self, requirements: int, reached: Mapping[str, int]) -> int:
        held = self.space.sets[requirements]
        for key, count in reached.items():
            r = held[key]
            held = held.replaced(Requirement(key, r.complement, r.values, r.gte, r.lte, count))
        return self.space.number(held)

    def requirements_of(self, claim: InFlightClaim) -> Requirements:
        """Return the present requirements of a claim."""
        return self.space.sets[claim.requirements]

    def daemon_requests(self, claim: InFlightClaim) -> dict[str, int]:
        """Return what daemons request on any node that the claim may become: the least of the groups with a type (spec
        6.11)."""
        least: Amounts | None = None
        for group in self._groups[claim.template.index]:
            # A group without daemons is passed over: that is Karpenter's result where its random order begins with one (spec
            # 6.11).
            if group.mask & claim.mask and any(group.overhead):
                least = group.overhead if least is None else tuple(map(min, least, group.overhead))
        return {r: a for r, a in zip(self.resources, least or (), strict=False) if a}


def with_devices(claim: InFlightClaim, allocation: Allocation) -> InFlightClaim | None:
    """Return a claim with only those types that have the devices of its latest pod, or None if no type is left (R-17)."""
    if not allocation.claims:
        return claim
    mask = claim.mask & claim.template.instance_types.named(allocation.types)
    if not mask:
        return None
    return replace(claim, mask=mask, allocation=allocation, room={}, additions={}, headroom=None)


def fitting(thresholds: Sequence[ResourceThreshold], mask: int, requests: Amounts, overhead: Amounts) -> int:
    """Return the types of the mask that have the requests and the overhead of daemons free."""
    for threshold, request, more in zip(thresholds, requests, overhead, strict=True):
        if not mask:
            return 0
        if request or more:
            mask &= threshold.at_least(request + more)
    return mask


def requests_with(requests: Amounts, added: Amounts, times: int) -> Amounts:
    """Return the requests with those of this many more pods."""
    return tuple([r + a * times for r, a in zip(requests, added, strict=True)])
