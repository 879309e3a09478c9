"""Remedies: the smallest change that would give a pending pod a node, found by trial, never by guessing.

Single changes are tried against each NodePool, the least intrusive first: a higher limit, a toleration, one requirement fewer,
a smaller request, no topology rules. A change counts only when the pod alone would then be admitted to a new node of the pool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cutlist.core.bits import bits
from cutlist.core.requirement import Expression
from cutlist.core.taints import Taint, Toleration, untolerated
from cutlist.scheduling.claim_refusals import misfit
from cutlist.scheduling.nodeclaimtemplate import NodeClaimTemplate
from cutlist.scheduling.poddata import PodData
from cutlist.scheduling.refusals import NoType
from cutlist.scheduling.scheduler import Scheduler
from cutlist.state.scheduling_node import NODES
from cutlist.state.volumes import PodVolumes
from cutlist.workloads.pods import FrozenDict, Pod


@dataclass(frozen=True, slots=True)
class RaiseLimit:
    """The pod fits if a limit of the NodePool is raised by this much (nano-units), enough for the smallest type that fits."""

    node_pool: str
    resource: str
    by: int


@dataclass(frozen=True, slots=True)
class Tolerate:
    """The pod fits if it tolerates these taints of the NodePool."""

    node_pool: str
    taints: tuple[Taint, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """The pod fits if it drops its requirements on one label."""

    node_pool: str
    key: str


@dataclass(frozen=True, slots=True)
class Shrink:
    """The pod fits if it requests at most this much of a resource, in nano-units."""

    node_pool: str
    resource: str
    to: int


@dataclass(frozen=True, slots=True)
class Loosen:
    """The pod fits the NodePool; only its topology rules, given the pods that run already, forbid it."""

    node_pool: str


@dataclass(frozen=True, slots=True)
class MoveVolume:
    """The pod fits the NodePool; only where its volumes can be used, those of these claims, forbids it."""

    node_pool: str
    claims: tuple[str, ...]


Remedy = RaiseLimit | Tolerate | Drop | Shrink | Loosen | MoveVolume


def remedies(scheduler: Scheduler, batches: Iterable[int]) -> dict[int, tuple[Remedy, ...]]:
    """Return for each batch that stayed pending at most one change per NodePool, least intrusive first."""
    searches = [_Search(scheduler, template, LimitRaises(template)) for template in scheduler.templates]
    order = (RaiseLimit, Tolerate, Drop, Shrink, Loosen, MoveVolume)

    def changes(batch: int) -> tuple[Remedy, ...]:
        first = (next(search.tried(batch), None) for search in searches)
        return tuple(sorted((remedy for remedy in first if remedy is not None), key=lambda r: order.index(type(r))))

    return {batch: changes(batch) for batch in batches}


@dataclass(frozen=True, slots=True)
class _Search:
    """Tries changes against new nodes of one NodePool, after a pass. What does not depend on the pod is found once."""

    scheduler: Scheduler
    template: NodeClaimTemplate
    raises: LimitRaises

    def tried(self, batch: int) -> Iterator[Remedy]:
        """Yield the changes that would give a pod of the batch a node, least intrusive first."""
        scheduler, template = self.scheduler, self.template
        pod, volumes = scheduler.batches[batch].pod, scheduler.volumes_of(batch)
        pod_data = scheduler.cached_pod_data.of(pod, volumes)
        if misfit(scheduler.admission, template, pod_data, template.mask) is None:
            yield self._limit(pod_data) or Loosen(template.name)
            return
        taints = tuple(untolerated(template.pool.taints, pod.tolerations))
        if taints:
            granted = tuple(Toleration(t.key, "Equal", t.value, t.effect) for t in taints)
            tolerant = replace(pod, tolerations=(*pod.tolerations, *granted))
            if self._admitted(scheduler.cached_pod_data.of(tolerant, volumes)):
                yield Tolerate(template.name, taints)
            return
        for key in _keys(pod):
            if self._admitted(scheduler.cached_pod_data.of(_without(pod, key), volumes)):
                yield Drop(template.name, key)
        yield from self._smaller(pod_data, volumes)
        if volumes.alternatives and self._admitted(scheduler.cached_pod_data.of(pod)):
            yield MoveVolume(template.name, tuple(volume.claim for volume in pod.volumes))

    def _admitted(self, pod_data: PodData) -> bool:
        """Tell whether a new node of the pool, within its limits, would accept the pod if topology did not matter."""
        mask = 0 if self.template.exhausted else self.template.within_limits()
        return bool(mask) and misfit(self.scheduler.admission, self.template, pod_data, mask) is None

    def _limit(self, pod_data: PodData) -> RaiseLimit | None:
        """Return the smallest raise of one limit after which a fitting type may be opened, or None if no limit is the
        obstacle."""
        template, admission = self.template, self.scheduler.admission
        if template.exhausted:
            return RaiseLimit(template.name, NODES, 10**9)
        if self._admitted(pod_data):
            return None
        empty = admission.new_claim(template, template.mask)
        fitting = admission.add(empty, pod_data, next(admission.narrow(empty, pod_data)))
        least = None if fitting is None else self.raises.least(fitting.mask)
        return None if least is None else RaiseLimit(template.name, resource=least[1], by=least[0])

    def _smaller(self, pod_data: PodData, volumes: PodVolumes) -> Iterator[Shrink]:
        """Yield a request cut to what the largest allowed type has besides daemons, where a single resource is too much."""
        pod, template = pod_data.pod, self.template
        refusal = misfit(self.scheduler.admission, template, pod_data, template.within_limits())
        if not isinstance(refusal, NoType) or len(refusal.shortfall) != 1:
            return
        ((resource, by),) = refusal.shortfall.items()
        to = pod.requests.get(resource, 0) - by
        if to > 0:
            cut = replace(pod, requests=FrozenDict({**pod.requests, resource: to}))
            if self._admitted(self.scheduler.cached_pod_data.of(cut, volumes)):
                yield Shrink(template.name, resource, to)


def _keys(pod: Pod) -> list[str]:
    terms = pod.required or ()
    return sorted({*pod.node_selector, *(e.key for term in terms for e in term)})


def _without(pod: Pod, key: str) -> Pod:
    def kept(term: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(e for e in term if e.key != key)

    return replace(
        pod,
        node_selector=FrozenDict({k: v for k, v in pod.node_selector.items() if k != key}),
        required=None if pod.required is None else tuple(map(kept, pod.required)),
    )


class LimitRaises:
    """The types of a template that exactly one limit rules out, those with the smallest necessary raise first. They depend on
    what the limits leave and not on a pod, so all pending pods share them.
    """

    __slots__ = ("_raises",)

    def __init__(self, template: NodeClaimTemplate) -> None:
        """Compare the capacity of each type with what each limit leaves now."""
        self._raises = sorted(_raises(template))

    def least(self, mask: int) -> tuple[int, str] | None:
        """Return the smallest raise after which one of some types is admitted, in nano-units, and its resource; None if none
        is."""
        return next(((by, resource) for by, resource, number in self._raises if mask >> number & 1), None)


def _raises(template: NodeClaimTemplate) -> Iterator[tuple[int, str, int]]:
    limited = [(resource, left) for resource, left in template.remaining.items() if resource != NODES]
    types = template.instance_types.types
    for number in bits(template.mask):
        capacity = types[number].capacity
        missing = [(capacity[resource] - left, resource) for resource, left in limited if capacity.get(resource, 0) > left]
        # Where two limits stand in the way, raising one helps nobody, and the remedy names a single change.
        if len(missing) == 1:
            yield (*missing[0], number)
