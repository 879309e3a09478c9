"""What a claim is while it is open, and what it admits (spec: scheduling 6).

An `InFlightState` is everything that decides about further pods: the types that are left, the requirements, what is asked of it
so far. States are shared: claims with the same history have the same state, and a step once computed is looked up afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from cutlist.core.requirements import Requirement, Requirements
from cutlist.core.taints import HostPort, untolerated
from cutlist.scheduling.instancetypes import AllocatableLayer, InstanceTypeIndex, ResourceThreshold
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate, nodes_used_up
from cutlist.scheduling.refusals import Incompatible, LimitsExceeded, NodesExhausted, NotTolerated, NoType, Refusal
from cutlist.scheduling.requirement_space import EMPTY, RequirementSpace
from cutlist.workloads.pods import Pod

Amounts = tuple[int, ...]
_NO_PORTS: Final[frozenset[HostPort]] = frozenset()
_NO_COUNTS: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(slots=True, eq=False)
class PodData:
    """A pod's constraints, prepared for a pass: requirement sets by number, requests in the pass's order of resources.

    `volumes` are the alternatives of where its volumes can be used, tried in order; `(EMPTY,)` for none.
    """

    number: int
    pod: Pod
    full: int
    strict: int
    needs: Amounts
    ports: frozenset[HostPort]
    volumes: tuple[int, ...] = (EMPTY,)


@dataclass(slots=True, eq=False)
class InFlightState:
    """An open claim as far as admission is concerned. `totals` are its pods' requests, without daemons.

    `relaxed` tells that it was just opened with fewer distinct values than its NodePool asks for (spec 6.8).
    """

    template: NodeClaimTemplate
    requirements: int
    mask: int
    totals: Amounts
    ports: frozenset[HostPort] = _NO_PORTS
    fresh: bool = False
    relaxed: bool = False
    room: dict[int, tuple[int, int]] = field(default_factory=dict)
    steps: dict[tuple[int, int, int], InFlightState | None] = field(default_factory=dict)
    headroom: Amounts | None = None


@dataclass(frozen=True, slots=True)
class _DaemonOverhead:
    """A daemon group with its overhead in the pass's order of resources."""

    mask: int
    overhead: Amounts
    ports: frozenset[HostPort]


class Admission:
    """Answers whether claims take pods. `resources` is every resource that some pod or daemon of the pass asks for."""

    __slots__ = ("_fresh", "_groups", "_thresholds", "_tolerated", "_usable", "lenient_min_values", "resources", "space")

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
            t.index: tuple(_DaemonOverhead(g.mask, self.amounts(g.overhead), g.ports) for g in t.groups) for t in templates
        }
        self._thresholds: dict[int, tuple[ResourceThreshold, ...]] = {}
        self._usable: dict[tuple[int, int], tuple[int, ...]] = {}
        self._fresh: dict[tuple[int, int], InFlightState] = {}
        self._tolerated: dict[tuple[int, int], bool] = {}

    def amounts(self, requests: Mapping[str, int]) -> Amounts:
        """Requests in the pass's order of resources."""
        return tuple(requests.get(r, 0) for r in self.resources)

    def fresh(self, template: NodeClaimTemplate, mask: int) -> InFlightState:
        """A new claim of a template with the types that its limits allow."""
        found = self._fresh.get((template.index, mask))
        if found is None:
            nothing = (0,) * len(self.resources)
            found = self._fresh[template.index, mask] = InFlightState(
                template, template.requirements, mask, nothing, fresh=True
            )
        return found

    def narrow(self, state: InFlightState, shape: PodData) -> Iterator[int]:
        """The claim's requirements with the pod's, once for each alternative of its volumes that agrees (spec 6.3, 6.4)."""
        return (narrowed for narrowed in self.alternatives(state, shape) if narrowed is not None)

    def alternatives(self, state: InFlightState, shape: PodData) -> Iterator[int | None]:
        """The same for every alternative, None for one that does not agree: what becomes of the last one is what is told."""
        held = self.space.meet(state.requirements, shape.full)
        if held is not None and self._tolerates(state.template, shape):
            for alternative in shape.volumes:
                yield self.space.meet(held, alternative)

    def settle(self, state: InFlightState, shape: PodData, requirements: int, pods: int = 1) -> InFlightState | None:
        """The claim with so many more of these pods under narrowed requirements; None when no type is left (spec 6.6)."""
        key = (shape.number, requirements, pods)
        if key not in state.steps:
            state.steps[key] = self._settle(state, shape, requirements, pods)
        return state.steps[key]

    def room(self, state: InFlightState, shape: PodData, wanted: int) -> int:
        """How many of so many wanted pods a claim takes, where no rule or choice of volumes looks at single pods."""
        asked, found = state.room.get(shape.number, (0, 0))
        # An answer that fell short of what was asked is the whole room; otherwise there may be more.
        if wanted > asked and found == asked:
            narrowed = next(self.narrow(state, shape), None)
            found = 0 if narrowed is None else self._capacity(state, shape, narrowed, wanted)
            state.room[shape.number] = (wanted, found)
        return min(found, wanted)

    def headroom(self, state: InFlightState) -> Amounts:
        """For each resource the most that any type left still has free: an upper bound of what fits."""
        if state.headroom is None:
            best = [-1] * len(self.resources)
            template = state.template
            for layer, usable in zip(template.table.layers, self._usable_types(template, state.requirements), strict=True):
                for group in self._groups[template.index]:
                    part = state.mask & usable & group.mask
                    if part:
                        for i, threshold in enumerate(self._layer_thresholds(layer)):
                            free = (threshold.largest(part) or 0) - group.overhead[i] - state.totals[i]
                            if free > best[i]:
                                best[i] = free
            state.headroom = tuple(best)
        return state.headroom

    def _settle(self, state: InFlightState, shape: PodData, requirements: int, pods: int) -> InFlightState | None:
        totals = _add(state.totals, shape.needs, pods)
        groups = self._open_groups(state, shape)
        mask = self._survivors(state, requirements, totals, groups)
        if not mask:
            return None
        missing = self._too_few_values(state.template, requirements, mask)
        if missing:
            if not (self.lenient_min_values and state.fresh):
                return None
            requirements = self._with_fewer_values(requirements, missing)
        ports = state.ports | shape.ports if shape.ports else state.ports
        return InFlightState(state.template, requirements, mask, totals, ports, relaxed=bool(missing))

    def _capacity(self, state: InFlightState, shape: PodData, requirements: int, wanted: int) -> int:
        """The largest number up to `wanted` for which a type remains.

        It only gets harder with each pod, so the boundary is searched by halving.
        """
        groups = self._open_groups(state, shape)

        def fits(pods: int) -> bool:
            mask = self._survivors(state, requirements, _add(state.totals, shape.needs, pods), groups)
            return bool(mask) and not self._too_few_values(state.template, requirements, mask)

        if not fits(1):
            return 0
        if shape.ports or wanted == 1:
            return 1
        # The claim took one, so what is free of each resource bounds the rest; `pods` is always among them.
        bounds = (free // need for free, need in zip(self.headroom(state), shape.needs, strict=True) if need > 0)
        most = min(wanted, *bounds)
        if fits(most):
            return most
        low, high = 1, most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        return low

    def _tolerates(self, template: NodeClaimTemplate, shape: PodData) -> bool:
        key = (template.index, shape.number)
        found = self._tolerated.get(key)
        if found is None:
            found = self._tolerated[key] = not untolerated(template.pool.taints, shape.pod.tolerations)
        return found

    def _open_groups(self, state: InFlightState, shape: PodData) -> Sequence[_DaemonOverhead]:
        """The daemon groups whose ports the pod leaves alone (spec 6.2, S-37)."""
        groups = self._groups[state.template.index]
        if not shape.ports:
            return groups
        return [g for g in groups if not any(a.conflicts(b) for a in shape.ports for b in (*state.ports, *g.ports))]

    def _survivors(self, state: InFlightState, requirements: int, totals: Amounts, groups: Sequence[_DaemonOverhead]) -> int:
        template, keep = state.template, 0
        for layer, usable in zip(template.table.layers, self._usable_types(template, requirements), strict=True):
            candidates = usable & state.mask
            if candidates:
                thresholds = self._layer_thresholds(layer)
                for group in groups:
                    keep |= _fitting(thresholds, candidates & group.mask, totals, group.overhead)
        return keep

    def _usable_types(self, template: NodeClaimTemplate, requirements: int) -> tuple[int, ...]:
        """For each layer the types whose labels agree and that can be bought under the requirements."""
        key = (id(template.table), requirements)
        found = self._usable.get(key)
        if found is None:
            wanted, table = self.space.sets[requirements], template.table
            compatible = table.compatible(wanted)
            offered = table.offered(wanted)
            found = tuple(compatible & o & layer.alive for o, layer in zip(offered, table.layers, strict=True))
            self._usable[key] = found
        return found

    def _layer_thresholds(self, layer: AllocatableLayer) -> tuple[ResourceThreshold, ...]:
        found = self._thresholds.get(id(layer))
        if found is None:
            found = self._thresholds[id(layer)] = tuple(layer.threshold(r) for r in self.resources)
        return found

    def _too_few_values(self, template: NodeClaimTemplate, requirements: int, mask: int) -> Mapping[str, int]:
        """Labels of which the types left declare fewer values than asked, with the number they do (spec 6.8)."""
        wanted = self.space.min_values(requirements)
        declared = template.table.distinct_values
        return {key: found for key, least in wanted if (found := declared(key, mask)) < least} if wanted else _NO_COUNTS

    def _with_fewer_values(self, requirements: int, reached: Mapping[str, int]) -> int:
        held = self.space.sets[requirements]
        for key, count in reached.items():
            r = held[key]
            held = held.replaced(Requirement(key, r.complement, r.values, r.gte, r.lte, count))
        return self.space.number(held)

    def refusal(self, template: NodeClaimTemplate, shape: PodData, mask: int, remaining: Mapping[str, int]) -> Refusal | None:
        """Why a template opened no claim for a pod, topology and reservations aside; None when it would have.

        `mask` and `remaining` are the types that its limits allowed then, and what was left of them.
        """
        if mask:
            return self.misfit(template, shape, mask)
        besides = self.misfit(template, shape, template.mask)
        return NodesExhausted(besides) if nodes_used_up(remaining) else LimitsExceeded(remaining, besides)

    def misfit(self, template: NodeClaimTemplate, shape: PodData, mask: int) -> Refusal | None:
        """Why a pod alone fits no new node of the template with these types, limits aside; None when it does."""
        taints = untolerated(template.pool.taints, shape.pod.tolerations)
        if taints:
            return NotTolerated(tuple(taints))
        state = self.fresh(template, mask)
        cause = self.space.clash(template.requirements, shape.full)
        if cause:
            return Incompatible(cause)
        narrowed = None
        for narrowed in self.alternatives(state, shape):
            if narrowed is not None and self.settle(state, shape, narrowed):
                return None
        if narrowed is None:
            return Incompatible(self.space.clash(self.space.join(template.requirements, shape.full), shape.volumes[-1]))
        return self.no_type(state, shape, narrowed)

    def no_type(self, state: InFlightState, shape: PodData, requirements: int) -> NoType:
        """What the types of a claim have and lack for a pod under narrowed requirements."""
        table, wanted = state.template.table, self.space.sets[requirements]
        totals = _add(state.totals, shape.needs, 1)
        groups = self._open_groups(state, shape)
        asked = sum(1 << i for i in range(len(table.types)) if state.mask >> i & 1 and any(g.mask >> i & 1 for g in groups))
        compatible = table.compatible(wanted) & asked
        offered = fits = 0
        for layer, there in zip(table.layers, table.offered(wanted), strict=True):
            offered |= there & asked
            for group in groups:
                fits |= _fitting(
                    self._layer_thresholds(layer), there & asked & layer.alive & group.mask, totals, group.overhead
                )
        least = tuple(min(g.overhead[i] for g in groups) if groups else 0 for i in range(len(self.resources)))
        left = compatible & offered
        survivors = self._survivors(state, requirements, totals, groups)
        return NoType(
            compatible=bool(compatible),
            fits=bool(fits),
            offered=bool(offered),
            compatible_and_fits=bool(compatible & fits & ~offered),
            compatible_and_offered=bool(compatible & offered & ~fits),
            fits_and_offered=bool(fits & offered & ~compatible),
            requirements=str(wanted),
            needs={r: a for r, a in zip(self.resources, _add(totals, least, 1), strict=True) if a},
            daemons={r: a for r, a in zip(self.resources, least, strict=True) if a},
            largest=self._largest(table.layers[0], left),
            min_values=tuple(self._too_few_values(state.template, requirements, survivors)) if survivors else (),
            blocking=() if compatible else self._blocking(table, shape, wanted, asked),
        )

    def _blocking(self, table: InstanceTypeIndex, shape: PodData, wanted: Requirements, mask: int) -> tuple[str, ...]:
        asked = self.space.sets[shape.full]
        return tuple(str(asked[key]) for key in sorted(asked) if table.compatible(wanted.without(key)) & mask)

    def _largest(self, layer: AllocatableLayer, mask: int) -> dict[str, int]:
        return {r: t.largest(mask) or 0 for r, t in zip(self.resources, self._layer_thresholds(layer), strict=True)}

    def result(self, state: InFlightState) -> Requirements:
        """The requirements that the claim has come to."""
        return self.space.sets[state.requirements]

    def daemon_requests(self, state: InFlightState) -> dict[str, int]:
        """What daemons ask of every node the claim may become: the least of the groups with a type left (spec 6.11)."""
        found: Amounts | None = None
        for group in self._groups[state.template.index]:
            if group.mask & state.mask and any(group.overhead):
                found = group.overhead if found is None else tuple(map(min, found, group.overhead))
        return {r: a for r, a in zip(self.resources, found or (), strict=False) if a}


def _fitting(thresholds: Sequence[ResourceThreshold], mask: int, totals: Amounts, overhead: Amounts) -> int:
    for threshold, total, more in zip(thresholds, totals, overhead, strict=True):
        if not mask:
            return 0
        if total or more:
            mask &= threshold.at_least(total + more)
    return mask


def _add(totals: Amounts, needs: Amounts, times: int) -> Amounts:
    return tuple([t + n * times for t, n in zip(totals, needs, strict=True)])
